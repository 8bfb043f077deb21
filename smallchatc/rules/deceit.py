"""Tools that deceive whoever reads them: hidden text, words for the model, names that look like others."""

from .rule import ERROR, WARNING, Rule

RULES = (
    Rule(
        slug="hidden-text",
        severity=WARNING,
        in_lint=ERROR,
        only_lint=True,
        deceives=True,
        meaning="a text holds another one in characters that are not shown; a model reads both",
        hint="do not use the tool; tell its users",
        why="Tag characters and variation selectors have no shape on a screen, and models read them like letters.",
    ),
    Rule(
        slug="look-alike-name",
        severity=WARNING,
        only_lint=True,
        deceives=True,
        meaning="a name that is taken for another one: letters of another script, l for 1, O for 0",
        hint="use the tool only if you know who wrote it; rename it if it is yours",
    ),
)
