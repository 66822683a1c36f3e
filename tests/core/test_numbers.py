"""Numbers are written as each language does, by one formatter."""

import pytest

from triskele.core.numbers import decimal, percent, whole
from triskele.core.words import say


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "16.5%"),
        ("de", "16,5\u00a0%"),
        ("es", "16,5\u00a0%"),
        ("fr", "16,5\u00a0%"),
        ("it", "16,5%"),
        ("nl", "16,5%"),
        ("pl", "16,5%"),
    ],
)
def test_a_share_has_the_decimal_sign_and_the_space_of_its_language(language, written):
    assert say(percent(0.165), language) == written


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "1,234,567"), ("de", "1.234.567"), ("fr", "1\u00a0234\u00a0567"), ("pl", "1\u00a0234\u00a0567")],
)
def test_thousands_are_separated(language, written):
    assert say(whole(1_234_567), language) == written


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        (whole(9_999), "9999"),
        (whole(10_000), "10,000"),
        (whole(1_000_007), "1,000,007"),
        (whole(-12.4), "−12"),
        (whole(12, signed=True), "+12"),
        (whole(0, signed=True), "0"),
        (decimal(2.186, 2), "2.19"),
        (decimal(-0.5, 1), "−0.5"),
        (decimal(-0.04, 1), "0.0"),
        (decimal(0.5, 1, signed=True), "+0.5"),
        (percent(0.25, 0), "25%"),
    ],
)
def test_signs_and_places(shown, written):
    assert say(shown) == written
