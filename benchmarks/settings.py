"""What benchmarks are told about a game: ``games/GAME/settings.json``, for games that have one.

``strength``  matches of the best engine against a control, see ``strength.py``
``levels``    the options for ``levels.py``, where the usual way to play is too long for a measurement
``review_levels``  for ``review_levels.py``: the nodes of level 10 (``top``) and of the ``judge``
``balance``   marks a game for ``engines.py balance``; ``openings`` is the number of random turns at the start
``tactics``   the options that ``engines.py tactics`` plays; turns must be short enough to try out all of them
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("games")


def settings(game: str, key: str, default: Any) -> Any:
    """Return what a game's settings have under a key."""
    path = FOLDER / game / "settings.json"
    return json.loads(path.read_text(encoding="utf-8")).get(key, default) if path.is_file() else default
