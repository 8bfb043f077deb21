"""Dispatch: an intent and its arguments become a tool's result, or a stream of events that ends in it.

    resolve -> EXACT or HIGH? -> arguments fit? -> run
                    otherwise -> the chain (chain.py): calls that may run, or a question

One path for both forms: `dispatch_stream` tells what `dispatch` does. An unclear intent is no error; whatever
goes wrong is a DispatchError that names the tool.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import chain, execution
from .chain import Call, Plan
from .confirmation import Confirm, confirmed
from .decompose import has_seam
from .errors import DispatchError, InvalidArguments, SmallchatError, UnknownTool, Violation
from .events import Chunk, Done, Error, Event, InferenceDelta, Progress, Resolving, ToolResult, ToolStart, jsonable
from .named import NamedTuple
from .objects import SCObject, plain
from .overload import describe
from .proof import Step, Tier

if TYPE_CHECKING:
    from .proxy import ToolProxy
    from .resolution import Resolution
    from .runtime import ToolRuntime
    from .snapshot import Snapshot
    from .validation import Validator


_EXACT, _HIGH = Tier.EXACT, Tier.HIGH


class Bound(NamedTuple):
    """A tool that is ready to run: looked up, bound, its checks compiled."""

    tool: ToolProxy
    imp: Any
    validator: Validator
    steps: tuple[Step, ...]


async def dispatch(
    runtime: ToolRuntime,
    intent: str,
    args: Mapping[str, Any] | None,
    *,
    among: Iterable[str] | None = None,
    client: str | None = None,
    timeout: float | None = None,
    confirm: Confirm | None = None,
) -> ToolResult:
    """The result of the tool that the intent means, or the question to ask."""
    if type(args) is not dict:
        _check_shape(args)
    snapshot = runtime.snapshot
    limit = None if among is None else tuple(among)
    resolution = runtime.resolve(intent, args, among=limit, client=client)
    tier = resolution.tier
    if resolution.tool is not None and (tier is _EXACT or (tier is _HIGH and not has_seam(intent))):
        return await _call(runtime, snapshot, resolution.tool, args, resolution, timeout, confirm)
    plan = await chain.plan(runtime, snapshot, intent, args, resolution, limit)
    if not plan.calls:
        return _asked(plan, resolution)
    results = [
        await _call(runtime, snapshot, each.tool, each.args, each.resolution, timeout, confirm) for each in plan.calls
    ]
    return _together(plan, results, resolution)


async def dispatch_stream(
    runtime: ToolRuntime,
    intent: str,
    args: Mapping[str, Any] | None,
    *,
    among: Iterable[str] | None = None,
    client: str | None = None,
    timeout: float | None = None,
    confirm: Confirm | None = None,
) -> AsyncGenerator[Event]:
    """The same as events. Closing this stops the tool."""
    yield Resolving(intent)
    try:
        _check_shape(args)
        snapshot = runtime.snapshot
        limit = None if among is None else tuple(among)
        resolution = runtime.resolve(intent, args, among=limit, client=client)
        plan = await chain.plan(runtime, snapshot, intent, args, resolution, limit)
        if not plan.calls:
            yield Done(_asked(plan, resolution))
            return
        results = []
        for number, each in enumerate(plan.calls):
            step = number if len(plan.calls) > 1 else None
            if step is not None:
                yield Resolving(each.intent, step)
            running = _stream(runtime, snapshot, each, step, timeout, confirm)
            try:
                async for event in running:
                    if isinstance(event, ToolResult):
                        results.append(event)
                    else:
                        yield event
            finally:
                await running.aclose()
        yield Done(_together(plan, results, resolution))
    except SmallchatError as err:
        yield Error(err if isinstance(err, DispatchError) else _as_dispatch_error(err))


async def send(
    runtime: ToolRuntime,
    path: str,
    args: Mapping[str, Any] | None,
    *,
    timeout: float | None = None,
    confirm: Confirm | None = None,
) -> ToolResult:
    """The result of a tool that is named, not meant: nothing is resolved."""
    snapshot = runtime.snapshot
    return await _call(runtime, snapshot, path, args, _named(snapshot, path), timeout, confirm)


async def send_stream(
    runtime: ToolRuntime,
    path: str,
    args: Mapping[str, Any] | None,
    *,
    timeout: float | None = None,
    confirm: Confirm | None = None,
) -> AsyncGenerator[Event]:
    """The same as events: tool-start, the pieces, done; or error. Closing this stops the tool."""
    try:
        snapshot = runtime.snapshot
        call = Call(path, path, args, _named(snapshot, path))
        running = _stream(runtime, snapshot, call, None, timeout, confirm)
        try:
            async for event in running:
                yield Done(event) if isinstance(event, ToolResult) else event
        finally:
            await running.aclose()
    except SmallchatError as err:
        yield Error(err if isinstance(err, DispatchError) else _as_dispatch_error(err))


async def texts(events: AsyncGenerator[Event]) -> AsyncGenerator[str]:
    """The texts of a stream of events; raises the error that it tells of."""
    try:
        async for event in events:
            if isinstance(event, Error):
                raise event.error
            text = text_of(event)
            if text:
                yield text
    finally:
        await events.aclose()


def text_of(event: Event) -> str | None:
    """The text that an event adds to what a reader sees; None for what is no text of the tool."""
    if isinstance(event, InferenceDelta):
        return event.text
    if isinstance(event, Chunk) and not isinstance(event.content, Progress):
        return as_text(event.content)
    return None


def as_text(content: Any) -> str:
    """A tool's content as text: itself, the texts of MCP content blocks, else JSON."""
    if isinstance(content, str):
        return content
    if (
        isinstance(content, list)
        and content
        and all(isinstance(block, Mapping) and "type" in block for block in content)
    ):
        return "".join(str(block.get("text", "")) for block in content)
    return json.dumps(jsonable(content), ensure_ascii=False)


def make_ready(runtime: ToolRuntime, began: Snapshot, path: str) -> Bound:
    """A tool ready to run; kept until something is bound, swizzled or reloaded. `began` is the snapshot that the
    message began on: a tool that a reload has taken away meanwhile still ends its message."""
    table = runtime.ready  # read first: what is made from older bindings must not end in a newer table
    try:
        made = _bound(runtime, runtime.snapshot.proxy(path))
    except UnknownTool:
        return _bound(runtime, began.proxy(path))
    table[path] = made
    return made


def _named(snapshot: Snapshot, path: str) -> Resolution:
    from .amended import literal

    return literal(snapshot, path, path, Step("name", {"key": path, "tools": {path: "path"}}))


def _bound(runtime: ToolRuntime, tool: ToolProxy) -> Bound:
    imp = runtime.imps.need(tool)
    validator = tool.validator(runtime.validate)
    step = Step("validate", {"how": runtime.validate, "not_checked": list(validator.not_checked)})
    return Bound(tool, imp, validator, (step,))


def plain_arguments(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments as JSON: objects unwrapped, but for references to tools; raises InvalidArguments."""
    for value in args.values():
        if isinstance(value, SCObject):
            break
    else:
        return args
    try:
        return {name: plain(value) if isinstance(value, SCObject) else value for name, value in args.items()}
    except (TypeError, ValueError) as err:
        raise InvalidArguments([Violation("", "mismatch", "JSON values", str(err))]) from err


async def _call(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    path: str,
    args: Mapping[str, Any] | None,
    resolution: Resolution,
    timeout: float | None,
    confirm: Confirm | None,
) -> ToolResult:
    ready = runtime.ready.get(path) or make_ready(runtime, snapshot, path)
    _check(ready, args)
    asked = confirm or runtime.confirm
    if asked is not None:
        await confirmed(asked, ready.tool, args)
    value = await execution.execute(ready.imp, args or {}, tool=path, timeout=timeout or runtime.timeout)
    return _result(value, path, resolution, ready.steps)


async def _stream(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    call: Call,
    step: int | None,
    timeout: float | None,
    confirm: Confirm | None,
) -> AsyncGenerator[Event | ToolResult]:
    """tool-start, the pieces, and last the result itself."""
    path, resolution = call.tool, call.resolution
    ready = runtime.ready.get(path) or make_ready(runtime, snapshot, path)
    _check(ready, call.args)
    asked = confirm or runtime.confirm
    if asked is not None:
        await confirmed(asked, ready.tool, call.args)
    yield ToolStart(path, ready.tool.selector, str(resolution.tier), resolution.confidence, step)
    gathered = execution.Gathered(path)
    running = execution.run(ready.imp, call.args or {}, tool=path, timeout=timeout or runtime.timeout)
    try:
        async for piece in running:
            number = gathered.add(piece)
            if piece.kind == execution.DELTA:
                yield InferenceDelta(piece.value, number, step)
                continue
            content = piece.value.content if isinstance(piece.value, ToolResult) else piece.value
            if content is not None:
                yield Chunk(content, number, step)
    finally:
        await running.aclose()
    yield _result(gathered.content(), path, resolution, ready.steps)


def _check(ready: Bound, args: Mapping[str, Any] | None) -> None:
    """Raise InvalidArguments with everything that does not fit. No arguments at all (None) are not looked at:
    whether the intent alone is enough is the tool's own matter; `{}` says that there are none."""
    if args is None or (type(args) is dict and ready.validator.fits_plainly(args)):
        return
    _check_shape(args)
    found = ready.validator.violations(plain_arguments(args))
    if found:
        from .overload import it_takes

        raise InvalidArguments(found, tool=ready.tool.path, hint=it_takes(ready.tool.signatures))


def _as_dispatch_error(err: SmallchatError) -> DispatchError:
    made = DispatchError(str(err), hint=err.hint)
    made.code = err.code
    return made


def _check_shape(args: Any) -> None:
    if args is not None and not (isinstance(args, Mapping) and all(isinstance(name, str) for name in args)):
        got = "names that are no strings" if isinstance(args, Mapping) else describe(args)
        raise InvalidArguments([Violation("", "mismatch", "object", got)])


def _result(value: Any, path: str, resolution: Resolution, steps: tuple[Step, ...]) -> ToolResult:
    if type(value) is not ToolResult:
        return ToolResult(value, resolution, tool=path, steps=steps)
    return ToolResult(
        value.content,
        resolution,
        tool=path,
        structured=value.structured,
        is_error=value.is_error,
        refinement=value.refinement,
        steps=steps,
        raw=value.raw,
    )


def _asked(plan: Plan, resolution: Resolution) -> ToolResult:
    asked = plan.refinement
    return ToolResult(asked.question if asked else None, resolution, refinement=asked, steps=plan.steps)


def _together(plan: Plan, results: list[ToolResult], resolution: Resolution) -> ToolResult:
    """The result of one call with the steps that led to it; of several, their contents in order."""
    if len(results) == 1:
        only = results[0]
        only.steps = (*plan.steps, *only.steps)
        return only
    return ToolResult(
        [result.content for result in results],
        resolution,
        structured=[result.to_dict() for result in results],
        is_error=any(result.is_error for result in results),
        steps=plan.steps,
    )
