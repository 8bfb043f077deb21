"""What is odd about a schema; every oddity is read past."""

from .rule import NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="missing-schema",
        severity=WARNING,
        meaning="a tool without inputSchema; any arguments are accepted",
        hint='write {"type": "object"} if it takes none',
    ),
    Rule(
        slug="gemini-types",
        severity=NOTE,
        meaning="a schema in Gemini's subset of OpenAPI (STRING, any_of) was read as JSON Schema",
    ),
    Rule(
        slug="bad-schema",
        severity=WARNING,
        meaning="inputSchema is not an object; any arguments are accepted",
        hint="write a JSON Schema object",
    ),
    Rule(
        slug="empty-schema",
        severity=WARNING,
        meaning="a schema that says nothing; any arguments are accepted",
        hint="list the properties, or none with additionalProperties: false",
    ),
    Rule(
        slug="schema-root-missing-type",
        severity=WARNING,
        meaning="the root of a schema has no type; read as object",
        hint="add type: object",
    ),
    Rule(
        slug="schema-root-not-object",
        severity=WARNING,
        meaning="the root of a schema is not an object; any arguments are accepted",
        hint="wrap it in an object",
    ),
    Rule(
        slug="root-composition",
        severity=WARNING,
        meaning="anyOf, oneOf or allOf at the root of a schema; some model APIs refuse it",
        hint="read as alternative signatures; nothing to do here",
    ),
    Rule(
        slug="bad-type",
        severity=WARNING,
        meaning="a type that JSON Schema does not know; read as any",
        hint="use string, number, integer, boolean, object, array or null",
    ),
    Rule(
        slug="property-schema-not-a-schema",
        severity=WARNING,
        meaning="something that is no schema stands where one belongs; read as any",
        hint="check the nesting: a keyword may be misplaced",
    ),
    Rule(
        slug="properties-not-an-object",
        severity=WARNING,
        meaning="properties is not an object; not used",
        hint="write an object of schemas by name",
    ),
    Rule(
        slug="required-not-list",
        severity=WARNING,
        meaning="required is not a list of names; not used",
        hint="list the names of the required properties",
    ),
    Rule(
        slug="required-unknown-property",
        severity=WARNING,
        meaning="required names a property that is not declared",
        hint="declare it, or correct the name",
    ),
    Rule(
        slug="unresolved-ref",
        severity=WARNING,
        meaning="a $ref leads nowhere; read as any",
        hint="correct the pointer, which starts at the schema's root",
    ),
    Rule(
        slug="circular-ref",
        severity=WARNING,
        meaning="a $ref leads back to itself; read as any",
        hint="refer to a schema that says something",
    ),
    Rule(
        slug="ref-remote",
        severity=WARNING,
        meaning="a $ref leads to another document, which is never fetched; read as any",
        hint="copy that schema into $defs",
    ),
    Rule(
        slug="boolean-schema",
        severity=NOTE,
        meaning="true or false as a schema; some model APIs refuse it",
        hint="write {} or leave the property out",
    ),
    Rule(
        slug="type-list",
        severity=NOTE,
        meaning="a list of types; some model APIs refuse it",
    ),
    Rule(
        slug="draft04-keyword",
        severity=WARNING,
        meaning="a keyword of draft 04; read as it was meant",
        hint="write exclusiveMinimum and exclusiveMaximum as numbers",
    ),
    Rule(
        slug="bad-output-schema",
        severity=WARNING,
        meaning="outputSchema is not a usable JSON Schema",
        hint="correct it; clients may refuse the whole list",
    ),
    Rule(
        slug="portable-property-name",
        severity=WARNING,
        meaning="a property name that some model APIs refuse",
        hint="use 1 to 64 of the characters A-Z a-z 0-9 _ . -",
    ),
    Rule(
        slug="portable-property-collision",
        severity=WARNING,
        meaning="property names become equal where only A-Z a-z 0-9 _ . - are allowed",
        hint="rename one of them",
    ),
    Rule(
        slug="schema-large",
        severity=NOTE,
        meaning="a schema too large to be indexed whole; the deepest parts are not searched",
    ),
)
