"""Data files of the tests of games: one for each game and kind, written by a command and compared by a test."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triskele.core.files import write_atomic
from triskele.core.game import Game, games

DATA = Path(__file__).parents[1] / "games" / "data"


def path_of(kind: str, game: Game) -> Path:
    return DATA / kind / f"{game.name}.json"


def read(kind: str, game: Game) -> list[dict[str, Any]]:
    """Return what was written for a game: one entry for each option set, or for each position."""
    entries: list[dict[str, Any]] = json.loads(path_of(kind, game).read_text(encoding="utf-8"))
    return entries


def regenerate(kind: str, entries_of: Callable[[Game], list[dict[str, Any]]]) -> None:
    """Write the files of a kind anew for all games."""
    (DATA / kind).mkdir(parents=True, exist_ok=True)
    for game in games():
        path = path_of(kind, game)
        content = json.dumps(entries_of(game), ensure_ascii=False, indent=1) + "\n"
        write_atomic(path, content.encode())
        print(f"{path.relative_to(DATA.parents[2])}: {len(content):,} bytes")
