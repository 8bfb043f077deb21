"""Operations: what a tool does, read from its name and first sentence, so that likeness is not taken for sameness.

Vectors put "add a comment" and "get the comments" side by side. Two tools are the same operation only where
their verbs are of one kind, the words that turn a meaning round agree, and they are about the same thing; inside
one provider only where the names are the same but for version and spelling (docs/decisions/0002-overloads.md).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runtime_min.lexicon import STOP, canonical, stem, words

from .model import Tool
from .verbs import DIRECTIONS, GENERIC, LINKS, MODIFIERS, kind_of, opposed, sentence_kinds, verb_kind

ABBREVIATIONS: dict[str, str] = {
    "pr": "pull request",
    "prs": "pull requests",
    "mr": "merge request",
    "mrs": "merge requests",
    "repo": "repository",
    "repos": "repositories",
    "dir": "directory",
    "dirs": "directories",
    "folder": "directory",
    "folders": "directories",
    "doc": "document",
    "docs": "documents",
    "db": "database",
    "dbs": "databases",
    "msg": "message",
    "msgs": "messages",
    "org": "organization",
    "orgs": "organizations",
    "organisation": "organization",
    "organisations": "organizations",
    "config": "configuration",
    "configs": "configurations",
    "env": "environment",
    "envs": "environments",
    "mail": "email",
    "mails": "emails",
    "app": "application",
    "apps": "applications",
    "img": "image",
    "imgs": "images",
    "info": "information",
    "infos": "information",
    "indexes": "indices",
    "indices": "indices",
}
"""Spellings of the same word."""

COMPOUNDS = (("pull", "request"), ("pull", "requests"), ("merge", "request"), ("merge", "requests"))
"""Two words that are one noun, so that neither is taken for a verb."""

LIGHT = frozenset("tool api mcp resource item object detail information content data record entry".split())
"""Nouns that add nothing to a verb and its object: an issue's details are the issue."""

_VERSION = re.compile(r"v\d+|beta|legacy|deprecated")
_EVERYTHING = frozenset({"all", "every"})
_NUMBERED = frozenset({"read", "create", "update", "write", "delete", "send"})
_SENTENCE = re.compile(r"[.!?](?:\s|$)|\n")
_PREFIX = (0.6, 4)  # share of a provider's names, and at least so many, that start with a word that then says who


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What a tool does: `kind` of its verb, `head` what it is about, `rest` all words that say which."""

    kind: str | None  # several with + where the name has no verb and the description lists them
    head: str
    rest: tuple[str, ...]  # stems without the verb; in their order where a direction is among them, else sorted
    light: frozenset[str]
    modifiers: frozenset[str]
    many: bool
    mentions: frozenset[str]  # stems of the first sentence of the description
    charged: frozenset[str]  # words of name and first sentence, for opposites


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What decides inside one provider: the provider, the name but for version, spelling and arguments, the hint."""

    provider: str
    spelling: str
    hint: str


def operations(tools: Sequence[Tool]) -> tuple[Operation, ...]:
    """The operation of each tool; words that say whose tool it is are left out (provider, shared prefix)."""
    whose = _owners(tools)
    return tuple(operation(tool.name, tool.description or tool.title, whose[tool.provider]) for tool in tools)


def identities(tools: Iterable[Tool]) -> tuple[Identity, ...]:
    """The identity of each tool."""
    return tuple(
        Identity(
            provider=tool.provider,
            spelling="".join(word for word in _spelled(tool.name) if not _VERSION.fullmatch(word)) or tool.name,
            hint=canonical(tool.hints.selector or ""),
        )
        for tool in tools
    )


def same_operation(first: Operation, second: Operation) -> bool:
    """Whether a person would call these the same operation, given that their texts are alike."""
    if (first.kind, first.modifiers, first.many) != (second.kind, second.modifiers, second.many):
        return False
    if opposed(first.charged, second.charged):
        return False
    if first.rest == second.rest:
        return first.head == second.head if first.rest else _lightly(first, second)
    return _narrower(first, second) or _narrower(second, first)


def operation(name: str, description: str, owner: frozenset[str] = frozenset()) -> Operation:
    """The operation that a name and its description state; words of `owner` count only when nothing else is left."""
    spelled = _compounds(_spelled(name))
    unowned = [word for word in spelled if word not in owner or kind_of(word)]
    sentence = _SENTENCE.split(description.strip(), maxsplit=1)[0]
    said = words(sentence)
    # "issue_create" of an issue server is about issues: without them nothing would say what is created.
    named = unowned if any(kind_of(word) not in GENERIC for word in unowned) else spelled
    kind, place = verb_kind(named)
    nouns = [word for index, word in enumerate(named) if index != place and not _VERSION.fullmatch(word)]
    kind = kind or "+".join(sentence_kinds(sentence)) or None
    head = _head(nouns)
    many = _plural(head)
    if kind == "read" and many:
        kind = "list"
    modifiers = frozenset(nouns) & MODIFIERS
    if kind in ("list", "search", "count"):
        modifiers -= _EVERYTHING
    stems = [stem(word) for word in nouns if word not in STOP or word in MODIFIERS]
    light = frozenset(stems) & _LIGHT
    rest = [word for word in stems if word not in light and word not in _EVERYTHING]
    return Operation(
        kind=kind,
        head=stem(head),
        rest=tuple(rest) if DIRECTIONS & set(nouns) else tuple(sorted(rest)),
        light=light,
        modifiers=modifiers,
        many=many and kind in _NUMBERED,
        mentions=frozenset(stem(word) for word in said),
        charged=frozenset(spelled) | frozenset(said),
    )


def _lightly(first: Operation, second: Operation) -> bool:
    """Whether two names without nouns of weight agree: to delete a resource is to delete, an item is no object."""
    return first.light == second.light or not first.light or not second.light


def _narrower(short: Operation, long: Operation) -> bool:
    """Whether `long` only spells out what `short` is about anyway: `get_logs` of pods and `get_pod_logs`."""
    extra = Counter(long.rest) - Counter(short.rest)
    return (
        bool(short.rest)
        and not Counter(short.rest) - Counter(long.rest)
        and short.head == long.head
        and all(word in short.mentions and not kind_of(word) for word in extra)
    )


def _owners(tools: Sequence[Tool]) -> Mapping[str, frozenset[str]]:
    """Per provider the words of its id and a first word that most of its names share."""
    firsts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter()
    for tool in tools:
        sizes[tool.provider] += 1
        firsts[tool.provider][next(iter(_spelled(tool.name)), "")] += 1
    share, least = _PREFIX
    return {
        provider: frozenset(words(provider))
        | {word for word, count in firsts[provider].items() if count >= max(least, share * size) and not kind_of(word)}
        for provider, size in sizes.items()
    }


def _spelled(name: str) -> list[str]:
    spelled = " ".join(ABBREVIATIONS.get(word, word) for word in words(name)).split()
    # What follows "by" is an argument: a user by id and a user by mail are one operation with two signatures.
    return spelled[: spelled.index("by")] if "by" in spelled[1:-1] and spelled[0] != "by" else spelled


def _compounds(spelled: Sequence[str]) -> list[str]:
    out: list[str] = []
    for word in spelled:
        if out and (out[-1], word) in COMPOUNDS:
            out[-1] += word
        else:
            out.append(word)
    return out


def _head(nouns: Sequence[str]) -> str:
    """The noun that the others describe: the last one before a link word, a light one if there is no other."""
    end = next((index for index, word in enumerate(nouns) if index and word in LINKS), len(nouns))
    last = [word for word in reversed(nouns[:end]) if word not in MODIFIERS and word not in STOP]
    return next((word for word in last if stem(word) not in _LIGHT), last[0] if last else "")


def _plural(word: str) -> bool:
    return len(word) > 3 and (word == "indices" or (word[-1] == "s" and not word.endswith(("ss", "us", "is", "news"))))


_LIGHT = frozenset(stem(word) for word in LIGHT)
