"""The student encoder: an intent's words become pieces, their rows a sum, and the sum a direction.

The row of a piece is 256 four-bit values and a scale (`format.pack_piece`). It is unfolded once into one
big integer of 256 lanes of 32 bits, so that adding two rows is one integer addition; lanes hold
`MAX_PIECES` rows of the largest scale. The compiler encodes tools by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from .lexicon import number_kind, parts
from .named import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    Vector = TypeVar("Vector", bytes, tuple[float, ...])

MAX_PIECES = 4096
"""Pieces of a text that count: 4096 rows of at most 15 * 65535 fit a lane of 32 bits."""

MAX_WORD = 64
"""Characters of a word that are looked up; nobody writes a longer one."""

MAX_PIECE = 20
"""Characters of the longest piece of a table; bounds the look-ups at one place."""

_MASK = int.from_bytes(b"\x0f\0\0\0" * 32, "little")


def word_pieces(word: str, beginning: Callable[[str], str]) -> list[str]:
    """The pieces of one of `lexicon.scan`'s words or values: itself, or its parts, or the longest known beginnings.

    `beginning` gives the longest piece that a text begins with, "" for none.
    """
    lower = word[:MAX_WORD].lower()
    if beginning(lower) == lower:
        return [lower]
    if lower[0] == "<":
        return []
    inside = parts(word[:MAX_WORD])
    if len(inside) < 2:
        return _longest(lower, beginning)
    pieces: list[str] = []
    for part in map(str.lower, inside):
        if part.isascii() and part.isdecimal():
            kind = number_kind(part)
            pieces += [kind] if beginning(kind) == kind else []
        else:
            pieces += _longest(part, beginning)
    return pieces


def _longest(word: str, beginning: Callable[[str], str]) -> list[str]:
    """Greedy from the left, longest piece first, continuations marked "##" (Schuster and Nakajima 2012).

    A character without a piece is skipped and does not make the word unknown.
    """
    pieces: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start and not _stands_alone(word[start]) else ""
        piece = beginning(mark + word[start : start + MAX_PIECE])
        if len(piece) > len(mark):
            pieces.append(piece)
            start += len(piece) - len(mark)
        else:
            start += 1
    return pieces


def beginning_in(pieces: Container[str]) -> Callable[[str], str]:
    """`word_pieces`' look-up, of pieces that are in memory."""

    def beginning(text: str) -> str:
        ends = range(min(len(text), MAX_PIECE + 2), 0, -1)
        return next((text[:end] for end in ends if text[:end] in pieces), "")

    return beginning


def lanes(scale: int, nibbles: bytes) -> int:
    """A row as an integer of 256 lanes of 32 bits, in the order of `lane_order`; every lane is 0..15 times scale."""
    packed = int.from_bytes(nibbles, "little")
    out = 0
    for group in range(8):
        out |= ((packed >> (4 * group)) & _MASK) << (1024 * group)
    return out * scale


def lane_order(vector: Vector) -> Vector:
    """A vector's 256 values, or a byte each, in the order in which `lanes` lays them."""
    low, high = vector[:128], vector[128:]
    return low[0::4] + high[0::4] + low[1::4] + high[1::4] + low[2::4] + high[2::4] + low[3::4] + high[3::4]


def _stands_alone(char: str) -> bool:
    """Kana and Han stand one piece a character in the vocabulary."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"
