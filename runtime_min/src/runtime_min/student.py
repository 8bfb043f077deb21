"""The student encoder: an intent's words become pieces, their rows a sum, and the sum a direction.

The row of a piece is 256 four-bit values and a scale (`format.pack_piece`). It is unfolded once into one
big integer of 256 lanes of 32 bits, so that adding two rows is one integer addition; lanes hold
`MAX_PIECES` rows of the largest scale. The compiler encodes tools by the same rules.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

MAX_PIECES = 4096
"""Pieces of a text that count: 4096 rows of at most 15 * 65535 fit a lane of 32 bits."""

MAX_WORD = 40
"""Characters of a word that are looked up; what is longer is no word."""

_LANES = 0x0000000F
_MASK = int.from_bytes(_LANES.to_bytes(4, "little") * 32, "little")


def word_pieces(word: str, known: Callable[[str], bool]) -> list[str]:
    """The pieces of one of `lexicon.words` that the table knows."""
    if word.isascii():
        return _longest(word, known)
    return [piece for part in _plain(word).split() for piece in _longest(part, known)]


def _longest(word: str, known: Callable[[str], bool]) -> list[str]:
    """The longest-match pieces of a word ("##" marks a continuation); [] when a part of it is unknown.

    WordPiece (Schuster and Nakajima 2012; Devlin et al. 2019).
    """
    if known(word):
        return [word]
    word = word[:MAX_WORD]
    pieces: list[str] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if known(piece):
                pieces.append(piece)
                start = end
                break
        else:
            return []
    return pieces


def lanes(scale: int, nibbles: bytes) -> int:
    """A row as an integer of 256 lanes of 32 bits, in the order of `lane_order`; every lane is 0..15 times scale."""
    packed = int.from_bytes(nibbles, "little")
    out = 0
    for group in range(8):
        out |= ((packed >> (4 * group)) & _MASK) << (1024 * group)
    return out * scale


def lane_order(vector: tuple[int, ...]) -> tuple[int, ...]:
    """A vector's 256 values in the order in which `lanes` lays them."""
    low, high = vector[:128], vector[128:]
    return low[0::4] + high[0::4] + low[1::4] + high[1::4] + low[2::4] + high[2::4] + low[3::4] + high[3::4]


def _plain(word: str) -> str:
    """A word without marks, Han characters apart, as the teacher's vocabulary has them."""
    kept = (char for char in unicodedata.normalize("NFD", word) if unicodedata.category(char) != "Mn")
    return "".join(f" {char} " if "\u4e00" <= char <= "\u9fff" else char for char in kept)
