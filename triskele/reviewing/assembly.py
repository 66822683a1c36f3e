"""Make a review of the values of a game's positions: pure, and so quick that it can be done again after each value."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from triskele.core.contract import CHANCE
from triskele.core.game import Variant
from triskele.core.moves import Outcome
from triskele.core.record_parts import RecordedMove
from triskele.reviewing.formulas import (
    GRADES,
    Chances,
    grade_of,
    player_accuracy,
    result_chances,
    turning_point,
)
from triskele.reviewing.luck import Split, split_result
from triskele.reviewing.valuation import Value

_DIGITS = 6
"""Digits of chances in a document. Luck and skill are written in full: their sum is exact."""


@dataclass(frozen=True)
class JudgedMove:
    """A decision; ``number`` counts all moves of the record from 1. Chances are those of its seat.

    ``forced``: there was no other move. ``better`` is the better line, empty for a move that was the best.
    """

    number: int
    seat: int
    move: str
    before: float
    after: float
    loss: float
    grade: str | None
    better: tuple[str, ...]
    forced: bool

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "number": self.number,
            "seat": self.seat,
            "move": self.move,
            "chance_before": round(self.before, _DIGITS),
            "chance_after": round(self.after, _DIGITS),
            "grade": self.grade,
            "better_line": list(self.better) or None,
            "forced": self.forced,
        }


@dataclass(frozen=True)
class JudgedPlayer:
    """A player: the accuracy in per cent, how many decisions of each grade, and with dice luck and skill."""

    seat: int
    name: str
    accuracy: float | None
    grades: dict[str, int]
    luck: float | None = None
    skill: float | None = None

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        accuracy = None if self.accuracy is None else round(self.accuracy, 2)
        document: dict[str, Any] = {"seat": self.seat, "name": self.name, "accuracy": accuracy, "grades": self.grades}
        if self.luck is not None and self.skill is not None:
            document |= {"luck": self.luck, "skill": self.skill, "sum": self.luck + self.skill}
        return document


@dataclass(frozen=True)
class Assembled:
    """What follows from the values: ``chances`` before the first move and after each, of each seat as far as known."""

    moves: tuple[JudgedMove, ...]
    players: tuple[JudgedPlayer, ...]
    chances: tuple[tuple[float, ...], ...]
    rolls: dict[int, tuple[float, ...]] = field(default_factory=dict)
    turning_point: int | None = None


def assemble(
    variant: Variant,
    moves: Sequence[RecordedMove],
    names: Sequence[str],
    values: Sequence[Value | None],
    outcome: Outcome | None = None,
    *,
    stopped: bool = False,
) -> Assembled:
    """Return what the values of the first positions of a game say; all moves between valued positions are judged.

    ``values`` has one for each position from the start on, at most one more than there are moves. ``stopped``: the game
    ended outside its rules, with this outcome.
    """
    made = moves[: max(0, len(values) - 1)]
    movers = [move.seat for move in made]
    hidden = variant.game.hidden
    chances = _seen_chances(variant, movers, values) if hidden else _chances(variant, movers, values)
    judged = tuple(_judge(at, move, values, chances) for at, move in enumerate(made) if move.seat != CHANCE)
    complete = len(values) == len(moves) + 1
    result = outcome.scores if outcome is not None and stopped and complete else None
    split = _split(variant, movers, values, chances, result) if variant.game.chance and made else None
    players = tuple(_player(seat, names[seat], judged, split) for seat in range(variant.seats))
    turn = _turning_point(variant, judged, chances, outcome) if complete else None
    return Assembled(judged, players, tuple(chances), {} if split is None else split.rolls, turn)


def _even(variant: Variant) -> Chances:
    return (1 / max(2, variant.seats),) * variant.seats


def _chances(variant: Variant, movers: Sequence[int], values: Sequence[Value | None]) -> list[Chances]:
    """Return the chances at every position. Where nothing was valued they follow from what is next to it.

    Before a roll they are those after the last decision; a position with a single move has those of the next one.
    """
    found: list[Chances | None] = [None if value is None else value.chances for value in values]
    for at, mover in enumerate(movers):
        if mover == CHANCE and found[at] is None:
            last = values[at - 1] if at else None
            before = found[at - 1] if at else _even(variant)
            found[at] = last.played if last is not None and last.played is not None else before
    for at in range(len(found) - 2, -1, -1):
        found[at] = found[at] or found[at + 1]
    for at in range(len(found)):
        found[at] = found[at] or (found[at - 1] if at else None) or _even(variant)
    return [each or _even(variant) for each in found]


def _seen_chances(variant: Variant, movers: Sequence[int], values: Sequence[Value | None]) -> list[Chances]:
    """Return what each seat thought of its own chance: known where it decided, and as it was until it decides again."""
    now = list(_even(variant))
    found = [tuple(now)] if values else []
    for at, mover in enumerate(movers):
        value = values[at]
        if value is not None and value.played is not None:
            now[mover] = value.played[mover]
        following = values[at + 1]
        if following is not None and following.played is None:  # the end, where all is known
            now = list(following.chances)
        found.append(tuple(now))
    return found


def _judge(at: int, move: RecordedMove, values: Sequence[Value | None], chances: Sequence[Chances]) -> JudgedMove:
    value, seat = values[at], move.seat
    if value is None:  # no other move
        return JudgedMove(at + 1, seat, move.text, chances[at][seat], chances[at][seat], 0.0, None, (), True)
    before = value.chances[seat]
    after = chances[at + 1][seat] if value.played is None else value.played[seat]
    is_best = not value.line or value.line[0] == move.text
    loss = 0.0 if is_best else max(0.0, before - after)
    better = () if is_best or loss <= 0.0 else value.line
    return JudgedMove(at + 1, seat, move.text, before, after, loss, grade_of(loss), better, False)


def _player(seat: int, name: str, judged: Sequence[JudgedMove], split: Split | None) -> JudgedPlayer:
    own = [move for move in judged if move.seat == seat]
    accuracy = player_accuracy((move.loss, move.before, move.after) for move in own if not move.forced)
    grades = {grade: sum(move.grade == grade for move in own) for grade in reversed(GRADES)}
    if split is None:
        return JudgedPlayer(seat, name, accuracy, grades)
    return JudgedPlayer(seat, name, accuracy, grades, split.luck[seat], split.skill[seat])


def _split(
    variant: Variant,
    movers: Sequence[int],
    values: Sequence[Value | None],
    chances: Sequence[Chances],
    result: Sequence[float] | None,
) -> Split:
    """Split by the exact scores of a game; else by chances, on the scale on which a win is 1 and losses add up to 1."""
    exact = [value.scores for value in values if value is not None and value.scores is not None]
    if len(exact) == len(values):
        return split_result(exact, movers, result)
    seats = variant.seats
    if seats == 1:
        return split_result([(2 * each[0] - 1,) for each in chances], movers, result)
    return split_result([tuple((seats * c - 1) / (seats - 1) for c in each) for each in chances], movers, result)


def _turning_point(
    variant: Variant, judged: Sequence[JudgedMove], chances: Sequence[Chances], outcome: Outcome | None
) -> int | None:
    """Return the number of the move at which the game turned: for the winner, or the greatest mistake without one."""
    if outcome is not None and len(outcome.winners) == 1:
        winner = outcome.winners[0]
        its = [each[winner] for each in chances]
        if its[-1] != (last := result_chances(outcome.winners, variant.seats)[winner]):
            its.append(last)  # the game ended outside the rules
        found = turning_point(its, variant.seats)
        return None if found is None or found + 1 > len(chances) - 1 else found + 1
    worst = max(judged, key=lambda move: move.loss, default=None)
    return worst.number if worst is not None and worst.grade is not None else None
