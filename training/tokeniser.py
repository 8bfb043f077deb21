"""Text to pieces of the student encoder: values and words, then identifiers, then greedy pieces.

Standard library only and no vocabulary load: a `Tokeniser` asks `has(piece)` and keeps nothing
but a bounded cache, so a runtime can answer from an indexed table. The result depends on the text
alone (no locale, no hash order, linear time). Three steps:

1. `scan` cuts the text into words and *values*. A value (URL, e-mail address, path, identifier,
   date, time, version, number) becomes one placeholder piece such as ``<url>`` or ``<n3>``: its
   kind says something about the tool that is wanted, its characters drown the topic.
2. A word that the table holds, in lower case and without accents, is one piece. Otherwise it is
   cut where an identifier would be (camelCase, letters against digits) and each part looked up.
3. What is still unknown is matched greedily from the left, longest piece first, as WordPiece does
   (Schuster and Nakajima 2012), continuation pieces carrying ``##``. Unlike there, a character
   without a piece is skipped and does not make the whole word unknown.
"""

import re
import unicodedata
from collections.abc import Callable

MAX_PIECE = 20  # longest piece of a table, in characters: bounds the look-ups per position
MAX_WORD = 64  # a longer word is cut: nobody writes one, and it is cheap to say so
PLACEHOLDERS = "<url> <mail> <path> <date> <time> <id> <version> <decimal> <n1> <n2> <n3> <n4> <n5>".split()

# Every repetition that can fail late is bounded, so that no input is scanned quadratically.
_SCAN = re.compile(
    r"(?P<url>(?:https?|ftp|wss?|git|ssh|s3)://[^\s'\"<>]+)"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8})"
    r"|(?P<path>(?<![\w/])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,64})"
    r"|(?P<date>\b\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d)?Z?)?\b|\b\d\d?[/.]\d\d?[/.]\d{2,4}\b)"
    r"|(?P<time>\b\d\d?:\d\d(?::\d\d)?\b)"
    r"|(?P<id>\b[0-9a-f]{8}-[0-9a-f-]{12,36}\b|\b(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{7,64}\b)"
    r"|(?P<version>\bv?\d+\.\d+\.\d[\w.-]*)"
    r"|(?P<decimal>\d+\.\d+)"
    r"|(?P<number>\b\d+(?:,\d{3}){0,8}\b)"
    r"|(?P<word>[^\W_]+)"
    r"|(?P<sign>[$%#@])"
)
_PLAIN = re.compile(r"[^\W_]+")
_VALUE = re.compile(r"[0-9@$%#]|/")  # without any of these no alternative but a word can match
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")


def fold(text: str) -> str:
    """Compatibility forms unified and accents gone, as the teacher's uncased vocabulary wants."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")


def scan(text: str) -> list[str]:
    """Words in their own case, values as placeholders, in reading order."""
    text = fold(text)
    if not _VALUE.search(text):
        return _PLAIN.findall(text)
    found = []
    for match in _SCAN.finditer(text):
        kind = match.lastgroup
        if kind in ("word", "sign"):
            found.append(match.group())
        elif kind == "number":
            found.append(number_piece(match.group()))
        else:
            found.append(f"<{kind}>")
    return found


def number_piece(digits: str) -> str:
    """One of five pieces by length: a year is not a count, and no number is a topic."""
    return f"<n{min(len(digits), 5)}>"


def is_ideograph(char: str) -> bool:
    """Scripts that are written without spaces and stand one piece a character in the vocabulary."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"


class Tokeniser:
    """Pieces of a text by look-ups alone; equal words are cut once."""

    def __init__(self, has: Callable[[str], bool], cache_size: int = 50_000) -> None:
        self._has = has
        self._cache: dict[str, tuple[str, ...]] = {}
        self._cache_size = cache_size

    def __call__(self, text: str) -> list[str]:
        pieces: list[str] = []
        for word in scan(text):
            known = self._cache.get(word)
            pieces += self.word(word) if known is None else known
        return pieces

    def word(self, word: str) -> tuple[str, ...]:
        """The pieces of one word or placeholder."""
        if len(self._cache) >= self._cache_size:
            self._cache.clear()
        pieces = self._cache[word] = tuple(self._cut(word[:MAX_WORD]))
        return pieces

    def _cut(self, word: str) -> list[str]:
        lower = word.lower()
        if self._has(lower):
            return [lower]
        parts = _PART.findall(word)
        if len(parts) < 2:
            return self._greedy(lower)
        pieces: list[str] = []
        for part in map(str.lower, parts):
            if part.isdecimal() and part.isascii():
                pieces.append(number_piece(part))
            elif self._has(part):
                pieces.append(part)
            else:
                pieces += self._greedy(part)
        return pieces

    def _greedy(self, word: str) -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            mark = "##" if start and not is_ideograph(word[start]) else ""
            for end in range(min(len(word), start + MAX_PIECE), start, -1):
                piece = mark + word[start:end]
                if self._has(piece):
                    pieces.append(piece)
                    start = end
                    break
            else:
                start += 1
        return pieces
