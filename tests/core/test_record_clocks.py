"""Clocks of records: computed again from what was charged."""

import random

import pytest

import triskele
from triskele.core.errors import RecordError
from triskele.core.game_clock import GameClock
from triskele.core.record_clocks import clocks, final_clock
from triskele.core.record_parts import CALLED_OFF, LEFT, TIME, Ended, Resigned
from triskele.core.records import Record
from triskele.core.time_control import SECOND, TimeControl


def recorded(game, texts, charged, clock="5+3", options=None, **more):
    position = triskele.new(game, **(options or {}))
    for text in texts:
        position.push(text)
    return Record.of(position, date=None, clock=TimeControl.parse(clock), charged=charged, **more)


def test_the_clocks_follow_from_the_charges():
    record = recorded("yinsh", ["e5", "f6", "d4"], [0, 10 * SECOND, 20 * SECOND], ended=Ended(TIME, 1))
    left = [[clock.left(0), clock.left(1)] for clock in clocks(record)]
    assert left == [[300_000, 300_000], [303_000, 300_000], [303_000, 293_000], [286_000, 293_000]]
    assert final_clock(record).left(1) == 0
    assert Record.from_json(record.to_json()) == record
    assert record.outcome.winners == (0,)


def test_a_record_without_a_clock_has_none():
    record = recorded("yinsh", ["e5"], None, clock="none")
    assert list(clocks(record)) == []
    assert final_clock(record) is None
    assert "clock" not in record.document()


def test_C8_a_defence_does_not_end_the_turn_of_the_attacker():
    rng, position = random.Random(1), triskele.new("conquest", players=2, rounds=5)
    while position.turn_owner == position.turn:
        position.push(rng.choice(position.legal_moves))
        if position.turn is None:  # nobody defended anything in this game
            position = triskele.new("conquest", players=2, rounds=5)
    attacker, defender = position.turn_owner, position.turn
    clock = GameClock(TimeControl.parse("5+3"), position)
    clock.begin_move(defender, SECOND)
    position.push(position.legal_moves[0])
    clock.follow(position)
    assert (clock.clock.left(attacker), clock.clock.left(defender)) == (300_000, 299_000), "no increment for a reply"


@pytest.mark.parametrize("ended", [Ended(LEFT, 0), Ended(CALLED_OFF)])
def test_ends_by_leaving_and_calling_off_are_read_back(ended):
    record = recorded("yinsh", ["e5"], [0], ended=ended)
    assert Record.from_json(record.to_json()).ended == ended
    assert record.outcome.winners == ((1,) if ended.seat == 0 else ())


def test_who_came_back_has_not_given_up():
    options = {"players": 3}
    away = Resigned(1, 0, 5, TIME, until=0)
    record = recorded("tryad", [], [], options=options, resigned=[away])
    assert Record.from_json(record.to_json()).resigned == (away,)
    again = recorded("tryad", [], [], options=options, resigned=[away, Resigned(1, 0, 5, LEFT)])
    assert len(Record.from_json(again.to_json()).resigned) == 2
    with pytest.raises(RecordError, match="once each"):
        recorded("tryad", [], [], options=options, resigned=[Resigned(1, 0, 5, TIME), Resigned(1, 0, 5, LEFT)])


def test_a_bad_clock_in_a_record_is_named():
    written = recorded("yinsh", ["e5"], [0]).to_json()
    with pytest.raises(RecordError, match=r"^clock: "):
        Record.from_json(written.replace('"5+3"', '"-5+3"'))
    with pytest.raises(RecordError, match="charged"):
        Record.from_json(written.replace('"charged": 0', '"charged": -1'))
