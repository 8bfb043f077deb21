"""Observer: explicit corrections become caution.

A tool that was the wrong answer to an intent is not chosen unasked for it, nor for one like it; and each third
correction of a tool raises the confidence that it needs, by `STEP` up to `CEILING`. Nothing else counts: to
call another tool next is normal work, and a missing argument says nothing against a tool.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .intent_index import IntentIndex
from .lexicon import canonical
from .named import NamedTuple

if TYPE_CHECKING:
    from .words import Vocabulary

RING = 1000
STEP = 0.03
EVERY = 3
CEILING = 0.95
SIMILAR = 0.9


class Correction(NamedTuple):
    """This intent did not mean `wrong`; `right` is what it meant, "" when nobody said."""

    intent: str
    wrong: str
    right: str


class Observer:
    """The corrections of one runtime, the last `RING` of them. Thread-safe, resettable, serialisable."""

    def __init__(self, ring: int = RING) -> None:
        self.ring = ring
        self._corrections: dict[str, Correction] = {}
        self._counts: dict[str, int] = {}
        self._index = IntentIndex()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._corrections)

    def correct(self, intent: str, wrong: str, right: str = "") -> Correction:
        """Count a correction: `wrong` was chosen or offered for this intent, and was not meant."""
        made = Correction(intent, wrong, right)
        with self._lock:
            self._counts[wrong] = self._counts.get(wrong, 0) + 1
            self._put(made)
        return made

    def corrections(self) -> list[Correction]:
        """The remembered corrections, oldest first."""
        with self._lock:
            return list(self._corrections.values())

    def concerns(self, tool: str) -> bool:
        """Whether this tool was ever corrected."""
        return tool in self._counts

    def raised(self, tool: str, cut: float) -> float:
        """The confidence that this tool needs where others need `cut`."""
        count = self._counts.get(tool, 0)
        if count < EVERY:
            return cut
        return max(cut, min(CEILING, round(cut + STEP * (count // EVERY), 6)))

    def against(self, intent: str, tool: str, vocabulary: Vocabulary) -> tuple[Correction, float] | None:
        """The correction that speaks against this tool for this intent, and how alike the intents are."""
        if tool not in self._counts:
            return None
        key = _key(canonical(intent), tool)
        with self._lock:
            if key in self._corrections:
                return self._corrections[key], 1.0
            for near, likeness in self._index.similar(intent, SIMILAR, vocabulary):
                found = self._corrections[near]
                if found.wrong == tool:
                    return found, likeness
        return None

    def withdraw(self, intent: str, tool: str) -> None:
        """The tool was chosen for this intent after all: no correction stands against it."""
        with self._lock:
            key = _key(canonical(intent), tool)
            if self._corrections.pop(key, None):
                self._index.remove(key)

    def reset(self) -> None:
        """Forget all corrections; thresholds are what they were."""
        with self._lock:
            self._corrections.clear()
            self._counts.clear()
            self._index = IntentIndex()

    def to_dict(self) -> dict[str, Any]:
        """Corrections and counts as JSON."""
        with self._lock:
            return {
                "corrections": [made._asdict() for made in self._corrections.values()],
                "counts": dict(sorted(self._counts.items())),
            }

    def merge(self, value: Mapping[str, Any]) -> None:
        """Take in what `to_dict` of another observer gave; merging twice changes nothing. ValueError otherwise."""
        made = [Correction(*(one.get(field) for field in Correction._fields)) for one in value.get("corrections", [])]
        counts = value.get("counts", {})
        if not all(isinstance(text, str) for one in made for text in one):
            raise ValueError("not an observer's corrections")
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in counts.values()):
            raise ValueError("not an observer's counts")
        with self._lock:
            for one in made:
                self._put(one)
            for tool, count in counts.items():
                self._counts[tool] = max(count, self._counts.get(tool, 0))

    def _put(self, made: Correction) -> None:
        key = _key(canonical(made.intent), made.wrong)
        self._corrections.pop(key, None)
        while len(self._corrections) >= self.ring:
            oldest = next(iter(self._corrections))
            del self._corrections[oldest]
            self._index.remove(oldest)
        self._corrections[key] = made
        self._index.add(key, made.intent)


def _key(intent: str, tool: str) -> str:
    return f"{tool}\n{intent}"
