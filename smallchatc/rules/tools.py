"""Providers, names and descriptions."""

from .rule import ERROR, NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="duplicate-provider",
        severity=WARNING,
        meaning="two sources give different tools to one provider id; the second gets a number",
        hint="give one of them another id",
    ),
    Rule(
        slug="merged-provider",
        severity=NOTE,
        meaning="two sources hold the same provider with the same tools; read as one",
        hint="remove one of them",
    ),
    Rule(
        slug="bad-provider-id",
        severity=WARNING,
        meaning="a provider id with characters that it may not hold; they became '-'",
        hint="use an id without blanks and slashes",
    ),
    Rule(
        slug="excluded",
        severity=NOTE,
        meaning="left out as the hint exclude asks",
    ),
    Rule(
        slug="duplicate-tool",
        severity=WARNING,
        meaning="a tool is defined twice in one provider",
        hint="rename one of them, or drop the copy",
    ),
    Rule(
        slug="identical-tools",
        severity=WARNING,
        meaning="tools of different providers cannot be told apart",
        hint="describe what makes them different, or prefer one with the hint 'preferred'",
    ),
    Rule(
        slug="not-a-tool",
        severity=WARNING,
        in_lint=ERROR,
        meaning="an entry of a tool list is not an object; left out",
        hint="remove it",
    ),
    Rule(
        slug="hosted-tool",
        severity=NOTE,
        meaning="a tool that a model's API runs itself (web search and the like); left out",
        hint="ask the API for it in the request; there is nothing to compile",
    ),
    Rule(
        slug="missing-name",
        severity=WARNING,
        in_lint=ERROR,
        meaning="an entry of a tool list has no name; left out",
        hint="give it a name",
    ),
    Rule(
        slug="nonportable-tool-name",
        severity=WARNING,
        meaning="a name that some model APIs refuse",
        hint="use 1 to 64 of the characters A-Z a-z 0-9 _ -",
    ),
    Rule(
        slug="portable-name-collision",
        severity=WARNING,
        meaning="names of one provider become equal where only A-Z a-z 0-9 _ - are allowed",
        hint="rename one of them",
    ),
    Rule(
        slug="missing-description",
        severity=WARNING,
        meaning="a tool without a description is found by its name and parameters only",
        hint="say in a sentence what it does",
    ),
    Rule(
        slug="bad-field",
        severity=WARNING,
        meaning="a field of a tool has a value of the wrong type; not used",
        hint="correct its value",
    ),
    Rule(
        slug="suspicious-description",
        severity=WARNING,
        deceives=True,
        meaning="a description addresses the model instead of describing the tool",
        hint="read it, and remove the instructions if you do not trust them",
    ),
    Rule(
        slug="hidden-characters",
        severity=WARNING,
        deceives=True,
        meaning="a text holds invisible or direction-changing characters",
        hint="remove them",
    ),
    Rule(
        slug="hint-contradicts-name",
        severity=WARNING,
        meaning="annotations say the opposite of the name",
        hint="correct readOnlyHint or destructiveHint",
    ),
    Rule(
        slug="annotations-contradictory",
        severity=WARNING,
        meaning="annotations say both read-only and destructive",
        hint="correct one of them",
    ),
)
