"""Save files: games of the terminal, written after every move and resumed from.

A game without secrets is saved as its record. While a game with dice or hidden moves goes on, its record
must not reveal them; the file then holds the record as a spectator may see it, and beside it, *sealed*,
what is needed to resume::

    {"format": "triskele-save/1", "record": {…}, "sealed": "…"}

Sealed means obfuscated, not encrypted: nobody reads a secret by looking at the file or through one of our commands,
but who reads this module can. People who share a screen trust each other that far.
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

from triskele.cli.seats import parse_seats, seat_from_record
from triskele.cli.table import Refused, Table
from triskele.core.dice import SECRET_BYTES, DiceBox
from triskele.core.document import Item, read_json
from triskele.core.errors import OptionError, RecordError, TriskeleError
from triskele.core.files import read_limited, write_atomic
from triskele.core.folders import data_folder
from triskele.core.record_parts import MOVES_LIMIT, SEED_LIMIT, TEXT_LIMIT
from triskele.core.records import BYTES_LIMIT, Record
from triskele.core.variations import read_annotations
from triskele.core.words import text

FORMAT = "triskele-save/1"
_SALT_BYTES = 16
_CHECK_BYTES = 16
_VALUES_LIMIT = 6 * MOVES_LIMIT


# --- writing ----------------------------------------------------------------------------------------


def save_text(table: Table) -> str:
    """Return the content of a table's save file."""
    record = table.record()
    if table.over or (table.dice is None and not table.variant.game.hidden):
        return record.to_json()
    hidden: dict[str, object] = {"moves": [move.text for move in table.position.moves]}
    if table.dice is not None:
        dice = table.dice.dice
        hidden["dice"] = {"secret": dice.secret.hex(), "seeds": list(dice.seeds), "closed": table.dice.closed}
    if table.annotations and not record.annotations:
        hidden["annotations"] = [each.document() for each in table.annotations]
    document = {"format": FORMAT, "record": record.document(), "sealed": _seal(json.dumps(hidden).encode())}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def save(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table to a file, atomically. ``FileError`` says why it cannot be written."""
    write_atomic(path, save_text(table))


def check_target(path: Path) -> None:
    """Raise ``Refused`` if the file exists and is not a saved game."""
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
    """Return a file's record as a spectator may see it, and the complete one; replays both to check them.

    ``FileError`` or ``RecordError`` says what is wrong with the file.
    """
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        record, complete, _ = _read(data)
    return record, complete


def read_unchecked(path: str | os.PathLike[str]) -> Record:
    """Return a file's record as a spectator may see it, with only its form checked."""
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        root = read_json(data, BYTES_LIMIT, _VALUES_LIMIT)
        return _public(_parts(root)) if _is_save(root) else Record.from_json(data)


def open_table(path: str | os.PathLike[str], seats: str | None = None) -> Table:
    """Return the table in a save file, to play on. ``seats`` names new occupants; by default they are as before."""
    data = read_limited(path, BYTES_LIMIT)
    with _named(path):
        record, complete, dice = _read(data)
    if record.outcome is not None:
        raise Refused(text("cli.resume-over", path=str(path)))
    if record.start is not None:
        raise Refused(text("core.record-started"))
    if complete.variant.game.chance and dice is None:
        raise Refused(text("cli.resume-no-dice", path=str(path)))
    game = complete.variant.game
    if seats is not None:
        occupants = parse_seats(seats, game, len(record.seats))
    else:
        before = [seat_from_record(name, game) for name in record.seats]
        occupants = tuple(name for name in before if name is not None)
        if len(occupants) < len(before):
            raise OptionError(text("cli.resume-program", path=str(path)))
    times = [move.ms for move in record.moves]
    with _named(path):
        position = complete.replay()
    return Table(position, occupants, dice, times, record.date, record.resigned, complete.line())


@contextlib.contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Put the file's name in front of the reason of every ``RecordError``."""
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
    parts = hidden.fields(frozenset(("moves",)), frozenset(("dice", "annotations")))
    texts = [item.string(TEXT_LIMIT) for item in parts["moves"].items(MOVES_LIMIT)]
    if len(texts) != len(record.moves) or (record.dice is None) != ("dice" not in parts):
        raise RecordError(text("cli.save-damaged"))
    moves = tuple(replace(move, text=written) for move, written in zip(record.moves, texts, strict=True))
    said = read_annotations(parts["annotations"], texts) if "annotations" in parts else record.annotations
    complete = replace(record, moves=moves, viewer=None, annotations=said)
    complete.replay()
    dice = None
    if record.dice is not None:
        dice = _dice(parts["dice"], record)
        if dice.dice.commitment != record.dice.commitment:
            raise RecordError(text("cli.save-damaged"))
    return record, complete, dice


def _dice(item: Item, record: Record) -> DiceBox:
    assert record.dice is not None  # the caller has checked
    parts = item.fields(frozenset(("secret", "seeds", "closed")))
    seats = len(record.seats)
    seeds = [None if i.value is None else i.string(SEED_LIMIT) for i in parts["seeds"].items(seats)]
    secret = bytes.fromhex(parts["secret"].hexadecimal(2 * SECRET_BYTES))
    if len(seeds) != seats:
        raise RecordError(text("cli.save-damaged"))
    closed = bool(parts["closed"].value)
    return DiceBox(seats, faces=record.dice.faces, secret=secret, id=record.dice.id, seeds=seeds, closed=closed)


# --- the folder of autosaved games ------------------------------------------------------------------


def folder() -> Path:
    """Return the folder of autosaved games; ``TRISKELE_DATA`` names another data folder."""
    return data_folder() / "terminal"


def fresh_path(game: str) -> Path:
    """Return the path of a new file in the folder."""
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    return folder() / f"{stamp}-{game}-{secrets.token_hex(2)}.json"


def finished_path(path: Path) -> Path:
    """Return where an autosaved game goes when it is over: a subfolder, so that unfinished ones are found quickly."""
    return path.parent / "finished" / path.name if path.parent == folder() else path


def unfinished_paths() -> Iterator[Path]:
    """Yield the files of autosaved games that are not over, the newest first."""
    found: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for path in folder().glob("*.json"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime, path))
    for _, path in sorted(found, reverse=True):
        yield path


def last_unfinished(seats: str | None = None) -> tuple[Path, Table] | None:
    """Return the newest unfinished game; files that cannot be read are skipped.

    ``OptionError`` when its seats cannot be filled as before, or ``seats`` is wrong.
    """
    for path in unfinished_paths():
        try:
            return path, open_table(path, seats)
        except OptionError:
            raise
        except TriskeleError:
            continue
    return None
