"""Lint: sources or artifacts become everything worth saying about their tools.

    sources, artifacts -> catalogues -> findings -> levels, ignores, places -> Linted

What compile says is said too. One module per kind of check; a check is a function from a tool or a catalogue to
findings, and knows neither places nor levels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from runtime_min.artifact import Artifact, open_artifact
from runtime_min.identity import APPLICATION_ID

from ..diagnostics import apply_lint, diagnostic, sort_diagnostics
from ..ignores import Ignored, Ignoring, ignores_of
from ..memory import open_rows
from ..model import Diagnostic, Provider, Span, Tool
from ..parse import Parsed, Project, parse_sources
from ..pipeline import Progress, compile_parsed
from ..quirks import Pointer, Quirk, once
from ..rules import ERROR, KINDS, RULES
from ..settings import Settings, Wanted
from .deceit import deceit_findings, look_alikes
from .finding import Finding, of_tool
from .names import name_findings, text_findings
from .schemas import Limits, schema_findings
from .selection import selection_findings
from .stored import read_stored

SELECTION = frozenset(rule.slug for rule in KINDS["selection"].RULES)
COMPILED = SELECTION | {rule.slug for rule in KINDS["linked"].RULES}
"""Rules that need a compiled catalogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """What was found, what was not said for a reason, and how much was looked at."""

    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    tools: int
    providers: int
    trouble: bool  # a source cannot be compiled at all
    files: Mapping[str, Path] = field(default_factory=dict)  # where each source is


def lint(
    sources: Sequence[str | Path],
    *,
    rules: frozenset[str] = frozenset(RULES),
    settings: Settings | Wanted | None = None,
    stdin: bytes | None = None,
    progress: Progress | None = None,
) -> Linted:
    """All findings of `rules` in sources and artifacts, each artifact a catalogue of its own.

    Without settings tools are embedded as the project file says, else by the student that ships, so that findings
    are the same everywhere.
    """
    artifacts = [Path(source) for source in sources if is_artifact(source)]
    others = [source for source in sources if not is_artifact(source)]
    parts = []
    if others or not artifacts:
        parsed = parse_sources(others, stdin=stdin, keep_going=True)
        parts.append(_lint_sources(parsed, rules, settings or _settings(parsed.project), progress))
    for path in artifacts:
        with closing(open_artifact(path)) as artifact:
            artifact.verify()
            parts.append(_lint_artifact(artifact, rules))
    return Linted(
        diagnostics=sort_diagnostics(d for part in parts for d in part.diagnostics),
        ignored=tuple(each for part in parts for each in part.ignored),
        tools=sum(part.tools for part in parts),
        providers=sum(part.providers for part in parts),
        trouble=any(part.trouble for part in parts),
        files={name: path for part in parts for name, path in part.files.items()},
    )


def is_artifact(source: str | Path) -> bool:
    """Whether this is a file that says it is an artifact."""
    path = Path(source)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(100)[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _settings(project: Project | None) -> Wanted:
    return Wanted(encoder=None if project and project.encoder else "base")


def _lint_sources(
    parsed: Parsed, rules: frozenset[str], settings: Settings | Wanted, progress: Progress | None
) -> Linted:
    findings = [*_findings(parsed, rules)]
    said, ignored = list(parsed.diagnostics), list(parsed.ignored)
    if parsed.catalog.tools and rules & COMPILED:
        compiled = compile_parsed(parsed, settings=settings, keep_going=True, progress=progress)
        said, ignored = list(compiled.diagnostics), list(compiled.ignored)
        if rules & SELECTION:
            tables = compiled.image.tables
            with closing(open_rows(tables, dict(map(tuple, tables["meta"])))) as artifact:
                findings += selection_findings(artifact, parsed.catalog)
    return _settled(parsed, said, ignored, findings, rules)


def _lint_artifact(artifact: Artifact, rules: frozenset[str]) -> Linted:
    parsed = read_stored(artifact)
    findings = [*_findings(parsed, rules)]
    if rules & SELECTION:
        findings += selection_findings(artifact, parsed.catalog)
    return _settled(parsed, parsed.diagnostics, (), findings, rules)


def _findings(parsed: Parsed, rules: frozenset[str]) -> Iterator[Finding]:
    """What can be said without compiling."""
    limits = {rule.slug: rule.limit for rule in RULES.values() if rule.limit is not None}
    limits.update(parsed.project.lint_limits if parsed.project else {})
    of_schema = Limits(
        depth=limits["schema-depth"],
        properties=limits["schema-properties"],
        enum_values=limits["schema-enum-values"],
        size=limits["schema-bytes"],
    )
    for tool in parsed.catalog.tools:
        for quirk in once(quirk for quirk in _quirks(tool, of_schema, limits) if quirk.slug in rules):
            yield of_tool(quirk.slug, f"tool '{tool.name}': {quirk.message}", tool, below=quirk.pointer)
    yield from name_findings(parsed.catalog, limits)
    yield from text_findings(parsed.catalog)
    yield from look_alikes(parsed.catalog)


def _quirks(tool: Tool, of_schema: Limits, limits: Mapping[str, int]) -> Iterator[Quirk]:
    definition = json.loads(tool.definition)
    for quirk in schema_findings(definition.get("inputSchema"), of_schema):
        yield replace(quirk, pointer=("inputSchema", *quirk.pointer))
    yield from deceit_findings(tool, definition)
    length = len(tool.description.strip())
    for slug, wrong, than in (
        ("description-short", 0 < length < limits["description-short"], "shorter than"),
        ("description-long", length > limits["description-long"], "longer than"),
    ):
        if wrong:
            message = f"its description has {length:,} characters, {than} {limits[slug]:,}"
            yield Quirk(slug=slug, message=message, pointer=("description",))


def _settled(
    parsed: Parsed,
    said: Iterable[Diagnostic],
    ignored: Iterable[Ignored],
    findings: Iterable[Finding],
    rules: frozenset[str],
) -> Linted:
    """Findings in their places, at their levels, without those that are ignored."""
    catalog, levels = parsed.catalog, parsed.project.lint if parsed.project else {}
    ignoring = Ignoring(catalog)
    found: list[Diagnostic] = []
    excused = list(ignored)
    for finding in findings:
        d = _diagnostic(finding, parsed.place)
        # An ignore at any of the tools that it is about holds.
        about = [(d.provider, d.tool), *((tool.provider, tool.name) for tool in finding.also)]
        ignore = next((each for each in (ignoring.of(d.slug, *one) for one in about) if each), None)
        if ignore is None:
            found.append(d)
        else:
            excused.append(Ignored(diagnostic=d, ignore=ignore))
    used = {each.ignore for each in excused}
    for ignore in ignores_of(catalog):
        if ignore not in used and ignore.rule in rules:
            message = f"'{ignore.rule}' is ignored here, and nothing of the kind is found"
            found.append(diagnostic("ignore-unused", message, span=ignore.span))
    everything = [*said, *apply_lint(found, levels)]
    return Linted(
        diagnostics=sort_diagnostics(_weighed(d, levels) for d in everything if d.slug in rules or _stops(d, levels)),
        ignored=tuple(each for each in excused if each.diagnostic.slug in rules),
        tools=len(catalog.tools),
        providers=len(catalog.providers),
        trouble=any(_stops(d, levels) for d in said),
        files=parsed.files,
    )


def _diagnostic(finding: Finding, place: Callable[[Tool, Pointer], Span]) -> Diagnostic:
    about = finding.about
    if isinstance(about, Provider):
        return diagnostic(finding.slug, finding.message, span=about.span, provider=about.id, hint=finding.hint)
    span = place(about, finding.below)
    return diagnostic(
        finding.slug, finding.message, span=span, provider=about.provider, tool=about.name, hint=finding.hint
    )


def _stops(d: Diagnostic, levels: Mapping[str, str]) -> bool:
    """Whether compile would write nothing for it, and not because the project asked for that."""
    return d.severity == ERROR and d.slug not in levels and not RULES[d.slug].costs_one_server


def _weighed(d: Diagnostic, levels: Mapping[str, str]) -> Diagnostic:
    """At lint's own severity, unless the project says which."""
    rule = RULES[d.slug]
    if not rule.in_lint or d.slug in levels or d.severity != rule.severity:
        return d
    return replace(d, severity=rule.in_lint)
