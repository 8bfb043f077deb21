"""The project file: sources, output, hints and settings that hold for a whole catalogue.

Every key is honoured or refused. What a setting does is decided where it is used; here it is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..diagnostics import diagnostic, nearest_name
from ..model import Category, Diagnostic, Json, Protocol, Span
from ..rules import RULES
from .documents import Pointer
from .hints import read_hints
from .shape import shape_faults

_MARKS = (
    "sources",
    "providerHints",
    "toolHints",
    "compiler",
    "lint",
    "lintLimits",
    "output",
    "superclasses",
    "categories",
    "protocols",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project file as read. None where a setting is not written: the default is the user's of it."""

    file: str
    folder: Path | None  # where it lies; paths in it are relative to this
    sources: tuple[str, ...] = ()
    source_spans: tuple[Span, ...] = ()
    output: str | None = None
    encoder: str | None = None
    overload_threshold: float | None = None
    dedup_threshold: float | None = None
    lint: Mapping[str, str] = field(default_factory=dict)  # levels by rule
    lint_limits: Mapping[str, int] = field(default_factory=dict)  # by rule that has one
    tests: tuple[str, ...] = ()
    baseline: str | None = None
    provider_hints: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    tool_hints: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    superclasses: Mapping[str, str] = field(default_factory=dict)
    conforms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # provider -> protocols
    protocols: tuple[Protocol, ...] = ()
    categories: tuple[Category, ...] = ()
    spans: Mapping[tuple[str, str], Span] = field(default_factory=dict)  # (section, key) -> where it is written


def is_project(value: Json) -> bool:
    """A mapping without tools that sets something of a project."""
    return isinstance(value, dict) and "tools" not in value and any(key in value for key in _MARKS)


def read_project(
    value: Json, locate: Callable[[Pointer], Span], *, folder: Path | None
) -> tuple[Project, list[Diagnostic]]:
    """The project, and every fault of its file; a faulty file gives its sources and nothing else."""
    said = [
        diagnostic(
            "unknown-key" if fault.unknown_key else "bad-project",
            fault.message,
            span=locate(fault.pointer),
            hint=fault.hint,
        )
        for fault in shape_faults(value, "project")
    ]
    levels, limits = (value[key] if isinstance(value.get(key), dict) else {} for key in ("lint", "lintLimits"))
    said.extend(_unknown_rules("lint", "rule", levels, list(RULES), locate))
    with_limit = [rule.slug for rule in RULES.values() if rule.limit is not None]
    said.extend(_unknown_rules("lintLimits", "rule with a limit", limits, with_limit, locate))
    file = locate(()).file
    sources = value.get("sources") or ()
    if said:
        # Its sources are read all the same, so that their faults are known too; without any, nothing is guessed.
        named = tuple(source for source in sources if isinstance(source, str)) if isinstance(sources, list) else ()
        return Project(
            file=file, folder=folder if named else None, sources=named, source_spans=_spans(named, locate)
        ), said
    provider_hints = _hints(value, "providerHints", locate, said, of_provider=True)
    tool_hints = _hints(value, "toolHints", locate, said, of_provider=False)
    protocols = read_protocols(value.get("protocols") or {}, locate, ("protocols",))
    compiler = value.get("compiler") or {}
    sections = ("providerHints", "toolHints", "superclasses", "protocols")
    tests = tuple(value.get("tests") or ())
    project = Project(
        file=file,
        folder=folder,
        sources=tuple(sources),
        source_spans=_spans(sources, locate),
        output=value.get("output"),
        encoder=compiler.get("encoder"),
        overload_threshold=compiler.get("overloadThreshold"),
        dedup_threshold=compiler.get("dedupThreshold"),
        lint=levels,
        lint_limits=limits,
        tests=tests,
        baseline=value.get("baseline"),
        provider_hints=provider_hints,
        tool_hints=tool_hints,
        superclasses=value.get("superclasses") or {},
        conforms=read_conforms(value.get("protocols") or {}),
        protocols=protocols,
        categories=read_categories(value.get("categories") or {}, locate, ("categories",)),
        spans={
            **{(section, key): locate((section, key)) for section in sections for key in value.get(section) or {}},
            **{("tests", pattern): locate(("tests", index)) for index, pattern in enumerate(tests)},
        },
    )
    return project, said


def _unknown_rules(
    section: str, what: str, named: Iterable[str], known: Sequence[str], locate: Callable[[Pointer], Span]
) -> Iterator[Diagnostic]:
    for slug in named:
        if slug not in known:
            hint = nearest_name(slug, known)
            yield diagnostic("unknown-key", f"there is no {what} '{slug}'", span=locate((section, slug)), hint=hint)


def read_protocols(raw: Mapping[str, Json], locate: Callable[[Pointer], Span], at: Pointer) -> tuple[Protocol, ...]:
    """Protocols as they are declared, in a project file or a manifest."""
    return tuple(
        Protocol(
            name=name,
            required=tuple(dict.fromkeys(body.get("required") or ())),
            optional=tuple(dict.fromkeys(body.get("optional") or ())),
            span=locate((*at, name)),
        )
        for name, body in raw.items()
    )


def read_conforms(raw: Mapping[str, Json]) -> dict[str, tuple[str, ...]]:
    """Provider ids and the protocols that name them."""
    found: dict[str, tuple[str, ...]] = {}
    for name, body in raw.items():
        for provider in body.get("providers") or ():
            found[provider] = (*found.get(provider, ()), name)
    return found


def read_categories(raw: Mapping[str, Json], locate: Callable[[Pointer], Span], at: Pointer) -> tuple[Category, ...]:
    """Categories as they are declared."""
    return tuple(
        Category(
            name=name, extends=body["extends"], tools=tuple(dict.fromkeys(body["tools"])), span=locate((*at, name))
        )
        for name, body in raw.items()
    )


def _spans(sources: Sequence[str], locate: Callable[[Pointer], Span]) -> tuple[Span, ...]:
    return tuple(locate(("sources", index)) for index in range(len(sources)))


def _hints(
    value: Json, section: str, locate: Callable[[Pointer], Span], said: list[Diagnostic], *, of_provider: bool
) -> dict[str, Mapping[str, Json]]:
    found: dict[str, Mapping[str, Json]] = {}
    for key, raw in (value.get(section) or {}).items():

        def below(pointer: Pointer, at: Pointer = (section, key)) -> Span:
            return locate((*at, *pointer))

        found[key], faults = read_hints(raw, below, of_provider=of_provider, of_project=True)
        said.extend(faults)
    return found
