"""Writing: the old artifact whole or the new one whole, and the same bytes for the same rows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runtime_min import format as fmt
from runtime_min.artifact import open_artifact
from runtime_min.errors import NotAnArtifact
from smallchatc.model import LinkedImage
from smallchatc.replacing import NotWritten
from smallchatc.write import write_artifact

META = tuple(fmt.Meta(key, value) for key, value in (("digest", "d"), ("encoder", "e"), ("tools", "0")))


def _image(*sources: str) -> LinkedImage:
    rows = tuple(fmt.Source(number, path, "jsonl", "0") for number, path in enumerate(sources))
    return LinkedImage(tables={"meta": META, "source": rows})


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_artifact(_image("x.json"), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes()[92:96] == (tmp_path / "a").read_bytes()[24:28]


def test_the_size_is_reported_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert write_artifact(_image("x.json"), tmp_path / "a").size == (tmp_path / "a").stat().st_size
    assert os.listdir(tmp_path) == ["a"]


def test_a_failing_write_leaves_the_old_artifact_and_no_temporary(tmp_path: Path) -> None:
    out = tmp_path / "a"
    write_artifact(_image("x.json"), out)
    before = out.read_bytes()
    twice = fmt.Source(0, "x", "jsonl", "0")
    with pytest.raises(Exception, match="UNIQUE"):
        write_artifact(LinkedImage(tables={"meta": META, "source": (twice, twice)}), out)
    assert out.read_bytes() == before
    assert os.listdir(tmp_path) == ["a"]


def test_a_new_artifact_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_artifact(_image(), tmp_path / "a")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_killed_writer_leaves_a_whole_artifact(tmp_path: Path) -> None:
    out = tmp_path / "a.smallchat.db"
    write_artifact(_image("x.json"), out)
    program = (
        "import sys; from pathlib import Path; from smallchatc.write import write_artifact\n"
        "from smallchatc.model import LinkedImage; from runtime_min import format as fmt\n"
        "meta = tuple(fmt.Meta(k, v) for k, v in (('digest', 'd'), ('encoder', 'e'), ('tools', '0')))\n"
        "rows = tuple(fmt.Source(n, str(n), 'jsonl', '0') for n in range(2000))\n"
        "print('ready', flush=True)\n"
        "while True: write_artifact(LinkedImage(tables={'meta': meta, 'source': rows}), Path(sys.argv[1]))\n"
    )
    for wait in (0.01, 0.03, 0.07):
        with subprocess.Popen([sys.executable, "-c", program, str(out)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            try:
                writer.wait(wait)
            except subprocess.TimeoutExpired:
                writer.send_signal(signal.SIGKILL)
        assert open_artifact(out).row("PRAGMA integrity_check") == ("ok",)


def test_every_table_of_the_format_fits_its_row_type() -> None:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.executescript(fmt.schema())
    for table in fmt.TABLES:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")]
        keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table.name})") if row[5]]
        assert columns == list(table.row._fields)
        assert keys == columns[: table.keys]


def test_what_a_killed_writer_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    dead, alive, other = (tmp_path / name for name in (".a.abcd1234.tmp", ".a.abcd5678.tmp", ".a.mine.tmp"))
    for path in (dead, alive, other):
        path.write_bytes(b"half")
    with alive.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write_artifact(_image(), tmp_path / "a")
    assert sorted(os.listdir(tmp_path)) == [".a.abcd5678.tmp", ".a.mine.tmp", "a"]


@pytest.mark.parametrize("content", [b"id: shop\ntools: []\n", b"SQLite format 3\x00" + bytes(200)])
def test_a_file_that_is_no_artifact_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "shop.yaml"
    out.write_bytes(content)
    with pytest.raises(NotAnArtifact, match="is no artifact, and is not replaced by one"):
        write_artifact(_image(), out)
    assert out.read_bytes() == content
    assert os.listdir(tmp_path) == ["shop.yaml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAnArtifact):
        write_artifact(_image(), tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_an_empty_file_is_taken_for_the_artifact_to_be(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert write_artifact(_image(), tmp_path / "a").size > 0


def test_a_full_disk_is_trouble_with_the_output_and_leaves_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    out = tmp_path / "a"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        with pytest.raises(NotWritten, match="disk") as caught:
            write_artifact(_image(), out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, former)
    assert str(caught.value).startswith(f"{out}: cannot be written: ")
    assert os.listdir(tmp_path) == []
