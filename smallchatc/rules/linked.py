"""What the parts of a catalogue say about each other."""

from .rule import ERROR, NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="unknown-superclass",
        severity=ERROR,
        meaning="a superclass is not a provider of the catalogue; left out",
        hint="correct the name, or add that provider's source",
    ),
    Rule(
        slug="superclass-cycle",
        severity=ERROR,
        meaning="superclasses lead back to where they start; left out",
        hint="remove one of them",
    ),
    Rule(
        slug="unknown-protocol",
        severity=ERROR,
        meaning="a class declares a protocol that nobody declares",
        hint="correct the name, or declare it",
    ),
    Rule(
        slug="duplicate-protocol",
        severity=ERROR,
        meaning="a protocol is declared twice and differently",
        hint="rename one of them",
    ),
    Rule(
        slug="protocol-unmet",
        severity=WARNING,
        meaning="a class lacks a tool that its protocol requires; it does not conform",
        hint="add the tools, or do not declare the protocol",
    ),
    Rule(
        slug="duplicate-category",
        severity=ERROR,
        meaning="a category is declared twice for different classes",
        hint="rename one of them",
    ),
    Rule(
        slug="unknown-category-target",
        severity=ERROR,
        meaning="a category extends what is neither a provider nor a protocol",
        hint="correct the name",
    ),
    Rule(
        slug="unknown-category-tool",
        severity=WARNING,
        meaning="a category adds a tool that the catalogue does not have; left out",
        hint="write it as provider/name",
    ),
    Rule(
        slug="category-extends-nothing",
        severity=WARNING,
        meaning="a category extends a protocol to which no class conforms",
        hint="let a provider declare the protocol",
    ),
    Rule(
        slug="pin-clash",
        severity=WARNING,
        meaning="two tools are pinned to one canonical name; the second is pinned to its default one",
        hint="give one of them another pin",
    ),
    Rule(
        slug="selector-clash",
        severity=WARNING,
        meaning="two tools have the same canonical name",
        hint="give one of them another namespace or pin",
    ),
    Rule(
        slug="ambiguous-alias",
        severity=WARNING,
        meaning="an alias also means another tool; neither is an exact match for it",
        hint="choose another alias",
    ),
    Rule(
        slug="same-operation",
        severity=NOTE,
        meaning="tools do the same with the same arguments",
        hint="leave one out with the hint 'exclude', or prefer one with 'preferred'",
    ),
)
