"""The texts of TRYPTIC: moves, positions, and what is refused."""

import random
import re

import numpy as np
import pytest

import triskele
from tests.games.tryptic.helpers import FIVE, FULL, HEXES, PATTERNS, Referee, careless_move, line
from triskele.core.words import LANGUAGES, catalogue
from triskele.games.tryptic import notation, rules


def test_every_move_text_and_spelling_is_its_own():
    codes = range(rules.ACTIONS)
    assert len({notation.move_text({}, code) for code in codes}) == rules.ACTIONS
    places = [notation.move_tokens({}, code) for code in range(rules.PLACE, rules.CHALLENGE)]
    assert (("R", "e5"),) in places
    assert [notation.interrupt_owner({}, code) for code in (rules.END, rules.ANNOUNCE, rules.ANNOUNCE + 4)] == [
        None,
        0,
        4,
    ]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_positions_and_views_read_back(players):
    for number in range(4):
        rng = random.Random(number)
        referee = Referee(players, 3)
        pos = triskele.new("tryptic", players=players, goal=3)
        while not referee.end:
            move = careless_move(referee, rng)
            referee.push(move)
            pos.push(move)
            again = triskele.position(str(pos))
            assert np.array_equal(again.state, pos.state)
            for seat in (0, None):
                seen = pos.seen_by(seat)
                assert np.array_equal(triskele.position(str(seen)).state, seen.state)


EMPTY = "." * 61


GOOD = line({"e5": "R"}, "2", "BGR,***", "-1,1", "-,GGY")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("tryptic: nonsense", "seven parts"),
        (GOOD + " -", "seven parts"),
        (GOOD.replace("R...", "P...", 1), "nine rows"),
        (GOOD.replace("/", "", 1), "nine rows"),
        (line("B" * 31 + "." * 30, "2", "GGG,WWW"), "at most 30"),
        (GOOD.replace("***", "**"), "one per seat"),
        (GOOD.replace("***", "YGG"), "one per seat"),
        (GOOD.replace("***", "Bgr"), "one per seat"),
        (GOOD.replace("***", "GGG,WWW"), "one per seat"),
        (line(EMPTY, "last:1", "bbb,ggg"), "not all out"),
        (GOOD.replace(" 2 ", " 1 "), "the turn does not fit"),
        (GOOD.replace(" 2 ", " 2c "), None),
        (GOOD.replace(" 2 ", " 2p "), "the turn does not fit"),
        (GOOD.replace(" 2 ", " 6 "), "the turn does not fit"),
        (GOOD.replace(" 2 ", " \u0662 "), "the turn does not fit"),
        (line(EMPTY, "1p", "BBB,GGG"), "the turn does not fit"),
        (line(FULL, "1c", "BBB,GGG"), "the turn does not fit"),
        (line({"e5": "R"}, "1", "bgr,GGG,WWW"), "the turn does not fit"),
        (line({"e5": "R"}, "2", "bgr,GGG"), "the turn does not fit"),
        (line(EMPTY, "1", "BBB,---"), "the turn does not fit"),
        (line(EMPTY, "2", "---,BBB"), "the turn does not fit"),
        (line({"e5": "R"}, "2", "BBB,---"), "the turn does not fit"),
        (line(EMPTY, "full", "BBB,GGG"), "the turn does not fit"),
        (line(EMPTY, "points:1", "BBB,GGG"), "the turn does not fit"),
        (line(FIVE, "points:1", "BBB,GGG"), "the turn does not fit"),
        (line(FIVE, "points", "BBB,GGG"), "the turn does not fit"),
        (line(FIVE, "points:2", "***,GGG"), "the turn does not fit"),
        (line(FIVE, "points:2", "BBB,GGG"), None),
        (line(FIVE, "last:2", "BBB,GGG"), "the turn does not fit"),
        (line(FIVE, "last:1", "bbb,GGG"), "the turn does not fit"),
        (line(FIVE, "last:2", "bbb,GGG"), None),
        (line(FULL, "full:1", "BBB,GGG"), "the turn does not fit"),
        (line(FULL, "full", "BBB,GGG"), None),
        (GOOD.replace("GGY", "YGG"), "wrong guesses"),
        (GOOD.replace("GGY", "GGY+BBB"), "wrong guesses"),
        (GOOD.replace("GGY", "GGY+GGY"), "wrong guesses"),
        (GOOD.replace("-,GGY", "BGR,GGY"), "wrong guesses"),
        (GOOD.replace("-,GGY", "GGY"), "wrong guesses"),
        (GOOD.replace("GGY", "+".join(PATTERNS)), "wrong guesses"),
        (line(EMPTY, "2", "BBB,---", wrong="-,GGG"), "wrong guesses"),
        (GOOD.replace("-1,1", "-1,2"), "points by challenges"),
        (GOOD.replace("-1,1", "1,-1"), "points by challenges"),
        (GOOD.replace("-1,1", "-01,1"), "points by challenges"),
        (GOOD.replace("-1,1", "-1"), "points by challenges"),
        (GOOD.replace("-1,1", "-x,1"), "points by challenges"),
        (line({"e5": "R"}, "2", "BGR,***", "-1,1"), "points by challenges"),
        (line({"e5": "R"}, "2", "BGR,***", "2,0"), "points by challenges"),
        (line({"e5": "R"}, "2", "BGR,***,www", "2,0,0"), None),
        (line({"e5": "R"}, "2", "BGR,***", gone="R"), "colours gone"),
        (line({"e5": "R"}, "2", "BGR,***", gone="X"), "colours gone"),
        (line(dict.fromkeys(HEXES[:28], "B"), "1", "GGG,***", gone="B"), None),
        (line(dict.fromkeys(HEXES[:26], "B"), "1", "GGG,***", gone="B"), "colours gone"),
        (line(dict.fromkeys(HEXES[:30], "B"), "1", "GGG,***"), "colours gone"),
        (line(dict.fromkeys(HEXES[:28], "B"), "1", "BBB,***", gone="B"), "colours gone"),
        (line(FULL, "3", "BBB,GGG,WWW", passed="12"), None),
        (line(FULL, "3", "BBB,GGG,WWW", passed="21"), "seats that have passed"),
        (line(FULL, "3", "BBB,GGG,WWW", passed="1"), "seats that have passed"),
        (line(FULL, "3", "BBB,ggg,WWW", passed="1"), None),
        (line(FULL, "3", "BBB,GGG,WWW", passed="123"), "seats that have passed"),
        (line(EMPTY, "1", "BBB,GGG", passed="2"), "seats that have passed"),
        (line(FULL, "3", "BBB,GGG,WWW", passed="x"), "seats that have passed"),
    ],
)
def test_positions_that_cannot_be_are_refused(bad, why):
    if why is None:
        assert str(triskele.position(bad)) == bad
    else:
        with pytest.raises(triskele.RecordError, match=why):
            triskele.position(bad)


def test_words_have_the_same_keys_and_places_in_every_language():
    english = catalogue("tryptic", "en")

    def places(forms):
        return {language: set(re.findall(r"{(\w+)}", form)) for language, form in as_forms(forms).items()}

    def as_forms(forms):
        return forms if isinstance(forms, dict) else {"other": forms}

    for language in LANGUAGES:
        words = catalogue("tryptic", language)
        assert list(words) == list(english), language
        for key, forms in words.items():
            wanted = places(english[key])["other"]
            assert all(found == wanted for found in places(forms).values()), (language, key)
