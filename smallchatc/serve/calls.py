"""Calls: what a client asks for becomes the answer of a tool, within limits and with a line in the audit.

a listed name -> the tool itself        find_tools -> the tools that a request may mean
call_tool     -> a name, or a request that is resolved and, where it is clear, dispatched
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from runtime_min import envelope
from runtime_min.dispatch import text_of
from runtime_min.errors import DispatchError, InvalidArguments, SmallchatError, UnknownTool, UpstreamError
from runtime_min.events import Chunk, Done, Error, InferenceDelta, Progress, ToolStart
from runtime_min.proof import Tier
from runtime_min.validation import compile_schema

from .audit import Entry
from .offer import shown_tool
from .search import CALL, FIND, FOUND, SEARCH_TOOLS, found
from .unknown import is_name, not_listed
from .wire import failed, wired

if TYPE_CHECKING:
    from runtime_min import ToolRuntime
    from runtime_min.events import Event
    from runtime_min.ratelimit import RateLimit

    from ..model import Json
    from .audit import Audit
    from .limits import Places
    from .metrics import Metrics
    from .offer import Offer

_log = logging.getLogger(__name__)
_TOLD = 500
"""Characters of a piece of text that goes along with progress."""


class Asked(NamedTuple):
    """One tools/call."""

    name: str
    arguments: Mapping[str, Any]
    client: str
    modern: bool
    envelope: envelope.Envelope


Tell = Callable[[float, float | None, str | None], Awaitable[None]]
"""Told of progress: how far, of how much, in words."""


class Calls:
    """Answers calls. `offer` is replaced when the artifact is."""

    def __init__(
        self,
        runtime: ToolRuntime,
        offer: Offer,
        *,
        places: Places,
        rate: RateLimit,
        audit: Audit,
        metrics: Metrics,
        timeout: float | None,
    ) -> None:
        self.runtime = runtime
        self.offer = offer
        self.places = places
        self._rate = rate
        self._audit = audit
        self._metrics = metrics
        self._timeout = timeout

    async def answer(self, asked: Asked, tell: Tell) -> dict[str, Json]:
        """The answer as it goes over the wire. Raises UnknownTool for a name that is not listed, and UpstreamError
        for what a server refused; any other failure is an answer that says so."""
        entry = Entry(asked.client, asked.name, asked.arguments)
        try:
            self._rate.check(asked.client)
            async with self.places.one():
                with self._metrics.running(), envelope.sent(asked.envelope):
                    answer = await self._answer(asked, tell, entry)
            entry.outcome = _outcome(answer) if entry.outcome == "cancelled" else entry.outcome
            return answer
        except (UnknownTool, UpstreamError) as err:
            entry.outcome, entry.code = "error", err.code
            raise
        except SmallchatError as err:
            entry.outcome, entry.code = "error", err.code
            return failed(self._public(err))
        finally:
            self._audit.write(entry)
            self._metrics.count(entry)

    async def _answer(self, asked: Asked, tell: Tell, entry: Entry) -> dict[str, Json]:
        offer, args = self.offer, asked.arguments
        if offer.face == "search":
            if asked.name == FIND:
                _fit(0, args)
                return self._find(offer, args, entry)
            if asked.name != CALL:
                hint = f"find a tool with {FIND}, then call it by its name with {CALL}"
                raise not_listed(self.runtime, offer, asked.name, hint=hint)
            _fit(1, args)
            entry.asked, entry.arguments = args["tool"], args.get("arguments", {})
            path = offer.paths.get(args["tool"])
            given = args.get("arguments", {})
            if path is None and is_name(args["tool"]) and self.runtime.resolve(args["tool"]).tier is not Tier.EXACT:
                hint = f"find a tool with {FIND}, or say in words what should be done"
                return failed(not_listed(self.runtime, offer, args["tool"], hint=hint))
            if path is None:
                events = self.runtime.dispatch_stream(args["tool"], given, timeout=self._timeout)
            else:
                events = self.runtime.send_stream(path, given, timeout=self._timeout)
        else:
            path = offer.paths.get(asked.name)
            if path is None:
                raise not_listed(self.runtime, offer, asked.name, hint="list the tools again, and call one of those")
            events = self.runtime.send_stream(path, args, timeout=self._timeout)
        entry.tool = path
        return await self._run(asked, events, tell, entry)

    async def _run(self, asked: Asked, events: Any, tell: Tell, entry: Entry) -> dict[str, Json]:
        told = _Told(tell)
        try:
            async for event in events:
                if isinstance(event, ToolStart):
                    entry.tool, entry.tier, entry.confidence = event.tool, event.tier, event.confidence
                elif isinstance(event, Error):
                    raise event.error
                elif isinstance(event, Done):
                    entry.outcome = event.outcome
                    entry.chose(event.result.resolution, event.result.tool)
                    return wired(event.result, modern=asked.modern, names=self.offer.names)
                else:
                    await told.event(event)
        finally:
            await events.aclose()
        raise DispatchError("the tool ended without a result")

    def _find(self, offer: Offer, args: Mapping[str, Any], entry: Entry) -> dict[str, Json]:
        entry.asked, entry.arguments = args["request"], {}
        limit = args.get("limit", FOUND)
        resolution = self.runtime.resolve(args["request"], k=limit)
        entry.chose(resolution, resolution.tool)
        entry.outcome = "found"
        names = offer.names
        tools = [
            shown_tool(offer.artifact, one.tool, names[one.tool]) for one in resolution.candidates if one.tool in names
        ]
        return found(resolution, tools, full=args.get("detail") == "full")

    def _public(self, err: SmallchatError) -> SmallchatError:
        """An error without what is the operator's business alone: where files lie, how trust is given."""
        if err.code != "not-trusted":
            return err
        _log.warning("%s; %s", err, err.hint)
        made = DispatchError("whoever runs this server has not allowed what this tool needs")
        made.code = err.code
        return made


class _Told:
    """Progress of a tool; of one that only gives pieces, how many there were and what they say."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._pieces = 0
        self._measured = False

    async def event(self, event: Event) -> None:
        if isinstance(event, Chunk) and isinstance(event.content, Progress):
            self._measured = True
            await self._tell(*event.content)
        elif isinstance(event, (Chunk, InferenceDelta)) and not self._measured:
            self._pieces += 1
            await self._tell(float(self._pieces), None, (text_of(event) or "")[:_TOLD])


def _fit(number: int, args: Mapping[str, Any]) -> None:
    """Raise InvalidArguments unless they are what one of our own two tools takes."""
    tool = SEARCH_TOOLS[number]
    violations = compile_schema(tool["inputSchema"]).violations(args)
    if violations:
        raise InvalidArguments(violations, tool=tool["name"])


def _outcome(answer: Mapping[str, Json]) -> str:
    return "error" if answer.get("isError") else "ok"
