"""Migrations of the database."""

from importlib.resources import files

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import insert, select

from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.storage.migrate import migrate


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


def test_an_older_database_keeps_its_tables(database):
    storage = Storage(database)
    made = {"id": "t", "game": "yinsh", "options": "{}", "opened": 1, "opener": "ann", "private": True}
    with storage.engine.begin() as connection:
        connection.execute(insert(schema.tables), made | {"rated": False, "series": "swap", "over": True, "winners": 1})
        config = Config()
        config.set_main_option("script_location", str(files("triskele.server.storage") / "migrations"))
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    migrate(storage.engine)
    with storage.engine.connect() as connection:
        kept = connection.execute(select(schema.tables)).mappings().one()
    assert (kept["id"], kept["over"], kept["winners"]) == ("t", True, None)


def test_migrations_make_what_the_schema_says(database):
    storage = Storage(database)
    migrate(storage.engine)  # once more does nothing
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        entry = {"table_id": "t", "seq": 1, "kind": "move", "seat": 0, "body": "a2", "time": 0, "turn": 1, "moves": 1}
        connection.execute(insert(schema.log), [entry])
    storage.engine.dispose()
