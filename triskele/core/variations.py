"""Lines with comments and variations: a game as a tree of moves, kept as plain data and edited as a :class:`GameTree`.

A **line** is a run of moves from a position on. An **annotation** belongs to the position after ``at`` of its moves: a
comment, marks on the board, and **variations**, other lines from that position on. As JSON::

    {"moves": ["e5", "f6"], "annotations": [
      {"at": 1, "comment": "Usual.", "marks": [["f6"], ["e5", "e8"]], "variations": [{"moves": ["g7"]}]}
    ]}

A mark is a place (one token) or an arrow (two). The moves of a game are such a line, and a record of it
(:mod:`triskele.core.records`) has the annotations beside them. Nothing is taken on trust: :func:`read_annotations`
checks the form and the limits, :func:`check_variations` that every variation is legal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triskele.core.document import Item, refused_at
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.record_parts import MOVES_LIMIT, TEXT_LIMIT
from triskele.core.words import text

NODES_LIMIT = 5_000
"""No game has more moves in all its variations together."""
COMMENT_LIMIT = 2_000
"""No comment has more characters."""
DEPTH_LIMIT = 40
"""Variations of variations go no deeper."""
MARKS_LIMIT = 100
"""No position has more marks."""

Path = tuple[int, ...]
"""The way from the root of a tree to a node: at each node, which of its children."""
Mark = tuple[str, ...]

_ANNOTATION_OPTIONAL = frozenset(("comment", "marks", "variations"))


@dataclass(frozen=True)
class Annotation:
    """What is said about the position after ``at`` moves of a line. One that says nothing is not kept."""

    at: int
    comment: str = ""
    marks: tuple[Mark, ...] = ()
    variations: "tuple[Line, ...]" = ()

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        parts = {
            "comment": self.comment,
            "marks": [list(mark) for mark in self.marks],
            "variations": [line.document() for line in self.variations],
        }
        return {"at": self.at, **{key: value for key, value in parts.items() if value}}


@dataclass(frozen=True)
class Line:
    """Moves, and what is said about the positions after them."""

    moves: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        said = {"annotations": [each.document() for each in self.annotations]} if self.annotations else {}
        return {"moves": list(self.moves), **said}


# --- reading --------------------------------------------------------------------------------------


class _Budget:
    """Counts the moves of all variations of a game."""

    def __init__(self) -> None:
        self.left = NODES_LIMIT

    def take(self, moves: Item, number: int) -> None:
        self.left -= number
        if self.left < 0:
            raise moves.refused(text("core.variation-nodes", limit=NODES_LIMIT))


def read_line(document: Item) -> Line:
    """Return the line in a document; ``RecordError`` names the place that is wrong, and why."""
    items = document.fields(frozenset(("moves",)), frozenset(("annotations",)))
    moves = tuple(item.string(TEXT_LIMIT) for item in items["moves"].items(MOVES_LIMIT))
    return Line(moves, read_annotations(items["annotations"], moves) if "annotations" in items else ())


def read_annotations(annotations: Item, moves: Sequence[str]) -> tuple[Annotation, ...]:
    """Return the annotations of a line's moves; ``RecordError`` names the place that is wrong, and why."""
    return _read_annotations(annotations, moves, 0, 1, _Budget())


def _read_annotations(
    annotations: Item, moves: Sequence[str], first: int, depth: int, budget: _Budget
) -> tuple[Annotation, ...]:
    found: list[Annotation] = []
    for item in annotations.items(MOVES_LIMIT):
        read = _read_annotation(item, moves, first, depth, budget)
        if found and read.at <= found[-1].at:
            raise item.refused(text("core.annotation-order"))
        found.append(read)
    return tuple(found)


def _read_annotation(item: Item, moves: Sequence[str], first: int, depth: int, budget: _Budget) -> Annotation:
    items = item.fields(frozenset(("at",)), _ANNOTATION_OPTIONAL)
    at = items["at"].integer(first, len(moves))
    comment = items["comment"].prose(COMMENT_LIMIT) if "comment" in items else ""
    marks = tuple(map(_read_mark, items["marks"].items(MARKS_LIMIT))) if "marks" in items else ()
    variations = []
    known = {moves[at]} if at < len(moves) else set()
    for line in items["variations"].items(NODES_LIMIT) if "variations" in items else []:
        if depth > DEPTH_LIMIT:
            raise line.refused(text("core.variation-depth", limit=DEPTH_LIMIT))
        read = _read_variation(line, depth, budget)
        if at == len(moves):
            raise line.refused(text("core.variation-of-nothing"))
        if read.moves[0] in known:
            raise line.refused(text("core.variation-twice", move=read.moves[0]))
        known.add(read.moves[0])
        variations.append(read)
    return Annotation(at, comment, marks, tuple(variations))


def _read_mark(mark: Item) -> Mark:
    tokens = tuple(item.string(TEXT_LIMIT) for item in mark.items(2))
    if not tokens or len(set(tokens)) < len(tokens):
        raise mark.refused(text("core.annotation-mark"))
    return tokens


def _read_variation(line: Item, depth: int, budget: _Budget) -> Line:
    items = line.fields(frozenset(("moves",)), frozenset(("annotations",)))
    written = items["moves"].items(MOVES_LIMIT)
    budget.take(items["moves"], len(written))
    moves = tuple(item.string(TEXT_LIMIT) for item in written)
    if not moves:
        raise items["moves"].refused(text("core.variation-empty"))
    if "annotations" not in items:
        return Line(moves)
    return Line(moves, _read_annotations(items["annotations"], moves, 1, depth + 1, budget))


def check_variations(position: Position, line: Line, place: str = "annotations") -> None:
    """Check that all variations of a line are legal; ``position`` is where it begins, and stays so.

    ``RecordError`` names the place of the first move that fails, and why. The line's own moves must be legal.
    """
    before, made = position.copy(), 0
    for number, annotation in enumerate(line.annotations):
        for written in line.moves[made : annotation.at]:
            before.push(written)
        made = annotation.at
        for which, variation in enumerate(annotation.variations):
            there = f"{place}[{number}].variations[{which}]"
            branch = before.copy()
            for ply, written in enumerate(variation.moves):
                try:
                    branch.push(written)
                except IllegalMove as error:
                    why = text("core.record-move", number=len(branch.moves) + 1, why=error.text)
                    raise refused_at(f"{there}.moves[{ply}]", why) from None
            check_variations(before, variation, f"{there}.annotations")


def annotations_along(line: Line, moves: Sequence[str]) -> tuple[Annotation, ...]:
    """Return what a line says about the positions that it shares with other moves from the same beginning.

    Where the two part, variations stay that are not what was played instead.
    """
    pairs = enumerate(zip(line.moves, moves, strict=False))
    shared = next((at for at, (mine, other) in pairs if mine != other), min(len(line.moves), len(moves)))
    found = [each for each in line.annotations if each.at < shared]
    for last in line.annotations:
        if last.at == shared:
            others = last.variations if shared < len(moves) else ()  # at the end there is nothing to vary
            varied = tuple(each for each in others if each.moves[0] != moves[shared])
            if last.comment or last.marks or varied:
                found.append(replace(last, variations=varied))
    return tuple(found)


def _pushed(position: Position, moves: Sequence[str]) -> Position:
    after = position.copy()
    for written in moves:
        after.push(written)
    return after


# --- the tree -------------------------------------------------------------------------------------


@dataclass
class Node:
    """A move of a tree, what is said of the position after it, and the moves that follow: the main line's first."""

    move: str = ""
    comment: str = ""
    marks: tuple[Mark, ...] = ()
    children: "list[Node]" = field(default_factory=list)


class GameTree:
    """A game with variations, to be edited. Every edit is checked by the rules and the limits, and refused as a whole.

    A node is named by its :data:`Path`; the root, the position that the tree begins with, has the path ``()``.
    """

    def __init__(self, start: Position, line: Line | None = None) -> None:
        """Begin with a position, whose own moves do not belong to the tree, and perhaps a line that is legal there."""
        self.start = start.copy()
        self.root = Node()
        if line is not None:
            self._graft(self.root, line)

    def _graft(self, node: Node, line: Line) -> None:
        """Append a line below a node."""
        said: Mapping[int, Annotation] = {each.at: each for each in line.annotations}
        branches: list[tuple[Node, tuple[Line, ...]]] = []
        for at in range(len(line.moves) + 1):
            annotation = said.get(at)
            if annotation is not None:
                node.comment = annotation.comment or node.comment
                node.marks = annotation.marks or node.marks
                branches.append((node, annotation.variations))
            if at < len(line.moves):
                child = Node(line.moves[at])
                node.children.append(child)
                node = child
        for parent, variations in branches:
            for variation in variations:
                self._graft(parent, variation)

    # --- looking -------------------------------------------------------------------------------

    def node(self, path: Path) -> Node:
        """Return a node; ``IndexError`` if the tree has none there."""
        found = self.root
        for index in path:
            found = found.children[index]
        return found

    def moves(self, path: Path) -> list[str]:
        """Return the moves from the root to a node."""
        found, made = self.root, []
        for index in path:
            found = found.children[index]
            made.append(found.move)
        return made

    def position(self, path: Path) -> Position:
        """Return the position at a node, with all moves that lead to it."""
        return _pushed(self.start, self.moves(path))

    def main(self, path: Path = ()) -> Path:
        """Return the path of the last node of the main line from a node on."""
        found, longer = self.node(path), list(path)
        while found.children:
            found = found.children[0]
            longer.append(0)
        return tuple(longer)

    def walk(self) -> Iterator[tuple[Path, Node]]:
        """Yield all nodes but the root, each before those below it."""
        pending: list[tuple[Path, Node]] = [((), self.root)]
        while pending:
            path, node = pending.pop()
            if path:
                yield path, node
            pending += [((*path, i), child) for i, child in reversed(list(enumerate(node.children)))]

    def line(self) -> Line:
        """Return the tree as plain data: the main line with its annotations."""
        return line_below(self.root)

    # --- editing -------------------------------------------------------------------------------

    def push(self, path: Path, move: Move | str) -> Path:
        """Add a move below a node and return its path; one that is there already is not added again.

        ``IllegalMove`` says why it cannot be made, ``RecordError`` that the tree would become too large.
        """
        node = self.node(path)
        written = self.position(path).find(move).text
        for index, child in enumerate(node.children):
            if child.move == written:
                return (*path, index)
        longer = (*path, len(node.children))
        beside = sum(1 for other, _ in self.walk() if any(other))
        if any(longer) and beside >= NODES_LIMIT:
            raise RecordError(text("core.variation-nodes", limit=NODES_LIMIT))
        if sum(map(bool, longer)) > DEPTH_LIMIT:
            raise RecordError(text("core.variation-depth", limit=DEPTH_LIMIT))
        if len(longer) > MOVES_LIMIT:
            raise RecordError(text("core.json-too-many-items", limit=MOVES_LIMIT))
        node.children.append(Node(written))
        return longer

    def promote(self, path: Path) -> Path:
        """Make a node's move the first of those that begin where it does; return its new path."""
        if not path:
            return path
        siblings = self.node(path[:-1]).children
        siblings.insert(0, siblings.pop(path[-1]))
        return (*path[:-1], 0)

    def delete(self, path: Path) -> Path:
        """Delete a node with all below it; return the path of the node before it. The root only loses what is below."""
        if not path:
            self.root.children.clear()
            return path
        del self.node(path[:-1]).children[path[-1]]
        return path[:-1]

    def comment(self, path: Path, comment: str) -> None:
        """Say something about the position at a node, or nothing. ``RecordError`` if it is too long."""
        self.node(path).comment = Item(comment, "comment").prose(COMMENT_LIMIT) if comment else ""

    def mark(self, path: Path, marks: Sequence[Sequence[str]]) -> None:
        """Mark places (one token) and draw arrows (two) at a node, instead of those there are."""
        item = Item([list(mark) for mark in marks], "marks")
        self.node(path).marks = tuple(map(_read_mark, item.items(MARKS_LIMIT)))


def line_below(node: Node, first: tuple[str, ...] = ()) -> Line:
    """Return the main line below a node; ``first`` are the moves that lead into it and belong to the same line."""
    moves, annotations = list(first), []
    while True:
        others = tuple(line_below(child, (child.move,)) for child in node.children[1:])
        said = Annotation(len(moves), node.comment, node.marks, others)
        if node.comment or node.marks or others:
            annotations.append(said)
        if not node.children:
            return Line(tuple(moves), tuple(annotations))
        node = node.children[0]
        moves.append(node.move)
