"""An artifact on disk: opened read-only, immutable and memory-mapped, read row by row when asked.

Opening reads the first page and the meta rows and nothing else, so it costs the same at any size.
There is one connection per thread and process; rows that are asked for again live in bounded caches
of the modules that use them.
"""

from __future__ import annotations

import os
import struct
import threading

from . import identity
from .errors import ArtifactMissing, CorruptArtifact, NotAnArtifact, UnsupportedFormat
from .named import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path
    from typing import Any

    from .format import Table
else:
    try:
        import _sqlite3 as sqlite3  # the same functions; sqlite3 also loads datetime, for values that no artifact has
    except ImportError:
        import sqlite3

UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError, struct.error)
"""What unpacking a row can raise when it is not what the compiler writes; whoever unpacks says `corrupt` from it."""

_MAGIC = b"SQLite format 3\x00"
_MMAP = 6 << 20  # bytes; what is mapped and touched counts as resident, so of a larger file the rest is read by page
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:")


class Artifact:
    """A compiled catalogue. `path` is absolute; `meta` the facts about it, as text.

    It stays what it was when it was opened, whatever takes its place at the path.
    """

    def __init__(self, path: str, meta: dict[str, str], connection: sqlite3.Connection) -> None:
        self.meta = meta
        self.tools = int(meta["tools"])
        self._path = path
        self._first = connection
        self._local = threading.local()
        self._local.connection, self._local.pid = connection, os.getpid()

    @property
    def path(self) -> Path:
        """Where the file was when it was opened, absolute."""
        from pathlib import Path  # costs as much to import as all of this package

        return Path(self._path)

    @property
    def digest(self) -> str:
        """sha256 of the canonical rows, as recorded; `verify` recomputes it."""
        return self.meta["digest"]

    @property
    def encoder(self) -> str:
        """The id of the encoder, `name@dim/sha256-8`."""
        return self.meta["encoder"]

    def row(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        try:
            row: tuple[Any, ...] | None = self.connection().execute(sql, values).fetchone()
        except sqlite3.Error as err:
            raise self._refused(err) from err
        return row

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        try:
            return self.connection().execute(sql, values).fetchall()
        except sqlite3.Error as err:
            raise self._refused(err) from err

    def corrupt(self, reason: object) -> CorruptArtifact:
        """The error that says what is damaged here."""
        return CorruptArtifact(f"{self._path}: {reason}", hint="compile it again")

    def _refused(self, err: sqlite3.Error) -> Exception:
        # A ProgrammingError is the caller's (the artifact has been closed); all else is what was found in the file.
        return err if isinstance(err, sqlite3.ProgrammingError) else self.corrupt(err)

    def connection(self) -> sqlite3.Connection:
        """This thread's connection; a forked child opens its own."""
        local = self._local
        if getattr(local, "pid", 0) != os.getpid():
            local.connection = self._connect()
            local.pid = os.getpid()
        connection: sqlite3.Connection = local.connection
        return connection

    def close(self) -> None:
        """Close this thread's connection; others close when their threads end."""
        if getattr(self._local, "pid", 0) == os.getpid():
            self._local.connection.close()
            self._local.pid = 0

    def _connect(self) -> sqlite3.Connection:
        """A connection of this thread's own; the first one, shared, once another file has taken the path's place.

        SQLite serialises a shared connection, and an immutable file needs no lock that a fork could break.
        """
        try:
            connection = _connect(self._path)
            if connection.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone() == (self.digest,):
                return connection
            connection.close()
        except sqlite3.Error:
            pass
        return self._first

    def verify(self) -> None:
        """Read everything and raise `CorruptArtifact` unless SQLite and the digest agree that it is whole."""
        from .format import TABLES, digest

        checked = self.row("PRAGMA integrity_check")
        tables = {table.name: self.rows(_all_rows(table)) for table in TABLES}
        try:
            whole = checked == ("ok",) and digest(tables) == self.digest
        except UNREADABLE as err:
            raise self.corrupt(err) from err
        if not whole:
            raise self.corrupt("contents do not match the recorded digest")


def open_artifact(path: str | os.PathLike[str]) -> Artifact:
    """Open the artifact at `path`.

    Raises ArtifactMissing, NotAnArtifact, UnsupportedFormat or CorruptArtifact, each naming the file and the
    next move; nothing is written, not a byte and no side file.
    """
    where = os.fspath(path)
    _check_header(where)
    real = os.path.realpath(where)
    try:
        connection = _connect(real)
        try:
            meta = dict(connection.execute("SELECT key, value FROM meta"))
            if not (isinstance(meta["digest"], str) and isinstance(meta["encoder"], str)):
                raise ValueError("digest and encoder")
            return Artifact(real, meta, connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as err:
        raise CorruptArtifact(f"{where}: {err}", hint="compile it again") from err
    except UNREADABLE as err:
        raise CorruptArtifact(f"{where}: a required meta row is missing: {err}", hint="compile it again") from err


def _check_header(path: str) -> None:
    """Refuse what is no whole artifact of a known format before SQLite sees it."""
    hint = f"compile one: smallchatc compile SOURCE -o {os.path.basename(path)}"
    other = f"name a .smallchat.db file, or compile one: smallchatc compile SOURCE -o NAME{identity.SUFFIX}"
    if tuple(map(int, sqlite3.sqlite_version.split("."))) < identity.MIN_SQLITE:
        needed = ".".join(map(str, identity.MIN_SQLITE[:2]))
        raise UnsupportedFormat(
            f"SQLite {sqlite3.sqlite_version} cannot read STRICT tables",
            hint=f"use a Python whose sqlite3 has SQLite {needed} or newer",
        )
    try:
        with open(path, "rb") as file:
            head = file.read(100)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError as err:
        raise ArtifactMissing(f"{path}: no such file", hint=hint) from err
    except OSError as err:
        raise NotAnArtifact(f"{path}: cannot be read: {err.strerror}", hint="name a .smallchat.db file") from err
    if not head:
        raise NotAnArtifact(f"{path}: the file is empty", hint=hint)
    if not head.startswith(_MAGIC):
        raise NotAnArtifact(f"{path}: not a SQLite file", hint=other)
    if len(head) < 100:
        raise CorruptArtifact(f"{path}: truncated inside the header", hint="compile it again")
    application, version = int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
    if application != identity.APPLICATION_ID:
        raise NotAnArtifact(f"{path}: a SQLite file of another program", hint=other)
    identity.check_version(version, path)
    page = int.from_bytes(head[16:18], "big")
    whole = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    if size < whole:
        raise CorruptArtifact(f"{path}: truncated: {size} of {whole} bytes", hint="compile it again")


def _connect(path: str) -> sqlite3.Connection:
    # check_same_thread off: close() may be called by another thread at shutdown; use stays per thread.
    connection = sqlite3.connect(_uri(path), uri=True, check_same_thread=False, isolation_level=None)
    connection.execute(f"PRAGMA mmap_size = {_MMAP}")
    return connection


def _uri(path: str) -> str:
    """The read-only URI of an absolute path."""
    parts = path.replace("\\", "/") if os.name == "nt" else path
    quoted = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(parts))
    return f"file://{'' if quoted.startswith('/') else '/'}{quoted}?mode=ro&immutable=1"


def _all_rows(table: Table) -> str:
    columns = [f'"{column}"' for column in table.row._fields]
    return f"SELECT {', '.join(columns)} FROM {table.name} ORDER BY {', '.join(columns[: table.keys])}"
