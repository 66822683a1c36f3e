"""The contract for searches that run outside Python too: one calling convention for the engines of all games.

A *search program* is two functions over a workspace, linked to a game's rules as every program is:

``start_search(workspace, root, question)``
    Begin to answer a question about the state ``root``. What earlier searches left in the workspace may help. A search
    with ``history`` gets after the state the codes of the moves made so far, -1 for one that the seat has not seen.
``resume_search(workspace, budget) -> status``
    Search up to about ``budget`` more nodes; return how far the search has come. The best answer so far is then in the
    workspace, whatever the status.

Native code and a WebAssembly module are the same functions: they give the same answer to the same question in a
workspace of the same sizes. The clock stays outside, with the driver that calls ``resume_search`` in slices:
:mod:`triskele.core.search_driver` in Python, ``web/engine/`` in JavaScript.

The workspace is a ``NamedTuple`` of arrays (:mod:`triskele.core.workspace`) with these fields among others:

``found``        a vector: see ``F_DEPTH`` and the words after it
``line_codes``   a row for each line, the best first: see ``L_LENGTH`` and the words after it
``line_scores``  a row for each line: a score for each seat, from -1 (lost) to 1 (won)

A search that *appraises* can also be asked what a move was worth (``Q_APPRAISED``), for reviews. It answers by the best
line and, where the move that was made is not as good, by a second line of that move alone; each has the scores after
it. The first line has no move where it was best to make none. A search whose values are *exact* gives three lines: the
best, the move made, and the state as it stands, without a move. Their scores are what each seat can expect, over the
unit of the game's :class:`~triskele.core.contract.review.ExactValues`. It can be asked for the last one alone, also
where chance is to act or the game is over; then all three are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract.levels import Level
from triskele.core.contract.rules import State
from triskele.core.link import Program

RUNNING, REPORT, SETTLED, SPENT = range(4)
"""How far a search has come: in the middle of something; a depth is completed and there is more to search; completed
with nothing more to search (the result is proven, or the level looks no further); all its nodes are searched."""

(
    Q_SEAT,  # the seat that asks
    Q_LEVEL,  # the number of the playing level
    Q_NODES,  # nodes to search at most, 0 for any number
    Q_DEPTH,  # and the other parts of the level; a depth of 0 is no limit
    Q_NOISE,
    Q_OVERSIGHT,
    Q_LAPSES,
    Q_SEED,  # from 0 to 2**31 - 1
    Q_LINES,  # how many lines are wanted
    Q_INTERRUPT,  # 1: which move the seat makes out of turn; the answer has no line if it makes none
    Q_APPRAISED,  # 2 more than the code of a move that is to be appraised; 1: the state alone; 0 for a search
    Q_ENGINE,  # the words from here on are an engine's own, 0 unless it says otherwise
) = range(12)
QUESTION = 14
"""Words of a question."""
QUESTION_WORDS = (
    *("seat", "level", "nodes", "depth", "noise", "oversight", "lapses", "seed", "lines", "interrupt"),
    "appraised",
)

F_DEPTH, F_NODES, F_LINES, F_SEATS = range(4)
"""The words of ``found``: the depth that is completed, the nodes searched, how many lines there are, and how many seats
have a score."""
FOUND = 4

L_LENGTH, L_PROVEN, L_CODES = range(3)
"""The words of a row of ``line_codes``: how many moves it has, the number of moves to the end of the game if the
result is proven (else -1), and from here on the codes of the moves."""

MOST_LINES = 5

ROOT = "root"
"""The size that is the number of words of the state that is asked about."""
CAPACITY = "capacity"
"""The size that memory allows: see :class:`Capacity`."""


@dataclass(frozen=True)
class Size:
    """A length that is known only when a question is asked: that of ``name``, and ``plus`` more."""

    name: str
    plus: int = 0


@dataclass(frozen=True)
class Field:
    """An array of a workspace: the type and length of its items, and what is in it at first.

    ``initial`` is a number that fills it, or an array that is read only and part of a module's data.
    """

    name: str
    shape: tuple[int | Size, ...]
    dtype: str = "int64"
    initial: int | NDArray[Any] = 0

    @classmethod
    def of(cls, name: str, data: NDArray[Any]) -> "Field":
        """Return a field that holds an array which no search changes, such as weights."""
        return cls(name, data.shape, data.dtype.name, data)


@dataclass(frozen=True)
class Capacity:
    """How the size ``CAPACITY`` follows from the memory and the nodes of a question: always a power of two.

    ``item_bytes`` is the memory for each. It is what the nodes need (at ``nodes_per_second``, where the time is
    limited), at least ``usual``; not more than ``most`` nor four fifths of the memory; not less than ``least``.
    """

    item_bytes: int
    least: int
    usual: int
    most: int
    nodes_per_second: int

    def within(self, memory_mb: int) -> int:
        """Return how many fit into the memory, not rounded."""
        return max(self.least, memory_mb * 800_000 // self.item_bytes)

    def wanted(self, memory_mb: int, nodes: int | None, seconds: float = float("inf")) -> int:
        """Return the capacity for a question."""
        expected = min(seconds * self.nodes_per_second, float("inf") if nodes is None else nodes)
        useful = self.most if expected == float("inf") else max(int(expected), self.usual)
        return 1 << (max(self.least, min(self.within(memory_mb), useful)).bit_length() - 1)


@dataclass(frozen=True)
class SearchProgram:
    """A search that native code and WebAssembly modules share; ``fields`` are those of its workspace, in order.

    ``first_slice`` is how many nodes take some milliseconds, to begin with. Where results are ``sampled``, they differ
    with the seed at full strength too, and what searches with different seeds found can be averaged. ``history`` is
    whether it reads the moves that led to a position, as engines of games with secrets do. ``seed`` is that of
    questions that name none. ``appraises`` is whether it can be asked what a move was worth, ``exact`` whether it knows
    that without an error.
    """

    name: str
    workspace: type
    start: Program
    resume: Program
    fields: tuple[Field, ...]
    capacity: Capacity | None = None
    first_slice: int = 500
    sampled: bool = False
    history: bool = False
    seed: int = 0
    appraises: bool = False
    exact: bool = False

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs to be linked."""
        return self.start, self.resume


def question_words(
    level: Level,
    *,
    seat: int,
    nodes: int | None,
    seed: int,
    lines: int = 1,
    interrupt: bool = False,
    appraised: int | None = None,
    engine: Sequence[int] = (),
) -> NDArray[np.int64]:
    """Return a question as ``start_search`` takes it.

    ``nodes`` are those of the level and the caller together; ``appraised`` is the code of the move that is to be
    appraised, -1 for the state alone.
    """
    words = np.zeros(QUESTION, dtype=np.int64)
    words[: Q_ENGINE + len(engine)] = [
        seat,
        level.number,
        nodes or 0,
        level.depth or 0,
        level.noise,
        level.oversight,
        level.lapses,
        seed & 0x7FFFFFFF,
        lines,
        interrupt,
        0 if appraised is None else appraised + 2,
        *engine,
    ]
    return words


def root_words(state: State, codes: Sequence[int] = ()) -> NDArray[np.int64]:
    """Return what ``start_search`` takes as its root: a state, and the codes of the moves that led to it."""
    return np.concatenate([state, np.array(codes, dtype=np.int64)])
