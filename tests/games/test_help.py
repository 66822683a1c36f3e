"""The help pages: there in every language, with the same parts, and with pictures that the program can draw."""

import re
from collections import Counter

import pytest

import triskele
from triskele.core.draw import svg
from triskele.core.game import game
from triskele.core.pictures import help_pictures
from triskele.core.words import LANGUAGES

GAMES = [declared.name for declared in triskele.games()]
PARTS = {
    "headings": r"^#+ ",
    "items": r"^\s*(?:-|\d+\.) ",
    "rows of tables": r"^\|",
    "code": r"`[^`]+`",
    "rules": r"\b[YTPAC]\d+a?\b(?=[^`\n]*\])",
    "pictures": r"\(picture:[a-z-]+\)",
}
"""What must be in every language as often as in English; most of it in the very same words."""


def page(name: str, language: str) -> str:
    return (game(name).folder / "help" / f"{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("name", GAMES)
def test_a_page_has_the_parts_of_the_english_one(name: str, language: str) -> None:
    english, other = page(name, "en"), page(name, language)
    for part, form in PARTS.items():
        here, there = (Counter(re.findall(form, text, re.MULTILINE)) for text in (other, english))
        assert here == there, part
    own = {line for line in other.splitlines() if len(line) > 60 and "`" not in line}
    assert not own & set(english.splitlines())


@pytest.mark.parametrize("name", GAMES)
def test_every_picture_is_named_and_can_be_drawn(name: str) -> None:
    pictures = help_pictures(game(name))
    assert set(re.findall(r"\(picture:([a-z-]+)\)", page(name, "en"))) == set(pictures)
    for shown in pictures.values():
        assert svg(shown.position.scene(shown.seat)).startswith("<svg")
