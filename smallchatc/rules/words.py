"""Names and descriptions that work and could be better."""

from .rule import NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="annotations-absent",
        severity=NOTE,
        only_lint=True,
        meaning="a tool does not say whether it changes anything; clients must then take it for destructive",
        hint="set readOnlyHint, or destructiveHint, in its annotations",
    ),
    Rule(
        slug="description-duplicate",
        severity=WARNING,
        only_lint=True,
        meaning="different tools have one description",
        hint="say in each what the others do not do",
    ),
    Rule(
        slug="description-long",
        severity=NOTE,
        only_lint=True,
        limit=1024,
        meaning="a description longer than some clients show to a model",
        hint="say first what it does and when to take it; lintLimits sets the number",
    ),
    Rule(
        slug="description-short",
        severity=NOTE,
        only_lint=True,
        limit=20,
        meaning="a description so short that it says hardly more than the name",
        hint="say in a sentence what it does and when to take it; lintLimits sets the number",
    ),
    Rule(
        slug="name-collision-across-servers",
        severity=NOTE,
        only_lint=True,
        meaning="several providers offer a tool of one name; clients without prefixes mix them up",
        hint="name the tool after what is special about it",
    ),
    Rule(
        slug="name-near-collision",
        severity=NOTE,
        only_lint=True,
        meaning="names that differ in case or punctuation only; models and people take one for the other",
        hint="rename one of them",
    ),
    Rule(
        slug="name-prefixed-length-64",
        severity=NOTE,
        only_lint=True,
        limit=64,
        meaning="a name that is too long once a client puts mcp__ and the provider before it",
        hint="shorten the name or the provider's id",
    ),
    Rule(
        slug="param-description-missing",
        severity=NOTE,
        only_lint=True,
        meaning="parameters of which nothing is said",
        hint="say in a few words what each one takes",
    ),
    Rule(
        slug="tools-per-server",
        severity=WARNING,
        only_lint=True,
        limit=128,
        meaning="more tools from one provider than OpenAI takes in one request",
        hint="offer tools in groups, or let clients search; lintLimits sets the number",
    ),
)
