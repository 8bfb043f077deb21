"""Opening: an artifact, or an error that says which kind of something else it is."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from runtime_min import ArtifactMissing, CorruptArtifact, NotAnArtifact, ToolRuntime, UnsupportedFormat
from runtime_min.artifact import open_artifact


def _change(artifact: Path, out: Path, offset: int, value: bytes) -> Path:
    data = bytearray(artifact.read_bytes())
    data[offset : offset + len(value)] = value
    out.write_bytes(data)
    return out


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.smallchat.db"
    with pytest.raises(ArtifactMissing) as caught:
        open_artifact(path)
    assert str(caught.value) == f"{path}: no such file"
    assert caught.value.hint == "compile one: smallchatc compile SOURCE -o none.smallchat.db"


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "the file is empty"), (b"hello\n" * 40, "not a SQLite file"), (b"{}", "not a SQLite file")],
)
def test_other_content_is_not_an_artifact(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.smallchat.db"
    path.write_bytes(content)
    with pytest.raises(NotAnArtifact) as caught:
        open_artifact(path)
    assert str(caught.value) == f"{path}: {said}"


def test_a_folder_is_not_an_artifact(tmp_path: Path) -> None:
    with pytest.raises(NotAnArtifact, match="cannot be read: Is a directory"):
        open_artifact(tmp_path)


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(NotAnArtifact, match="a SQLite file of another program"):
        open_artifact(path)


@pytest.mark.parametrize(("version", "said"), [(2000, "format 2.0 is newer"), (17, "format 0.17 is older")])
def test_other_majors_are_refused(artifact: Path, tmp_path: Path, version: int, said: str) -> None:
    path = _change(artifact, tmp_path / "v.smallchat.db", 60, version.to_bytes(4, "big"))
    with pytest.raises(UnsupportedFormat, match=said):
        open_artifact(path)


def test_a_newer_minor_is_read(artifact: Path, tmp_path: Path) -> None:
    path = _change(artifact, tmp_path / "v.smallchat.db", 60, (1007).to_bytes(4, "big"))
    assert open_artifact(path).tools > 0


@pytest.mark.parametrize("kept", [60, 99, 4096, 100_000])
def test_truncated(artifact: Path, tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.smallchat.db"
    path.write_bytes(artifact.read_bytes()[:kept])
    with pytest.raises(CorruptArtifact, match="truncated"):
        open_artifact(path)


def test_verify_notices_one_changed_letter(artifact: Path, tmp_path: Path) -> None:
    data = artifact.read_bytes()
    path = tmp_path / "changed.smallchat.db"
    path.write_bytes(data.replace(b'"description":"', b'"descriptiom":"', 1))
    open_artifact(artifact).verify()
    with pytest.raises(CorruptArtifact, match="do not match the recorded digest"):
        open_artifact(path).verify()


def test_damaged_pages_are_an_artifact_error(artifact: Path, tmp_path: Path) -> None:
    path = _change(artifact, tmp_path / "bad.smallchat.db", 4096, b"\xff" * 8192)
    with pytest.raises(CorruptArtifact):
        open_artifact(path).verify()


def test_opening_and_resolving_writes_nothing(artifact: Path, tmp_path: Path) -> None:
    path = tmp_path / "only.smallchat.db"
    path.write_bytes(artifact.read_bytes())
    path.chmod(0o444)
    before = path.read_bytes()
    ToolRuntime.open(path).resolve("anything at all")
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_names_with_uri_characters_open(artifact: Path, tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20d é.smallchat.db"
    path.write_bytes(artifact.read_bytes())
    assert ToolRuntime.open(path).artifact.tools == ToolRuntime.open(artifact).artifact.tools


def test_an_open_reader_keeps_the_old_artifact_after_replacement(artifact: Path, tmp_path: Path) -> None:
    path = tmp_path / "live.smallchat.db"
    path.write_bytes(artifact.read_bytes())
    runtime = ToolRuntime.open(path)
    first = runtime.resolve("list files").to_dict()
    other = tmp_path / "next"
    other.write_bytes(b"not an artifact")
    other.replace(path)
    assert runtime.resolve("list files").to_dict() == first


def test_threads_agree(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    expected = ToolRuntime.open(artifact).resolve("send a message to the team").to_dict()
    answers: list[object] = []
    threads = [
        threading.Thread(target=lambda: answers.append(runtime.resolve("send a message to the team").to_dict()))
        for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 16


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_opens_its_own_connection(artifact: Path) -> None:
    program = (
        "import os, sys\n"
        "from runtime_min import ToolRuntime\n"
        "runtime = ToolRuntime.open(sys.argv[1]); here = runtime.resolve('list files').tool\n"
        "child = os.fork()\n"
        "if not child: os._exit(0 if runtime.resolve('list files').tool == here else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(artifact)], check=False).returncode == 0
