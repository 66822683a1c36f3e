"""Draws every game's example position into docs/pictures: `python docs/draw_pictures.py`."""

from pathlib import Path

import triskele
from triskele.core.draw import png
from triskele.core.pictures import example

FOLDER = Path(__file__).parent / "pictures"


def main() -> None:
    """Draw them all, in light colours and 600 pixels wide."""
    FOLDER.mkdir(exist_ok=True)
    for game in triskele.games():
        (FOLDER / f"{game.name}.png").write_bytes(png(example(game).scene(0), width=600))


if __name__ == "__main__":
    main()
