"""Teaching: what a user says about a choice becomes something that the runtime remembers.

An answered refinement is a preference, a correction a negative example; both end what the cache held, and neither
opens a pin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import PinViolation, UnknownTool
from .lexicon import canonical

if TYPE_CHECKING:
    from .runtime import ToolRuntime
    from .semantic_map import Choice


def learn(runtime: ToolRuntime, intent: str, choice: str) -> Choice:
    """Remember that an intent meant this option, given by tool or by selector."""
    path = _path_of(runtime, choice)
    if not runtime.admits(path, intent):
        raise PinViolation(f"{path} is pinned: {intent!r} may not come to mean it", tool=path)
    tool = runtime.snapshot.proxy(path)
    made = runtime.learned.map.learn(intent, tool=path, selector=tool.selector, fingerprint=tool.fingerprint)
    runtime.learned.observer.withdraw(intent, path)
    runtime.cache.flush()
    return made


def correct(runtime: ToolRuntime, intent: str, wrong: str, right: str | None) -> None:
    """Remember that a tool was the wrong answer to an intent, and which was right, if somebody said so."""
    path = _path_of(runtime, wrong)
    known = runtime.learned.map.exact(canonical(intent))
    if known is not None and known.tool == path:
        runtime.learned.map.forget(intent)
    runtime.learned.observer.correct(intent, path, right or "")
    if right is not None:
        learn(runtime, intent, right)
    runtime.cache.flush()


def _path_of(runtime: ToolRuntime, choice: str) -> str:
    """A tool by its path or selector."""
    if "/" in choice:
        return runtime.snapshot.proxy(choice).path
    added = [tool.path for tool in runtime.added if tool.selector == choice]
    rows = runtime.artifact.rows(
        "SELECT tool FROM method JOIN selector ON selector.id = method.selector"
        " JOIN tool ON tool.id = method.tool AND tool.provider = method.provider WHERE canonical = ?",
        choice,
    )
    found = [*added, *(runtime.catalogue.entry(row[0]).path for row in rows)]
    if len(found) != 1:
        raise UnknownTool(f"no single tool has the selector {choice!r}", hint="name the tool: provider/name")
    return found[0]
