"""Scores: an intent against a few dozen tools, exactly.

    score = cosine of intent and tool                                        dense
          + .28 * sum(idf * share) / sqrt(sum(idf)) over the intent's terms   lexical, BM25F shares in 0..1
          + .04 when the verbs agree, - .05 for a tool that deletes unasked   verb
          + the weights of the kinds of values that both have                 kinds

times the tool's priority. Work grows with the candidates, not with the catalogue. The weights were fitted
once, on labelled sets, left-one-set-out; nothing is tuned to one of them (docs/selection.md).
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Sequence
from operator import itemgetter

from .artifact import UNREADABLE, Artifact
from .identity import DIMENSION, IDF_UNIT
from .named import NamedTuple
from .student import MAX_PIECES, lane_order
from .verbs import DELETE
from .words import Reading

LEXICAL = 0.28
VERB = 0.04
DELETES = -0.05

_CACHE = 8192  # profiles; 1,000 requests touch up to 6,700 of them
_NOWHERE = "\0"  # a key that no tool has

# Whole numbers n up to 2**22 are read as floats without one being made: as the bits of MIDDLE + n in 32 of them.
MIDDLE = 12_582_912.0  # 1.5 * 2**23
"""The zero of lanes and vectors: distances are those of the numbers without it."""
_MIDDLE_BITS = 0x4B400000
_LARGEST = 22
_EACH = int.from_bytes(b"\1\0\0\0" * DIMENSION, "little")
_LANES = struct.Struct(f"<{DIMENSION}f").unpack
_ZERO = (MIDDLE,) * DIMENSION
_FLOATS = tuple(MIDDLE + (value if value < 128 else value - 256) for value in range(256))  # shared by all vectors

_MICRO = 1_000_000
"""Scores are whole millionths, so that the last bits of a platform decide nothing."""


class Profile(NamedTuple):
    """What scoring needs of one tool, unpacked."""

    vector: tuple[float, ...]  # MIDDLE + whole numbers, in lane order
    square: float  # of the vector's length
    scale: float  # that makes it a unit vector
    terms: str
    shares: bytes
    verb: int
    deletes: int
    kinds: int
    priority: float


class Query(NamedTuple):
    """An intent, ready to be compared with tools."""

    lanes: tuple[float, ...]  # MIDDLE + the values of the intent's vector, in lane order
    length: float  # of that vector, 0 when no word is known
    terms: Sequence[tuple[str, str, float, float]]  # own key, near key, and what a share of each is worth
    most: float  # the lexical score of a tool that had every term whole
    kinds: int
    verb: int
    deletes: int  # whether a verb of the intent deletes


class Score(NamedTuple):
    """A tool's score and its parts; scores sort best first, ties by tool id."""

    below: int  # minus the score, in millionths
    tool: int
    dense: float
    lexical: float
    verb: float
    kinds: float
    arguments: float

    @property
    def total(self) -> float:
        """The score."""
        return -self.below / _MICRO

    def plus(self, arguments: float) -> Score:
        """The score of a tool to which the arguments given are worth so much."""
        return self._replace(below=self.below - round(arguments * _MICRO), arguments=arguments)

    def signals(self) -> dict[str, float]:
        """The parts of the score, by name."""
        return {name: round(value, 6) for name, value in self._asdict().items() if name not in ("below", "tool")}


def query(reading: Reading) -> Query:
    """The query that an intent's reading is."""
    summed = scale = pieces = mass = 0
    terms: dict[str, tuple[str, str, int, int]] = {}
    for row, row_scale, row_pieces, _, _, _, said, _, _ in reading.words.values():
        pieces += row_pieces
        if pieces <= MAX_PIECES:
            summed += row
            scale += row_scale
        for key, near, weight, idf in said:
            if key not in terms:
                mass += idf
                if key or near:
                    terms[key or "~" + near] = (key or _NOWHERE, near or _NOWHERE, idf, weight)
    lanes = _floats(summed, scale)
    unit = LEXICAL / (255 * math.sqrt(mass * IDF_UNIT)) if mass else 0.0
    wanted = [(key, near, unit * idf, unit * idf * weight / 255) for key, near, idf, weight in terms.values()]
    _, _, kinds, verb, verbs = reading
    length = math.dist(lanes, _ZERO)
    return tuple.__new__(Query, (lanes, length, wanted, 255 * unit * mass, kinds, verb, verbs & DELETE))


def aimed(asked: Query, vector: Sequence[float]) -> Query:
    """The query with another encoder's vector of the intent in place of the student's."""
    lanes = lane_order(tuple(MIDDLE + float(value) * (1 << _LARGEST) for value in vector))
    return asked._replace(lanes=lanes, length=math.dist(lanes, _ZERO))


def _floats(summed: int, scale: int) -> tuple[float, ...]:
    """Summed rows (`student.lanes`) of a summed scale as MIDDLE + their values; of long texts the last bits go."""
    middle = 8 * scale  # of a row's values 0..15
    excess = middle.bit_length() - _LARGEST
    if excess > 0:
        summed = summed >> excess & _EACH * (0xFFFFFFFF >> excess)
        middle >>= excess
    return _LANES((summed + _EACH * (_MIDDLE_BITS - middle)).to_bytes(4 * DIMENSION, "little"))


class Scorer:
    """Scores tools of one artifact; profiles are read when first needed and kept in a bounded cache."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._profiles: dict[int, Profile] = {}
        self._weights = [float(weight) for weight in json.loads(artifact.meta["kind_weights"])]
        self._kinds: dict[int, float] = {}

    def score(self, asked: Query, tools: Iterable[int]) -> list[Score]:
        """The tools' scores, best first, ties by tool id."""
        profiles, dist, new = self._profiles.get, math.dist, tuple.__new__
        lanes, length, wanted, _, kinds, verb, deletes = asked
        square = length * length
        half = 0.5 / length if length else 0.0
        scores = []
        for tool in tools:
            vector, own, scale, terms, shares, does, removes, takes, priority = profiles(tool) or self._read(tool)
            apart = dist(lanes, vector)
            dense = (square + own - apart * apart) * half * scale  # |a|^2 + |b|^2 - |a-b|^2 = 2ab
            lexical = 0.0
            for key, near, worth, near_worth in wanted:
                level = worth * shares[terms.index(key)] if key in terms else 0.0
                if near_worth and near in terms:
                    level = max(level, near_worth * shares[terms.index(near)])
                lexical += level
            agrees = VERB if does & verb else 0.0
            if removes and not deletes:
                agrees += DELETES
            kind = self._kind(kinds & takes) if kinds & takes else 0.0
            below = -round((dense + lexical + agrees + kind) * priority * _MICRO)
            scores.append(new(Score, (below, tool, dense, lexical, agrees, kind, 0.0)))
        scores.sort()
        return scores

    def _kind(self, kinds: int) -> float:
        """The sum of the weights of some kinds of values: rarer ones say more."""
        weight = self._kinds.get(kinds)
        if weight is None:
            weight = self._kinds[kinds] = sum(
                weight for index, weight in enumerate(self._weights) if kinds >> index & 1
            )
        return weight

    def _read(self, tool: int) -> Profile:
        row = self._artifact.row(
            "SELECT scale, vector, terms, shares, verb, deletes, kinds, priority FROM profile WHERE tool = ?", tool
        )
        if row is None:
            raise self._artifact.corrupt(f"tool {tool} has no profile")
        try:
            profile = _unpacked(*row)
        except UNREADABLE as err:
            raise self._artifact.corrupt(f"the profile of tool {tool}: {err}") from err
        if len(self._profiles) >= _CACHE:
            self._profiles.clear()
        self._profiles[tool] = profile
        return profile


def _unpacked(
    scale: float, blob: bytes, terms: str, shares: bytes, verb: int, deletes: int, kinds: int, priority: float
) -> Profile:
    """A row as scoring reads it, which then trusts it: so what does not fit raises here."""
    if len(blob) != DIMENSION or len(shares) != len(terms) or not 0 <= scale <= 1 or not 0 <= priority <= 1000:
        raise ValueError("lengths or ranges are impossible")
    if not (isinstance(terms, str) and isinstance(shares, bytes) and isinstance(verb | deletes | kinds, int)):
        raise TypeError("a value is of another type")
    vector = itemgetter(*lane_order(blob))(_FLOATS)
    # The scale is one over the vector's length, whose square is a whole number.
    square = round(scale**-2) if scale else 0
    return Profile(vector, square, scale, terms, shares, verb, deletes, kinds, priority)
