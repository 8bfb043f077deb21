"""Write: the rows of an image become a file, atomically; no ideas here.

The file is built beside its target, checked and put in its place (replacing), so that a reader sees the old artifact
or the new one. Nothing but an artifact is ever replaced. Only the standard
library's sqlite3 writes, and the header bytes in which SQLite records its own version are made constant:
equal rows give equal bytes.
"""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from runtime_min import format as fmt
from runtime_min.artifact import open_artifact
from runtime_min.errors import NotAnArtifact

from .memory import insert_rows
from .model import LinkedImage
from .replacing import replacing
from .seen import file_digest

_PAGE = 4096
_VERSION_BYTES = slice(92, 100)  # version-valid-for and SQLITE_VERSION_NUMBER, section 1.3 of SQLite's file format
_CHANGE_COUNTER = slice(24, 28)  # must equal version-valid-for


class Written(NamedTuple):
    """What was put in place."""

    size: int
    digest: str  # sha256 of its bytes


def write_artifact(image: LinkedImage, out: Path) -> Written:
    """Write `image` to `out`; an existing artifact is replaced or left whole."""
    check_target(out)
    with replacing(out) as temporary:
        try:
            _fill(image, temporary)
            _make_constant(temporary)
            open_artifact(temporary).close()
        except sqlite3.OperationalError as err:
            raise OSError(errno.EIO, str(err)) from err
        return Written(temporary.stat().st_size, file_digest(temporary))


def check_target(out: Path) -> None:
    """Raise NotAnArtifact when something is at `out` that is no artifact: a manifest, a device, another database."""
    if not out.exists():
        return
    head = b""
    if out.is_file():
        with out.open("rb") as file:
            head = file.read(100)
    if not out.is_file() or (head and head[68:72] != fmt.APPLICATION_ID.to_bytes(4, "big")):
        raise NotAnArtifact(f"{out}: is no artifact, and is not replaced by one", hint="name another file after -o")


def _fill(image: LinkedImage, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA page_size = {_PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        connection.executescript(fmt.schema())
        connection.execute("BEGIN")
        insert_rows(connection, image.tables)
        connection.execute("COMMIT")
        connection.execute("VACUUM")


def _make_constant(path: Path) -> None:
    with path.open("r+b") as file:
        header = bytearray(file.read(100))
        header[_CHANGE_COUNTER] = (1).to_bytes(4, "big")
        header[_VERSION_BYTES] = (1).to_bytes(4, "big") + (3_037_000).to_bytes(4, "big")
        file.seek(0)
        file.write(header)
