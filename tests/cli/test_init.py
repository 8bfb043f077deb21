"""`smallchatc init`: a folder becomes a project whose first build is green."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from running import ROOT, invoke, process

from smallchatc.found import look_around
from smallchatc.starting import INTENTS, PROJECT
from smallchatc.workflow import installing

WORKFLOW = ".github/workflows/smallchat.yml"
MANIFESTS = ROOT / "fixtures" / "manifests"
RECORDING = {
    "server": "clock",
    "serverInfo": {"name": "clock"},
    "tools": [
        {"name": "now", "description": "Tell the time of day in a city. Fast.", "inputSchema": {"type": "object"}},
        {
            "name": "on",
            "description": 'Ring an alarm: "wake up" # at seven, or later',
            "inputSchema": {"type": "object"},
        },
    ],
}


def configuration(*arguments: str) -> str:
    return json.dumps({"mcpServers": {"clock": {"command": sys.executable, "args": list(arguments)}}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a client's configuration, tools in two places, and much that is neither."""
    (tmp_path / "api").mkdir()
    for name in ("calendar.yaml", "notes.json", "github.json"):
        shutil.copy(MANIFESTS / name, tmp_path / "api")
    (tmp_path / "servers").mkdir()
    (tmp_path / "servers" / "clock.json").write_text(json.dumps(RECORDING))
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "mcp.json").write_text(json.dumps({"servers": {"clock": {"command": "clock-server"}}}))
    (tmp_path / "package.json").write_text('{"name": "x", "version": "1.0.0", "scripts": {"test": "true"}}')
    (tmp_path / "broken.json").write_text('{"tools": [')
    (tmp_path / "node_modules").mkdir()
    shutil.copy(MANIFESTS / "mail.json", tmp_path / "node_modules")
    return tmp_path


def test_what_is_found_is_what_compile_reads(folder: Path) -> None:
    found = look_around(folder)
    assert found.configurations == (".vscode/mcp.json",)
    assert found.sources == ("api", "servers/clock.json")
    assert (found.intents, found.unrecorded) == ((), ())


@pytest.mark.slow
def test_the_project_compiles_and_its_first_tests_pass(folder: Path) -> None:
    made = process("init", "--yes", cwd=folder)
    assert made.returncode == 0, made.stderr.decode()
    assert made.stdout.decode().split() == [PROJECT, INTENTS, WORKFLOW]
    cases = yaml.safe_load((folder / INTENTS).read_text("utf-8"))
    assert {"intent": 'Ring an alarm: "wake up" # at seven, or later', "expect": "clock/on"} in cases
    assert {case["expect"].split("/")[0] for case in cases if case["expect"]} == {
        "calendar",
        "clock",
        "github",
        "notes",
    }
    assert [case["expect"] for case in cases].count([]) == 1
    # The commands of the build that was written, as they stand there.
    for command in ("lint --format github", "compile --offline", "test --format github --junit smallchat-tests.xml"):
        assert f"run: smallchatc {command}\n" in (folder / WORKFLOW).read_text("utf-8")
        run = process(*command.split(), cwd=folder)
        assert run.returncode == 0, run.stdout.decode() + run.stderr.decode()


@pytest.mark.parametrize("name", [PROJECT, "smallchat.json", INTENTS, WORKFLOW])
def test_nothing_that_is_there_is_replaced_unless_forced(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("[]" if name == INTENTS else "version: 1" if name == PROJECT else "{}")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    refused = invoke("init", folder, "--yes", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)) == (
        1,
        {"written": [], "reason": "files-exist", "files": [name]},
    )
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    if name != "smallchat.json":
        assert invoke("init", folder, "--yes", "--force").exit_code == 0
        assert (folder / name).read_bytes() != before[folder / name]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_what_a_file_system_allows_is_no_trouble(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    (folder / "loop").symlink_to(folder)
    (folder / "gone.json").symlink_to("nowhere")
    (folder / "#1: [a] {b}\n'\"*.json").write_text(json.dumps({**RECORDING, "server": "odd"}))
    with suppress(OSError, UnicodeError):  # where a file may be called so
        Path(os.fsdecode(bytes(folder) + b"/\xff.json")).write_text(json.dumps(RECORDING))
    made = process("init", "--yes", cwd=folder)
    assert made.returncode == 0, made.stderr.decode()
    compiled = process("compile", "--offline", "--json", cwd=folder)
    assert compiled.returncode == 0, compiled.stderr.decode()
    assert json.loads(compiled.stdout)["providers"] == 5


def test_in_a_folder_of_a_repository_the_build_lies_where_runners_look(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "it's: {here}").mkdir()
    shutil.copy(MANIFESTS / "mail.json", folder / "it's: {here}")
    made = invoke("init", folder / "it's: {here}", "--yes", "--json")
    place = folder / ".github" / "workflows" / "smallchat-it-s-here-.yml"
    assert json.loads(made.stdout)["written"][-1] == "../.github/workflows/smallchat-it-s-here-.yml"
    job = yaml.safe_load(place.read_text("utf-8"))["jobs"]["tools"]
    assert job["defaults"]["run"]["working-directory"] == "it's: {here}"
    assert job["steps"][-1]["env"]["FOLDER"] == "it's: {here}"
    again = invoke("init", folder / "it's: {here}", "--yes", "--json")
    assert json.loads(again.stdout)["reason"] == "files-exist"


def test_a_build_installs_what_is_installed_here() -> None:
    git = {"vcs": "git", "commit_id": "ab12", "requested_revision": "main"}

    def command(url: str | None, **noted: object) -> str:
        return installing(None if url is None else json.dumps({"url": url, **noted}), "1.2.3").command

    assert command(None) == "pip install smallchatc==1.2.3"
    assert command("https://user:secret@git.example.com/a/b.git", vcs_info=git) == (
        "pip install 'runtime-min @ git+https://git.example.com/a/b.git@ab12#subdirectory=runtime_min'"
        " 'smallchatc @ git+https://git.example.com/a/b.git@ab12'"
    )
    for url, noted in (
        ("file:///home/me/clone", {"dir_info": {"editable": True}}),
        ("file:///home/me/clone", {"vcs_info": git}),
        ("https://git.example.com/'; rm", {"vcs_info": git}),
        ("https://git.example.com/b.git", {"vcs_info": git, "subdirectory": "x"}),
    ):
        install = installing(json.dumps({"url": url, **noted}), "1.2.3")
        assert install.command == "pip install --find-links wheels smallchatc==1.2.3"
        assert "pip wheel --no-deps -w wheels FOLDER/runtime_min FOLDER" in install.remark


def test_no_server_is_started_unless_asked(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
    server = ROOT / "tests" / "servers" / "sdk_server.py"
    (tmp_path / "started.py").write_text(
        f"import pathlib, runpy; pathlib.Path(__file__).with_suffix('.txt').touch();"
        f" runpy.run_path({str(server)!r}, run_name='__main__')"
    )
    (tmp_path / ".mcp.json").write_text(configuration(str(tmp_path / "started.py")))
    made = invoke("init", tmp_path, stdin="\ny\n")
    assert made.exit_code == 0, made.stderr
    assert "1 server without recorded tools:" in made.stderr
    assert "smallchatc snapshot .mcp.json -o manifests" in made.stderr
    assert not (tmp_path / "started.txt").exists()
    made = invoke("init", tmp_path, "--yes", "--force", "--record", "--ci", "none", "--json")
    assert made.exit_code == 0, made.stderr
    told: dict[str, Any] = json.loads(made.stdout)
    assert (told["tools"], told["unrecorded"], told["sources"]) == (5, [], ["manifests/clock.json"])
    assert (tmp_path / "started.txt").exists()


def test_an_answer_of_no_writes_nothing(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    assert invoke("init", folder, stdin="n\n").exit_code == 1
    assert invoke("init", folder, stdin="").exit_code == 1
    assert sorted(folder.rglob("*")) == before


def test_a_folder_of_nothing_says_what_to_put_there(tmp_path: Path) -> None:
    made = invoke("init", tmp_path, "--yes")
    assert (made.exit_code, made.stdout, list(tmp_path.iterdir())) == (1, "", [])
    assert made.stderr.startswith(f"nothing to make a project of in {tmp_path}: no client configuration and no file")
