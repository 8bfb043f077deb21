"""Changes that went unseen elsewhere (cases 046 and 060), each by what it is called here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from in_memory import compiled

from smallchatc.diff import Change, diff_artifacts

CASES = Path(__file__).resolve().parents[2] / "fixtures" / "world" / "cases"


def changes_of(tmp_path: Path, before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    with compiled(tmp_path / "old", before) as old, compiled(tmp_path / "new", after) as new:
        return list(diff_artifacts(old, new, impact=False).changes)


def sides(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    given = json.loads((CASES / f"{name}.json").read_text("utf-8"))["input"]
    before, after = given["before"], given["after"]
    if "tools" in before:
        return {"server": before}, {"server": after}
    return tuple({key.removesuffix(".json"): side[key] for key in side} for side in (before, after))  # type: ignore[return-value]


def test_a_tool_that_changes_its_words_without_a_version_is_called_out(tmp_path: Path) -> None:
    found = {change.kind: change for change in changes_of(tmp_path, *sides("060-rug-pull"))}
    assert set(found) == {"description-changed-silently", "optional-argument-added"}
    assert found["optional-argument-added"].message == "'bcc' of 'send_email' is new"
    assert found["description-changed-silently"].level == "risky"


def test_a_rename_is_no_removal(tmp_path: Path) -> None:
    before, _ = sides("060-rug-pull")
    after = {"server": {"tools": [{**before["server"]["tools"][0], "name": "mail_out"}]}}
    assert [change.kind for change in changes_of(tmp_path, before, after)] == ["tool-renamed"]


def test_another_product_behind_a_name_is_one_tool_gone_and_one_new(tmp_path: Path) -> None:
    kinds = [change.kind for change in changes_of(tmp_path, *sides("046-server-swapped-under-same-name"))]
    assert kinds == ["tool-removed", "tool-added"]
