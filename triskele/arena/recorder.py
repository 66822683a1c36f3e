"""Play random games in compiled code and record them as columns of moves, seats and states."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import Rng
from triskele.core.compile import Program
from triskele.core.contract import (
    LOG,
    OVER,
    SIZE,
    Moves,
    Scores,
    State,
    actor,
    apply,
    count,
    interrupts,
    legal,
    reason,
    scores,
    winners,
)
from triskele.core.errors import RecordError
from triskele.core.game import Variant
from triskele.core.playout import rollout_move
from triskele.core.words import text

Integers = NDArray[np.int32]
Matrix = NDArray[np.int64]

CUT_OFF = -1
"""The reason of a game that was cut off at the limit of plies."""


def record(
    first: State,
    state: State,
    moves: Moves,
    out: Scores,
    rng: Rng,
    seeds: Rng,
    limit: int,
    codes: Integers,
    actors: Integers,
    counts: Integers,
    states: Matrix,
    listed: Integers,
    games: Matrix,
    results: NDArray[np.float64],
) -> int:
    """Play one random game for each seed, until the columns are full; return how many games are whole.

    Step columns: ``codes``, ``actors``, ``counts`` (legal moves), ``states`` (no rows: none are kept) and
    ``listed``, all legal moves one after the other (empty: they are not kept). ``games`` has for each game
    its steps, its legal moves listed, its winners as a bit set and its reason; ``results`` its scores.
    """
    at = 0
    written = 0
    for number in range(len(seeds)):
        for i in range(first[0]):
            state[i] = first[i]
        rng[0] = seeds[number]
        begin = at
        began = written
        seat = actor(state)
        while seat != OVER and at - begin < limit and state[0] + LOG <= len(state):
            if at == len(codes):
                return number
            if len(listed) > 0:
                choices = legal(state, moves)
                if written + choices > len(listed):
                    return number
                for i in range(choices):
                    listed[written + i] = moves[i]
                written += choices
            else:
                choices = count(state, moves)
            if len(states) > 0:
                for i in range(SIZE):
                    states[at, i] = state[i]
            code = rollout_move(state, moves, rng)
            codes[at] = code
            actors[at] = seat
            counts[at] = choices
            at += 1
            apply(state, code)
            seat = actor(state)
        games[number, 0] = at - begin
        games[number, 1] = written - began
        games[number, 2] = 0
        games[number, 3] = CUT_OFF
        for i in range(len(out)):
            out[i] = 0.0
        if seat == OVER:
            games[number, 2] = winners(state)
            games[number, 3] = reason(state)
            scores(state, out)
        for i in range(len(out)):
            results[number, i] = out[i]
    return len(seeds)


RECORD = Program(
    record,
    "int64(int64[::1], int64[::1], int64[::1], float64[::1], uint64[::1], uint64[::1], int64, int32[::1], int32[::1],"
    " int32[::1], int64[:,::1], int32[::1], int64[:,::1], float64[:,::1])",
)

Columns = dict[str, NDArray[Any]]

_STEPS = 1 << 14


def random_games(variant: Variant, seeds: Rng, limit: int, *, with_states: bool, with_legal: bool) -> Columns:
    """Return the columns of one random game for each seed; see ``docs/datasets.md`` for what they are."""
    parts: list[Columns] = []
    capacity = _STEPS
    while len(seeds):
        part = _some_games(variant, seeds, limit, capacity, with_states, with_legal)
        whole = len(part["plies"])
        if whole:
            parts.append(part)
            seeds = seeds[whole:]
        else:
            capacity *= 4  # not even one game fits
    if not parts:
        return _some_games(variant, seeds, limit, 1, with_states, with_legal)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _some_games(
    variant: Variant, seeds: Rng, limit: int, capacity: int, with_states: bool, with_legal: bool
) -> Columns:
    """Return the columns of as many whole games as fit into ``capacity`` steps."""
    first = variant.first_state()
    codes, actors, counts = (np.zeros(capacity, dtype=np.int32) for _ in range(3))
    states = np.zeros((capacity if with_states else 0, variant.size), dtype=np.int64)
    listed = np.zeros(max(capacity * 64, variant.moves_limit) if with_legal else 0, dtype=np.int32)
    games = np.zeros((len(seeds), 4), dtype=np.int64)
    results = np.zeros((len(seeds), variant.seats), dtype=np.float64)
    whole = int(
        variant.game.linker.program(RECORD)(
            first,
            np.zeros(len(first) + limit * variant.log, dtype=np.int64),
            np.zeros(variant.moves_limit, dtype=np.int64),
            np.zeros(variant.seats, dtype=np.float64),
            np.zeros(1, dtype=np.uint64),
            seeds,
            limit,
            codes,
            actors,
            counts,
            states,
            listed,
            games,
            results,
        )
    )
    steps, moves = (int(total) for total in games[:whole, :2].sum(axis=0))
    columns: Columns = {
        "plies": games[:whole, 0].astype(np.int32),
        "winners": games[:whole, 2],
        "reason": games[:whole, 3].astype(np.int16),
        "scores": results[:whole],
        "move": codes[:steps],
        "seat": _movers(variant, codes[:steps], actors[:steps]),
        "choices": counts[:steps],
    }
    if with_states:
        columns["state"] = states[:steps]
    if with_legal:
        columns["legal"] = listed[:moves]
    return columns


def _movers(variant: Variant, codes: Integers, actors: Integers) -> NDArray[np.int8]:
    """Return the seat that made each move: the seat to act, or the owner of an interrupt."""
    owner = variant.game.notation.interrupt_owner
    seats = actors.astype(np.int8)
    if owner is not None:
        for code in np.unique(codes).tolist():
            whose = owner(variant.options, code)
            if whose is not None:
                seats[codes == code] = whose
    return seats


# --- back to states -------------------------------------------------------------------------------


def retrace(first: State, state: State, moves: Moves, codes: Integers, plies: Integers, states: Matrix) -> int:
    """Replay whole games and write the state before each move to ``states``; return the number of moves.

    Stops at an illegal move: the result is then negative, -1 for the very first move.
    """
    at = 0
    for number in range(len(plies)):
        for i in range(first[0]):
            state[i] = first[i]
        for _ in range(plies[number]):
            for i in range(SIZE):
                states[at, i] = state[i]
            code = int(codes[at])  # plain rules would compute in 32 bits otherwise
            found = 0
            for i in range(legal(state, moves)):
                if moves[i] == code:
                    found = 1
            if found == 0:
                for i in range(interrupts(state, moves)):
                    if moves[i] == code:
                        found = 1
            if found == 0:
                return -1 - at
            apply(state, code)
            at += 1
    return at


RETRACE = Program(retrace, "int64(int64[::1], int64[::1], int64[::1], int32[::1], int32[::1], int64[:,::1])")


def states_of(variant: Variant, codes: Integers, plies: Integers) -> Matrix:
    """Return the state before each move of whole games; ``RecordError`` names an illegal move."""
    first = variant.first_state()
    longest = int(plies.max()) if len(plies) else 0
    state = np.zeros(len(first) + longest * variant.log, dtype=np.int64)
    states = np.zeros((len(codes), variant.size), dtype=np.int64)
    again = variant.game.linker.program(RETRACE)
    buffer = np.zeros(variant.moves_limit, dtype=np.int64)
    made = int(again(first, state, buffer, np.ascontiguousarray(codes), np.ascontiguousarray(plies), states))
    if made < 0:
        raise RecordError(text("arena.move-differs", number=-made))
    return states
