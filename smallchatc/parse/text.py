"""Bytes become text, or the reason why they are none.

UTF-8 with or without a byte order mark, UTF-16 and UTF-32 with one or recognisable by their zero bytes.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_MAGIC = (
    (b"SQLite format 3\0", "an SQLite file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\x7fELF", "a program"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotText:
    """Why the bytes are no text, and where."""

    slug: str
    message: str
    line: int = 1
    column: int = 1


def decode(data: bytes) -> str | NotText:
    """The text, without its byte order mark."""
    for magic, what in _MAGIC:
        if data.startswith(magic):
            return NotText(slug="binary-file", message=f"this is {what}, not a tool catalogue")
    encoding, body = _encoding(data)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as err:
        return _undecodable(body, encoding, err)
    if "\0" in text:
        return NotText(slug="binary-file", message="this is a binary file, not a tool catalogue")
    return text


def _encoding(data: bytes) -> tuple[str, bytes]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    head = data[:4]
    if len(head) == 4:
        # JSON and YAML begin with an ASCII character, so the zero bytes tell the width (RFC 4627, section 3).
        zeros = tuple(byte == 0 for byte in head)
        if zeros == (True, True, True, False):
            return "utf-32-be", data
        if zeros == (False, True, True, True):
            return "utf-32-le", data
        if zeros == (True, False, True, False):
            return "utf-16-be", data
        if zeros == (False, True, False, True):
            return "utf-16-le", data
    return "utf-8", data


def _undecodable(body: bytes, encoding: str, err: UnicodeDecodeError) -> NotText:
    if b"\0" in body[:8192] and encoding == "utf-8":
        return NotText(slug="binary-file", message="this is a binary file, not a tool catalogue")
    before = body[: err.start].decode(encoding, "replace")
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    shown = body[err.start : err.start + 1].hex()
    name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
    message = f"not valid {name}: byte 0x{shown} cannot be decoded"
    return NotText(slug="wrong-encoding", message=message, line=line, column=column)
