"""Read files within a size limit and write them atomically."""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from triskele.core.errors import TriskeleError
from triskele.core.words import Text, text

_PRIVATE = 0o600


class FileError(TriskeleError):
    """A file cannot be read or written: the reason names it. Its old content is unchanged."""


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _named(path: str | os.PathLike[str]) -> str:
    """Return a path that can be printed: names on disk need not be valid text."""
    return os.fspath(path).encode(errors="replace").decode()


def read_limited(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return the content of a file; ``FileError`` for one of more than ``limit`` bytes, which is not read whole."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(limit + 1) if os.fstat(file.fileno()).st_size <= limit else None
    except (OSError, ValueError) as error:
        raise FileError(text("core.file-unreadable", path=_named(path), why=_reason(error))) from None
    if data is None or len(data) > limit:
        raise FileError(text("core.file-too-large", path=_named(path), limit=limit))
    return data


def write_atomic(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Replace a file by ``data`` (text as UTF-8) atomically and durably: a crash leaves the old file or the new.

    On any failure the old file is unchanged and no temporary file is left. A symbolic link stays one. ``FileError`` for
    what is not a regular file, or is read-only.
    """
    with open_atomic(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextlib.contextmanager
def open_atomic(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a new file that replaces ``path`` when the block ends: all that :func:`write_atomic` says holds here too.

    An exception in the block leaves the old file as it was; an ``OSError`` becomes a ``FileError``. Nobody else may
    read a ``private`` file.
    """
    why: str | Text | None
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        why = None if mode is None else _must_stay(target, mode)
    except (OSError, ValueError) as error:
        why = _reason(error)
    if why is None:
        try:
            with _replacing(target, _PRIVATE if private else mode) as file:
                yield file
            return
        except OSError as error:
            why = _reason(error)
    raise FileError(text("core.file-unwritable", path=_named(path), why=why))


def _must_stay(target: Path, mode: int) -> Text | None:
    """Return why the existing file must not be replaced, ``None`` if it may be."""
    if not stat.S_ISREG(mode):
        return text("core.file-not-ordinary")
    return None if os.access(target, os.W_OK) else text("core.file-read-only")


@contextlib.contextmanager
def _replacing(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    # In the same folder, because only there a rename is atomic; under a short name, because the target's may have the
    # maximal length already.
    beside = target.parent / f".triskele-{secrets.token_hex(8)}.tmp"
    try:
        # A file that gets the mode of another is nobody else's to read before it has that mode.
        beside.touch(0o666 if mode is None else _PRIVATE, exist_ok=False)
        with beside.open("r+b") as file:
            if mode is not None:
                with contextlib.suppress(OSError):
                    beside.chmod(stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make the names of a folder durable, where the system can."""
    # What changed is in place by now. Some systems cannot sync a folder; that is no reason to fail.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
