"""What was given on the command line becomes inputs: bytes with a path relative to where they were found.

Folders are walked as `folders` says. The same file reached twice is read once. Inside the folder of a project file a
path is relative to that folder, whether the project names the source or somebody does by hand: one file, one name.
Nothing that comes out depends on absolute paths or on the order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..diagnostics import diagnostic
from ..folders import (
    FILES,
    LEADS_OUT,
    PATTERN,
    PROJECTS,
    Look,
    files_below,
    inside,
    is_project_file,
    look,
    looked,
    matching,
    project_files,
    relative,
)
from ..model import Configured, Diagnostic, Span
from .documents import MAX_BYTES, Pointer
from .target import is_target, read_target

STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A document that this run made of something that is no file, and what was said on the way.

    `path` stands for it in messages and in the artifact, so it must be the same everywhere. Without a text, only
    what was said is left of it.
    """

    path: str
    text: str
    locate: Callable[[Pointer], Span] | None = None  # None: places are those of the text
    said: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One source to read; `named` ones were asked for, the others were found inside a folder."""

    path: str  # relative to the source root, with "/"
    place: Path | None  # where it is; None for standard input and recordings
    recording: Recording | None = None
    root: Path | None = None  # the folder that `path` is relative to, and that its references stay in
    folder: Path | None = None  # what the sources of a project file are relative to
    named: bool
    by_hand: bool = False  # named by whoever compiles, not by a project file: its servers may be started


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Inputs in reading order, and what could not become one."""

    inputs: tuple[Input, ...]
    servers: tuple[Configured, ...] = ()  # given as a URL or a command line
    said: tuple[Diagnostic, ...] = field(default=())
    looks: tuple[Look, ...] = ()  # which files there are depends on these


def gather(sources: Sequence[str | Path | Recording]) -> Gathered:
    """The inputs of what was given, and the servers; a folder with a project file is that project file."""
    found: list[Input] = []
    servers: list[Configured] = []
    said: list[Diagnostic] = []
    looks: list[Look] = []
    for source in sources:
        if isinstance(source, Recording):
            said.extend(source.said)
            if source.text:
                found.append(Input(path=source.path, place=None, recording=source, named=True))
            continue
        if str(source) == STDIN:
            found.append(Input(path="stdin", place=None, named=True, by_hand=True))
            continue
        if isinstance(source, str) and is_target(source):
            server, faults = read_target(source)
            servers.extend([server] if server else [])
            said.extend(faults)
            continue
        place = Path(source)
        if not place.is_dir():
            root, below = _rooted(place, place.parent, looks)
            path = relative(below, root)
            found.append(Input(path=path, place=place, root=root, folder=place.parent, named=True, by_hand=True))
            continue
        projects = project_files(place)
        looks.append(look(PROJECTS, place))
        said.extend(two_projects(projects))
        if projects:
            found.append(Input(path=projects[0].name, place=projects[0], root=place, folder=place, named=True))
        else:
            root, below = _rooted(place, place, looks)
            found.extend(walk(below, root, said, looks))
    return Gathered(inputs=_each_once(found), servers=tuple(servers), said=tuple(said), looks=tuple(looks))


def _rooted(place: Path, folder: Path, looks: list[Look]) -> tuple[Path, Path]:
    """The folder that a source's paths are relative to, and the source below it: the folder of the project that it
    belongs to, else its own."""
    absolute = Path(os.path.realpath(folder)) if ".." in folder.parts else folder.absolute()
    for each in (absolute, *absolute.parents):
        looks.append(look(PROJECTS, each))
        if looks[-1].found and inside(place, each):
            return each, absolute if place == folder else absolute / place.name
    return folder, place


def gather_project(folder: Path, patterns: Sequence[str], spans: Sequence[Span]) -> Gathered:
    """The inputs of a project file: its patterns, or without any the whole folder; all stay inside the folder."""
    said: list[Diagnostic] = []
    looks: list[Look] = []
    if not patterns:
        inputs = _each_once(walk(folder, folder, said, looks))
        return Gathered(inputs=inputs, said=tuple(said), looks=tuple(looks))
    found: list[Input] = []
    for pattern, span in zip(patterns, spans, strict=True):
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts or pattern.startswith("~"):
            message = f"source '{pattern}' lies outside the folder of the project file"
            said.append(diagnostic("source-outside-project", message, span=span))
            continue
        looks.append(look(PATTERN, folder, pattern))
        places = matching(folder, pattern)
        if not places:
            said.append(diagnostic("source-matches-nothing", f"source '{pattern}' matches no file", span=span))
        for place in places:
            if not inside(place, folder):
                message = f"source '{pattern}' leads outside the folder of the project file"
                said.append(diagnostic("source-outside-project", message, span=span))
            elif place.is_dir():
                found.extend(walk(place, folder, said, looks))
            elif not is_project_file(place, folder):
                found.append(Input(path=relative(place, folder), place=place, root=folder, named=True))
    return Gathered(inputs=_each_once(found), said=tuple(said), looks=tuple(looks))


def read_bytes(item: Input, stdin: bytes | None) -> bytes | Diagnostic:
    """The bytes of an input, or why there are none."""
    span = Span(file=item.path, line=1, column=1)
    if item.recording is not None:
        data = item.recording.text.encode()
    elif item.place is None:
        data = stdin if stdin is not None else _standard_input()
    else:
        try:
            with item.place.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            hint = f"for Python functions say --functions {item.path}" if _is_reference(item.path) else None
            return diagnostic("source-missing", f"there is no '{item.path}'", span=span, hint=hint)
        except OSError as err:
            reason = (err.strerror or str(err)).lower()
            return diagnostic("source-unreadable", f"cannot be read: {reason}", span=span)
    if len(data) > MAX_BYTES:
        message = f"larger than {MAX_BYTES // (1024 * 1024)} MB"
        return diagnostic("source-too-large", message, span=span)
    return data


def _is_reference(name: str) -> bool:
    """`module:function`, which is imported only where an option asks for it."""
    module, colon, function = name.partition(":")
    return bool(colon) and function.isidentifier() and all(part.isidentifier() for part in module.split("."))


def two_projects(projects: Sequence[Path]) -> Iterator[Diagnostic]:
    """The complaint about more than one."""
    if len(projects) > 1:
        names = " and ".join(f"'{project.name}'" for project in projects)
        span = Span(file=projects[1].name, line=1, column=1)
        yield diagnostic("two-projects", f"{names} are both project files of this folder", span=span)


def walk(folder: Path, root: Path, said: list[Diagnostic], looks: list[Look]) -> Iterator[Input]:
    """All files below a folder; what could not be read is said."""
    found = list(files_below(folder, root))
    looks.append(looked(FILES, folder, str(root), found))
    for path, place, trouble in found:
        if trouble:
            slug = "symlink-outside" if trouble == LEADS_OUT else "source-unreadable"
            said.append(diagnostic(slug, trouble, span=Span(file=path, line=1, column=1)))
        else:
            yield Input(path=path, place=place, root=root, named=False)


def _each_once(inputs: Iterable[Input]) -> tuple[Input, ...]:
    """The same file reached on two ways is one input, under the smaller of its names."""
    chosen: dict[str, Input] = {}
    for item in inputs:
        key = os.path.realpath(item.place) if item.place is not None else f"{STDIN}{item.path}"
        other = chosen.get(key)
        if other is not None:
            smaller = min(item, other, key=lambda each: each.path)
            item = Input(
                path=smaller.path,
                place=item.place,
                recording=item.recording,
                root=smaller.root,
                folder=item.folder or other.folder,
                named=item.named or other.named,
                by_hand=item.by_hand or other.by_hand,
            )
        chosen[key] = item
    return tuple(sorted(chosen.values(), key=lambda item: item.path))


def _standard_input() -> bytes:
    import sys

    return sys.stdin.buffer.read(MAX_BYTES + 1)
