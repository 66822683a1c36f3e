"""The measured levels that leaderboards show are those of docs/levels.md."""

import re
from pathlib import Path

import pytest

import triskele
from triskele.core.game import Game
from triskele.rating.landmarks import landmarks

PAGE = (Path(__file__).parents[2] / "docs/levels.md").read_text(encoding="utf-8")
OURS = [game for game in triskele.games() if game.package.startswith("triskele.games.")]


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_the_landmarks_of_a_game_are_the_published_ratings(game: Game) -> None:
    section = next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if part.startswith(f"{game.title}\n"))
    published = {int(level): int(value) for level, value in re.findall(r"^\| (\d+) \| (\d+) \|", section, re.MULTILINE)}
    assert {each.level: each.value for each in landmarks(game)} == published
    assert [each.level for each in landmarks(game)] == list(range(1, 11))
