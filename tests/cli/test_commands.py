"""What every command has in common: help, documentation, exit codes, and where it speaks."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from running import ROOT, invoke, process

from smallchatc import __version__
from smallchatc.cli import cli

NAMES = cli.list_commands(click.Context(cli))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_that_says_what_it_does(name: str) -> None:
    result = invoke(name, "--help")
    assert result.exit_code == 0
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_documented(name: str) -> None:
    assert f"## smallchatc {name}\n" in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_the_manual_is_the_help_of_the_commands() -> None:
    from smallchatc.cli.manual import manual_page

    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == manual_page(), "run `make gen`"


def test_version_is_that_of_both_packages() -> None:
    from importlib.metadata import version

    assert invoke("--version").output == f"smallchatc, version {__version__}\n"
    assert version("smallchatc") == version("runtime-min") == __version__


def test_no_command_is_a_question_about_usage() -> None:
    result = invoke()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: smallchatc" in result.stderr


def test_a_misspelt_command_is_guessed() -> None:
    result = invoke("inspct", "x.db")
    assert result.exit_code == 2
    assert "Did you mean" in result.stderr
    assert "'inspect'" in result.stderr


def test_a_misspelt_option_is_guessed() -> None:
    result = invoke("resolve", "--explian", "x.db", "intent")
    assert result.exit_code == 2
    assert "--explain" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    result = invoke("completion", shell)
    assert result.exit_code == 0
    assert "_SMALLCHATC_COMPLETE" in result.stdout


def test_the_shell_completes_commands() -> None:
    run = process(_SMALLCHATC_COMPLETE="bash_complete", COMP_WORDS="smallchatc ins", COMP_CWORD="1")
    assert run.stdout.decode() == "plain,inspect\n"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.write_text("hello there"), "not a SQLite file"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.mkdir(), "cannot be read"),
    ],
    ids=["missing", "text", "empty", "folder"],
)
@pytest.mark.parametrize("command", [["inspect"], ["resolve"]])
def test_what_is_no_artifact_is_one_line_of_trouble(
    tmp_path: Path, command: list[str], make: object, words: str
) -> None:
    path = tmp_path / "app.smallchat.db"
    assert callable(make)
    make(path)
    result = invoke(*command, path, *(["an intent"] if command == ["resolve"] else []))
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith(f"error: {path}: {words}")
    assert "; " in line  # the next move


def test_another_programs_database_and_a_truncated_artifact_are_told_apart(tmp_path: Path, artifact: Path) -> None:
    import sqlite3

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    short = tmp_path / "short.smallchat.db"
    short.write_bytes(artifact.read_bytes()[:20000])
    assert "[not-an-artifact]" in invoke("inspect", other).stderr
    assert "[corrupt-artifact]" in invoke("inspect", short).stderr


def test_inspect_notices_a_changed_byte(tmp_path: Path, artifact: Path) -> None:
    changed = tmp_path / "changed.smallchat.db"
    data = artifact.read_bytes()
    at = data.rindex(b"description")
    changed.write_bytes(data[:at] + b"descriptiom" + data[at + 11 :])
    result = invoke("inspect", changed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[corrupt-artifact]" in result.stderr


def test_an_unexpected_error_is_ours_and_shows_its_traceback_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("smallchatc.doctor.examine", broken)
    quiet, loud = invoke("doctor"), invoke("--debug", "doctor")
    assert (quiet.exit_code, loud.exit_code) == (70, 70)
    assert quiet.stderr.splitlines()[0] == "smallchatc: internal error: RuntimeError: boom"
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


def test_no_colour_into_a_pipe_nor_where_it_is_unwanted(artifact: Path) -> None:
    for environment in ({}, {"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        run = process("resolve", artifact, "list files", "--explain", **environment)
        assert b"\x1b[" not in run.stdout
    assert b"\x1b[" in process("resolve", artifact, "list files", NO_COLOR="", FORCE_COLOR="1").stdout


def test_piped_lists_are_not_cropped(artifact: Path) -> None:
    rows = json.loads(process("inspect", artifact, "--selectors", "--json").stdout)["selectors"]
    text = process("inspect", artifact, "--selectors", COLUMNS="20").stdout.decode()
    assert all(row["selector"] in text and tool in text for row in rows for tool in row["tools"])


def test_a_reader_that_leaves_early_is_no_error(artifact: Path) -> None:
    command = [sys.executable, "-m", "smallchatc", "inspect", str(artifact), "--selectors", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_exit_130_without_a_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "smallchatc", "compile", "-", "-o", str(tmp_path / "out.smallchat.db")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        assert run.stdin is not None
        run.stdin.write(b" " * 300_000)  # more than a pipe holds: it returns when the other side reads
        run.stdin.flush()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate()
    assert run.returncode == 130
    assert b"Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_doctor_says_what_is_here() -> None:
    result = invoke("doctor", "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert told["sqlite"]["strict"] is True
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(told["extras"]) == set(named) - {"training", "apis", "dev"}
    assert "click" in told["packages"]
    assert told["packages"]["runtime-min"] == __version__
    assert invoke("doctor").exit_code == 0


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_change_that_diff_names_is_explained(form: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "smallchatc", "explain", "[tool-removed]", *form]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert "breaking" in run.stdout
