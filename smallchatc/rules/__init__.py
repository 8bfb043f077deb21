"""The one table of diagnostic slugs: what each means, what to do about it, and its kind.

Stages name a slug, never a severity of their own choosing, except where one fault is an error when a
source was named and a note when it was found inside a folder. One module per kind; docs/rules.md is
generated from here. Every rule has a bad and a good example (`example`), which are run as tests.
"""

from __future__ import annotations

from . import deceit, ignoring, linked, openapi, portable, project, schemas, selection, servers, sources, tools, words
from .rule import ERROR, NOTE, WARNING, Rule

__all__ = ["ERROR", "KINDS", "NOTE", "RULES", "WARNING", "Rule"]

KINDS = {
    "sources": sources,
    "servers": servers,
    "project": project,
    "tools": tools,
    "openapi": openapi,
    "schemas": schemas,
    "portable": portable,
    "words": words,
    "deceit": deceit,
    "linked": linked,
    "selection": selection,
    "ignoring": ignoring,
}
"""The kinds of rules, by the names that lint's options take."""

RULES: dict[str, Rule] = {
    rule.slug: rule
    for rule in sorted(
        (rule for kind in KINDS.values() for rule in kind.RULES),
        key=lambda rule: rule.slug,
    )
}
