"""Positions, moves and helpers that the tests of this game share."""

import itertools

import triskele
from triskele.games.tryad.card import FIELDS, STANDARD, read_layout

FULL = STANDARD


ONES = "1/111/11111/1111111"


TWOS = "2/222/22222/2222222"


MIXED = "1/234/12341/2341234"


LAYOUTS = (STANDARD, MIXED, ONES, TWOS, "4/444/44444/4444444", "1/333/33333/4444422")


def at(cards, **options):
    written = "".join(f" {name}={value}" for name, value in options.items())
    return triskele.position(f"tryad{written}: {cards}")


def play(pos, *moves):
    for move in moves:
        pos.push(move)
    return pos


def sums_to(layout, covered, roll):
    """Return all sets of covered fields that add up to a roll, by trying every set."""
    numbers = dict(zip(FIELDS, read_layout(layout), strict=True))
    found = set()
    for size in range(1, 5):
        for names in itertools.combinations(covered, size):
            if sum(numbers[name] for name in names) == roll:
                found.add("-" + "+".join(names))
    return found


def tied_for_fewest():
    pos = at("4/.../...../4......x 4/.../..4../4......x 4/.../..4../......4x 4/.../...../4...... roll 4", players=4)
    pos.push("1")
    return pos


LONE = "4/.../...../......."
