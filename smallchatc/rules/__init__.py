"""The one table of diagnostic slugs: what each means, what to do about it, and examples of both.

Stages name a slug, never a severity of their own choosing, except where one fault is an error when a
source was named and a note when it was found inside a folder. One module per kind; docs/rules.md is
generated from here.
"""

from __future__ import annotations

from . import linked, openapi, project, schemas, sources, tools
from .rule import ERROR, NOTE, WARNING, Rule

__all__ = ["ERROR", "NOTE", "RULES", "WARNING", "Rule"]

RULES: dict[str, Rule] = {
    rule.slug: rule
    for rule in sorted(
        (rule for kind in (sources, project, tools, openapi, schemas, linked) for rule in kind.RULES),
        key=lambda rule: rule.slug,
    )
}
