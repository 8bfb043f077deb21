"""SARIF 2.1.0: diagnostics become the log that code scanners read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from smallchatc import __version__
from smallchatc.rules import RULES
from smallchatc.rules.page import rule_markdown, rule_text

if TYPE_CHECKING:
    from smallchatc.ignores import Ignored
    from smallchatc.model import Diagnostic

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_document(
    diagnostics: Sequence[Diagnostic],
    ignored: Sequence[Ignored],
    *,
    rule: Callable[[str], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """One run, its rules those that found something; what is ignored is in it as suppressed.

    `rule` describes a slug where it is no diagnostic's.
    """
    every = [*diagnostics, *(each.diagnostic for each in ignored)]
    rules = sorted({d.slug for d in every})
    results = [_result(d, rules) for d in diagnostics]
    for each in ignored:
        suppression = {"kind": "inSource", "justification": each.ignore.reason}
        results.append({**_result(each.diagnostic, rules), "suppressions": [suppression]})
    driver = {"name": "smallchatc", "semanticVersion": __version__, "rules": [(rule or _rule)(slug) for slug in rules]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _rule(slug: str) -> dict[str, Any]:
    rule = RULES[slug]
    return {
        "id": slug,
        "shortDescription": {"text": rule.meaning},
        "help": {"text": rule_text(rule), "markdown": rule_markdown(rule)},
        "defaultConfiguration": {"level": rule.in_lint or rule.severity},
    }


def _result(d: Diagnostic, rules: Sequence[str]) -> dict[str, Any]:
    text = f"{d.message}. {d.hint[:1].upper()}{d.hint[1:]}." if d.hint else f"{d.message}."
    result: dict[str, Any] = {
        "ruleId": d.slug,
        "ruleIndex": rules.index(d.slug),
        "level": d.severity,
        "message": {"text": text},
    }
    location: dict[str, Any] = {}
    if d.span is not None:
        region = {"startLine": d.span.line, "startColumn": d.span.column}
        location["physicalLocation"] = {"artifactLocation": {"uri": quote(d.span.file)}, "region": region}
    if d.provider:
        name = f"{d.provider}/{d.tool}" if d.tool else d.provider
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "function" if d.tool else "module"}]
    if location:
        result["locations"] = [location]
    # Lines move; what was found about which tool, and where in it, does not.
    same = "\0".join((d.slug, d.provider or "", d.tool or "", d.message, d.span.file if d.span else ""))
    result["partialFingerprints"] = {"finding/v1": hashlib.sha256(same.encode("utf-8", "replace")).hexdigest()}
    return result
