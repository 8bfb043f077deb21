"""Diagnostics as values: made from the table of rules, collected, sorted, and raised once.

Rendering as text, SARIF or annotations happens at the edge; here is only plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from runtime_min.errors import SmallchatError

from .model import Diagnostic, Json, Span
from .rules import ERROR, RULES, WARNING


class CompileError(SmallchatError):
    """The input has errors; `diagnostics` holds everything that was found, sorted."""

    code = "compile-error"

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = sort_diagnostics(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == ERROR]
        first = f": {text_of(errors[0])}" if errors else ""
        super().__init__(f"{len(errors)} error{'' if len(errors) == 1 else 's'}{first}")


def diagnostic(
    slug: str,
    message: str,
    *,
    span: Span | None = None,
    provider: str | None = None,
    tool: str | None = None,
    hint: str | None = None,
    severity: str | None = None,
) -> Diagnostic:
    """A diagnostic of a known rule, with the rule's severity and hint unless told otherwise."""
    rule = RULES[slug]
    return Diagnostic(
        slug=slug,
        severity=severity or rule.severity,
        message=message,
        span=span,
        provider=provider,
        tool=tool,
        hint=rule.hint if hint is None else hint,
    )


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By file, line, column and slug; equal ones once."""
    return tuple(sorted(set(diagnostics), key=_order))


def _order(d: Diagnostic) -> tuple[str, int, int, str, str, str, str]:
    span = d.span or Span(file="", line=0, column=0)
    return (span.file, span.line, span.column, d.slug, span.pointer, d.message, d.severity)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether anything in there is an error."""
    return any(d.severity == ERROR for d in diagnostics)


def stops(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether anything in there forbids an artifact: an error that costs more than one server."""
    return any(d.severity == ERROR and not RULES[d.slug].costs_one_server for d in diagnostics)


def spared(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The same where a server that fails is no more than a warning."""
    return [replace(d, severity=WARNING) if RULES[d.slug].costs_one_server else d for d in diagnostics]


def apply_lint(diagnostics: Iterable[Diagnostic], levels: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """The project's levels (off, note, warning, error) for warnings and notes; nobody may silence an error."""
    kept = []
    for d in diagnostics:
        level = levels.get(d.slug)
        if level is None or d.severity == ERROR:
            kept.append(d)
        elif level != "off":
            kept.append(replace(d, severity=level))
    return tuple(kept)


def to_dict(d: Diagnostic) -> dict[str, Json]:
    """The JSON form: the fields of DESIGN 4.4, always all of them; `tool` is "provider/name"."""
    return {
        "slug": d.slug,
        "severity": d.severity,
        "message": d.message,
        "file": d.span.file if d.span else None,
        "line": d.span.line if d.span else None,
        "column": d.span.column if d.span else None,
        "pointer": d.span.pointer if d.span else None,
        "provider": d.provider,
        "tool": f"{d.provider}/{d.tool}" if d.provider and d.tool else d.tool,
        "hint": d.hint,
    }


def from_dict(said: Mapping[str, Json]) -> Diagnostic:
    """The diagnostic that `to_dict` told of."""
    span = (
        Span(file=said["file"], line=said["line"], column=said["column"], pointer=said["pointer"])
        if said["file"] is not None
        else None
    )
    provider, tool = said["provider"], said["tool"]
    return Diagnostic(
        slug=said["slug"],
        severity=said["severity"],
        message=said["message"],
        span=span,
        provider=provider,
        tool=tool.removeprefix(f"{provider}/") if tool and provider else tool,
        hint=said["hint"],
    )


def text_of(d: Diagnostic) -> str:
    """The diagnostic as one plain line, without its hint."""
    where = f"{d.span.file}:{d.span.line}:{d.span.column}: " if d.span else ""
    return f"{where}{d.severity}: {d.message} [{d.slug}]"


def nearest_name(name: str, known: Sequence[str]) -> str:
    """A hint that names the likeliest of the known names, or all of them where there are few."""
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"known: {', '.join(sorted(known))}" if 0 < len(known) <= 12 else ""
