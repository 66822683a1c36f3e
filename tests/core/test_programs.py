"""Linking, random games and perft, with a game small enough to count by hand."""

import types

import numpy as np
import pytest

from triskele.core import bits
from triskele.core.contract import OVER, rules
from triskele.core.link import RULES, Hasher, Program, entry_function, link_plain, rule_programs
from triskele.core.perft import PERFT
from triskele.core.playout import PLAYOUTS
from triskele.core.position import Position


def leaves(pos: Position, depth: int) -> int:
    """Count move by move."""
    if depth == 0:
        return 1
    total = 0
    for move in pos.legal_moves:
        pos.push(move)
        total += leaves(pos, depth - 1)
        pos.pop()
    return total


@pytest.mark.parametrize("size", [1, 2, 5, 9])
@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_perft_counts_what_pushing_counts(heap, size, depth):
    variant = heap.variant({"size": size})
    states, moves = np.zeros((depth, variant.size), np.int64), np.zeros((depth, variant.moves_limit), np.int64)
    perft = link_plain(PERFT, heap.rules_module)
    counted = perft(variant.first_state(), depth, states, moves, np.zeros(2 * depth, np.int64))
    assert counted == leaves(Position(variant), depth)


def test_random_games_end_and_stop_at_their_limit(heap):
    variant = heap.variant({"size": 40})
    first, moves = variant.first_state(), np.zeros(variant.moves_limit, np.int64)
    playouts = link_plain(PLAYOUTS, heap.rules_module)
    state = first.copy()
    made = playouts(first, state, moves, bits.seed(1), 5, 1000)
    assert 5 * 40 / 3 <= made <= 5 * 40
    assert variant.rules.actor(state) == OVER
    assert first.tolist() == variant.first_state().tolist()
    assert playouts(first, state, moves, bits.seed(1), 5, 1000) == made
    assert playouts(first, state, moves, bits.seed(1), 5, 3) == -4


def test_a_game_has_its_own_functions_and_the_contract_s_for_the_rest(heap):
    programs = rule_programs()
    assert set(programs) == set(RULES)
    assert entry_function(programs["legal"], heap.rules_module) is heap.rules_module.legal
    assert entry_function(programs["nth"], heap.rules_module) is rules.nth
    linked = link_plain(programs["count"], heap.rules_module)
    buffer = np.zeros(3, np.int64)
    assert linked(heap.variant({"size": 2}).first_state(), buffer) == 2
    assert buffer.tolist() == [0, 1, 0]
    with pytest.raises(NotImplementedError):
        rules.legal(buffer, buffer)


def test_only_plain_functions_that_do_not_call_themselves_are_linked(heap):
    with pytest.raises(TypeError, match="is not a plain function"):
        link_plain(Program(len, "int64(int64)"), heap.rules_module)
    scope: dict[str, object] = {"__name__": "anywhere"}
    exec("def around(n):\n    return n and around(n - 1)", scope)
    around = scope["around"]
    assert isinstance(around, types.FunctionType)
    with pytest.raises(TypeError, match=r"anywhere\.around calls itself"):
        Hasher(heap.rules_module).of(around)


def test_a_program_is_found_again_by_its_path():
    assert PERFT.path == "triskele.core.perft:PERFT"
    with pytest.raises(LookupError, match="holds perft"):
        _ = Program(PERFT.function, "void()").path
