"""Records of YINSH written as boardspace.net writes them; :mod:`.boardspace` reads them and says what they are.

What Boardspace does not know is written as SGF has it: comments, marks, arrows and variations.
"""

import datetime
import os
from collections.abc import Iterable, Iterator, Sequence

from triskele.core.errors import RecordError
from triskele.core.files import write_atomic
from triskele.core.moves import Outcome
from triskele.core.position import Position
from triskele.core.record_parts import RESIGN, TIME, Ended
from triskele.core.records import Record
from triskele.core.sgf import escaped
from triskele.core.variations import GameTree, Node
from triskele.core.words import text

GAME = "yinsh"
SGF_GAME = "24"
SETUPS = {"yinsh": False, "yinsh-blitz": True}
"""What a record says was played -> whether it was blitz."""
PLAYERS = ("P0", "P1")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MARK_PROPERTIES = frozenset(("CR", "MA", "SQ", "TR", "AR"))
"""Properties of SGF that mark a place, or two with an arrow."""

_COLOURS = "wb"
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def dumps(records: Iterable[Record]) -> str:
    """Return games as Boardspace writes them. ``RecordError`` says which cannot be written there."""
    return "".join(_written(record) for record in records)


def save(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write games to a file, wholly or not at all. ``FileError`` or ``RecordError`` says why it cannot be."""
    write_atomic(path, dumps(records))


def result_words(outcome: Outcome, names: Sequence[str]) -> str:
    """Return the result as Boardspace states it."""
    if not outcome.winners:
        return "The game is a draw"
    return f"Game won by {names[outcome.winners[0]]}"


def _place(point: str) -> str:
    return f"{point[0].upper()} {point[1:]}"


def _as_step(move: str, seat: int) -> str:
    """Return a move's text as a step of Boardspace."""
    colour = _COLOURS[seat]
    if move == "pass":
        return "Pass "
    if not move.startswith("x"):
        points = [_place(point) for point in move.split("-")]
        return f"move {' '.join(points)}" if len(points) == 2 else f"place {colour}r  {points[0]}"
    points = [_place(point) for point in move[1:].split("-")]
    return f"remove {colour if len(points) == 2 else colour + 'r'} {' '.join(points)}"


def _ending(ended: Ended) -> list[tuple[int, str]]:
    """Return the steps that end a game outside the rules."""
    if ended.kind == RESIGN and ended.seat is not None:
        return [(ended.seat, "Resign "), (ended.seat, "Done ")]
    if ended.kind == TIME and ended.seat is not None:
        return [(1 - ended.seat, "GameOverOnTime ")]
    return [(0, "OfferDraw "), (1, "AcceptDraw ")]


def _written(record: Record) -> str:
    if record.game != GAME:
        raise RecordError(text("yinsh.boardspace-only", game=record.game))
    if record.start is not None:
        raise RecordError(text("yinsh.boardspace-start"))
    final: Position = record.replay()
    outcome = final.outcome() if record.ended is None else record.ended.outcome(2)
    lines = [f"{name}[{escaped(value)}]" for name, value in _header(record, outcome) if value]
    tree = GameTree(Position(final.variant), record.line())
    lines += _said(tree.root)
    writer = _Writer(record)
    body = ["; P0[0 Start White]", *writer.written(tree.root, Position(final.variant), 1, timed=True)]
    return "\n".join(["(;", *lines, *body, ")"]) + "\n"


def _said(node: Node) -> list[str]:
    """Return what a node says, as properties."""
    comment = [f"C[{escaped(node.comment)}]"] if node.comment else []
    marks = [f"{'CR' if len(mark) == 1 else 'AR'}[{escaped(':'.join(mark))}]" for mark in node.marks]
    return comment + marks


class _Writer:
    """Writes the steps of a game and its variations."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.used = [0, 0]

    def written(self, node: Node, position: Position, number: int, timed: bool = False) -> list[str]:
        """Return the lines of all below a node; ``number`` counts steps. With ``timed`` it is the game itself."""
        lines: list[str] = []
        branches: list[tuple[list[Node], Position, int]] = []
        ply = 0
        while node.children:
            main, *others = node.children
            if others:
                lines.append("(")
                branches.append((others, position.copy(), number))
            lines += self._steps(main, position, number, self.record.moves[ply].ms if timed else None)
            number += 2
            ply += 1
            node = main
        if timed:
            lines += self._end(number)
        for others, before, counted in reversed(branches):
            lines.append(")")
            for other in others:
                after = before.copy()
                lines += ["(", *self._steps(other, after, counted, None), *self.written(other, after, counted + 2), ")"]
        return lines

    def _steps(self, node: Node, position: Position, number: int, ms: int | None) -> list[str]:
        """Make a move and return its two nodes."""
        seat = position.turn
        assert seat is not None  # the moves were replayed
        position.push(node.move)
        self.used[seat] += ms or 0
        time = "" if ms is None else f"TM[{self.used[seat]}]"
        said = "".join(_said(node))
        step = f"; {PLAYERS[seat]}[{number} {_as_step(node.move, seat)}]{time}{said}"
        return [step, f"; {PLAYERS[seat]}[{number + 1} Done ]{time}"]

    def _end(self, number: int) -> list[str]:
        """Return what follows the last move: an end outside the rules, and the clocks."""
        steps = [] if self.record.ended is None else _ending(self.record.ended)
        ends = [f"; {PLAYERS[seat]}[{number + i} {step}]" for i, (seat, step) in enumerate(steps)]
        return [*ends, ";", *(f"{player}[time {_clock(ms)} ]" for player, ms in zip(PLAYERS, self.used, strict=True))]


def _header(record: Record, outcome: Outcome | None) -> Iterator[tuple[str, str]]:
    setup = next(name for name, blitz in SETUPS.items() if blitz == record.options["blitz"])
    yield from (("GM", SGF_GAME), ("VV", "2"), ("CM", "0,1"), ("SU", setup.title()))
    played_at = ""
    if record.date is not None:
        moment = datetime.datetime.fromisoformat(record.date)
        day = f"{_DAYS[moment.weekday()]} {MONTHS[moment.month - 1]} {moment.day:02}"
        timed = "T" in record.date
        yield "DT", f"{day} {moment:%H:%M:%S} GMT {moment:%Y}" if timed else f"{day} {moment:%Y}"
        played_at = f"-{moment:%Y-%m-%d-%H%M}" if timed else f"-{moment:%Y-%m-%d}"
    kind = "YB" if record.options["blitz"] else "Y"
    yield "GN", "-".join((kind, *record.seats)) + played_at
    yield "RE", "" if outcome is None else result_words(outcome, record.seats)
    for player, name in zip(PLAYERS, record.seats, strict=True):
        yield player, f'id "{name}"'


def _clock(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
