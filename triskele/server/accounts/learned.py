"""What somebody has learned, as a page keeps it: steps of courses and puzzles that were solved, by game."""

from typing import Any

ITEMS_LIMIT = 2000
"""Steps or puzzles of a game that are kept."""
GAMES_LIMIT = 100


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return what is in either of two; of the difficulty of the next puzzle the higher one."""
    lessons = _union(one.get("lessons", {}), other.get("lessons", {}))
    before, after = one.get("puzzles", {}), other.get("puzzles", {})
    solved = _union({g: p["solved"] for g, p in before.items()}, {g: p["solved"] for g, p in after.items()})
    puzzles = {
        name: {
            "solved": ids,
            "difficulty": max(before.get(name, {}).get("difficulty", 1), after.get(name, {}).get("difficulty", 1)),
        }
        for name, ids in solved.items()
    }
    return {"lessons": lessons, "puzzles": puzzles}


def counted(learned: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return how many steps and puzzles were solved, by game: all that others see of it."""
    return {
        "lessons": {name: len(steps) for name, steps in learned.get("lessons", {}).items() if steps},
        "puzzles": {name: len(each["solved"]) for name, each in learned.get("puzzles", {}).items() if each["solved"]},
    }


def _union(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, list[str]]:
    names = list(dict.fromkeys((*one, *other)))[:GAMES_LIMIT]
    return {name: list(dict.fromkeys((*one.get(name, []), *other.get(name, []))))[:ITEMS_LIMIT] for name in names}
