"""Schemas that some client or model API refuses or weakens, though nothing is wrong with compiling them."""

from .rule import ERROR, NOTE, WARNING, Rule, takes

RULES = (
    Rule(
        slug="array-without-items",
        severity=WARNING,
        only_lint=True,
        meaning="an array whose items are not described; OpenAI refuses the request",
        hint="write items, or items: {} when anything goes",
        bad=takes("type: object\nproperties:\n  names: {type: array, description: Names to find.}"),
        good=takes("type: object\nproperties:\n  names: {type: array, items: {type: string}, description: Names.}"),
    ),
    Rule(
        slug="default-violates-schema",
        severity=WARNING,
        only_lint=True,
        meaning="a default that its own schema does not allow",
        hint="allow the value (null beside the type), or leave the default out",
        why="Generators write `default: null` beside a type that is not null. Whoever fills in defaults then sends what"
        " the server refuses.",
        bad=takes("type: object\nproperties:\n  limit: {type: integer, default: null, description: How many.}"),
        good=takes("type: object\nproperties:\n  limit: {type: integer, default: 10, description: How many.}"),
    ),
    Rule(
        slug="enum-empty-string",
        severity=NOTE,
        only_lint=True,
        meaning="the empty text among the values of an enum; Gemini refuses it",
        hint="make the property optional instead",
        bad=takes('type: object\nproperties:\n  size: {type: string, enum: ["", small, large], description: Size.}'),
        good=takes("type: object\nproperties:\n  size: {type: string, enum: [small, large], description: Size.}"),
    ),
    Rule(
        slug="enum-non-string",
        severity=NOTE,
        only_lint=True,
        meaning="an enum of values that are not texts; Gemini knows none",
        hint="list texts, or describe the values and give a minimum and maximum",
        bad=takes("type: object\nproperties:\n  rating: {type: integer, enum: [1, 2, 3], description: Stars.}"),
        good=takes("type: object\nproperties:\n  rating: {type: integer, minimum: 1, maximum: 3, description: Stars.}"),
    ),
    Rule(
        slug="enum-without-type",
        severity=NOTE,
        only_lint=True,
        meaning="an enum without a type; Gemini needs one",
        hint="add type: string",
        bad=takes("type: object\nproperties:\n  size: {enum: [small, large], description: Size of the city.}"),
        good=takes("type: object\nproperties:\n  size: {type: string, enum: [small, large], description: Size.}"),
    ),
    Rule(
        slug="nullable-keyword",
        severity=WARNING,
        only_lint=True,
        meaning="nullable, a keyword of OpenAPI 3.0 that JSON Schema does not know",
        hint="write type: [string, 'null']",
        why="Validators of JSON Schema pass over it, so null is refused where it was meant to be allowed.",
        bad=takes("type: object\nproperties:\n  name: {type: string, nullable: true, description: Its name.}"),
        good=takes("type: object\nproperties:\n  name: {type: [string, 'null'], description: Its name.}"),
    ),
    Rule(
        slug="ref-into-properties",
        severity=WARNING,
        only_lint=True,
        meaning="a $ref into the body of a schema; it breaks where the schema is inlined or put into another",
        hint="move what it refers to into $defs",
        bad=takes(
            "type: object\nproperties:\n  from: {type: string, description: A city.}\n"
            "  to: {$ref: '#/properties/from', description: Another city.}"
        ),
        good=takes(
            "type: object\nproperties:\n  from: {$ref: '#/$defs/city'}\n  to: {$ref: '#/$defs/city'}\n"
            "$defs:\n  city: {type: string, description: A city.}"
        ),
    ),
    Rule(
        slug="ref-recursive",
        severity=NOTE,
        only_lint=True,
        meaning="a schema that holds itself; strict modes of model APIs refuse it",
        hint="write out as many levels as are needed",
        bad=takes(
            "type: object\nproperties:\n  filter: {$ref: '#/$defs/filter', description: What to find.}\n"
            "$defs:\n  filter:\n    type: object\n    properties:\n      not: {$ref: '#/$defs/filter'}"
        ),
        good=takes(
            "type: object\nproperties:\n  filter: {$ref: '#/$defs/filter', description: What to find.}\n"
            "$defs:\n  filter: {type: object, properties: {name: {type: string}}}"
        ),
    ),
    Rule(
        slug="schema-bytes",
        severity=NOTE,
        only_lint=True,
        limit=10_000,
        meaning="a schema that takes much of a model's context",
        hint="split the tool, or describe rarely used parameters elsewhere; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {schema-bytes: 50}\n-- cities.yaml --\n"
        + takes("type: object\nproperties:\n  name: {type: string, description: The name of the city.}"),
        good=takes("type: object\nproperties:\n  name: {type: string, description: The name of the city.}"),
    ),
    Rule(
        slug="schema-depth",
        severity=WARNING,
        only_lint=True,
        limit=10,
        meaning="a schema nested deeper than strict modes of model APIs allow",
        hint="flatten it; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {schema-depth: 1}\n-- cities.yaml --\n"
        + takes("type: object\nproperties:\n  where: {type: object, properties: {land: {type: string}}}"),
        good=takes("type: object\nproperties:\n  land: {type: string, description: The land it lies in.}"),
    ),
    Rule(
        slug="schema-dialect-unsupported",
        severity=WARNING,
        only_lint=True,
        meaning="a $schema that is no published draft of JSON Schema; clients may refuse the tool",
        hint="leave $schema out, which means 2020-12",
        bad=takes("$schema: https://example.com/my-schema\ntype: object\nproperties: {}"),
        good=takes("$schema: https://json-schema.org/draft/2020-12/schema\ntype: object\nproperties: {}"),
    ),
    Rule(
        slug="schema-enum-values",
        severity=WARNING,
        only_lint=True,
        limit=1000,
        meaning="more enum values in one schema than OpenAI's strict mode allows",
        hint="take a text, and offer a tool that lists the values; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {schema-enum-values: 2}\n-- cities.yaml --\n"
        + takes("type: object\nproperties:\n  size: {type: string, enum: [s, m, l], description: Size.}"),
        good=takes("type: object\nproperties:\n  size: {type: string, enum: [s, m, l], description: Size.}"),
    ),
    Rule(
        slug="schema-invalid-for-dialect",
        severity=WARNING,
        in_lint=ERROR,
        only_lint=True,
        meaning="a keyword with a value that JSON Schema does not allow; validators refuse the whole schema",
        hint="correct the value",
        bad=takes('type: object\nproperties:\n  limit: {type: integer, minimum: "1", description: How many.}'),
        good=takes("type: object\nproperties:\n  limit: {type: integer, minimum: 1, description: How many.}"),
    ),
    Rule(
        slug="schema-properties",
        severity=WARNING,
        only_lint=True,
        limit=5000,
        meaning="more properties in one schema than OpenAI's strict mode allows",
        hint="split the tool; lintLimits sets the number",
        bad="-- smallchat.yaml --\nlintLimits: {schema-properties: 1}\n-- cities.yaml --\n"
        + takes("type: object\nproperties:\n  name: {type: string}\n  land: {type: string}"),
        good=takes("type: object\nproperties:\n  name: {type: string, description: The name of the city.}"),
    ),
    Rule(
        slug="tuple-items",
        severity=WARNING,
        only_lint=True,
        meaning="an array with a schema for each place; OpenAI refuses it",
        hint="take an object with a property for each place",
        bad=takes(
            "type: object\nproperties:\n  at:\n    type: array\n    prefixItems: [{type: number}, {type: number}]"
        ),
        good=takes("type: object\nproperties:\n  lat: {type: number}\n  lon: {type: number}"),
    ),
    Rule(
        slug="untyped-property",
        severity=WARNING,
        only_lint=True,
        meaning="a property that may be anything: a model has to guess what to write",
        hint="give it a type, or say in its description what it takes",
        bad=takes("type: object\nproperties:\n  name: {description: The name of the city.}"),
        good=takes("type: object\nproperties:\n  name: {type: string, description: The name of the city.}"),
    ),
    Rule(
        slug="x-mcp-header",
        severity=WARNING,
        in_lint=ERROR,
        only_lint=True,
        meaning="a parameter for an HTTP header that breaks MCP's rules; clients over HTTP drop the whole tool",
        hint="a name of HTTP's characters, once, at a string, integer or boolean that is reached by properties alone",
        bad=takes("type: object\nproperties:\n  land: {type: number, x-mcp-header: Land, description: Its land.}"),
        good=takes("type: object\nproperties:\n  land: {type: string, x-mcp-header: Land, description: Its land.}"),
    ),
)
