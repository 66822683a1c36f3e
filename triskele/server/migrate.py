"""Bringing a database to the newest schema when a server starts."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from triskele.server.schema import HEAD

_LOCK = 7_417_135
"""A number of our own for PostgreSQL's advisory locks."""


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen yet; several processes may do so at once."""
    with engine.connect() as connection:
        if _version(connection) == HEAD:
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        else:
            connection.execute(text("BEGIN IMMEDIATE"))
        if _version(connection) != HEAD:
            _upgrade(connection)


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
