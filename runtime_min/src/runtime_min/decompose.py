"""Decompose: an intent that asks for several things becomes the intents it is made of, where its grammar says so.

Only plain seams are cut: "and then", "then", "and also", ";", numbered or dashed lists; never between sentences,
which are as often a request and its reason. A quoted part is never cut, and every part has more than one word.
"""

from __future__ import annotations

import re

MAX_PARTS = 8
_LONGEST = 2000
"""Characters; a longer text is no list of requests."""

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_SEAM = re.compile(
    r" ?; ?|,? (?:and then|and afterwards|and after that|after that|afterwards|then),? |,? and also "
    r"|\n(?:[-*•]|\d+[.)]) ",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+|^\s*(?:first|next|then|finally|also)\b,?\s+", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_TRIM = " \t\n.,;:!"


def has_seam(intent: str) -> bool:
    """Whether it is worth asking `decompose`: cheap, since every dispatch asks, and never wrong when it says no."""
    text = intent.lower()
    return "then" in text or ";" in text or "\n" in text or "after" in text or "also" in text


def decompose(intent: str) -> list[str]:
    """The parts of an intent in their order; [] when it has no seam, or too many."""
    if len(intent) > _LONGEST:
        return []
    masked, held = _mask(_BLANKS.sub(lambda run: "\n" if "\n" in run.group() else " ", intent))
    parts = [_BULLET.sub("", part).strip(_TRIM) for part in _SEAM.split(masked)]
    parts = [part for part in parts if part]
    if not 2 <= len(parts) <= MAX_PARTS or any(len(part.split()) < 2 for part in parts):
        return []
    return [_unmask(part, held) for part in parts]


def _mask(text: str) -> tuple[str, list[str]]:
    """The text with its quoted parts replaced by marks that no seam is in."""
    held: list[str] = []

    def put(match: re.Match[str]) -> str:
        held.append(match.group())
        return f"\x00{len(held) - 1}\x00"

    return _QUOTED.sub(put, text), held


def _unmask(text: str, held: list[str]) -> str:
    return re.sub(
        "\x00(\\d+)\x00", lambda match: held[int(match.group(1))] if int(match.group(1)) < len(held) else "", text
    )
