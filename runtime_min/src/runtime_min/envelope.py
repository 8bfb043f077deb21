"""Envelope: what goes with a call beside its arguments, from a host that passes another's message on.

    with envelope.sent(Envelope(capabilities=..., request_state=..., input_responses=...)):
        await runtime.send(path, args)

It is a context variable: it reaches the transport through whatever runs in between, and nobody else's call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .named import NamedTuple


class Envelope(NamedTuple):
    """All of it is MCP's: see the specification for each."""

    meta: Mapping[str, Any] = {}
    """Keys of `_meta` that are handed on (`traceparent`, vendors' own)."""

    capabilities: Mapping[str, Any] = {}
    """What the one at the other end declares that it can do."""

    input_responses: Mapping[str, Any] | None = None
    """Answers to what an earlier call of the same tool asked."""

    request_state: str | None = None
    """What that earlier call gave to be handed back, unread."""


_EMPTY = Envelope()
_sent: ContextVar[Envelope] = ContextVar("runtime_min.envelope", default=_EMPTY)


@contextmanager
def sent(envelope: Envelope) -> Iterator[None]:
    """Send the calls that are made inside with this envelope."""
    token = _sent.set(envelope)
    try:
        yield
    finally:
        _sent.reset(token)


def current() -> Envelope:
    """The envelope of this call; an empty one when nobody gave any."""
    return _sent.get()
