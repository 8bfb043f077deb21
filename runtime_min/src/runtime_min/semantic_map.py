"""Semantic map: the answers to refinements become preferences.

The identical intent goes straight to the chosen tool; a similar one lends it confidence, more so the more alike
the two are and the more often the choice was made. A choice holds only while its tool is there and unchanged.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .intent_index import IntentIndex
from .lexicon import canonical
from .named import NamedTuple

if TYPE_CHECKING:
    from .words import Vocabulary

CAPACITY = 4096
SIMILAR = 0.8
"""Cosine from which a remembered intent speaks for another."""


class Choice(NamedTuple):
    """A learned preference: this intent meant this tool, so many times."""

    intent: str
    tool: str
    selector: str
    fingerprint: str
    times: int


class Boost(NamedTuple):
    """What a similar remembered intent says: how far towards certainty it lifts the tool's confidence (0 to 1)."""

    choice: Choice
    similarity: float
    strength: float


class SemanticMap:
    """The learned choices of one runtime, least recently learned first. Bounded and thread-safe."""

    def __init__(self, capacity: int = CAPACITY, threshold: float = SIMILAR) -> None:
        self.capacity = capacity
        self.threshold = threshold
        self._choices: dict[str, Choice] = {}
        self._index = IntentIndex()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._choices)

    def choices(self) -> list[Choice]:
        """All of them, least recently learned first."""
        with self._lock:
            return list(self._choices.values())

    def learn(self, intent: str, *, tool: str, selector: str, fingerprint: str) -> Choice:
        """Remember that this intent meant this tool: once more, or instead of what it was thought to mean."""
        key = canonical(intent)
        with self._lock:
            known = self._choices.pop(key, None)
            again = known is not None and known.tool == tool and known.fingerprint == fingerprint
            choice = Choice(intent, tool, selector, fingerprint, known.times + 1 if known and again else 1)
            self._put(key, choice)
        return choice

    def forget(self, intent: str) -> Choice | None:
        """Unlearn what this intent means."""
        key = canonical(intent)
        with self._lock:
            self._index.remove(key)
            return self._choices.pop(key, None)

    def exact(self, key: str) -> Choice | None:
        """What the intent of this canonical form was said to mean."""
        return self._choices.get(key)

    def boosts(self, intent: str, vocabulary: Vocabulary, key: str | None = None) -> list[Boost]:
        """What remembered intents like this one say, strongest first; one boost a tool."""
        if not self._choices:
            return []
        with self._lock:
            near = self._index.similar(intent, self.threshold, vocabulary, key)
            found = [(self._choices[known], likeness) for known, likeness in near]
        if not found:
            return []
        best: dict[str, Boost] = {}
        for choice, likeness in found:
            boost = Boost(choice, likeness, _strength(likeness, choice.times, self.threshold))
            if choice.tool not in best or boost.strength > best[choice.tool].strength:
                best[choice.tool] = boost
        return sorted(best.values(), key=lambda boost: (-boost.strength, boost.choice.tool))

    def keep_valid(self, fingerprint_of: Callable[[str], str | None]) -> list[str]:
        """Drop the choices whose tool is gone or changed; a note for each."""
        notes = []
        with self._lock:
            for key, choice in list(self._choices.items()):
                now = fingerprint_of(choice.tool)
                if now != choice.fingerprint:
                    del self._choices[key]
                    self._index.remove(key)
                    what = "is gone" if now is None else "has changed"
                    notes.append(f"learned choice dropped: {choice.intent!r} meant {choice.tool}, which {what}")
            self._index.forget_vectors()
        return notes

    def merge(self, choices: Iterable[Choice]) -> None:
        """Take in the choices of another map. Of two for one intent the more often made stays; merging twice
        changes nothing, and neither does the order."""
        with self._lock:
            for choice in choices:
                key = canonical(choice.intent)
                known = self._choices.get(key)
                if known is None or (choice.times, choice.tool, choice.intent) > (
                    known.times,
                    known.tool,
                    known.intent,
                ):
                    self._choices.pop(key, None)
                    self._put(key, choice)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._choices.clear()
            self._index = IntentIndex()

    def to_list(self) -> list[dict[str, Any]]:
        """The choices as JSON, least recently learned first."""
        return [choice._asdict() for choice in self.choices()]

    def _put(self, key: str, choice: Choice) -> None:
        while len(self._choices) >= self.capacity:
            oldest = next(iter(self._choices))
            del self._choices[oldest]
            self._index.remove(oldest)
        self._choices[key] = choice
        self._index.add(key, choice.intent)


def read_choice(value: Mapping[str, Any]) -> Choice:
    """A choice from JSON; raises ValueError for what is none."""
    choice = Choice(*(value.get(field) for field in Choice._fields))  # type: ignore[arg-type]
    texts = all(isinstance(text, str) for text in choice[:4])
    if not texts or not isinstance(choice.times, int) or isinstance(choice.times, bool) or choice.times < 1:
        raise ValueError(f"not a learned choice: {value!r}")
    return choice


def _strength(likeness: float, times: int, threshold: float) -> float:
    """0 at the threshold, near 1 for a near-identical intent that was chosen often."""
    alike = (likeness - threshold) / (1 - threshold) if threshold < 1 else 1.0
    return round(math.sqrt(max(0.0, alike)) * (1 - 0.5 ** (times + 1)), 6)
