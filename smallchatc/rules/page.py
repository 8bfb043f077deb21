"""The rules in words: docs/rules.md, which is generated, and one rule as `explain` and code scanners show it."""

from __future__ import annotations

from . import KINDS
from .example import example_of
from .rule import Rule

HEAD = """# Diagnostics

Generated from `smallchatc/rules`; `smallchatc explain RULE` shows one of them with a bad and a good example.

An error stops the compile (`--keep-going` writes what is sound), a warning costs at most a tool, a note costs nothing.
A source that was named and cannot be used is an error; the same file found inside a folder is a note. `smallchatc lint`
says more than `compile` and weighs by what a fault costs those who use the tool elsewhere: an error there is what
clients refuse, or what deceives a reader.
"""


def rules_page() -> str:
    """The page, a table for each kind."""
    parts = [HEAD]
    for name, kind in KINDS.items():
        lines = [f"## {name}", "", _title(kind.__doc__), ""]
        lines += ["| slug | compile | lint | meaning | what to do |", "| --- | --- | --- | --- | --- |"]
        for rule in sorted(kind.RULES, key=lambda rule: rule.slug):
            compiled = "" if rule.only_lint else rule.severity
            lines.append(
                f"| `{rule.slug}` | {compiled} | {rule.in_lint or rule.severity} | {rule.meaning} | {rule.hint} |"
            )
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def rule_text(rule: Rule) -> str:
    """One rule for a reader: meaning, reason, next move."""
    return "\n\n".join(part for part in (_sentence(rule.meaning), rule.why, _sentence(rule.hint)) if part)


def rule_markdown(rule: Rule) -> str:
    """The same with its examples."""
    parts = [rule_text(rule)]
    example = example_of(rule.slug)
    for title, text in (("Bad", example.bad), ("Good", example.good)) if example else ():
        parts.append(f"{title}:\n\n```yaml\n{text.rstrip()}\n```")
    return "\n\n".join(parts)


def _title(doc: str | None) -> str:
    return (doc or "").strip().split("\n\n")[0].replace("\n", " ")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
