"""`smallchatc resolve`, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from running import ROOT, invoke

NONSENSE = "qwzx vbnk plmq"


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads((ROOT / "schemas" / "proof.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize(
    "intent", ["list the files of a folder", NONSENSE, "", "emoji 🎉 \x00 \ud800", "SELECT * FROM t; --"]
)
def test_json_follows_its_schema_whatever_is_asked(
    artifact: Path, validator: Draft202012Validator, intent: str
) -> None:
    result = invoke("resolve", artifact, intent, "--json")
    assert result.exit_code in (0, 1), result.stderr
    told = json.loads(result.stdout)
    validator.validate(told)
    assert (told["tier"] == "none") == (result.exit_code == 1)


def test_nothing_fits_is_exit_1_with_a_question(artifact: Path) -> None:
    result = invoke("resolve", artifact, NONSENSE)
    assert result.exit_code == 1
    assert result.stdout.startswith("no tool fits  NONE")
    assert result.stderr == ""


def test_tools_that_cannot_be_told_apart_are_not_said_to_be_none(tmp_path: Path) -> None:
    tool = {"name": "send", "description": "Send a message", "inputSchema": {"type": "object"}}
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text(json.dumps([tool]))
    out = tmp_path / "a.smallchat.db"
    assert invoke("compile", tmp_path / "one.json", tmp_path / "two.json", "-o", out).exit_code == 0
    result = invoke("resolve", out, "send")
    assert result.stdout.startswith("several tools fit  ")
    assert "not to be told apart here: one/send, two/send" in result.stdout


def test_a_name_is_exact(artifact: Path, first_tool: str) -> None:
    told = json.loads(invoke("resolve", artifact, first_tool, "--json").stdout)
    assert (told["tool"], told["tier"], told["confidence"]) == (first_tool, "exact", 1)


def test_k_and_among_limit_the_candidates(artifact: Path, first_tool: str) -> None:
    assert len(json.loads(invoke("resolve", artifact, "list things", "-k", "2", "--json").stdout)["candidates"]) == 2
    told = json.loads(invoke("resolve", artifact, "list things", "--among", first_tool, "--json").stdout)
    assert [candidate["tool"] for candidate in told["candidates"]] == [first_tool]


def test_an_unknown_tool_among_is_trouble(artifact: Path) -> None:
    result = invoke("resolve", artifact, "list things", "--among", "no/such")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[unknown-tool]" in result.stderr


@pytest.mark.parametrize("arguments", ["[1]", "{", "3"])
def test_arguments_must_be_an_object(artifact: Path, arguments: str) -> None:
    result = invoke("resolve", artifact, "x", "--args", arguments)
    assert result.exit_code == 2
    assert "--args" in result.stderr


def test_explain_shows_every_step_of_the_proof(artifact: Path) -> None:
    told = json.loads(invoke("resolve", artifact, "list the files", "--json").stdout)
    text = invoke("resolve", artifact, "list the files", "--explain").stdout
    assert all(step["step"] in text for step in told["proof"]["steps"])


def test_the_same_question_has_the_same_proof(artifact: Path) -> None:
    first, second = (invoke("resolve", artifact, "list the files", "--json").stdout for _ in range(2))
    assert first == second


@pytest.fixture
def first_tool(artifact: Path) -> str:
    told = json.loads(invoke("inspect", artifact, "--selectors", "--json").stdout)
    tool = told["selectors"][0]["tools"][0]
    assert isinstance(tool, str)
    return tool
