"""YINSH games of boardspace.net: its records to ours and back.

A record is an SGF of ``GM[24]``: a header, then a node for each step, ``; P0[21 place w  G 2]TM[9453]``: whose step, a
counter, the step, and the milliseconds that player has used. A step stands once ``Done`` follows; until then it can be
taken back by picking the piece up again. What real records have is read: both ways to write a ring's move,
steps taken back, results in any language, records from the days before ``Done`` was written, blitz, more than
one game in a file. What does not replay is refused with the node that fails. Comments (``C``), marks (``CR``, ``MA``,
``SQ``, ``TR``), arrows (``AR[e5:e8]``) and variations are read too; they belong to the move in whose steps they stand.

The side that begins is our seat 0, whatever colour it has there.
"""

import copy
import datetime
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from triskele.core.document import is_line, shown
from triskele.core.errors import IllegalMove, RecordError
from triskele.core.files import read_limited
from triskele.core.position import new
from triskele.core.record_parts import AGREED, MILLISECONDS_LIMIT, NAME_LIMIT, RESIGN, TIME, Ended
from triskele.core.records import Record
from triskele.core.sgf import BYTES_LIMIT, Game, Node, read_sgf
from triskele.core.variations import COMMENT_LIMIT, MARKS_LIMIT, line_below
from triskele.core.variations import Node as TreeNode
from triskele.core.words import text
from triskele.games.yinsh.boardspace_writer import (
    GAME,
    MARK_PROPERTIES,
    MONTHS,
    PLAYERS,
    SETUPS,
    SGF_GAME,
    dumps,
    result_words,
    save,
)

__all__ = ["GAME", "dumps", "games", "load", "loads", "save"]

_WORDS = re.compile(r"[^\s\"]+")
_NAME = re.compile(r"\s*id\s+\"(.*)\"\s*", re.DOTALL | re.IGNORECASE)
_POINT = r"\s+([A-K])\s*(\d{1,2})"
_STEP = re.compile(rf"(\w+)(?:\s+(board|[wb]r?c?))?(?:{_POINT})?(?:{_POINT})?\s*", re.ASCII | re.IGNORECASE)
_PLAYED_AT = re.compile(r"-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)\s*$", re.ASCII)
_DAY = re.compile(r"\w+ (\w{3}) +(\d{1,2})(?: (\d\d):(\d\d):(\d\d) (?:GMT|UTC)| .*)? (\d{4})", re.ASCII)
_ASIDES = frozenset(("id", "time", "name", "fullname", "ranking", "country", "start", "offerdraw", "declinedraw"))
"""What a player's property may begin with that is no step."""


# --- reading --------------------------------------------------------------------------------------


def loads(data: bytes | str) -> list[Record]:
    """Return the games in a file's content. ``RecordError`` names the game and node that fail, and why."""
    return list(games(data))


def load(path: str | os.PathLike[str]) -> list[Record]:
    """Return the games in a file. ``FileError`` or ``RecordError`` says what is wrong."""
    return loads(read_limited(path, BYTES_LIMIT))


def games(data: bytes | str) -> Iterator[Record]:
    """Yield the games one by one, each checked to its end."""
    number = 0
    for number, game in enumerate(read_sgf(data), 1):
        try:
            yield _Replay(game).record()
        except RecordError as error:
            raise RecordError(text("yinsh.boardspace-game", number=number, why=error.text)) from None
    if number == 0:
        raise RecordError(text("core.sgf-empty"))


@dataclass
class _Steps:
    """What has been done since the last ``Done``, of which nothing stands yet."""

    move: str = ""
    """The text of the move, once it is whole."""
    origin: str = ""
    """Where the ring comes from that is in hand, its marker placed."""
    resigned: bool = False
    nodes: list[Node] = field(default_factory=list)
    """All nodes since then."""
    chosen: list[Node] = field(default_factory=list)
    """Those of steps on the board."""


def _step(value: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the verb, the thing and the points of a step, in small letters; ``None`` for what is none."""
    counter, _, rest = value.strip().partition(" ")
    match = _STEP.fullmatch(rest.strip() if counter.isdigit() else value.strip())
    if match is None:
        return None
    verb, thing, *place = match.groups(default="")
    points = tuple(
        f"{letter.lower()}{int(number)}" for letter, number in zip(place[::2], place[1::2], strict=True) if letter
    )
    return verb.lower(), thing.lower(), points


class _Replay:
    """Plays a record's steps, and knows at which node it is."""

    def __init__(self, game: Game) -> None:
        nodes = self.nodes = game.main
        if not nodes:
            raise RecordError(text("core.sgf-empty"))
        self.branches: dict[int, list[Node]] = defaultdict(list)
        """The nodes of variations by the number of the node that they follow."""
        for node in game.variations:
            if node.parent is not None:
                self.branches[node.parent.number].append(node)
        self.tree = self.at = TreeNode()
        """The tree of moves that is being made, and where in it this replay is."""
        self.said: list[tuple[str, str]] = []
        """Properties that say something about the move to come."""
        self.header = self.node = nodes[0]
        setup = self.header.get("SU").strip().lower() or GAME
        if self.header.get("GM").strip() not in (SGF_GAME, "") or setup not in SETUPS or not self._has_players():
            found = f"GM[{self.header.get('GM')}]SU[{self.header.get('SU')}]"
            raise RecordError(text("yinsh.boardspace-foreign", found=shown(found)))
        self.position = new(GAME, blitz=SETUPS[setup])
        self.steps = _Steps()
        self.beginner: int | None = None
        self.colours: dict[int, str] = {}
        self.resigning = 0
        self.ended: Ended | None = None
        self.used = [0, 0]
        self.times: list[int | None] = []
        self.has_dones = any(
            step is not None and step[0] == "done"
            for node in nodes
            for _, value in _own(node)
            if (step := _step(value))
        )

    def _has_players(self) -> bool:
        return any(name in PLAYERS for node in self.nodes for name, _ in node.properties)

    def record(self) -> Record:
        """Return the record of the game; ``RecordError`` names the node that fails."""
        left: list[tuple[_Replay, Node]] = []  # variations, each with what was done before it
        try:
            for node in self.nodes:
                self._take(node)
                left += [(self._copy(), first) for first in self.branches.get(node.number, ())]
            self._commit()
            self._annotate()
            self._check_result()
        except (RecordError, IllegalMove) as error:
            raise self._refused(error) from None
        while left:
            replay, first = left.pop(0)
            left += replay.variation(first)
        return Record.of(
            self.position,
            seats=self._names(),
            date=_date(self.header),
            times=self.times,
            ended=self.ended,
            annotations=line_below(self.tree).annotations,
        )

    def variation(self, first: Node) -> "list[tuple[_Replay, Node]]":
        """Play a variation to its end; return those that begin within it."""
        left: list[tuple[_Replay, Node]] = []
        node: Node | None = first
        try:
            while node is not None:
                self._take(node)
                following = self.branches.get(node.number, [])
                left += [(self._copy(), other) for other in following[1:]]
                node = following[0] if following else None
            self._commit()
            self._annotate()
        except (RecordError, IllegalMove) as error:
            raise self._refused(error) from None
        return left

    def _copy(self) -> "_Replay":
        twin = copy.copy(self)
        twin.position = self.position.copy()
        twin.steps = replace(self.steps, nodes=list(self.steps.nodes), chosen=list(self.steps.chosen))
        twin.colours, twin.used = dict(self.colours), list(self.used)
        twin.times, twin.said = list(self.times), list(self.said)
        return twin

    def _refused(self, error: RecordError | IllegalMove) -> RecordError:
        number, line, written = self.node.number, self.node.line, shown(self.node.written())
        return RecordError(text("yinsh.boardspace-node", node=number, line=line, shown=written, why=error.text))

    def _take(self, node: Node) -> None:
        self.node = node
        # Of the header, its comment is about the game and not about the first move.
        self.said += [(name, value) for name, value in node.properties if name == "C" or name in MARK_PROPERTIES]
        if node is self.header:
            self._annotate()
        for player, value in _own(node):
            self._read(player, value)

    def _annotate(self) -> None:
        """Add what was said to the move made last."""
        said, self.said = self.said, []
        comments = [comment for name, value in said if name == "C" if (comment := _prose(value))]
        comment = "\n".join([*([self.at.comment] if self.at.comment else []), *comments])
        marks = [tuple(value.strip().lower().split(":")) for name, value in said if name != "C"]
        fitting = [mark for mark in marks if len(mark) <= 2 and all(mark) and len(set(mark)) == len(mark)]
        if len(comment) > COMMENT_LIMIT:
            raise RecordError(text("core.json-text-length", limit=COMMENT_LIMIT))
        self.at.comment = comment
        self.at.marks = tuple(dict.fromkeys((*self.at.marks, *fitting)))[:MARKS_LIMIT]

    # --- steps --------------------------------------------------------------------------------------

    def _read(self, player: int, value: str) -> None:
        words = _WORDS.findall(value)
        first = next((word.lower() for word in words if not word.isdigit()), "")
        if first in _ASIDES or not words:
            return
        step = _step(value)
        if step is None:
            raise RecordError(text("yinsh.boardspace-step", step=shown(value)))
        verb, thing, points = step
        if self.ended is not None:
            if verb == "done":
                return
            raise RecordError(text("core.game-over", move=shown(value)))
        if self.beginner is None:
            self.beginner = player
        if self._is_over_without_done(player, verb):
            self._commit()
        self.steps.nodes.append(self.node)
        if verb == "done":
            self._commit()
        elif verb == "resign":
            self._resign(player)
        elif verb == "gameoverontime":
            winner = self._stated_winner()
            self._end(Ended(TIME, 1 - (self._seat(player) if winner is None else winner)))
        elif verb == "acceptdraw":
            self._end(Ended(AGREED))
        else:
            self._check_turn(player, thing)
            self._do(verb, thing, points, value)
            self.steps.chosen.append(self.node)

    def _is_over_without_done(self, player: int, verb: str) -> bool:
        """Whether the step before is over without a word: the other side goes on, or nobody ever says ``Done``."""
        if not self.steps.move or verb == "done":
            return False
        return self._seat(player) != self.position.turn or (not self.has_dones and verb not in ("pick", "drop"))

    def _seat(self, player: int) -> int:
        return int(player != self.beginner)

    def _check_turn(self, player: int, thing: str) -> None:
        if self.position.turn is not None and self._seat(player) != self.position.turn:
            raise RecordError(text("yinsh.boardspace-turn", player=PLAYERS[1 - player]))
        if thing not in ("", "board"):
            colour = self.colours.setdefault(player, thing[0])
            if colour != thing[0] or self.colours.get(1 - player) == colour:
                raise RecordError(text("yinsh.boardspace-colour", player=PLAYERS[player], colour=thing[0]))

    def _do(self, verb: str, thing: str, points: tuple[str, ...], value: str) -> None:
        """Take a step on the board: it is undone, changed or replaced by others until it is done."""
        steps, ring, marker = self.steps, thing.endswith("r"), thing in ("w", "b")
        match verb, points:
            case "place", (point,) if ring:
                steps.move = point
            case "place", (point,) if marker:
                steps.move, steps.origin = "", point
            case "move", (origin, target):
                steps.move, steps.origin = f"{origin}-{target}", origin
            case "remove", (point,) if ring:
                steps.move = f"x{point}"
            case "remove", (first, last) if marker:
                ends = sorted((first, last), key=lambda point: (point[0], int(point[1:])))
                steps.move = f"x{'-'.join(ends)}"
            case "pass", ():
                steps.move = "pass"
            case "pick", _:
                steps.move = ""
            case "drop", (point,) if thing == "board":
                self._drop(point)
            case "drop", ():  # back into the pool, with whatever was begun
                steps.move = steps.origin = ""
            case (("undo" | "reset"), ()) if steps.move or steps.origin or len(steps.nodes) > 1:
                steps.move = steps.origin = ""
            case _:
                raise RecordError(text("yinsh.boardspace-step", step=shown(value)))

    def _drop(self, point: str) -> None:
        """Put down what is in hand: in the opening a ring, later a marker into a ring, then the ring."""
        steps = self.steps
        if not steps.origin:
            opening = any(move.text == point for move in self.position.legal_moves)
            steps.move, steps.origin = (point, "") if opening else ("", point)
        elif steps.origin == point:
            steps.move = steps.origin = ""
        else:
            steps.move = f"{steps.origin}-{point}"

    def _resign(self, player: int) -> None:
        self.steps.resigned = not self.steps.resigned  # once more takes it back
        self.resigning = self._seat(player)

    def _end(self, ended: Ended) -> None:
        self.steps = _Steps()
        if self.position.outcome() is None:
            self.ended = ended

    def _commit(self) -> None:
        """Make what was done stand."""
        steps, self.steps = self.steps, _Steps()
        if steps.resigned:
            self._end(Ended(RESIGN, self.resigning))
        elif steps.move:
            seat, here = self.position.turn, self.node
            self.node = steps.chosen[-1]  # if the move cannot be, that is where it went wrong
            self.position.push(steps.move)
            self.node = here
            assert seat is not None  # a move was legal
            self._grow(steps.move)
            self.times.append(self._time(seat, steps.nodes))

    def _grow(self, move: str) -> None:
        """Go on to the move in the tree; a variation may say again what is there."""
        known = next((child for child in self.at.children if child.move == move), None)
        if known is None:
            known = TreeNode(move)
            self.at.children.append(known)
        self.at = known
        self._annotate()

    def _time(self, seat: int, nodes: Sequence[Node]) -> int | None:
        """Return how long the steps took: a node tells what the player has used so far."""
        told = [value for node in nodes if (value := node.get("TM").strip()).isdecimal() and value.isascii()]
        if not told or len(told[-1]) > 12:
            return None
        taken = int(told[-1]) - self.used[seat]
        self.used[seat] = int(told[-1])
        return taken if 0 <= taken <= MILLISECONDS_LIMIT else None

    # --- the header ---------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        """Return the names of our seats."""
        names = ["?", "?"]
        for player, value in _own(self.header):
            match = _NAME.fullmatch(value)
            if match is not None:
                name = "".join(c for c in " ".join(match[1].split()) if c.isprintable())[:NAME_LIMIT]
                names[player] = name or "?"
        return names if self.beginner in (0, None) else names[::-1]

    def _stated_winner(self) -> int | None:
        """Return the seat whose name the result has in it, in whatever language; ``None`` for none or both."""
        stated, names = self.header.get("RE"), self._names()
        found = [seat for seat in (0, 1) if names[seat] != "?" and names[seat] in stated]
        if len(found) == 2 and names[0] != names[1]:  # one may be a part of the other
            longer = max(found, key=lambda seat: len(names[seat]))
            rest = stated.replace(names[longer], "")
            found = [longer] if names[1 - longer] not in rest else []
        return found[0] if len(found) == 1 else None

    def _check_result(self) -> None:
        winner = self._stated_winner()
        outcome = self.position.outcome() if self.ended is None else self.ended.outcome(2)
        if winner is not None and (outcome is None or outcome.winners != (winner,)):
            reached = text("yinsh.boardspace-unfinished") if outcome is None else result_words(outcome, self._names())
            stated = shown(self.header.get("RE"))
            raise RecordError(text("yinsh.boardspace-result", stated=stated, reached=reached))


def _prose(value: str) -> str:
    """Return a comment without what cannot be shown."""
    return "\n".join("".join(filter(is_line, line)).strip() for line in value.splitlines()).strip()


def _own(node: Node) -> Iterator[tuple[int, str]]:
    """Yield the properties of a node that belong to a player."""
    for name, value in node.properties:
        if name in PLAYERS:
            yield PLAYERS.index(name), value


def _date(header: Node) -> str | None:
    """Return when it was played, if that is told in universal time, as a game's name does at its end; else the day."""
    written = _DAY.fullmatch(header.get("DT").strip())
    named = _PLAYED_AT.search(header.get("GN"))
    try:
        if written is not None and written[1] in MONTHS:
            day = datetime.date(int(written[6]), 1 + MONTHS.index(written[1]), int(written[2]))
            if written[3]:
                return _moment(day, *map(int, written.group(3, 4, 5)))
            if named is None:
                return day.isoformat()
        if named is not None:
            return _moment(datetime.date(*map(int, named.group(1, 2, 3))), *map(int, named.group(4, 5)))
    except ValueError:
        pass
    return None


def _moment(day: datetime.date, hour: int, minute: int, second: int = 0) -> str:
    return f"{day.isoformat()}T{datetime.time(hour, minute, second).isoformat()}Z"
