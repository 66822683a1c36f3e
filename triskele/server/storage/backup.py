"""Back up a server's games and secret into one file while it runs, and restore them.

A backup is a ZIP archive: ``manifest.json`` says what made it and what is in it, ``secret`` signs cookies and keys
(``old-secrets`` are those that still are valid), and ``tables.sqlite3`` has all games. The games of a server with
PostgreSQL are not in it: ``pg_dump`` backs them up.
"""

import contextlib
import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from triskele import __version__
from triskele.core.errors import TriskeleError
from triskele.core.files import FileError, open_atomic, sync_folder
from triskele.core.words import text
from triskele.server.settings import DATABASE, OLD_SECRETS, SECRET, Settings, kept_old_secrets
from triskele.server.storage.schema import HEAD

FORMAT = "triskele-backup/1"
MANIFEST = "manifest.json"
SQLITE = "sqlite"
_MANIFEST_BYTES = 1 << 16
_KEPT = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", SECRET, OLD_SECRETS)
"""The files of a data folder that a restored backup replaces."""


@dataclass(frozen=True)
class Manifest:
    """What a backup contains. ``sha256`` has the hash of each file; ``schema`` and ``tables`` are of the database."""

    format: str
    version: str
    made: str
    database: str
    schema: str | None
    tables: int | None
    sha256: dict[str, str]


@dataclass(frozen=True)
class Restored:
    """What was restored, and the folder that now holds what was there before, if anything was."""

    manifest: Manifest
    replaced: Path | None


# --- writing --------------------------------------------------------------------------------------


def write_backup(settings: Settings, path: Path) -> Manifest:
    """Write a backup of a server, running or not, to a file that only its owner can read; the file appears complete.

    The games are those of one moment (SQLite's online backup; nobody who plays waits for it). An older backup of the
    same name is replaced. ``TriskeleError`` says why there is no backup; then nothing was written.
    """
    url = make_url(settings.database_url)
    secret = settings.secret or _kept_secret(settings.data)
    old = settings.old_secrets or kept_old_secrets(settings.data)
    _check_target(path)
    with _folder_beside(path) as folder, open_atomic(path, private=True) as file:
        (folder / SECRET).write_bytes(secret)
        schema = tables = None
        names = [SECRET]
        if old:
            (folder / OLD_SECRETS).write_text(",".join(each.hex() for each in old))
            names.append(OLD_SECRETS)
        if url.get_backend_name() == SQLITE:
            schema, tables = _copy_database(Path(url.database or ""), folder / DATABASE)
            names.append(DATABASE)
        manifest = Manifest(
            format=FORMAT,
            version=__version__,
            made=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            database=url.get_backend_name(),
            schema=schema,
            tables=tables,
            sha256={name: _sha256(folder / name) for name in names},
        )
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
            for name in names:
                archive.write(folder / name, name)
    return manifest


def _kept_secret(data: Path) -> bytes:
    try:
        return (data / SECRET).read_bytes()
    except FileNotFoundError:
        raise TriskeleError(text("server.backup-nothing", file=SECRET, folder=str(data))) from None
    except OSError as error:
        raise _unreadable(data / SECRET, error) from None


def _check_target(path: Path) -> None:
    """Refuse to replace a file that is no backup: it might be the database itself."""
    if path.is_file() and path.stat().st_size > 0:
        try:
            with zipfile.ZipFile(path) as archive:
                archive.getinfo(MANIFEST)
        except (zipfile.BadZipFile, KeyError):
            raise TriskeleError(text("server.backup-foreign", path=str(path))) from None
        except OSError as error:
            raise _unreadable(path, error) from None


@contextlib.contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary folder of the same file system, which only the owner can read."""
    try:
        made = tempfile.TemporaryDirectory(prefix=".triskele-", dir=Path(os.path.realpath(path)).parent)
    except OSError as error:
        raise FileError(text("core.file-unwritable", path=str(path), why=error.strerror or str(error))) from None
    with made as folder:
        yield Path(folder)


def _copy_database(source: Path, target: Path) -> tuple[str, int]:
    """Copy a database that may be in use; return its schema and its number of tables."""
    if not source.is_file():
        raise TriskeleError(text("server.backup-nothing", file=source.name, folder=str(source.parent)))
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as running,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            # All pages in one step, which reads one snapshot: writers go on, and the copy never begins anew.
            running.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE").close()  # one file, without one for its last writes
        return _inspect(target)
    except sqlite3.Error as error:
        raise TriskeleError(text("server.database-unusable", database=str(source), why=str(error))) from None


def _inspect(path: Path) -> tuple[str, int]:
    """Return the schema and the number of tables of a database; ``sqlite3.Error`` if it is damaged or none of ours."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        (schema,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        (tables,) = connection.execute("SELECT COUNT(*) FROM tables").fetchone()
    return schema, tables


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- reading --------------------------------------------------------------------------------------


def restore_backup(path: Path, data: Path, *, overwrite: bool = False) -> Restored:
    """Restore a backup into a data folder that has neither games nor a secret.

    With ``overwrite`` it may have some: they are moved into a folder beside. ``TriskeleError`` for a damaged backup,
    one of a newer schema, or a database that a server uses; then the folder is as it was.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _read_manifest(path, archive)
            _check_folder(data, overwrite)
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _folder_beside(data / DATABASE) as folder:
                _extract(archive, manifest, folder)
                replaced = _move_aside(data)
                for name in manifest.sha256:
                    (folder / name).replace(data / name)
            sync_folder(data)
    except (zipfile.BadZipFile, EOFError, _Damaged) as error:
        raise TriskeleError(text("server.backup-damaged", path=str(path), why=str(error))) from None
    except OSError as error:
        raise _unreadable(Path(error.filename or path), error) from None
    return Restored(manifest, replaced)


class _Damaged(Exception):
    """What is in the archive is not what its manifest says."""


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest of a backup that this version can restore."""
    try:
        with archive.open(MANIFEST) as file:
            written: Any = json.loads(file.read(_MANIFEST_BYTES))
        kind, version = str(written["format"]), str(written["version"])[:40]
        if kind.partition("/")[0] != FORMAT.partition("/")[0]:
            raise _Damaged(MANIFEST)
        if kind != FORMAT or str(written["schema"] or "") > HEAD:
            raise TriskeleError(text("server.backup-newer", path=str(path), version=version))
        manifest = Manifest(**written)
        names = set(manifest.sha256)
    except (UnicodeDecodeError, json.JSONDecodeError, TypeError, KeyError):
        raise _Damaged(MANIFEST) from None
    if names - {OLD_SECRETS} != ({SECRET, DATABASE} if manifest.database == SQLITE else {SECRET}):
        raise _Damaged(MANIFEST)
    return manifest


def _check_folder(data: Path, overwrite: bool) -> None:
    if not any((data / name).exists() for name in _KEPT):
        return
    if not overwrite:
        raise TriskeleError(text("server.restore-exists", folder=str(data)))
    if (data / DATABASE).exists() and _is_in_use(data / DATABASE):
        raise TriskeleError(text("server.restore-in-use", database=str(data / DATABASE)))


def _is_in_use(database: Path) -> bool:
    """Return whether another process has a database open: only the last one can end its write-ahead log."""
    with contextlib.closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:
            return False  # damaged: a good reason to restore another one
    return False


def _extract(archive: zipfile.ZipFile, manifest: Manifest, folder: Path) -> None:
    """Write the files of a backup into a folder, durably, and check them."""
    for name, expected in manifest.sha256.items():
        try:
            with archive.open(name) as packed, (folder / name).open("xb") as file:
                (folder / name).chmod(0o600)
                shutil.copyfileobj(packed, file, 1 << 20)
                file.flush()
                os.fsync(file.fileno())
        except KeyError:
            raise _Damaged(name) from None
        if _sha256(folder / name) != expected:
            raise _Damaged(name)
    if DATABASE in manifest.sha256:
        try:
            _inspect(folder / DATABASE)
        except sqlite3.Error as error:
            raise _Damaged(f"{DATABASE}: {error}") from None


def _move_aside(data: Path) -> Path | None:
    """Move the games and the secret of a data folder, if there are any, into a new folder in it; return that."""
    there = [data / name for name in _KEPT if (data / name).exists()]
    if not there:
        return None
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    aside = Path(tempfile.mkdtemp(prefix=f"before-restore-{stamp}-", dir=data))
    for path in there:
        path.replace(aside / path.name)
    return aside


def _unreadable(path: Path, error: OSError) -> FileError:
    return FileError(text("core.file-unreadable", path=str(path), why=error.strerror or str(error)))
