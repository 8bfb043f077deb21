"""What only a compiler with vectors can say: requests that a tool's own words would send astray."""

from .rule import NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="ambiguous-pair",
        severity=WARNING,
        only_lint=True,
        meaning="two tools that what they say does not tell apart: asked for one, the other is as likely",
        hint="describe what makes them different, drop one, or prefer one with the hint 'preferred'",
        why="Each is asked for in its own words, of the artifact that would be shipped.",
    ),
    Rule(
        slug="description-hides",
        severity=NOTE,
        only_lint=True,
        meaning="a tool says nothing that a sibling does not say too: every request for it fits both",
        hint="say what only this tool does",
    ),
    Rule(
        slug="own-words-miss",
        severity=WARNING,
        only_lint=True,
        meaning="a tool that is not found by its own words: others come first",
        hint="begin the description with what this tool does and the other does not",
    ),
)
