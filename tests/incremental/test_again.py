"""Compiling again: nothing to do is told from something to do, and what comes out is what a clean compile gives."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from running import invoke, process

from smallchatc.cache import Cache
from smallchatc.embed import embed_catalog
from smallchatc.encoders.student import load_student
from smallchatc.model import EncoderId
from smallchatc.parse import parse_sources

OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders": {
            "get": {
                "operationId": "list_orders",
                "summary": "List the orders",
                "parameters": [{"name": "state", "in": "query", "schema": {"$ref": "parts/state.json"}}],
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
}


def tool(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}}


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of two catalogues, one of which refers to a file."""
    write(tmp_path / "in" / "smallchat.yaml", {"version": 1, "sources": ["*.json", "more"]})
    write(tmp_path / "in" / "mail.json", {"tools": [tool("send_mail", "Send a mail"), tool("read_mail", "Read mail")]})
    write(tmp_path / "in" / "shop.json", OPENAPI)
    write(tmp_path / "in" / "parts" / "state.json", {"type": "string", "enum": ["open", "paid"]})
    odd = tool("copy_file", "Copy a file to another place") | {"annotations": 3}
    write(tmp_path / "in" / "more" / "files.json", {"tools": [odd]})
    return tmp_path / "in"


def compiled(folder: Path, *options: str) -> dict[str, Any]:
    ran = invoke("compile", folder, "-o", folder.parent / "out.smallchat.db", "--encoder", "small", "--json", *options)
    assert ran.exit_code == 0, ran.stdout
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def clean(folder: Path) -> bytes:
    out = folder.parent / "clean.smallchat.db"
    assert invoke("compile", folder, "-o", out, "--encoder", "small", "--no-cache").exit_code == 0
    return out.read_bytes()


def edit(path: Path, *, before: str, after: str) -> None:
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")


def test_nothing_changed_is_said_with_all_that_was_told(folder: Path) -> None:
    first, again = compiled(folder), compiled(folder)
    assert (first["up_to_date"], again["up_to_date"]) == (False, True)
    assert {**again, "seconds": 0, "up_to_date": 0} == {**first, "seconds": 0, "up_to_date": 0}
    ran = invoke("compile", folder, "-o", first["artifact"], "--encoder", "small")
    assert ran.stdout == f"{first['artifact']}  up to date, 4 tools; 1 warning as before: --verbose shows them\n"


CHANGES: dict[str, Callable[[Path], object]] = {
    "a description": lambda folder: edit(folder / "mail.json", before="Read mail", after="Read new mail"),
    "white space": lambda folder: edit(folder / "mail.json", before="[", after="[ "),
    "a file that another refers to": lambda folder: edit(folder / "parts/state.json", before="paid", after="sent"),
    "that file gone": lambda folder: (folder / "parts/state.json").unlink(),
    "a new file": lambda folder: write(folder / "more/new.json", {"tools": [tool("zip", "Zip it")]}),
    "a file that a pattern matches": lambda folder: write(folder / "new.json", {"tools": [tool("zip", "Zip it")]}),
    "a file gone": lambda folder: (folder / "more/files.json").unlink(),
    "a file renamed": lambda folder: (folder / "mail.json").rename(folder / "post.json"),
    "the project file": lambda folder: edit(folder / "smallchat.yaml", before='["*.json", ', after='["mail.json", '),
    "the project file gone": lambda folder: (folder / "smallchat.yaml").unlink(),
    "the artifact gone": lambda folder: (folder.parent / "out.smallchat.db").unlink(),
    "the artifact another": lambda folder: shutil.copy(MADE_OF_OTHERS, folder.parent / "out.smallchat.db"),
}
MADE_OF_OTHERS = Path()


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_seen_and_gives_what_a_clean_compile_gives(
    folder: Path, artifact: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "MADE_OF_OTHERS", artifact)
    compiled(folder)
    CHANGES[what](folder)
    assert compiled(folder)["up_to_date"] is False
    assert (folder.parent / "out.smallchat.db").read_bytes() == clean(folder)
    assert compiled(folder)["up_to_date"] is True


@pytest.mark.parametrize("option", ["--overload-threshold=0.9", "--strict", "--encoder=base", "--no-cache"])
def test_another_request_is_not_taken_for_the_same(folder: Path, option: str) -> None:
    compiled(folder)
    ran = invoke("compile", folder, "-o", folder.parent / "out.smallchat.db", "--encoder=small", "--json", option)
    assert json.loads(ran.stdout)["up_to_date"] is False


def test_what_standard_input_says_counts(tmp_path: Path) -> None:
    def told(text: str) -> Any:
        given = json.dumps({"tools": [tool("send_mail", text)]})
        out = tmp_path / "o.smallchat.db"
        ran = invoke("compile", "-", "-o", out, "--encoder=small", "--json", stdin=given)
        return json.loads(ran.stdout)["up_to_date"]

    assert [told("Send a mail"), told("Send a mail"), told("Send mails")] == [False, True, False]


class Counting:
    """The small student, and every text that it was given."""

    def __init__(self) -> None:
        self._student = load_student("small")
        self.texts: list[str] = []

    @property
    def id(self) -> EncoderId:
        return self._student.id

    @property
    def space(self) -> str:
        return self._student.space

    def encode(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return self._student.encode(texts)


def test_072_of_3000_tools_the_one_that_changed_is_embedded(tmp_path: Path) -> None:
    tools = [tool(f"report_{number}", f"Builds report number {number} of the year") for number in range(3000)]
    encoder = Counting()
    for text in (None, "Deletes a report"):
        if text is not None:
            tools[1234]["description"] = text
            encoder.texts.clear()
        write(tmp_path / "m.json", {"tools": tools})
        with Cache(tmp_path / "cache") as cache:
            embedded = embed_catalog(parse_sources([tmp_path / "m.json"]).catalog, encoder, cache=cache)
    assert encoder.texts == ["report 1234: Deletes a report"]
    alone = embed_catalog(embedded.catalog, load_student("small"))
    assert (embedded.vectors == alone.vectors).all()


def test_compiles_at_the_same_time_share_a_cache_and_an_output(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.smallchat.db"
    arguments = [sys.executable, "-m", "smallchatc", "compile", str(folder), "-o", str(out), "--encoder", "small"]
    running = [subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    said = [each.communicate()[1] for each in running]
    assert [(each.returncode, b"cache" in err) for each, err in zip(running, said, strict=True)] == [(0, False)] * 3
    assert out.read_bytes() == clean(folder)


def test_a_damaged_cache_is_said_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "compile.cache").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    out = tmp_path / "out.smallchat.db"
    ran = process("compile", folder, "-o", out, "--encoder", "small", SMALLCHAT_CACHE_DIR=str(cache))
    assert ran.returncode == 0
    assert f"note: the cache {cache}/compile.cache was thrown away and begun anew".encode() in ran.stderr
    assert out.read_bytes() == clean(folder)
