"""Header: an artifact becomes the summary of its tools that a system prompt carries.

The most telling form that fits the budget: signatures with a line of description, signatures, names, classes; the
order never changes, since prompt caches depend on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

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


def generate_header(snapshot: Snapshot, budget: int = DEFAULT_BUDGET) -> str:
    """The capability summary within `budget` tokens (`tokens`); what had to be left out is counted."""
    if budget < 1:
        raise ValueError("a header needs a budget of at least one token")
    classes = list(snapshot.classes)
    tools = _tools(snapshot)
    protocols = _protocols(snapshot)
    for detail in (_described, _signed, _named):
        text = _lay_out(
            [[_title(cls.name, cls.title), *map(detail, tools.get(cls.name, ()))] for cls in classes], protocols
        )
        if tokens(text) <= budget:
            return text
    return _cut(_lay_out([[_counted(cls.name, len(tools.get(cls.name, ())))] for cls in classes], protocols), budget)


def tokens(text: str) -> int:
    """An upper estimate of a text's tokens: every four letters of a word, and every other character, is one."""
    return sum(
        (len(piece) + 3) // 4 if piece.isascii() and piece[0].isalpha() else len(piece)
        for piece in _PIECE.findall(text)
    )


class _Tool:
    __slots__ = ("name", "said", "signatures")

    def __init__(self, name: str, said: str, signatures: Sequence[Signature]) -> None:
        self.name, self.said, self.signatures = name, said, signatures


def _tools(snapshot: Snapshot) -> dict[str, list[_Tool]]:
    """The tools by provider, in catalogue order."""
    out: dict[str, list[_Tool]] = {}
    for number, provider, name, definition in snapshot.artifact.rows(
        "SELECT tool.id, provider.name, tool.name, tool.definition FROM tool"
        " JOIN provider ON provider.id = tool.provider ORDER BY tool.id"
    ):
        try:
            said = json.loads(definition).get("description")
        except UNREADABLE as err:
            raise snapshot.artifact.corrupt(f"the definition of tool {number}: {err}") from err
        signatures = snapshot.catalogue.signatures(number)
        out.setdefault(provider, []).append(_Tool(name, said if isinstance(said, str) else "", signatures))
    return out


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


def _lay_out(groups: Iterable[list[str]], protocols: list[str]) -> str:
    blocks = [INSTRUCTION, *("\n".join(lines) for lines in groups)]
    if protocols:
        blocks.append("\n".join(["## Protocols", *protocols]))
    return "\n\n".join(blocks) + "\n"


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


def _cut(text: str, budget: int) -> str:
    """As many blocks as fit, and how many do not."""
    blocks = text.rstrip("\n").split("\n\n")
    for kept in range(len(blocks), 0, -1):
        rest = len(blocks) - kept
        out = "\n\n".join([*blocks[:kept], *([f"(and {rest} more classes)"] if rest else [])]) + "\n"
        if tokens(out) <= budget:
            return out
    words = INSTRUCTION.split()
    while words and tokens(" ".join(words)) > budget:
        words.pop()
    return " ".join(words)
