"""The search that finds puzzles: whether the solver can reach the aim by force within a number of turns.

An and-or search, depth first, over single decisions. Moves are ordered by the history heuristic: what has settled the
most nodes for a seat is tried first. Nothing is left out and nothing is evaluated: an answer is exact, or there is none
because the budget of nodes is used up.
"""

from typing import NamedTuple

from triskele.core.compile import Program
from triskele.core.contract import actor, apply, legal
from triskele.core.contract.aims import aim, within_turn
from triskele.core.workspace import Matrix, Vector

DEPTH = 64
"""The most decisions in a line."""
ORDERED = 4
"""How many moves of a node are chosen by their history; the others follow as the rules list them."""
UNKNOWN = -1
"""The answer when the budget is used up, or a line has more than ``DEPTH`` decisions."""


class ForceWorkspace(NamedTuple):
    """The arrays of a search: a row or a number for each depth."""

    states: Matrix
    moves: Matrix
    numbers: Vector
    cursors: Vector
    turns: Vector
    history: Matrix
    nodes: Vector
    scratch: Vector


def bring_best(moves: Vector, first: int, number: int, history: Vector) -> None:
    """Exchange the move at ``first`` for the one of those from there on with the best history."""
    best = first
    for i in range(first + 1, number):
        if history[moves[i]] > history[moves[best]]:
            best = i
    move = moves[best]
    moves[best] = moves[first]
    moves[first] = move


def force(work: ForceWorkspace, first: Vector, seat: int, number: int, survive: int, turns: int, budget: int) -> int:
    """Return 1 if ``seat`` can force the aim from ``work.states[0]`` in up to ``turns`` turns of its own, else 0.

    A turn that has begun counts as one of them. With ``survive`` the aim must not be missed by the end of the turn that
    follows the last of them. Adds the nodes to ``work.nodes[0]``; after ``budget`` more of them it gives up.
    """
    level = 0
    work.turns[0] = turns
    left = budget
    value = 0
    entering = True
    while level >= 0:
        state = work.states[level]
        own = actor(state) == seat
        if entering:
            left -= 1
            if left < 0 or level + 1 >= len(work.cursors):
                work.nodes[0] += budget - left
                return -1
            found = aim(first, state, seat, number)
            if found == 0 and work.turns[level] == 0:
                if survive == 0:
                    found = -1
                elif own:
                    found = 1
            if found == 0 and own and survive == 0 and work.turns[level] == 1:
                known = within_turn(first, state, seat, number, work.scratch)
                if known >= 0:
                    found = 2 * known - 1
            if found != 0:
                value = int(found > 0)
                level -= 1
                entering = False
                continue
            work.numbers[level] = legal(state, work.moves[level])
            work.cursors[level] = 0
        elif own == (value == 1):
            work.history[int(own), work.moves[level, work.cursors[level] - 1]] += 1
            level -= 1
            continue
        if work.cursors[level] == work.numbers[level]:
            value = int(not own)
            level -= 1
            entering = False
            continue
        if work.cursors[level] < ORDERED:
            bring_best(work.moves[level], work.cursors[level], work.numbers[level], work.history[int(own)])
        after = work.states[level + 1]
        for i in range(state[0]):
            after[i] = state[i]
        apply(after, work.moves[level, work.cursors[level]])
        work.cursors[level] += 1
        work.turns[level + 1] = work.turns[level]
        if own and actor(after) != seat:
            work.turns[level + 1] -= 1
        level += 1
        entering = True
    work.nodes[0] += budget - left
    return value


FORCE = Program(force, "int64(ForceWorkspace, int64[::1], int64, int64, int64, int64, int64)", (ForceWorkspace,))
