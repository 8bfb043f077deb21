"""Polarity: what turns a text into its opposite although almost every word stays.

Vectors hardly see it ("do not delete the file" is nearly "delete the file"), so whoever reasons from
resemblance asks here first.
"""

from __future__ import annotations

import re

_NEGATIONS = frozenset(
    "not no never without none dont doesnt didnt cannot cant wont shouldnt neither nor except avoid stop instead undo"
    " nicht kein keine ohne nie pas jamais sans ne no nunca sin non nao não sem 不 没 не нет без".split()
)
_DIRECTIONS = frozenset("from to into onto before after above below more less".split())
_TOKEN = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[’']")


Polarity = tuple[int, tuple[str, ...], tuple[str, ...]]


def polarity(text: str) -> Polarity:
    """Negations (how many), words of direction in their order, and numbers in theirs."""
    words = _TOKEN.findall(_JOINED.sub("", text.casefold()))
    negations = sum(word in _NEGATIONS or (not word.isascii() and ("不" in word or "没" in word)) for word in words)
    return (
        negations,
        tuple(word for word in words if word in _DIRECTIONS),
        tuple(word for word in words if word.isdecimal()),
    )
