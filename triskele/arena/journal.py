"""The journal: results as JSON lines in an append-only file, from which a run is resumed.

The first line is a header that says what is run. Every line is flushed and synced at once; a last line that a crash or
a full disk cut off is dropped when the file is opened again.
"""

import contextlib
import json
import os
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from triskele.core.errors import RecordError
from triskele.core.files import FileError
from triskele.core.words import text

BYTES_LIMIT = 4 << 30
LINE_LIMIT = 16 << 20


class Journal:
    """Results by their number, in a file or (without a path) only in memory. Use it in a ``with`` statement."""

    def __init__(self, path: str | os.PathLike[str] | None, header: Mapping[str, Any]) -> None:
        """Open or create the file. ``RecordError`` if its header is another one, or if it is damaged."""
        self.path = None if path is None else Path(path)
        self.results: dict[int, dict[str, Any]] = {}
        self._header = dict(header)
        self._file: BinaryIO | None = None
        self._length = 0
        if self.path is not None:
            try:
                self._open(self.path)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> "Journal":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: types.TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, number: int, result: Mapping[str, Any]) -> None:
        """Append a result and sync it; a number that is there already is ignored. ``FileError`` if that fails."""
        if number in self.results:
            return
        entry = {"number": number, **result}
        self._write(entry)
        self.results[number] = entry

    def _open(self, path: Path) -> None:
        try:
            # Opened for appending, so that two processes cannot overwrite each other's lines.
            self._file = path.open("a+b")
            _lock(self._file, path)
            if self._file.seek(0, os.SEEK_END) > BYTES_LIMIT:
                raise FileError(text("core.file-too-large", path=str(path), limit=BYTES_LIMIT))
            self._file.seek(0)
            for at, line in enumerate(self._whole_lines(self._file)):
                self._read(path, at, line)
            if not self._length:
                # Only a cut-off header of ours may be overwritten: the file may be something else altogether.
                self._file.seek(0)
                if not _line(self._header).startswith(self._file.read(LINE_LIMIT)):
                    raise RecordError(text("arena.journal-other", path=str(path), why="format"))
            self._file.truncate(self._length)
        except OSError as error:
            raise _unwritable(path, error) from None
        if not self._length:
            self._write(self._header)

    def _whole_lines(self, file: BinaryIO) -> Iterator[bytes]:
        while line := file.readline(LINE_LIMIT):
            if not line.endswith(b"\n"):
                return
            self._length += len(line)
            yield line

    def _read(self, path: Path, at: int, line: bytes) -> None:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if at == 0:
            if entry != json.loads(json.dumps(self._header)):
                raise RecordError(text("arena.journal-other", path=str(path), why=_difference(self._header, entry)))
        elif not isinstance(entry, dict) or type(entry.get("number")) is not int:
            raise RecordError(text("arena.journal-damaged", path=str(path), line=at + 1))
        else:
            self.results[entry["number"]] = entry

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self._file is None or self.path is None:
            return
        data = _line(entry)
        try:
            self._file.write(data)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            self._truncate()
            raise _unwritable(self.path, error) from None
        self._length += len(data)

    def _truncate(self) -> None:
        """Truncate the file to its last whole line after a failed write."""
        assert self._file is not None
        handle = os.dup(self._file.fileno())
        with contextlib.suppress(OSError):
            self._file.close()  # flushes what is buffered, which fails once more on a full disk
        with contextlib.suppress(OSError):
            os.ftruncate(handle, self._length)
        os.close(handle)
        self._file = None


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def _unwritable(path: Path, error: OSError) -> FileError:
    return FileError(text("core.file-unwritable", path=str(path), why=error.strerror or str(error)))


def _difference(header: Mapping[str, Any], entry: object) -> str:
    """Return the names of the fields that differ."""
    if not isinstance(entry, dict):
        return "format"
    plain = json.loads(json.dumps(header))
    return ", ".join(sorted(key for key in {*plain, *entry} if plain.get(key) != entry.get(key)))


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock the file; ``FileError`` if another process has it. Does nothing on systems without ``flock``."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FileError(text("arena.journal-busy", path=str(path))) from None
