"""Drive a search program from Python: its workspace, a question, slices of nodes, and what was found.

The counterpart in JavaScript is ``web/engine/``. The functions that are driven may be plain, compiled, or the exports
of a WebAssembly module (:mod:`triskele.core.wasm.runtime`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.contract.engine import Appraisal
from triskele.core.contract.search_program import (
    CAPACITY,
    F_DEPTH,
    F_LINES,
    F_NODES,
    F_SEATS,
    L_CODES,
    L_LENGTH,
    L_PROVEN,
    ROOT,
    Field,
    SearchProgram,
    Size,
)
from triskele.core.game import Variant

Function = Callable[..., Any]
Allocate = Callable[[tuple[int, ...], str], NDArray[Any]]
"""Returns a new array of zeros of a shape and type."""
Data = Callable[[Field], NDArray[Any]]


@dataclass(frozen=True)
class Line:
    """A principal variation: its moves, a score for each seat, and the moves to a proven end of the game."""

    codes: tuple[int, ...]
    scores: tuple[float, ...]
    proven: int | None


@dataclass(frozen=True)
class Found:
    """What a search has found so far; the best line is the first. Only one asked for an interrupt may have none."""

    depth: int
    nodes: int
    lines: tuple[Line, ...]


def appraisal_of(variant: Variant, found: Found) -> Appraisal:
    """Return the answer of a search that was asked what a move was worth."""
    best = found.lines[0]
    played = found.lines[1] if len(found.lines) > 1 else best
    return Appraisal(tuple(variant.move(code).text for code in best.codes), best.scores, played.scores)


class SearchDriver:
    """A search program with its workspace, which is kept from one question to the next."""

    def __init__(self, program: SearchProgram, allocate: Allocate = np.zeros, data: Data | None = None) -> None:
        """Allocate nothing yet: :meth:`provide` does, when the sizes are known.

        ``data`` says where the arrays that never change are, if the program's own are not to be used.
        """
        self.program = program
        self._allocate = allocate
        self._data = data
        self._sizes = {ROOT: 0, CAPACITY: 0}
        self._arrays: dict[str, NDArray[Any]] = {}
        self.workspace: Any = None

    def provide(self, root: int, capacity: int = 0) -> None:
        """Have room for states of ``root`` words, and exactly ``capacity``; what has another size begins anew."""
        sizes = {ROOT: self._sizes[ROOT] if root <= self._sizes[ROOT] else 2 * root, CAPACITY: capacity}
        changed = {name for name, size in sizes.items() if size != self._sizes[name]}
        self._sizes = sizes
        for field in self.program.fields:
            depends = any(isinstance(length, Size) and length.name in changed for length in field.shape)
            if depends or field.name not in self._arrays:
                self._arrays[field.name] = self._array(field)
                self.workspace = None
        if self.workspace is None:
            self.workspace = self.program.workspace(**self._arrays)

    @property
    def capacity(self) -> int:
        """The capacity that the workspace has now."""
        return self._sizes[CAPACITY]

    def share(self, name: str, other: "SearchDriver") -> None:
        """Use another driver's array as the field ``name``."""
        self._arrays[name] = other._arrays[name]
        self.workspace = self.program.workspace(**self._arrays)

    def forget(self) -> None:
        """Drop what earlier searches found."""
        self._arrays, self.workspace = {}, None

    def _array(self, field: Field) -> NDArray[Any]:
        if isinstance(field.initial, np.ndarray):
            return field.initial if self._data is None else self._data(field)
        lengths = [part if isinstance(part, int) else self._sizes[part.name] + part.plus for part in field.shape]
        made = self._allocate(tuple(lengths), field.dtype)
        if field.initial != 0:
            made[...] = field.initial
        return made

    def start(self, function: Function, root: State, question: NDArray[np.int64]) -> None:
        """Begin to answer a question about ``root`` by ``start_search``."""
        function(self.workspace, root, question)

    def resume(self, function: Function, budget: int) -> int:
        """Search ``budget`` more nodes by ``resume_search``; return the status."""
        return int(function(self.workspace, budget))

    @property
    def nodes(self) -> int:
        """How many nodes were searched for the last question."""
        return int(self.workspace.found[F_NODES])

    def found(self) -> Found:
        """Return what was found so far."""
        found, rows, scores = self.workspace.found, self.workspace.line_codes, self.workspace.line_scores
        lines = []
        for row, its in zip(rows[: found[F_LINES]].tolist(), scores.tolist(), strict=False):
            proven = row[L_PROVEN] if row[L_PROVEN] >= 0 else None
            lines.append(Line(tuple(row[L_CODES : L_CODES + row[L_LENGTH]]), tuple(its[: found[F_SEATS]]), proven))
        return Found(int(found[F_DEPTH]), int(found[F_NODES]), tuple(lines))
