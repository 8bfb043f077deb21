"""Render: values become text for people. Colour lives here and in the command line only.

Everything a manifest said passes through `plain` on its way to a terminal: an artifact is data from
somebody else, and a tool's name must not move the cursor or hide its neighbours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from runtime_min.errors import SmallchatError

TIER_COLOURS = {"exact": "green", "high": "green", "medium": "yellow", "low": "yellow", "none": "red"}


def render_error(err: SmallchatError) -> None:
    """One line on stderr: what, where, the next move."""
    next_move = f"; {plain(err.hint)}" if err.hint else ""
    click.echo(f"{bold('error', 'red')}: {plain(str(err))}{next_move} [{err.code}]", err=True)


def render_os_error(err: OSError) -> None:
    """The same for what the operating system refused."""
    reason = (err.strerror or str(err)).lower()
    where = err.filename2 or err.filename
    click.echo(f"{bold('error', 'red')}: {plain(str(where))}: {reason}; check the path and its permissions", err=True)


def plain(text: str) -> str:
    """The text on one line, with every character that is not for printing as its escape."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def bold(text: str, colour: str | None = None) -> str:
    return click.style(text, fg=colour, bold=True)


def dim(text: str) -> str:
    return click.style(text, dim=True)


def tier_text(tier: str) -> str:
    return bold(tier.upper(), TIER_COLOURS.get(tier))


def table(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 2) -> str:
    """Rows as aligned columns, never cropped; `right` names the columns that align right."""
    if not rows:
        return ""
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            " " * (width - _width(cell)) + cell if column in right else cell + " " * (width - _width(cell))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(" " * indent + "  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal: wide East Asian characters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in click.unstyle(text)
    )


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 tool", "2 tools"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(number: int) -> str:
    """Bytes as a person says them."""
    return (
        f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{number / 1e3:.1f} kB" if number >= 1e3 else f"{number} bytes"
    )


def share(value: float | None) -> str:
    """A share in percent; "-" where there were no cases."""
    return "-" if value is None else f"{value * 100:.1f} %"
