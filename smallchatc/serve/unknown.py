"""Unknown: a name that is not listed becomes a refusal that says which listed tools are near, and what these do.

A name is no request: nothing runs because it sounds like something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime_min.errors import UnknownTool

from ..wording import first_sentence

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

    from ..model import Json
    from .offer import Offer

_NEAR = 3


class NotListed(UnknownTool):
    """Nobody offered a tool under this name; `near` are those that may have been meant, nearest first."""

    def __init__(self, name: str, near: tuple[Mapping[str, str], ...], *, hint: str) -> None:
        meant = f"; did you mean '{near[0]['name']}' ({near[0]['does']})?" if near else ""
        super().__init__(f"Unknown tool: {name}{meant}", hint=hint)
        self.near = near

    def data(self) -> dict[str, Json]:
        """The same for programs."""
        return {"code": self.code, "did_you_mean": [dict(each) for each in self.near], "hint": self.hint}


def not_listed(runtime: ToolRuntime, offer: Offer, name: str, *, hint: str) -> NotListed:
    """The refusal of a name."""
    found = runtime.resolve(name, k=_NEAR).candidates
    return NotListed(
        name, tuple(_near(runtime, one.tool, offer.names) for one in found if one.tool in offer.names), hint=hint
    )


def is_name(text: str) -> bool:
    """Whether a text is a tool's name by its form, whoever gave it that name."""
    return ("__" in text or "/" in text) and not any(map(str.isspace, text))


def _near(runtime: ToolRuntime, path: str, names: Mapping[str, Any]) -> dict[str, str]:
    return {"name": names[path], "does": first_sentence(runtime.snapshot.proxy(path).description)}
