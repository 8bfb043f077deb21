"""The one table of diagnostic slugs: what each means and what to do about it.

Stages name a slug, never a severity of their own choosing, except where one fault is an error when a
source was named and a note when it was found inside a folder. docs/rules.md is generated from here.
"""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A slug with its usual severity, its meaning in one line and the next move."""

    slug: str
    severity: str
    meaning: str
    hint: str = ""


def rules_page() -> str:
    """docs/rules.md, generated."""
    lines = [
        "# Diagnostics",
        "",
        "Generated from `smallchatc/rules.py`. An error stops the compile (`--keep-going` writes what is sound), a",
        "warning costs at most a tool, a note costs nothing. A source that was named and cannot be used is an error;",
        "the same file found inside a folder is a note.",
        "",
    ]
    for severity, title in ((ERROR, "Errors"), (WARNING, "Warnings"), (NOTE, "Notes")):
        lines += [f"## {title}", "", "| slug | meaning | what to do |", "| --- | --- | --- |"]
        lines += [f"| `{r.slug}` | {r.meaning} | {r.hint} |" for r in RULES.values() if r.severity == severity]
        lines.append("")
    return "\n".join(lines)


def _table(*rules: tuple[str, str, str, str]) -> dict[str, Rule]:
    ordered = sorted(rules)
    return {
        slug: Rule(slug=slug, severity=severity, meaning=meaning, hint=hint)
        for slug, severity, meaning, hint in ordered
    }


# fmt: off
RULES: dict[str, Rule] = _table(
    # Sources
    ("source-missing", ERROR, "a source does not exist", "check the path"),
    ("source-unreadable", ERROR, "the operating system refuses to read a source", "check its permissions"),
    ("source-too-large", ERROR, "a source is larger than a catalogue can sensibly be", "split it, or list fewer tools"),
    ("source-empty", ERROR, "a source has no content", "record the catalogue again"),
    ("no-sources", ERROR, "nothing was given to compile", "name a file, a folder, or - for standard input"),
    ("symlink-outside", WARNING, "a link inside a folder leads out of it and is not followed",
     "give its target as a source"),
    ("binary-file", ERROR, "a source is not text", "give the catalogue as JSON or YAML"),
    ("wrong-encoding", ERROR, "a source is not valid Unicode text", "save it as UTF-8"),
    ("bad-json", ERROR, "a source is not well-formed JSON", "mend the syntax at this place"),
    ("bad-line", WARNING, "a line of a file with one value a line is not JSON; left out", "mend or remove the line"),
    ("bad-yaml", ERROR, "a source is not well-formed YAML", "mend the syntax at this place"),
    ("json-comments", NOTE, "comments or trailing commas in JSON were read past",
     "remove them so that other programs can read it"),
    ("too-deep", ERROR, "a source is nested deeper than any schema needs", "flatten it"),
    ("yaml-alias-explosion", ERROR, "YAML aliases expand to far more than was written",
     "write the content out, or use $ref in the schema"),
    ("yaml-tag", ERROR, "a YAML tag asks for an object to be constructed", "write plain YAML without tags"),
    ("yaml-key", ERROR, "a YAML key is a mapping or a list", "use a text as the key"),
    ("duplicate-key", WARNING, "a key is written twice in one object; the last one counts", "remove one of them"),
    ("not-finite", WARNING, "NaN or Infinity is not JSON; read as null", "use a number, or leave the value out"),
    ("lone-surrogate", WARNING, "half a character (a lone surrogate) was replaced by U+FFFD",
     "write the character whole"),
    ("unrecognised", ERROR, "a source holds none of the known forms of a tool catalogue",
     "see docs/manifests.md for the forms that are read"),
    ("no-tools", NOTE, "a source holds no tools", "leave it out, or record the catalogue again"),
    ("not-yet-supported", ERROR, "a source is of a known form that this version does not compile",
     "record the server's tools/list answer and compile that"),
    ("list-error", ERROR, "a recorded answer is an error instead of a list of tools", "record the catalogue again"),
    ("list-incomplete", WARNING, "the last page of a tool list announces another one", "record all pages"),
    ("cursor-did-not-advance", WARNING, "a page repeats the cursor of the page before; reading stopped there",
     "report it to the server's authors"),
    # Manifests and the project file
    ("bad-manifest", ERROR, "a manifest does not follow schemas/manifest.schema.json", "see docs/manifests.md"),
    ("bad-project", ERROR, "the project file does not follow schemas/project.schema.json", "see docs/manifests.md"),
    ("unknown-key", ERROR, "a key that means nothing here", "remove it, or correct its spelling"),
    ("unknown-hint", WARNING, "a compiler hint that does not exist", "remove it, or correct its spelling"),
    ("bad-hint", WARNING, "a compiler hint with a value that it cannot have; the hint is not applied",
     "see docs/manifests.md"),
    ("hint-not-inherited", WARNING, "a hint that cannot hold for all tools of a provider",
     "write it at the tool that it is meant for"),
    ("unknown-hint-target", WARNING, "the project file gives hints for something that is not in the catalogue",
     "correct the name, or remove the hints"),
    ("two-projects", ERROR, "more than one project file", "keep one"),
    ("nested-project", WARNING, "a project file below the source folder is not applied",
     "compile its own folder, or move it"),
    ("source-outside-project", ERROR, "a project file names a source outside its folder",
     "give that source on the command line"),
    ("source-matches-nothing", ERROR, "a source pattern of the project file matches no file", "correct the pattern"),
    ("secret-value", WARNING, "a literal value in env, headers or a URL was replaced by a ${NAME} reference",
     "write ${NAME} and set the variable where the tool is called"),
    ("bad-intents", ERROR, "a file of intent tests does not follow schemas/intents.schema.json",
     "see docs/cli.md, smallchatc test"),
    # Providers and tools
    ("duplicate-provider", WARNING, "two sources give different tools to one provider id; the second gets a number",
     "give one of them another id"),
    ("merged-provider", NOTE, "two sources hold the same provider with the same tools; read as one",
     "remove one of them"),
    ("bad-provider-id", WARNING, "a provider id with characters that it may not hold; they became '-'",
     "use an id without blanks and slashes"),
    ("excluded", NOTE, "left out as the hint exclude asks", ""),
    ("duplicate-tool", WARNING, "a tool is defined twice in one provider", "rename one of them, or drop the copy"),
    ("identical-tools", WARNING, "tools of different providers cannot be told apart",
     "describe what makes them different, or prefer one with the hint 'preferred'"),
    ("not-a-tool", WARNING, "an entry of a tool list is not an object; left out", "remove it"),
    ("missing-name", WARNING, "an entry of a tool list has no name; left out", "give it a name"),
    ("nonportable-tool-name", WARNING, "a name that some model APIs refuse",
     "use 1 to 64 of the characters A-Z a-z 0-9 _ -"),
    ("portable-name-collision", WARNING, "names of one provider become equal where only A-Z a-z 0-9 _ - are allowed",
     "rename one of them"),
    ("missing-description", WARNING, "a tool without a description is found by its name and parameters only",
     "say in a sentence what it does"),
    ("bad-field", WARNING, "a field of a tool has a value of the wrong type; not used", "correct its value"),
    ("suspicious-description", WARNING, "a description addresses the model instead of describing the tool",
     "read it, and remove the instructions if you do not trust them"),
    ("hidden-characters", WARNING, "a text holds invisible or direction-changing characters", "remove them"),
    ("hint-contradicts-name", WARNING, "annotations say the opposite of the name",
     "correct readOnlyHint or destructiveHint"),
    ("annotations-contradictory", WARNING, "annotations say both read-only and destructive", "correct one of them"),
    # Schemas
    ("missing-schema", WARNING, "a tool without inputSchema; any arguments are accepted",
     'write {"type": "object"} if it takes none'),
    ("bad-schema", WARNING, "inputSchema is not an object; any arguments are accepted", "write a JSON Schema object"),
    ("empty-schema", WARNING, "a schema that says nothing; any arguments are accepted",
     "list the properties, or none with additionalProperties: false"),
    ("schema-root-missing-type", WARNING, "the root of a schema has no type; read as object", "add type: object"),
    ("schema-root-not-object", WARNING, "the root of a schema is not an object; any arguments are accepted",
     "wrap it in an object"),
    ("root-composition", WARNING, "anyOf, oneOf or allOf at the root of a schema; some model APIs refuse it",
     "read as alternative signatures; nothing to do here"),
    ("bad-type", WARNING, "a type that JSON Schema does not know; read as any",
     "use string, number, integer, boolean, object, array or null"),
    ("property-schema-not-a-schema", WARNING, "something that is no schema stands where one belongs; read as any",
     "check the nesting: a keyword may be misplaced"),
    ("properties-not-an-object", WARNING, "properties is not an object; not used",
     "write an object of schemas by name"),
    ("required-not-list", WARNING, "required is not a list of names; not used",
     "list the names of the required properties"),
    ("required-unknown-property", WARNING, "required names a property that is not declared",
     "declare it, or correct the name"),
    ("unresolved-ref", WARNING, "a $ref leads nowhere; read as any",
     "correct the pointer, which starts at the schema's root"),
    ("circular-ref", WARNING, "a $ref leads back to itself; read as any", "refer to a schema that says something"),
    ("ref-remote", WARNING, "a $ref leads to another document, which is never fetched; read as any",
     "copy that schema into $defs"),
    ("boolean-schema", NOTE, "true or false as a schema; some model APIs refuse it",
     "write {} or leave the property out"),
    ("type-list", NOTE, "a list of types; some model APIs refuse it", ""),
    ("draft04-keyword", WARNING, "a keyword of draft 04; read as it was meant",
     "write exclusiveMinimum and exclusiveMaximum as numbers"),
    ("bad-output-schema", WARNING, "outputSchema is not a usable JSON Schema",
     "correct it; clients may refuse the whole list"),
    ("portable-property-name", WARNING, "a property name that some model APIs refuse",
     "use 1 to 64 of the characters A-Z a-z 0-9 _ . -"),
    ("portable-property-collision", WARNING, "property names become equal where only A-Z a-z 0-9 _ . - are allowed",
     "rename one of them"),
    ("schema-large", NOTE, "a schema too large to be indexed whole; the deepest parts are not searched", ""),
    # Classes, selectors and likeness
    ("unknown-superclass", ERROR, "a superclass is not a provider of the catalogue; left out",
     "correct the name, or add that provider's source"),
    ("superclass-cycle", ERROR, "superclasses lead back to where they start; left out", "remove one of them"),
    ("unknown-protocol", ERROR, "a class declares a protocol that nobody declares", "correct the name, or declare it"),
    ("duplicate-protocol", ERROR, "a protocol is declared twice and differently", "rename one of them"),
    ("protocol-unmet", WARNING, "a class lacks a tool that its protocol requires; it does not conform",
     "add the tools, or do not declare the protocol"),
    ("duplicate-category", ERROR, "a category is declared twice for different classes", "rename one of them"),
    ("unknown-category-target", ERROR, "a category extends what is neither a provider nor a protocol",
     "correct the name"),
    ("unknown-category-tool", WARNING, "a category adds a tool that the catalogue does not have; left out",
     "write it as provider/name"),
    ("category-extends-nothing", WARNING, "a category extends a protocol to which no class conforms",
     "let a provider declare the protocol"),
    ("pin-clash", WARNING, "two tools are pinned to one canonical name; the second is pinned to its default one",
     "give one of them another pin"),
    ("selector-clash", WARNING, "two tools have the same canonical name", "give one of them another namespace or pin"),
    ("ambiguous-alias", WARNING, "an alias also means another tool; neither is an exact match for it",
     "choose another alias"),
    ("same-operation", NOTE, "tools do the same with the same arguments",
     "leave one out with the hint 'exclude', or prefer one with 'preferred'"),
)
# fmt: on
