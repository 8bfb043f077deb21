"""Folders: what is found in them, by the one rule that reading and asking whether anything changed share.

A folder is walked in code-point order; hidden entries (but for `.mcp.json`), artifacts with what belongs to them, and
links that lead out of it are left out.
Needs nothing else of the compiler, so that "nothing changed" is said at once.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from runtime_min.identity import SUFFIX

LOCK_SUFFIX = ".smallchat.lock"
BASELINE_SUFFIX = ".smallchat.baseline"
OURS = (SUFFIX, LOCK_SUFFIX, BASELINE_SUFFIX)
"""How the names of files end that the compiler writes."""
PROJECT_NAMES = ("smallchat.yaml", "smallchat.yml", "smallchat.json")
_CONFIGURATIONS = (".mcp.json",)  # Claude Code keeps the servers of a folder there
LEADS_OUT = "this link leads out of the folder"

PROJECTS, FILES, PATTERN = "projects", "files", "pattern"


class Found(NamedTuple):
    """An entry below a folder; `trouble` says why it is not read."""

    path: str  # relative to the root, with "/"
    place: Path
    trouble: str = ""


class Look(NamedTuple):
    """What was looked for, where, and what there was."""

    kind: str  # projects, files or pattern
    folder: str
    argument: str
    found: tuple[str, ...]


def look(kind: str, folder: Path, argument: str = "") -> Look:
    """Look now: for project files, for everything below (`argument` is the root), or for what a pattern matches."""
    if kind == PROJECTS:
        found = [place.name for place in project_files(folder)]
    elif kind == FILES:
        found = [_noted(each) for each in files_below(folder, Path(argument))]
    else:
        found = [relative(place, folder) for place in matching(folder, argument)]
    return Look(kind, os.path.abspath(folder), argument and _absolute_root(kind, argument), tuple(found))


def looked(kind: str, folder: Path, argument: str, found: list[Found]) -> Look:
    """The same from what was found already."""
    return Look(kind, os.path.abspath(folder), _absolute_root(kind, argument), tuple(map(_noted, found)))


def project_files(folder: Path) -> list[Path]:
    """The project files of a folder; more than one is a fault."""
    return [folder / name for name in PROJECT_NAMES if (folder / name).is_file()]


def is_project_file(place: Path, folder: Path) -> bool:
    return place.parent == folder and place.name in PROJECT_NAMES


def files_below(folder: Path, root: Path) -> Iterator[Found]:
    """All files below a folder, in code-point order of their paths relative to the root, and what could not be read."""
    seen: set[str] = set()
    pending = [folder]
    while pending:
        current = pending.pop()
        real = os.path.realpath(current)
        if real in seen:  # a loop of links
            continue
        seen.add(real)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: plain_path(entry.name))
        except OSError as err:
            yield Found(relative(current, root), current, f"cannot be read: {(err.strerror or str(err)).lower()}")
            continue
        folders = []
        for entry in entries:
            place = Path(entry.path)
            if is_hidden(entry.name) or entry.name.endswith(OURS):
                continue
            if is_project_file(place, folder):
                continue
            if entry.is_symlink() and not inside(place, root):
                yield Found(relative(place, root), place, LEADS_OUT)
            elif entry.is_dir(follow_symlinks=False) or (entry.is_symlink() and place.is_dir()):
                folders.append(place)
            elif entry.is_file(follow_symlinks=False) or _is_regular(place):
                yield Found(relative(place, root), place)
        pending.extend(reversed(folders))


def matching(folder: Path, pattern: str) -> list[Path]:
    """What a project's source means: the path itself, or else all that the pattern matches."""
    if (folder / pattern).exists():
        return [folder / pattern]
    try:
        matches = [place for place in folder.glob(pattern) if not is_hidden(place.name)]
    except (ValueError, NotImplementedError):
        return []
    kept = (place for place in matches if not place.name.endswith(OURS))
    return sorted(kept, key=lambda place: place.as_posix())


def inside(place: Path, folder: Path) -> bool:
    return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder))


def relative(place: Path, root: Path) -> str:
    return plain_path(place.relative_to(root).as_posix())


def plain_path(name: str) -> str:
    """A path as it may stand in an artifact: composed characters, and no halves of any."""
    if name.isascii():
        return name
    return unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def is_hidden(name: str) -> bool:
    """Whether an entry of a folder is for its owner's programs; a configuration under its usual name is for us."""
    return name.startswith(".") and name not in _CONFIGURATIONS


def _is_regular(place: Path) -> bool:
    try:
        return stat.S_ISREG(place.stat().st_mode)
    except OSError:
        return place.is_symlink()  # a broken link: reading it says what is wrong


def _noted(found: Found) -> str:
    return f"{found.path}\n{found.trouble}" if found.trouble else found.path


def _absolute_root(kind: str, argument: str) -> str:
    return os.path.abspath(argument) if kind == FILES else argument
