"""Refusals, their language, and the log of failures."""

import pytest

from triskele.server.refusal import Refusal, language_of, log_failure


@pytest.mark.parametrize(
    ("header", "language"),
    [(None, "en"), ("de-CH,de;q=0.9", "de"), ("xx, fr;q=0.3", "fr"), (";;,,", "en"), ("a" * 10_000, "en")],
)
def test_the_reader_s_language(header, language):
    assert language_of(header) == language


def test_failures_are_logged_without_values(caplog):
    try:
        {}["=GGR"]
    except KeyError as error:
        log_failure(error, "a test")
    assert "KeyError" in caplog.text
    assert "GGR" not in caplog.text
    assert Refusal("busy").status == 503
