"""Mine puzzles: play a game, and look for puzzles in its positions. One game is one work item."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from triskele.arena.openings import opening, usual_plies
from triskele.core.contract import CHANCE, State
from triskele.core.contract.engine import Limits
from triskele.core.contract.puzzles import ForcedKind, PuzzleKind, Puzzles, ValueKind, Values, puzzles_of
from triskele.core.errors import OptionError
from triskele.core.game import Game, Variant, game
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle, puzzle_id
from triskele.core.words import text
from triskele.engines.registry import BEST, engine
from triskele.puzzle.forced import ForcedSolver, OutOfBudget
from triskele.puzzle.proof import TooCostly, prove

SOLUTION_NODES = 3_000_000
"""The nodes that may be searched to solve a candidate."""
PROOF_NODES = 50_000_000
"""The positions that the proof of a puzzle may visit: what is made must be proved again in reasonable time."""
PLIES_LIMIT = 2_000
"""A game that lasts longer is cut off."""
MOST_FORCED = 2
"""How many puzzles of one forced kind and horizon a game may give: its positions are much alike."""
MOST_OF_VALUE = 1
"""How many puzzles of one value kind a game may give."""


@dataclass
class Mined:
    """What came of one game: puzzles without a difficulty, and what they cost."""

    puzzles: list[Puzzle] = field(default_factory=list)
    positions: int = 0
    nodes: int = 0

    def document(self) -> dict[str, Any]:
        """Return it as a journal keeps it."""
        puzzles = [puzzle.document() for puzzle in self.puzzles]
        return {"puzzles": puzzles, "positions": self.positions, "nodes": self.nodes}


def declared_puzzles(declared: Game) -> Puzzles:
    """Return what a game declares about puzzles; ``OptionError`` if it has none."""
    found = puzzles_of(declared)
    if found is None:
        raise OptionError(text("puzzle.no-kinds", game=declared.title))
    return found


def mine(name: str, seed: int, number: int, isolated: bool = False) -> dict[str, Any]:
    """Play game ``number`` and return what was found, as :meth:`Mined.document`. The function of a work item."""
    declared = game(name)
    puzzles = declared_puzzles(declared)
    rng = random.Random(f"{seed} puzzles {number}")
    variant = declared.variant(rng.choice(puzzles.variants))
    mined = Mined()
    miner = _Miner(variant, puzzles, mined)
    if puzzles.source is not None:
        positions = puzzles.source(rng, variant.options)
    else:
        positions = engine_positions(variant, puzzles, rng, seed, number)
    for position in positions:
        miner.try_position(position)
    mined.nodes = sum(solver.nodes for solver in miner.solvers.values())
    mined.puzzles = [puzzle for puzzle in mined.puzzles if _is_proved(puzzle)]
    return mined.document()


def _is_proved(puzzle: Puzzle) -> bool:
    """Return whether the proof of a puzzle is affordable. If it refutes the puzzle, the search is wrong: raised."""
    try:
        prove(puzzle, PROOF_NODES)
    except TooCostly:
        return False
    return True


# --- candidates -----------------------------------------------------------------------------------


def engine_positions(
    variant: Variant, puzzles: Puzzles, rng: random.Random, seed: int, number: int
) -> Iterator[Position]:
    """Yield the positions of a game between engines that puzzles may begin with, each followed by its deviations."""
    for state in list(_candidates(variant, puzzles, rng, seed, number))[-puzzles.late :]:
        for varied in puzzles.vary(state, rng):
            yield _known_position(variant, puzzles.forget(varied))
        for _ in range(puzzles.deviations):
            after = _random_turn(variant, state, rng)
            if after is not None:
                yield _known_position(variant, puzzles.forget(after))


def _known_position(variant: Variant, state: State) -> Position:
    """Return a state as a position that the seat to act knows."""
    position = Position(variant, state)
    return position.seen_by(position.turn) if variant.game.hidden else position


def _candidates(variant: Variant, puzzles: Puzzles, rng: random.Random, seed: int, number: int) -> Iterator[State]:
    """Yield the states at the start of turns; where all kinds are about the value of one move, at every decision."""
    every = all(isinstance(kind, ValueKind) for kind in puzzles.kinds)
    player = engine(BEST, variant.game)
    player.get_ready()
    position = Position(variant)
    plies = usual_plies(variant)
    for move in opening(variant, plies, seed, number) if plies else ():
        position.push(move)
    limits = Limits(level=rng.choice(puzzles.levels), seed=rng.randrange(1 << 30))
    mover = None
    for _ in range(PLIES_LIMIT):
        turn = position.turn
        if turn is None:
            break
        if turn == CHANCE:
            position.push(position.draw(rng.randrange))
            continue
        if every or turn != mover:
            mover = turn
            yield position.state
        position.push(player.choose(position, limits))
    player.close()


def _random_turn(variant: Variant, state: State, rng: random.Random) -> State | None:
    """Return the state after a random turn of the seat to act; ``None`` if the game is over or chance acts then."""
    rules = variant.rules
    seat = rules.actor(state)
    buffer = np.zeros(variant.moves_limit, dtype=np.int64)
    while rules.actor(state) == seat:
        state = np.concatenate([state, np.zeros(variant.log, dtype=np.int64)])
        choice = rng.randrange(rules.count(state, buffer))
        rules.apply(state, int(rules.nth(state, buffer, choice)))
        state = state[: state[0]]
    return state if rules.actor(state) >= 0 else None


# --- puzzles --------------------------------------------------------------------------------------


class _Miner:
    """Looks for puzzles in the positions of one game."""

    def __init__(self, variant: Variant, puzzles: Puzzles, mined: Mined) -> None:
        self.variant = variant
        self.kinds = puzzles.kinds
        self.mined = mined
        self.solvers = {kind.name: ForcedSolver(variant, kind) for kind in self.kinds if isinstance(kind, ForcedKind)}
        self._found: dict[tuple[str, int], int] = {}
        self._seen: set[str] = set()

    def try_position(self, position: Position) -> None:
        """Add the first puzzle that the position is."""
        written = str(position)
        if written in self._seen:
            return
        self._seen.add(written)
        self.mined.positions += 1
        for kind in self.kinds:
            puzzle = self._puzzle(position, written, kind)
            if puzzle is not None:
                self.mined.puzzles.append(puzzle)
                key = (puzzle.kind, puzzle.turns)
                self._found[key] = self._found.get(key, 0) + 1
                return

    def _wanted(self, kind: PuzzleKind, turns: int) -> bool:
        most = MOST_FORCED if isinstance(kind, ForcedKind) else MOST_OF_VALUE
        return self._found.get((kind.name, turns), 0) < most

    def _puzzle(self, position: Position, written: str, kind: PuzzleKind) -> Puzzle | None:
        if isinstance(kind, ForcedKind):
            return self._forced(position, written, kind)
        if not self._wanted(kind, 1):
            return None
        found = best_of(kind, kind.values(position))
        if found is None or position.turn is None:
            return None
        move, margin = found
        return Puzzle(puzzle_id(written), kind.name, written, position.turn, 1, (move,), margin=float(margin))

    def _forced(self, position: Position, written: str, kind: ForcedKind) -> Puzzle | None:
        state, seat = position.state, position.turn
        assert seat is not None
        solver = self.solvers[kind.name]
        for turns, budget in zip(kind.turns, kind.budget, strict=False):
            if not kind.promises(state, turns):
                continue
            try:
                solver.limit(budget)
                if not kind.survive and not solver.can(state, state, seat, turns):
                    continue
                if not self._wanted(kind, turns):
                    return None
                solver.limit(SOLUTION_NODES)
                codes = solver.line(state, seat, turns)
            except OutOfBudget:
                return None
            if codes is not None:
                line = finished_line(position, seat, codes)
                return Puzzle(puzzle_id(written), kind.name, written, seat, turns, line)
            if not kind.survive:
                return None  # it can be done, but not in one way only
        return None


def finished_line(position: Position, seat: int, codes: list[int]) -> tuple[str, ...]:
    """Return a line as texts, with the solver's last turn played to its end.

    Where the aim is reached in the middle of a turn, what is decided after that does not matter: the first move by its
    text is made.
    """
    played = position.copy()
    for code in codes:
        played.push(played.variant.move(code))
    while played.turn == seat:
        played.push(played.legal_moves[0])
    return tuple(move.text for move in played.moves)


def best_of(kind: ValueKind, values: Values | None) -> tuple[str, Fraction] | None:
    """Return the move with the highest value and its margin; ``None`` unless it is the only one by the least margin."""
    if values is None or len(values) < 2:
        return None
    first, second = sorted(values, key=lambda move: (-values[move], move))[:2]
    margin = values[first] - values[second]
    return (first, margin) if margin >= kind.least else None
