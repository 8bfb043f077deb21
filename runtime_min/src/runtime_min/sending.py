"""Sending: how a message is sent, said once for every way of sending one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from .confirmation import Confirm


class Sending(TypedDict, total=False):
    """What may be said of any call."""

    timeout: float | None  # seconds that the tool may be silent
    confirm: Confirm | None  # asked before a tool that may destroy something; else what the runtime has


class Dispatching(Sending, total=False):
    """What may be said of a call whose tool is yet to be resolved."""

    among: Iterable[str] | None  # the only tools ("P/N") that may be meant
    client: str | None  # who asks, for the rate limit
