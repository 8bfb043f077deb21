"""Text becomes words: of an intent at run time, of a tool at build time, by the same rules.

`scan` reads a text once: words in their own case, and values (a URL, a date, a number, an id) by their
kind, since what a value is says something about the tool that is wanted and its characters say nothing.
From a word come its parts (`createIssue` is create and issue) and its terms, which are stems.
Nothing depends on locale or hash order, and every step is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

STOP = frozenset(
    "a an the of to in on for and or is are be with by from at as this that it its i me my you your can could please"
    " would like want need how do does what which who show tell give get if into about any some will was am".split()
)
"""Words that say nothing about a tool; an intent of nothing else keeps them."""

# Every repetition that can fail late is bounded, so that no input is scanned quadratically.
_SCAN = (
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
_PLAIN = r"[^\W_]+"
_VALUE = r"[0-9@$%#/]"  # without any of these nothing but words can match
_PART = r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+"
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
# Han, kana, Thai, Lao, Myanmar, Khmer are written without spaces; Hangul glues particles to its words.
_UNSPACED = (
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
_CANONICAL = r"(?<![^\W_])-?\d+(?:[.,]\d+)*(?![^\W_])|[^\W_]+|[+#%@&<>=*^~]|[^\w\s\x00-\x7f\ud800-\udfff]"
_CHARGED = r"[0-9+#%@&<>=*^~]|[a-z][A-Z]|[A-Z][A-Z][a-z]"  # without these, words are all
_LETTERS = re.compile(r"[a-z]+").findall
is_prose = re.compile(r"[A-Z]?[a-z ,;:!?-]*(?:(?: [A-Z]|(?<=[a-z])')[a-z ,;:!?-]*)*\.?").fullmatch
"""Whether a text is nothing but words: no values, no identifiers, and capitals only where words begin."""
_SILENT = frozenset("«»“”‘’„‚…–—·。、「」『』（），．：；！？")


def scan(text: str) -> list[str]:
    """Words in their own case and values as `<kind>`, in reading order."""
    text = fold(text)
    if not _compiled(_VALUE).search(text):
        return _plain(text)
    found = []
    for match in _compiled(_SCAN).finditer(text):
        kind = match.lastgroup
        if kind in ("word", "sign"):
            found.append(match.group())
        elif kind == "number":
            found.append(number_kind(match.group()))
        else:
            found.append(f"<{kind}>")
    return found


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern that not every text needs, compiled when the first one does."""
    return re.compile(pattern)


def _plain(text: str) -> list[str]:
    """Runs of letters and digits."""
    return _compiled(_PLAIN).findall(text)


def prose_words(text: str) -> list[str]:
    """The words of prose in lower case."""
    return _LETTERS(text.lower())


def fold(text: str) -> str:
    """Compatibility forms unified and accents gone, as an uncased vocabulary wants."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) != "Mn")


def uncased(word: str) -> str:
    """A word in lower case, unless its capitals say where its parts begin."""
    return word if _compiled(_HUMP).search(word) else word.lower()


def number_kind(digits: str) -> str:
    """One of five kinds by length: a year is not a count, and no number is a topic."""
    return f"<n{min(len(digits), 5)}>"


def parts(word: str) -> list[str]:
    """The words inside an identifier, in their own case, digits apart: `getUserV2` is get, User, V, 2."""
    return _compiled(_PART).findall(word)


def words(text: str) -> list[str]:
    """All words of a text in lower case, identifiers split as a reader would, unspaced scripts in pairs."""
    lowered = [word.lower() for word in _plain(_compiled(_HUMP).sub(" ", fold(text)))]
    if text.isascii():
        return lowered
    return [pair for word in lowered for pair in _unspaced(word)]


def terms(text: str) -> list[str]:
    """The index terms of a text: stems of its words, without stop words unless there is nothing else.

    An identifier gives its parts and itself: GitHub is found as github, and list_tags as list tags.
    """
    found = []
    for word in _plain(fold(text)):
        inside = words(word)
        found += inside
        if len(inside) > 1 and word.isascii():
            found.append(word.lower())
    return [stem(word) for word in found if word not in STOP] or [stem(word) for word in found]


def canonical(text: str) -> str:
    """The form in which two literal texts are the same intent: `createIssue`, "create_issue", "Create issue!".

    Keeps what carries meaning: every word, numbers with their sign and fraction, symbols such as `+` and `#`,
    all scripts. Quotation and sentence marks carry none.
    """
    if is_prose(text) or (text.isascii() and not _compiled(_CHARGED).search(text)):
        return " ".join(prose_words(text))
    text = _compiled(_HUMP).sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(token for token in _compiled(_CANONICAL).findall(text.casefold()) if token not in _SILENT)


def stem(word: str) -> str:
    """A light English stem; words of at most three letters and of other scripts stay as they are."""
    if len(word) <= 3 or not word.isascii():
        return word
    for suffix, put in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: len(word) - len(suffix)] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("i") and len(word) > 3:
        word = word[:-1] + "y"
    return word


_SUFFIXES = (
    ("sses", "ss"),
    ("ies", "y"),
    ("ing", ""),
    ("ings", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("ly", ""),
    ("ation", ""),
    ("ion", ""),
    ("er", ""),
)


def _unspaced(word: str) -> list[str]:
    """A word, its unspaced parts as overlapping pairs of characters."""
    out: list[str] = []
    unspaced = _compiled(_UNSPACED)
    for part in unspaced.split(word):
        if len(part) <= 1 or not unspaced.match(part):
            out += [part] if part else []
        else:
            out += [part[at : at + 2] for at in range(len(part) - 1)]
    return out
