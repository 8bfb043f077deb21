"""Header: an artifact becomes the summary of its tools that a system prompt carries.

The most telling form that fits the budget: signatures with a line of description, signatures, names, classes; the
order never changes, since prompt caches depend on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from .artifact import UNREADABLE
from .catalogue import Signature

if TYPE_CHECKING:
    from .snapshot import Snapshot

INSTRUCTION = (
    "Say what you want done in plain words, with arguments by name: the request is sent to the tool that fits it best. "
    "If the answer is tool_refinement_needed, choose one of its options."
)
DEFAULT_BUDGET = 2000
_TYPES = {"s": "string", "n": "number", "b": "boolean", "z": "null", "o": "object", "a": "array"}
_PIECE = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_|\n")
_DESCRIBED = 90
"""Characters of a description's first sentence."""


class Fitted(NamedTuple):
    """A header, and what there was no room for ("" for nothing)."""

    text: str
    left_out: str


def generate_header(snapshot: Snapshot, budget: int = DEFAULT_BUDGET) -> str:
    """The capability summary within `budget` tokens (`tokens`); classes that had to be left out are counted."""
    return fitted_header(snapshot, budget).text


def fitted_header(snapshot: Snapshot, budget: int) -> Fitted:
    """The same, and what it leaves out.

    Reads no more of the tools than the budget has room for, however many they are and however long their names.
    """
    if budget < 1:
        raise ValueError("a header needs a budget of at least one token")
    protocols = _protocols(snapshot)
    last = ["\n".join(["## Protocols", *protocols])] if protocols else []
    details = {_described: "", _signed: "descriptions", _named: "descriptions and arguments"}
    for detail, left_out in details.items():
        text = _fitting([(INSTRUCTION,), *_classes(snapshot, detail, budget), *((block,) for block in last)], budget)
        if text is not None:
            return Fitted(text, left_out)
    sizes = dict(
        snapshot.artifact.rows("SELECT name, (SELECT count(*) FROM tool WHERE provider = provider.id) FROM provider")
    )
    counted = [_counted(cls.name, sizes.get(cls.name, 0)) for cls in snapshot.classes]
    text, missing = _cut([INSTRUCTION, *counted, *last], budget, classes=len(counted))
    classes = f" and {missing} of {len(counted)} classes" if missing else ""
    return Fitted(text, f"the names of all tools{classes}")


def tokens(text: str) -> int:
    """An upper estimate of a text's tokens: every four letters of a word, and every other character, is one."""
    return sum(map(_cost, _PIECE.findall(text)))


def _cost(piece: str) -> int:
    return (len(piece) + 3) // 4 if piece.isascii() and piece[0].isalpha() else len(piece)


def _fitting(blocks: Iterable[Iterable[str]], budget: int) -> str | None:
    """Blocks of lines as a text, or None as soon as they are more than the budget."""
    out: list[str] = []
    left = budget - 1  # the last line ends too
    for block in blocks:
        lines: list[str] = []
        for line in block:
            left -= (1 if lines else 2) if out or lines else 0
            for piece in _PIECE.finditer(line):
                left -= _cost(piece[0])
                if left < 0:
                    return None
            lines.append(line)
        out.append("\n".join(lines))
    return "\n\n".join(out) + "\n" if left >= 0 else None


class _Tool:
    __slots__ = ("name", "said", "signatures")

    def __init__(self, name: str, said: str, signatures: Sequence[Signature]) -> None:
        self.name, self.said, self.signatures = name, said, signatures


def _classes(snapshot: Snapshot, detail: Callable[[_Tool], str], budget: int) -> Iterator[Iterator[str]]:
    for cls in snapshot.classes:
        yield _lines(snapshot, cls.name, cls.title, detail, budget)


def _lines(snapshot: Snapshot, name: str, title: str, detail: Callable[[_Tool], str], budget: int) -> Iterator[str]:
    yield _title(name, title)
    for tool in _tools(snapshot, name, budget):
        yield from detail(tool).split("\n")


def _tools(snapshot: Snapshot, provider: str, budget: int) -> Iterator[_Tool]:
    """The tools of a provider, in catalogue order; one more than can have a line each is enough to know."""
    for number, name, definition in snapshot.artifact.rows(
        "SELECT tool.id, tool.name, tool.definition FROM tool JOIN provider ON provider.id = tool.provider"
        " WHERE provider.name = ? ORDER BY tool.id LIMIT ?",
        provider,
        budget + 1,
    ):
        try:
            said = json.loads(definition).get("description")
        except UNREADABLE as err:
            raise snapshot.artifact.corrupt(f"the definition of tool {number}: {err}") from err
        signatures = snapshot.catalogue.signatures(number)
        yield _Tool(name, said if isinstance(said, str) else "", signatures)


def _protocols(snapshot: Snapshot) -> list[str]:
    held: dict[str, list[str]] = {}
    for cls in snapshot.classes:
        for name in cls.protocols:
            held.setdefault(name, []).append(cls.name)
    lines = []
    for name, holders in sorted(held.items()):
        protocol = next(cls.protocols[name] for cls in snapshot.classes if name in cls.protocols)
        lines.append(f"- {name} ({', '.join(sorted(protocol.required | protocol.optional))}): {', '.join(holders)}")
    return lines


def _title(name: str, title: str) -> str:
    return f"## {name}" + (f": {_first_sentence(title)}" if title and title != name else "")


def _described(tool: _Tool) -> str:
    said = _first_sentence(tool.said)
    return _signed(tool) + (f": {said}" if said else "")


def _signed(tool: _Tool) -> str:
    """Overloads are one line each, under one name."""
    ways = dict.fromkeys(
        f"- {tool.name}({', '.join(_param(p.name, p.code, p.required) for p in way.params.values())})"
        for way in tool.signatures
    )
    return "\n".join(ways) or f"- {tool.name}()"


def _named(tool: _Tool) -> str:
    return f"- {tool.name}"


def _counted(name: str, count: int) -> str:
    return f"## {name}: {count} tool{'' if count == 1 else 's'}"


def _param(name: str, code: str, required: bool) -> str:
    kinds = "any" if "*" in code or not code else "|".join(_TYPES[letter] for letter in code)
    return f"{name}{'' if required else '?'}: {kinds}"


def _first_sentence(text: str) -> str:
    line = " ".join(text[:1000].split())
    end = re.search(r"[.!?](?:\s|$)", line)
    line = line[: end.start()] if end else line
    return line if len(line) <= _DESCRIBED else line[: _DESCRIBED - 3].rsplit(" ", 1)[0] + "..."


def _cut(blocks: Sequence[str], budget: int, *, classes: int) -> tuple[str, int]:
    """As many blocks as fit, and how many classes do not; these come after the first block."""
    costs = [tokens(block) for block in blocks]
    ends = list(accumulate(costs, lambda before, cost: before + 2 + cost))
    for kept in range(len(blocks), 0, -1):
        missing = max(0, classes + 1 - kept)
        more = [f"(and {missing} more class{'' if missing == 1 else 'es'})"] if missing else []
        if ends[kept - 1] + sum(2 + tokens(line) for line in more) + 1 <= budget:
            return "\n\n".join([*blocks[:kept], *more]) + "\n", missing
    words = INSTRUCTION.split()
    while words and tokens(" ".join(words)) > budget:
        words.pop()
    return " ".join(words), classes
