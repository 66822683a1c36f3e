"""The proof of TRYPTIC's puzzles: every world is set up as a position and tried by the rules.

A world is a position text in which patterns stand for the unknown ones. It must fit what the text tells: no pattern was
guessed wrongly (P7), and the tiles on the board and in all patterns are the 30 of a colour where the pile is empty, and
fewer where it is not (P2, P3). What fits is read as a position, which checks it again, and whether a challenge is right
is found out by making it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from triskele.core.position import Position, position
from triskele.games.tryptic.position_reader import HIDDEN
from triskele.games.tryptic.texts import COLOURS, PATTERNS

TILES = 30
"""Tiles of each colour (P2)."""


def _worlds(known: Position) -> Iterator[tuple[Position, dict[int, str]]]:
    """Yield every position that looks like ``known`` to the seat to act, and what stands for the unknown patterns."""
    head, _, body = str(known).partition(": ")
    board, turn, patterns, changes, guesses, gone, passed = body.split(" ")
    seats = patterns.split(",")
    unknown = [seat for seat, pattern in enumerate(seats) if pattern == HIDDEN]
    wrong = [set(guessed.split("+")) for guessed in guesses.split(",")]
    seen = Counter((board + patterns).upper())
    for chosen in product(*([name for name in PATTERNS if name not in wrong[seat]] for seat in unknown)):
        tiles = Counter("".join(chosen))
        if any((seen[c] + tiles[c] >= TILES) != (c in gone) or seen[c] + tiles[c] > TILES for c in COLOURS):
            continue
        world = dict(zip(unknown, chosen, strict=True))
        filled = ",".join(world.get(seat, pattern) for seat, pattern in enumerate(seats))
        found = position(f"{head}: {board} {turn} {filled} {changes} {guesses} {gone} {passed}")
        if str(found.seen_by(known.turn)) == str(known):
            yield found, world


def _right(known: Position) -> tuple[Counter[str], int]:
    """Return in how many worlds each challenge is right, and how many worlds there are."""
    right: Counter[str] = Counter()
    worlds = 0
    for world, patterns in _worlds(known):
        worlds += 1
        for seat, pattern in patterns.items():
            challenge = f"?{seat + 1}={pattern}"
            world.push(challenge)
            # Who was challenged rightly is out, and everybody sees the pattern.
            if pattern.lower() in str(world).split(" ")[-5].split(",") or world.turn is None:
                right[challenge] += 1
            world.pop()
    return right, worlds


def chances_to_be_right(known: Position) -> Mapping[str, Fraction]:
    """Return for each legal move the share of worlds in which it is a right challenge."""
    right, worlds = _right(known)
    return {move.text: Fraction(right[move.text], max(1, worlds)) for move in known.legal_moves}


def challenge_points(known: Position) -> Mapping[str, Fraction]:
    """Return for each legal move the points that a challenge brings on the average (P7); 0 for what is none."""
    chances = chances_to_be_right(known)
    return {move: 2 * chance - (1 - chance) if move[0] == "?" else Fraction() for move, chance in chances.items()}
