"""Metrics for Prometheus: what is counted and measured, and the small server of its own that shows it at ``/metrics``.

They never are on the public side: the server for them listens only where a host says (``--metrics``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
Figures = Mapping[str, tuple[str, Mapping[str, float]]]
"""Figures of this moment by their names: what they mean, and a number for each label value (``""``: without label)."""


class Metrics:
    """The metrics of one server process."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)

        def histogram(name: str, meaning: str) -> Histogram:
            return Histogram(f"triskele_{name}_seconds", meaning, buckets=_SECONDS, registry=self.registry)

        self.commit = histogram("commit", "From a write that is asked for until it is on the disk")
        self.broadcast = histogram("broadcast", "From a commit until its messages are handed to all connections")
        self.change = histogram("change", "From a request that changes a table until everybody is told")
        self.request = histogram("request", "From the head of an HTTP request until its answer is written")
        moves = Counter("triskele_moves", "Moves that were made and stored", ["by"], registry=self.registry)
        self.moves = {by: moves.labels(by) for by in ("person", "engine", "chance")}
        self._requests = Counter("triskele_requests", "HTTP requests", ["status"], registry=self.registry)
        self._refusals = Counter("triskele_refusals", "Refusals, by code", ["code"], registry=self.registry)
        self.on_refused: Callable[[str], None] = lambda code: None
        """Called with the code of each refusal."""
        self._server: Any = None

    def answered(self, status: int, seconds: float) -> None:
        """Count an HTTP request."""
        self._requests.labels(str(status)).inc()
        self.request.observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal over HTTP or a live connection."""
        self._refusals.labels(code).inc()
        self.on_refused(code)

    def add_figures(self, gauges: Callable[[], Figures], counters: Callable[[], Figures]) -> None:
        """Show figures that are asked for whenever the metrics are, on a thread of their own."""
        self.registry.register(_Figures(gauges, counters))

    def serve(self, host: str, port: int) -> int:
        """Show the metrics at an address; return the port. ``OSError`` if it cannot be listened on."""
        self._server, _ = start_http_server(port, addr=host, registry=self.registry)
        return int(self._server.server_port)

    def stop(self) -> None:
        """Show them no longer."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Figures(Collector):
    def __init__(self, gauges: Callable[[], Figures], counters: Callable[[], Figures]) -> None:
        self._gauges, self._counters = gauges, counters

    def collect(self) -> Iterable[Metric]:
        yield from _families(GaugeMetricFamily, self._gauges())
        yield from _families(CounterMetricFamily, self._counters())

    def describe(self) -> Iterable[Metric]:
        return []


def _families(kind: type[GaugeMetricFamily | CounterMetricFamily], figures: Figures) -> Iterator[Metric]:
    for name, (meaning, values) in figures.items():
        plain = set(values) == {""}
        family = kind(f"triskele_{name}", meaning, labels=None if plain else ["pool"])
        for label, value in values.items():
            family.add_metric([] if plain else [label], value)
        yield family
