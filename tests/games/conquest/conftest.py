"""Fixtures of the tests of Conquest Tryad."""

import pytest

from triskele.games.conquest import GAME


@pytest.fixture(scope="module")
def compiled():
    return GAME.linker.compile_rules()
