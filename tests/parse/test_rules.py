"""The table of rules is the only place of slugs, and its page says the same."""

from __future__ import annotations

import re
from pathlib import Path

from smallchatc.rules import RULES
from smallchatc.rules.page import rules_page

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_current() -> None:
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == rules_page(), "python -m smallchatc.generate"


def test_every_slug_in_use_is_in_the_table_and_the_other_way_round() -> None:
    others = ("rules", "diff")  # diff has a table of its own
    paths = [path for path in (ROOT / "smallchatc").rglob("*.py") if path.parent.name not in others]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    used = set(re.findall(r"""diagnostic\(\s*"([a-z0-9-]+)"|slug="([a-z0-9-]+)"|say\("([a-z0-9-]+)\"""", code))
    quoted = {slug for found in used for slug in found if slug}
    assert quoted <= set(RULES)
    assert [slug for slug in RULES if f'"{slug}"' not in code] == []


def test_errors_and_warnings_say_what_to_do() -> None:
    assert [rule.slug for rule in RULES.values() if rule.severity != "note" and not rule.hint] == []
