"""A real Dask cluster on this machine, for tests."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def local_cluster(workers: int = 2) -> Iterator[Any]:
    """Start a cluster of some worker processes; nobody else can reach it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import distributed

        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as made:
            yield made
