"""Service: an artifact that is served, and that another may take the place of while it is.

A reload is one assignment: calls under way end on what they began on. When the new file is not sound, the old
artifact goes on answering.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from runtime_min.artifact import open_artifact
from runtime_min.errors import SmallchatError
from runtime_min.reload import Watch

from .offer import BUDGET, offer

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

    from .calls import Calls
    from .metrics import Metrics

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What clients are to see."""

    face: str = "auto"
    budget: int = BUDGET
    names: str = "portable"


class Service:
    """The runtime and what it offers now."""

    def __init__(self, runtime: ToolRuntime, calls: Calls, face: Face, metrics: Metrics) -> None:
        self.runtime = runtime
        self.calls = calls
        self.metrics = metrics
        self._face = face
        self._watch = Watch(runtime.artifact.path, 0)
        metrics.reloaded(len(calls.offer.paths))

    def status(self) -> dict[str, Any]:
        """What /health says."""
        offer_now = self.calls.offer
        return {
            "ready": not self.calls.places.stopping,
            "tools": len(offer_now.paths),
            "exposed": offer_now.face,
            "artifact": offer_now.artifact.digest,
        }

    async def reload(self) -> bool:
        """Take up the file that lies there now; whether it is another artifact."""
        try:
            new = open_artifact(self.runtime.artifact.path)
            if new.digest == self.runtime.artifact.digest:
                return False
            face = self._face
            offered = await asyncio.to_thread(offer, new, face=face.face, budget=face.budget, names=face.names)
            for note in self.runtime.reload():
                _log.warning("reload: %s", note)
        except SmallchatError as err:
            _log.error("reload: %s; the artifact that was there goes on answering", err)
            return False
        self.calls.offer = replace(offered, artifact=self.runtime.artifact)
        self.metrics.reloaded(len(self.calls.offer.paths))
        _log.warning("reload: %d tools, artifact %s", len(self.calls.offer.paths), self.runtime.artifact.digest[:12])
        return True

    async def watch(self, seconds: float, changed: Callable[[], None]) -> None:
        """Look every so many seconds whether another file lies there; `changed` is called after each reload."""
        while True:
            await asyncio.sleep(seconds)
            if self._watch.changed() and await self.reload():
                changed()
