"""`smallchatc test`: figures, readable failures, gates, JUnit."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from running import ROOT, invoke

TOOLS = [
    {
        "provider": "files",
        "name": "read_file",
        "description": "Read the contents of a file",
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    },
    {
        "provider": "files",
        "name": "delete_file",
        "description": "Remove a file from disk for good",
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    },
    {
        "provider": "weather",
        "name": "get_forecast",
        "description": "Weather forecast of the coming days for a city",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    (folder / "tools.jsonl").write_text("".join(json.dumps(tool) + "\n" for tool in TOOLS))
    out = folder / "small.smallchat.db"
    result = invoke("compile", folder / "tools.jsonl", "-o", out, "--encoder", "base")
    assert result.exit_code == 0, result.stderr
    return out


@pytest.fixture
def intents(tmp_path: Path) -> Path:
    path = tmp_path / "app.intents.yaml"
    path.write_text(
        "- intent: read_file\n  expect: files/read_file\n"
        "- intent: weather forecast for a city\n  expect: weather/get_forecast\n"
        "- intent: read the contents of a file\n  expect: files/delete_file\n"
        "- intent: qwzx vbnk plmq\n  expect: []\n"
    )
    return path


def test_the_document_has_the_figures_and_the_failures(small: Path, intents: Path) -> None:
    result = invoke("test", small, intents, "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (told["cases"], told["passed"]) == (4, 3)
    assert told["recall@1"] == pytest.approx(2 / 3, abs=1e-6)
    assert told["recall@5"] == 1
    assert told["abstention"] == {"auroc": 1, "false_tool": 0, "false_none": 0}
    [failure] = told["failures"]
    assert (failure["kind"], failure["got"], failure["wanted"]["rank"]) == ("wrong-tool", "files/read_file", 2)
    assert failure["line"] == 5
    assert [word for word, _ in failure["first"]["words"]]
    assert failure["margin"] > 0


def test_a_failure_says_what_won_by_how_much_and_which_words_decided(small: Path, intents: Path) -> None:
    text = invoke("test", small, intents).stdout
    block = text.split("\n\n")[0].splitlines()
    assert block[0] == f"FAIL 'read the contents of a file'  {intents}:5"
    assert block[1].startswith("  another tool came first  ")
    assert block[2].split()[:2] == ["got", "files/read_file"]
    assert "words:" in block[2]
    assert "contents" in block[2]
    assert block[3].split()[:2] == ["wanted", "files/delete_file"]


def test_without_a_gate_every_case_must_pass(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"query": "read_file", "gold": ["files/read_file"]}\n')
    assert invoke("test", small, path).exit_code == 0


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (["--min-recall1", "0.6"], 0),
        (["--min-recall1", "0.7"], 1),
        (["--min-recall5", "1", "--max-false-none", "0"], 0),
        (["--min-auroc", "1", "--min-mrr", "0.99"], 1),
    ],
)
def test_gates_alone_decide_when_there_are_any(small: Path, intents: Path, gate: list[str], code: int) -> None:
    assert invoke("test", small, intents, *gate).exit_code == code


def test_candidates_of_a_case_are_all_that_is_ranked(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"query": "read the contents of a file", "gold": ["files/delete_file"],'
        ' "candidates": ["files/delete_file", "weather/get_forecast", "gone/tool"]}\n'
    )
    assert json.loads(invoke("test", small, path, "--json").stdout)["recall@1"] == 1


def test_a_tool_that_is_not_there_is_said_and_guessed(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("- intent: read a file\n  expect: files/read_fil\n")
    result = invoke("test", small, path)
    assert result.exit_code == 1
    assert "files/read_fil is not in the artifact; did you mean files/read_file" in result.stdout


def test_junit_has_a_case_an_intent_and_no_clock(small: Path, intents: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.xml", tmp_path / "two.xml"
    invoke("test", small, intents, "--junit", one)
    invoke("test", small, intents, "--junit", two)
    assert one.read_bytes() == two.read_bytes()
    root = ET.parse(one).getroot()
    assert (root.get("tests"), root.get("failures")) == ("4", "1")
    [failure] = root.iter("failure")
    assert failure.get("type") == "wrong-tool"
    assert "files/delete_file" in (failure.get("message") or "")


def test_faults_of_an_intents_file_are_trouble(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("- intent: a\n  expct: b\n")
    result = invoke("test", small, path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[bad-intents]" in result.stderr


def test_the_examples_intents_hold(artifact: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gates = ["--min-recall1", "0.7", "--min-recall5", "0.95", "--max-false-tool", "0.25", "--max-false-none", "0.25"]
    monkeypatch.chdir(ROOT / "fixtures" / "manifests")
    result = invoke("test", artifact, *gates)  # the files that the project file names
    assert result.exit_code == 0, result.stdout


def test_no_file_and_no_project_is_a_question_about_usage(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("test", small)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "FILE" in result.stderr
