"""The security table of the accounts' page: its requirements are those of the standard, and its tests are there."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "accounts.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("## Security")[2]
TABLE = [line for line in SECTION.splitlines() if line.startswith("| ")][1:]
STANDARD = {
    "3.3": 5,
    "3.5": 8,
    "4.4": 4,
    "6.1": 3,
    "6.2": 12,
    "6.3": 8,
    "6.4": 6,
    "6.5": 8,
    "6.7": 2,
    "7.1": 3,
    "7.2": 4,
    "7.3": 2,
    "7.4": 5,
    "7.5": 3,
    "8.2": 4,
    "11.4": 4,
    "11.5": 2,
}
"""How many requirements the sections of ASVS 5.0.0 have that the page speaks of."""
LEVEL_TWO = {"3.3": 4, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "7.1": 2, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2}
"""Up to which number they are of the levels 1 and 2, and about what is here."""


def numbers(text):
    return re.findall(r"\b\d+\.\d+\.\d+\b", text.replace("5.0.0", ""))


def test_every_line_of_the_security_table_names_tests_that_exist():
    assert len(TABLE) > 20
    for line in TABLE:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", line)
        assert named, line
        for file, name in named:
            assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), name


def test_every_line_names_requirements_of_the_standard():
    assert "version 5.0.0" in SECTION
    for line in TABLE:
        asked = numbers(line.split("|")[1])
        assert asked, line
        for section, _, number in (each.rpartition(".") for each in asked):
            assert 1 <= int(number) <= STANDARD[section], line


def test_what_level_two_asks_for_is_shown_or_said_to_differ():
    said = set(numbers(SECTION))
    asked = {f"{section}.{number}" for section, most in LEVEL_TWO.items() for number in range(1, most + 1)}
    assert not asked - said
