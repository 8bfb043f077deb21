"""Write: the rows of an image become a file, atomically; no ideas here.

The file is built beside its target under another name, checked, synced and renamed, so that a reader
sees the old artifact or the new one. Nothing but an artifact is ever replaced. Only the standard
library's sqlite3 writes, and the header bytes in which SQLite records its own version are made constant:
equal rows give equal bytes.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from runtime_min import format as fmt
from runtime_min.artifact import open_artifact
from runtime_min.errors import NotAnArtifact

from .memory import insert_rows
from .model import LinkedImage
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
    _remove_left_behind(out)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".tmp", dir=out.parent)
    except OSError as err:
        err.filename = str(out)  # the one that the user knows
        raise
    _hold(handle)
    temporary = Path(name)
    try:
        _fill(image, temporary)
        _make_constant(temporary)
        open_artifact(temporary).close()
        temporary.chmod(0o666 & ~_umask())
        _sync(temporary)
        written = Written(temporary.stat().st_size, file_digest(temporary))
        temporary.replace(out)
    except sqlite3.OperationalError as err:
        raise OSError(errno.EIO, str(err), str(out)) from err
    finally:
        if sys.platform != "win32":
            os.close(handle)
        with suppress(FileNotFoundError):
            temporary.unlink()
    _sync(out.parent)
    return written


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


def _hold(handle: int) -> None:
    """Lock a temporary as long as its writer lives, so that nobody takes it for one left behind."""
    if sys.platform == "win32":  # where an open file cannot be renamed
        os.close(handle)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_left_behind(out: Path) -> None:
    """Remove the temporaries of writers that were killed: those that nobody holds."""
    if sys.platform == "win32":
        return
    import fcntl

    ours = re.compile(rf"\.{re.escape(out.name)}\.[a-z0-9_]{{8}}\.tmp")
    for left in out.parent.iterdir():
        if ours.fullmatch(left.name):
            with suppress(OSError), left.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()


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
