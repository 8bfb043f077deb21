"""What only a compiler with vectors can say of a catalogue: which requests its own words would send astray.

Each tool is asked for in its own words, of the very artifact that would be shipped; look-alikes are those that
the artifact knows (`collision`, `duplicate`). Work grows with the tools, not with their pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from runtime_min.artifact import Artifact
from runtime_min.resolution import Resolution
from runtime_min.resolver import Resolver

from ..describe import tool_paths
from ..model import Catalog, Tool
from ..operations import operations
from ..wording import indexed_description, shown, stems_of
from .finding import Finding, of_tool

_WORDS = 40  # of a description that are asked: what it is about is said first
_FEWEST = 2  # of a description that says anything
_NAMED = 4
_COMPARED = 64  # siblings that share a tool's rarest word


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a tool says: stems with the word they come from, of its name and description, and its parameters."""

    words: Mapping[str, str]
    own: frozenset[str]  # stems of the description alone
    params: frozenset[str]


def selection_findings(artifact: Artifact, catalog: Catalog) -> Iterator[Finding]:
    """Pairs that cannot be told apart, tools that do not find themselves, descriptions that hide behind a sibling."""
    tools = _by_id(artifact, catalog)
    said = [_said(tool) for tool in tools]
    resolver = Resolver(artifact)
    answers = [_asked(resolver, tool) for tool in tools]
    confused = list(_confused(artifact, tools, said, answers))
    for first, second, hidden in confused:
        yield _pair(tools[first], tools[second], said[first], said[second], hidden=hidden)
    paired = {index for first, second, _ in confused for index in (first, second)}
    for index, hider in _hidden(tools, said).items():
        if index not in paired:
            message = (
                f"tool '{shown(tools[index].name)}' says nothing that '{shown(tools[hider].name)}' does not say too"
            )
            yield of_tool("description-hides", message, tools[index], below=("description",), also=(tools[hider],))
            paired.add(index)
    for index, answer in enumerate(answers):
        if answer is not None and index not in paired:
            yield from _lost(tools[index], answer)


def _by_id(artifact: Artifact, catalog: Catalog) -> list[Tool]:
    """The tools in the order of their ids in the artifact."""
    of = {tool.path: tool for tool in catalog.tools}
    return [of[path] for path in tool_paths(artifact)]


def _asked(resolver: Resolver, tool: Tool) -> Resolution | None:
    text = " ".join(indexed_description(tool.description).split()[:_WORDS])
    return resolver.resolve(text) if len(set(stems_of(text))) >= _FEWEST else None


def _confused(
    artifact: Artifact, tools: Sequence[Tool], said: Sequence[Said], answers: Sequence[Resolution | None]
) -> Iterator[tuple[int, int, bool]]:
    """Look-alikes of which one is asked for in its own words and taken for the other, or says nothing of its own.

    The latter only where both do the same kind of thing: the verb parts "get tasks" from "delete tasks".
    """
    kinds = [operation.kind for operation in operations(tools)]
    same = {(first, second) for first, second in artifact.rows("SELECT first, second FROM duplicate")}
    for first, second in artifact.rows("SELECT first, second FROM collision ORDER BY first, second"):
        if (first, second) in same or tools[first].hints.preferred or tools[second].hints.preferred:
            continue  # same-operation and identical-tools name the former
        ways = ((first, second), (second, first))
        if any(_taken_for(answers[one], tools[one].path, tools[other].path) for one, other in ways):
            yield first, second, False
        elif kinds[first] == kinds[second] and any(_says_no_more(said[one], said[other]) for one, other in ways):
            yield first, second, True


def _says_no_more(one: Said, other: Said) -> bool:
    """Whether every word and parameter of one are the other's too, so that no request fits the one alone."""
    return one.words.keys() <= other.words.keys() and one.params <= other.params


def _taken_for(answer: Resolution | None, asked: str, other: str) -> bool:
    if answer is None:
        return False
    if other in answer.ambiguous and asked in answer.ambiguous:
        return True
    return bool(answer.candidates) and answer.candidates[0].tool == other


def _pair(first: Tool, second: Tool, one: Said, other: Said, *, hidden: bool) -> Finding:
    names = _names(first, second)
    parts = [
        f"only {name} says {_quoted(words)}"
        for name, words in zip(names, (_only(one, other), _only(other, one)), strict=True)
        if words
    ]
    params = [
        f"only {name} takes {_quoted(sorted(only))}"
        for name, only in zip(names, (one.params - other.params, other.params - one.params), strict=True)
        if only
    ]
    apart = "; ".join(parts or params) or "no word and no parameter tells them apart"
    how = "say nearly the same" if hidden else "are taken for each other"
    message = f"{names[0]} and {names[1]} {how}: {apart}"
    hint = (
        "say in each description when it is the one to take"
        if parts
        else f"name in the descriptions what their parameters tell: {'; '.join(params)}"
        if params
        else "describe what makes them different, drop one, or prefer one with the hint 'preferred'"
    )
    return of_tool("ambiguous-pair", message, first, below=("description",), also=(second,), hint=hint)


def _names(first: Tool, second: Tool) -> tuple[str, str]:
    """As short as they can be told apart."""
    if first.provider == second.provider:
        return f"'{shown(first.name)}'", f"'{shown(second.name)}'"
    return f"'{shown(first.path)}'", f"'{shown(second.path)}'"


def _lost(tool: Tool, answer: Resolution) -> Iterator[Finding]:
    found = [candidate.tool for candidate in answer.candidates]
    if not found or found[0] == tool.path or tool.path in answer.ambiguous:
        return
    place = f"is number {found.index(tool.path) + 1}" if tool.path in found else f"is not among the first {len(found)}"
    message = f"asked for in its own words, '{shown(found[0])}' comes first and '{shown(tool.name)}' {place}"
    yield of_tool("own-words-miss", message, tool, below=("description",))


def _hidden(tools: Sequence[Tool], said: Sequence[Said]) -> dict[int, int]:
    """Tools of which every word is also said by a sibling that says more; few share a tool's rarest word."""
    holders: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, tool in enumerate(tools):
        for word in said[index].words:
            holders[tool.provider][word].append(index)
    found: dict[int, int] = {}
    for index, tool in enumerate(tools):
        mine = said[index]
        if len(mine.own) < _FEWEST:
            continue
        rarest = min((holders[tool.provider][word] for word in mine.words), key=len)
        for other in rarest[:_COMPARED]:
            if other != index and _says_no_more(mine, said[other]):
                found[index] = other
                break
    return found


def _said(tool: Tool) -> Said:
    stems = stems_of(f"{tool.name} {tool.title} {tool.description}")
    return Said(
        words=stems,
        own=frozenset(stems_of(tool.description)),
        params=frozenset(param.name for signature in tool.signatures for param in signature.params),
    )


def _only(one: Said, other: Said) -> list[str]:
    """The words that only the first says, those of its name and first sentence first."""
    return [word for key, word in one.words.items() if key not in other.words and (len(word) > 2 or not word.isascii())]


def _quoted(found: Sequence[str]) -> str:
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(f"'{shown(word)}'" for word in found[:_NAMED]) + more
