"""The student: a table with one small-integer row per word piece; a text's vector is the sum of its rows.

The table is distilled from the teacher by the scripts in training/. All arithmetic is on integers
until the final division, so every machine gets the same bits.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from runtime_min.format import DIMENSION
from runtime_min.lexicon import scan
from runtime_min.student import beginning_in, word_pieces

from ..model import EncoderId

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float32]]
    Bytes = np.ndarray[Any, np.dtype[np.uint8]]


_MAGIC = b"SCENC001"
_REQUEST = 2.6  # length of the sum of a request's rows, in median rows: five to twelve words of generic text
_MAX_PIECES = 96  # of a tool's text, which says what it is about at its beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """The token table: `nibbles` (pieces, 128) and `scales` (pieces,) as in `format.pack_piece`."""

    id: EncoderId
    pieces: dict[str, int]
    nibbles: Bytes
    scales: np.ndarray[Any, np.dtype[np.uint16]]
    projection: Floats  # (384, 256): the teacher's space onto this one
    typical: float  # length of the sum of rows of a typical request, so many scales

    @property
    def space(self) -> str:
        """The space of its vectors; what was projected into it lies there too."""
        return self.id.fingerprint

    def rows(self, of: Sequence[int] | np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int8]]:
        """4-bit values minus 8 of some pieces, shape (len(of), 256); times the scale they are the vectors."""
        import numpy as np

        packed = self.nibbles[np.asarray(of, dtype=np.int64)]
        return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.int8) - 8

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of the texts: exact integer sums, a piece that comes n times counted as its square root."""
        import numpy as np

        beginning = beginning_in(self.pieces)
        out = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for index, text in enumerate(texts):
            found = [self.pieces[piece] for word in scan(text) for piece in word_pieces(word, beginning)][:_MAX_PIECES]
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
    """The table `name` (base or small) that ships with the compiler; training/export.py has the file's layout."""
    import numpy as np

    data = (resources.files("smallchatc") / "data" / f"student-{name}.enc").read_bytes()
    if not data.startswith(_MAGIC):
        raise ValueError(f"student-{name}.enc is not a token table of version {_MAGIC[-3:].decode()}")
    (length,) = struct.unpack_from("<I", data, len(_MAGIC))
    start = len(_MAGIC) + 4 + length
    header = json.loads(data[len(_MAGIC) + 4 : start])

    def section(kind: str) -> bytes:
        at, size = header["sections"][kind]
        return data[start + at : start + at + size]

    pieces = zlib.decompress(section("pieces")).decode().split("\n")
    pairs = np.frombuffer(section("rows"), dtype=np.uint8).reshape(len(pieces), DIMENSION // 2)
    # There dimension 2k is the low nibble of byte k; here byte k holds k and k + 128.
    values = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(len(pieces), DIMENSION)
    nibbles = np.ascontiguousarray(values[:, : DIMENSION // 2] | values[:, DIMENSION // 2 :] << 4)
    half = np.frombuffer(section("scales"), dtype="<f2").astype(np.float64)
    scales = np.clip(np.rint(half / half.max() * 0xFFFF), 1, 0xFFFF).astype(np.uint16)
    projection = np.frombuffer(section("projection"), dtype="<f2").astype(np.float32).reshape(-1, DIMENSION)
    square = ((values.astype(np.int64) - 8) ** 2).sum(axis=1).astype(np.float64)
    return Student(
        id=EncoderId(name=name, dim=DIMENSION, fingerprint=header["sha256"]),
        pieces={piece: index for index, piece in enumerate(pieces)},
        nibbles=nibbles,
        scales=scales,
        projection=projection,
        typical=_REQUEST * float(np.median(np.sqrt(square) * scales)),
    )
