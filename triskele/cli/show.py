"""``triskele show`` and ``triskele verify``: draw records and positions, and verify dice."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from triskele.cli import save_files
from triskele.cli.formatting import move_lines, options_line, outcome_lines, show_board
from triskele.cli.table import Refused
from triskele.cli.terminal import Terminal
from triskele.core import draw
from triskele.core.clock import digits
from triskele.core.dice import verify
from triskele.core.files import write_atomic
from triskele.core.position import Position, position
from triskele.core.record_clocks import final_clock
from triskele.core.record_parts import HASH_DIGITS
from triskele.core.records import Record
from triskele.core.variations import Line, Mark
from triskele.core.words import say, text


class ShownPosition:
    """A position to be shown, and its record if it comes from one."""

    def __init__(self, source: str, move: int | None, seat: int | None) -> None:
        """Read a record's file or a position text; ``move`` is the number of moves to make, ``seat`` counts from 0."""
        self.record: Record | None = None
        self.position: Position | None
        is_text = ": " in source and not _is_file(source)
        if is_text:
            if move is not None:
                raise Refused(text("cli.show-no-moves"))
            self.position = position(source)
        else:
            self.record, complete = save_files.read(source)
            self.position = _position_at(complete, move)
        self.seat = seat
        if self.position is None:
            return
        if seat is not None and seat >= self.position.variant.seats:
            raise Refused(text("cli.show-no-seat", seat=seat + 1, n=self.position.variant.seats))
        if seat is not None and self.record and self.record.outcome is None and self.position.variant.game.hidden:
            raise Refused(text("cli.show-secret"))

    def drawable(self) -> Position:
        """Return the position; ``Refused`` when the record holds only what one seat has seen."""
        if self.position is None:
            raise Refused(text("cli.show-only-seen"))
        return self.position

    def marks(self, at: int) -> Sequence[Mark]:
        """Return what the record marks on the board after ``at`` moves; nothing without a record."""
        said = self.record.annotations if self.record is not None else ()
        return next((each.marks for each in said if each.at == at), ())


def _is_file(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):  # too long, or with a character that no path may have
        return False


def _position_at(record: Record, move: int | None) -> Position | None:
    """Return the position after ``move`` moves, by default after all; ``None`` if it cannot be replayed."""
    made = len(record.moves)
    if move is not None and not 0 <= move <= made:
        raise Refused(text("cli.show-no-move", move=move, n=made))
    if record.viewer is not None:
        return None
    last = record.replay()
    for _ in range(made - move if move is not None else 0):
        last.pop()
    return last


def show_text(terminal: Terminal, shown: ShownPosition) -> None:
    """Write the board, for a record also its moves, and the outcome."""
    record = shown.record
    variant = shown.position.variant if shown.position is not None else record.variant if record else None
    assert variant is not None  # there is always a position or a record
    terminal.write(terminal.strong(f"{variant.game.title}  {options_line(variant)}".rstrip()))
    if record is not None:
        terminal.write(" · ".join(filter(None, (", ".join(record.seats), record.date))))
    if shown.position is not None:
        terminal.write()
        show_board(terminal, shown.position, shown.seat)
    if record is not None:
        terminal.write()
        movers, texts = [move.seat for move in record.moves], [move.text for move in record.moves]
        for line in move_lines(terminal, variant, movers, texts):
            terminal.write(line)
        _show_annotations(terminal, record.line(), 0)
        _show_clock(terminal, record)
    terminal.write()
    outcome = record.outcome if record is not None else shown.drawable().outcome()
    if outcome is None:
        terminal.tell("in-progress")
    else:
        for line in outcome_lines(shown.drawable(), outcome, terminal.language):
            terminal.write(line)


def _show_annotations(terminal: Terminal, line: Line, before: int, level: int = 0) -> None:
    """Write the comments and variations of a line; ``before``: the moves that its own first move is counted from."""
    indent = "  " * level
    if line.annotations and not level:
        terminal.write()

    def tell(key: str, number: int, said: str) -> None:
        words = terminal.words(key, n=number, **{"comment" if key == "show-comment" else "moves": said})
        terminal.write("\n".join(terminal.wrapped(indent + words, hanging=indent + "  ")))

    for annotation in line.annotations:
        number = before + annotation.at
        if annotation.comment:
            tell("show-comment", number, " ".join(annotation.comment.split()))
        for variation in annotation.variations:
            tell("show-variation", number + 1, " ".join(variation.moves))
            _show_annotations(terminal, variation, number, level + 1)


def _show_clock(terminal: Terminal, record: Record) -> None:
    """Write the time control of a record, and what each seat had left at the end."""
    clock = final_clock(record)
    if clock is None:
        return
    left = ", ".join(f"{name} {digits(clock.left(seat))}" for seat, name in enumerate(record.seats))
    terminal.write()
    terminal.tell("clock-left", clock=str(record.clock), left=left)


def show_picture(terminal: Terminal, shown: ShownPosition, kind: str, target: str, theme: draw.Theme) -> None:
    """Draw a position with its marks into a file, ``-`` for standard output; ``kind`` is ``svg`` or ``png``."""
    position = shown.drawable()
    scene, marks = position.scene(shown.seat, terminal.language), shown.marks(len(position.moves))
    drawn = draw.svg(scene, theme, marks=marks).encode() if kind == "svg" else draw.png(scene, theme, marks=marks)
    _write(terminal, drawn, target)


def show_animation(terminal: Terminal, shown: ShownPosition, target: str, theme: draw.Theme) -> None:
    """Draw the last moves with their marks into a file as an animated PNG, ``-`` for standard output."""
    from triskele.core.animation import USUAL_FRAMES, apng, last_scenes

    position = shown.drawable()
    scenes = last_scenes(position, USUAL_FRAMES - 1, terminal.language)
    last = len(position.moves)
    marks = [shown.marks(at) for at in range(last - len(scenes) + 1, last + 1)]
    _write(terminal, apng(scenes, theme, marks=marks), target)


def _write(terminal: Terminal, drawn: bytes, target: str) -> None:
    if target != "-":
        write_atomic(target, drawn)
        terminal.tell("drawn-to", path=target)
    elif sys.stdout is not None:  # a process may be started without output
        sys.stdout.flush()
        sys.stdout.buffer.write(drawn)
        sys.stdout.buffer.flush()


def show_proof(terminal: Terminal, path: str, commitment: str | None = None, seeds: Sequence[str] = ()) -> bool:
    """Verify the dice of a record, write what was proved or what is wrong, and return whether all were proved.

    ``commitment`` and ``seeds`` (``SEAT=TEXT``, seats from 1) are what a player noted and wants to be compared.
    """
    if commitment is not None and not re.fullmatch(rf"\s*[0-9a-fA-F]{{{HASH_DIGITS}}}\s*", commitment):
        raise Refused(text("cli.verify-commitment", n=HASH_DIGITS))
    noted = dict(_noted_seed(written) for written in seeds)
    proof = verify(save_files.read_unchecked(path), commitment, noted)
    for line in proof.lines():
        terminal.write(say(line, terminal.language))
    return proof.proved


def _noted_seed(written: str) -> tuple[int, str]:
    """Return the seat, from 0, and the seed of ``SEAT=TEXT``."""
    seat, equals, seed = written.partition("=")
    if not equals or not re.fullmatch(r"[1-9][0-9]?", seat):
        raise Refused(text("cli.verify-seed"))
    return int(seat) - 1, seed
