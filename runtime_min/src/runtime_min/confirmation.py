"""Confirmation: a tool that may destroy something runs when the host says yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .errors import Declined

if TYPE_CHECKING:
    from .proxy import ToolProxy

Confirm = Callable[["ToolProxy", Mapping[str, Any]], Any]
"""Asked whether a tool may run with these arguments; the answer may have to be awaited."""


async def confirmed(confirm: Confirm, tool: ToolProxy, args: Mapping[str, Any] | None) -> None:
    """Raise Declined unless the host says yes; a host's port that fails has not."""
    if not tool.may_destroy:
        return
    try:
        answer = confirm(tool, args or {})
        if hasattr(answer, "__await__"):
            answer = await answer
    except Exception as err:
        raise Declined(f"{tool.path}: asking whether it may run failed: {err}", tool=tool.path) from err
    if answer is not True:
        raise Declined(f"{tool.path}: it may change or destroy things, and was not confirmed", tool=tool.path)
