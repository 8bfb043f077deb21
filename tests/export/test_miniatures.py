"""Miniatures of awkward schemas in fixtures/export: what each becomes for each target, every word of it.

Written anew by `python tests/export/test_miniatures.py`; read the difference before it is accepted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from api_rules import faults
from projecting import parameters, projected

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "export"
MINIATURES = sorted(FOLDER.glob("*.json"))


def outcome(schema: Any, target: str) -> dict[str, Any]:
    made = projected(schema, target)
    tool: Any = made.definition
    strict = tool.get("function", tool).get("strict")
    said = [f"{c.kind} {c.pointer or '/'}: {c.said} [{c.rule}]" for c in made.changes]
    plan = {"plan": made.plan} if made.plan else {}
    return json.loads(
        json.dumps({**({"strict": True} if strict else {}), "schema": parameters(made), "changes": said, **plan})
    )


@pytest.mark.parametrize("path", MINIATURES, ids=lambda path: path.stem)
def test_a_miniature_becomes_what_is_written(path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    assert {target: outcome(case["schema"], target) for target in case["targets"]} == case["targets"]


@pytest.mark.parametrize("path", MINIATURES, ids=lambda path: path.stem)
def test_a_miniature_keeps_the_rules_of_every_target(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))["schema"]
    for target in ("openai", "openai-responses", "openai-strict", "anthropic", "anthropic-strict", "gemini", "mcp"):
        assert faults(target, json.loads(json.dumps(projected(schema, target).definition))) == []


if __name__ == "__main__":
    for each in MINIATURES:
        written = json.loads(each.read_text("utf-8"))
        written["targets"] = {target: outcome(written["schema"], target) for target in written["targets"]}
        each.write_text(json.dumps(written, ensure_ascii=False, indent=2) + "\n", "utf-8")
