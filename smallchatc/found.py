"""A folder becomes what a project could be made of: client configurations, files that hold tools, intents.

Told by content, by the readers that compile uses, so that what is found here is what a compile finds.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .folders import PROJECT_NAMES
from .model import Configured
from .parse import Opened, open_sources

CONFIGURATIONS = (
    ".amazonq/mcp.json",
    ".codex/config.toml",
    ".continue/config.yaml",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".junie/mcp/mcp.json",
    ".kiro/settings/mcp.json",
    ".mcp.json",
    ".roo/mcp.json",
    ".vscode/mcp.json",
    ".zed/settings.json",
    "opencode.json",
)
"""Where clients keep the servers of a project; a configuration elsewhere in the folder is found by its content."""

_SUFFIXES = (".json", ".jsonc", ".jsonl", ".ndjson", ".toml", ".yaml", ".yml")
_OTHERS_FOLDERS = frozenset(
    "__pycache__ bower_components build dist env htmlcov node_modules out site-packages target vendor venv".split()
)
_MOST_FILES = 5000  # that are read; a folder with more is no project that a person looks over
_LARGEST = 8 * 1024 * 1024
_LOCK_FILES = frozenset(("npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml"))  # reading one takes seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a folder holds, as paths relative to it with "/", sorted."""

    configurations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # files that hold tools, or folders of nothing else
    intents: tuple[str, ...] = ()
    unrecorded: tuple[Configured, ...] = ()  # servers whose tools no source lists


def look_around(folder: Path) -> Found:
    """Everything in a folder that a project could be made of; nothing is started, and no fault is said."""
    configurations, tools, intents, others = [], [], [], []
    for place in _candidates(folder):
        name, opened = place.relative_to(folder).as_posix(), open_sources([place])
        if any(listing.entries for read in opened.reads for listing in read.recognised.listings):
            tools.append(name)
        elif opened.servers:
            configurations.append(name)
        elif any(read.recognised.is_intents for read in opened.reads):
            intents.append(name)
        else:
            others.append(name)
    sources = _folded(tools, {*configurations, *others})
    both = open_sources([folder / name for name in (*configurations, *tools)])
    return Found(
        configurations=tuple(configurations),
        sources=tuple(sources),
        intents=tuple(intents),
        unrecorded=_unrecorded(both),
    )


def reached(configured: Configured) -> str:
    """How a server is started or reached, as one line without secrets."""
    transport = configured.transport
    if "url" in transport:
        return str(transport["url"])
    return " ".join([str(transport.get("command", "")), *map(str, transport.get("args", ()))])


def _unrecorded(opened: Opened) -> tuple[Configured, ...]:
    return tuple(sorted(opened.to_ask, key=lambda each: each.label))


def _candidates(folder: Path) -> list[Path]:
    """Files that may hold something of use, in the order of their paths."""
    known = [folder / name for name in CONFIGURATIONS]
    found = {place for place in known if place.is_file()}
    for place in _walk(folder):
        if len(found) >= _MOST_FILES:
            break
        found.add(place)
    return sorted((place for place in found if _is_readable(place)), key=lambda place: place.as_posix())


def _walk(folder: Path) -> Iterator[Path]:
    """Files with a suffix of data, leaving out what is hidden or made by others."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _OTHERS_FOLDERS)
        for name in sorted(files):
            if name.endswith(_SUFFIXES) and not name.startswith(".") and name not in _LOCK_FILES:
                place = Path(top, name)
                if name not in PROJECT_NAMES or place.parent != folder:
                    yield place


def _is_readable(place: Path) -> bool:
    """Whether it is a file that a project file can name, not a pipe that never ends, and not too large."""
    try:
        place.as_posix().encode()
        found = place.stat()
    except (OSError, UnicodeError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST


def _folded(tools: list[str], others: set[str]) -> list[str]:
    """The files, those of a folder that holds nothing else as the folder."""
    folders: dict[str, list[str]] = {}
    for name in tools:
        top = name.rpartition("/")[0]
        folders.setdefault(top, []).append(name)
    named: set[str] = set()
    for top, names in folders.items():
        whole = top and len(names) > 1 and not any(other.startswith(f"{top}/") for other in others)
        named.update([top] if whole else names)
    return sorted(name for name in named if not any(name.startswith(f"{other}/") for other in named))
