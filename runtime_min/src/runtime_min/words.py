"""The words of intents as the artifact knows them, each looked up once and kept in a bounded cache.

A word brings its row of the token table, the tools its pieces point to, and its terms with the tools
that they count most for. Nothing is loaded before a word is met.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from .artifact import Artifact
from .format import DIMENSION, id_code
from .lexicon import STOP, stem
from .lexicon import words as split
from .student import lanes, word_pieces

_CACHE = 8192  # words; about 3 kB each
_ROW = struct.Struct(f"<H{DIMENSION // 2}s")


class Term(NamedTuple):
    """A term as the artifact has it; one that no tool has is all idf."""

    key: str  # its id as one character, "" for an unknown one
    idf: int
    leaders: tuple[int, ...]  # tools it counts most for
    impacts: tuple[int, ...]  # and how much, units of format.IMPACT_UNIT


class Word(NamedTuple):
    """One word or value. Sums over a text's words are the text's."""

    lanes: int  # of its pieces (`student.lanes`)
    scale: int  # sum of their scales
    pieces: int  # how many there are
    tools: tuple[int, ...]  # that its pieces point to
    excess: tuple[int, ...]  # and how much
    terms: tuple[Term, ...]  # none for a stop word or a value


class Vocabulary:
    """Words of one artifact, by their text."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._known: dict[str, Word] = {}
        self._code = id_code(artifact.tools)
        self._width = struct.calcsize(self._code)
        self._unknown_idf = int(artifact.meta["unknown_idf"])

    def word(self, text: str) -> Word:
        """The word `text` (one of `lexicon.scan`)."""
        word = self._known.get(text)
        if word is None:
            word = self._look_up(text)
            if len(self._known) >= _CACHE:
                self._known.clear()
            self._known[text] = word
        return word

    def _look_up(self, text: str) -> Word:
        total = scale = count = 0
        points: dict[int, int] = {}
        rows: dict[str, bytes] = {}

        def known(piece: str) -> bool:
            row = self._artifact.row("SELECT row FROM piece WHERE piece = ?", piece)
            if row is not None:
                rows[piece] = row[0]
            return row is not None

        for piece in word_pieces(text, known):
            blob = rows[piece]
            row_scale, nibbles = _ROW.unpack_from(blob)
            total += lanes(row_scale, nibbles)
            scale += row_scale
            count += 1
            for tool, excess in zip(*self._pairs(blob[_ROW.size :], "B", 1), strict=True):
                points[tool] = points.get(tool, 0) + excess
        return Word(total, scale, count, tuple(points), tuple(points.values()), self._terms(text))

    def _terms(self, text: str) -> tuple[Term, ...]:
        """The term of a whole word where a tool has it, else those of its parts."""
        if text[0] == "<" or text.lower() in STOP:
            return ()
        whole = self._term(stem(text.lower()))
        inside = split(text)
        if whole.key or len(inside) < 2:
            return (whole,)
        return tuple(self._term(stem(part)) for part in inside if part not in STOP)

    def _term(self, text: str) -> Term:
        row = self._artifact.row("SELECT id, idf, leaders FROM term WHERE term = ?", text)
        if row is None:
            return Term("", self._unknown_idf, (), ())
        return Term(term_key(row[0]), row[1], *self._pairs(row[2], "H", 2))

    def _pairs(self, blob: bytes, code: str, width: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        count = len(blob) // (self._width + width)
        values = struct.unpack(f"<{count}{self._code}{count}{code}", blob)
        return values[:count], values[count:]


def term_key(term: int) -> str:
    """A term id as one character, so that a tool's terms are a string and a look-up is `str.find`."""
    return chr(term if term < 0xD800 else term + 0x800)
