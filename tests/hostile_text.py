"""Texts that patterns and tables do not like, by kind: each a function from a length to a text of that length.

The fast suite sends them at small lengths, bench/hostile.py at large ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable

_REPEATED = {
    "spaces": " ",
    "line feeds": "\n",
    "one letter": "a",
    "one capital": "A",
    "camels": "aB",
    "capitals and a letter": "ABc",
    "digits": "1",
    "a. a. a.": "a.",
    "a.. dots": ".",
    "a-a-a": "a-",
    "a_a_a": "a_",
    "1b1b": "1b",
    "1/1/1": "1/",
    "1.1.1": "1.",
    "1,1,1": "1,",
    "1:1:1": "1:",
    "11:11": "11:",
    "1.1,1.1": "1.1,",
    "-1 -1": "-1 ",
    "slashes": "/",
    "/a/a/a": "/a",
    "a/a/a/a": "a/",
    "a*/a*": "a*/",
    "~/~/": "~/",
    "../../": "../",
    "back slashes": "C:\\",
    "a: a:": "a:\\a",
    "ats": "@",
    "a@a@a": "a@",
    "a@a.a@a.": "a@a.",
    "mails": "a.b@c.de ",
    "urls": "http://a/ ",
    "url upon url": "http://",
    "x://": "x://",
    "dollars": "$",
    "hashes": "#",
    "percents": "%",
    "#1#1": "#1",
    "double quotes": '"',
    "single quotes": "'",
    "curly quotes": "“",
    "both curly quotes": "“”",
    "' a": "' a",
    '"a': '"a',
    "braces": "{",
    "{ {": "{ ",
    "arrows": "=",
    "select": "select ",
    "from": "from ",
    "select from": "select from ",
    "query": "query ",
    "parentheses": "(",
    "()": "()",
    "hex": "abcdef0",
    "hex words": "abcdef0 ",
    "uuids": "01234567-89ab-cdef-0123-456789abcdef ",
    "hex and dashes": "0a1b2c3d-",
    "dates": "2024-01-01",
    "dates apart": "2024-01-01 ",
    "2024-": "2024-",
    "T1": "2024-01-01T",
    "versions": "v1.2.3.",
    "1.2.3-": "1.2.3-",
    "AB-1": "AB-1-",
    "Ab1": "Ab1",
    "am pm": "1 am ",
    "files": "a.pdf",
    "file.file": "a.pdf.",
    "underscores": "_",
    "dashes": "-",
    "unicode digits": "٣",
    "unicode digits and letters": "٣b",
    "full-width": "ａ１",
    "superscripts": "²",
    "han": "文件",
    "han without end": "件",
    "hangul": "파일을 ",
    "thai": "แฟ้ม",
    "arabic": "ملف ",
    "hebrew marks": "א\u05b0",
    "combining marks": "\u0301",
    "e and marks": "e\u0301",
    "zalgo": "z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
    "marks in both orders": "a\u0323\u0301\u0323\u0301",
    "emoji": "🔥",
    "joined emoji": "👩\u200d🚀",
    "flags": "🇵🇹",
    "right to left": "\u202eabc\u202c ",
    "zero width": "a\u200b",
    "nul": "\x00",
    "controls": "\x01\x1b[31m",
    "lone surrogates": "\ud800",
    "surrogates and letters": "a\udfff",
    "ligatures": "ﷺ",
    "sharp s": "ß",
    "dotted i": "İ",
    "private use": "\ue000",
    "last plane": "\U0010ffff",
    "fts": 'NEAR("a" "b") AND NOT c* OR ',
    "sql": "'; DROP TABLE tool; -- ",
    "glob": "*?[a]%_",
    "format": "%s{0}${x}",
    "json": '{"a":[',
    "markup": "<a href='",
    "stop words": "the of ",
    "known words": "send an email to the team about files ",
    "unknown words": "zxqv wvut ",
}


def _distinct(length: int) -> str:
    """Words of which none comes twice."""
    return " ".join(f"w{number:x}q" for number in range(length // 5 + 1))[:length]


def _unknown(length: int) -> str:
    """Long words of the alphabet that no table has, so that every beginning of every rest is looked up."""
    rng = random.Random(length)
    return " ".join("".join(rng.choices("qxzjkwv", k=64)) for _ in range(length // 65 + 1))[:length]


def _sparse(length: int) -> str:
    """Digits far from the letters that an id would need."""
    return ("a" * 62 + "1 ") * (length // 64) + "a" * (length % 64)


KINDS: dict[str, Callable[[int], str]] = {
    **{
        name: (lambda length, part=part: (part * (length // len(part) + 1))[:length])  # type: ignore[misc]
        for name, part in _REPEATED.items()
    },
    "words of which none comes twice": _distinct,
    "long words with one digit": _sparse,
    "long unknown words": _unknown,
    "one quote at the end": lambda length: "a " * (length // 2) + '"',
    "select at the beginning": lambda length: "select " + "x " * (length // 2),
    "opened and never closed": lambda length: "{" + " " * length,
    "a name of one word": lambda length: "create" * (length // 6),
}
