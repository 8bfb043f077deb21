"""The words of intents as the artifact knows them, each looked up once and kept in a bounded cache.

A word brings its row of the token table, the tools it points to, and its terms. Nothing is loaded before
a word is met, and most words are one row.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonprefix

from . import values, verbs
from .abbreviations import SPELLED
from .artifact import UNREADABLE, Artifact
from .identity import DIMENSION, id_code
from .lexicon import STOP, is_prose, prose_words, scan, stem, uncased
from .lexicon import words as split
from .named import NamedTuple
from .student import lanes, word_pieces

MAX_TEXT = 20_000
"""Characters of an intent that are read; a longer text is no intent, and its beginning says what it is about."""
MAX_WORDS = 2000
_VERB_WORDS = 40  # words among which the verb of a request is looked for
_CACHE = 4096  # words; about 2 kB each
_MOST_IDF = 1 << 20  # units of IDF_UNIT: far above the logarithm of any number of tools
_ROW = struct.Struct(f"<H{DIMENSION // 2}s")
_OWNER = struct.Struct("<IIB")
_PieceRow = tuple[bytes, bytes, str, int, str, int, bytes, int]


class Term(NamedTuple):
    """A word of the index. `key` and `near` are keys (`format.term_key`), "" for none."""

    key: str  # the term itself
    near: str  # the closest other term of the catalogue in meaning
    weight: int  # how much `near` counts, of 255
    idf: int  # units of format.IDF_UNIT; of an unknown word the largest


class Word(NamedTuple):
    """One word or value. Sums over a text's words are the text's."""

    lanes: int  # of its pieces (`student.lanes`)
    scale: int  # sum of the pieces' scales
    pieces: int  # how many there are
    tools: Sequence[int]  # that it points to
    points: Sequence[int]  # and how much, units of format.POINT
    owners: tuple[tuple[int, int, int], ...]  # (first tool, end, points): providers that the word names
    terms: tuple[Term, ...]  # none for a stop word
    verbs: int  # families (verbs.VERBS)
    begins: int  # 0 when no longer term of the catalogue can begin with it


class Reading(NamedTuple):
    """An intent as read: its distinct words in their order, the kinds of its values, what it asks to be done."""

    words: Mapping[str, Word]
    spoken: int  # how many of the words stand in the text
    kinds: int
    verb: int  # families of its first verb, of a question READ
    verbs: int  # of all its verbs


def spoken_words(text: str) -> tuple[tuple[str, ...], int]:
    """The distinct words of a text and the kinds of its values: all that its reading depends on."""
    text = text[:MAX_TEXT]
    if is_prose(text):  # what follows would find the same
        return tuple(dict.fromkeys(prose_words(text)[:MAX_WORDS])), 0
    said, kinds = values.read(text)
    if is_prose(said):
        return tuple(dict.fromkeys(prose_words(said)[:MAX_WORDS])), kinds
    distinct: dict[str, str] = {}
    for word in scan(said)[:MAX_WORDS]:
        lower = word.lower()
        if lower not in distinct:
            distinct[lower] = lower if word[1:].islower() else uncased(word)
    return tuple(distinct.values()), kinds


class Vocabulary:
    """Words of one artifact, by their text."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._known: dict[str, Word] = {}
        self._joined: dict[tuple[str, str], Word | None] = {}
        self._ids: dict[int, int] = {}
        self._code = id_code(artifact.tools)
        self._width = struct.calcsize(self._code)
        self._unknown = _term("", "", 0, int(artifact.meta["unknown_idf"]))

    def read(self, text: str) -> Reading:
        """The reading of a text; never raises, linear in the text."""
        said, kinds = spoken_words(text)
        known = self._known.get
        found: dict[str, Word] = {}
        verb = every = 0
        before = ""
        for place, text_word in enumerate(said):
            word = found[text_word] = known(text_word) or self.word(text_word)
            _, _, _, _, _, _, terms, does, begins = word
            if does:
                verb = verb or (does if place < _VERB_WORDS else 0)
                every |= does
            if before and terms and (joined := self._join(before, text_word)):
                found[f"{before}+{text_word}"] = joined
            before = text_word if begins and terms else ""
        if not verb and found and next(iter(found)) in verbs.QUESTION:
            verb = verbs.READ
        return tuple.__new__(Reading, (found, len(said), kinds, verb, every))  # a call less than Reading(...)

    def word(self, text: str) -> Word:
        """The word `text` (one of `lexicon.scan`)."""
        word = self._known.get(text)
        if word is None:
            word = self._met(text)
            if len(self._known) >= _CACHE:
                self._known.clear()
            self._known[text] = word
        return word

    def _met(self, text: str) -> Word:
        spelled = SPELLED.get(text.lower())
        try:
            if spelled is None:
                return self._look_up(text)
            return _together([self._look_up(part) for part in spelled.split()])
        except UNREADABLE as err:
            raise self._artifact.corrupt(f"the rows of the word {text!r}: {err}") from err

    def _look_up(self, text: str) -> Word:
        lower = text.lower()
        row = self._piece(lower)
        if row is not None:
            return self._whole(lower, row)
        term = self._term_row(stem(lower))
        parts = split(text)
        if term is None and len(parts) > 1 and text.isascii():
            return _together([self.word(part) for part in parts])
        summed = scale = count = 0
        points: dict[int, int] = {}
        for packed, pointed in self._pieces(text):
            row_scale, nibbles = _ROW.unpack(packed)
            summed += lanes(row_scale, nibbles)
            scale += row_scale
            count += 1
            _add(points, *self._pairs(pointed))
        if term is not None:
            _add(points, *self._pairs(term[2]))
            found: tuple[Term, ...] = (_term(term[0], "", 0, term[1]),)
            owners = tuple(_OWNER.iter_unpack(term[3]))
        elif text.isascii():
            found, owners = (self._unknown,), ()
        else:
            found, owners = tuple(self._pair_terms(parts, points)), ()
        return Word(summed, scale, count, tuple(points), tuple(points.values()), owners, found, 0, 1)

    def _whole(self, lower: str, row: _PieceRow) -> Word:
        """A word that the token table has: one row says it all."""
        packed, points, term, idf, near, weight, owners, begins = row
        scale, nibbles = _ROW.unpack(packed)
        tools, amounts = self._pairs(points)
        return Word(
            lanes(scale, nibbles),
            scale,
            1,
            tools,
            amounts,
            tuple(_OWNER.iter_unpack(owners)),
            (_term(term, near, weight, idf),) if idf else (),
            verbs.VERBS.get(lower, 0),
            begins,
        )

    def _pieces(self, text: str) -> Iterator[tuple[bytes, bytes]]:
        """Rows and points of a word that the table has only in pieces."""
        rows: dict[str, tuple[bytes, bytes]] = {}

        def beginning(asked: str) -> str:
            # The last piece in order begins with all that any piece and the text have in common.
            while asked:
                row = self._artifact.row(
                    "SELECT piece, row, points FROM piece WHERE piece <= ? ORDER BY piece DESC LIMIT 1", asked
                )
                if row is None:
                    return ""
                if asked.startswith(row[0]):
                    rows[row[0]] = row[1:]
                    return str(row[0])
                asked = commonprefix((asked, row[0]))  # noqa: RUF071  characters are what is compared
            return ""

        return (rows[piece] for piece in word_pieces(text, beginning))

    def _pair_terms(self, pairs: list[str], points: dict[int, int]) -> Iterator[Term]:
        """The terms of a word of an unspaced script: its pairs of characters."""
        for pair in pairs:
            row = self._term_row(pair)
            if row is None:
                yield self._unknown
            else:
                _add(points, *self._pairs(row[2]))
                yield _term(row[0], "", 0, row[1])

    def _join(self, one: str, other: str) -> Word | None:
        """The index word that two written apart are ("argo cd"): it adds to the lexical side alone."""
        pair = (one, other)
        if pair not in self._joined:
            both = (one + other).lower()
            term = stem(both) if len(both) > 5 and len(one) > 1 and len(other) > 1 else ""
            row = self._term_row(term) if len(term) > len(one) else None
            if len(self._joined) >= 2 * _CACHE:
                self._joined.clear()
            try:
                self._joined[pair] = row if row is None else self._of_letters(*row)
            except UNREADABLE as err:
                raise self._artifact.corrupt(f"the row of the term {both!r}: {err}") from err
        return self._joined[pair]

    def _of_letters(self, key: str, idf: int, points: bytes, owners: bytes) -> Word:
        """A word that has no meaning, only what the index says of it."""
        found = (_term(key, "", 0, idf),)
        return Word(0, 0, 0, *self._pairs(points), tuple(_OWNER.iter_unpack(owners)), found, 0, 1)

    def _piece(self, piece: str) -> _PieceRow | None:
        return self._artifact.row(
            "SELECT row, points, term, idf, near, weight, owners, begins FROM piece WHERE piece = ?", piece
        )

    def _term_row(self, term: str) -> tuple[str, int, bytes, bytes] | None:
        if term in STOP:
            return None
        return self._artifact.row("SELECT key, idf, points, owners FROM term WHERE term = ?", term)

    def _pairs(self, blob: bytes) -> tuple[tuple[int, ...], bytes]:
        """Tools and their points (`format.pack_points`); one object a tool, however many words point to it."""
        count = len(blob) // (self._width + 1)
        tools = struct.unpack(f"<{count}{self._code}", blob[: count * self._width])
        points = blob[count * self._width :]
        if len(points) != count:
            raise ValueError("as many points as tools")
        return tuple(map(self._ids.setdefault, tools, tools)), points


def _term(key: str, near: str, weight: int, idf: int) -> Term:
    """A term as stored; ValueError when scoring could not reckon with it."""
    if not (isinstance(key, str) and isinstance(near, str) and 0 <= weight <= 255 and 0 <= idf <= _MOST_IDF):
        raise ValueError("a term's key, weight or idf is impossible")
    return Term(key, near, weight, idf)


def _together(several: list[Word]) -> Word:
    """Several words as one: what an abbreviation or an identifier stands for."""
    points: dict[int, int] = {}
    for word in several:
        _add(points, word.tools, word.points)
    return Word(
        sum(word.lanes for word in several),
        sum(word.scale for word in several),
        sum(word.pieces for word in several),
        tuple(points),
        tuple(points.values()),
        tuple(owner for word in several for owner in word.owners),
        tuple(term for word in several for term in word.terms),
        next((word.verbs for word in several if word.verbs), 0),
        1,
    )


def _add(points: dict[int, int], tools: Sequence[int], amounts: Sequence[int]) -> None:
    for tool, amount in zip(tools, amounts, strict=True):
        points[tool] = points.get(tool, 0) + amount
