"""Forking: a child's runtimes get locks of their own.

A lock that some thread of the parent held at the moment of the fork would never be released in the child.
Connections and the sync loop look at the process id themselves.
"""

from __future__ import annotations

import os
import threading
import weakref

from .made_once import if_made
from .named import TYPE_CHECKING

if TYPE_CHECKING:
    from .runtime import ToolRuntime

_alive: weakref.WeakSet[ToolRuntime] = weakref.WeakSet()


def watch(runtime: ToolRuntime) -> None:
    """Renew this runtime's locks in every child from now on."""
    _alive.add(runtime)


def _renew_locks() -> None:
    for runtime in list(_alive):
        learned = if_made(runtime, "learned")
        for holder in (
            runtime,
            runtime.cache,
            runtime.namespaces,
            *(if_made(runtime, part) for part in ("imps", "rate_limit", "sync")),
            *((learned.map, learned.observer) if learned is not None else ()),
        ):
            if holder is not None:
                holder._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
