"""Every game, with every option set it declares, passes the public conformance suite."""

import pytest

from triskele.core.game import games
from triskele.testing import check_game

CASES = [(game.name, options) for game in games() for options in game.option_sets]


@pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{n} {o}" for n, o in CASES])
def test_conformance(name, options):
    check_game(name, games=2, **options)
