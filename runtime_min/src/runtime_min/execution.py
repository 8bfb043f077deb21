"""Execution: an imp and its arguments become a result, whole or piece by piece.

Three tiers, best first: text as a model makes it, chunks, the whole at once; a tier that is not offered falls to
the next. Whatever a tool does (raise, hang, never end, go away) ends in a DispatchError that names it, and
whoever stops listening stops the tool.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from typing import Any, NoReturn

from .errors import Cancelled, DispatchError, NotTrusted, ToolFailed, ToolTimeout
from .events import Progress, ToolResult
from .imps import Overloaded
from .named import NamedTuple
from .transports.local import LocalImp

MAX_PIECES = 200_000
"""Pieces of one result; a tool that never ends is stopped there, or by its time-out."""

DELTA, CHUNK, WHOLE = "delta", "chunk", "whole"
_TIERS = (("execute_inference", DELTA), ("execute_stream", CHUNK), ("execute", WHOLE))
_END = object()
_FINAL = frozenset((str, int, float, bool, type(None), dict, list))
"""Types of values that are neither waited for nor read piece by piece."""


class Piece(NamedTuple):
    """Part of a result: a delta of text, a chunk, or the whole."""

    kind: str
    value: Any


async def execute(imp: Any, args: Mapping[str, Any], *, tool: str, timeout: float | None = None) -> Any:
    """What a tool gives in the end: its value, or its pieces put together."""
    if type(imp) is Overloaded:
        imp = imp.pick(args, tool)
    if type(imp) is LocalImp and timeout is None:  # the shortest way: nothing to wait for, nothing to put together
        try:
            value = imp.start(args)
            if type(value) in _FINAL:
                return value
            if hasattr(value, "__await__"):
                value = await value
        except (Exception, asyncio.CancelledError) as err:
            _fail(err, tool)
        if not _is_stream(value):
            return value
        running = _pieces_of(value, CHUNK, tool, None)
    else:
        running = run(imp, args, tool=tool, timeout=timeout)
    gathered = Gathered(tool)
    try:
        async for piece in running:
            gathered.add(piece)
    finally:
        await running.aclose()
    return gathered.content()


async def run(imp: Any, args: Mapping[str, Any], *, tool: str, timeout: float | None = None) -> AsyncGenerator[Piece]:
    """A tool's result, by the best tier it offers. `timeout` is how long it may be silent, in seconds."""
    if type(imp) is Overloaded:
        imp = imp.pick(args, tool)
    for kind, call in _offered(imp):
        silent = True
        try:
            value = await _begin(imp, call, args, tool, timeout)
            if not _is_stream(value):
                yield Piece(WHOLE, value)
                return
            running = _pieces_of(value, CHUNK if kind == WHOLE else kind, tool, timeout)
            try:
                async for piece in running:
                    silent = False
                    yield piece
            finally:
                await running.aclose()
            return
        except _NotOffered:
            if not silent:
                raise
    raise ToolFailed(f"{tool}: what is bound to it offers no way to run", tool=tool)


class Gathered:
    """The pieces of one result, to be put together."""

    __slots__ = ("_count", "_kind", "_pieces", "_tool")

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._kind = CHUNK
        self._count = 0
        self._pieces: list[Any] = []

    def add(self, piece: Piece) -> int:
        """Keep a piece; its number. Raises ToolFailed when there are too many."""
        if self._count >= MAX_PIECES:
            raise ToolFailed(f"{self._tool}: more than {MAX_PIECES} pieces and no end", tool=self._tool)
        self._kind = piece.kind
        self._count += 1
        if isinstance(piece.value, ToolResult):
            self._pieces = [piece.value]
        elif not isinstance(piece.value, Progress):
            self._pieces.append(piece.value)
        return self._count - 1

    def content(self) -> Any:
        """The whole: the value itself, text joined, or the list of chunks."""
        if self._kind == WHOLE:
            return self._pieces[0] if self._pieces else None
        if all(isinstance(piece, str) for piece in self._pieces):
            return "".join(self._pieces)
        return self._pieces


class _NotOffered(ToolFailed):
    """A tier said NotImplementedError before its first piece."""


def _offered(imp: Any) -> list[tuple[str, Callable[[Mapping[str, Any]], Any]]]:
    if type(imp) is LocalImp:
        return [(WHOLE, imp.start)]
    found = ((kind, getattr(imp, name, None)) for name, kind in _TIERS)
    return [(kind, call) for kind, call in found if call is not None]


async def _begin(
    imp: Any, call: Callable[[Mapping[str, Any]], Any], args: Mapping[str, Any], tool: str, timeout: float | None
) -> Any:
    """What the call gives, once there is nothing left to wait for."""
    try:
        if timeout is not None and getattr(imp, "blocks", False):
            value = await _within(asyncio.to_thread(call, args), timeout, tool)
        else:
            value = call(args)
        if hasattr(value, "__await__"):
            value = await _within(value, timeout, tool)
        return value
    except NotImplementedError as err:
        raise _NotOffered(f"{tool}: {_said(err)}", tool=tool) from err
    except (Exception, asyncio.CancelledError) as err:
        _fail(err, tool)


async def _pieces_of(stream: Any, kind: str, tool: str, timeout: float | None) -> AsyncGenerator[Piece]:
    """The pieces of a sync or async iterator. Closing this closes it; others get a turn between sync pieces.

    A ToolResult among them is the whole, whatever came before it.
    """
    step = stream.__anext__ if hasattr(stream, "__anext__") else _stepper(stream, timeout)
    first = True
    try:
        while True:
            try:
                value = await _within(step(), timeout, tool)
            except StopAsyncIteration:
                return
            except NotImplementedError as err:
                raise (_NotOffered if first else ToolFailed)(f"{tool}: {_said(err)}", tool=tool) from err
            except (Exception, asyncio.CancelledError) as err:
                _fail(err, tool)
            if kind == DELTA and not isinstance(value, (str, ToolResult)):
                raise ToolFailed(f"{tool}: gave {type(value).__name__} where a model's text belongs", tool=tool)
            first = False
            yield Piece(WHOLE if isinstance(value, ToolResult) else kind, value)
    finally:
        await _close(stream)


def _stepper(stream: Iterator[Any], timeout: float | None) -> Callable[[], Any]:
    async def here() -> Any:
        await asyncio.sleep(0)
        value = next(stream, _END)
        if value is _END:
            raise StopAsyncIteration
        return value

    async def in_a_thread() -> Any:
        value = await asyncio.to_thread(next, stream, _END)
        if value is _END:
            raise StopAsyncIteration
        return value

    return here if timeout is None else in_a_thread


async def _close(stream: Any) -> None:
    if hasattr(stream, "aclose"):
        await stream.aclose()
    elif hasattr(stream, "close"):
        try:
            stream.close()
        except ValueError:  # it is still running in the thread of a time-out, and ends with it
            return


async def _within(awaitable: Any, timeout: float | None, tool: str) -> Any:
    if timeout is None:
        return await awaitable
    try:
        async with asyncio.timeout(timeout) as clock:
            return await awaitable
    except TimeoutError as err:
        if clock.expired():
            raise ToolTimeout(f"{tool}: nothing for {timeout:g} s", tool=tool) from err
        raise


def _is_stream(value: Any) -> bool:
    return hasattr(value, "__anext__") or hasattr(value, "__next__")


def _fail(err: BaseException, tool: str) -> NoReturn:
    """Raise a tool's failure as ours; the caller's own cancellation stays what it is."""
    if isinstance(err, (DispatchError, NotTrusted)):
        raise err
    if isinstance(err, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise err
        raise Cancelled(f"{tool}: cancelled itself", tool=tool) from err
    raise ToolFailed(f"{tool}: {type(err).__name__}: {_said(err)}", tool=tool) from err


def _said(err: BaseException) -> str:
    try:
        return str(err) or "no message"
    except Exception:
        return "a message that cannot be read"
