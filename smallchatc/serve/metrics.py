"""Metrics: calls become counts and times in Prometheus' text form, if the operator asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .audit import Entry

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """Counts nothing; what is there when nobody asks."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """While a call runs."""
        yield

    def count(self, entry: Entry) -> None:
        """A call has ended."""

    def reloaded(self, tools: int) -> None:
        """Another artifact answers from now on, with so many tools."""

    def refused(self, reason: str) -> None:
        """A request was turned away at the door."""


class Prometheus(Metrics):
    """The same, counted. A provider is a label, a tool is not: there may be thousands."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = self._registry = CollectorRegistry()
        self._calls = Counter("smallchat_calls", "Calls that have ended", ["provider", "outcome"], registry=registry)
        self._took: Any = Histogram(
            "smallchat_call_seconds", "How long calls took", ["provider"], buckets=_SECONDS, registry=registry
        )
        self._running = Gauge("smallchat_calls_running", "Calls under way", registry=registry)
        self._refused = Counter("smallchat_requests_refused", "Requests refused", ["reason"], registry=registry)
        self._tools = Gauge("smallchat_tools", "Tools of the artifact", registry=registry)
        self._reloads = Counter("smallchat_reloads", "Artifacts taken up", registry=registry)

    @contextmanager
    def running(self) -> Iterator[None]:
        with self._running.track_inprogress():
            yield

    def count(self, entry: Entry) -> None:
        provider = (entry.tool or "").partition("/")[0]
        self._calls.labels(provider, entry.outcome).inc()
        self._took.labels(provider).observe(entry.seconds)

    def reloaded(self, tools: int) -> None:
        self._tools.set(tools)
        self._reloads.inc()

    def refused(self, reason: str) -> None:
        self._refused.labels(reason).inc()

    def text(self) -> bytes:
        """What /metrics answers."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)
