"""The engines in ``examples/`` play as they promise."""

import sys
from pathlib import Path

import pytest

from tests.support.games import quick
from triskele.arena.contestants import Contestant
from triskele.arena.openings import dice
from triskele.arena.referee import Terms, play
from triskele.core.contract.engine import Limits
from triskele.core.game import Game, games

pytestmark = pytest.mark.usefixtures("plain", "no_process_left")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PYTHON = (sys.executable, str(EXAMPLES / "engine_in_30_lines.py"))
SHELL = ("sh", str(EXAMPLES / "engine_without_rules.sh"))


@pytest.mark.parametrize("declared", games(), ids=lambda declared: declared.name)
def test_they_play_every_game(declared: Game) -> None:
    seated = [Contestant("thirty lines", command=PYTHON), Contestant("no rules", command=SHELL)]
    played = play(declared.variant(quick(declared)), seated, Terms(Limits(seconds=1)), dice=dice(1, 1))
    assert played.failure is None
    assert played.reason in declared.rules_module.REASONS


def test_thirty_lines_are_thirty_lines() -> None:
    text = (EXAMPLES / "engine_in_30_lines.py").read_text()
    body = text.split('"""', 2)[2]
    assert sum(1 for line in body.splitlines() if line.strip()) <= 30
