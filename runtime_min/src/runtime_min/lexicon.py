"""Text becomes words: of an intent at run time, of a tool at build time, by the same rules.

Identifiers are split where a reader sees words (case, `_`, `-`, `.`, `/`), Latin accents are folded,
and runs of scripts without spaces become overlapping pairs of characters. Nothing depends on locale.
"""

from __future__ import annotations

import re
import unicodedata

STOP = frozenset(
    "a an the of to in on for and or is are be with by from at as this that it its i me my you your can could please"
    " would like want need how do does what which who show tell give get if into about any some will was am".split()
)
"""Words that say nothing about a tool; an intent of nothing else keeps them."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASCII_WORD = re.compile(r"[a-z0-9]+").findall
_WORD = re.compile(r"[^\W_]+").findall
_DIACRITICS = re.compile("[\u0300-\u036f]")
# Han, kana, Thai, Lao, Myanmar, Khmer are written without spaces; Hangul glues particles to its words.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
_CANONICAL = re.compile(r"(?<![^\W_])-?\d+(?:[.,]\d+)*(?![^\W_])|[^\W_]+|[+#%@&<>=*^~]|[^\w\s\x00-\x7f\ud800-\udfff]").findall
_SILENT = frozenset("«»“”‘’„‚…–—·。、「」『』（），．：；！？")


def words(text: str) -> list[str]:
    """The words of a text in their order, lower case, identifiers split; never raises, linear in the text."""
    text = _HUMP.sub(" ", text)
    if text.isascii():
        return _ASCII_WORD(text.lower())
    folded = fold(text)
    if _UNSPACED.search(folded):
        return [word for run in _WORD(folded) for word in _unspaced(run)]
    return _WORD(folded)


def fold(text: str) -> str:
    """Compatibility form, case-folded, without the accents of alphabets that have base letters."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFD", text)))


def canonical(text: str) -> str:
    """The form in which two literal texts are the same intent: `createIssue`, "create_issue", "Create issue!".

    Keeps what carries meaning: every word, numbers with their sign and fraction, symbols such as `+` and `#`,
    all scripts. Quotation and sentence marks carry none.
    """
    text = _HUMP.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(token for token in _CANONICAL(text.casefold()) if token not in _SILENT)


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


def terms(text: str) -> list[str]:
    """The index terms of a text: stems of its words without stop words, or of all of them when nothing else is left."""
    found = words(text)
    return [stem(word) for word in found if word not in STOP] or [stem(word) for word in found]


def _unspaced(run: str) -> list[str]:
    """A run of word characters, its unspaced parts as overlapping pairs."""
    out: list[str] = []
    for part in _UNSPACED.split(run):
        if not part:
            continue
        if len(part) == 1 or not _UNSPACED.match(part):
            out.append(part)
        else:
            out.extend(part[i : i + 2] for i in range(len(part) - 1))
    return out
