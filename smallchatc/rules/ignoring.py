"""Ignores that do nothing, or that may not be."""

from .rule import WARNING, Rule

RULES = (
    Rule(
        slug="ignore-refused",
        severity=WARNING,
        meaning="an ignore of a rule that the manifest itself may not ignore",
        hint="ignore it in the project file, under toolHints or providerHints, if you trust the tool",
        why="A tool that deceives would excuse itself. Errors cannot be ignored at all.",
    ),
    Rule(
        slug="ignore-unknown-rule",
        severity=WARNING,
        meaning="an ignore of a rule that does not exist",
        hint="correct its spelling",
    ),
    Rule(
        slug="ignore-unused",
        severity=WARNING,
        only_lint=True,
        meaning="an ignore of something that is not found",
        hint="remove it",
    ),
    Rule(
        slug="ignore-without-reason",
        severity=WARNING,
        meaning="an ignore that does not say why; it is not followed",
        hint="write the reason after the rule",
    ),
)
