"""Connections: what an artifact records of its providers becomes transports, behind the gate of trust.

Nothing is started or contacted before a tool is called. After a reload the new artifact passes the gate for itself;
a provider whose record is still the same keeps its connection.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .access import CONNECTED, REST, Access, access_of
from .errors import NotBound, NotTrusted
from .imps import Refused
from .trust import Gate, Passed

if TYPE_CHECKING:
    from .artifact import Artifact
    from .proxy import ToolProxy

TIMEOUT = 120.0
LIMIT = 16


class Connections:
    """The transports of one runtime. `changed(provider)` is called when a server says that its tools have changed."""

    def __init__(
        self,
        gate: Gate,
        *,
        providers: Iterable[str] | None = None,
        base_urls: Mapping[str, str] | None = None,
        timeout: float | None = TIMEOUT,
        limit: int = LIMIT,
        changed: Callable[[str], None] | None = None,
    ) -> None:
        self._gate = gate
        self._only = None if providers is None else frozenset(providers)
        self._base_urls = dict(base_urls or {})
        self._timeout = timeout
        self._limit = limit
        self._changed = changed or _nobody
        self._made: dict[str, Any] = {}
        self._asked: dict[str, dict[str, Access]] = {}  # by the artifact's digest
        self._passed: frozenset[tuple[str, str]] = frozenset()  # digest and provider
        self._lock = threading.RLock()

    def admit(self, artifact: Artifact) -> None:
        """Pass all that an artifact asks for through the gate; raises NotTrusted with all that is missing."""
        found = self._needs(artifact)
        self._gate.check(artifact, found.values())
        self._passed |= {(artifact.digest, provider) for provider in found}

    def transport(self, tool: ToolProxy) -> Any:
        """What answers for a tool; None when its provider records nothing that can be reached."""
        access = self._needs(tool.artifact).get(tool.provider)
        if access is None or not access.kind or access.kind == "local":
            return None
        if (tool.artifact.digest, tool.provider) not in self._passed:
            try:
                self._gate.check(tool.artifact, [access])
            except NotTrusted as err:
                return Refused(err)
            self._passed |= {(tool.artifact.digest, tool.provider)}
        if access.kind not in CONNECTED:
            return Refused(
                NotBound(
                    f"{tool.path}: its provider is reached by {access.kind!r}, which no transport here speaks",
                    tool=tool.path,
                    hint="bind it: rt.bind_provider(provider, transport)",
                )
            )
        package, extra = ("httpx2", "http") if access.kind == REST else ("mcp", "mcp")
        if not _is_there(package):
            return Refused(
                NotBound(
                    f"{tool.path}: reaching {tool.provider} needs the package {package}, which is not installed",
                    tool=tool.path,
                    hint=f"pip install 'runtime-min[{extra}]'",
                )
            )
        return self._steady(access)

    def settled(self, artifact: Artifact) -> None:
        """Let go of what the artifact that answers now does not use; calls under way end first."""
        used = {_key(access) for access in self._needs(artifact).values()}
        with self._lock:
            self._asked = {artifact.digest: self._asked[artifact.digest]}
            gone = [self._made.pop(key) for key in list(self._made) if key not in used]
        for steady in gone:
            steady.retire()

    async def close(self) -> None:
        """Close all connections and wait for those of this event loop: their processes have ended then."""
        import asyncio

        with self._lock:
            made, self._made = list(self._made.values()), {}
        await asyncio.gather(*(steady.close() for steady in made))

    def close_soon(self) -> None:
        """The same without waiting, from any thread."""
        with self._lock:
            made, self._made = list(self._made.values()), {}
        for steady in made:
            steady.close_soon()

    def _steady(self, access: Access) -> Any:
        from .transports.steady import Steady

        key = _key(access)
        with self._lock:
            steady = self._made.get(key)
            if steady is None:
                said = access.record.get("timeout_s")
                timeout = float(said) if isinstance(said, (int, float)) and said > 0 else self._timeout
                steady = Steady(self._inner(access), access.provider, limit=self._limit, timeout=timeout)
                self._made[key] = steady
        return steady

    def _inner(self, access: Access) -> Any:
        def opening() -> Passed:
            return self._gate.open(access)

        if access.kind == REST:
            from .transports.http import HttpTransport

            return HttpTransport(opening, access.provider, self._base_urls.get(access.provider))
        from .transports.mcp import McpTransport

        return McpTransport(opening, access.provider, self._changed)

    def _needs(self, artifact: Artifact) -> dict[str, Access]:
        """What an artifact asks for, of the providers that are ours; read once."""
        found = self._asked.get(artifact.digest)
        if found is None:
            found = {name: access for name, access in access_of(artifact).items() if self._is_ours(name)}
            with self._lock:
                self._asked = {**self._asked, artifact.digest: found}
        return found

    def _is_ours(self, provider: str) -> bool:
        return self._only is None or provider in self._only


def _is_there(package: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except ValueError:  # in sys.modules as something that is no module
        return False


def _key(access: Access) -> str:
    return json.dumps([access.provider, access.kind, access.record], sort_keys=True)


def _nobody(provider: str) -> None:
    """Nobody asked to be told."""
