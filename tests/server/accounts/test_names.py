"""Names of accounts: what may be one, and which are one name."""

import pytest

from triskele.server.accounts.names import NAME_LIMIT, folded, skeleton, valid_name
from triskele.server.refusal import Refusal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paul", "PAUL"),
        ("Paul", "PauI"),
        ("Paul", "Pau1"),
        ("Paul", "\u0420aul"),  # a Cyrillic letter
        ("Anna", "\U0001d4d0nna"),  # a mathematical letter
        ("Martin", "rnartin"),
        ("Bob", "B0b"),
        ("Anna K", "AnnaK"),
        ("\u039dina", "Nina"),  # a Greek letter
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Nina", "Vina"), ("Jörg", "Jorg"), ("Anna", "Hanna"), ("Ben", "Ban")])
def test_names_that_people_tell_apart_have_two_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


def test_a_name_is_the_same_in_any_case_of_its_letters():
    assert folded("Νίκος") == folded("ΝΊΚΟΣ")
    assert folded("Strasse") == folded("STRASSE") == folded("Straße")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "   ",
        "a\0b",
        "a\nb",
        "a\u202eb",
        "a\u200bb",
        "\ud800",
        "\ue000",
        "a  b",
        "a\u3000b",
        "x" * (NAME_LIMIT + 1),
        "x" * 100_000,
        "Za\u0301\u0302\u0303lgo",
        "<b>",
        "a/b",
        "a@b",
        "...",
        "\u0301",
    ],
)
def test_a_name_without_form_is_refused(written):
    with pytest.raises(Refusal) as refused:
        valid_name(written)
    assert refused.value.code == "account-name"


@pytest.mark.parametrize(
    "written", ["Ann", " Ann ", "J. R.", "Łukasz_7", "李小龍", "نورا", "O'Neill", "x" * NAME_LIMIT]
)
def test_names_of_all_scripts_are_allowed(written):
    assert valid_name(written) == written.strip()
