"""Asking: a question to the resolver becomes the keys of the cache, and the cache's miss an answer worth keeping.

What the answer depends on is the key: canonical intent, the words and kinds of values it is read as, types of the
arguments, `among`, `k`. Wordings that are read alike share an answer; its proof tells of the one that was resolved.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from .arguments import type_code
from .cache import Tag
from .lexicon import canonical
from .made_once import if_made
from .named import TYPE_CHECKING
from .proof import Step
from .words import spoken_words

if TYPE_CHECKING:
    from typing import Any

    from .resolution import Resolution
    from .runtime import ToolRuntime
    from .snapshot import Snapshot

LONGEST = 1000
"""Characters of an intent that is cached; whoever sends books does not send the same one twice."""


def said_key(intent: str, args: Mapping[str, Any] | None, k: int, among: tuple[str, ...] | None) -> Hashable:
    """What was asked, to the letter of the intent: cheap to make, and finer than what the answer depends on."""
    limit = among if among is None else frozenset(among)
    return (intent, tuple(args), tuple(map(type, args.values())), k, limit) if args else (intent, k, limit)


def _meant_key(intent: str, args: Mapping[str, Any] | None, k: int, among: tuple[str, ...] | None) -> Hashable:
    types = tuple((name, type_code(args[name])) for name in sorted(args, key=str)) if args else ()
    words, kinds = spoken_words(intent)
    return canonical(intent), words, kinds, types, k, among if among is None else frozenset(among)


def ask(
    runtime: ToolRuntime,
    intent: str,
    args: Mapping[str, Any] | None,
    k: int,
    among: tuple[str, ...] | None,
    said: Hashable,
) -> Resolution:
    """The answer to what was never asked in these words: from another wording's entry, or resolved and kept."""
    cache, generation, snapshot = runtime.cache, runtime.cache.generation, runtime.snapshot
    if len(intent) > LONGEST:
        return answer(runtime, snapshot, intent, args, k, among)
    key = _meant_key(intent, args, k, among)
    found: Resolution | None = cache.meant(key)
    if found is not None:
        cache.say(said, key)
        return found
    resolution = answer(runtime, snapshot, intent, args, k, among)
    cache.store(key, resolution, _tag(snapshot, resolution.tool), said=said, generation=generation)
    return resolution


def answer(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    args: Mapping[str, Any] | None,
    k: int,
    among: tuple[str, ...] | None,
) -> Resolution:
    """What the snapshot says, and what the runtime remembers and guards; no cache."""
    learned, pins = if_made(runtime, "learned"), runtime.pins
    if learned is None and not pins:
        return snapshot.resolver.resolve(intent, args, k=k, among=among)
    from . import amended

    meant = canonical(intent)
    named = pins.named(intent) if pins else None
    if named is not None and (among is None or named in among) and snapshot.fingerprint(named) is not None:
        return amended.literal(snapshot, intent, named, Step("pin", {"names": named}))
    choice = learned.map.exact(meant) if learned is not None else None
    if (
        choice is not None
        and (among is None or choice.tool in among)
        and snapshot.fingerprint(choice.tool) == choice.fingerprint
        and pins.admits(choice.tool, intent, snapshot.similarity)
    ):
        return amended.learned_answer(snapshot, intent, choice)
    base = snapshot.resolver.resolve(intent, args, k=k, among=among)
    return amended.amend(snapshot, intent, meant, base, learned, pins, among)


def _tag(snapshot: Snapshot, path: str | None) -> Tag:
    if path is None:
        return Tag(encoder=snapshot.artifact.encoder)
    entry = snapshot.catalogue.entry(snapshot.catalogue.tool_id(path))
    return Tag(path.partition("/")[0], entry.selector, "", snapshot.artifact.encoder, "")
