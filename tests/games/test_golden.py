"""Golden games replay exactly as ``data/golden`` has them (``python -m tests.support.golden`` writes it)."""

import pytest

import triskele
from tests.support.data import DATA, path_of, read
from tests.support.golden import SEATS, told

CASES = [
    pytest.param(game, entry, id=f"{game.name} {entry['options']}")
    for game in triskele.games()
    for entry in read("golden", game)
]


@pytest.mark.parametrize(("game", "entry"), CASES)
def test_a_golden_game_is_played_as_it_was(game, entry):
    moves = " ".join(entry["moves"]).split()
    assert {"options": entry["options"], **told(game.variant(entry["options"]), moves)} == entry


@pytest.mark.parametrize(("game", "entry"), CASES)
def test_its_positions_lead_on_to_the_same_end(game, entry):
    moves, movers = " ".join(entry["moves"]).split(), "".join(entry["movers"])
    assert len(moves) == len(movers)
    for shown in entry["positions"]:
        pos = triskele.position(shown["text"])
        assert str(pos) == shown["text"]
        if shown["move"] < len(moves):
            found = pos.find(moves[shown["move"]])
            assert SEATS[pos.mover(found) + 1] == movers[shown["move"]]
    assert pos.outcome() is not None
    assert list(pos.outcome().scores) == entry["scores"]


@pytest.mark.parametrize("game", triskele.games(), ids=lambda game: game.name)
def test_every_option_set_has_its_game(game):
    options = [entry["options"] for entry in read("golden", game)]
    assert options == [dict(known) for known in game.option_sets], f"regenerate {path_of('golden', game)}"


def test_the_files_stay_small():
    assert sum(path.stat().st_size for path in DATA.rglob("*.json")) < 400_000
