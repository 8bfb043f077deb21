"""The shipped table: one versioned file of pieces, int4 or int8 rows and the projection.

Layout, little endian, readable with the standard library alone:

    8 bytes   magic b"SCENC001" (the last three digits are the format's version)
    4 bytes   length of the header
    n bytes   header: JSON, sorted keys, ASCII
    payload   the sections that header["sections"] names, as [offset, length] into the payload:
              pieces      zlib of UTF-8 text, one piece a line, in row order
              scales      float16 per row; a row's value is scale * level (int4 tables only)
              rows        int8, dim bytes a row; or int4, dim/2 bytes a row, dimension 2k in the
                          low and 2k+1 in the high nibble, each stored as level + 8
              projection  float16, teacher's dimensions by dim, row major

header["sha256"] is the digest of the payload and names the encoder in artifacts and caches.
int4 with a scale per row costs half of int8 and little of the quality (training/README.md); a
compiler expands it with `Table.levels`: int8 rows on one common scale, whose sums are integers.
"""

import argparse
import hashlib
import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from training.vocabulary import PLACEHOLDERS

MAGIC = b"SCENC001"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The student encoder: a text's vector is the normalised sum of its pieces' rows."""

    pieces: tuple[str, ...]
    rows: npt.NDArray[np.float32]  # one per piece, bias folded in
    projection: npt.NDArray[np.float32]  # teacher's space to this one
    facts: dict[str, Any]  # how it was made: teacher, texts, measures

    def levels(self) -> tuple[npt.NDArray[np.int8], float]:
        """Rows as int8 on one common scale, so that a runtime adds integers; and that scale."""
        scale = float(np.quantile(np.abs(self.rows), 0.9999)) / 127
        return np.clip(np.rint(self.rows / scale), -127, 127).astype(np.int8), scale


def quantise_int4(
    rows: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """Packed nibbles and the scale of each row that leaves the least squared error."""
    peak = np.maximum(np.abs(rows).max(axis=1), 1e-8)
    best = np.full(len(rows), np.inf)
    scales = np.zeros(len(rows), np.float16)
    levels = np.zeros(rows.shape, np.int8)
    for share in np.arange(0.5, 1.01, 0.05):
        scale = (peak * share / 7).astype(np.float16)
        wide = np.maximum(scale.astype(np.float32), 1e-8)[:, None]
        trial = np.clip(np.rint(rows / wide), -8, 7)
        error = ((trial * wide - rows) ** 2).sum(axis=1)
        better = error < best
        best[better] = error[better]
        scales[better] = scale[better]
        levels[better] = trial[better]
    nibbles = (levels + 8).astype(np.uint8)
    return np.asarray(nibbles[:, 0::2] | nibbles[:, 1::2] << 4, np.uint8), scales


def write_table(table: Table, path: Path, *, bits: int) -> str:
    """Write the file and return its fingerprint."""
    sections = {"pieces": zlib.compress("\n".join(table.pieces).encode(), 9)}
    if bits == 4:
        packed, scales = quantise_int4(table.rows)
        sections |= {"scales": scales.astype("<f2").tobytes(), "rows": packed.tobytes()}
        common = None
    else:
        levels, common = table.levels()
        sections |= {"rows": levels.tobytes()}
    sections["projection"] = table.projection.astype("<f2").tobytes()
    payload = b"".join(sections.values())
    places, offset = {}, 0
    for name, body in sections.items():
        places[name] = [offset, len(body)]
        offset += len(body)
    header = {
        "bits": bits,
        "count": len(table.pieces),
        "dim": table.rows.shape[1],
        "facts": table.facts,
        "scale": common,
        "sections": places,
        "sha256": hashlib.sha256(payload).hexdigest(),
        "teacher_dim": table.projection.shape[0],
        "tokeniser": 1,
    }
    head = json.dumps(header, sort_keys=True).encode("ascii")
    path.write_bytes(MAGIC + struct.pack("<I", len(head)) + head + payload)
    return str(header["sha256"])


def read_table(path: Path) -> Table:
    """The table as it will be used, after quantisation."""
    data = path.read_bytes()
    if data[:8] != MAGIC:
        raise ValueError(f"{path} is no encoder table of this version")
    (length,) = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12 : 12 + length])
    payload = data[12 + length :]
    if hashlib.sha256(payload).hexdigest() != header["sha256"]:
        raise ValueError(f"{path} is damaged: its digest does not match")

    def section(name: str) -> bytes:
        offset, size = header["sections"][name]
        return payload[offset : offset + size]

    count, dim = header["count"], header["dim"]
    if header["bits"] == 4:
        packed = np.frombuffer(section("rows"), np.uint8).reshape(count, dim // 2)
        levels = np.empty((count, dim), np.float32)
        levels[:, 0::2] = packed & 15
        levels[:, 1::2] = packed >> 4
        rows = (levels - 8) * np.frombuffer(section("scales"), "<f2").astype(np.float32)[:, None]
    else:
        rows = np.frombuffer(section("rows"), np.int8).reshape(count, dim) * header["scale"]
    projection = np.frombuffer(section("projection"), "<f2").reshape(header["teacher_dim"], dim)
    return Table(
        pieces=tuple(zlib.decompress(section("pieces")).decode().split("\n")),
        rows=rows.astype(np.float32),
        projection=projection.astype(np.float32),
        facts=header["facts"],
    )


def keep_pieces(table: Table, counts: dict[str, int], *, teacher: int, own: int) -> Table:
    """A smaller table: pieces seen often enough, single characters and placeholders always."""
    kept = [
        number
        for number, piece in enumerate(table.pieces)
        if piece in PLACEHOLDERS
        or len(piece.removeprefix("##")) == 1
        or piece.startswith("##")
        or counts.get(piece, 0) >= (own if number >= table.facts["teacher_pieces"] else teacher)
    ]
    return Table(
        pieces=tuple(table.pieces[number] for number in kept),
        rows=table.rows[kept],
        projection=table.projection,
        facts=table.facts,
    )


def average(tables: Sequence[Table]) -> Table:
    """The mean of several runs over one vocabulary, each brought to the first one's median row length.

    Runs that differ in start and in what they were shown err in different places; their mean errs less.
    """
    first = tables[0]
    if any(table.pieces != first.pieces for table in tables):
        raise ValueError("only tables of the same pieces can be averaged")
    lengths = [float(np.median(np.linalg.norm(table.rows, axis=1))) for table in tables]
    scaled = [table.rows * (lengths[0] / length) for table, length in zip(tables, lengths, strict=True)]
    rows = np.asarray(np.mean(scaled, axis=0, dtype=np.float64), np.float32)
    return Table(
        pieces=first.pieces, rows=rows, projection=first.projection, facts={**first.facts, "runs": len(tables)}
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut a trained table to the size that is shipped.")
    parser.add_argument("--table", type=Path, required=True, help="from training.train")
    parser.add_argument("--also", type=Path, action="append", default=[], help="another run's table, to average with")
    parser.add_argument("--vocabulary", type=Path, required=True, help="from training.vocabulary")
    parser.add_argument("--teacher-pieces", type=int, default=1, help="keep from so many uses")
    parser.add_argument("--own-words", type=int, default=8, help="keep from so many uses")
    parser.add_argument("--bits", type=int, choices=(4, 8), default=4)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    vocabulary = json.loads(options.vocabulary.read_text("utf-8"))
    counts = dict(zip(vocabulary["pieces"], vocabulary["counts"], strict=True))
    table = average([read_table(path) for path in (options.table, *options.also)])
    table = keep_pieces(table, counts, teacher=options.teacher_pieces, own=options.own_words)
    digest = write_table(table, options.out, bits=options.bits)
    size = options.out.stat().st_size / 1e6
    print(f"{options.out}: {len(table.pieces)} pieces, {size:.2f} MB, sha256 {digest[:12]}")


if __name__ == "__main__":
    main()
