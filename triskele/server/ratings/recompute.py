"""Computing all ratings again from the results, with the same numbers to the last bit."""

from collections.abc import Iterator

from sqlalchemy import create_engine

from triskele.rating.results import Pool
from triskele.server.ratings.queries import pools, rewritten
from triskele.server.storage.migrate import migrate


def recompute(database_url: str) -> Iterator[tuple[Pool, int, int]]:
    """Compute the ratings of all pools again, a transaction each; yield the pool, its results and what differed.

    A running server may go on: what it computed from older ratings meanwhile is refused and done again.
    """
    engine = create_engine(database_url)
    try:
        migrate(engine)
        with engine.connect() as connection:
            found = pools(connection)
        for pool in found:
            with engine.begin() as connection:
                results, wrong = rewritten(connection, pool)
            yield pool, results, wrong
    finally:
        engine.dispose()
