"""Baseline: what each case led to becomes a short text beside the project, and a later run is compared with it.

    file "app.intents.yaml"
    right high "files/read_file" "show me what is in notes.txt"
    wrong low - "get rid of that draft" ~5e0c1b7a

A line a case: whether it was right, the tier, the tool that would be called (`-`: none), the words. What follows `~`
tells cases of the same words apart. Sorted, so that equal results are equal bytes and a change is a changed line.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import CompileError, diagnostic
from ..model import Diagnostic, Span
from ..replacing import replace_text
from .scorecard import TIERS, Outcome
from .shards import WHOLE, Shard, variant_of

VERSION = 1
_HEAD = re.compile(r"# smallchat baseline (\d+)(:.*)?")
_FILE = re.compile(r'file ("(?:[^"\\]|\\.)*")')
_TEXT = r'"(?:[^"\\]|\\.)*"'
_CASE = re.compile(rf"(right|wrong) ({'|'.join(TIERS)}) (-|{_TEXT}) ({_TEXT})(?: ~([0-9a-f]{{8}}))?(?: #(\d+))?")
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")

Key = tuple[str, str, str, int]
"""A case: its file as the baseline names it, its words, what else it asks with, which of several equal ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a case led to. `tool` is what would be called, "" for none."""

    right: bool
    tier: str
    tool: str
    line: int = 0  # of the baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A baseline as read: its entries, and the line of each tests file in it."""

    place: Path
    files: Mapping[str, int]
    entries: Mapping[Key, Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A case that came out otherwise than it is recorded."""

    before: Entry
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A case that is recorded and no longer in its file."""

    file: str
    query: str
    before: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A run beside its baseline."""

    place: Path
    regressed: tuple[Moved, ...]  # was right, is wrong
    mended: tuple[Moved, ...]  # was wrong, is right
    moved: tuple[Moved, ...]  # as right or wrong as it was, but another tool or tier
    new: tuple[Outcome, ...]
    removed: tuple[Gone, ...]
    not_run: Mapping[str, int]  # cases of tests files that were not among those run
    same: int

    @property
    def ok(self) -> bool:
        """Whether nothing that was right is wrong."""
        return not self.regressed


def write_baseline(place: Path, outcomes: Sequence[Outcome]) -> None:
    """Record the outcomes, whole or not at all."""
    replace_text(place, baseline_text(outcomes, folder=place.parent))


def baseline_text(outcomes: Sequence[Outcome], *, folder: Path) -> str:
    """The text of a baseline that lies in `folder`, the same for equal outcomes."""
    lines = [f"# smallchat baseline {VERSION}: what each intent test leads to; written by `smallchatc test --update`."]
    file = ""
    for key, outcome in sorted(_keyed(outcomes, folder), key=lambda each: each[0]):
        if key[0] != file:
            file = key[0]
            lines.append(f"file {_quoted(file)}")
        _, query, variant, number = key
        what = f"{'right' if outcome.passed else 'wrong'} {outcome.tier}"
        marks = (f" ~{variant}" if variant else "") + (f" #{number}" if number > 1 else "")
        lines.append(f"{what} {_quoted(outcome.tool) if outcome.tool else '-'} {_quoted(query)}{marks}")
    return "\n".join([*lines, ""])


def read_baseline(place: Path) -> Baseline:
    """The baseline at a place; raises CompileError with every line that is none of it."""
    from ..parse.text import NotText, decode

    try:
        text = decode(place.read_bytes())
    except FileNotFoundError as err:
        hint = "record what the tests lead to now: smallchatc test --update"
        raise CompileError([_fault(place, "there is no such baseline", 1, hint=hint)]) from err
    except OSError as err:
        raise CompileError([_fault(place, f"cannot be read: {(err.strerror or str(err)).lower()}", 1)]) from err
    if isinstance(text, NotText):
        raise CompileError([_fault(place, text.message, text.line)])
    first, *rest = text.split("\n")
    head = _HEAD.fullmatch(first.rstrip("\r"))
    if head is None:
        raise CompileError([_fault(place, "this is no baseline of smallchat", 1)])
    if int(head[1]) != VERSION:
        message = f"a baseline of version {head[1]}; this compiler reads version {VERSION}"
        raise CompileError([_fault(place, message, 1, hint="write it anew: smallchatc test --update")])
    files: dict[str, int] = {}
    entries: dict[Key, Entry] = {}
    faults: list[Diagnostic] = []
    for number, line in enumerate(rest, start=2):
        wrong = _read_line(line.rstrip("\r"), number, files, entries)
        if wrong:
            faults.append(_fault(place, wrong, number))
    if faults:
        raise CompileError(faults)
    return Baseline(place=place, files=files, entries=entries)


def _read_line(line: str, number: int, files: dict[str, int], entries: dict[Key, Entry]) -> str:
    """What is wrong with a line, "" for nothing; what it says goes into `files` or `entries`."""
    if not line:
        return ""
    try:
        if named := _FILE.fullmatch(line):
            name = str(json.loads(named[1]))
            if name in files:
                return f"the file '{name}' begins here again"
            files[name] = number
            return ""
        case = _CASE.fullmatch(line)
        if case is None:
            conflict = line.startswith(_CONFLICT)
            return "a merge left its conflict here" if conflict else f"not a line of a baseline: '{line[:60]}'"
        if not files:
            return "a case before any file"
        right, tier, tool, query, variant, place = case.groups()
        key = ([*files][-1], str(json.loads(query)), variant or "", int(place or 1))
        if key in entries:
            return f"this case stands in line {entries[key].line} too"
        called = "" if tool == "-" else str(json.loads(tool))
        entries[key] = Entry(right=right == "right", tier=tier, tool=called, line=number)
    except ValueError:
        return f"not a line of a baseline: '{line[:60]}'"
    return ""


def compare(
    baseline: Baseline, outcomes: Sequence[Outcome], *, files: Iterable[str], shard: Shard = WHOLE
) -> Comparison:
    """The outcomes of a shard beside what is recorded of it; raises CompileError where none of these files is."""
    now = dict(_keyed(outcomes, baseline.place.parent))
    run = {_called(file, baseline.place.parent) for file in files}
    if not run & baseline.files.keys():
        names = ", ".join(f"'{name}'" for name in sorted(run)[:3])
        recorded, line = next(iter(baseline.files.items()), ("", 1))
        what = f"'{recorded}' is recorded here" if recorded else "nothing is recorded here"
        message = f"{what}, and {names} {'is' if len(run) == 1 else 'are'} tested"
        where = Span(file=str(baseline.place), line=line, column=1)
        raise CompileError([diagnostic("stale-baseline", message, span=where)])
    then = {key: entry for key, entry in baseline.entries.items() if shard.has(key[1], key[2])}
    both = [Moved(before=then[key], outcome=outcome) for key, outcome in now.items() if key in then]
    changed = [each for each in both if _recorded(each.outcome) != _said(each.before)]
    not_run: dict[str, int] = {}
    for file, *_ in then:
        if file not in run:
            not_run[file] = not_run.get(file, 0) + 1
    return Comparison(
        place=baseline.place,
        regressed=tuple(each for each in both if each.before.right and not each.outcome.passed),
        mended=tuple(each for each in both if not each.before.right and each.outcome.passed),
        moved=tuple(each for each in changed if each.before.right == each.outcome.passed),
        new=tuple(outcome for key, outcome in now.items() if key not in then),
        removed=tuple(
            Gone(file=key[0], query=key[1], before=entry)
            for key, entry in then.items()
            if key not in now and key[0] in run
        ),
        not_run=not_run,
        same=len(both) - len(changed),
    )


def _keyed(outcomes: Iterable[Outcome], folder: Path) -> Iterator[tuple[Key, Outcome]]:
    """Each outcome with what it is recorded under."""
    seen: dict[tuple[str, str, str], int] = {}
    names: dict[str, str] = {}
    for outcome in outcomes:
        case = outcome.case
        if case.file not in names:
            names[case.file] = _called(case.file, folder)
        same = (names[case.file], case.query, variant_of(case))
        seen[same] = seen.get(same, 0) + 1
        yield (*same, seen[same]), outcome


def _called(file: str, folder: Path) -> str:
    """A tests file as a baseline in `folder` names it, the same from wherever the tests are run."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive
        return Path(file).name


def _recorded(outcome: Outcome) -> tuple[bool, str, str]:
    return outcome.passed, outcome.tier, outcome.tool or ""


def _said(entry: Entry) -> tuple[bool, str, str]:
    return entry.right, entry.tier, entry.tool


def _quoted(text: str) -> str:
    """As JSON, as it is read where every character can be."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _fault(place: Path, message: str, line: int, hint: str | None = None) -> Diagnostic:
    return diagnostic("bad-baseline", message, span=Span(file=str(place), line=line, column=1), hint=hint)
