"""The exhaustive search behind the proof of a puzzle, written apart from the one that finds puzzles.

It knows the rules and the aim and nothing else: it tries every decision of both seats up to the horizon, in the order
in which the rules list them, except that a decision which refuted the last attempt at the same depth is tried first.
"""

from typing import NamedTuple

from triskele.core.compile import Program
from triskele.core.contract import actor, apply, legal
from triskele.core.contract.aims import MISSED, REACHED, aim
from triskele.core.workspace import Matrix, Vector

DEPTH = 96
"""The most decisions in a line."""
HOLDS, FAILS, UNPROVED = 1, 0, -1
"""Answers: the aim is forced, it is not, or the nodes were not enough."""


class ProofWorkspace(NamedTuple):
    """The arrays of a proof. Row ``d`` belongs to the position after ``d`` decisions."""

    positions: Matrix
    choices: Matrix
    left: Vector
    """How many choices of a position are not tried yet."""
    horizon: Vector
    """How many turns the solver has from a position on, the one under way included."""
    refutation: Vector
    spent: Vector


def judge(work: ProofWorkspace, begin: Vector, at: int, solver: int, number: int, survive: int) -> int:
    """Return the answer for the position after ``at`` decisions, or ``UNPROVED`` if it depends on what follows."""
    found = aim(begin, work.positions[at], solver, number)
    if found == REACHED:
        return HOLDS
    if found == MISSED:
        return FAILS
    if work.horizon[at] > 0:
        return UNPROVED
    # The solver's turns are used up. To survive is to be still there when the other seat has made its turn.
    if survive == 0:
        return FAILS
    return HOLDS if actor(work.positions[at]) == solver else UNPROVED


def exhaust(work: ProofWorkspace, begin: Vector, solver: int, number: int, survive: int, turns: int, limit: int) -> int:
    """Return whether the solver forces the aim from ``work.positions[0]`` with ``turns`` turns; see :func:`judge`.

    ``UNPROVED`` after ``limit`` positions. ``work.spent[0]`` grows by the positions visited.
    """
    work.horizon[0] = turns
    answer = judge(work, begin, 0, solver, number, survive)
    work.spent[0] += 1
    if answer != UNPROVED:
        return answer
    at = 0
    work.left[0] = legal(work.positions[0], work.choices[0])
    while True:
        here = work.positions[at]
        mine = actor(here) == solver
        if work.left[at] == 0:
            # Nothing the solver can do reaches it; or nothing the other seat can do prevents it.
            answer = FAILS if mine else HOLDS
        else:
            if work.spent[0] >= limit or at + 1 >= DEPTH:
                return UNPROVED
            work.spent[0] += 1
            work.left[at] -= 1
            choice = work.choices[at, work.left[at]]
            after = work.positions[at + 1]
            for i in range(here[0]):
                after[i] = here[i]
            apply(after, choice)
            work.horizon[at + 1] = work.horizon[at] - int(mine and actor(after) != solver)
            answer = judge(work, begin, at + 1, solver, number, survive)
            if answer == UNPROVED:
                at += 1
                count = legal(after, work.choices[at])
                work.left[at] = count
                for i in range(count - 1):
                    if work.choices[at, i] == work.refutation[at]:
                        work.choices[at, i] = work.choices[at, count - 1]
                        work.choices[at, count - 1] = work.refutation[at]
                        break
                continue
            if mine != (answer == HOLDS):
                continue  # this choice settles nothing: on to the next
            work.refutation[at] = choice
        # The position ``at`` is answered. Hand the answer up as long as it settles the positions above.
        while True:
            at -= 1
            if at < 0:
                return answer
            if (actor(work.positions[at]) == solver) != (answer == HOLDS):
                break
            work.refutation[at] = work.choices[at, work.left[at]]


EXHAUST = Program(exhaust, "int64(ProofWorkspace, int64[::1], int64, int64, int64, int64, int64)", (ProofWorkspace,))
