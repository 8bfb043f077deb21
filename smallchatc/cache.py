"""Cache: what a compile worked out, kept under the digest of everything it depends on, for the next one.

A value is looked up by content and never believed for its age, so a cache can be shared, copied or deleted at any
time. It cannot make a compile fail: one that is damaged, of another version or out of reach is done without, and
`notes` says so. Bounded: what has not been asked for longest goes first, by a count of compiles and no clock.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

VERSION = 1
"""Of the file's layout; any other is thrown away."""
MAX_BYTES = 256 * 1024 * 1024
"""Room for the readings, words and vectors of some 50,000 tools (docs/incremental.md)."""

_NAME = "compile.cache"
_APPLICATION_ID = 0x736D6363  # "smcc"
_CHECK = 8  # bytes of a value's own digest, so that a damaged page is never taken for a value
_PENDING = 500  # values kept in memory; an interrupted compile loses no more
_ASKED = 500  # variables of one statement
_DDL = f"""
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, kind TEXT, used INTEGER, value BLOB) STRICT;
CREATE INDEX IF NOT EXISTS entry_used ON entry (used);
"""


def cache_folder() -> Path:
    """Where caches are: SMALLCHAT_CACHE_DIR, else the user's own folder for such things."""
    said = os.environ.get("SMALLCHAT_CACHE_DIR")
    if said:
        return Path(said)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "smallchat"


def cache_key(kind: str, *parts: str) -> bytes:
    """The key of a value that depends on these texts and nothing else."""
    state = hashlib.sha256()
    for part in (kind, *parts):
        data = part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data) + data)
    return state.digest()


class Cache:
    """One open cache. Without a folder it is empty and stays so."""

    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        self.notes: list[str] = []
        self.hits = self.misses = 0
        self.path = folder / _NAME if folder is not None else None
        self._max_bytes = max_bytes
        self._pending: dict[bytes, tuple[str, bytes]] = {}
        self._touched: set[bytes] = set()
        self._connection = self._open()
        self._round = self._next_round()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values that are known, by key."""
        wanted = list(dict.fromkeys(keys))
        found = {key: self._pending[key][1] for key in wanted if key in self._pending}
        for start in range(0, len(wanted), _ASKED):
            part = wanted[start : start + _ASKED]
            marks = ", ".join("?" * len(part))
            for key, value in self._rows(f"SELECT key, value FROM entry WHERE key IN ({marks})", part):
                if value[:_CHECK] == _check(value[_CHECK:]):
                    found[key] = value[_CHECK:]
        self._touched.update(found)
        self.hits += len(found)
        self.misses += len(wanted) - len(found)
        return found

    def keep(self, kind: str, values: Mapping[bytes, bytes]) -> None:
        """Remember values; `kind` is what `cache info` counts them under."""
        if self._connection is None:
            return
        self._pending |= {key: (kind, value) for key, value in values.items()}
        if len(self._pending) >= _PENDING:
            self._flush()

    def close(self) -> None:
        """Write what is pending, make room, and let go."""
        self._flush()
        self._make_room()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def kinds(self) -> dict[str, tuple[int, int]]:
        """Of each kind how many values there are, and their bytes."""
        rows = self._rows("SELECT kind, count(*), sum(length(value)) FROM entry GROUP BY kind ORDER BY kind", ())
        return {kind: (count, size) for kind, count, size in rows}

    def _open(self) -> sqlite3.Connection | None:
        if self.path is None:
            return None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return self._connect()
        except sqlite3.OperationalError as err:  # locked, full, read-only: it may be sound
            self._without(str(err))
        except sqlite3.DatabaseError:
            return self._begun_anew("it was damaged")
        except OSError as err:
            self._without((err.strerror or str(err)).lower())
        return None

    def _connect(self) -> sqlite3.Connection | None:
        connection = sqlite3.connect(self.path or "", timeout=20, isolation_level=None)
        try:
            (id,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if tables and (id, version) != (_APPLICATION_ID, VERSION):
                connection.close()
                return self._begun_anew("another version of smallchatc wrote it")
            connection.execute("PRAGMA synchronous = OFF")  # values have their own check, and losing them is allowed
            if not tables:
                connection.executescript(f"BEGIN IMMEDIATE; {_DDL} COMMIT;")
        except BaseException:
            connection.close()
            raise
        return connection

    def _begun_anew(self, why: str) -> sqlite3.Connection | None:
        """A new cache in the place of one that is of no use."""
        assert self.path is not None
        try:
            for suffix in ("-journal", ""):  # the journal first: it must not be played back into the new one
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
            connection = self._connect()
        except (OSError, sqlite3.Error):
            self._without(why)
            return None
        self.notes.append(f"the cache {self.path} was thrown away and begun anew: {why}")
        return connection

    def _without(self, why: str) -> None:
        self.notes.append(f"the cache {self.path} cannot be used: {why}; compiled without it")

    def _next_round(self) -> int:
        return max((used for (used,) in self._rows("SELECT max(used) FROM entry", ()) if used), default=0) + 1

    def _rows(self, statement: str, values: Iterable[bytes]) -> list[tuple[Any, ...]]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(statement, tuple(values)).fetchall()
        except sqlite3.Error as err:
            self._fail(err)
            return []

    def _flush(self) -> None:
        """One short transaction, so that compiles at the same time wait for each other no longer than that."""
        if self._connection is None or not (self._pending or self._touched):
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)",
                [(key, kind, self._round, _check(value) + value) for key, (kind, value) in self._pending.items()],
            )
            if self._pending:  # a compile that learned nothing need not write
                self._connection.executemany(
                    "UPDATE entry SET used = ? WHERE key = ?", [(self._round, key) for key in self._touched]
                )
            self._connection.execute("COMMIT")
        except sqlite3.Error as err:
            self._fail(err)
        self._pending, self._touched = {}, set()

    def _make_room(self) -> None:
        if self._connection is None:
            return
        try:
            (size,) = self._connection.execute(
                "SELECT (page_count - freelist_count) * page_size"
                " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
            ).fetchone()
            if size > self._max_bytes:
                self._connection.execute(
                    "DELETE FROM entry WHERE key IN (SELECT key FROM"
                    " (SELECT key, sum(length(value) + 100) OVER (ORDER BY used DESC, key) AS newer FROM entry)"
                    " WHERE newer > ?)",
                    (self._max_bytes * 3 // 4,),
                )
        except sqlite3.Error as err:
            self._fail(err)

    def _fail(self, err: sqlite3.Error) -> None:
        """Do without from here on; one that is damaged is gone with the next compile."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if isinstance(err, sqlite3.OperationalError) or self.path is None:
            self._without(str(err))
            return
        connection = self._begun_anew("it was damaged")
        if connection is not None:
            connection.close()


def clear(folder: Path) -> int:
    """Delete the cache; the bytes that it had."""
    gone = 0
    for suffix in ("-journal", ""):
        place = Path(f"{folder / _NAME}{suffix}")
        if place.is_file():
            gone += place.stat().st_size
            place.unlink(missing_ok=True)
    return gone


def _check(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()[:_CHECK]
