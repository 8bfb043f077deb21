"""Bad input: one file each in fixtures/bad, with the whole text of what is said about it."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from smallchatc.diagnostics import CompileError, text_of
from smallchatc.model import Diagnostic
from smallchatc.parse import parse_sources
from smallchatc.rules import RULES

BAD = Path(__file__).resolve().parents[2] / "fixtures" / "bad"
FILES = sorted(path for path in BAD.iterdir() if path.suffix != ".expected")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_the_whole_diagnostic(file: Path) -> None:
    expected = file.with_name(file.name + ".expected")
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text(_told(file), encoding="utf-8")
    assert _told(file) == expected.read_text(encoding="utf-8")


def test_every_fault_of_every_source_is_reported_in_one_run() -> None:
    with pytest.raises(CompileError) as raised:
        parse_sources([BAD / "truncated.json", BAD / "custom-tag.yaml", BAD / "empty.json", BAD / "gone.json"])
    assert [(d.slug, d.span.file) for d in raised.value.diagnostics if d.span] == [
        ("yaml-tag", "custom-tag.yaml"),
        ("source-empty", "empty.json"),
        ("source-missing", "gone.json"),
        ("bad-json", "truncated.json"),
    ]


def test_keep_going_keeps_what_is_sound(tmp_path: Path) -> None:
    sound = tmp_path / "sound.json"
    sound.write_text('[{"name": "t", "description": "x", "inputSchema": {"type": "object"}}]')
    parsed = parse_sources([BAD / "truncated.json", sound], keep_going=True)
    assert [tool.path for tool in parsed.catalog.tools] == ["sound/t"]
    assert [d.slug for d in parsed.diagnostics] == ["bad-json"]


def test_a_source_of_100_megabytes_ends_at_once_and_is_not_read_whole(tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.truncate(1_000_000_000)  # sparse: costs no disk
    tracemalloc.start()
    with pytest.raises(CompileError, match=r"huge\.json:1:1: error: larger than 64 MB"):
        parse_sources([huge])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000_000


@pytest.mark.parametrize("opening", ["[", '{"a":', "- ", "? ", "a: {b: "])
def test_nesting_without_end_is_a_diagnostic(tmp_path: Path, opening: str) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text(opening * 100_000)
    with pytest.raises(CompileError) as raised:
        parse_sources([deep])
    assert {d.slug for d in raised.value.diagnostics} <= {
        "too-deep",
        "bad-json",
        "bad-yaml",
        "yaml-key",
        "source-too-large",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_source_without_permission_says_so(tmp_path: Path) -> None:
    closed = tmp_path / "closed.json"
    closed.write_text("[]")
    closed.chmod(0)
    with pytest.raises(CompileError, match="cannot be read: permission denied"):
        parse_sources([closed])


def test_inside_a_folder_what_holds_no_tools_is_a_note_and_what_is_broken_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Title\n\n* a: b: c\n")
    (tmp_path / "icon.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "hello.json").write_text('{"hello": "world"}')
    (tmp_path / "broken.json").write_text('{"tools": [')
    (tmp_path / ".hidden.json").write_text("{")
    (tmp_path / "old.smallchat.db").write_bytes(b"SQLite format 3\0")
    (tmp_path / "ok.json").write_text('[{"name": "t", "description": "x", "inputSchema": {"type": "object"}}]')
    parsed = parse_sources([tmp_path], keep_going=True)
    assert [(d.span.file, d.slug, d.severity) for d in parsed.diagnostics if d.span] == [
        ("README.md", "no-tools", "note"),
        ("broken.json", "bad-json", "error"),
        ("hello.json", "unrecognised", "note"),
        ("icon.png", "no-tools", "note"),
    ]


def _told(file: Path) -> str:
    try:
        diagnostics = parse_sources([file]).diagnostics
    except CompileError as err:
        diagnostics = err.diagnostics
    return "".join(_lines(d) for d in diagnostics)


def _lines(d: Diagnostic) -> str:
    return f"{text_of(d)}\n" + (f"  hint: {d.hint}\n" if d.hint else "")


def test_a_number_of_any_length_leaves_places_to_be_found(tmp_path: Path) -> None:
    manifest = tmp_path / "long.json"
    manifest.write_text('[{"name": "t", "description": "x", "maximum": ' + "9" * 10_000 + ', "inputSchema": []}]')
    said = parse_sources([manifest]).diagnostics
    assert [item.slug for item in said] == ["bad-schema"]


SLIPS = {
    "a.json": (
        '{"tools": [',
        '{"tools": ["a" "b"]}',
        '{"tools" []}',
        '{"tools": [], }x',
        '{"tools": [}',
        '{"tools": []} trailing',
        '{"tools": "C:\\Users"}',
        '{"tools": "\\u12"}',
        '{"tools": "never closed}',
    ),
    "a.yaml": (
        "tools:\n  - name: a\n   description: b\n",
        "tools: [a, b\nid: x\n",
        "tools: {a: b\n",
        "id: a: b\n",
        "id: *nowhere\n",
        'id: "never closed\n',
        'id: "a\\q"\n',
        "id: 'a' b\n",
        "tools:\n\t- name: a\n",
        "id: @a\n",
        "id: - a\n",
        "id: a\nnonsense\nname: b\n",
    ),
    "a.toml": (
        "[a]\nb = c\n",
        "[a]\nb = 1\nb = 2\n",
        "[a]\nb = 1\n[a]\n",
        "[a]\nb 1\nc = 1\n",
        '[a]\nb = "never closed\n',
        '[a]\nb = "C:\\Users"\n',
        "[a]\nb = 1 c = 2\n",
        "[a]\nb = [1, 2\nc = 3\n",
        "[a]\nb = {\n c = 1\n}\n",
    ),
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in SLIPS.items() for text in texts])
def test_a_slip_is_told_with_how_to_mend_it_and_not_only_where(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(CompileError) as raised:
        parse_sources([tmp_path / name])
    first = raised.value.diagnostics[0]
    assert first.slug in ("bad-json", "bad-yaml", "bad-toml"), first
    assert first.hint
    assert first.hint != RULES[first.slug].hint, first.message
