"""Watch: an artifact follows its sources through everything that editors and tools do to files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import invoke
from watching import Watching

from runtime_min import ToolRuntime

ROOT = Path(__file__).resolve().parents[2]
CASES = {path.stem[:3]: path for path in (ROOT / "fixtures" / "world" / "cases").iterdir()}


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    write(tmp_path / "in" / "mail.json", ["send_mail", "read_mail"])
    each = Watching(tmp_path / "in")
    try:
        assert each.round()["tools"] == 2
        time.sleep(1.5)  # the first quiet look is over: from here on only events wake it
        yield each
    finally:
        each.end()


def text(names: list[str], words: str = "Handles") -> str:
    return json.dumps({"tools": [{"name": name, "description": f"{words} {name}"} for name in names]})


def write(path: Path, names: list[str], words: str = "Handles") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(names, words), "utf-8")


def clean(folder: Path) -> bytes:
    out = folder.parent / "clean.smallchat.db"
    assert invoke("compile", folder, "-o", out, "--encoder", "small", "--no-cache").exit_code == 0
    return out.read_bytes()


def test_it_follows_edits_saves_broken_files_and_folders(watching: Watching) -> None:
    folder, mail = watching.folder, watching.folder / "mail.json"
    runtime = ToolRuntime.open(watching.out, watch=0.01)

    write(mail, ["send_mail", "read_mail"], words="Sends or reads")  # in place
    told = watching.round()
    assert {change["subject"] for change in told["changes"]} == {"mail/send_mail", "mail/read_mail"}
    assert {change["kind"] for change in told["changes"]} == {"description-changed-silently"}

    write(folder / ".mail.json.swp", ["x"])  # a save as vim and many others do it
    (folder / "4913").touch()
    (folder / "4913").unlink()
    mail.rename(folder / "mail.json~")
    write(mail, ["send_mail", "read_mail", "delete_mail"])
    (folder / "mail.json~").unlink()
    assert watching.until(3)["ok"]
    time.sleep(0.1)
    assert runtime.resolve("delete_mail").tool == "mail/delete_mail"

    good = watching.out.read_bytes()
    mail.write_text(text(["send_mail"])[:30])  # half written
    told = watching.round()
    assert (told["ok"], [d["slug"] for d in told["diagnostics"] if d["severity"] == "error"]) == (False, ["bad-json"])
    assert watching.out.read_bytes() == good
    write(mail, ["send_mail"])
    assert watching.until(1)["ok"]

    write(folder / "deep" / "er" / "files.json", ["copy_file"])  # folders that were not there
    assert watching.until(2)["ok"]
    write(folder / "deep" / "er" / "files.json", ["copy_file", "move_file"])
    assert watching.until(3)["ok"]

    (folder / "smallchat.yaml").write_text("version: 1\nproviderHints: {mail: {exclude: true}}\n")
    assert watching.until(2)["ok"]

    shutil.rmtree(folder)  # as a checkout of another branch does
    assert not watching.round()["ok"]
    write(folder / "other.json", ["a_tool", "b_tool", "c_tool", "d_tool"])
    assert watching.until(4)["ok"]
    assert watching.out.read_bytes() == clean(folder)


@pytest.mark.parametrize(
    ("number", "gone", "new"), [("045", "old_report", "new_report"), ("046", "alpha_search", "beta_search")]
)
def test_045_046_what_a_list_no_longer_has_is_gone(watching: Watching, number: str, gone: str, new: str) -> None:
    given = json.loads(CASES[number].read_text("utf-8"))["input"]
    before, after = (given[side].get("search.json", given[side]) for side in ("before", "after"))
    (watching.folder / "mail.json").write_text(json.dumps(before))
    watching.round()
    runtime = ToolRuntime.open(watching.out, watch=0.01)
    asked = given.get("resolve_after", [f"{gone.split('_')[0]} search"])[0]
    assert runtime.resolve(gone).tool == f"mail/{gone}"
    runtime.resolve(asked)
    (watching.folder / "mail.json").write_text(json.dumps(after))
    told = watching.round()
    assert {(change["kind"], change["subject"]) for change in told["changes"]} >= {
        ("tool-removed", f"mail/{gone}"),
        ("tool-added", f"mail/{new}"),
    }
    time.sleep(0.1)
    assert runtime.resolve(asked).tool in (f"mail/{new}", None)
    assert gone not in runtime.generate_header(budget=1000)
    assert all(candidate.tool != f"mail/{gone}" for candidate in runtime.resolve(gone).candidates)


@pytest.mark.slow
def test_a_storm_and_a_minute_of_edits_cost_a_few_compiles_and_leave_nothing_behind() -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("what a process holds is read from /proc")
    ran = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "soak_watch.py"), "--seconds", "60", "--json"],
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    assert json.loads(ran.stdout)["faults"] == []
