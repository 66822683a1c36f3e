"""The games of a journal as records."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triskele.arena import match, tournament
from triskele.arena.journal import BYTES_LIMIT, LINE_LIMIT
from triskele.core.errors import OptionError, RecordError, TriskeleError
from triskele.core.files import FileError
from triskele.core.game import Variant, game
from triskele.core.position import Position
from triskele.core.record_parts import NAME_LIMIT, RESIGN, TIME, Ended
from triskele.core.records import Record
from triskele.core.words import text
from triskele.engines.external import HANG

FORMATS = (match.FORMAT, tournament.FORMAT)
_HEADER_LIMIT = 1 << 20


def journal_records(path: str | os.PathLike[str]) -> list[Record] | None:
    """Return the games in a journal of a match or tournament, in their order; ``None`` if the file is no journal.

    Every game is replayed. One that an engine lost by a failure ends by resignation, or for a hanging engine by time;
    one that was cut off has no outcome. A last line that was not written whole is left out. ``RecordError`` names the
    line that is damaged.
    """
    try:
        with Path(path).open("rb") as file:
            header = _json(file.readline(_HEADER_LIMIT))
            if not isinstance(header, dict) or header.get("format") not in FORMATS:
                return None
            if os.fstat(file.fileno()).st_size > BYTES_LIMIT:
                raise FileError(text("core.file-too-large", path=str(path), limit=BYTES_LIMIT))
            variant, names = _contest(path, header)
            found: dict[int, Record] = {}
            for number, line in enumerate(iter(lambda: file.readline(LINE_LIMIT), b""), 2):
                if line.endswith(b"\n"):
                    try:
                        entry: Any = _json(line)
                        found[entry["number"]] = _record(variant, names, entry)
                    except (TypeError, KeyError, IndexError, TriskeleError):
                        raise _damaged(path, number) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise FileError(text("core.file-unreadable", path=str(path), why=why)) from None
    return [found[number] for number in sorted(found)]


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _damaged(path: str | os.PathLike[str], line: int) -> RecordError:
    return RecordError(text("arena.journal-damaged", path=str(path), line=line))


def _contest(path: str | os.PathLike[str], header: Mapping[str, Any]) -> tuple[Variant, Sequence[str]]:
    """Return what was played, and the names of the contestants."""
    try:
        declared = game(header["game"])
        variant = declared.variant(header["options"])
        stated, known = header["rules"], declared.rules_module.VERSION
        names = [str(name)[:NAME_LIMIT] for name in header["contestants"]]
    except (KeyError, TypeError, AttributeError):
        raise _damaged(path, 1) from None
    if stated != known:
        values = {"stated": str(stated)[:20], "known": known}
        raise OptionError(text("core.record-version", game=declared.title, **values))
    return variant, names


def _record(variant: Variant, names: Sequence[str], entry: Mapping[str, Any]) -> Record:
    position = Position(variant)
    for written in entry["moves"].split():
        position.push(written)
    failure = entry.get("failure")
    ended = None if failure is None else Ended(TIME if failure["kind"] == HANG else RESIGN, failure["seat"])
    return Record.of(position, seats=[names[number] for number in entry["seated"]], date=None, ended=ended)
