"""Mutation: sources and their tests become the answer which words of the tools' descriptions no test would miss.

Each mutant is compiled in memory and asked what the tests ask. A test notices it when it was right and is wrong now.
Many mutants share a compile where no test has the tools of two of them in its contest; where a test is wrong for none
of the mutants in its contest, they are tried again in halves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from runtime_min.abbreviations import SPELLED
from runtime_min.artifact import Artifact
from runtime_min.lexicon import words
from runtime_min.resolver import Resolver
from runtime_min.student import beginning_in, word_pieces
from runtime_min.words import spoken_words

from ..cache import Cache
from ..memory import open_rows
from ..model import Catalog, Diagnostic
from ..pipeline import Compiled, compile_parsed, compile_variant, encoders_of, read_sources
from ..rules import ERROR
from .mutants import Mutant, mutants_of, partners_of
from .outcomes import ask, outcome_of
from .scorecard import Case, Outcome

if TYPE_CHECKING:
    from ..encoders import Encoder
    from ..encoders.student import Student
    from ..settings import Settings, Wanted

BUDGET = 200
"""Mutants that are tried where nobody says how many."""
STAGE = "mutate"
_MISSING = ("server-not-recorded",)  # whose tools are not there to be changed
_CONTEST = 5  # first choices of a test that its outcome is believed to depend on
_APART = 50
"""Tools of a catalogue for each mutant of one compile: what words count should stay nearly what it is. With more
mutants a compile some verdicts were another's (4 of 120 in a catalogue of 42 tools, docs/testing.md)."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A mutant and the tests that notice it."""

    mutant: Mutant
    noticed_by: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """What came of all mutants that were tried; `tools` are those of the catalogue."""

    tried: tuple[Tried, ...]
    possible: int  # mutants that there are of the tools that are tested
    tests: int  # that are right without a mutant, and so can notice one
    failing: int  # tests that are wrong anyway
    tools: int
    tested: int  # tools that some right test asks for: only these are changed
    encoder: str
    compiles: int
    missing: tuple[Diagnostic, ...] = ()  # what the sources should have given and did not: servers without a recording

    @property
    def noticed(self) -> int:
        return sum(bool(each.noticed_by) for each in self.tried)

    @property
    def score(self) -> float | None:
        """The share of mutants that are noticed; None where there was nothing to try."""
        return self.noticed / len(self.tried) if self.tried else None


def mutate(
    sources: Sequence[str],
    cases: Sequence[Case],
    *,
    settings: Settings | Wanted,
    budget: int = BUDGET,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> Mutation:
    """Try `budget` mutants of the sources' tools; raises CompileError where the sources give no artifact."""
    parsed = read_sources(sources, cache=cache)
    compiled = compile_parsed(parsed, settings=settings, keep_going=True, cache=cache, progress=progress)
    tables = compiled.image.tables
    with closing(open_rows(tables, dict(map(tuple, tables["meta"])))) as artifact:
        outcomes = _outcomes(artifact, cases, compiled.catalog)
    watching = [outcome for outcome in outcomes if outcome.passed]
    tools = compiled.catalog.tools
    asked = {tool for outcome in watching for tool in outcome.case.right}
    chosen = [number for number, tool in enumerate(tools) if tool.path in asked]
    partners = partners_of(tools, [tuple(row) for row in tables["collision"]])
    found = mutants_of(tools, chosen, partners)
    taken = list(islice(found, budget))
    possible = len(taken) + sum(1 for _ in found)
    with TemporaryDirectory(prefix="smallchat-") as folder, Cache(Path(folder)) as variants:
        laboratory = _Laboratory(compiled, watching, variants)
        noticed = _try_all(laboratory, taken, watching, progress)
    return Mutation(
        tried=tuple(Tried(mutant=mutant, noticed_by=tuple(noticed[at])) for at, mutant in enumerate(taken)),
        possible=possible,
        tests=len(watching),
        failing=len(outcomes) - len(watching),
        tools=len(tools),
        tested=len(chosen),
        encoder=laboratory.encoder,
        compiles=laboratory.compiles,
        missing=tuple(d for d in parsed.diagnostics if d.severity == ERROR or d.slug in _MISSING),
    )


class _Laboratory:
    """Compiles catalogues that are some mutants away from one, and counts how often."""

    def __init__(self, compiled: Compiled, watching: Sequence[Outcome], cache: Cache) -> None:
        self._compiled, self._watching, self._cache = compiled, watching, cache
        encoder, student = encoders_of(compiled.settings, None)
        made_by = dict(map(tuple, compiled.image.tables["meta"]))["tool_encoder"]
        self._encoders: tuple[Encoder, Student] = (encoder if str(encoder.id) == made_by else student, student)
        self._pieces = frozenset(pieces_of((outcome.case.query for outcome in watching), student))
        self.encoder = str(self._encoders[0].id)
        self.tools = len(compiled.catalog.tools)
        self.compiles = 0

    def broken(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Outcome, Outcome]]:
        """The tests that are wrong with these mutants: what came out without them, and with them."""
        catalog = self._compiled.catalog
        tools = list(catalog.tools)
        for mutant in mutants:
            for number, description in mutant.descriptions.items():
                tools[number] = replace(tools[number], description=description)
        changed = replace(catalog, tools=tuple(tools))
        self.compiles += 1
        rows = compile_variant(self._compiled, changed, encoders=self._encoders, pieces=self._pieces, cache=self._cache)
        with closing(open_rows(rows, dict(map(tuple, rows["meta"])))) as artifact:
            cases = [outcome.case for outcome in self._watching]
            for before, after in zip(self._watching, _outcomes(artifact, cases, catalog), strict=True):
                if not after.passed:
                    yield before, after


def _outcomes(artifact: Artifact, cases: Iterable[Case], catalog: Catalog) -> list[Outcome]:
    resolver, known = Resolver(artifact), {tool.path for tool in catalog.tools}
    return [outcome_of(case, ask(resolver, case, known)) for case in cases]


def _try_all(
    laboratory: _Laboratory, mutants: Sequence[Mutant], watching: Sequence[Outcome], progress: Progress | None
) -> Mapping[int, list[Case]]:
    """By the place of each mutant the tests that notice it."""
    noticed: dict[int, list[Case]] = defaultdict(list)
    pending, done = groups_of(mutants, watching, most=max(1, laboratory.tools // _APART)), 0
    while pending:
        group = pending.pop(0)
        broken = list(laboratory.broken([mutants[at] for at in group]))
        found = [(_blamed(mutants, group, before, after), before.case) for before, after in broken]
        if any(at is None for at, _ in found):
            half = len(group) // 2
            pending[:0] = [group[:half], group[half:]]
            continue
        for at, case in found:
            if at is not None:
                noticed[at].append(case)
        done += len(group)
        if progress:
            progress(STAGE, done, len(mutants))
    return noticed


def _blamed(mutants: Sequence[Mutant], group: Sequence[int], before: Outcome, after: Outcome) -> int | None:
    """The mutant of a group that made a test wrong; None where that cannot be told."""
    if len(group) == 1:
        return group[0]
    for contest in (_contest(before), set(after.ranked[:1])):
        able = [at for at in group if contest & _tools(mutants[at])]
        if len(able) == 1:
            return able[0]
    return None


def groups_of(mutants: Sequence[Mutant], watching: Sequence[Outcome], *, most: int) -> list[list[int]]:
    """The mutants (by their places) that share a compile: no test has tools of two of them in its contest."""
    tests: dict[str, set[int]] = defaultdict(set)
    for number, outcome in enumerate(watching):
        for tool in _contest(outcome):
            tests[tool].add(number)
    groups: list[list[int]] = []
    taken: list[tuple[set[str], set[int]]] = []
    for at, mutant in enumerate(mutants):
        tools = _tools(mutant)
        mine = set().union(*(tests[tool] for tool in tools))
        for group, (theirs, used) in zip(groups, taken, strict=True):
            if len(group) < most and not tools & theirs and not mine & used:
                group.append(at)
                theirs |= tools
                used |= mine
                break
        else:
            groups.append([at])
            taken.append((tools, mine))
    return groups


def _contest(outcome: Outcome) -> set[str]:
    """The tools that decide a test: those right for it and its first choices."""
    return {*outcome.ranked[:_CONTEST], *outcome.case.right}


def _tools(mutant: Mutant) -> set[str]:
    return {mutant.tool, mutant.other} - {""}


def pieces_of(texts: Iterable[str], student: Student) -> Iterator[str]:
    """The pieces of the token table that a runtime may look up when it reads these texts."""
    beginning = beginning_in(student.pieces)
    pending = [word for text in texts for word in spoken_words(text)[0]]
    seen = set[str]()
    while pending:
        word = pending.pop()
        if word in seen:
            continue
        seen.add(word)
        pending += SPELLED.get(word.lower(), "").split()
        pending += words(word)
        yield word.lower()
        yield from word_pieces(word, beginning)
