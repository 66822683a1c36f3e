"""The opening explorer: counts by position, symmetric ones together; and animations."""

import random
import struct

import pytest

import triskele
from triskele.core.animation import FRAMES_LIMIT, apng, joined, last_scenes
from triskele.core.contract.symmetry import symmetries_of
from triskele.core.draw import png
from triskele.core.errors import TriskeleError
from triskele.core.explorer import MoveCounts, read_counts, shipped
from triskele.core.game import game, games

NAMES = [declared.name for declared in games()]


@pytest.mark.parametrize("name", NAMES)
def test_a_symmetry_keeps_the_rules(name):
    for seed in range(3):
        chance, position = random.Random(seed), triskele.new(name)
        ways = symmetries_of(position.variant)
        twins = [triskele.new(name) for _ in ways]
        for _ in range(60 if ways else 0):
            if position.turn is None:
                break
            move = chance.choice(position.legal_moves)
            position.push(move)
            for way, twin in zip(ways, twins, strict=True):
                twin.push(way.move(move.text))
                assert str(twin).partition(": ")[2] == way.line(str(position).partition(": ")[2])


def test_symmetric_openings_are_counted_together():
    counts = MoveCounts(game("yinsh").variant())
    counts.add(["a2", "c4"], (1.0, 0.0))
    counts.add(["k10", "c4"], (0.0, 1.0))
    (first,) = counts.played(triskele.new("yinsh"))
    assert (first.games, first.won) == (2, 0.5)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_counted_is_found_and_read_back(name):
    chance = random.Random(1)
    counts = MoveCounts(game(name).variant())
    seats = counts.variant.seats
    for _ in range(5):
        position = triskele.new(name)
        for _ in range(8):
            if position.turn is not None:
                position.push(chance.choice(position.legal_moves))
        counts.add([move.text for move in position.moves], [1.0 / seats] * seats)
    again, made = read_counts(counts.to_json({"level": 3}).encode(), game(name))
    assert (again.positions, again.games, made) == (counts.positions, 5, {"level": 3})
    start = triskele.new(name)
    if start.turn is not None and start.turn >= 0:
        assert sum(each.games for each in again.played(start)) == 5


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_counts_fit_the_rules(name):
    found = shipped(game(name))
    if found is None:
        assert not (game(name).folder / "explorer.json").exists()
        return
    counts, _ = found
    position = triskele.new(name)
    if position.turn is not None and position.turn >= 0:
        assert 0 < sum(each.games for each in counts.played(position)) <= counts.games


# --- animations -----------------------------------------------------------------------------------


def test_an_animation_has_a_picture_for_each_position():
    position = triskele.new("trypsylon")
    for move in ("b3", "Nc/SW"):
        if move in {legal.text for legal in position.legal_moves}:
            position.push(move)
    scenes = last_scenes(position, 5)
    assert len(scenes) == len(position.moves) + 1
    drawn = apng(scenes, width=120)
    assert drawn.startswith(b"\x89PNG")
    at = drawn.index(b"acTL")
    assert struct.unpack(">I", drawn[at + 4 : at + 8]) == (len(scenes),)
    assert drawn.count(b"fcTL") == len(scenes)


def test_an_animation_shows_the_marks_of_each_position():
    position = triskele.new("yinsh")
    position.push("e5")
    scenes = last_scenes(position, 1)
    plain = apng(scenes, width=120)
    assert apng(scenes, width=120, marks=[(), ()]) == plain
    first, last = apng(scenes, width=120, marks=[(("e5",),), ()]), apng(scenes, width=120, marks=[(), (("e5",),)])
    assert len({plain, first, last}) == 3


def test_an_animation_without_end_is_refused():
    scene = triskele.new("tryad").scene()
    with pytest.raises(TriskeleError, match="pictures"):
        apng([scene] * (FRAMES_LIMIT + 1))
    with pytest.raises(ValueError, match="larger"):
        joined([png(scene, width=100), png(scene, width=120)])
