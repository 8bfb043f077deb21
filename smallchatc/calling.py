"""Calling: an intent and what was typed become a tool's answer, event by event, and an exit code.

Whatever ends it (an interrupt, a SIGTERM, an error), the servers that were started for it have ended before.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from runtime_min.events import Done, Error

from .given import typed

if TYPE_CHECKING:
    from typing import Unpack

    from runtime_min import ToolRuntime
    from runtime_min.errors import Violation
    from runtime_min.events import Event
    from runtime_min.resolution import Resolution
    from runtime_min.sending import Dispatching

    from .model import Json


class Misfit(NamedTuple):
    """Nothing ran, although the intent alone means this tool: the arguments are not what it takes."""

    tool: str
    violations: tuple[Violation, ...]


Show = Callable[["Event | Misfit"], None]


def call(
    runtime: ToolRuntime,
    intent: str,
    arguments: Mapping[str, Json],
    texts: Mapping[str, str],
    *,
    show: Show,
    **how: Unpack[Dispatching],
) -> int:
    """Run it: 0 when the tool answered, 1 when no tool is clear or it says that it failed; raises DispatchError."""

    async def run() -> int:
        asked = asyncio.current_task()
        with suppress(NotImplementedError):  # Windows has no handlers, and no SIGTERM
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.cancel if asked else int)
        try:
            return await answer(runtime, intent, arguments, texts, show=show, **how)
        finally:
            await runtime.aclose()

    try:
        return asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def answer(
    runtime: ToolRuntime,
    intent: str,
    arguments: Mapping[str, Json],
    texts: Mapping[str, str],
    *,
    show: Show,
    **how: Unpack[Dispatching],
) -> int:
    """The same on a loop that goes on."""
    # By the intent alone: arguments of the wrong type would lead away from the tool that says which they should have.
    meant = runtime.resolve(intent, among=how.get("among")) if texts else None
    args = {**arguments, **typed(texts, _schema(runtime, meant))}
    events = runtime.dispatch_stream(intent, args, **how)
    code = 1
    try:
        async for event in events:
            show(event)
            if (
                isinstance(event, Done)
                and event.outcome == "refine"
                and (misfit := _misfit(runtime, intent, args, how))
            ):
                show(misfit)
            if isinstance(event, Error):
                raise event.error
            if isinstance(event, Done):
                code = 0 if event.outcome == "ok" else 1
    finally:
        await events.aclose()
    return code


def _misfit(runtime: ToolRuntime, intent: str, args: Mapping[str, Json], how: Mapping[str, Any]) -> Misfit | None:
    """What the question that was asked does not say: a tool was clear, until its arguments were looked at."""
    from runtime_min.chain import violations

    meant = runtime.resolve(intent, among=how.get("among")).tool
    wrong = violations(runtime, runtime.snapshot.proxy(meant), args) if meant is not None else ()
    return Misfit(meant, wrong) if meant is not None and wrong else None


def _schema(runtime: ToolRuntime, resolution: Resolution | None) -> Json:
    """The input schema of the tool that is probably meant."""
    if resolution is None:
        return None
    path = resolution.tool or next((found.tool for found in resolution.candidates), None)
    return None if path is None else runtime.snapshot.proxy(path).input_schema
