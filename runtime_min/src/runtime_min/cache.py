"""ResolutionCache: an intent that was resolved before is answered by a dictionary look-up.

Two levels. The first is keyed by what the caller said, to the letter; the second by what it means: canonical
intent, argument types, `among`. Reading takes no lock; every change does, and drops both levels together, so
that no wording of a user outlives the resolution it led to. Whoever changes what a resolution depends on says
so (`flush...`, `set...`): then, not at look-up, the entries concerned go, and those who subscribed are told.
"""

from __future__ import annotations

import heapq
import itertools
import json
import threading
from collections.abc import Callable, Hashable, Mapping

from .named import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

CAPACITY = 1024
WORDINGS = 4
"""How many wordings are kept for each entry, on average."""


class Tag(NamedTuple):
    """What a resolution depends on: the chosen tool and its provider with their versions, and the encoder."""

    provider: str = ""
    selector: str = ""
    provider_version: str = ""
    encoder: str = ""
    schema: str = ""  # fingerprint of the chosen tool's input schema


class Event(NamedTuple):
    """Entries left the cache: `kind` is flush, provider, selector or stale; `reason` says what changed."""

    kind: str
    subject: str
    reason: str
    entries: int  # that left


_UNTAGGED = Tag()


class _Entry:
    __slots__ = ("key", "said", "tag", "used", "value")

    def __init__(self, key: Hashable, value: Any, tag: Tag, used: int) -> None:
        self.key, self.tag, self.used = key, tag, used
        self.value: Any = value  # None once it was dropped: the heap of ages must keep nothing alive
        self.said: list[Hashable] = []


class ResolutionCache:
    """Bounded, least recently used first out, thread-safe."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError("a cache holds at least one entry")
        self.capacity = capacity
        self.generation = 0
        self._said: dict[Hashable, _Entry] = {}
        self._meant: dict[Hashable, _Entry] = {}
        self._age: list[tuple[int, int, _Entry]] = []
        self._ticks = itertools.count(1)
        self._order = itertools.count()
        self._lock = threading.RLock()
        self._hooks: dict[int, Callable[[Event], None]] = {}
        self._providers: dict[str, str] = {}
        self._schemas: dict[str, str] = {}
        self._encoder: str | None = None

    def said(self, text: Hashable) -> Any:
        """What this very text was resolved to."""
        entry = self._said.get(text)
        if entry is None:
            return None
        entry.used = next(self._ticks)
        return entry.value

    def meant(self, key: Hashable) -> Any:
        """What this key was resolved to."""
        entry = self._meant.get(key)
        if entry is None:
            return None
        entry.used = next(self._ticks)
        return entry.value

    def say(self, said: Hashable, key: Hashable) -> None:
        """Let a text lead to the entry of a key from now on."""
        with self._lock:
            entry = self._meant.get(key)
            if entry is not None:
                self._remember(said, entry)

    def store(
        self, key: Hashable, value: Any, tag: Tag = _UNTAGGED, said: Hashable = None, generation: int | None = None
    ) -> None:
        """Keep a resolution; not if the cache has been told of a change since `generation` was read."""
        with self._lock:
            if generation is not None and generation != self.generation:
                return
            if key in self._meant:
                self._drop(self._meant[key])
            while len(self._meant) >= self.capacity:
                self._drop(self._oldest())
            entry = _Entry(key, value, tag, next(self._ticks))
            self._meant[key] = entry
            heapq.heappush(self._age, (entry.used, next(self._order), entry))
            if len(self._age) > 2 * len(self._meant) + 64:  # most are of dropped entries
                self._age = [(e.used, next(self._order), e) for e in self._meant.values()]
                heapq.heapify(self._age)
            if said is not None:
                self._remember(said, entry)

    def __len__(self) -> int:
        return len(self._meant)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._meant

    def flush(self) -> int:
        """Drop everything."""
        return self._evict("flush", "", "flushed", lambda tag: True)

    def flush_provider(self, provider: str) -> int:
        """Drop what leads to a tool of this provider."""
        return self._evict("provider", provider, "flushed", lambda tag: tag.provider == provider)

    def flush_selector(self, selector: str) -> int:
        """Drop what leads to this selector, under whatever wording."""
        return self._evict("selector", selector, "flushed", lambda tag: tag.selector == selector)

    def set_provider_version(self, provider: str, version: str) -> int:
        """Drop what was resolved with another version of this provider."""
        return self._changed(
            provider, "provider-version", lambda tag: tag.provider == provider and tag.provider_version != version
        )

    def set_encoder(self, encoder: str) -> int:
        """Drop what was resolved with another encoder."""
        return self._changed(encoder, "encoder-version", lambda tag: tag.encoder != encoder)

    def set_schema(self, selector: str, fingerprint: str) -> int:
        """Drop what was resolved when this selector's schema was another."""
        return self._changed(
            selector, "schema-fingerprint", lambda tag: tag.selector == selector and tag.schema != fingerprint
        )

    def set_artifact(self, digest: str) -> int:
        """Drop everything that another artifact said: a tool that is new in this one might answer better."""
        return self._changed(digest, "artifact", lambda tag: True)

    def subscribe(self, hook: Callable[[Event], None]) -> Callable[[], None]:
        """Call `hook` with each Event; the returned function ends that."""
        key = next(self._order)
        self._hooks[key] = hook

        def unsubscribe() -> None:
            self._hooks.pop(key, None)

        return unsubscribe

    def _changed(self, subject: str, reason: str, concerns: Callable[[Tag], bool]) -> int:
        return self._evict("stale", subject, reason, concerns)

    def _evict(self, kind: str, subject: str, reason: str, concerns: Callable[[Tag], bool]) -> int:
        with self._lock:
            self.generation += 1
            gone = [entry for entry in self._meant.values() if concerns(entry.tag)]
            for entry in gone:
                self._drop(entry)
        if gone or kind != "stale":
            for hook in list(self._hooks.values()):
                hook(Event(kind, subject, reason, len(gone)))
        return len(gone)

    def _remember(self, said: Hashable, entry: _Entry) -> None:
        known = self._said.pop(said, None)
        if known is not None:
            known.said.remove(said)
        while len(self._said) >= WORDINGS * self.capacity:
            first = next(iter(self._said))
            self._said.pop(first).said.remove(first)
        self._said[said] = entry
        entry.said.append(said)

    def _drop(self, entry: _Entry) -> None:
        del self._meant[entry.key]
        for said in entry.said:
            self._said.pop(said, None)
        entry.said = []
        entry.value = None

    def _oldest(self) -> _Entry:
        """The entry whose last use lies farthest back. Uses do not touch the heap: a used one is put back here."""
        while True:
            stamp, _, entry = heapq.heappop(self._age)
            if self._meant.get(entry.key) is not entry:
                continue
            if entry.used == stamp:
                return entry
            heapq.heappush(self._age, (entry.used, next(self._order), entry))


def fingerprint(schema: Mapping[str, Any] | bool) -> str:
    """sha256 of a schema as JSON, the same for any order of its keys."""
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
