"""Bringing a database to the newest schema when a server starts."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from triskele.core.errors import TriskeleError
from triskele.core.words import text as words
from triskele.server.storage.schema import HEAD

_LOCK = 7_417_135
"""The key of the PostgreSQL advisory lock under which migrations run."""
_WAIT_MS = 10_000
"""How long a SQLite database is waited for that another process brings to the newest schema."""


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen yet; several processes may do so at once.

    ``TriskeleError`` for a database that a newer version has migrated: this one could damage it.
    """
    with engine.connect() as connection:
        version = _version(connection)
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise TriskeleError(words("server.database-newer", found=version[:20], known=HEAD))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        else:
            connection.execute(text(f"PRAGMA busy_timeout={_WAIT_MS}"))
            connection.execute(text("BEGIN IMMEDIATE"))
        if _version(connection) != HEAD:
            _upgrade(connection)
    engine.dispose()  # the connection waits too long for what follows


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
