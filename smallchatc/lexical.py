"""Lexical: a catalog's words become terms, with what each counts for each tool (BM25F).

Words that name a provider say which provider is meant and little about which of its tools: every tool of
that provider has them, nearly alike.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runtime_min.format import MAX_TERMS
from runtime_min.lexicon import STOP, stem, terms, words

from .build import build_digest
from .cache import Cache, cache_key
from .model import Tool
from .wording import indexed_description

FIELDS = (("name", 3.0), ("provider", 1.0), ("description", 1.0), ("argument", 0.5), ("argument text", 0.3))
"""Field weights of BM25F (Robertson, Zaragoza and Taylor 2004), with its two constants below."""
K1, B = 1.2, 0.5

OWNER_SHARE, OWNER_SPREAD = 0.6, 0.15
"""What a word that names the provider counts for each of its tools, and how much more for one that has it most."""
_OWNED = 0.5  # share of a provider's tools that have a word which then names the provider
_GENERIC = frozenset(map(stem, "mcp server api tool service js py official the of and default".split()))
DESCRIPTION = 600
"""Characters of a description that are indexed."""
_ARGUMENT, _NESTED = 100, 24
_SPACE = re.compile(r"\s+")


Texts = Mapping[str, str]
"""A tool's texts by field."""


class _Heard(NamedTuple):
    """What a tool's texts say: terms with their weighted frequencies, words with theirs."""

    terms: Counter[str]
    words: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The terms of a catalogue, sorted; term ids are positions."""

    terms: tuple[str, ...]
    holders: tuple[float, ...]  # tools that have the term, a provider's all when it names the provider
    shares: tuple[Mapping[int, float], ...]  # term -> {tool: share in 0..1}
    owners: tuple[tuple[str, ...], ...]  # term -> providers that it names
    spoken: tuple[str, ...]  # the term's most frequent word
    tools: int

    def idf(self, holders: float) -> float:
        """The weight in nats of a term that so many tools have; 0 is an unknown term's."""
        return math.log(1 + (self.tools - holders + 0.5) / (holders + 0.5))


def build_lexicon(tools: Sequence[Tool], cache: Cache | None = None) -> Lexicon:
    """The lexicon of some tools in catalog order."""
    several = len({tool.provider for tool in tools}) > 1
    heard = _heard([dict(_texts(tool)) for tool in tools], several, cache)
    counts = [each.terms for each in heard]
    members: dict[str, list[int]] = defaultdict(list)
    for index, tool in enumerate(tools):
        members[tool.provider].append(index)
    own = {
        provider: _owned(provider, [counts[index] for index in of]) if several and len(of) > 1 else frozenset()
        for provider, of in members.items()
    }
    lengths = [
        sum(count for term, count in found.items() if term not in own[tool.provider])
        for tool, found in zip(tools, counts, strict=True)
    ]
    average = sum(lengths) / max(len(lengths), 1) or 1.0
    held = Counter(term for found in counts for term in found) + Counter(
        term for words in own.values() for term in words
    )
    names = sorted(sorted(held, key=lambda term: (-held[term], term))[:MAX_TERMS])
    number = {term: index for index, term in enumerate(names)}
    shares: list[dict[int, float]] = [{} for _ in names]
    holders = [0.0] * len(names)
    for index, (tool, found) in enumerate(zip(tools, counts, strict=True)):
        for term, count in found.items():
            if term not in number:
                continue
            holders[number[term]] += 1
            saturated = count / (count + K1 * (1 - B + B * lengths[index] / average))
            owned = term in own[tool.provider]
            shares[number[term]][index] = OWNER_SHARE + OWNER_SPREAD * saturated if owned else saturated
    owners: list[list[str]] = [[] for _ in names]
    for provider in sorted(own):
        for term in sorted(own[provider] & number.keys()):
            owners[number[term]].append(provider)
            holders[number[term]] += sum(term not in counts[index] for index in members[provider])
    spoken = _spoken(heard)
    return Lexicon(
        terms=tuple(names),
        holders=tuple(holders),
        shares=tuple(shares),
        owners=tuple(map(tuple, owners)),
        spoken=tuple(spoken.get(term, term) for term in names),
        tools=len(tools),
    )


def _owned(provider: str, counts: Sequence[Counter[str]]) -> frozenset[str]:
    """The terms that name a provider: its id's, whole and in words, and those that half of its tools have."""
    frequent = Counter(term for found in counts for term in found)
    named = [word for word in words(provider) if stem(word) not in _GENERIC]
    found = {term for term, count in frequent.items() if count >= _OWNED * len(counts)}
    found |= {*map(stem, named), stem("".join(named))} - {""}
    return frozenset(term for term in found if term not in _GENERIC and term not in STOP)


def _heard(texts: Sequence[Texts], provider: bool, cache: Cache | None) -> list[_Heard]:
    """What each tool's texts say in words, known or counted; `provider` when its name is one of them."""
    if cache is None:
        return [_count(each, provider) for each in texts]
    keys = [cache_key("words", build_digest(), str(provider), *each.values()) for each in texts]
    known = {key: _Heard(*map(Counter, json.loads(value))) for key, value in cache.recall(keys).items()}
    new = {key: _count(each, provider) for key, each in zip(keys, texts, strict=True) if key not in known}
    cache.keep("words", {key: json.dumps(each).encode() for key, each in new.items()})
    known |= new
    return [known[key] for key in keys]


def _count(texts: Texts, provider: bool) -> _Heard:
    counts: Counter[str] = Counter()
    for field, weight in FIELDS:
        if field != "provider" or provider:
            for term in terms(texts[field]):
                counts[term] += weight  # type: ignore[assignment]
    return _Heard(counts, Counter(word for text in texts.values() for word in words(text)))


def _texts(tool: Tool) -> Iterator[tuple[str, str]]:
    direct = [arg for arg in tool.args if "." not in arg.name]
    nested = [arg for arg in tool.args if "." in arg.name][:_NESTED]
    yield "name", " ".join([tool.name, tool.hints.selector or "", *tool.hints.aliases])
    yield "provider", tool.provider
    yield "description", f"{_clipped(indexed_description(tool.description), DESCRIPTION)} {tool.title}"
    yield "argument", " ".join(arg.name for arg in direct)
    yield (
        "argument text",
        " ".join([*(_clipped(arg.description, _ARGUMENT) for arg in direct), *(arg.name for arg in nested)]),
    )


def _spoken(heard: Sequence[_Heard]) -> dict[str, str]:
    """The most frequent word of each stem, ties by spelling."""
    said: dict[str, int] = defaultdict(int)
    for each in heard:
        for word, count in each.words.items():
            said[word] += count
    best: dict[str, str] = {}
    for word, count in said.items():
        term = stem(word)
        if term not in best or (-count, word) < (-said[best[term]], best[term]):
            best[term] = word
    return best


def _clipped(text: str, length: int) -> str:
    return _SPACE.sub(" ", text).strip()[:length]
