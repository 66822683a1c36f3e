"""Half-entered moves of a seat at a table: the same answers as those of the position."""

import json
import random

import pytest

import triskele
from triskele.core.contract import CHANCE
from triskele.server.refusal import Refusal
from triskele.server.tables import moves
from triskele.server.tables.entries import END, MOVE
from triskele.server.tables.table import Table


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


def table_of(name, **options):
    position = triskele.new(name, **options)
    row = {"id": "t", "opened": 0, "opener": "ann", "private": True, "rated": False, "series": "swap", "game": name}
    seats = [{"seat": n, "kind": "here", "level": None, "name": ""} for n in range(position.variant.seats)]
    row["options"] = json.dumps(dict(position.variant.options))
    return Table({**row, "dice_secret": None}, seats)


def play(table, *written):
    for text in written:
        table.apply(table.entry(MOVE, table.turn, text, 0))


WITHOUT_INTERRUPTS = [game.name for game in triskele.games() if game.notation.interrupt_owner is None]


@pytest.mark.parametrize("name", WITHOUT_INTERRUPTS)
def test_the_seat_to_act_gets_what_the_position_says(name):
    table, rng = table_of(name), random.Random(name)
    for _ in range(12):
        while table.turn == CHANCE:
            play(table, rng.choice(table.position.legal_moves).text)
        if table.turn is None:
            break
        seat, position = table.turn, table.position
        for move in rng.sample(position.legal_moves, min(4, len(position.legal_moves))):
            for length in range(len(move.tokens) + 1):
                entered = move.tokens[:length]
                assert moves.complete(table, seat, entered, "en").completion == position.complete(entered)
        wrong = moves.complete(table, seat, ["nonsense"], "de").completion
        assert wrong == position.complete(["nonsense"], "de")
        assert wrong.reason
        play(table, rng.choice(position.legal_moves).text)


def test_other_seats_can_enter_nothing_but_their_interrupts():
    table = table_of("tryptic", players=3, goal=20)
    play(table, "=BGR", "=BGR", "=BGR", "Re5")
    assert table.turn == 0
    assert moves.complete(table, 1, [], "en").completion.next == ("!2",)
    whole = moves.complete(table, 1, ["!2"], "en", preview=True)
    assert whole.completion.move.text == "!2"
    assert (whole.note, whole.scene) == ("", None)
    with pytest.raises(Refusal) as refusal:
        moves.complete(table, 1, ["R"], "en")
    assert refusal.value.code == "turn"
    mine = moves.complete(table, 0, ["!2"], "en").completion
    assert mine.reason == str(Refusal("turn")), "it is a move, but not of this seat"


def test_after_the_end_there_is_nothing_to_enter():
    table = table_of("yinsh")
    table.apply(table.entry(END, 0, "resign", 0))
    assert table.position.turn is not None
    assert table.moves_of(0) == table.interrupts_of(0) == []
    with pytest.raises(Refusal) as refusal:
        moves.complete(table, 0, [], "en")
    assert refusal.value.code == "over"


def test_a_preview_shows_the_scene_after_the_move():
    table = table_of("yinsh")
    found = moves.complete(table, 0, ["a2"], "en", preview=True)
    play(table, "a2")
    assert found.scene == table.position.scene(0, "en")
