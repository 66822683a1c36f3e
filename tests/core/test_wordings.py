"""Moves in words: what a list of moves says where a move's text is a code to people."""

import re

import pytest

import triskele
from tests.support.games import texts_of_decisions
from triskele.core.game import game
from triskele.core.wordings import PLAYER, Wording, move_words
from triskele.core.words import LANGUAGES, Text, say

_PLAIN = re.compile(r"[a-z]\d{1,2}(?:-[a-z]\d{1,2})?")
"""What reads by itself: a place, or from one to another."""
_CODE = re.compile(r"[?!=*<>/.~_]|^[+-]")


@pytest.mark.parametrize("declared", triskele.games(), ids=lambda declared: declared.name)
def test_every_decision_reads_as_words_in_every_language(declared):
    for move in texts_of_decisions(declared):
        words = move_words(declared.wordings, move)
        if words is None:
            assert _PLAIN.fullmatch(move), f"nothing says what {move} is"
            continue
        for language in LANGUAGES:
            said = say(words, language)
            assert not _CODE.search(said), f"{move} reads {said!r} in {language}"
            assert "{" not in said


def test_what_is_hidden_and_what_is_nobodys_turn_reads_as_words_too():
    wordings = game("tryptic").wordings
    said = [str(move_words(wordings, move)) for move in ("=***", "x3", "!1", ".")]
    assert said == ["pattern chosen", "gave up", "announcement", "end of turn"]


def test_groups_are_numbers_signs_and_texts():
    wording = Wording(r"(?P<sign>[BG])(?P<n>\d+)(?P<field>[a-c]?)", "x.y", {"B": "x.blue"})
    assert wording.words("B12c") == Text("x.y", {"sign": Text("x.blue"), "n": 12, "field": "c"})
    assert wording.words("G3") == Text("x.y", {"sign": "G", "n": 3, "field": ""})
    assert wording.words("B12d") is None


def test_a_challenge_names_the_player_by_the_seat():
    words = move_words(game("tryptic").wordings, "?2=BGR")
    assert words is not None
    assert words.values[PLAYER] == 2
    assert str(words) == "challenge → 2: blue, green, red"
