"""The game's WebAssembly module: comparing it with the plain rules finds a changed table."""

import pytest

from tests.support.wasm import POSITIONS, compare, mutated
from triskele.games.trypsylon import GAME
from triskele.games.trypsylon.rules import EDGES


def test_a_mutated_table_is_caught():
    comparison = compare(GAME)
    with mutated(EDGES, 3), pytest.raises((AssertionError, IndexError)):
        comparison.all_sets(POSITIONS)
