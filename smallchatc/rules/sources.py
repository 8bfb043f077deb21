"""What goes wrong before there is a tool: files, texts, lists."""

from .rule import ERROR, NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="source-missing",
        severity=ERROR,
        meaning="a source does not exist",
        hint="check the path",
    ),
    Rule(
        slug="source-unreadable",
        severity=ERROR,
        meaning="the operating system refuses to read a source",
        hint="check its permissions",
    ),
    Rule(
        slug="source-too-large",
        severity=ERROR,
        meaning="a source is larger than a catalogue can sensibly be",
        hint="split it, or list fewer tools",
    ),
    Rule(
        slug="source-empty",
        severity=ERROR,
        meaning="a source has no content",
        hint="record the catalogue again",
    ),
    Rule(
        slug="no-sources",
        severity=ERROR,
        meaning="nothing was given to compile",
        hint="name a file, a folder, or - for standard input",
    ),
    Rule(
        slug="symlink-outside",
        severity=WARNING,
        meaning="a link inside a folder leads out of it and is not followed",
        hint="give its target as a source",
    ),
    Rule(
        slug="function-import",
        severity=ERROR,
        meaning="Python functions that the command line names cannot be had",
        hint="write MODULE or MODULE:FUNCTION",
    ),
    Rule(
        slug="function-annotation",
        severity=WARNING,
        meaning="a parameter of a Python function has a type that JSON Schema cannot say; read as any",
        hint="annotate it with a type that JSON has, or with a model",
    ),
    Rule(
        slug="function-by-position",
        severity=WARNING,
        meaning="a parameter of a Python function cannot be given by name, and tools are called by name",
        hint="drop the slash from its signature",
    ),
    Rule(
        slug="binary-file",
        severity=ERROR,
        meaning="a source is not text",
        hint="give the catalogue as JSON or YAML",
    ),
    Rule(
        slug="wrong-encoding",
        severity=ERROR,
        meaning="a source is not valid Unicode text",
        hint="save it as UTF-8",
    ),
    Rule(
        slug="bad-json",
        severity=ERROR,
        meaning="a source is not well-formed JSON",
        hint="mend the syntax at this place",
    ),
    Rule(
        slug="bad-line",
        severity=WARNING,
        meaning="a line of a file with one value a line is not JSON; left out",
        hint="mend or remove the line",
    ),
    Rule(
        slug="bad-yaml",
        severity=ERROR,
        meaning="a source is not well-formed YAML",
        hint="mend the syntax at this place",
    ),
    Rule(
        slug="json-comments",
        severity=NOTE,
        meaning="comments or trailing commas in JSON were read past",
        hint="remove them so that other programs can read it",
    ),
    Rule(
        slug="too-deep",
        severity=ERROR,
        meaning="a source is nested deeper than any schema needs",
        hint="flatten it",
    ),
    Rule(
        slug="yaml-alias-explosion",
        severity=ERROR,
        meaning="YAML aliases expand to far more than was written",
        hint="write the content out, or use $ref in the schema",
    ),
    Rule(
        slug="yaml-tag",
        severity=ERROR,
        meaning="a YAML tag asks for an object to be constructed",
        hint="write plain YAML without tags",
    ),
    Rule(
        slug="yaml-key",
        severity=ERROR,
        meaning="a YAML key is a mapping or a list",
        hint="use a text as the key",
    ),
    Rule(
        slug="duplicate-key",
        severity=WARNING,
        meaning="a key is written twice in one object; the last one counts",
        hint="remove one of them",
    ),
    Rule(
        slug="not-finite",
        severity=WARNING,
        meaning="NaN or Infinity is not JSON; read as null",
        hint="use a number, or leave the value out",
    ),
    Rule(
        slug="lone-surrogate",
        severity=WARNING,
        meaning="half a character (a lone surrogate) was replaced by U+FFFD",
        hint="write the character whole",
    ),
    Rule(
        slug="unrecognised",
        severity=ERROR,
        meaning="a source holds none of the known forms of a tool catalogue",
        hint="see docs/manifests.md for the forms that are read",
    ),
    Rule(
        slug="no-tools",
        severity=NOTE,
        meaning="a source holds no tools",
        hint="leave it out, or record the catalogue again",
    ),
    Rule(
        slug="not-yet-supported",
        severity=ERROR,
        meaning="a source is of a known form that this version does not compile",
        hint="record the server's tools/list answer and compile that",
    ),
    Rule(
        slug="list-error",
        severity=ERROR,
        meaning="a recorded answer is an error instead of a list of tools",
        hint="record the catalogue again",
    ),
    Rule(
        slug="list-incomplete",
        severity=WARNING,
        meaning="the last page of a tool list announces another one",
        hint="record all pages",
    ),
    Rule(
        slug="cursor-did-not-advance",
        severity=WARNING,
        meaning="a page repeats the cursor of the page before; reading stopped there",
        hint="report it to the server's authors",
    ),
)
