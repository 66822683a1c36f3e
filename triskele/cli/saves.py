"""Games kept in files: written after every move, and taken up again.

A game without secrets is kept as its record. While a game with dice or hidden moves goes on, its record
must not tell them; the file then holds the record as a spectator may see it, and beside it, *sealed*,
what is needed to go on::

    {"format": "triskele-save/1", "record": {…}, "sealed": "…"}

Sealed means that nobody reads a secret by looking at the file, or through any of our commands. It is no
lock: the people at one screen trust each other that far.
"""

import base64
import binascii
import contextlib
import datetime
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import platformdirs

from triskele.cli.opponents import seat_people, seated_before
from triskele.cli.table import Refused, Table
from triskele.core.dice import SECRET_BYTES, DiceBox
from triskele.core.document import Item, read_json
from triskele.core.errors import OptionError, RecordError, TriskeleError
from triskele.core.files import read_limited, write_atomic
from triskele.core.record_parts import MOVES_LIMIT, SEED_LIMIT, TEXT_LIMIT
from triskele.core.records import BYTES_LIMIT, Record
from triskele.core.words import text

FORMAT = "triskele-save/1"
_SALT_BYTES = 16
_CHECK_BYTES = 16
_VALUES_LIMIT = 6 * MOVES_LIMIT


# --- writing ----------------------------------------------------------------------------------------


def save_text(table: Table) -> str:
    """Return a table as the text of a file."""
    record = table.record()
    if table.over or (table.dice is None and not table.variant.game.hidden):
        return record.to_json()
    hidden: dict[str, object] = {"moves": [move.text for move in table.position.moves]}
    if table.dice is not None:
        dice = table.dice.dice
        hidden["dice"] = {"secret": dice.secret.hex(), "seeds": list(dice.seeds), "closed": table.dice.closed}
    document = {"format": FORMAT, "record": record.document(), "sealed": _seal(json.dumps(hidden).encode())}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def save(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table to a file, wholly or not at all. ``FileError`` says why it cannot be."""
    write_atomic(path, save_text(table))


def check_target(path: Path) -> None:
    """Refuse to save over a file that is something else than a game."""
    if path.is_file() and path.stat().st_size > 0:
        try:
            read_unchecked(path)
        except RecordError:
            raise Refused(text("cli.save-foreign", path=str(path))) from None


def _seal(plain: bytes) -> str:
    salt = secrets.token_bytes(_SALT_BYTES)
    check = hashlib.sha256(salt + plain).digest()[:_CHECK_BYTES]
    return base64.b64encode(salt + check + _scrambled(plain, salt)).decode()


def _unseal(sealed: str) -> bytes:
    try:
        data = base64.b64decode(sealed, validate=True)
    except (binascii.Error, ValueError):
        raise RecordError(text("cli.save-damaged")) from None
    salt, check, body = data[:_SALT_BYTES], data[_SALT_BYTES:][:_CHECK_BYTES], data[_SALT_BYTES + _CHECK_BYTES :]
    plain = _scrambled(body, salt)
    if hashlib.sha256(salt + plain).digest()[:_CHECK_BYTES] != check:
        raise RecordError(text("cli.save-damaged"))
    return plain


def _scrambled(data: bytes, salt: bytes) -> bytes:
    stream = hashlib.shake_256(b"triskele-save" + salt).digest(len(data))
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")


# --- reading ----------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> tuple[Record, Record]:
    """Return a file's record as anyone may see it, and the complete one behind it; checks both to the end.

    ``FileError`` or ``RecordError`` says what is wrong with the file.
    """
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        record, complete, _ = _read(data)
    return record, complete


def read_unchecked(path: str | os.PathLike[str]) -> Record:
    """Return a file's record as anyone may see it, with only its form checked."""
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        root = read_json(data, BYTES_LIMIT, _VALUES_LIMIT)
        return _public(_parts(root)) if _is_save(root) else Record.from_json(data)


def open_table(path: str | os.PathLike[str], seats: str | None = None) -> Table:
    """Return the table that a file keeps, to play on; ``seats`` say who sits where now, if not those from before."""
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        record, complete, dice = _read(data)
    if record.outcome is not None:
        raise Refused(text("cli.resume-over", path=str(path)))
    if complete.variant.game.chance and dice is None:
        raise Refused(text("cli.resume-no-dice", path=str(path)))
    game = complete.variant.game
    if seats is not None:
        sitting = seat_people(seats, game, len(record.seats))
    else:
        before = [seated_before(name, game) for name in record.seats]
        sitting = tuple(name for name in before if name is not None)
        if len(sitting) < len(before):
            raise OptionError(text("cli.resume-program", path=str(path)))
    times = [move.ms for move in record.moves]
    with _named(path):
        position = complete.replay()
    return Table(position, sitting, dice, times, record.date)


@contextlib.contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let every reason for refusing a record begin with the file's name."""
    try:
        yield
    except RecordError as error:
        raise RecordError(text("cli.in-file", path=str(path), why=error.text)) from None


def _read(data: bytes) -> tuple[Record, Record, DiceBox | None]:
    root = read_json(data, BYTES_LIMIT, _VALUES_LIMIT)
    if not _is_save(root):
        record = Record.from_json(data)
        if record.viewer is None:
            record.replay()
        return record, record, None
    parts = _parts(root)
    hidden = read_json(_unseal(parts["sealed"].string(BYTES_LIMIT)), BYTES_LIMIT, _VALUES_LIMIT)
    return _opened(_public(parts), hidden)


def _is_save(root: Item) -> bool:
    return isinstance(root.value, dict) and root.value.get("format") == FORMAT


def _parts(root: Item) -> dict[str, Item]:
    return root.fields(frozenset(("format", "record", "sealed")))


def _public(parts: dict[str, Item]) -> Record:
    record = Record.from_json(json.dumps(parts["record"].value))
    if record.outcome is not None:
        raise parts["record"].refused(text("cli.save-over"))
    return record


def _opened(record: Record, hidden: Item) -> tuple[Record, Record, DiceBox | None]:
    parts = hidden.fields(frozenset(("moves",)), frozenset(("dice",)))
    texts = [item.string(TEXT_LIMIT) for item in parts["moves"].items(MOVES_LIMIT)]
    if len(texts) != len(record.moves) or (record.dice is None) != ("dice" not in parts):
        raise RecordError(text("cli.save-damaged"))
    moves = tuple(replace(move, text=written) for move, written in zip(record.moves, texts, strict=True))
    complete = replace(record, moves=moves, viewer=None)
    complete.replay()
    dice = None
    if record.dice is not None:
        dice = _dice(parts["dice"], record)
        if dice.dice.commitment != record.dice.commitment:
            raise RecordError(text("cli.save-damaged"))
    return record, complete, dice


def _dice(item: Item, record: Record) -> DiceBox:
    assert record.dice is not None  # the caller has looked
    parts = item.fields(frozenset(("secret", "seeds", "closed")))
    seats = len(record.seats)
    seeds = [None if i.value is None else i.string(SEED_LIMIT) for i in parts["seeds"].items(seats)]
    secret = bytes.fromhex(parts["secret"].hexadecimal(2 * SECRET_BYTES))
    if len(seeds) != seats:
        raise RecordError(text("cli.save-damaged"))
    closed = bool(parts["closed"].value)
    return DiceBox(seats, faces=record.dice.faces, secret=secret, id=record.dice.id, seeds=seeds, closed=closed)


# --- where games are kept by themselves -------------------------------------------------------------


def folder() -> Path:
    """Return where games at the terminal are kept; ``TRISKELE_DATA`` names another place."""
    named = os.environ.get("TRISKELE_DATA")
    home = Path(named) if named else Path(platformdirs.user_data_dir("triskele", appauthor=False))
    return home / "terminal"


def fresh_path(game: str) -> Path:
    """Return a file name that no other game has."""
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    return folder() / f"{stamp}-{game}-{secrets.token_hex(2)}.json"


def finished_path(path: Path) -> Path:
    """Return where a game that is kept by itself goes when it is over: apart from those to go on with."""
    return path.parent / "finished" / path.name if path.parent == folder() else path


def kept() -> Iterator[Path]:
    """Yield the files of kept games that are not over, the last one first."""
    found: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for path in folder().glob("*.json"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime, path))
    for _, path in sorted(found, reverse=True):
        yield path


def last_unfinished(seats: str | None = None) -> tuple[Path, Table] | None:
    """Return the last kept game that is not over; files that cannot be read are passed over.

    ``OptionError`` when it is not clear, or cannot be, who sits where.
    """
    for path in kept():
        try:
            return path, open_table(path, seats)
        except OptionError:
            raise
        except TriskeleError:
            continue
    return None
