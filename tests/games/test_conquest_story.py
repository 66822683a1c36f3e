"""The story of a turn in Conquest Tryad: what each move did, in words without a subject."""

import json
from pathlib import Path

import pytest

import triskele
from triskele.core.words import LANGUAGES
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import NAMES, owner_of, tokens_on

GOLDEN = Path(__file__).parent / "data" / "golden" / "conquest.json"


def told(*moves, language="en", **options):
    position = triskele.new("conquest", **options)
    for move in moves:
        position.push(move)
    return position.scene(None, language).told


BEGIN = ("1", "3", "h2c3", "h2c3", "h2c3", "done")


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (BEGIN[:1], ""),
        (BEGIN[:2], "initiative: {2} first in this round"),
        (BEGIN[:3], "new token on 2c3"),
        (BEGIN, ""),
        ((*BEGIN, "2c2<2c3*3"), "attack on empty 2c2 with 3 tokens"),
        ((*BEGIN, "2c2<2c3*3", "2", "1", "1"), ""),
        ((*BEGIN, "2c2<2c3*3", "2", "1", "1", "1"), "2c2 taken, 4 against 2"),
        ((*BEGIN, "2c2<2c3*3", "2", "1", "1", "3"), "attack on 2c2 repulsed, 4 against 4: nothing lost"),
        ((*BEGIN, "2c2<2c3*3", "1", "1", "1", "4"), "attack on 2c2 repulsed, 3 against 5: 2 tokens lost"),
        ((*BEGIN, "2c2<2c3*3", "2", "1", "1", "1", "+2c3*3"), "3 more tokens into 2c2"),
        ((*BEGIN, "2c2<2c3*3", "2", "1", "1", "1", "stay"), ""),
    ],
)
def test_C8_an_attack_on_an_empty_field_is_told_step_by_step(moves, words):
    assert told(*moves) == words


def test_C9_a_battle_tells_what_each_side_lost_and_who_is_out():
    seen = set()
    for played in json.loads(GOLDEN.read_text()):
        position = triskele.new("conquest", **played["options"])
        for move in " ".join(played["moves"]).split():
            before = position.state
            position.push(move)
            if int(before[r.PHASE]) != r.BATTLE or not before[r.DEFENCE] or int(position.state[r.PHASE]) == r.BATTLE:
                continue
            words = position.scene(None, "en").told
            attacker, target = int(before[r.SEAT]), int(before[r.TARGET])
            defender = owner_of(before, target)
            # What a side loses goes into the other's purse.
            lost, won = (
                int(position.state[r.PURSES + seat]) - int(before[r.PURSES + seat]) for seat in (defender, attacker)
            )
            assert words.startswith(f"battle for {NAMES[target]}: losses {lost} (attack) and {won} (defence)")
            out = int(before[r.IN]) & ~int(position.state[r.IN])
            assert words.endswith(f"; {{{defender + 1}}} out") == bool(out)
            assert ("is empty now" in words) == (not tokens_on(position.state, target))
            seen.add((lost > 0, won > 0, "is empty now" in words))
    assert {(True, False, False), (False, True, False), (False, True, True)} <= seen


def test_the_story_is_told_in_every_language_and_names_players_by_their_numbers():
    moves = (*BEGIN, "2c2<2c3*3", "2", "1", "1", "1")
    said = {language: told(*moves, language=language) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    assert all("2c2" in words and "{" not in words for words in said.values())
