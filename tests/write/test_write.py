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
from smallchatc.model import LinkedImage
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
    assert write_artifact(_image("x.json"), tmp_path / "a") == (tmp_path / "a").stat().st_size
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
