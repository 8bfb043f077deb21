"""Sources: what a folder, a link or a name given twice becomes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from writing import parse, paths, slugs, tool, write

from smallchatc.diagnostics import CompileError, text_of
from smallchatc.parse import parse_sources


def test_a_folder_is_read_to_its_depth_and_hidden_things_are_not(tmp_path: Path) -> None:
    files = {"a.json": [tool("a")], "deep/er/b.json": [tool("b")], ".git/c.json": [tool("c")], ".d.json": [tool("d")]}
    parsed = parse(tmp_path, files)
    assert paths(parsed) == ["a/a", "b/b"]
    assert [source.path for source in parsed.catalog.sources] == ["a.json", "deep/er/b.json"]


def test_a_file_reached_twice_is_read_once(tmp_path: Path) -> None:
    folder = write(tmp_path, {"sub/a.json": [tool("a")]})
    parsed = parse_sources([folder, folder / "sub", folder / "sub" / "a.json", folder])
    assert paths(parsed) == ["a/a"]
    assert parsed.diagnostics == ()


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    folder = write(tmp_path, {"sub/a.json": [tool("a")]})
    (folder / "sub" / "up").symlink_to(folder, target_is_directory=True)
    assert paths(parse_sources([folder])) == ["a/a"]


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret.json": [tool("secret")], "inside/a.json": [tool("a")]})
    (tmp_path / "inside" / "b.json").symlink_to(tmp_path / "outside" / "secret.json")
    parsed = parse_sources([tmp_path / "inside"])
    assert paths(parsed) == ["a/a"]
    assert slugs(parsed.diagnostics) == [("symlink-outside", "warning")]


def test_a_pipe_inside_a_folder_does_not_block(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.json": [tool("a")]})
    os.mkfifo(folder / "pipe.json")
    assert paths(parse_sources([folder])) == ["a/a"]


def test_nothing_given_is_an_error_with_the_next_move() -> None:
    with pytest.raises(CompileError) as raised:
        parse_sources([])
    assert [text_of(d) for d in raised.value.diagnostics] == ["error: nothing was given to compile [no-sources]"]
    assert raised.value.diagnostics[0].hint


def test_every_script_and_sign_may_stand_in_a_file_name(tmp_path: Path) -> None:
    files = {f"{name}.json": [tool("open", name)] for name in ("café", "cafè", "数据库", "Web Search (new)", "a%20b#c")}
    assert paths(parse(tmp_path, files)) == [
        "Web-Search-(new)/open",
        "a%20b#c/open",
        "cafè/open",
        "café/open",
        "数据库/open",
    ]


def test_the_locale_and_the_hash_seed_change_nothing(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"café.json": [tool("é"), tool("a")], "b.yaml": "id: ü\ntools: [{name: t, inputSchema: {}}]"}
    )
    program = f"from smallchatc.parse import parse_sources; print(ascii(parse_sources([{str(folder)!r}])))"
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, **env}, capture_output=True, check=True, text=True
        ).stdout
        for env in (
            {"LC_ALL": "C", "PYTHONHASHSEED": "1"},
            {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"},
        )
    }
    assert len(said) == 1
