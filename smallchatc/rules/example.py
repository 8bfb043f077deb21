"""The examples of a rule: the files of a source that gives its slug, and of one that does not.

They stand in `examples/KIND.txt`, each below a line `=== SLUG bad` or `=== SLUG good`; a line `-- NAME --` begins a
file, and without one it is `tools.yaml`. A character without a shape is written `<U+XXXX>`, a byte that is no UTF-8
as the surrogate that stands for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from . import KINDS

_HEAD = re.compile(r"^=== ([a-z0-9-]+) (bad|good)\n", re.MULTILINE)
_FILE = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
_SPELLED = re.compile(r"<U\+([0-9A-F]{4,6})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Two sources as they are written in `examples/`."""

    bad: str
    good: str


def example_of(slug: str) -> Example | None:
    """The example of a rule; None for what no text can show."""
    return _examples().get(slug)


def files_of(text: str) -> dict[str, bytes]:
    """The files of one side of an example, by name."""
    parts = _FILE.split(text)
    named = dict(zip(parts[1::2], parts[2::2], strict=True)) if len(parts) > 1 else {"tools.yaml": text}
    return {name: _spelled_out(part).encode("utf-8", "surrogateescape") for name, part in named.items()}


def _spelled_out(text: str) -> str:
    return _SPELLED.sub(lambda match: chr(int(match[1], 16)), text)


@cache
def _examples() -> dict[str, Example]:
    found: dict[str, dict[str, str]] = {}
    for kind in KINDS:
        parts = _HEAD.split((resources.files(__package__) / "examples" / f"{kind}.txt").read_text("utf-8"))
        for slug, side, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            found.setdefault(slug, {})[side] = text
    return {slug: Example(bad=sides["bad"], good=sides["good"]) for slug, sides in found.items()}
