"""Doctor: what is installed here, what each extra would add, and what SQLite can do, as data."""

from __future__ import annotations

import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from runtime_min import identity

EXTRAS = {
    "mcp": "live servers: `compile` and `snapshot` of client configurations, URLs and command lines; calls to them",
    "functions": "`--functions`: Python functions as tools",
    "http": "calls to operations of APIs",
    "serve": "`serve`: one MCP server in front of all providers",
    "teacher": "tool vectors by all-MiniLM-L6-v2 instead of the shipped table",
    "vec": "`inspect --similar` and SQL over the vectors through sqlite-vec",
}
"""What each extra that is for users adds."""

_REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;.*extra\s*==\s*['\"]([\w-]+)['\"])?")


def examine() -> dict[str, Any]:
    """Everything `smallchatc doctor` says. `ok` is False when something that is needed is missing."""
    required = _required()
    packages = {name: _version(name) for name in ("smallchatc", *sorted(required.get("", ()), key=str.lower))}
    sqlite = {
        "version": sqlite3.sqlite_version,
        "strict": _works(_strict),
        "mmap": _works(_mmap),
        "fts5": _works(_fts5),
        "load_extension": hasattr(sqlite3.Connection, "enable_load_extension"),
        "sqlite_vec": _works(_sqlite_vec),
    }
    extras = {name: _extra(required.get(name, ()), adds) for name, adds in EXTRAS.items()}
    return {
        "ok": all(packages.values()) and sqlite["strict"],
        "python": sys.version.split()[0],
        "packages": packages,
        "extras": extras,
        "sqlite": sqlite,
        "encoders": {"student": _student(), "teacher": find_spec("sentence_transformers") is not None},
        "format": f"{identity.MAJOR}.{identity.MINOR}",
    }


def _required() -> dict[str, list[str]]:
    """The packages that this distribution says it needs, by the extra that wants them ("": all do)."""
    found: dict[str, list[str]] = {}
    try:
        said = metadata.requires("smallchatc") or []
    except metadata.PackageNotFoundError:
        return found
    for match in filter(None, map(_REQUIREMENT.match, said)):
        found.setdefault(match[2] or "", []).append(match[1])
    return found


def _extra(names: Iterable[str], adds: str) -> dict[str, Any]:
    packages = {name: _version(name) for name in sorted(names)}
    return {"installed": bool(packages) and all(packages.values()), "packages": packages, "adds": adds}


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _student() -> list[str]:
    """The token tables that came with the compiler."""
    folder = Path(__file__).with_name("data")
    return sorted(path.name for path in folder.glob("*.enc"))


def _works(probe: Callable[[], bool]) -> bool:
    """A capability is there when its probe runs; why not is not asked here."""
    try:
        return probe()
    except (sqlite3.Error, ImportError, AttributeError):
        return False


def _strict() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (a INTEGER) STRICT")
    return True


def _fts5() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    return True


def _mmap() -> bool:
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "probe.db")) as connection:
        row = connection.execute("PRAGMA mmap_size = 1048576").fetchone()
    return bool(row and row[0])


def _sqlite_vec() -> bool:
    import sqlite_vec

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        connection.execute("SELECT vec_version()")
    return True
