"""Identity: how a file says that it is an artifact, and the units of what is in it.

Version rule: `user_version` is major * 1000 + minor. A minor adds tables or columns that an old reader
may ignore; a major removes or retypes and is refused. Kept apart from `format`, whose row types cost a
reader milliseconds that it never needs.
"""

from __future__ import annotations

from .errors import UnsupportedFormat

APPLICATION_ID = 0x736D6C63  # "smlc"
MAJOR, MINOR = 1, 0
USER_VERSION = MAJOR * 1000 + MINOR
SUFFIX = ".smallchat.db"
MIN_SQLITE = (3, 37, 0)  # STRICT tables

DIMENSION = 256
"""Dimensions of every vector in an artifact of this major."""

IDF_UNIT = 1024
"""idf weights are whole numbers of 1/1024 nat."""

POINT = 0.8 / 255
"""Points are whole numbers of this much score."""

MAX_TERMS = 0x10FFFF - 0x100 - 0x800
"""Terms that have a key; a catalogue with more leaves its rarest out."""


def term_key(number: int) -> str:
    """The key of term `number`: one character, from U+0100 on without the surrogates, so that a tool's terms are a
    text and looking one up is finding a character in it."""
    code = number + 0x100
    return chr(code if code < 0xD800 else code + 0x800)


def check_version(user_version: int, where: str) -> None:
    """Refuse a file of a future or past major."""
    major, minor = divmod(user_version, 1000)
    if major > MAJOR:
        raise UnsupportedFormat(
            f"{where}: format {major}.{minor} is newer than this runtime, which reads {MAJOR}.x",
            hint="upgrade runtime-min, or compile the artifact with an older smallchatc",
        )
    if major < MAJOR:
        raise UnsupportedFormat(
            f"{where}: format {major}.{minor} is older than this runtime, which reads {MAJOR}.x",
            hint="compile the artifact again from its sources",
        )


def id_code(tools: int) -> str:
    """The struct letter of a tool id in BLOBs: as narrow as the number of tools allows."""
    return "B" if tools <= 0x100 else "H" if tools <= 0x10000 else "I"
