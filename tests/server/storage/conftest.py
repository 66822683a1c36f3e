"""A storage of a test's own."""

import pytest

from tests.support import event_loop
from triskele.server.storage.database import Storage


@pytest.fixture
def row():
    """Return a function that makes a row of the log."""

    def make(table="t", seq=1, **more):
        entry = {"kind": "move", "seat": 0, "body": "a2", "time": 0, "turn": 1, "moves": 1}
        return {"table_id": table, "seq": seq, **entry, **more}

    return make


@pytest.fixture
def in_storage():
    """Return a function that runs something with a storage and returns its result."""

    def run(url, work, seconds=5.0):
        async def begin():
            storage = Storage(url, seconds)
            storage.start()
            try:
                return await work(storage)
            finally:
                await storage.stop()

        return event_loop.run(begin())

    return run
