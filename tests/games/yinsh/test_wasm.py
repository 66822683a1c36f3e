"""The game's WebAssembly module: comparing it with the plain rules finds a changed table."""

import pytest

from tests.support.wasm import POSITIONS, compare, mutated
from triskele.games.yinsh import GAME
from triskele.games.yinsh.rules import WALLS


def test_a_mutated_table_is_caught():
    comparison = compare(GAME)
    with mutated(WALLS, 5), pytest.raises((AssertionError, IndexError)):
        comparison.all_sets(POSITIONS)
