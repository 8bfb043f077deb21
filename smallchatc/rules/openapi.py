"""What is odd about a description of an API; every oddity is read past."""

from .rule import NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="openapi-version",
        severity=WARNING,
        meaning="an API description of an unknown version, or of none; read as the nearest one",
        hint="write openapi: 3.1.0 or the version it is",
    ),
    Rule(
        slug="openapi-invalid",
        severity=WARNING,
        meaning="an API description does not follow the schema of its specification; what can be read is read",
        hint="correct it, or report it to the API's authors",
    ),
    Rule(
        slug="bad-operation",
        severity=WARNING,
        meaning="something that is no operation stands where one belongs; left out",
        hint="write an object under a method: get, put, post, delete, options, head, patch, trace",
    ),
    Rule(
        slug="bad-parameter",
        severity=WARNING,
        meaning="a parameter that cannot be sent as it is described",
        hint="give it a name, a place (path, query, header, cookie), and path parameters a placeholder in the path",
    ),
    Rule(
        slug="bad-body",
        severity=WARNING,
        meaning="a request body that cannot be sent as it is described",
        hint="give it one media type with a schema",
    ),
    Rule(
        slug="duplicate-operation-id",
        severity=WARNING,
        meaning="an operationId that another operation has; the second is named by its method and path",
        hint="give each operation its own operationId",
    ),
    Rule(
        slug="deprecated-operation",
        severity=NOTE,
        meaning="an operation that its authors call deprecated; kept, and its description says so",
        hint="leave it out with the hint 'exclude'",
    ),
    Rule(
        slug="unknown-security-scheme",
        severity=WARNING,
        meaning="an operation asks for a security scheme that is not described; nobody can supply it",
        hint="describe it under components/securitySchemes",
    ),
    Rule(
        slug="incomplete-server",
        severity=NOTE,
        meaning="an API description names no server that can be reached as it is; whoever calls it must",
        hint="add servers with a full URL, and defaults for its variables",
    ),
    Rule(
        slug="ref-outside",
        severity=WARNING,
        meaning="a $ref leads out of the folder of its source and is not followed; read as any",
        hint="compile the folder that holds both files",
    ),
)
