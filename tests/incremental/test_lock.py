"""The lock: what an artifact was made of, compared with what the sources are now, here or on another machine."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import invoke, process

from smallchatc.embed import tool_views, vector_key
from smallchatc.lock import read_lock, write_lock
from smallchatc.model import EncoderId
from smallchatc.parse import parse_sources

ROOT = Path(__file__).resolve().parents[2]
MANIFESTS = ROOT / "fixtures" / "manifests"
RUG = json.loads((ROOT / "fixtures" / "world" / "cases" / "060-rug-pull.json").read_text("utf-8"))["input"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One catalogue, compiled."""
    write(tmp_path / "in" / "mail.json", RUG["before"])
    write(tmp_path / "in" / "files.json", {"tools": [{"name": "copy_file", "description": "Copy a file"}]})
    assert compile_here(tmp_path / "in").exit_code == 0
    return tmp_path / "in"


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def compile_here(folder: Path, *options: str) -> Any:
    out = folder.parent / "app.smallchat.db"
    return invoke("compile", folder, "-o", out, *(options or ["--encoder", "small"]))


def check(folder: Path, *options: str) -> tuple[int, list[str]]:
    ran = compile_here(folder, "--check", *(options or ["--encoder", "small"]))
    lock = str(folder.parent / "app.smallchat.lock")
    return ran.exit_code, ran.stdout.replace(lock, "LOCK").splitlines()


def test_unchanged_sources_agree_with_the_lock_alone(folder: Path) -> None:
    (folder.parent / "app.smallchat.db").unlink()
    assert check(folder) == (0, ["LOCK  up to date"])
    assert not (folder.parent / "app.smallchat.db").exists()


def test_060_a_tool_that_says_something_else_is_named(folder: Path) -> None:
    write(folder / "mail.json", RUG["after"])
    assert check(folder) == (
        1,
        [
            "tool mail/send_email has changed",
            "source mail.json has changed",
            "LOCK is stale: 2 differences; compile again",
        ],
    )
    (change,) = json.loads(compile_here(folder, "--check", "--json", "--encoder=small").stdout)["differences"][:1]
    assert (change["kind"], change["name"], len(change["before"])) == ("tool", "mail/send_email", 64)
    assert change["before"] != change["after"]


def test_what_is_new_gone_or_set_otherwise_is_named(folder: Path) -> None:
    (folder / "files.json").rename(folder / "disk.json")
    write(folder / "smallchat.yaml", {"version": 1, "compiler": {"overloadThreshold": 0.9}})
    assert check(folder, "--encoder=base")[1][2:] == [
        "setting overload_threshold is 0.9, was 0.82",
        "provider disk is new",
        "provider files is gone",
        "tool disk/copy_file is new",
        "tool files/copy_file is gone",
        "source disk.json is new",
        "source files.json is gone",
        "LOCK is stale: 9 differences; compile again",
    ]


def test_what_a_project_says_does_not_hold_where_a_source_is_named_and_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "smallchat.yaml", {"output": "here.smallchat.db", "providerHints": {"mail": {"priority": 2}}})
    monkeypatch.chdir(folder)
    assert invoke("compile").exit_code == 0
    assert invoke("compile", "--check").exit_code == 0
    ran = invoke("compile", "mail.json", "files.json", "-o", "here.smallchat.db", "--check")
    assert ran.exit_code == 1
    assert ran.stdout.splitlines()[-1] == "here.smallchat.lock is stale: 2 differences; compile again"
    assert ran.stderr == "smallchat.yaml was not read: what it says does not hold where a SOURCE is named\n"


def test_without_a_lock_and_with_a_broken_one_it_fails(folder: Path) -> None:
    lock = folder.parent / "app.smallchat.lock"
    lock.write_text(lock.read_text("utf-8").replace("tool ", "<<<<<<< HEAD\ntool ", 1), "utf-8")
    ran = compile_here(folder, "--check", "--encoder=small")
    assert ran.exit_code == 2
    assert "is no lock of version 1; compile again, which writes a new one [broken-lock]" in ran.stderr
    assert "it is written anew" in compile_here(folder).stderr
    assert check(folder)[0] == 0
    lock.unlink()
    assert check(folder) == (1, ["LOCK: there is no lock; compile writes one"])


def test_verify_says_whether_the_sources_give_the_artifact(folder: Path) -> None:
    artifact = folder.parent / "app.smallchat.db"
    assert invoke("verify", artifact).exit_code == 0
    ran = invoke("verify", artifact, folder)
    assert (ran.exit_code, ran.stdout.splitlines()[-1]) == (0, "the sources give this artifact")
    write(folder / "mail.json", RUG["after"])
    told = json.loads(invoke("verify", artifact, folder, "--json").stdout)
    assert (told["ok"], told["lock_agrees"], told["sources_give"] == told["digest"]) == (False, True, False)
    assert [each["name"] for each in told["differences"]] == ["mail/send_email", "mail.json"]
    data = bytearray(artifact.read_bytes())
    data[data.index(b"copy_file")] ^= 1
    artifact.write_bytes(data)
    assert invoke("verify", artifact, folder).exit_code == 2


def test_verify_tells_a_lock_of_another_artifact(folder: Path) -> None:
    shutil.copy(folder.parent / "app.smallchat.db", folder.parent / "old.smallchat.db")
    write(folder / "mail.json", RUG["after"])
    compile_here(folder)
    (folder.parent / "old.smallchat.lock").write_bytes((folder.parent / "app.smallchat.lock").read_bytes())
    ran = invoke("verify", folder.parent / "old.smallchat.db")
    assert (ran.exit_code, ran.stdout.splitlines()[-1].partition("lock ")[2]) == (1, "is of another artifact")


def test_locked_vectors_are_those_of_an_artifact_where_their_encoder_is_not(folder: Path) -> None:
    """What the teacher made on one machine is what another one writes, which need not even have it."""
    artifact, place = folder.parent / "app.smallchat.db", folder.parent / "app.smallchat.lock"
    compile_here(folder, "--encoder=base")
    lock = read_lock(place)
    assert lock is not None
    teacher = EncoderId(name="all-MiniLM-L6-v2", dim=256, fingerprint="fe" * 32)
    tools = parse_sources([folder]).catalog.tools
    vectors = {vector_key(teacher, tool_views(tool)): bytes(range(1, 128)) + bytes(129) for tool in tools}
    facts = {**lock.facts, ("encoder", "tools"): f"{teacher.name}:{teacher.fingerprint}"}
    write_lock(replace(lock, facts=facts, vectors=vectors), place)

    first = json.loads(compile_here(folder, "--encoder=auto", "--json").stdout)
    if first["tool_encoder"] != str(teacher):
        pytest.skip("the teacher is installed here, and is what auto means")
    again = read_lock(place)
    assert again is not None
    assert again.vectors == vectors
    assert check(folder, "--encoder=auto")[0] == 0
    assert json.loads(invoke("verify", artifact, folder, "--json").stdout)["ok"]
    place.unlink()
    told = json.loads(invoke("verify", artifact, folder, "--json").stdout)
    assert (told["ok"], told["vectors_borrowed_from"]) == (True, str(teacher))

    write_lock(again, place)
    write(folder / "mail.json", RUG["after"])  # a text without a vector: no mixture, the student makes all of them
    told = json.loads(compile_here(folder, "--encoder=auto", "--json").stdout)
    assert told["tool_encoder"].startswith("base@")


def test_another_machine_makes_the_same_bytes(tmp_path: Path) -> None:
    """Another folder, user, locale, hash seed and number of cores, and files made in another order."""
    made = []
    for name, environment in {
        "here": {"LC_ALL": "C", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "USER": "anna", "TZ": "UTC"},
        "an other/place": {"LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "USER": "berk", "TZ": "Asia/Tokyo"},
    }.items():
        folder = tmp_path / name
        (folder / "m").mkdir(parents=True)
        files = sorted(MANIFESTS.iterdir(), reverse=name == "here")
        for number, file in enumerate(files):
            shutil.copy(file, folder / "m")
            os.utime(folder / "m" / file.name, (number, number))
        ran = process(
            *(
                "compile",
                "m" if name == "here" else folder / "m",
                "-o",
                folder / "a.smallchat.db",
                "--encoder",
                "small",
            ),
            cwd=folder,
            HOME=str(folder),
            SMALLCHAT_CACHE_DIR=str(folder / "cache"),
            **environment,
        )
        assert ran.returncode == 0, ran.stderr
        made.append([(folder / f"a.smallchat.{kind}").read_bytes() for kind in ("db", "lock")])
    assert made[0] == made[1]
    assert sys.platform == "win32" or str(tmp_path).encode() not in b"".join(made[0])
