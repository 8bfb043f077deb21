"""Intent pins: a tool that must never be reached by resemblance is reached by name, or nearly so, or not at all.

An exact pin admits the tool's own names and the aliases given with the pin; an elevated one also what is at
least `ELEVATED` similar to one of them. Asked on every path to a tool, the cache's included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .lexicon import canonical
from .named import NamedTuple

ELEVATED = 0.98

Similarity = Callable[[str, str], float]


class Pin(NamedTuple):
    """The guard of one tool. `names` are canonical forms; `threshold` None admits nothing but them."""

    tool: str
    names: frozenset[str]
    threshold: float | None


class IntentPins:
    """The pins of one runtime; replaced as a whole, so that readers need no lock."""

    def __init__(self) -> None:
        self._pins: dict[str, Pin] = {}

    def __bool__(self) -> bool:
        return bool(self._pins)

    def pin(self, tool: str, names: Iterable[str], *, elevated: bool = False, threshold: float = ELEVATED) -> Pin:
        """Guard a tool: only these names reach it, and with `elevated` what resembles one of them that much."""
        if elevated and not ELEVATED <= threshold <= 1:
            raise ValueError(f"an elevated pin asks for a similarity of at least {ELEVATED}, not {threshold}")
        made = Pin(tool, frozenset(map(canonical, names)), threshold if elevated else None)
        self._pins = {**self._pins, tool: made}
        return made

    def unpin(self, tool: str) -> None:
        """Lift the guard of a tool."""
        self._pins = {path: pin for path, pin in self._pins.items() if path != tool}

    def all(self) -> list[Pin]:
        """The pins, by tool."""
        return [pin for _, pin in sorted(self._pins.items())]

    def widen(self, tool: str, names: Iterable[str]) -> None:
        """Give a pinned tool further names: those it has in another artifact."""
        pin = self._pins[tool]
        self._pins = {**self._pins, tool: pin._replace(names=pin.names | frozenset(map(canonical, names)))}

    def of(self, tool: str) -> Pin | None:
        """The pin of a tool, if it has one."""
        return self._pins.get(tool)

    def named(self, intent: str) -> str | None:
        """The pinned tool that this intent names, when it is the only one."""
        asked = canonical(intent)
        found = [pin.tool for pin in self._pins.values() if asked in pin.names]
        return found[0] if len(found) == 1 else None

    def admits(self, tool: str, intent: str, similarity: Similarity) -> bool:
        """Whether this intent may reach this tool."""
        pin = self._pins.get(tool)
        if pin is None:
            return True
        asked = canonical(intent)
        if asked in pin.names:
            return True
        return pin.threshold is not None and any(
            _same_polarity(asked, name) and similarity(asked, name) >= pin.threshold for name in pin.names
        )


def _same_polarity(one: str, other: str) -> bool:
    from .polarity import polarity

    return polarity(one) == polarity(other)
