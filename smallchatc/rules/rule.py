"""A rule: one thing that may be said about the input, and all there is to know about it."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"
LEVELS = (NOTE, WARNING, ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A slug with its usual severity, its meaning in one line and the next move.

    `bad` and `good` are examples, the files of a source: one file, or several with a line `-- NAME --` above each.
    """

    slug: str
    severity: str
    meaning: str
    hint: str = ""
    bad: str = ""
    good: str = ""
