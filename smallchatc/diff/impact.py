"""Selection impact: requests are asked of both artifacts, and those whose first choice is another are changes.

The requests are those that people keep (intent tests), the aliases of tools, and each tool's own words, then and now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from runtime_min.resolver import Resolver

from ..testing.scorecard import Case
from ..wording import first_sentence, shown
from .change import Change
from .side import Side, ToolSide

TEST, ALIAS, OWN = "test", "alias", "own words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request, where it comes from, and the tools that are right for it by their new names."""

    text: str
    origin: str
    right: frozenset[str]  # none: nothing fits
    lasting: bool = True  # whoever may ask it did so then and does so now; words that only one side has are its own
    among: tuple[str, ...] | None = None
    file: str = ""
    line: int = 0


def selection_changes(old: Side, new: Side, renamed: Mapping[str, str], cases: Sequence[Case] = ()) -> Iterator[Change]:
    """The requests whose first choice differs, with both; a tool that was only renamed is the same choice."""
    asked = {Resolver(side.artifact): side for side in (old, new)}
    for request in requests(old, new, renamed, cases):
        before, after = (first_choice(resolver, side, request) for resolver, side in asked.items())
        before = renamed.get(before, before)
        if before == after:
            continue
        was, now = ((choice in request.right if choice else not request.right) for choice in (before, after))
        # Between two tools, one of which only took to these words, nobody can say who is right.
        moved = was == now or (before and after and not request.lasting)
        kind = "selection-moved" if moved else "selection-mended" if now else "selection-broken"
        yield Change(
            kind=kind,
            subject=request.text,
            message=f"{request.origin}: '{shown(request.text)}' leads to {_named(after)}, led to {_named(before)}",
            before=before or None,
            after=after or None,
            file=request.file,
            line=request.line,
        )


def first_choice(resolver: Resolver, side: Side, request: Request) -> str:
    """The tool that a request leads to; "" where the artifact asks back or refuses."""
    among = tuple(path for path in request.among if path in side.tools) if request.among else None
    return resolver.resolve(request.text, among=among or None).tool or ""


def requests(old: Side, new: Side, renamed: Mapping[str, str], cases: Sequence[Case]) -> list[Request]:
    """What is asked of both artifacts, each text once: what a person wrote before what tools say of themselves.

    Words that several tools say, then or now, are right for each of them.
    """
    found = {request.text: request for request in _tests(cases, renamed)}
    then = {request.text for request in _of_tools(old, renamed)}
    now = {request.text for request in _of_tools(new, {})}
    said: dict[str, Request] = {}
    for request in (*_of_tools(old, renamed), *_of_tools(new, {})):
        known = said.get(request.text)
        right = request.right if known is None else known.right | request.right
        said[request.text] = replace(known or request, right=right, lasting=request.text in then & now)
    return list({**said, **found}.values())


def _tests(cases: Iterable[Case], renamed: Mapping[str, str]) -> Iterator[Request]:
    for case in cases:
        yield Request(
            text=case.query,
            origin=TEST,
            right=frozenset(renamed.get(path, path) for path in case.right),
            among=tuple(case.among) if case.among else None,
            file=case.file,
            line=case.line,
        )


def _of_tools(side: Side, renamed: Mapping[str, str]) -> Iterator[Request]:
    for path, tool in side.tools.items():
        right = frozenset((renamed.get(path, path),))
        for text in _aliases(tool):
            yield Request(text=text, origin=ALIAS, right=right, file=tool.file, line=tool.line)
        words = own_words(tool)
        if words:
            yield Request(text=words, origin=OWN, right=right, file=tool.file, line=tool.line)


def own_words(tool: ToolSide) -> str:
    """What a tool says of itself, as a request."""
    return first_sentence(tool.description)


def _aliases(tool: ToolSide) -> list[str]:
    aliases = tool.hints.get("aliases", [])
    return [text for text in aliases if isinstance(text, str)] if isinstance(aliases, list) else []


def _named(choice: str) -> str:
    return f"'{shown(choice)}'" if choice else "no tool"
