"""Values in a request: a URL, a date, a path, an id say which kind of argument they are and little else.

`read` replaces each by a word for its kind and tells the kinds as bits; tools carry the same bits for
the arguments they take, so that a request with a coordinate finds the tool that wants one.
"""

from __future__ import annotations

import re
from functools import cache

KINDS = ("url", "email", "coord", "date", "time", "number", "path", "id", "code", "quoted")
"""Bit i of a kinds mask is KINDS[i]."""
BIT = {kind: 1 << index for index, kind in enumerate(KINDS)}

# Ordered alternatives. Every repetition that can fail late is bounded, so that no text is scanned quadratically.
_VALUE = r"""
 (?P<url>\b(?:https?|s3|ftp|wss?|git|ref|postgres(?:ql)?|mongodb|redis)://[^\s<>"')\]]+)
|(?P<email>\b[\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{1,64}){1,8})
|(?P<coord>-?\b\d{1,3}\.\d{1,20}\s?,\s?-?\d{1,3}\.\d{1,20})
|(?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,3})?\b)
|(?P<date>\b(?:19|20)\d\d-\d\d?(?:-\d\d?)?\b|\b\d{1,2}/\d{1,2}/(?:19|20)?\d\d\b)
|(?P<time>\b\d{1,2}:\d\d(?::\d\d)?\s?(?:am|pm)?\b|\b\d{1,2}\s?(?:am|pm)\b)
|(?P<path>(?<!\w)(?:~|\.{1,2})?/[\w.\-]{1,64}(?:/[\w.\-*]{0,64}){0,32}|\b[A-Za-z]:\\[\w\\.\-]{1,200}
  |\b(?!(?:[A-Za-z]{1,64}/[A-Za-z]{1,64}|\d{1,64}/\d{1,64})(?![\w/.\-]))[\w.\-]{1,64}(?:/[\w.\-]{1,64}){1,32}\b
  |\b[\w\-]{1,64}\.(?:docx?|xlsx?|pptx?|pdf|csv|tsv|json|ya?ml|md|txt|png|jpe?g|gif|svg|html?|xml|py|js|jsx|ts|tsx|cs
   |java|go|rs|sql|sh|zip|log|mp[34]|wav|ipynb|app|apk|lean|tf|toml|ini)\b)
|(?P<id>\b[0-9a-f]{8}-[0-9a-f\-]{4,64}\b|\b(?=[0-9a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{6,64}\b
  |\b[A-Z][A-Z0-9]{1,9}-\d{1,12}\b
  |\b(?![A-Za-z]{1,64}\d{1,3}\b)(?=[A-Za-z]{0,64}\d)(?=\d{0,64}[A-Za-z])(?=\w{0,64}[0-9]\w{0,64}[0-9A-Z])[A-Za-z0-9]{6,64}\b
  |\b\d{6,64}\b|\#\d{1,12}\b)
|(?P<number>(?<![\w.])[-+$€£]?\d[\d,]{0,30}(?:\.\d{1,20})?%?(?!\w))
"""
# Every value has a digit, a slash, an at sign or a dot, and begins where a word does: runs of others are passed over.
_SILENT = r"(?P<silent>(?<!\S)(?:[a-z]+(?:[ ,?!]+|\Z))+)"
_SPEAKS = r"""[0-9/@*\\"'“{(=]|\.[a-z]|\bSELECT\b"""  # without one of these there is no value
_HOST = r"^\w+://(?:[^/?#]*@)?([^/?#:]*)"
_SILENT_LABELS = frozenset("www com org net io api dev example co".split())
_EXTENSIONS = {
    "docx": "word document",
    "doc": "word document",
    "pptx": "powerpoint presentation",
    "ppt": "powerpoint presentation",
    "xlsx": "excel spreadsheet",
    "xls": "excel spreadsheet",
    "csv": "csv file",
    "pdf": "pdf",
    "png": "image",
    "jpg": "image",
    "jpeg": "image",
    "svg": "image",
    "md": "markdown file",
    "html": "html",
}
_SAID = {"email": " email ", "coord": " coordinates ", "date": " date ", "id": " id "}
_CODE = (
    r"\bSELECT\b.{1,400}\bFROM\b|\bselect\b.{1,400}\bfrom\b.{1,400}\bwhere\b|\bselect \* from\b"
    r"|\{\s?\"|\{\s?\w|=>|\bquery\s?\{|\(\)"
)
_CODED = ("{", "(", "=>", "SELECT", "select")  # no code without one of them
_QUOTED = r"\"[^\"]{2,400}\"|(?<!\w)'[^']{3,400}'(?!\w)|“[^”]{1,400}”"
_QUOTES = ('"', "'", "“")


def read(text: str) -> tuple[str, int]:
    """The text with its values replaced by words for their kinds, and the kinds as bits."""
    if not _speaking().search(text):
        return text, 0
    kinds = 0

    def name(match: re.Match[str]) -> str:
        nonlocal kinds
        kind = match.lastgroup or ""
        if kind == "silent":
            return match.group()
        kinds |= BIT.get(kind, 0)
        if kind == "url":
            return f" url {_site(match.group())} "
        if kind == "path":
            return f" {_file(match.group())} "
        return _SAID.get(kind, " ")

    value, code, quoted = _patterns()
    said = value.sub(name, text)
    if any(map(text.__contains__, _CODED)) and code.search(text):
        kinds |= BIT["code"]
    if any(map(text.__contains__, _QUOTES)) and quoted.search(text):
        kinds |= BIT["quoted"]
    return (said if not said.isspace() else text), kinds


@cache
def _speaking() -> re.Pattern[str]:
    return re.compile(_SPEAKS)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Values, code and quotations; compiled when the first text needs them."""
    return re.compile(f"{_SILENT}|{_VALUE}", re.VERBOSE), re.compile(_CODE, re.DOTALL), re.compile(_QUOTED)


def _site(url: str) -> str:
    """The label of a URL's host that names the site: reuters of https://www.reuters.com/x."""
    host = re.match(_HOST, url)
    labels = [label for label in host[1].split(".") if label not in _SILENT_LABELS] if host else []
    return labels[-1] if labels else ""


def _file(path: str) -> str:
    """What a path is about: the kind of file by its extension."""
    _, dot, extension = path.rpartition(".")
    if not dot or len(extension) > 5:
        return "path"
    return _EXTENSIONS.get(extension.lower(), "file")
