"""``triskele backup``, ``restore`` and ``copy``: a server in one file, and its games in another database."""

import argparse
from pathlib import Path
from urllib.parse import urlsplit

from triskele.arena.progress import ProgressLine
from triskele.cli.terminal import Terminal
from triskele.core.arguments import Command, help_text
from triskele.core.folders import data_folder
from triskele.server import command
from triskele.server.settings import SECRET, Settings


def _help(key: str, language: str) -> str:
    return help_text(f"cli.help.{key}", language)


def add_backup(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of ``triskele backup``."""
    parser.add_argument("file", metavar="FILE", type=Path, help=_help("backup-file", language))
    command.add_option(parser, language, "data", metavar="FOLDER", type=Path)
    command.add_option(parser, language, "database", metavar="URL")


def run_backup(chosen: argparse.Namespace) -> int:
    """Write the backup and say what is in it."""
    with command.extra_needed():
        from triskele.server.storage.backup import write_backup

        newest, *older = command.environment_secrets() or (None,)
        settings = Settings(
            data=chosen.data or data_folder(),
            database=command.database_of(chosen.database),
            secret=newest,
            old_secrets=tuple(older),
        )
        manifest = write_backup(settings, chosen.file)
    terminal = Terminal(chosen.language)
    if manifest.tables is None:
        url = _without_password(chosen.database)
        terminal.write(terminal.words("backup-elsewhere", path=str(chosen.file), url=url))
    else:
        terminal.write(terminal.words("backup-done", path=str(chosen.file), n=manifest.tables))
    return 0


def add_restore(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of ``triskele restore``."""
    parser.add_argument("file", metavar="FILE", type=Path, help=_help("restore-file", language))
    command.add_option(parser, language, "data", metavar="FOLDER", type=Path)
    parser.add_argument("--overwrite", action="store_true", help=_help("overwrite", language))


def run_restore(chosen: argparse.Namespace) -> int:
    """Restore a backup and say what to do next."""
    data = chosen.data or data_folder()
    with command.extra_needed():
        from triskele.server.storage.backup import restore_backup

        restored = restore_backup(chosen.file, data, overwrite=chosen.overwrite)
    terminal = Terminal(chosen.language)
    if restored.replaced is not None:
        terminal.write(terminal.words("restore-replaced", folder=str(restored.replaced)))
    if restored.manifest.tables is None:
        terminal.write(terminal.words("restore-elsewhere", folder=str(data)))
    else:
        terminal.write(terminal.words("restore-done", folder=str(data), n=restored.manifest.tables))
    given = command.environment_secrets()
    if given and (data / SECRET).read_bytes() not in given:
        terminal.write(terminal.words("restore-other-secret", path=str(data / SECRET)))
    return 0


def add_copy(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of ``triskele copy``."""
    command.add_option(parser, language, "data", metavar="FOLDER", type=Path)
    parser.add_argument("--from", dest="source", metavar="URL", help=_help("copy-from", language))
    parser.add_argument("--to", dest="target", metavar="URL", required=True, help=_help("copy-to", language))


def run_copy(chosen: argparse.Namespace) -> int:
    """Copy a database into an empty one, and say what was copied."""
    terminal, line = Terminal(chosen.language), ProgressLine()
    data = chosen.data or data_folder()
    with command.extra_needed():
        from triskele.server.storage.copying import copy_database

        source = Settings(data=data, database=command.database_of(chosen.source, "--from")).database_url
        target = Settings(data=data, database=command.database_of(chosen.target, "--to")).database_url
        copied = copy_database(source, target, lambda name, done, rows: line.show(f"{name}  {done:,} / {rows:,}"))
    line.clear()
    for each in copied:
        if each.rows:
            terminal.write(f"{each.name}  {each.rows}  {each.digest[:16]}")
    terminal.write(terminal.words("copy-done", n=sum(each.rows for each in copied)))
    terminal.write(terminal.words("copy-secret", path=str(data / SECRET)))
    return 0


def _without_password(url: str) -> str:
    """Return a URL to show on a screen; ``pg_dump`` asks for the password."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    scheme = parts.scheme.partition("+")[0]  # of SQLAlchemy's URLs, the driver after it is not PostgreSQL's
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{query}"  # two slashes also without a host


COMMANDS = {
    "backup": Command(add_backup, run_backup),
    "restore": Command(add_restore, run_restore),
    "copy": Command(add_copy, run_copy),
}
