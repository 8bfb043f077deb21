"""Generate: the files that repeat what code says, so that they can be checked against it.

`python -m smallchatc.generate` writes them into a checkout; with `--check` it writes nothing and fails
when one is stale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from runtime_min.format import schema

from .diff.kinds import kinds_page
from .rules.page import rules_page

_DDL = re.compile(r"(<!-- ddl: [^\n]*-->\n```sql\n).*?(```\n<!-- /ddl -->)", re.S)

_KINDS = re.compile(r"(<!-- kinds: [^\n]*-->\n).*?(<!-- /kinds -->)", re.S)


def generated(root: Path) -> Iterator[tuple[Path, str]]:
    """Each generated file under `root` with the text it should have."""
    from .cli.manual import manual_page

    page = root / "docs" / "format.md"
    yield page, _DDL.sub(lambda match: match[1] + schema() + match[2], page.read_text("utf-8"))
    page = root / "docs" / "diff.md"
    yield page, _KINDS.sub(lambda match: match[1] + kinds_page() + match[2], page.read_text("utf-8"))
    yield root / "schemas" / "artifact.sql", "-- Generated from runtime_min/format.py by `make gen`.\n" + schema()
    yield root / "docs" / "rules.md", rules_page()
    yield root / "docs" / "cli.md", manual_page()


def main(argv: list[str]) -> int:
    """Write what is stale; with --check only name it and return 1."""
    root = Path(__file__).resolve().parents[1]
    stale = [(path, text) for path, text in generated(root) if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        print(f"stale: {path.relative_to(root)}", file=sys.stderr)
        if "--check" not in argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return 1 if stale and "--check" in argv else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
