"""A parser of untrusted SGF (Smart Game Format): games as lists of nodes, read within limits.

The format (https://www.red-bean.com/sgf/) is brackets and semicolons: ``(;GM[24]SU[Yinsh];P0[1 place wr  G 2])``. Any
text gives games or a ``RecordError`` that names the line, in time and memory linear in its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from triskele.core.document import shown
from triskele.core.errors import RecordError
from triskele.core.words import Text, text

BYTES_LIMIT = 16 * 1024 * 1024
"""Larger files are refused unread."""
GAMES_LIMIT = 10_000
"""No file has more games."""
NODES_LIMIT = 20_000
"""No game has more nodes, those of variations included."""
PROPERTIES_LIMIT = 1_000
"""No node has more properties."""
VALUE_LIMIT = 65_536
"""No property is longer."""
DEPTH_LIMIT = 1_000
"""Brackets go no deeper. Wherever there is a variation, the rest of the main line stands one deeper."""

# Possessive, so that a value without end is found out in one pass.
_TOKEN = re.compile(r"\s*+(?:([();])|([A-Za-z][A-Za-z0-9]*+)\s*+(?=\[)|\[((?:[^\]\\]++|\\.)*+)\])", re.DOTALL)
_CUT = re.compile(r"\[|[A-Za-z0-9]*+\s*+\Z")
"""How the rest of a text begins that has lost its end: a value that is not closed, a name, or nothing."""
_BLANK = re.compile(r"\s*+")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


@dataclass(frozen=True)
class Node:
    """A node of a game: where it stands, and its properties in order, values without their brackets.

    ``parent`` is the node that it follows; the first has none.
    """

    number: int
    line: int
    properties: list[tuple[str, str]] = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False, compare=False)

    def get(self, name: str) -> str:
        """Return the first value of a property, empty if there is none."""
        return next((value for key, value in self.properties if key == name), "")

    def written(self) -> str:
        """Return the properties as they stand in the file, or nearly so."""
        return "".join(f"{name}[{value}]" for name, value in self.properties)


@dataclass(frozen=True)
class Game:
    """A game: the nodes of its main line, and those of all variations, each after its parent."""

    main: list[Node] = field(default_factory=list)
    variations: list[Node] = field(default_factory=list)


def refused(line: int, why: Text) -> RecordError:
    """Return the error that names a line and the reason."""
    return RecordError(text("core.sgf-at", line=line, why=why))


def read_sgf(data: bytes | str) -> Iterator[Game]:
    """Yield each game in turn. ``RecordError`` names the line that is wrong, and why."""
    yield from _Reader(_decoded(data)).games()


def escaped(value: str) -> str:
    """Return a value as it stands between brackets."""
    return value.replace("\\", "\\\\").replace("]", "\\]")


def _decoded(data: bytes | str) -> str:
    if len(data) > BYTES_LIMIT:
        raise RecordError(text("core.sgf-too-large", limit=BYTES_LIMIT))
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # as sites wrote before; any bytes are text then, and the grammar decides


def _plain(value: str) -> str:
    """Return a value without its escapes: a backslash before a line's end joins the lines."""
    return _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)


class _Reader:
    def __init__(self, written: str) -> None:
        self.written = written
        self.place = 0
        self.line = 1

    def games(self) -> Iterator[Game]:
        """Yield games as long as there are any; text that is none is refused."""
        for _ in range(GAMES_LIMIT):
            self._skip_blank()
            if self.place == len(self.written):
                return
            if self.written[self.place] != "(":
                raise refused(self.line, text("core.sgf-no-game", found=shown(self.written[self.place :][:20])))
            yield self._game()
        raise refused(self.line, text("core.sgf-too-many", limit=GAMES_LIMIT))

    def _skip_blank(self) -> None:
        match = _BLANK.match(self.written, self.place)
        assert match is not None
        self._move_to(match.end())

    def _move_to(self, place: int) -> None:
        self.line += self.written.count("\n", self.place, place)
        self.place = place

    def _token(self) -> re.Match[str]:
        match = _TOKEN.match(self.written, self.place)
        if match is None:
            self._skip_blank()
            if _CUT.match(self.written, self.place):
                raise refused(self.line, text("core.sgf-cut"))
            raise refused(self.line, text("core.sgf-broken", found=shown(self.written[self.place :][:20])))
        return match

    def _game(self) -> Game:
        """Read from an opening bracket to the one that closes it."""
        game = Game()
        heads: list[Node | None] = []  # for each open bracket: the last node in it
        branched: list[bool] = []  # and whether a variation has been seen in it
        beside = 0  # the depth of the variation that is being read; 0 in the main line
        name = ""
        while True:
            match = self._token()
            self._skip_blank()
            mark, found, value = match.groups()
            if mark == "(":
                if len(branched) == DEPTH_LIMIT:
                    raise refused(self.line, text("core.sgf-too-deep", limit=DEPTH_LIMIT))
                if branched and branched[-1] and not beside:
                    beside = len(branched) + 1
                if branched:
                    branched[-1] = True
                branched.append(False)
                heads.append(heads[-1] if heads else None)
                name = ""
            elif mark == ")":
                if beside == len(branched):
                    beside = 0
                branched.pop()
                heads.pop()
                name = ""
            elif mark == ";":
                number = len(game.main) + len(game.variations)
                if number == NODES_LIMIT:
                    raise refused(self.line, text("core.sgf-too-many", limit=NODES_LIMIT))
                node = heads[-1] = Node(number, self.line, parent=heads[-1])
                (game.variations if beside else game.main).append(node)
                name = ""
            elif found is not None:
                name = found.upper()
            elif value is not None:
                self._add(heads[-1] if heads else None, name, value)
            self._move_to(match.end())
            if not branched:
                return game

    def _add(self, node: Node | None, name: str, value: str) -> None:
        if node is None or not name:
            raise refused(self.line, text("core.sgf-broken", found=shown(f"[{value[:20]}]")))
        if len(value) > VALUE_LIMIT:
            raise refused(self.line, text("core.sgf-too-long", name=shown(name), limit=VALUE_LIMIT))
        if len(node.properties) == PROPERTIES_LIMIT:
            raise refused(self.line, text("core.sgf-too-many", limit=PROPERTIES_LIMIT))
        node.properties.append((name, _plain(value)))
