"""Reload: a file that was replaced becomes the runtime's new snapshot, in one assignment.

What the host bound, pinned and taught follows by name and fingerprint; what no longer holds is dropped with a
note, and the cache keeps nothing that another artifact said.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .artifact import open_artifact
from .made_once import if_made
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .runtime import ToolRuntime


class Watch:
    """Whether another file has taken a path's place, looked up at most every `seconds`."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._seen = _identity(path)
        self._next = time.monotonic() + seconds

    def changed(self) -> bool:
        """Whether it has, since this was last said."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        identity = _identity(self._path)
        if identity is None or identity == self._seen:
            return False
        self._seen = identity
        return True


def reload(runtime: ToolRuntime) -> list[str]:
    """Open the runtime's file again; notes on what no longer holds."""
    old = runtime.snapshot
    artifact = open_artifact(old.artifact.path)
    if artifact.digest == old.artifact.digest:
        return []
    snapshot = Snapshot(artifact, runtime.own_cuts, encoder=runtime.own_encoder)
    added = [tool for tool in runtime.added if snapshot.fingerprint(tool.path) is None]
    hidden = [tool.path for tool in runtime.added if tool not in added]
    notes = [f"{path} of an overlay is hidden by a tool of the new file" for path in hidden]
    if added:
        snapshot = Snapshot(artifact, runtime.own_cuts, added, encoder=runtime.own_encoder)
    runtime.snapshot = snapshot
    runtime.ready = {}
    notes += [
        f"{path} is gone: what was bound to it waits for its return"
        for path in runtime.imps.paths()
        if snapshot.fingerprint(path) is None
    ]
    for pin in runtime.pins.all():
        if snapshot.fingerprint(pin.tool) is not None:
            runtime.pins.widen(pin.tool, snapshot.names(pin.tool))
    runtime.cache.set_artifact(artifact.digest)
    if runtime.imps.connections is not None:
        runtime.imps.connections.settled(artifact)
    if (learned := if_made(runtime, "learned")) is not None:
        notes += learned.keep_valid()
    return notes


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
