"""A rule: one thing that may be said about the input, and all there is to know about it."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (NOTE, WARNING, ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A slug with its usual severity, its meaning in one line and the next move.

    Compile's severity is what a fault costs the artifact, lint's what it costs those who use the tool elsewhere.
    Its examples stand in `examples/`, in the file of its kind.
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
