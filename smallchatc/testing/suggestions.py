"""Suggestions: tools without a test and pairs that nothing tells apart become tests for a person to review.

The words are the tools' own: an example that a description quotes, an alias, a first sentence, the words that only one
of a pair says. Each is asked, and what it leads to stands with it; a suggestion is never said to hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runtime_min.lexicon import words

from .. import describe
from ..sheets import Sheet, read_sheets
from ..wording import first_sentence, indexed_description, stems_of
from .coverage import coverage_of
from .outcomes import ask, outcome_of
from .scorecard import Case, Outcome

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

_QUOTED = re.compile('["“]([^"“”\n]{8,120})["”]')
_EXAMPLE = re.compile(r"\b(?:examples?|e\.g|such as|asks?|asked|says?|like|use (?:this|when))\b", re.IGNORECASE)
_CODE = re.compile(r"[{}<>\\|=]")
_FEWEST = 3  # words of a quotation that is a request and no value
_TELLING = 4  # words that only one of a pair says


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A test that somebody might want, why, and where its words are from."""

    tool: str
    why: str
    words_from: str
    outcome: Outcome

    @property
    def intent(self) -> str:
        return self.outcome.case.query


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """All that there are; `alike` are pairs of which neither says anything of its own."""

    found: tuple[Suggestion, ...]
    alike: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    tool: str
    why: str
    texts: tuple[tuple[str, str], ...]  # (words, where they are from), the best first
    most: int = 1


def suggest(runtime: ToolRuntime, cases: Sequence[Case]) -> Suggestions:
    """Tests that the cases lack: for tools that none asks for, and for look-alikes that none tells apart."""
    sheets = {sheet.path: sheet for sheet in read_sheets(runtime.artifact)}
    untested = coverage_of(cases, list(sheets)).untested
    pairs = [tuple(pair["tools"]) for pair in describe.collisions(runtime.artifact)]
    telling, alike = _for_pairs(pairs, cases, sheets)
    wanted = [*(_for_untested(sheets[tool]) for tool in untested), *telling]
    taken = {case.query.casefold() for case in cases}
    return Suggestions(found=tuple(_asked(runtime, wanted, taken, sheets)), alike=tuple(alike))


def _for_untested(sheet: Sheet) -> _Wanted:
    return _Wanted(tool=sheet.path, why="no test asks for it", texts=tuple(_own_words(sheet)), most=2)


def _own_words(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """What a tool says of itself, the likest to a request first."""
    for text in quoted_examples(sheet.description)[:1]:
        yield text, "an example in its description"
    sentence = _sentence(sheet)
    if sentence:
        yield sentence, "its first sentence"
    for alias in sheet.aliases[:1]:  # that it is one says little: it is a name, and found as one
        yield alias, "its alias"
    named = " ".join(words(sheet.title or sheet.name))
    if not sentence and named:
        yield named, "its name"


def quoted_examples(description: str) -> list[str]:
    """The requests that a description quotes as examples of itself."""
    text = indexed_description(description)
    found = []
    for match in _QUOTED.finditer(text):
        said = match[1].strip().rstrip(".,;")
        introduced = _EXAMPLE.search(text, max(0, match.start() - 120), match.start())
        if introduced and len(said.split()) >= _FEWEST and said[0].isalpha() and not _CODE.search(said):
            found.append(said)
    return found


def _for_pairs(
    pairs: Iterable[tuple[str, ...]], cases: Sequence[Case], sheets: Mapping[str, Sheet]
) -> tuple[list[_Wanted], list[tuple[str, str]]]:
    """For each side of a pair that no case tells from the other: words that only it says."""
    right = [frozenset(case.right) for case in cases]
    found: list[_Wanted] = []
    alike: list[tuple[str, str]] = []
    for first, second in pairs:
        if not (_telling(sheets[first], sheets[second]) or _telling(sheets[second], sheets[first])):
            alike.append((first, second))
            continue
        for one, other in ((first, second), (second, first)):
            text = _telling(sheets[one], sheets[other])
            if text and not any(one in tools and other not in tools for tools in right):
                why = f"no test tells it from {other}"
                found.append(_Wanted(tool=one, why=why, texts=((text, "words that only it says"),)))
    return found, alike


def _telling(one: Sheet, other: Sheet) -> str:
    """A request that only the first of two tools speaks of; "" where it says nothing of its own."""
    mine, theirs = (stems_of(f"{each.name} {each.title} {each.description}") for each in (one, other))
    only = {key: word for key, word in mine.items() if key not in theirs}
    taken = [arg.name for arg in one.arguments if arg.name not in {each.name for each in other.arguments}]
    sentence = _sentence(one)
    if only.keys() & stems_of(sentence).keys():
        return sentence
    said = [*only.values()][:_TELLING] or [" ".join(words(name)) for name in taken[:_TELLING]]
    if not said:
        return ""
    return f"{sentence or ' '.join(words(one.name))}, {' '.join(said)}"


def _sentence(sheet: Sheet) -> str:
    return first_sentence(sheet.description).rstrip(".")


def _asked(
    runtime: ToolRuntime, wanted: Iterable[_Wanted], taken: set[str], sheets: Mapping[str, Sheet]
) -> Iterator[Suggestion]:
    """Each wanted test in words that no other has, with what they lead to."""
    known = sheets.keys()
    said_of = set[tuple[str, str]]()
    for each in wanted:
        left = each.most
        provider = " ".join(words(sheets[each.tool].provider))
        for text, words_from in each.texts:
            # What several tools say of themselves means none of them: their provider does.
            free = next((said for said in (text, f"{text}, {provider}") if said.casefold() not in taken), None)
            if free is None or not left or (each.tool, text) in said_of:
                continue
            left -= 1
            said_of.add((each.tool, text))
            taken.add(free.casefold())
            case = Case(query=free, gold=(each.tool,), slots=((each.tool,),))
            outcome = outcome_of(case, ask(runtime, case, known))
            yield Suggestion(tool=each.tool, why=each.why, words_from=words_from, outcome=outcome)
