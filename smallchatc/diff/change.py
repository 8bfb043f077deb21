"""A change: one thing that differs between two artifacts, as a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model import Json
from .kinds import KINDS, LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What differs, where, and both sides of it."""

    kind: str  # a slug of kinds.KINDS
    subject: str  # "P/N", a provider, an intent; "" for the artifact
    message: str
    before: Json = None
    after: Json = None
    pointer: str = ""  # JSON pointer into the tool's definition
    file: str = ""  # of the new side, of the old one for what is gone
    line: int = 0

    @property
    def level(self) -> str:
        """breaking, risky or safe."""
        return KINDS[self.kind].level


def worst(changes: Iterable[Change]) -> str | None:
    """The worst level among changes; None for none."""
    return max((change.level for change in changes), key=LEVELS.index, default=None)


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Worst first, then by subject, kind and place; a change that is found twice stands once."""
    return tuple(
        sorted(
            {_key(change): change for change in changes}.values(),
            key=lambda change: (-LEVELS.index(change.level), *_key(change)),
        )
    )


def _key(change: Change) -> tuple[str, str, str, str]:
    return change.subject, change.kind, change.pointer, change.message
