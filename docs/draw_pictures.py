"""Draws every game's example position into docs/pictures: `python docs/draw_pictures.py`."""

from pathlib import Path

import triskele
from triskele.core.draw import png

FOLDER = Path(__file__).parent / "pictures"


def main() -> None:
    """Draw them all, in light colours and 600 pixels wide."""
    FOLDER.mkdir(exist_ok=True)
    for game in triskele.games():
        position = triskele.new(game.name, **game.example.options)
        for move in game.example.moves:
            position.push(move)
        (FOLDER / f"{game.name}.png").write_bytes(png(position.scene(0), width=600))


if __name__ == "__main__":
    main()
