"""Write: the rows of an image become a file, atomically; no ideas here.

The file is built beside its target under another name, checked, synced and renamed, so that a reader
sees the old artifact or the new one. Only the standard library's sqlite3 writes, and the header bytes
in which SQLite records its own version are made constant: equal rows give equal bytes.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from runtime_min import format as fmt
from runtime_min.artifact import open_artifact

from .model import LinkedImage

_PAGE = 4096
_VERSION_BYTES = slice(92, 100)  # version-valid-for and SQLITE_VERSION_NUMBER, section 1.3 of SQLite's file format
_CHANGE_COUNTER = slice(24, 28)  # must equal version-valid-for


def write_artifact(image: LinkedImage, out: Path) -> int:
    """Write `image` to `out` and return its size in bytes; an existing file is replaced or left whole."""
    handle, name = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".tmp", dir=out.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        _fill(image, temporary)
        _make_constant(temporary)
        open_artifact(temporary).close()
        temporary.chmod(0o666 & ~_umask())
        _sync(temporary)
        size = temporary.stat().st_size
        temporary.replace(out)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    _sync(out.parent)
    return size


def _fill(image: LinkedImage, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA page_size = {_PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        connection.executescript(fmt.schema())
        connection.execute("BEGIN")
        for table in fmt.TABLES:
            marks = ", ".join("?" * len(table.row._fields))
            connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", image.tables.get(table.name, ()))
        connection.execute("COMMIT")
        connection.execute("VACUUM")


def _make_constant(path: Path) -> None:
    with path.open("r+b") as file:
        header = bytearray(file.read(100))
        header[_CHANGE_COUNTER] = (1).to_bytes(4, "big")
        header[_VERSION_BYTES] = (1).to_bytes(4, "big") + (3_037_000).to_bytes(4, "big")
        file.seek(0)
        file.write(header)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
