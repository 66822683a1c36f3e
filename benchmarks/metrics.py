"""What counting and measuring costs a move: python benchmarks/metrics.py."""

import logging
import time

from triskele.server import logs
from triskele.server.metrics import Metrics

MOVES = 200_000


def measure() -> float:
    """Return the microseconds of CPU that the metrics of one move and the test for an access log take."""
    metrics = Metrics()
    began = time.process_time()
    for _ in range(MOVES):
        first = time.perf_counter()
        metrics.commit.observe(time.perf_counter() - first)
        metrics.broadcast.observe(time.perf_counter() - first)
        metrics.moves["person"].inc()
        metrics.change.observe(time.perf_counter() - first)
        logs.access.isEnabledFor(logging.INFO)
    return (time.process_time() - began) / MOVES * 1e6


if __name__ == "__main__":
    print(f"{measure():.1f} microseconds of CPU a move")
