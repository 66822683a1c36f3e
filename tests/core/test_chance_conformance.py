"""Rules and declarations that get chance wrong do not pass ``check_game``."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from triskele.testing import check_game

SUPPORT = Path(__file__).parents[1] / "support"
WEIGHT = "return int(state[RED] if move == A_RED else state[BLACK])"

LOADED = "def chance_weight(state, move):\n    return move + 1\n\n\ndef reason"
NARROWED = "def rollout_count(state, moves):\n    return min(1, legal(state, moves))\n\n\ndef reason"


@pytest.mark.parametrize(
    ("name", "file", "right", "wrong", "why"),
    [
        ("urn", "rules.py", "chance_weight(state, code) > 0", "chance_weight(state, code) >= 0", "without a weight"),
        ("urn", "rules.py", WEIGHT, "return 2**30", "add up to too much"),
        ("urn", "rules.py", "(A_BLACK, A_RED)", "(A_RED, A_BLACK)", "not in ascending order"),
        (
            "pig",
            "rules.py",
            "def reason",
            LOADED,
            "fair die",
        ),
        ("pig", "rules.py", "def reason", NARROWED, "narrows"),
        ("pig", "__init__.py", "die=6", "die=4", "fair die with 4 faces"),
        ("urn", "__init__.py", "chance=True", "chance=True, die=2", "fair die with 2 faces"),
        ("pig", "__init__.py", "chance=True,\n    die=6", "chance=False", "declares none"),
        ("pig", "__init__.py", "chance=True", "chance=False", "a game with a die is one of chance"),
    ],
)
def test_a_mistake_about_chance_is_found(
    name: str, file: str, right: str, wrong: str, why: str, registered: Any, tmp_path: Path
) -> None:
    folder = tmp_path / name
    shutil.copytree(SUPPORT / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / file).read_text()
    assert source.count(right) == 1
    (folder / file).write_text(source.replace(right, wrong))
    with registered(folder), pytest.raises(AssertionError, match=why):
        check_game(name, games=3)
