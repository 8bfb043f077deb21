"""`smallchatc test`: figures, readable failures, gates, and what the project file fills in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import ROOT, invoke


@pytest.fixture
def small(compiled_project: Path) -> Path:
    return compiled_project / "app.smallchat.db"


@pytest.fixture
def intents(compiled_project: Path) -> Path:
    return compiled_project / "app.intents.yaml"


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


def test_what_is_not_given_comes_from_the_project_file(project: Path) -> None:
    (project / "app.smallchat.baseline").write_text('# smallchat baseline 1\nfile "app.intents.yaml"\n')
    told = json.loads(invoke("test", "--json").stdout)
    assert (told["cases"], list(told["files"])) == (4, ["app.intents.yaml"])
    assert json.loads(invoke("inspect", "--json").stdout)["tools"] == 3


def test_a_file_of_tests_is_no_artifact(project: Path) -> None:
    (project / "more.yaml").write_text("- intent: read_file\n  expect: files/read_file\n")
    assert json.loads(invoke("test", "more.yaml", "--json").stdout)["cases"] == 1


@pytest.mark.parametrize("command", ["test", "inspect"])
def test_an_artifact_that_is_not_compiled_yet_says_what_compiles_it(project: Path, command: str) -> None:
    (project / "app.smallchat.db").unlink()
    result = invoke(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: app.smallchat.db: not there yet; `smallchatc compile` in this folder writes it [artifact-missing]\n"
    )


@pytest.mark.parametrize("command", ["test", "inspect"])
def test_a_project_without_an_output_says_so(project: Path, command: str) -> None:
    (project / "smallchat.yaml").write_text("sources: [tools.jsonl]\ntests: [app.intents.yaml]\n")
    result = invoke(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: nothing says where the artifact goes; name it with --output, or as `output` in smallchat.yaml"
        " [no-output]\n"
    )


def test_without_a_project_inspect_asks_for_the_artifact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("inspect")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Missing argument 'DB', and no project file here says where the artifact is." in result.stderr


@pytest.mark.parametrize("command", ["test", "inspect"])
def test_a_broken_project_file_is_told_with_its_place(project: Path, command: str) -> None:
    (project / "smallchat.yaml").write_text("output: 3\noutptu: x\n")
    result = invoke(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "smallchat.yaml:1:9: error: " in result.stderr
    assert "smallchat.yaml:2:9: error: unknown key 'outptu'" in result.stderr


def test_a_tests_file_that_is_named_and_missing_is_told_at_its_line(project: Path) -> None:
    (project / "smallchat.yaml").write_text(
        "sources: [tools.jsonl]\noutput: app.smallchat.db\ntests:\n- '*.intents.yaml'\n- gone.yaml\n- x*.yaml\n"
    )
    result = invoke("test")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "smallchat.yaml:5:3: error: there is no tests file 'gone.yaml' [tests-missing]\n"
        "  hint: correct the name; in the project file it stands under `tests`\n"
    )
    result = invoke("test", "other.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("other.yaml:1:1: error: there is no such file of tests [tests-missing]\n")


def test_github_gets_a_command_a_failure_at_its_line_with_what_decided(project: Path) -> None:
    result = invoke("test", "app.smallchat.db", "app.intents.yaml", "--format", "github")
    assert result.exit_code == 1
    failure, count = result.stdout.splitlines()
    assert failure.startswith(
        "::error file=app.intents.yaml,line=5,col=1,title=wrong-tool::'read the contents of a file': another tool came"
        " first: wanted files/delete_file, got files/read_file (high)%0Afiles/read_file: score "
    )
    assert "%0Afiles/delete_file: score " in failure
    assert count == "::notice title=smallchatc test::3 of 4 passed"


def test_github_gets_what_is_allowed_as_a_notice_and_a_shut_gate_as_an_error(project: Path) -> None:
    def said(*gates: str) -> list[str]:
        files = ("app.smallchat.db", "app.intents.yaml")
        return invoke("test", *files, "--format", "github", *gates).stdout.splitlines()

    allowed, _ = said("--min-recall1", "0.6")
    assert allowed.startswith("::notice file=app.intents.yaml,line=5,col=1,title=wrong-tool%2C the gates hold::")
    assert said("--min-recall1", "0.7")[1] == "::error title=gate::--min-recall1 0.7: 0.6667"


def test_help_shows_options_under_headings() -> None:
    text = invoke("test", "--help").stdout
    headings = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings[:2] == ["Gates:", "Baseline, and a part of the tests:"]
    assert headings[2:] == ["Instead of the report:", "What is printed:", "Options:"]
