"""Every game has as many sequences of moves as ``data/perft`` says (``python -m tests.support.perft`` writes it)."""

import pytest

import triskele
from tests.support.data import path_of, read
from tests.support.perft import leaves

CASES = [
    pytest.param(entry, id=entry["position"].partition(": ")[0] + f" {number % 3}")
    for game in triskele.games()
    for number, entry in enumerate(read("perft", game))
]


@pytest.mark.parametrize("entry", CASES)
def test_leaves_by_depth(entry):
    pos = triskele.position(entry["position"])
    assert str(pos) == entry["position"]
    assert [leaves(pos, depth) for depth in range(1, len(entry["leaves"]) + 1)] == entry["leaves"]


@pytest.mark.parametrize("game", triskele.games(), ids=lambda game: game.name)
def test_every_option_set_is_counted_from_its_start_and_from_the_middle(game):
    entries = read("perft", game)
    starts = [str(triskele.new(game.name, **options)) for options in game.option_sets]
    assert [entry["position"] for entry in entries[::3]] == starts, f"regenerate {path_of('perft', game)}"
    assert len({entry["position"] for entry in entries}) == 3 * len(starts)
    assert all(len(entry["leaves"]) > 1 for entry in entries)
