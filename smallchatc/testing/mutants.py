"""Mutants: descriptions of tools become worse ones, one small change each, which a good test would notice.

Which changes there are and in which order they come depends on the texts alone, so a run can be repeated anywhere and
a larger budget tries the same mutants and more.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from runtime_min.lexicon import STOP, stem

from ..embed import tool_views
from ..lexical import DESCRIPTION
from ..model import Tool
from ..wording import first_sentence, indexed_description, stems_of

DROP, SHORTEN, SWAP = "drop", "shorten", "swap"
KINDS = {
    SHORTEN: "a description cut to its first sentence, to its first half, to nothing",
    DROP: "a word taken out",
    SWAP: "a word exchanged with one of the most similar tool",
}
_SWAPS = 3  # of one tool
_WORD = re.compile(r"[^\W\d_]{3,}")
_SPACES = re.compile(r"  +")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change of one tool's description, of two where they swap words: the new ones by the tools' numbers."""

    kind: str
    tool: str
    what: str  # the word; of a shortened description what is left of it
    other: str = ""  # the tool that it swaps with
    other_what: str = ""
    descriptions: Mapping[int, str]


def mutants_of(tools: Sequence[Tool], chosen: Sequence[int], partners: Mapping[int, int]) -> Iterator[Mutant]:
    """All mutants of the chosen tools: a first of each tool, then a second of each, kinds in turn.

    Words that few tools say come first: on them a request should hang. `partners` is of each tool the one that it is
    most alike, if any.
    """
    holders = Counter(key for tool in tools for key in _words(tool))
    order = sorted(chosen, key=lambda number: _seed(tools[number].path))
    for row in zip_longest(*(_in_turn(tools, number, partners.get(number), holders) for number in order)):
        yield from (mutant for mutant in row if mutant is not None)


def partners_of(tools: Sequence[Tool], pairs: Sequence[tuple[int, int, float]]) -> dict[int, int]:
    """Of each tool its closest look-alike, else the sibling that says most of the same; not every tool has one."""
    found: dict[int, int] = {}
    for first, second, _ in sorted(pairs, key=lambda pair: (-pair[2], pair[0], pair[1])):
        found.setdefault(first, second)
        found.setdefault(second, first)
    siblings: dict[str, list[int]] = {}
    for number, tool in enumerate(tools):
        siblings.setdefault(tool.provider, []).append(number)
    said = [stems_of(tool.description).keys() for tool in tools]
    for number, tool in enumerate(tools):
        if number not in found:
            others = [other for other in siblings[tool.provider] if other != number]
            if others:
                found[number] = max(others, key=lambda other: (len(said[number] & said[other]), -other))
    return found


def _in_turn(tools: Sequence[Tool], number: int, partner: int | None, holders: Mapping[str, int]) -> Iterator[Mutant]:
    """The mutants of one tool, a kind after the other as long as it has any."""
    kinds = (
        _shortened(tools[number], number),
        _dropped(tools[number], number, holders),
        () if partner is None else _swapped(tools, number, partner, holders),
    )
    for row in zip_longest(*kinds):
        yield from (mutant for mutant in row if mutant is not None)


def _shortened(tool: Tool, number: int) -> Iterator[Mutant]:
    said = tool.description.split()
    texts = {
        "the first sentence": first_sentence(tool.description),
        "the first half": " ".join(said[: len(said) // 2]),
        "nothing": "",
    }
    seen = set[str]()
    for left, text in sorted(texts.items(), key=lambda item: _seed(tool.path, item[0])):
        if text not in seen and _differs(tool, text) and (text or left == "nothing"):
            seen.add(text)
            yield Mutant(kind=SHORTEN, tool=tool.path, what=left, descriptions={number: text})


def _dropped(tool: Tool, number: int, holders: Mapping[str, int]) -> Iterator[Mutant]:
    for word in _telling(_words(tool), tool, holders):
        yield Mutant(kind=DROP, tool=tool.path, what=word, descriptions={number: _with(tool.description, word, "")})


def _swapped(tools: Sequence[Tool], number: int, partner: int, holders: Mapping[str, int]) -> Iterator[Mutant]:
    """Words that only the one says exchanged with such of the other."""
    tool, other = tools[number], tools[partner]
    mine, theirs = _words(tool), _words(other)
    only = _telling({key: word for key, word in mine.items() if key not in theirs}, tool, holders)
    others = _telling({key: word for key, word in theirs.items() if key not in mine}, other, holders)
    for word, other_word in zip(only[:_SWAPS], others, strict=False):
        yield Mutant(
            kind=SWAP,
            tool=tool.path,
            what=word,
            other=other.path,
            other_what=other_word,
            descriptions={
                number: _with(tool.description, word, other_word),
                partner: _with(other.description, other_word, word),
            },
        )


def _words(tool: Tool) -> dict[str, str]:
    """The words of a description that the index reads and that say something, by their stems."""
    found: dict[str, str] = {}
    for word in _WORD.findall(indexed_description(tool.description)[:DESCRIPTION].lower()):
        if word not in STOP:
            found.setdefault(stem(word), word)
    return found


def _telling(said: Mapping[str, str], tool: Tool, holders: Mapping[str, int]) -> list[str]:
    """Words by how few tools say them; of equals in an order that the text gives."""
    return [said[key] for key in sorted(said, key=lambda key: (holders[key], _seed(tool.path, key)))]


def _with(text: str, word: str, other: str) -> str:
    """The text with another word in the place of every form of one; "" takes it out."""
    key = stem(word)
    changed = _WORD.sub(lambda found: other if stem(found.group().lower()) == key else found.group(), text)
    return _SPACES.sub(" ", changed).strip()


def _differs(tool: Tool, description: str) -> bool:
    """Whether anything of a tool that is embedded or indexed is another with this description."""
    before, after = (indexed_description(text)[:DESCRIPTION].split() for text in (tool.description, description))
    return before != after or tool_views(tool) != tool_views(replace(tool, description=description))


def _seed(*said: str) -> bytes:
    return hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).digest()
