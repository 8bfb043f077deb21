"""The GitHub Action and the pre-commit hooks: their commands run, in a repository as they would find it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from running import ROOT, invoke

from smallchatc.starting import ARTIFACT, PROJECT
from smallchatc.workflow import workflow_text

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
_EXPRESSION = re.compile(r"\$\{\{ ([^}]+) \}\}")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are of bash")


class Runner:
    """As much of a runner as the steps of the action ask for."""

    def __init__(self, root: Path, **inputs: str) -> None:
        self.workspace, self.temp, self.path = root / "repo", root / "temp", root / "bin"
        self.inputs = {name: str(each["default"]) for name, each in ACTION["inputs"].items()} | inputs
        self.base = ""
        self.outputs: dict[str, dict[str, str]] = {}
        for made in (self.workspace, self.temp, self.path):
            made.mkdir()
        for name, arguments in (("python", ""), ("smallchatc", "-m smallchatc ")):
            (self.path / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}"$@"\n')
            (self.path / name).chmod(0o755)
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        run = subprocess.run(["git", *identity, *arguments], cwd=self.workspace, capture_output=True, check=True)
        return run.stdout.decode().strip()

    def commit(self) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "tools")
        return self.git("rev-parse", "HEAD")

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """A step of the action."""
        return self.run(STEPS[name])

    def run(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        """A step, as a runner runs it."""
        files = {variable: self.temp / variable for variable in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        variables = {key: self._said(text) for key, text in step.get("env", {}).items()}
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace / self._said(step.get("working-directory", ".")),
            env={
                **os.environ,
                "PATH": f"{self.path}{os.pathsep}{os.environ['PATH']}",
                "RUNNER_TEMP": str(self.temp),
                **{variable: str(path) for variable, path in files.items()},
                **variables,
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        written = files["GITHUB_OUTPUT"]
        if "id" in step and written.exists():
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in written.read_text().splitlines())
            written.unlink()
        return run

    @property
    def summary(self) -> str:
        return (self.temp / "GITHUB_STEP_SUMMARY").read_text("utf-8")

    def _said(self, text: str) -> str:
        return _EXPRESSION.sub(lambda match: self._value(match[1]), text)

    def _value(self, expression: str) -> str:
        match expression.split("."):
            case ["inputs", name]:
                return self._said(self.inputs[name])
            case ["steps", id, "outputs", name]:
                return self.outputs[id][name]
            case ["github", "event", "pull_request", "base", "sha"]:
                return self.base
        raise AssertionError(expression)


def make_project(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in ("calendar.yaml", "weather.json"):
        shutil.copy(ROOT / "fixtures" / "manifests" / name, folder)
    assert invoke("init", folder, "--yes", "--ci", "none").exit_code == 0


def test_a_pull_request_that_takes_a_tool_away_is_stopped_with_the_reason(tmp_path: Path) -> None:
    runner = Runner(tmp_path, folder="it's here")  # a name that no script must fall for
    project = runner.workspace / "it's here"
    make_project(project)
    runner.base = runner.commit()
    for name in ("Lint", "Compile", "Test", "Diff"):
        run = runner.step(name)
        assert run.returncode == 0, (name, run.stdout, run.stderr)
    assert runner.summary.strip()
    assert Path(runner.outputs["test"]["junit"]).exists()
    told = json.loads(invoke("inspect", runner.outputs["compile"]["artifact"], "--json").stdout)
    assert runner.outputs["compile"]["digest"] == told["digest"]

    manifest = json.loads((project / "weather.json").read_text("utf-8"))
    tools = manifest["tools"] if isinstance(manifest, dict) else manifest
    gone = tools.pop()["name"]
    (project / "weather.json").write_text(json.dumps(manifest))
    runner.commit()
    assert runner.step("Compile").returncode == 0
    assert runner.step("Diff").returncode == 1
    assert "tool-removed" in runner.summary
    assert gone in runner.summary.replace("\\", "")
    assert runner.git("worktree", "list").count("\n") == 0, "nothing is left behind"


def test_failed_tests_are_shown_at_their_lines_and_a_tests_file_that_is_missing_is_told(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    make_project(runner.workspace)
    project, intents = runner.workspace / "smallchat.yaml", runner.workspace / "tools.intents.yaml"
    assert runner.step("Compile").returncode == 0
    count = intents.read_text("utf-8").count("\n")
    with intents.open("a", encoding="utf-8") as file:
        file.write("- intent: ask for the weather of the day\n  expect: calendar/gone\n")
    run = runner.step("Test")
    assert run.returncode == 1
    assert f"::error file=tools.intents.yaml,line={count + 1},col=1,title=no-such-tool::" in run.stdout
    project.write_text(project.read_text("utf-8").replace("*.intents.yaml", "gone.yaml"), "utf-8")
    run = runner.step("Test")
    assert run.returncode == 2
    assert "there is no tests file 'gone.yaml' [tests-missing]" in run.stderr


@pytest.mark.slow
def test_a_base_without_a_project_is_nothing_to_compare_with(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    (runner.workspace / "README.md").write_text("Nothing yet.")
    runner.base = runner.commit()
    make_project(runner.workspace)
    runner.commit()
    assert runner.step("Compile").returncode == 0
    assert runner.step("Diff").returncode == 0
    assert "nothing to compare with" in runner.summary


def test_outside_of_a_pull_request_nothing_is_compared(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    runner.outputs["compile"] = {"artifact": "none"}
    assert runner.step("Diff").returncode == 0
    assert not (tmp_path / "temp" / "GITHUB_STEP_SUMMARY").exists()


def test_the_workflow_that_init_writes_stops_it_too(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    make_project(runner.workspace)
    runner.base = runner.commit()
    manifest = runner.workspace / "calendar.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("cancel_event", "call_off_event"), "utf-8")
    text = workflow_text(runner.workspace, project=PROJECT, artifact=ARTIFACT)
    steps = [step for step in yaml.safe_load(text)["jobs"]["tools"]["steps"] if "run" in step]
    for step in steps[1:3]:
        assert runner.run(step).returncode == 0, step
    assert runner.run(steps[-1]).returncode == 1
    assert "tool-renamed" in runner.summary


def test_what_a_pull_request_changes_is_told_although_its_tests_fail() -> None:
    text = workflow_text(ROOT, project=PROJECT, artifact=ARTIFACT)
    for last in (STEPS["Diff"], yaml.safe_load(text)["jobs"]["tools"]["steps"][-1]):
        assert "!cancelled()" in last["if"]
        assert "steps.compile.outcome == 'success'" in last["if"]


def test_no_expression_stands_in_a_script() -> None:
    assert {step["shell"] for step in STEPS.values() if "run" in step} == {"bash"}
    assert not [name for name, step in STEPS.items() if "${{" in step.get("run", "")]
    known = {f"inputs.{name}" for name in ACTION["inputs"]}
    said = set(re.findall(r"inputs\.[\w-]+", json.dumps(ACTION["runs"])))
    assert said == known
    assert all(each["description"] for each in [*ACTION["inputs"].values(), *ACTION["outputs"].values()])


def test_the_action_installs_both_packages_of_this_repository() -> None:
    paths = re.findall(r'"\$ACTION([^"]*)"', STEPS["Install smallchatc"]["run"])
    assert (
        [path for path in paths if (ROOT / path.lstrip("/") / "pyproject.toml").is_file()]
        == paths
        == ["/runtime_min", ""]
    )


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_a_hook_runs_in_a_project(hook: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert invoke("compile", "--offline").exit_code == 0
    program, *arguments = [*shlex.split(hook["entry"]), *hook.get("args", ())]
    assert program == "smallchatc"
    assert invoke(*arguments).exit_code == 0
    assert (ROOT / hook["additional_dependencies"][0] / "pyproject.toml").is_file()
    for name in ("smallchat.yaml", "api/tools.json", "a.jsonl", ".mcp.json"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "README.md")


def test_the_hooks_are_what_pre_commit_takes() -> None:
    validate = pytest.importorskip("pre_commit.clientlib", reason="pre-commit is not installed")
    assert validate.load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))
