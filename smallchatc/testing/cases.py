"""Cases: a file of labelled intents becomes cases, and what is wrong with it diagnostics.

The files are those that people keep beside their manifests (`*.intents.yaml`) and labelled sets (JSONL).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics import CompileError, diagnostic
from ..folders import matching
from ..model import Diagnostic, Json, Span
from .scorecard import Case, slots_of

if TYPE_CHECKING:
    from ..parse import Project
    from ..parse.documents import Document, Pointer

_WILD = re.compile(r"[*?\[]")

KEYS = {
    "query": "query",
    "intent": "query",
    "gold": "gold",
    "expect": "gold",
    "candidates": "among",
    "among": "among",
    "args": "args",
    "equiv": "equiv",
    "gold_mode": "mode",
    "gold_slots": "slots",
    "id": "id",
}
"""What a case may say, and what it is called here. Any other key is carried by its author, never read."""


def read_all(paths: Iterable[Path]) -> tuple[Case, ...]:
    """The cases of several files, in their order; raises CompileError with every fault of all of them."""
    cases: list[Case] = []
    faults: list[Diagnostic] = []
    for path in paths:
        try:
            cases += read_intents(path)
        except CompileError as err:
            faults += err.diagnostics
    if faults:
        raise CompileError(faults)
    return tuple(cases)


def project_tests(project: Project) -> tuple[Path, ...]:
    """The files that `tests` of a project file names, each pattern's in order; raises CompileError."""
    folder = project.folder or Path()
    found: list[Path] = []
    missing: list[Diagnostic] = []
    for pattern in project.tests:
        matches = sorted(matching(folder, pattern), key=lambda place: place.as_posix())
        found += matches
        # A pattern may wait for its first file; one file that is named and not there was misspelled, or forgotten.
        if not matches and not _WILD.search(pattern):
            span = project.spans.get(("tests", pattern))
            missing.append(diagnostic("tests-missing", f"there is no tests file '{pattern}'", span=span))
    if missing:
        raise CompileError(missing)
    return tuple(dict.fromkeys(found))


def read_intents(path: Path) -> tuple[Case, ...]:
    """The cases of a file; raises CompileError with every fault of it."""
    from ..parse.documents import read_documents
    from ..parse.text import NotText, decode

    try:
        text = decode(path.read_bytes())
    except FileNotFoundError as err:
        raise CompileError([_fault(path, "there is no such file of tests", (1, 1), "tests-missing")]) from err
    except OSError as err:
        raise CompileError([_fault(path, f"cannot be read: {err.strerror}", (1, 1), "source-unreadable")]) from err
    if isinstance(text, NotText):
        raise CompileError([_fault(path, text.message, (text.line, text.column), text.slug)])
    read = read_documents(text)
    faults = [_fault(path, item.message, item.place, item.slug) for item in read.faults if item.fatal or read.lines]
    cases: list[Case] = []
    for document in read.documents:
        for pointer, written in _entries(document):
            made = _case(written, path, document.locate(pointer))
            if isinstance(made, Case):
                cases.append(made)
            else:
                faults += [_fault(path, message, document.locate((*pointer, *step))) for step, message in made]
    if not cases and not faults:
        faults.append(_fault(path, "there are no intents in it", (1, 1)))
    if faults:
        raise CompileError(faults)
    return tuple(cases)


def _entries(document: Document) -> Iterator[tuple[Pointer, Json]]:
    """Each case and where it is: a list, a list under `intents`, or the document itself (one a line)."""
    value, at = document.value, ()  # type: Json, Pointer
    if isinstance(value, dict) and isinstance(value.get("intents"), list):
        value, at = value["intents"], ("intents",)
    if isinstance(value, list):
        yield from (((*at, index), item) for index, item in enumerate(value))
    else:
        yield at, value


Complaint = tuple["Pointer", str]


def _case(written: Json, path: Path, place: tuple[int, int]) -> Case | list[Complaint]:
    """The case, or everything that is wrong with it."""
    if not isinstance(written, dict):
        return [((), "a case is an object with `intent` and `expect`")]
    said: dict[str, Json] = {}
    complaints: list[Complaint] = []
    for key, value in written.items():
        meaning = KEYS.get(key)
        if meaning is None:
            near = get_close_matches(str(key), KEYS, n=1, cutoff=0.8)
            if near:
                complaints.append(((key,), f"unknown key '{key}': did you mean '{near[0]}'?"))
        elif meaning in said:
            complaints.append(((key,), f"'{key}' says again what another key of this case says"))
        else:
            said[meaning] = value
    query, gold = said.get("query"), _names(said.get("gold"))
    equiv, among, slots = _names(said.get("equiv", [])), _names(said.get("among", [])), _slots(said.get("slots"))
    if not isinstance(query, str):
        complaints.append(((), "`intent` must be a text"))
    if gold is None:
        complaints.append(((), '`expect` must be a tool ("provider/name"), a list of tools, or [] when nothing fits'))
    if equiv is None or among is None or slots is None:
        complaints.append(((), '`equiv`, `among` and `gold_slots` must list tools ("provider/name")'))
    if said.get("mode", "any") not in ("any", "all"):
        complaints.append((("gold_mode",), "`gold_mode` must be any or all"))
    args = said.get("args")
    # A list under `args` is a label of research sets (which call would be right), not what the user gave.
    if args is not None and not isinstance(args, dict | list):
        complaints.append((("args",), "`args` must be an object of arguments"))
    if complaints or gold is None or equiv is None or among is None or slots is None or not isinstance(query, str):
        return complaints
    return Case(
        query=query,
        gold=gold,
        equiv=equiv,
        slots=slots or slots_of(gold, equiv, every=said.get("mode") == "all"),
        among=among if "among" in said else None,
        args=args if isinstance(args, dict) else None,
        id=str(said.get("id", "")),
        file=str(path),
        line=place[0],
    )


def _names(value: Json) -> tuple[str, ...] | None:
    """One tool or a list of tools; None when it is neither."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) and "/" in item for item in listed):
        return None
    return tuple(map(_path, listed))


def _path(written: str) -> str:
    """The tool as artifacts name it: provider ids hold no blanks."""
    from ..parse.tools import clean_id

    provider, slash, name = written.partition("/")
    return f"{clean_id(provider)}/{name}" if slash else written


def _slots(value: Json) -> tuple[tuple[str, ...], ...] | None:
    if value is None:
        return ()
    slots = [_names(slot) for slot in value] if isinstance(value, list) else [None]
    return tuple(slot for slot in slots if slot) if all(slots) else None


def _fault(path: Path, message: str, place: tuple[int, int], slug: str = "bad-intents") -> Diagnostic:
    return diagnostic(slug, message, span=Span(file=str(path), line=place[0], column=place[1]))
