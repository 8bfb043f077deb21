"""A rule: one thing that may be said about the input, and all there is to know about it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (NOTE, WARNING, ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A slug with its usual severity, its meaning in one line and the next move.

    Compile's severity is what a fault costs the artifact, lint's what it costs those who use the tool elsewhere.
    `bad` and `good` are examples, the files of a source: one file, or several with a line `-- NAME --` above each.
    """

    slug: str
    severity: str
    meaning: str
    hint: str = ""
    in_lint: str = ""  # lint's severity where it is another one
    only_lint: bool = False  # never said by compile
    deceives: bool = False  # about deceit: whoever wrote the tool may not excuse it
    limit: int | None = None  # the number it compares with, which the project file may change
    why: str = ""
    costs_one_server: bool = False  # an error that spares all that does not come from that server
    bad: str = ""
    good: str = ""


def takes(schema: str) -> str:
    """An example: a tool that takes what this schema says."""
    head = "tools:\n- name: find_city\n  description: Find a city by its name.\n  annotations: {readOnlyHint: true}\n"
    return f"{head}  inputSchema:\n{indent(schema, '    ')}\n"


def tools(*entries: str) -> str:
    """An example: a list of tools, each `name: description`."""
    lines = ["tools:"]
    for entry in entries:
        name, _, description = entry.partition(": ")
        lines += [f"- name: {name}", f"  description: {description}", "  inputSchema: {type: object}"]
    return "\n".join(lines) + "\n"
