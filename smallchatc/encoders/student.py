"""The student: a table with one small-integer row per word piece; a text's vector is the sum of its rows.

The table is distilled from the teacher by the scripts in training/. All arithmetic is on integers
until the final division, so every machine gets the same bits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from runtime_min.format import DIMENSION
from runtime_min.lexicon import scan
from runtime_min.student import word_pieces

from ..model import EncoderId

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float32]]
    Bytes = np.ndarray[Any, np.dtype[np.uint8]]


_MAX_PIECES = 96  # of a tool's text, which says what it is about at its beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """The token table: `nibbles` (pieces, 128) and `scales` (pieces,) as in `format.pack_piece`."""

    id: EncoderId
    pieces: dict[str, int]
    nibbles: Bytes
    scales: np.ndarray[Any, np.dtype[np.uint16]]
    projection: Floats  # (384, 256): the teacher's space onto this one

    def rows(self, of: Sequence[int] | np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int8]]:
        """4-bit values minus 8 of some pieces, shape (len(of), 256); times the scale they are the vectors."""
        import numpy as np

        packed = self.nibbles[np.asarray(of, dtype=np.int64)]
        return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.int8) - 8

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of the texts: exact integer sums, a piece that comes n times counted as its square root."""
        import numpy as np

        known = self.pieces.__contains__
        out = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for index, text in enumerate(texts):
            found = [self.pieces[piece] for word in scan(text) for piece in word_pieces(word, known)][:_MAX_PIECES]
            if found:
                rows, counts = np.unique(found, return_counts=True)
                weights = self.scales[rows].astype(np.int64) * np.rint(np.sqrt(counts) * 64).astype(np.int64)
                out[index] = unit((self.rows(rows).astype(np.int64) * weights[:, None]).sum(axis=0))
        return out


def unit(total: np.ndarray[Any, np.dtype[np.int64]]) -> Floats:
    """An integer vector at length one, by exact integer squares so that no machine rounds differently."""
    import math

    import numpy as np

    square = sum(value * value for value in total.tolist())
    return (total / math.sqrt(square)).astype(np.float32) if square else np.zeros(len(total), dtype=np.float32)


@cache
def load_student(name: str) -> Student:
    """The table `name` (base or small) that ships with the compiler."""
    import numpy as np

    file = resources.files("smallchatc") / "data" / f"student-{name}.npz"
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as table:
        pieces = bytes(table["pieces"]).decode().split("\n")
        about = json.loads(bytes(table["about"]).decode())
        nibbles, scales, projection = table["nibbles"], table["scales"], table["projection"].astype(np.float32)
    fingerprint = hashlib.sha256(
        "\n".join(pieces).encode() + nibbles.tobytes() + scales.astype("<u2").tobytes() + projection.tobytes()
    ).hexdigest()
    return Student(
        id=EncoderId(name=about["name"], dim=DIMENSION, fingerprint=fingerprint),
        pieces={piece: index for index, piece in enumerate(pieces)},
        nibbles=nibbles,
        scales=scales,
        projection=projection,
    )
