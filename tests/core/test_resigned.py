"""Seats that gave up in a game that went on count as last, and records say so."""

import json
import random

import pytest

import triskele
from triskele.core.errors import RecordError
from triskele.core.moves import Outcome
from triskele.core.record_parts import RESIGN, Ended, Resigned, final_outcome, given_up
from triskele.core.records import Record


@pytest.mark.parametrize(
    ("winners", "scores", "gone", "expected"),
    [
        ((2,), (-4.0, -5.0, 9.0), {2}, ((0,), (9.0, -4.0, -5.0))),
        ((0,), (9.0, -4.0, -5.0), {1}, ((0,), (9.0, -5.0, -4.0))),
        ((0, 1), (1.0, 1.0, -2.0), {1}, ((0,), (2.0, -2.0, 0.0))),
        ((2,), (-4.0, -4.0, 8.0), {2}, ((0, 1), (2.0, 2.0, -4.0))),
        ((), (0.0, 0.0, 0.0), {2}, ((), (0.5, 0.5, -1.0))),
    ],
)
def test_A9_C18_who_gave_up_is_last(winners, scores, gone, expected):
    changed = given_up(Outcome(winners, scores, "why"), gone)
    assert (changed.winners, changed.scores) == expected
    assert sum(changed.scores) == pytest.approx(0)
    assert min(changed.scores) == changed.scores[min(gone)]


def test_the_last_who_gives_up_loses_to_the_only_one_who_did_not():
    ended = Ended(RESIGN, 2)
    assert final_outcome(ended.outcome(3), ended, [Resigned(0, 4, 5)]).winners == (1,)


def _played() -> triskele.Position:
    chance, game = random.Random(5), triskele.new("tryad", players=3)
    while game.outcome() is None:
        game.push(chance.choice(game.legal_moves))
    return game


def test_a_record_keeps_who_gave_up_and_replays_to_the_same_outcome():
    game = _played()
    winner = game.outcome().winners[0]
    record = Record.from_json(Record.of(game, resigned=[Resigned(winner, 3, 5)]).to_json())
    assert winner not in record.outcome.winners
    assert record.resigned == (Resigned(winner, 3, 5),)
    assert record.replay() == game


@pytest.mark.parametrize(
    "resigned",
    [
        [],
        [{"seat": 0, "at": 1, "level": 5}, {"seat": 0, "at": 2, "level": 5}],
        [{"seat": 0, "at": 2, "level": 5}, {"seat": 1, "at": 1, "level": 5}],
        [{"seat": 0, "at": 100000, "level": 5}],
        [{"seat": 3, "at": 1, "level": 5}],
        [{"seat": 0, "at": 1}],
    ],
)
def test_a_record_that_says_it_wrongly_is_refused(resigned):
    document = {**Record.of(_played()).document(), "resigned": resigned}
    with pytest.raises(RecordError):
        Record.from_json(json.dumps(document)).replay()


def test_an_end_outside_the_rules_hides_nothing():
    game = triskele.new("tryptic", players=2)
    game.push("=BBB")
    game.push("=GGR")
    assert "***" in game.view(0)["position"]
    game.disclose()
    for seat in (0, 1, None):
        assert "BBB,GGR" in game.view(seat)["position"]
        assert game.moves_seen_by(seat) == ["=BBB", "=GGR"]
        assert game.copy(1).moves_seen_by(None) == ["=***"], "earlier positions hide what was hidden then"
