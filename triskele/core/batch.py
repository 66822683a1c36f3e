"""Many games at once, for training: ``triskele.batch("yinsh", 1024)`` steps them in compiled code.

::

    batch = triskele.batch("trypsylon", 512, columns=6, rows=6, seed=7)
    while training:
        masks = batch.masks()                  # (n, actions) of bool: what the seat to decide may do
        words = batch.observations()           # (n, SIZE) of int64: what it may know
        actions = batch.sample()               # or what a policy chooses
        scores, done = batch.step(actions)     # games that end are scored and begin anew

An action is a move's code in the rules, the same in every position: ``batch.text(action)`` is its text. Dice are
rolled inside. Interrupts are decisions, as :mod:`triskele.core.decisions` says: there is one action more then.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from triskele.core.bits import below
from triskele.core.chance import draw
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, LOG, OVER, Moves, Scores, State, scores
from triskele.core.decisions import Decisions, Owners, choices, decide, decider, new_window, observe
from triskele.core.errors import IllegalMove, OptionError
from triskele.core.game import Variant, game
from triskele.core.position import Position
from triskele.core.words import text

Table = NDArray[np.int64]
Flags = NDArray[np.bool_]

GAMES_LIMIT = 1_000_000
INITIAL_LOG_MOVES = 64
"""The log of each game holds this many moves at first; it grows when needed."""


# --- programs: each goes through all games --------------------------------------------------------


def run(
    first: State,
    states: Table,
    windows: Table,
    turns: Moves,
    moves: Moves,
    owners: Owners,
    seats: int,
    rngs: NDArray[np.uint64],
    actions: Moves,
    left: Moves,
    scratch: Scores,
    totals: NDArray[np.float64],
    ended: Moves,
    anew: int,
) -> None:
    """Make ``left[i]`` decisions in game ``i`` and roll all dice between and after them.

    The decisions are ``actions``, or random ones when that is empty. When a game ends, its scores are added to
    ``totals[i]`` and 1 to ``ended[i]``, and it begins anew if ``anew`` is 1. Stops early where a log has no room:
    then ``turns[i]`` is ``CHANCE`` or ``left[i]`` is not 0, and all is well after another call with more room.
    """
    for i in range(len(states)):
        state = states[i]
        window = windows[i]
        turn = turns[i]
        while turn != OVER:
            turn = decider(state, window)
            if turn == OVER:
                scores(state, scratch)
                for seat in range(seats):
                    totals[i, seat] += scratch[seat]
                ended[i] += 1
                if anew:
                    for k in range(first[0]):
                        state[k] = first[k]
                    turn = CHANCE  # any but OVER: whose turn it is, is asked above
                continue
            if (turn >= 0 and left[i] == 0) or state[0] + LOG > len(state):
                break
            if turn >= 0:
                left[i] -= 1
            if turn >= 0 and len(actions) > 0:
                action = actions[i]
            else:
                number = choices(state, window, moves, owners)
                chosen = draw(state, moves, number, rngs[i]) if turn == CHANCE else below(rngs[i], number)
                action = moves[chosen]
            decide(state, window, moves, owners, seats, action)
        turns[i] = turn


def enumerate_all(
    states: Table, windows: Table, turns: Moves, moves: Moves, owners: Owners, starts: Moves, codes: Moves
) -> int:
    """List the legal actions of all games one after another: those of game ``i`` from ``starts[i]`` to the next start.

    Returns how many there are. If that is more than ``codes`` holds, they must be listed again with more room.
    """
    total = 0
    for i in range(len(states)):
        starts[i] = total
        if turns[i] >= 0:
            number = choices(states[i], windows[i], moves, owners)
            if total + number <= len(codes):
                for k in range(number):
                    codes[total + k] = moves[k]
            total += number
    starts[len(states)] = total
    return total


def use(
    starts: Moves,
    codes: Moves,
    rngs: NDArray[np.uint64],
    given: Moves,
    drawn: Moves,
    masks: NDArray[np.bool_],
    value: int,
) -> int:
    """Check ``given`` actions, draw random ones, write ``value`` into ``masks``: whichever array is not empty.

    Returns the first game whose given action is not legal, -1 if there is none.
    """
    for i in range(len(starts) - 1):
        first = starts[i]
        number = starts[i + 1] - first
        if len(masks) > 0:
            for k in range(number):
                masks[i, codes[first + k]] = value == 1
        if len(drawn) > 0:
            drawn[i] = codes[first + below(rngs[i], number)] if number > 0 else -1
        if len(given) > 0 and number > 0:
            found = False
            for k in range(number):
                if codes[first + k] == given[i]:
                    found = True
            if not found:
                return i
    return -1


def watch(states: Table, windows: Table, turns: Moves, seat: int, words: Table) -> None:
    """Fill ``words`` with what a seat may know of each game; a ``seat`` below 0 is whoever decides there."""
    for i in range(len(states)):
        observe(states[i], windows[i], max(0, turns[i]) if seat < 0 else seat, words[i])


_GAMES = "int64[:,::1], int64[:,::1], int64[::1]"
_TABLES = f"{_GAMES}, int64[::1], int64[::1]"
RUN = Program(
    run,
    f"void(int64[::1], {_TABLES}, int64, uint64[:,::1], int64[::1], int64[::1], float64[::1], float64[:,::1],"
    " int64[::1], int64)",
)
ENUMERATE = Program(enumerate_all, f"int64({_TABLES}, int64[::1], int64[::1])")
USE = Program(use, "int64(int64[::1], int64[::1], uint64[:,::1], int64[::1], int64[::1], boolean[:,::1], int64)")
WATCH = Program(watch, f"void({_GAMES}, int64, int64[:,::1])")


# --- the public side ------------------------------------------------------------------------------

_NO_ACTIONS = np.zeros(0, dtype=np.int64)
_NO_MASKS = np.zeros((0, 0), dtype=np.bool_)


def _generators(seed: int, n: int) -> NDArray[np.uint64]:
    """Return a random generator for each game: what happens in one has nothing to do with the others."""
    words = np.random.SeedSequence(seed % 2**64).generate_state(n, dtype=np.uint64)
    return words.astype(np.uint64).reshape(n, 1)


def _array(out: Any, shape: tuple[int, int], kind: np.dtype[Any]) -> Any:
    """Return an array to fill: ``out`` if it fits, for compiled code writes wherever it is told to; else a new one."""
    if out is None:
        return np.zeros(shape, dtype=kind)
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == kind
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        raise OptionError(text("core.batch-array", wanted=f"{kind} {shape}"))
    return out


class Step(NamedTuple):
    """What a step brought: for each game the scores of all seats if it ended, else zeros, and whether it ended."""

    scores: NDArray[np.float64]
    done: Flags


class Played(NamedTuple):
    """What random play brought: for each game how often it ended, and the sum of the scores for each seat."""

    ended: NDArray[np.int64]
    scores: NDArray[np.float64]


class Children(NamedTuple):
    """Every legal action of every game, taken once: for whoever judges actions by where they lead.

    ``batch`` has a game for each, ``parents`` the game that it came from and ``actions`` what was done there;
    ``scores`` and ``done`` are those of :class:`Step`. Dice after an action have been rolled, once.
    """

    batch: "Batch"
    parents: NDArray[np.int64]
    actions: NDArray[np.int64]
    scores: NDArray[np.float64]
    done: Flags


class Batch:
    """Games of one variant that are stepped together. Make one with :func:`batch`.

    ``turns`` has for each game the seat that decides, or ``triskele.core.contract.OVER`` for a game that has
    ended (only with ``anew=False``). ``actions`` is how many actions there are.
    """

    def __init__(self, variant: Variant, n: int, *, seed: int = 0, anew: bool = True) -> None:
        """Set up ``n`` games. Compiles what it needs first, unless an earlier process has."""
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= GAMES_LIMIT:
            raise OptionError(text("core.batch-size", n=str(n)[:30], limit=GAMES_LIMIT))
        self.variant = variant
        self.n = n
        self.anew = anew
        programs = (RUN, ENUMERATE, USE, WATCH)
        self._run, self._enumerate, self._use, self._watch = map(variant.game.linker.program, programs)
        self._first = variant.first_state()[: variant.size].copy()
        self._decisions = Decisions(variant)
        self._moves = np.zeros(variant.moves_limit + 1, dtype=np.int64)
        self._scratch = np.zeros(variant.seats)
        self._rngs = _generators(seed, n)
        self._states = np.zeros((n, variant.size + INITIAL_LOG_MOVES * variant.log), dtype=np.int64)
        self._windows = np.tile(new_window(), (n, 1))
        self.turns = np.zeros(n, dtype=np.int64)
        self.actions = self._decisions.actions
        self._starts = np.zeros(n + 1, dtype=np.int64)
        self._codes = np.zeros(64 * n, dtype=np.int64)
        self._listed = False
        self._marked: tuple[Flags, Moves, Moves] | None = None
        self.reset()

    @property
    def seats(self) -> int:
        """How many seats a game has."""
        return self.variant.seats

    @property
    def _tables(self) -> tuple[Table, Table, Moves, Moves, Owners]:
        return self._states, self._windows, self.turns, self._moves, self._decisions.owners

    # --- moving on ---------------------------------------------------------------------------------

    def reset(self, which: ArrayLike | None = None) -> None:
        """Begin all games anew, or those that ``which`` selects (as an index or a mask of an array does)."""
        chosen = slice(None) if which is None else np.asarray(which)
        self._states[chosen, : len(self._first)] = self._first
        self._windows[chosen] = new_window()
        self.turns[chosen] = CHANCE
        self._go_on(_NO_ACTIONS, 0)

    def step(self, actions: ArrayLike) -> Step:
        """Take one action in every game; ``IllegalMove`` names the first that is not legal, and nothing changes.

        A game that ends is scored and, unless the batch was made with ``anew=False``, begins anew at once. What is
        given for a game that is over does not count.
        """
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            found = f"{given.dtype} {given.shape}"
            raise IllegalMove(text("core.batch-shape", shape=found[:60], n=self.n))
        taken = np.ascontiguousarray(given, dtype=np.int64)
        refused = self._use(*self._legal(), self._rngs, taken, _NO_ACTIONS, _NO_MASKS, 0)
        if refused >= 0:
            why = self._decisions.refusal(taken[refused], self._states[refused], self._windows[refused])
            raise IllegalMove(text("core.batch-illegal", game=int(refused), why=why.text))
        ended, totals = self._go_on(taken, 1)
        return Step(totals, ended > 0)

    def play(self, decisions: int) -> Played:
        """Make ``decisions`` random decisions in every game in one call. Games that end begin anew or stay as they are.

        With ``anew=False`` and a large number this plays every game to its end.
        """
        return Played(*self._go_on(_NO_ACTIONS, decisions))

    def children(self, which: ArrayLike | None = None) -> Children:
        """Return a batch with a game for every legal action of every game, in which that action was taken.

        ``which`` selects games (as an index or a mask of an array does). ``OptionError`` if there is nothing to do in
        them, or too much for one batch.
        """
        starts, codes = self._legal()
        chosen = np.zeros(self.n, dtype=np.bool_)
        chosen[slice(None) if which is None else np.asarray(which)] = True
        parents = np.repeat(np.arange(self.n), np.diff(starts))
        kept = chosen[parents]
        parents, actions = parents[kept], codes[: starts[-1]][kept]
        grown = Batch(self.variant, len(parents), seed=int(self._rngs[0, 0]), anew=False)
        grown._states, grown._windows = self._states[parents], self._windows[parents]
        grown.turns = self.turns[parents]
        ended, totals = grown._go_on(actions, 1)
        return Children(grown, parents, actions, totals, ended > 0)

    def _go_on(self, actions: Moves, decisions: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        left = np.full(self.n, decisions, dtype=np.int64)
        totals = np.zeros((self.n, self.seats))
        ended = np.zeros(self.n, dtype=np.int64)
        self._listed = False
        unfinished = True
        while unfinished:
            self._make_room()
            self._run(
                self._first,
                *self._tables,
                self.seats,
                self._rngs,
                actions,
                left,
                self._scratch,
                totals,
                ended,
                int(self.anew),
            )
            unfinished = bool(((self.turns == CHANCE) | ((self.turns >= 0) & (left > 0))).any())
        return ended, totals

    def _make_room(self) -> None:
        log, width = self.variant.log, self._states.shape[1]
        if log and self._states[:, 0].max() + log > width:
            wider = np.zeros((self.n, 2 * width), dtype=np.int64)
            wider[:, :width] = self._states
            self._states = wider

    # --- looking -----------------------------------------------------------------------------------

    def sample(self) -> NDArray[np.int64]:
        """Return a random action for each game, every legal one equally likely; -1 for a game that is over."""
        drawn = np.empty(self.n, dtype=np.int64)
        self._use(*self._legal(), self._rngs, _NO_ACTIONS, drawn, _NO_MASKS, 0)
        return drawn

    def masks(self, out: Flags | None = None) -> Flags:
        """Return which actions are legal, ``(n, actions)``; into ``out`` if that is given.

        Quickest is to give the array of the call before, with nothing set in it since: then only what has changed is
        written.
        """
        filled: Flags = _array(out, (self.n, self.actions), np.dtype(np.bool_))
        if self._marked is not None and self._marked[0] is out:
            self._use(*self._marked[1:], self._rngs, _NO_ACTIONS, _NO_ACTIONS, filled, 0)
        else:
            filled.fill(False)
        starts, codes = self._legal()
        self._use(starts, codes, self._rngs, _NO_ACTIONS, _NO_ACTIONS, filled, 1)
        self._marked = filled, starts.copy(), codes[: starts[-1]].copy()
        return filled

    def _legal(self) -> tuple[Moves, Moves]:
        """Return the legal actions of all games, listed once for each step."""
        while not self._listed:
            total = self._enumerate(*self._tables, self._starts, self._codes)
            self._listed = total <= len(self._codes)
            if not self._listed:
                self._codes = np.zeros(2 * total, dtype=np.int64)
        return self._starts, self._codes

    def observations(self, seat: int | None = None, out: Table | None = None) -> Table:
        """Return what the seat that decides may know, ``(n, SIZE)`` words, or what a certain ``seat`` may.

        They are the words of the game's state, which its ``rules.py`` explains, with whatever that seat may not know
        taken out; word 0 says who looks and who decides (:func:`triskele.core.decisions.observe`). What a rule
        remembers beyond the position (repetition) is not in it. :func:`triskele.core.decisions.bits` makes zeros and
        ones of them.
        """
        if seat is not None and not 0 <= seat < self.seats:
            raise IllegalMove(text("core.no-such-seat", seat=str(seat)[:20], seats=self.seats))
        filled: Table = _array(out, (self.n, self.variant.size), np.dtype(np.int64))
        self._watch(self._states, self._windows, self.turns, -1 if seat is None else seat, filled)
        return filled

    def position(self, number: int) -> Position:
        """Return one game's position, as a copy, with everything in it: to look at, to draw, to play on."""
        state = self._states[number]
        return Position(self.variant, state[: state[0]].copy())

    def text(self, action: int) -> str:
        """Return the text of an action."""
        return self._decisions.text(action)

    def __len__(self) -> int:
        """Return the number of games."""
        return self.n


def batch(name: str, n: int, *, seed: int = 0, anew: bool = True, **options: object) -> Batch:
    """Return ``n`` games of a game to step at once in compiled code; ``seed`` is for dice and :meth:`Batch.sample`.

    ``OptionError`` says what is allowed. The first call for a game compiles for some seconds.
    """
    return Batch(game(name).variant(options), n, seed=seed, anew=anew)


__all__ = ["Batch", "Children", "Played", "Step", "batch"]
