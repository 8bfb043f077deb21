"""Intents: a labelled file becomes cases, cases become outcomes, and what failed becomes a reason to read.

The files are those that people keep beside their manifests (`*.intents.yaml`) and labelled sets (JSONL);
the figures come from `scorecard`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from .describe import nearest_tools, shared_words, tool_paths
from .diagnostics import CompileError, diagnostic
from .model import Diagnostic, Json, Span
from .scorecard import DEPTH, Case, Outcome, rank, slots_of

if TYPE_CHECKING:
    from runtime_min import Candidate, Resolution, ToolRuntime

    from .parse.documents import Document, Pointer

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


def project_tests(folder: Path) -> tuple[Path, ...]:
    """The files that `tests` of the folder's project file names, each pattern's in order."""
    from .folders import project_files
    from .parse.documents import read_documents

    for project in project_files(folder):
        for document in read_documents(project.read_text(encoding="utf-8-sig")).documents:
            patterns = document.value.get("tests", []) if isinstance(document.value, dict) else []
            return tuple(path for pattern in patterns for path in sorted(folder.glob(pattern)))
    return ()


def read_intents(path: Path) -> tuple[Case, ...]:
    """The cases of a file; raises CompileError with every fault of it."""
    from .parse.documents import read_documents
    from .parse.text import NotText, decode

    try:
        text = decode(path.read_bytes())
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
    from .parse.tools import clean_id

    provider, slash, name = written.partition("/")
    return f"{clean_id(provider)}/{name}" if slash else written


def _slots(value: Json) -> tuple[tuple[str, ...], ...] | None:
    if value is None:
        return ()
    slots = [_names(slot) for slot in value] if isinstance(value, list) else [None]
    return tuple(slot for slot in slots if slot) if all(slots) else None


def _fault(path: Path, message: str, place: tuple[int, int], slug: str = "bad-intents") -> Diagnostic:
    return diagnostic(slug, message, span=Span(file=str(path), line=place[0], column=place[1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A tool in the contest for an intent, and what spoke for it."""

    tool: str
    rank: int | None  # None: not among the first `DEPTH`
    score: float
    signals: Mapping[str, float]  # the parts of the score
    words: tuple[tuple[str, float], ...]  # that it shares with the intent, heaviest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A case that did not come out as its author wanted."""

    outcome: Outcome
    kind: str  # one of KINDS
    first: Contender | None
    wanted: Contender | None  # the best of the right tools
    missing: Mapping[str, tuple[str, ...]]  # wanted tools that the artifact does not hold, and the nearest it does

    @property
    def margin(self) -> float | None:
        """By how much the first choice's score is above the wanted tool's."""
        return self.first.score - self.wanted.score if self.first and self.wanted else None


KINDS = {
    "wrong-tool": "another tool came first",
    "refused": "the right tool came first, but nothing was found to fit",
    "ambiguous": "the right tool came first, but could not be told from others",
    "false-tool": "nothing fits, but a tool was chosen",
    "no-such-tool": "the artifact does not hold the tool",
}


def run(
    runtime: ToolRuntime, cases: Iterable[Case], *, progress: Callable[[], None] | None = None
) -> tuple[tuple[Outcome, ...], tuple[Failure, ...]]:
    """Resolve every case: what came out, and what failed."""
    known = frozenset(tool_paths(runtime.artifact))
    outcomes, failures = [], []
    for case in cases:
        among = None if case.among is None else [tool for tool in case.among if tool in known]
        resolution = runtime.resolve(case.query, case.args, k=DEPTH, among=among)
        outcome = outcome_of(case, resolution)
        outcomes.append(outcome)
        if not outcome.passed:
            failures.append(_failure(runtime, outcome, resolution, known))
        if progress:
            progress()
    return tuple(outcomes), tuple(failures)


def outcome_of(case: Case, resolution: Resolution) -> Outcome:
    """The plain values of a resolution that scoring needs."""
    return Outcome(
        case=case,
        ranked=tuple(candidate.tool for candidate in resolution.candidates),
        tool=resolution.tool,
        tier=str(resolution.tier),
        confidence=resolution.confidence,
        fit=resolution.fit,
    )


def _failure(runtime: ToolRuntime, outcome: Outcome, resolution: Resolution, known: frozenset[str]) -> Failure:
    """Why a case failed: the first choice beside the best right one."""
    case, candidates = outcome.case, resolution.candidates
    place = rank(outcome)
    best: Candidate | None
    right = [tool for tool in case.right if tool in known]
    if place is not None:
        best = candidates[place - 1]
    else:
        among = [tool for tool in right if case.among is None or tool in case.among]
        best = next(iter(runtime.resolve(case.query, case.args, k=1, among=among).candidates), None) if among else None
    if not case.gold:
        kind = "false-tool"
    elif not right:
        kind = "no-such-tool"
    elif not outcome.hit:
        kind = "wrong-tool"
    else:
        kind = "refused" if outcome.refused else "ambiguous"
    missing = [tool for tool in case.gold if tool not in known]
    return Failure(
        outcome=outcome,
        kind=kind,
        first=_contender(runtime, case, candidates[0], 1) if candidates else None,
        wanted=_contender(runtime, case, best, place) if best else None,
        missing={tool: tuple(nearest_tools(runtime.artifact, tool)) for tool in missing},
    )


def _contender(runtime: ToolRuntime, case: Case, candidate: Candidate, place: int | None) -> Contender:
    return Contender(
        tool=candidate.tool,
        rank=place,
        score=candidate.score,
        signals=dict(candidate.signals),
        words=tuple(shared_words(runtime.artifact, case.query, candidate.tool)),
    )
