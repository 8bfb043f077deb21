"""What README shows exists: commands, options, targets, pages; and its Python runs."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from smallchatc.cli import cli

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.S | re.M)


def commands() -> Iterator[str]:
    """Each command line of ours that README shows, without its prompt and what follows it."""
    for line in README.splitlines():
        shown = line.strip().removeprefix("$ ")
        if shown.startswith("smallchatc "):
            yield re.split(r"\s{2,}#|;", shown)[0]


@pytest.mark.parametrize("line", list(commands()))
def test_a_command_that_readme_shows_exists_with_its_options(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    known = {option for param in command.params for option in param.opts}
    assert {word for word in arguments if re.match(r"--?[a-z]", word)} <= known


def test_readme_shows_every_command_of_the_tour() -> None:
    assert {"compile", "resolve", "inspect", "test"} <= {shlex.split(line)[1] for line in commands()}


def test_the_first_two_commands_are_targets() -> None:
    targets = re.findall(r"^    make (\w+)", README, re.M)
    assert targets == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.M) for target in targets)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_a_page_that_readme_names_exists(target: str) -> None:
    assert (ROOT / target).exists()


def test_the_python_of_readme_runs_and_says_what_its_comments_say(
    artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(artifact, tmp_path / "app.smallchat.db")
    monkeypatch.chdir(tmp_path)
    code = "\n".join(body for language, body in BLOCKS if language == "python")
    # Comments that are values: the line's value must be that one.
    code = re.sub(r'^( *)(\S+)  # (".*?")(?:[,:].*)?$', r"\1assert \2 == \3, \2", code, flags=re.M)
    code = code.replace("answer.tier  # Tier.HIGH", "assert answer.tier == 'high', answer.tier")
    assert code.count("assert ") == 4
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out == "Lisbon, day 1: sun. \nLisbon, day 2: sun. \n"


def test_the_labelled_intents_of_readme_are_read(tmp_path: Path) -> None:
    from smallchatc.testing.cases import read_all

    (body,) = [body for language, body in BLOCKS if language == "yaml" and "expect:" in body]
    file = tmp_path / "app.intents.yaml"
    file.write_text(body, encoding="utf-8")
    assert len(read_all([file])) == 3


def test_the_manifest_of_readme_compiles(tmp_path: Path) -> None:
    from smallchatc.parse import parse_sources

    (body,) = [body for language, body in BLOCKS if language == "yaml" and "tools:" in body]
    file = tmp_path / "calendar.yaml"
    file.write_text(body, encoding="utf-8")
    parsed = parse_sources([file])
    assert [(tool.path, len(tool.hints.aliases)) for tool in parsed.catalog.tools] == [("calendar/create_event", 2)]
    assert parsed.diagnostics == ()
