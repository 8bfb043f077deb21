"""Mending: what a parser complained of becomes the next move of whoever wrote the text.

Parsers say what they did not expect; what they were given instead is nearly always one of a few slips.
"""

from __future__ import annotations

import re

_BACKSLASH = "write every backslash twice, or use / in paths"
_SINGLE = f"{_BACKSLASH}; in 'single quotes' a backslash is only itself"
_TABS = "indent with blanks, not tabs; put a text that begins with this character in quotes"
_MOVES: dict[str, tuple[tuple[str, str], ...]] = {
    "json": (
        ("ends too early", "the file was cut off, or a quote or bracket that is opened in it is never closed"),
        ("unterminated string", "close the text with a double quote; the file may have been cut off here"),
        ("',' delimiter", "put a comma between the entry before this place and what follows"),
        ("':' delimiter", "put a colon between the key and its value"),
        ("property name", "write the key in double quotes; after the last entry there is no comma"),
        ("trailing comma", "remove the comma after the last entry"),
        ("expecting value", "write a text in double quotes, a number, true, false, null, {...} or [...]"),
        ("extra data", "keep one value a file, or each on a line of its own; several belong into [...], with commas"),
        (r"invalid \\(escape|\w*u)", _BACKSLASH),
    ),
    "yaml": (
        ("'-' indicator", "indent the line as the others of its entry, or begin it with - as the entries of its list"),
        ("expected key", "indent the line as the keys beside it; put a text that begins with a quote wholly in quotes"),
        ("mapping values are not allowed", "put the text in quotes, as it holds ': ', or indent the key"),
        ("block sequence entries", "begin the list on a line of its own"),
        ("undefined alias", "define it before with &, or put a text that begins with * in quotes"),
        ("end of stream", "close the quote or bracket that was opened before"),
        ("expected ':'", "write key: value, with a blank after the colon, or indent the line further"),
        ("expected ',' or", "put a comma between entries, close the bracket, and quote texts that hold : , [ ] { }"),
        ("cannot start any token|tab character", _TABS),
        ("escape character", _SINGLE),
        ("document (start|end)|<document", "begin a second document with --- on a line of its own"),
        ("control characters|special characters", "remove the character that cannot be seen"),
    ),
    "toml": (
        ("initial character for a key", "close what the line before opened: a table in braces stands on one line"),
        ("invalid value", "put a text in double quotes; only numbers, dates, true and false stand bare"),
        ("escape|backslash|hex value|'\\\\\\\\'", _SINGLE),
        ("overwrite|twice|already|mutate|redefine", "write each key and each [table] once"),
        ("'=' after", "write key = value"),
        ("unterminated|unclosed|illegal character", "close the quote or bracket that was opened before"),
        ("newline or end of", "write one setting a line; a text goes in quotes"),
        ("invalid statement", "write key = value, or the name of a table in [brackets]"),
    ),
}  # fmt: skip


def how_to_mend(slug: str, message: str) -> str | None:
    """The next move for a fault of syntax; None where its rule's says as much."""
    language = "json" if slug == "bad-line" else slug.removeprefix("bad-")
    moves = _MOVES.get(language, ())
    return next((move for words, move in moves if re.search(words, message, re.IGNORECASE)), None)
