"""Files that are read within a limit and written whole or not at all."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from triskele.core.errors import TriskeleError
from triskele.core.words import Text, text


class FileError(TriskeleError):
    """A file cannot be read or written: the reason names it. What was there before is still there."""


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _named(path: str | os.PathLike[str]) -> str:
    """Return a path so that it can be printed: names on disk need not be text."""
    return os.fspath(path).encode(errors="replace").decode()


def read_limited(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return what is in a file; one of more than ``limit`` bytes is refused without reading it all."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(limit + 1) if os.fstat(file.fileno()).st_size <= limit else None
    except (OSError, ValueError) as error:
        raise FileError(text("core.file-unreadable", path=_named(path), why=_reason(error))) from None
    if data is None or len(data) > limit:
        raise FileError(text("core.file-too-large", path=_named(path), limit=limit))
    return data


def write_atomic(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Replace a file by ``data`` (text as UTF-8), durably: a crash leaves the old file or the new, never a part.

    On any failure the old file is untouched and nothing is left beside it. A link stays a link. What
    is not an ordinary file, or is marked read-only, is refused.
    """
    content = data.encode() if isinstance(data, str) else data
    why: str | Text | None
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        why = None if mode is None else _must_stay(target, mode)
        if why is None:
            _replace(target, content, mode)
    except (OSError, ValueError) as error:
        why = _reason(error)
    if why is not None:
        raise FileError(text("core.file-unwritable", path=_named(path), why=why))


def _must_stay(target: Path, mode: int) -> Text | None:
    """Return why the file that is there must not be replaced, if so."""
    if not stat.S_ISREG(mode):
        return text("core.file-not-ordinary")
    return None if os.access(target, os.W_OK) else text("core.file-read-only")


def _replace(target: Path, content: bytes, mode: int | None) -> None:
    # In the same folder, because only there a rename is one step; a name of our own, because the target's may be
    # as long as names can be.
    beside = target.parent / f".triskele-{secrets.token_hex(8)}.tmp"
    try:
        with beside.open("xb") as file:
            if mode is not None:
                with contextlib.suppress(OSError):
                    beside.chmod(stat.S_IMODE(mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    # The new file is in place by now. Some systems cannot sync a folder, and that takes nothing back.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
