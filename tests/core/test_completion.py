"""Completing half-entered moves, and the moves of one seat."""

import pytest

import triskele
from triskele.core.completion import completed
from triskele.core.contract import CHANCE
from triskele.core.moves import Completion, Move

SHORT = Move("a", 1, (("a",),))
LONG = Move("a-b", 2, (("a", "b"), ("x", "b")))
OTHER = Move("a-c", 3, (("a", "c"),))


def test_tokens_are_a_move_or_lead_to_one_or_to_none():
    assert completed([LONG, OTHER], ()) == Completion(next=("a", "x"))
    assert completed([LONG, OTHER], ("a",)) == Completion(next=("b", "c"))
    assert completed([LONG, OTHER], ("x", "b")) == Completion(move=LONG)
    assert completed([LONG, OTHER], ("x", "c")) is None
    assert completed([LONG], ("a", "b", "c")) is None
    assert completed([], ()) is None


def test_a_whole_move_goes_before_a_longer_one():
    assert completed([LONG, SHORT], ("a",)) == Completion(move=SHORT)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


def test_only_the_seat_to_act_has_moves():
    position = triskele.new("yinsh")
    assert position.moves_of(0) == position.legal_moves
    assert position.moves_of(1) == position.moves_of(None) == []
    assert position.interrupts_of(0) == position.interrupts_of(None) == []


def test_interrupts_belong_to_their_seats():
    position = triskele.new("tryptic", players=3, goal=20)
    for move in ("=BGR", "=BGR", "=BGR", "Re5"):
        position.push(move)
    owners = {move.text: position.interrupt_owner(move) for move in position.interrupts}
    assert owners
    for seat in (0, 1, 2):
        assert [move.text for move in position.interrupts_of(seat)] == [m for m, o in owners.items() if o == seat]
    assert position.interrupts_of(None) == []


@pytest.mark.parametrize("name", [game.name for game in triskele.games()])
def test_a_view_is_the_view_without_moves_and_its_lists(name):
    position = triskele.new(name)
    for seat in (0, 1, None):
        view = position.view(seat)
        lists = {key: view.pop(key) for key in ("legal_moves", "interrupts", "moves")}
        assert view == position.view_without_moves(seat)
        assert lists["moves"] == position.moves_seen_by(seat)
        shown = position.legal_moves if position.turn == CHANCE else position.moves_of(seat)
        assert lists["legal_moves"] == [move.text for move in shown]
