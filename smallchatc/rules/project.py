"""What a manifest or the project file asks for and cannot have."""

from .rule import ERROR, WARNING, Rule

RULES = (
    Rule(
        slug="bad-manifest",
        severity=ERROR,
        meaning="a manifest does not follow schemas/manifest.schema.json",
        hint="see docs/manifests.md",
    ),
    Rule(
        slug="bad-project",
        severity=ERROR,
        meaning="the project file does not follow schemas/project.schema.json",
        hint="see docs/manifests.md",
    ),
    Rule(
        slug="unknown-key",
        severity=ERROR,
        meaning="a key that means nothing here",
        hint="remove it, or correct its spelling",
    ),
    Rule(
        slug="unknown-hint",
        severity=WARNING,
        meaning="a compiler hint that does not exist",
        hint="remove it, or correct its spelling",
    ),
    Rule(
        slug="bad-hint",
        severity=WARNING,
        meaning="a compiler hint with a value that it cannot have; the hint is not applied",
        hint="see docs/manifests.md",
    ),
    Rule(
        slug="hint-not-inherited",
        severity=WARNING,
        meaning="a hint that cannot hold for all tools of a provider",
        hint="write it at the tool that it is meant for",
    ),
    Rule(
        slug="unknown-hint-target",
        severity=WARNING,
        meaning="the project file gives hints for something that is not in the catalogue",
        hint="correct the name, or remove the hints",
    ),
    Rule(
        slug="two-projects",
        severity=ERROR,
        meaning="more than one project file",
        hint="keep one",
    ),
    Rule(
        slug="nested-project",
        severity=WARNING,
        meaning="a project file below the source folder is not applied",
        hint="compile its own folder, or move it",
    ),
    Rule(
        slug="source-outside-project",
        severity=ERROR,
        meaning="a project file names a source outside its folder",
        hint="give that source on the command line",
    ),
    Rule(
        slug="source-matches-nothing",
        severity=ERROR,
        meaning="a source pattern of the project file matches no file",
        hint="correct the pattern",
    ),
    Rule(
        slug="secret-value",
        severity=WARNING,
        meaning="what looks like a credential, or stood where credentials stand, was replaced by a ${NAME} reference",
        hint="write ${NAME} and set the variable where the tool is called",
    ),
    Rule(
        slug="bad-intents",
        severity=ERROR,
        meaning="a file of intent tests does not follow schemas/intents.schema.json",
        hint="see docs/testing.md",
    ),
    Rule(
        slug="tests-missing",
        severity=ERROR,
        meaning="a file of intent tests that is named is not there",
        hint="correct the name; in the project file it stands under `tests`",
    ),
    Rule(
        slug="bad-baseline",
        severity=ERROR,
        meaning="a baseline of intent tests cannot be read as one",
        hint="bring back the version that was committed, or write it anew: smallchatc test --update",
    ),
    Rule(
        slug="stale-baseline",
        severity=ERROR,
        meaning="a baseline records none of the tests that are run",
        hint="name the baseline of these tests, or write it anew: smallchatc test --update",
    ),
)
