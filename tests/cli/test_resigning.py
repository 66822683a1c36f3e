"""Giving up at the terminal (P11, A9, C18)."""

import random

import pytest

import triskele
from triskele.cli.save_files import open_table, save
from triskele.cli.table import Refused, new_table
from triskele.core.records import load


def _table(name, occupants, **options):
    return new_table(triskele.new(name, **options).variant, occupants, random.Random(1), repeatable=True)


def test_with_two_the_other_wins(tmp_path):
    table = _table("yinsh", ["person", "person"])
    table.push("e1")
    table.resign(1)
    assert table.over
    assert table.outcome.winners == (0,)
    assert table.automatic_move(random.Random(1)) is None
    with pytest.raises(Refused):
        table.resign(0)
    save(table, tmp_path / "game.json")
    assert load(tmp_path / "game.json").outcome == table.outcome


def test_P11_among_three_the_seat_is_out_and_the_others_play_on():
    table = _table("tryptic", ["person"] * 3, players=3)
    for pattern in ("=BBB", "=GGR", "=RWY"):
        table.push(pattern)
    table.resign(0)
    assert not table.over
    assert table.position.turn == 1
    assert "bbb" in str(table.position.seen_by(2)), "the pattern is shown"
    table.resign(2)
    assert table.outcome.winners == (1,)


def test_A9_an_engine_plays_on_and_the_game_can_be_resumed(tmp_path):
    table = _table("tryad", ["person"] * 3, players=3)
    table.dice.close()
    table.push(table.automatic_move(random.Random(1)))
    seat = table.position.turn
    table.resign(seat)
    assert not table.over
    assert table.people == [other for other in range(3) if other != seat]
    assert table.automatic_move(random.Random(1)) is not None, "the engine moves"
    save(table, tmp_path / "game.json")
    again = open_table(tmp_path / "game.json")
    assert again.resigned == table.resigned
    assert again.occupants == table.occupants
    other = again.people[0]
    again.resign(other)
    assert again.outcome.winners == (again.people[-1],), "only one has not given up"


def test_the_command_gives_up(run):
    done = run("play", "yinsh", typed=["e1", "resign", ""])
    assert done.code == 0
    assert "The game is over" in done.out
    assert "resigned" in done.out
