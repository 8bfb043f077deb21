"""Selector namespaces: a selector that has an owner is answered by nobody else.

Every door to a dispatch table asks here: a class that registers a method, a category, a swizzle.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from .errors import NamespaceViolation


class SelectorNamespaces:
    """The protected selectors of one runtime, by canonical text."""

    def __init__(self) -> None:
        self._owners: dict[str, tuple[str, bool]] = {}
        self._lock = threading.RLock()

    def protect(self, owner: str, selectors: Iterable[str], *, swizzlable: bool = False) -> None:
        """Reserve selectors for `owner`; one that another owns already is a violation, and then nothing changes."""
        wanted = list(selectors)
        with self._lock:
            for selector in wanted:
                self._refuse(selector, owner)
            self._owners.update((selector, (owner, swizzlable)) for selector in wanted)

    def unregister(self, owner: str) -> int:
        """Lift all guards of this owner; how many there were."""
        with self._lock:
            mine = [selector for selector, (name, _) in self._owners.items() if name == owner]
            for selector in mine:
                del self._owners[selector]
        return len(mine)

    def owner(self, selector: str) -> str | None:
        """Who owns a selector."""
        found = self._owners.get(selector)
        return found[0] if found else None

    def check(self, selector: str, offender: str) -> None:
        """Raise NamespaceViolation when the selector belongs to somebody else."""
        if self._owners:
            self._refuse(selector, offender)

    def check_swizzle(self, selector: str, offender: str) -> None:
        """Raise NamespaceViolation when the selector is protected and not declared swizzlable, whoever asks."""
        found = self._owners.get(selector)
        if found and not found[1]:
            raise NamespaceViolation(selector, owner=found[0], offender=offender)

    def _refuse(self, selector: str, offender: str) -> None:
        found = self._owners.get(selector)
        if found and found[0] != offender:
            raise NamespaceViolation(selector, owner=found[0], offender=offender)
