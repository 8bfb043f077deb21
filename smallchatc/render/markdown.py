"""Text of a manifest inside Markdown that somebody's browser renders."""

from __future__ import annotations

from . import plain


def escaped(text: str) -> str:
    """The text on one line: no markup, no table cell, no mention."""
    shown = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|#~!" else char for char in shown).replace("@", "&#64;")


def paragraphs(text: str) -> str:
    """The same with its lines kept apart: none of them begins a list, a heading or a block of code."""
    return "  \n".join(_line(line) for line in text.strip().splitlines() if line.strip())


def _line(text: str) -> str:
    shown = escaped(text.strip())
    head = shown.split(" ", 1)[0]
    marks = head[:-1].isdigit() and head[-1:] in ".)"
    if marks:
        return f"{shown[: len(head) - 1]}\\{shown[len(head) - 1 :]}"
    return f"\\{shown}" if shown[:1] in ("-", "+", "=") else shown
