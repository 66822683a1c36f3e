"""Data sets of games: a folder of ``.npz`` shards that NumPy opens, and a header that describes them.

``docs/datasets.md`` specifies the format for readers in other tools. A shard holds whole games, is written atomically,
and its contents depend on nothing but the header and its number. So an interrupted data set is readable as far as it
goes, and resuming it writes the missing shards.
"""

import dataclasses
import io
import json
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from triskele.arena.recorder import CUT_OFF, Columns, states_of
from triskele.core.errors import IllegalMove, OptionError, RecordError
from triskele.core.files import FileError, read_limited, write_atomic
from triskele.core.game import Variant, game
from triskele.core.moves import Outcome
from triskele.core.options import Value
from triskele.core.position import Position
from triskele.core.records import Record
from triskele.core.words import text

FORMAT = "triskele-dataset/1"
HEADER = "dataset.json"
ALL_STATES = -1

GAME_COLUMNS: Mapping[str, Any] = {"plies": np.int32, "winners": np.int64, "reason": np.int16, "scores": np.float64}
STEP_COLUMNS: Mapping[str, Any] = {
    "move": np.int32,
    "seat": np.int8,
    "choices": np.int32,
    "drawn": np.bool_,
    "value": np.float32,
}
STATE_COLUMNS: Mapping[str, Any] = {"state": np.int64, "state_step": np.int64}
COLUMNS: Mapping[str, Any] = {**GAME_COLUMNS, **STEP_COLUMNS, **STATE_COLUMNS, "legal": np.int32}
"""The columns of a shard and their types. Random games have no ``drawn`` and ``value``; states and legal moves are
in it if they were asked for; all others always are."""

_HEADER_BYTES = 1 << 20
_SHARD_BYTES = 2 << 30
_DAMAGES = (ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
# One date for all entries, so that equal contents give equal files.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Header:
    """The header of a data set: everything that its contents follow from.

    ``states`` is the number of positions of each game that are kept as state words, drawn at random: -1 for all, 0 for
    none. ``shard`` is the number of games in a shard, ``games`` the number wanted, which may grow.
    """

    game: str
    options: Mapping[str, Value]
    rules: int
    engine: str
    limits: Mapping[str, Any]
    openings: int
    seed: int
    plies_limit: int
    states: int
    legal: bool
    shard: int
    games: int

    @property
    def variant(self) -> Variant:
        """The game with its options."""
        return game(self.game).variant(self.options)

    def document(self) -> dict[str, Any]:
        """Return the header as plain data, with what a reader of the columns needs without this package."""
        rules = self.variant.game.rules_module
        return {
            "format": FORMAT,
            **dataclasses.asdict(self),
            "seats": self.variant.seats,
            "state_words": rules.SIZE,
            "actions": rules.ACTIONS,
            "reasons": list(rules.REASONS),
        }

    @staticmethod
    def read(data: bytes, path: Path) -> "Header":
        """Parse the header of a data set; ``RecordError`` if it is malformed or of another version of the rules."""
        try:
            document = json.loads(data)
            header = Header(**{field.name: document[field.name] for field in dataclasses.fields(Header)})
            known = document.get("format") == FORMAT and header.shard > 0 and header.games >= 0
            whole = known and header.document() == document
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OptionError):
            whole = False
        if not whole:
            raise RecordError(text("arena.dataset-header", path=str(path)))
        return header

    def shard_range(self, number: int) -> range:
        """Return the numbers of the games in a shard."""
        return range(number * self.shard, min(self.games, (number + 1) * self.shard))

    @property
    def shards(self) -> int:
        """The number of shards of the complete data set."""
        return -(-self.games // self.shard)


def pack(columns: Columns) -> bytes:
    """Return columns as an ``.npz`` file. Equal columns give equal bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, column in columns.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.ascontiguousarray(column), allow_pickle=False)
    return target.getvalue()


def unpack(path: Path) -> Columns:
    """Return the columns of an ``.npz`` file; ``RecordError`` if it is damaged, ``FileError`` if it cannot be read.

    The file is not trusted: nothing is unpickled, and sizes are checked before anything is decompressed.
    """
    columns: Columns = {}
    bytes_left = _SHARD_BYTES
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                name = entry.filename.removesuffix(".npy")
                bytes_left -= entry.file_size
                with archive.open(entry) as file:
                    if bytes_left < 0 or name not in COLUMNS or _array_bytes(file) != entry.file_size:
                        raise ValueError(name)
                    columns[name] = np.lib.format.read_array(file, allow_pickle=False)
    except (OSError, *_DAMAGES) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise FileError(text("core.file-unreadable", path=str(path), why=error.strerror or "")) from None
        raise RecordError(text("arena.shard-damaged", path=str(path), why=str(error)[:200])) from None
    return columns


def _array_bytes(file: IO[bytes]) -> int:
    """Return the bytes of an array in a file, by its header; rewinds the file."""
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(file)
    head = file.tell()
    file.seek(0)
    return head + math.prod(shape) * dtype.itemsize


@dataclass(frozen=True)
class Game:
    """One game of a data set. The outcome of a game that was cut off is ``None``."""

    number: int
    variant: Variant
    codes: tuple[int, ...]
    seats: tuple[int, ...]
    outcome: Outcome | None

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves."""
        return tuple(self.variant.move(code).text for code in self.codes)

    def replay(self) -> Position:
        """Replay all moves; ``RecordError`` names one that is illegal, or says that the outcome differs."""
        position = Position(self.variant)
        for at, (code, seat) in enumerate(zip(self.codes, self.seats, strict=True), 1):
            try:
                move = position.find(self.variant.move(code).text)
            except IllegalMove as error:
                raise RecordError(text("arena.game-move", number=self.number, move=at, why=error.text)) from None
            if position.mover(move) != seat:
                raise RecordError(text("arena.game-differs", number=self.number))
            position.push(move)
        if position.outcome() != self.outcome:
            raise RecordError(text("arena.game-differs", number=self.number))
        return position

    def record(self) -> Record:
        """Return the game as a record; a game that was cut off is one in progress."""
        return Record.of(self.replay(), date=None)


class Dataset:
    """A data set on disk, complete or not."""

    def __init__(self, folder: str | Path) -> None:
        """Open the folder; reads the header only. ``FileError`` or ``RecordError`` says what is wrong."""
        self.folder = Path(folder)
        path = self.folder / HEADER
        self.header = Header.read(read_limited(path, _HEADER_BYTES), path)
        self.variant = self.header.variant

    @staticmethod
    def create(folder: str | Path, header: Header) -> "Dataset":
        """Create a data set, or open the one in the folder to complete it.

        ``RecordError`` if that is another one. A larger number of games replaces the one there; a smaller one does not.
        """
        place = Path(folder)
        path = place / HEADER
        if path.exists():
            there = Dataset(place).header
            if dataclasses.replace(there, games=0, shard=1) != dataclasses.replace(header, games=0, shard=1):
                raise RecordError(text("arena.dataset-other", path=str(place), why=_difference(there, header)))
            header = dataclasses.replace(there, games=max(there.games, header.games))
        else:
            try:
                place.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FileError(text("core.file-unwritable", path=str(place), why=error.strerror or "")) from None
        write_atomic(path, json.dumps(header.document(), indent=1, ensure_ascii=False) + "\n")
        return Dataset(place)

    def path(self, shard: int) -> Path:
        """Return the path of a shard, whether it is there or not."""
        return self.folder / f"shard-{shard:06}.npz"

    def write(self, shard: int, data: bytes) -> None:
        """Write a shard atomically. ``FileError`` if that fails."""
        write_atomic(self.path(shard), data)

    def missing(self) -> list[int]:
        """Return the shards that are missing, damaged, or shorter than the header says."""
        return [shard for shard in range(self.header.shards) if not self._is_whole(shard)]

    def _is_whole(self, shard: int) -> bool:
        try:
            return len(self.columns(shard)["plies"]) == len(self.header.shard_range(shard))
        except (FileError, RecordError):
            return False

    def shards(self) -> Iterator[int]:
        """Yield the numbers of the shards on disk."""
        for shard in range(self.header.shards):
            if self.path(shard).exists():
                yield shard

    def columns(self, shard: int) -> Columns:
        """Return the columns of a shard, all read into memory and checked against each other."""
        path = self.path(shard)
        columns = unpack(path)
        wrong = self._wrong(columns)
        if wrong is not None:
            raise RecordError(text("arena.shard-damaged", path=str(path), why=wrong))
        return columns

    def _wrong(self, columns: Columns) -> str | None:
        """Return the name of a column that is missing, of another type or shape, or has a value out of range."""
        seats, rules = self.variant.seats, self.variant.game.rules_module
        needed = [*GAME_COLUMNS, "move", "seat", "choices"]
        for name in [*needed, *columns]:
            if name not in columns or columns[name].dtype != COLUMNS[name] or columns[name].ndim == 0:
                return name
        games, steps = len(columns["plies"]), int(columns["plies"].sum())
        kept = len(columns["state"]) if "state" in columns else 0
        rows = {
            **dict.fromkeys(GAME_COLUMNS, games),
            **dict.fromkeys(STEP_COLUMNS, steps),
            **dict.fromkeys(STATE_COLUMNS, kept),
        }
        wide = {"scores": (seats,), "value": (seats,), "state": (self.variant.size,)}
        rows["legal"] = int(columns["choices"].sum())
        for name, column in columns.items():
            if column.shape != (rows[name], *wide.get(name, ())):
                return name
        bounds = {
            "plies": (0, max(steps, 0)),
            "move": (0, rules.ACTIONS - 1),
            "reason": (CUT_OFF, len(rules.REASONS) - 1),
            "state_step": (0, max(steps - 1, 0)),
        }
        for name, (low, high) in bounds.items():
            numbers = columns.get(name, ())
            if len(numbers) and not low <= int(np.min(numbers)) <= int(np.max(numbers)) <= high:
                return name
        return None

    def states(self, shard: int) -> NDArray[np.int64]:
        """Return the state before every move of a shard, computed by replaying: no states need be kept."""
        columns = self.columns(shard)
        return states_of(self.variant, columns["move"], columns["plies"])

    def __len__(self) -> int:
        """Return the number of games on disk."""
        return sum(len(self.columns(shard)["plies"]) for shard in self.shards())

    def games(self) -> Iterator[Game]:
        """Yield the games on disk."""
        for shard in self.shards():
            columns = self.columns(shard)
            ends = np.cumsum(columns["plies"], dtype=np.int64)
            for at, end in enumerate(ends.tolist()):
                steps = slice(end - int(columns["plies"][at]), end)
                yield Game(
                    number=shard * self.header.shard + at,
                    variant=self.variant,
                    codes=tuple(columns["move"][steps].tolist()),
                    seats=tuple(columns["seat"][steps].tolist()),
                    outcome=self._outcome(columns, at),
                )

    def _outcome(self, columns: Columns, at: int) -> Outcome | None:
        reason = int(columns["reason"][at])
        if reason == CUT_OFF:
            return None
        mask = int(columns["winners"][at])
        winners = tuple(seat for seat in range(self.variant.seats) if mask >> seat & 1)
        scores = tuple(columns["scores"][at].tolist())
        return Outcome(winners, scores, self.variant.game.rules_module.REASONS[reason])


def _difference(one: Header, other: Header) -> str:
    names = (field.name for field in dataclasses.fields(Header) if field.name not in {"games", "shard"})
    return ", ".join(name for name in names if getattr(one, name) != getattr(other, name))
