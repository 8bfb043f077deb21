"""Coverage: cases and the tools of an artifact become the answer which tools no test asks for.

A tool is tested when some case says that it is right; that it is ranked, or right by luck, is no test of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .scorecard import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The tools of one provider, and how many of them are tested."""

    provider: str
    tools: int
    tested: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Of all tools how many are tested; `providers` the least tested first, `untested` in catalog order."""

    tools: int
    tested: int
    providers: tuple[Share, ...]
    untested: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """None where there are no tools."""
        return self.tested / self.tools if self.tools else None


def coverage_of(cases: Iterable[Case], tools: Sequence[str]) -> Coverage:
    """What the cases cover of these tools ("P/N", in catalog order)."""
    asked = {tool for case in cases for tool in case.right}
    held, tested = (Counter(_provider(tool) for tool in found) for found in (tools, [t for t in tools if t in asked]))
    shares = [Share(provider=name, tools=count, tested=tested[name]) for name, count in held.items()]
    return Coverage(
        tools=len(tools),
        tested=sum(tested.values()),
        providers=tuple(sorted(shares, key=lambda each: (each.tested / each.tools, -each.tools, each.provider))),
        untested=tuple(tool for tool in tools if tool not in asked),
    )


def _provider(tool: str) -> str:
    return tool.partition("/")[0]
