"""Imps: a tool's path becomes the concrete thing that runs it.

Bound one by one (`bind`, `swizzle`) or for a whole provider (`bind_provider`): by a transport, or by an object or
mapping whose functions carry the tools' names. An object with a function named `execute` is a transport; where
that is a tool's name, bind a mapping.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from .errors import AmbiguousCall, InvalidArguments, NotBound, SmallchatError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .connections import Connections
    from .overload import OverloadTable, Signature
    from .proxy import ToolProxy


@runtime_checkable
class Imp(Protocol):
    """One concrete tool. Has at least one of three tiers: `execute_inference(args)` yields text as a model makes it,
    `execute_stream(args)` yields chunks, `execute(args)` gives the whole; a tier that raises NotImplementedError
    before its first piece is not offered."""


class Transport(Protocol):
    """Runs the tools of a provider. May also have `execute_stream` and `execute_inference`, with the same arguments.

    One whose `takes_tool` is true may be bound to a single tool as well.
    """

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        """Run a tool and give its content, or a ToolResult."""


TIERS = ("execute_inference", "execute_stream", "execute")


def is_imp(target: Any) -> bool:
    """Whether an object has a tier of execution."""
    return not isinstance(target, type) and any(callable(getattr(target, tier, None)) for tier in TIERS)


class TransportImp:
    """One tool of a transport."""

    __slots__ = ("tool", "transport")

    def __init__(self, transport: Any, tool: ToolProxy) -> None:
        self.transport = transport
        self.tool = tool

    async def execute(self, args: Mapping[str, Any]) -> Any:
        return await self._tier("execute")(self.tool, args)

    def execute_stream(self, args: Mapping[str, Any]) -> AsyncIterator[Any]:
        found: AsyncIterator[Any] = self._tier("execute_stream")(self.tool, args)
        return found

    def execute_inference(self, args: Mapping[str, Any]) -> AsyncIterator[str]:
        found: AsyncIterator[str] = self._tier("execute_inference")(self.tool, args)
        return found

    def _tier(self, name: str) -> Any:
        tier = getattr(self.transport, name, None)
        if tier is None:
            raise NotImplementedError(name)
        return tier


class Refused:
    """A transport that may not be, or cannot be: its tools are known, and a call says why it is refused."""

    __slots__ = ("error",)

    def __init__(self, error: SmallchatError) -> None:
        self.error = error

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        raise self.error.with_traceback(None)


class Overloaded:
    """Several imps of one tool, each with its signature; the arguments pick."""

    __slots__ = ("_imps", "_table")

    def __init__(self, table: OverloadTable, imps: tuple[Any, ...]) -> None:
        self._table = table
        self._imps = imps

    @classmethod
    def beside(cls, former: Any, signature: Signature, imp: Any) -> Overloaded:
        """The imps bound so far and one more; raises DuplicateSignature. An imp without a signature is replaced."""
        from .overload import OverloadTable

        known = former if isinstance(former, Overloaded) else cls(OverloadTable(), ())
        table = OverloadTable([*known._table.signatures, signature])
        return cls(table, (*known._imps, imp))

    def pick(self, args: Mapping[str, Any], tool: str) -> Any:
        """The imp that these arguments pick; raises InvalidArguments, or AmbiguousCall with the signatures that tie."""
        choice = self._table.choose(args)
        if choice.chosen is not None:
            return self._imps[choice.chosen]
        if choice.ambiguous:
            tied = " and ".join(str(self._table.signatures[index]) for index in choice.ambiguous)
            raise AmbiguousCall(f"{tool}: these arguments fit {tied} equally well", tool=tool)
        from .overload import it_takes

        nearest = min(choice.violations, key=len)
        raise InvalidArguments(nearest, tool=tool, hint=it_takes(self._table.signatures))


class ImpTable:
    """The imps of one runtime, by path. Readers need no lock: the tables are replaced, never changed."""

    def __init__(self) -> None:
        self._imps: dict[str, Any] = {}
        self._providers: dict[str, Any] = {}
        self.connections: Connections | None = None
        """What the artifact itself says of its providers; answers where nobody bound anything."""
        self._lock = threading.RLock()

    def put(self, path: str, imp: Any) -> Any:
        """Let an imp answer for a path, or nothing when it is None; the imp that did so before, or None."""
        with self._lock:
            table = dict(self._imps)
            former = table.pop(path, None)
            if imp is not None:
                table[path] = imp
            self._imps = table
        return former

    def put_provider(self, provider: str, source: Any) -> Any:
        """Let a transport, object or mapping answer for a provider; what did so before, or None."""
        with self._lock:
            table = dict(self._providers)
            former = table.pop(provider, None)
            if source is not None:
                table[provider] = source
            self._providers = table
        return former

    def of(self, tool: ToolProxy) -> Any:
        """The imp that answers for a tool, or None."""
        imp = self._imps.get(tool.path)
        if imp is not None:
            return _for_tool(imp, tool)
        source = self._providers.get(tool.provider)
        if source is None:
            transport = None if self.connections is None else self.connections.transport(tool)
            return None if transport is None else TransportImp(transport, tool)
        if is_imp(source):
            return TransportImp(source, tool)
        from .transports.local import imp_of

        function = source.get(tool.name) if isinstance(source, Mapping) else _attribute(source, tool.name)
        return None if function is None else _for_tool(imp_of(function), tool)

    def bound(self, path: str) -> Any:
        """What is bound to this very path, or None."""
        return self._imps.get(path)

    def paths(self) -> list[str]:
        """What something is bound to, sorted."""
        return sorted(self._imps)

    def need(self, tool: ToolProxy) -> Any:
        """The imp that answers for a tool; raises NotBound, or what keeps its provider from being reached."""
        imp = self.of(tool)
        if imp is None:
            connected = "" if self.connections is None else ", and its provider records no way to reach it"
            raise NotBound(f"{tool.path}: nothing is bound to this tool{connected}", tool=tool.path)
        if type(imp) is TransportImp and isinstance(imp.transport, Refused):
            raise imp.transport.error.with_traceback(None)
        return imp


def _for_tool(imp: Any, tool: ToolProxy) -> Any:
    return TransportImp(imp, tool) if getattr(imp, "takes_tool", False) is True else imp


def _attribute(source: Any, name: str) -> Any:
    if name.startswith("_"):
        return None
    found = getattr(source, name, None)
    if found is None:
        found = getattr(source, re.sub(r"\W", "_", name), None)
    return found if callable(found) else None
