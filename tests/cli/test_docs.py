"""`smallchatc docs`: an artifact as Markdown for a repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from paging import HOSTILE, hostile_artifact
from running import invoke


def pages(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_link_leads_to_a_place_and_every_tool_has_one(artifact: Path, tmp_path: Path) -> None:
    written = invoke("docs", artifact, "-o", tmp_path / "docs")
    assert written.exit_code == 0, written.stderr
    texts = {name: page.decode() for name, page in pages(tmp_path / "docs").items()}
    assert written.stdout.splitlines() == [str(tmp_path / "docs" / name) for name in sorted(texts)]
    anchors = {f"{name}#{place}" for name, text in texts.items() for place in re.findall('<a id="([^"]+)">', text)}
    tokens = [token for text in texts.values() for token in MarkdownIt().enable("table").parse(text)]
    links = {
        str(child.attrs["href"]) for token in tokens for child in token.children or () if child.type == "link_open"
    }
    assert links <= anchors | set(texts)
    assert len(anchors) == 62
    assert "weather.md" in links


def test_the_same_artifact_gives_the_same_pages_and_check_knows(artifact: Path, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    assert invoke("docs", artifact, "-o", folder, "--check").exit_code == 1
    assert not folder.exists()
    invoke("docs", artifact, "-o", folder)
    before = pages(folder)
    again = invoke("docs", artifact, "-o", folder)
    assert (again.exit_code, again.stdout, pages(folder)) == (0, "", before)
    assert invoke("docs", artifact, "-o", folder, "--check").exit_code == 0
    (folder / "gone.md").write_bytes(before["weather.md"])
    (folder / "mail.md").write_bytes(before["mail.md"] + b"x")
    stale = invoke("docs", artifact, "-o", folder, "--check")
    assert (stale.exit_code, stale.stdout.split()) == (1, [str(folder / "gone.md"), str(folder / "mail.md")])
    invoke("docs", artifact, "-o", folder)
    assert pages(folder) == before


@pytest.mark.parametrize("name", ["README.md", "weather.md"])
def test_what_somebody_else_wrote_stays(artifact: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# Mine\n")
    (tmp_path / "notes.txt").write_text("mine too")
    written = invoke("docs", artifact, "-o", tmp_path)
    assert (written.exit_code, written.stdout) == (1, "")
    assert f"{name} was written by somebody else" in written.stderr
    assert pages(tmp_path) == {name: b"# Mine\n", "notes.txt": b"mine too"}


def test_hostile_tools_are_text(tmp_path: Path) -> None:
    assert invoke("docs", hostile_artifact(tmp_path), "-o", tmp_path / "docs").exit_code == 0
    for page in (tmp_path / "docs").iterdir():
        text = page.read_text("utf-8")
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        inline = [child for token in tokens for child in token.children or ()]
        raw = [token.content.strip() for token in (*tokens, *inline) if token.type.startswith("html_")]
        assert all(each.startswith(("<!-- Written by", '<a id="', "</a>")) for each in raw), raw
        assert not [each for each in inline if each.type == "image"]
        assert "\u202e" not in text
    assert HOSTILE[:9] not in text
