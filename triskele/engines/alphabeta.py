"""Alpha-beta for two seats and no secrets: iterative deepening over single decisions.

A turn may be several decisions of one seat, so a position says who acts and windows are turned round
only when that changes. The search itself (:func:`search`) is one loop over explicit frames, without
recursion, that stops after a number of nodes and goes on where it was when called again; all it
knows is in the arrays it is given. Around it, :class:`AlphaBeta` deepens, keeps time and makes texts.
"""

import math
import threading
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import OVER, SIZE, Moves, State, actor, apply, legal, winners
from triskele.core.game import Game
from triskele.engines.clockwork import Pace
from triskele.engines.engine import Engine, Info, Task
from triskele.engines.knowledge import (
    ROOM,
    UNIT,
    Room,
    Weights,
    arrange,
    evaluate,
    hopeful,
    key,
    noisy,
    ply,
    sensible,
    settled,
    swing,
    width,
)
from triskele.engines.levels import part_of

Table = NDArray[np.int64]

WIN = 1_000_000
"""The value of a game won at the root; every decision on the way costs 1."""
PROVEN = WIN - 1000
"""Values beyond this are wins that were seen to the end."""
INFINITE = 2 * WIN

DEPTH_LIMIT = 96
"""No line is longer than this many decisions."""
QUIET_LIMIT = 12
"""How many decisions beyond the depth noisy moves are followed."""

# A frame is what is known of one position on the line being searched.
ALPHA, BETA, BEST, CHOICE, DEPTH, NEXT, NUMBER, KEY, SEAT, FLOOR, MANNER, MOVE, QUIET, REDUCED, WIDE, WIDTH, THIN = (
    range(17)
)
FRAME = 20

CLOUDED = UNIT
"""What a level that overlooks things thinks of a position at most, when it does not see the point of it."""

HOPED = 3
"""After so many moves in vain near the end of the search, those that look hopeless are left out."""

FUTILE_DEPTH = 2
"""So near to the end of the search, who would be content as things stand is believed to stay so."""

# How the child now being searched is searched: with the whole window or to be refuted, in full depth or less.
WHOLE, PROBE, SHALLOW = 0, 1, 2

# What the loop does next.
ENTER, GO_ON, RETURN, DONE = 0, 1, 2, 3

# Words of ``control``: where the loop is, and what it is told.
C_PLY, C_STEP, C_VALUE, C_NODES, C_DEPTH, C_ALPHA, C_BETA, C_AGE, C_NOISE, C_OVERSIGHT, C_SALT, C_FURTHEST = range(12)
CONTROL = 16

# Words of a table entry: the key mixed with the data (so that torn writes do not match), and the data.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
_MOVE_BITS = 20
_NO_MOVE = (1 << _MOVE_BITS) - 1
_VALUE_ZERO = 1 << 22

KILLERS = 2
HISTORY_LIMIT = 1 << 18
_TABLE_MOVE_RANK = 1 << 40
_KILLER_RANK = 1 << 30


def mixed(word: int, salt: int) -> int:
    """Return a number that looks random, below ``2**31``."""
    low = (word ^ salt) & 0x7FFFFFFF
    high = (word >> 31) & 0x7FFFFFFF
    low = (low * 0x5851F42D + high) & 0x3FFFFFFFFFFFFFFF
    low = ((low ^ low >> 29) & 0x7FFFFFFF) * 0x4C957F2D & 0x3FFFFFFFFFFFFFFF
    return (low ^ low >> 31) & 0x7FFFFFFF


def packed(move: int, depth: int, bound: int, value: int, age: int) -> int:
    """Return the data word of a table entry."""
    return move | depth << 20 | bound << 28 | (value + _VALUE_ZERO) << 30 | age << 53


def search(
    state: State,
    undo: Table,
    frames: Table,
    moves: Table,
    ranks: Table,
    lines: Table,
    table: Table,
    history: Table,
    killers: Table,
    reductions: Table,
    weights: Weights,
    room: Room,
    control: Moves,
    budget: int,
) -> int:
    """Search until done or ``budget`` more nodes are through; return whether it is done.

    The answer is then in frame 0, the line in ``lines[0]``.
    """
    at = control[C_PLY]
    step = control[C_STEP]
    value = control[C_VALUE]  # on its way up: for seat 0
    nodes = control[C_NODES]
    until = nodes + budget
    last = len(frames) - 1
    mask = len(table) // 2 - 1
    sober = control[C_NOISE] == 0 and control[C_OVERSIGHT] == 0
    while step != DONE:
        frame = frames[at]
        if step == ENTER:
            if nodes >= until:
                break
            nodes += 1
            lines[at, 0] = 0
            seat = actor(state)
            if seat == OVER:
                won = winners(state)
                value = WIN - at if won == 1 else at - WIN if won == 2 else 0
                step = RETURN
                continue
            sign = 1 - 2 * seat
            frame[SEAT] = seat
            depth = frame[DEPTH]
            alpha = frame[ALPHA]
            beta = frame[BETA]
            frame[FLOOR] = alpha
            frame[NEXT] = 0
            frame[CHOICE] = _NO_MOVE
            frame[BEST] = -INFINITE
            calm = settled(state) == 1
            if at >= last or (calm and depth <= 0):
                judged = sign * evaluate(state, weights, room)
                if control[C_NOISE] > 0:
                    judged += (mixed(key(state), control[C_SALT]) % 2001 - 1000) * control[C_NOISE] // 1000
                if control[C_OVERSIGHT] > 0 and mixed(key(state), control[C_SALT] + 1) % 1000 < control[C_OVERSIGHT]:
                    judged = min(max(judged, -CLOUDED), CLOUDED)
                if judged >= beta or at >= last or depth <= -QUIET_LIMIT:
                    value = sign * judged
                    step = RETURN
                    continue
                number = noisy(state, moves[at], at, room)
                if number == 0:
                    value = sign * judged
                    step = RETURN
                    continue
                frame[BEST] = judged
                if judged > alpha:
                    frame[ALPHA] = judged
                frame[NUMBER] = number
                frame[WIDTH] = number
                frame[QUIET] = 1
                frame[THIN] = 0
                frame[KEY] = 0
                for i in range(number):
                    ranks[at, i] = 0
                step = GO_ON
                continue
            frame[QUIET] = 0
            known = _NO_MOVE
            if depth > 0:
                hashed = key(state)
                frame[KEY] = hashed
                slot = 2 * (hashed & mask)
                for i in range(2):
                    data = table[slot + i, 1]
                    if table[slot + i, 0] ^ data == hashed and data != 0:
                        known = data & _NO_MOVE
                        if (data >> 20 & 255) >= depth and at > 0:
                            stored = (data >> 30 & 0x7FFFFF) - _VALUE_ZERO
                            if stored > PROVEN:
                                stored -= at
                            elif stored < -PROVEN:
                                stored += at
                            bound = data >> 28 & 3
                            if (
                                bound == EXACT
                                or (bound == AT_LEAST and stored >= beta)
                                or (bound == AT_MOST and stored <= alpha)
                            ):
                                value = sign * stored
                                step = RETURN
                        break
                if step == RETURN:
                    continue
                if calm and frame[WIDE] == 0 and depth <= FUTILE_DEPTH:
                    judged = sign * evaluate(state, weights, room)
                    if judged - swing(depth) >= beta and judged < PROVEN and at > 0:
                        value = sign * (judged - swing(depth))
                        step = RETURN
                        continue
            number = sensible(state, moves[at], legal(state, moves[at]))
            frame[NUMBER] = number
            frame[THIN] = int(calm and sober and frame[WIDE] == 0 and 0 < depth <= FUTILE_DEPTH + 1)
            frame[WIDTH] = width(state, depth, at)
            for i in range(number):
                ranks[at, i] = history[seat, moves[at, i]]
            if number > 1:
                arrange(state, moves[at], ranks[at], number, at, weights, room)
                for i in range(number):
                    move = moves[at, i]
                    if move == known:
                        ranks[at, i] = _TABLE_MOVE_RANK
                    elif move == killers[at, 0]:
                        ranks[at, i] += _KILLER_RANK
                    elif move == killers[at, 1]:
                        ranks[at, i] += _KILLER_RANK >> 1
            step = GO_ON

        elif step == GO_ON:
            seat = frame[SEAT]
            number = frame[NUMBER]
            first = frame[NEXT]
            if first == HOPED and frame[THIN] == 1 and frame[ALPHA] < frame[BETA]:
                # After these moves the other side would be content as things stand.
                bound = frame[ALPHA] - swing(frame[DEPTH] - 1)
                number = hopeful(state, moves[at], ranks[at], first, number, bound, weights, room)
                if number < frame[NUMBER]:
                    frame[NUMBER] = number
                    frame[BEST] = max(frame[BEST], frame[ALPHA])
            if first >= number or frame[ALPHA] >= frame[BETA] or (first >= frame[WIDTH] and frame[BEST] > -PROVEN):
                value = (1 - 2 * seat) * frame[BEST]
                if frame[QUIET] == 0 and frame[DEPTH] > 0:
                    best = frame[BEST]
                    bound = AT_LEAST if best >= frame[BETA] else EXACT if best > frame[FLOOR] else AT_MOST
                    stored = best + at if best > PROVEN else best - at if best < -PROVEN else best
                    data = packed(frame[CHOICE], frame[DEPTH], bound, stored, control[C_AGE])
                    slot = 2 * (frame[KEY] & mask)
                    old = table[slot, 1]
                    # The first of two places is for what was searched deeper, unless it is from before.
                    if (
                        table[slot, 0] ^ old != frame[KEY]
                        and old >> 53 == control[C_AGE]
                        and (old >> 20 & 255) > frame[DEPTH]
                    ):
                        slot += 1
                    table[slot, 0] = frame[KEY] ^ data
                    table[slot, 1] = data
                step = RETURN
                continue
            best_rank = ranks[at, first]
            best_index = first
            for i in range(first + 1, number):
                if ranks[at, i] > best_rank:
                    best_rank = ranks[at, i]
                    best_index = i
            move = moves[at, best_index]
            moves[at, best_index] = moves[at, first]
            ranks[at, best_index] = ranks[at, first]
            moves[at, first] = move
            ranks[at, first] = best_rank
            frame[NEXT] = first + 1
            if at > 0 and control[C_OVERSIGHT] > 0:
                # Of what is urgent the first move is always seen, and of all moves at least one.
                seen = first == 0 if frame[QUIET] == 1 else frame[BEST] == -INFINITE and first + 1 == number
                if not seen and mixed(move * 0x10001, control[C_SALT] + at) % 1000 < control[C_OVERSIGHT]:
                    continue
            frame[MOVE] = move
            manner = WHOLE
            reduced = 0
            if first > 0 and frame[QUIET] == 0 and frame[DEPTH] > 0:
                manner = PROBE
                if frame[DEPTH] >= 2 and best_rank < _KILLER_RANK >> 1:
                    reduced = reductions[min(frame[DEPTH], 63), min(first, 63)]
                    if frame[WIDE] == 1 and reduced > 0:
                        reduced -= 1
                    if reduced > 0:
                        manner = SHALLOW
            frame[MANNER] = manner
            frame[REDUCED] = reduced
            for i in range(SIZE):
                undo[at, i] = state[i]
            cost = 1 if frame[QUIET] == 1 else ply(state)
            apply(state, move)
            _open(frames, at, actor(state), cost)
            at += 1
            control[C_FURTHEST] = max(control[C_FURTHEST], at)
            step = ENTER

        else:  # RETURN
            if at == 0:
                step = DONE
                break
            at -= 1
            frame = frames[at]
            for i in range(SIZE):
                state[i] = undo[at, i]
            seat = frame[SEAT]
            result = value if seat == 0 else -value
            if frame[MANNER] != WHOLE and result > frame[ALPHA]:
                # It was to be refuted and was not: look again, deeper and then with the whole window.
                again = frame[MANNER] == SHALLOW or result < frame[BETA]
                if again:
                    frame[MANNER] = PROBE if frame[MANNER] == SHALLOW else WHOLE
                    frame[REDUCED] = 0
                    cost = ply(state)
                    apply(state, frame[MOVE])
                    _open(frames, at, actor(state), cost)
                    at += 1
                    step = ENTER
                    continue
            step = GO_ON
            if result > frame[BEST]:
                frame[BEST] = result
                frame[CHOICE] = frame[MOVE]
                if result > frame[ALPHA]:
                    frame[ALPHA] = result
                    length = min(lines[at + 1, 0], len(lines[at]) - 2)
                    lines[at, 0] = length + 1
                    lines[at, 1] = frame[MOVE]
                    for i in range(length):
                        lines[at, 2 + i] = lines[at + 1, 1 + i]
                    if result >= frame[BETA] and frame[QUIET] == 0 and frame[DEPTH] > 0:
                        move = frame[MOVE]
                        if killers[at, 0] != move:
                            killers[at, 1] = killers[at, 0]
                            killers[at, 0] = move
                        bonus = frame[DEPTH] * frame[DEPTH]
                        for i in range(frame[NEXT] - 1):
                            other = moves[at, i]
                            history[seat, other] -= bonus + history[seat, other] * bonus // HISTORY_LIMIT
                        history[seat, move] += bonus - history[seat, move] * bonus // HISTORY_LIMIT
    control[C_PLY] = at
    control[C_STEP] = step
    control[C_VALUE] = value
    control[C_NODES] = nodes
    return 1 if step == DONE else 0


def _open(frames: Table, at: int, seat: int, cost: int) -> None:
    """Set up the child's frame from the parent's: window, depth, and whether it is on the main line."""
    parent = frames[at]
    child = frames[at + 1]
    alpha = parent[ALPHA]
    beta = parent[BETA]
    wide = parent[WIDE]
    if parent[MANNER] != WHOLE:
        beta = alpha + 1
        wide = 0
    if seat == parent[SEAT] or seat == OVER:
        child[ALPHA] = alpha
        child[BETA] = beta
    else:
        child[ALPHA] = -beta
        child[BETA] = -alpha
    child[WIDE] = wide
    child[DEPTH] = parent[DEPTH] - cost - parent[REDUCED]


SEARCH = Program(
    search,
    "int64(int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1],"
    " int64[:,::1], int64[:,::1], int64[:,::1], int32[::1], int64[::1], int64[::1], int64)",
)


class Worker:
    """The arrays of one search, and how to start it. Several may share one table."""

    def __init__(self, game: Game, most: int) -> None:
        """Make the arrays for positions of ``game`` whose state has up to ``most`` words."""
        rules = game.rules_module
        self.most = most
        self.state = np.zeros(most + (DEPTH_LIMIT + 2) * rules.LOG, dtype=np.int64)
        self.undo = np.zeros((DEPTH_LIMIT, rules.SIZE), dtype=np.int64)
        self.frames = np.zeros((DEPTH_LIMIT, FRAME), dtype=np.int64)
        self.moves = np.zeros((DEPTH_LIMIT, rules.MOVES), dtype=np.int64)
        self.ranks = np.zeros((DEPTH_LIMIT, rules.MOVES), dtype=np.int64)
        self.lines = np.zeros((DEPTH_LIMIT + 1, DEPTH_LIMIT + 2), dtype=np.int64)
        self.history = np.zeros((2, rules.ACTIONS), dtype=np.int64)
        self.killers = np.full((DEPTH_LIMIT, KILLERS), -1, dtype=np.int64)
        self.room = np.zeros(ROOM, dtype=np.int64)
        self.control = np.zeros(CONTROL, dtype=np.int64)

    def begin(self, root: State, depth: int, alpha: int, beta: int) -> None:
        """Start one iteration from ``root``."""
        self.state[: len(root)] = root
        frame = self.frames[0]
        frame[ALPHA], frame[BETA], frame[DEPTH], frame[WIDE] = alpha, beta, depth, 1
        self.control[C_PLY], self.control[C_STEP] = 0, ENTER

    def run(self, function: Any, table: Table, weights: Weights, budget: int) -> bool:
        """Search ``budget`` more nodes; return whether the iteration is complete."""
        return bool(
            function(
                self.state, self.undo, self.frames, self.moves, self.ranks, self.lines, table, self.history,
                self.killers, REDUCTIONS, weights, self.room, self.control, budget,
            )
        )  # fmt: skip

    @property
    def nodes(self) -> int:
        """How many nodes were searched since the worker was made."""
        return int(self.control[C_NODES])

    @property
    def line(self) -> list[int]:
        """The best line of the iteration so far; empty when nothing has come up to expectations."""
        return [int(code) for code in self.lines[0, 1 : 1 + self.lines[0, 0]]]

    @property
    def value(self) -> int:
        """The value of that line for the seat to act."""
        return int(self.frames[0, BEST])


class Deepening:
    """Iterative deepening with a window around the last value: says what to search next."""

    WINDOW = 150

    def __init__(self, worker: Worker, root: State, first: int = 1) -> None:
        """Begin at depth ``first``."""
        self.worker = worker
        self.root = root
        self.depth = first
        self.value = 0
        self.line: list[int] = []
        self._below = self._above = INFINITE
        self._begin()

    def _begin(self) -> None:
        alpha = max(-INFINITE, self.value - self._below)
        beta = min(INFINITE, self.value + self._above)
        self.worker.begin(self.root, self.depth, alpha, beta)

    def advance(self) -> bool:
        """Take the result of a completed search and start the next; return whether a depth is done."""
        found, frame = self.worker.value, self.worker.frames[0]
        if found <= frame[FLOOR] and self._below < INFINITE:
            self._below = self._below * 4 if self._below < 10_000 else INFINITE
            self._begin()
            return False
        self.line = self.worker.line or self.line
        if found >= frame[BETA] and self._above < INFINITE:
            self._above = self._above * 4 if self._above < 10_000 else INFINITE
            self._begin()
            return False
        self.value = found
        self.depth += 1
        self._below = self._above = self.WINDOW if self.depth > 3 and abs(found) < PROVEN else INFINITE
        self._begin()
        return True

    def best_so_far(self) -> list[int]:
        """Return the best line, that of an unfinished search included."""
        return self.worker.line or self.line


def _reductions() -> Table:
    """Return by how much late moves are searched less deep: by depth, and by how many came before."""
    found = np.zeros((64, 64), dtype=np.int64)
    for depth in range(2, 64):
        for index in range(3, 64):
            found[depth, index] = min(max(1, depth - 2), int(0.4 + math.log(depth) * math.log(index) / 2.2))
    return found


REDUCTIONS = _reductions()


class AlphaBeta(Engine):
    """Iterative-deepening alpha-beta with what the game's ``evaluation.py`` knows."""

    name: ClassVar[str] = "alphabeta"
    programs: ClassVar[tuple[Program, ...]] = (SEARCH,)

    def __init__(self, game: Game, weights: Weights | None = None, seed: int = 0) -> None:
        """Use the shipped weights, or others; the seed decides what weak levels get wrong."""
        super().__init__(game)
        if weights is None:
            load = getattr(part_of(game, "evaluation"), "load", None)
            weights = np.zeros(1, dtype=np.int32) if load is None else load()
        self.weights = weights
        self._seed = seed
        self._table = np.zeros((0, 2), dtype=np.int64)
        self._workers: list[Worker] = []
        self._age = 0
        self._flavour = (0, 0, 0)

    def forget(self) -> None:
        """Drop the table and what moves were good."""
        self._table = np.zeros((0, 2), dtype=np.int64)
        self._workers = []

    def _salt(self, task: Task) -> int:
        """Return what tells the errors of one seed from those of another."""
        seed = self._seed if task.limits.seed is None else task.limits.seed
        return (seed * 0x9E3779B1 + 0x7F4A7C15) & 0x7FFFFFFF

    def _with_attention(self, task: Task) -> Task:
        """Return the task at the level as it plays this position: with its weaknesses, or for once without them."""
        drawn = zlib.crc32(task.position.state.tobytes(), self._salt(task)) % 1000
        return task if drawn < task.level.lapses else replace(task, level=task.level.attentive)

    def _prepare(self, task: Task, root: State) -> None:
        """Have a table of the right size and a worker for each thread."""
        noise, oversight = task.level.noise, task.level.oversight
        flavour = (noise, oversight, self._salt(task) if noise or oversight else 0)
        if flavour != self._flavour:
            self.forget()
            self._flavour = flavour
        expected = min(task.seconds * 1_500_000, task.nodes or math.inf)
        most = max(1 << 12, task.limits.memory_mb * 800_000 // 16)
        entries = 1 << int(
            math.log2(max(1 << 12, min(most, 1 << 26 if math.isinf(expected) else max(expected, 1 << 16))))
        )
        if len(self._table) < entries or len(self._table) > most:
            self._table = np.zeros((entries, 2), dtype=np.int64)
        self._age = (self._age + 1) & 511
        if len(self._workers) != task.limits.threads or self._workers[0].most < len(root):
            self._workers = [Worker(self.game, 2 * len(root)) for _ in range(task.limits.threads)]
        for worker in self._workers:
            worker.killers[:] = -1
            worker.history >>= 2
            worker.control[:] = 0
            control = worker.control
            control[C_AGE] = self._age
            control[C_NOISE], control[C_OVERSIGHT], control[C_SALT] = flavour

    def think(self, task: Task) -> Iterator[Info]:
        """Search deeper and deeper; an info for every depth that is through."""
        task = self._with_attention(task)
        root = task.position.state
        self._prepare(task, root)
        deepening = Deepening(self._workers[0], root)
        pace = Pace(task, self.game, SEARCH)
        over = threading.Event()
        helpers = [
            threading.Thread(target=self._help, args=(w, root, i, over)) for i, w in enumerate(self._workers[1:])
        ]
        for helper in helpers:
            helper.start()
        said: list[int] = []
        try:
            for function, number in pace.slices(first=500, plain=2):
                done = deepening.worker.run(function, self._table, self.weights, number)
                pace.done = self._nodes()
                if done and deepening.advance():
                    said = deepening.line
                    yield self._info(task, deepening, said)
                    if self._settled(task, deepening):
                        break
            else:
                said = []
        finally:
            over.set()
            for helper in helpers:
                helper.join()
        if not said:
            yield self._info(task, deepening, deepening.best_so_far() or [task.position.legal_moves[0].code])

    def _nodes(self) -> int:
        return sum(worker.nodes for worker in self._workers)

    def _settled(self, task: Task, deepening: Deepening) -> bool:
        """Return whether searching deeper is of no use or not wanted."""
        limit = DEPTH_LIMIT // 2 if task.level.depth is None else task.level.depth
        return deepening.depth > limit or abs(deepening.value) > PROVEN

    def _help(self, worker: Worker, root: State, number: int, over: threading.Event) -> None:
        """Search the same position beside the first worker, for what it leaves in the shared table."""
        function = self.game.linker.ready(SEARCH)
        deepening = Deepening(worker, root, 2 + number % 2)
        while function is not None and not over.is_set() and deepening.depth < DEPTH_LIMIT // 2:
            if worker.run(function, self._table, self.weights, 5000):
                deepening.advance()

    def _info(self, task: Task, deepening: Deepening, line: list[int]) -> Info:
        variant = task.position.variant
        value = deepening.value
        proven = WIN - abs(value) if abs(value) > PROVEN else None
        worth = math.copysign(1.0, value) if proven is not None else math.tanh(value / (2 * UNIT))
        mine = task.position.turn
        scores = tuple(worth if seat == mine else -worth for seat in range(variant.seats))
        texts = tuple(variant.move(code).text for code in line)
        return Info(deepening.depth - 1, self._nodes(), task.elapsed, scores, (texts,), proven)
