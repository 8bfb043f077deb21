"""Killed, out of room, forbidden, or two at once: what is read is the old artifact or the new one, whole."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from running import invoke

from runtime_min.artifact import open_artifact
from smallchatc.cache import Cache
from smallchatc.job import Job, run
from smallchatc.lock import read_lock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills and limits are those of POSIX")


def write(path: Path, name: str) -> Path:
    path.write_text(json.dumps({"tools": [{"name": name, "description": f"Handles {name}"}]}), "utf-8")
    return path


def job(folder: Path, name: str) -> Job:
    source = write(folder / f"{name}.json", name)
    return Job(sources=(str(source),), output=folder / "out.smallchat.db", encoder="small")


def loop(jobs: list[Job], cache: Path) -> None:
    """Compile one after the other, each time another tool, so that the cache is read and written too."""
    for number in range(10_000):
        each = jobs[number % 2]
        with Cache(cache) as opened:
            run(each, opened)
        write(Path(each.sources[0]), f"tool_{os.getpid()}_{number}")


def kill_often(folder: Path, times: int) -> None:
    jobs = [job(folder, name) for name in ("first", "second")]
    out = folder / "out.smallchat.db"
    with Cache(folder / "cache") as cache:
        run(jobs[0], cache)
    moments = random.Random(7)
    for _ in range(times):
        compiling = multiprocessing.get_context("fork").Process(target=loop, args=(jobs, folder / "cache"))
        compiling.start()
        time.sleep(moments.uniform(0.02, 0.8))
        compiling.kill()
        compiling.join()
        with closing(open_artifact(out)) as artifact:
            artifact.verify()
        assert read_lock(folder / "out.smallchat.lock") is not None
        for path in folder.glob("*.json"):
            write(path, path.stem)  # the loop may have been killed in the middle of this
        assert len([path for path in folder.iterdir() if path.suffix == ".tmp"]) <= 2
    with Cache(folder / "cache") as cache:
        run(jobs[0], cache)
        assert cache.notes == []
    assert [path for path in folder.iterdir() if path.suffix == ".tmp"] == []


def test_whoever_reads_after_a_kill_finds_a_whole_artifact(tmp_path: Path) -> None:
    kill_often(tmp_path, 8)


@pytest.mark.slow
def test_whoever_reads_after_any_of_200_kills_finds_a_whole_artifact(tmp_path: Path) -> None:
    kill_often(tmp_path, 200)


def limited(folder: Path, out: Path, most: int) -> subprocess.CompletedProcess[str]:
    """Compile where no file may grow beyond `most` bytes: as on a disk that is full."""
    return subprocess.run(
        [sys.executable, "-m", "smallchatc", "compile", str(folder), "-o", str(out), "--encoder", "small"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
        env={**os.environ, "SMALLCHAT_CACHE_DIR": str(out.parent / "cache")},
    )


def test_without_room_the_old_artifact_stays_and_it_says_so(tmp_path: Path) -> None:
    out = tmp_path / "out.smallchat.db"
    source = write(tmp_path / "m.json", "send_mail")
    ran = limited(source, out, 100_000)
    assert ran.returncode == 2
    assert f"{out}: cannot be written: " in ran.stderr
    assert "; nothing is there; make room, or check the folder and its permissions [not-written]" in ran.stderr
    assert sorted(os.listdir(tmp_path)) == ["cache", "m.json"]
    assert invoke("compile", source, "-o", out, "--encoder", "small").exit_code == 0
    before = out.read_bytes()
    write(source, "read_mail")
    assert "; what was there is untouched; " in limited(source, out, 100_000).stderr
    assert out.read_bytes() == before
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp")] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_in_a_folder_that_is_read_only_the_old_artifact_stays(tmp_path: Path) -> None:
    out = tmp_path / "ro" / "out.smallchat.db"
    out.parent.mkdir()
    source = write(tmp_path / "m.json", "send_mail")
    assert invoke("compile", source, "-o", out, "--encoder", "small").exit_code == 0
    before = out.read_bytes()
    write(source, "read_mail")
    out.parent.chmod(0o555)
    ran = invoke("compile", source, "-o", out, "--encoder", "small")
    out.parent.chmod(0o755)
    assert ran.exit_code == 2
    assert "cannot be written: permission denied; what was there is untouched" in ran.stderr
    assert out.read_bytes() == before
