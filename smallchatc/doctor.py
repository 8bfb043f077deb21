"""Doctor: what is installed here, what each extra would add, and what SQLite can do, as data."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from runtime_min import identity

PACKAGES = (
    "smallchatc",
    "runtime-min",
    "click",
    "jsonschema",
    "numpy",
    "PyYAML",
    "rich",
    "scikit-learn",
    "scipy",
    "sqlite-utils",
    "watchfiles",
)
EXTRAS = {
    "teacher": ("sentence-transformers", "tool vectors by all-MiniLM-L6-v2 instead of the shipped table"),
    "vec": ("sqlite-vec", "`inspect --similar` and SQL over the vectors through sqlite-vec"),
    "mcp": ("mcp", "live servers: `compile` and `snapshot` of client configurations, URLs and command lines"),
}


def examine() -> dict[str, Any]:
    """Everything `smallchatc doctor` says. `ok` is False when something that is needed is missing."""
    packages = {name: _version(name) for name in PACKAGES}
    sqlite = {
        "version": sqlite3.sqlite_version,
        "strict": _works(_strict),
        "mmap": _works(_mmap),
        "fts5": _works(_fts5),
        "load_extension": hasattr(sqlite3.Connection, "enable_load_extension"),
        "sqlite_vec": _works(_sqlite_vec),
    }
    extras = {
        name: {"installed": _version(package), "package": package, "adds": adds}
        for name, (package, adds) in EXTRAS.items()
    }
    return {
        "ok": all(packages.values()) and sqlite["strict"],
        "python": sys.version.split()[0],
        "packages": packages,
        "extras": extras,
        "sqlite": sqlite,
        "encoders": {"student": _student(), "teacher": find_spec("sentence_transformers") is not None},
        "format": f"{identity.MAJOR}.{identity.MINOR}",
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _student() -> list[str]:
    """The token tables that came with the compiler."""
    folder = Path(__file__).with_name("data")
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".md") if folder.is_dir() else []


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
