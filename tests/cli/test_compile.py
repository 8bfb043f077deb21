"""`smallchatc compile`: exit codes, what is written and what is not, and the same bytes always."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import ROOT, invoke

NOBODY = 65534
MANIFESTS = ROOT / "fixtures" / "manifests"

GOOD = {"tools": [{"name": "read_file", "description": "Read a file", "inputSchema": {"type": "object"}}]}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.json"
    path.write_text(json.dumps(GOOD))
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.smallchat.db"


def test_the_summary_counts_what_json_counts(out: Path) -> None:
    text = invoke("compile", MANIFESTS, "-o", out, "--encoder", "base")
    told = json.loads(invoke("compile", MANIFESTS, "-o", out, "--encoder", "base", "--json", "--no-cache").stdout)
    assert text.exit_code == 0, text.stderr
    for name in ("providers", "tools", "selectors", "overloads", "collisions"):
        line = next(line for line in text.stdout.splitlines() if line.split()[:1] == [name])
        assert line.split()[1] == f"{told[name]:,}"
    assert told["digest"] in text.stdout
    assert told["bytes"] == out.stat().st_size
    assert set(told["seconds"]) == {"parse", "embed", "cluster", "index", "calibrate", "link"}
    inspected = json.loads(invoke("inspect", out, "--json").stdout)
    assert {key: inspected[key] for key in ("digest", "tools", "bytes")} == {
        key: told[key] for key in ("digest", "tools", "bytes")
    }


def test_sources_may_be_options(good: Path, out: Path) -> None:
    assert invoke("compile", "--source", good, "--output", out).exit_code == 0


def test_a_catalogue_may_come_through_stdin(out: Path) -> None:
    result = invoke("compile", "-", "-o", out, "--json", stdin=json.dumps(GOOD))
    assert (result.exit_code, json.loads(result.stdout)["tools"]) == (0, 1)


def test_a_broken_source_writes_nothing_and_leaves_what_was_there(tmp_path: Path, good: Path, out: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    assert invoke("compile", good, "-o", out).exit_code == 0
    before = out.read_bytes()
    result = invoke("compile", good, broken, "-o", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "broken.json:1:" in result.stderr
    assert "[bad-json]" in result.stderr
    assert out.read_bytes() == before


def test_the_document_of_a_failure_has_its_diagnostics(tmp_path: Path, out: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    result = invoke("compile", broken, "-o", out, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["artifact"], told["tools"]) == (2, None, 0)
    [fault] = told["diagnostics"]
    assert (fault["slug"], fault["severity"], fault["line"]) == ("bad-json", "error", 1)
    assert not out.exists()


def test_keep_going_writes_what_is_sound_and_exits_1(tmp_path: Path, good: Path, out: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    result = invoke("compile", good, broken, "-o", out, "--keep-going", "--json")
    assert (result.exit_code, json.loads(result.stdout)["tools"]) == (1, 1)
    assert out.exists()


def test_strict_turns_warnings_into_errors_and_writes_nothing(tmp_path: Path, out: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_text(json.dumps([{"name": "a", "inputSchema": {"type": "object"}}]))  # missing-description
    assert invoke("compile", odd, "-o", out).exit_code == 0
    before = out.read_bytes()
    out.write_bytes(before + b"as it was")
    result = invoke("compile", odd, "-o", out, "--strict")
    assert result.exit_code == 2
    assert "missing-description" in result.stderr
    assert out.read_bytes() == before + b"as it was"


def test_a_missing_output_folder_is_trouble_with_a_next_move(good: Path, tmp_path: Path) -> None:
    result = invoke("compile", good, "-o", tmp_path / "no" / "such" / "out.smallchat.db")
    assert result.exit_code == 2
    assert "create it first" in result.stderr


def test_a_source_given_as_the_output_by_mistake_is_not_lost(good: Path) -> None:
    before = good.read_bytes()
    result = invoke("compile", good, "-o", good)
    assert (result.exit_code, good.read_bytes()) == (2, before)
    assert "is no artifact, and is not replaced by one" in result.stderr


def test_the_project_file_decides_what_was_not_asked_for(tmp_path: Path, good: Path, out: Path) -> None:
    (tmp_path / "smallchat.yaml").write_text(
        "sources: [good.json]\noutput: named.smallchat.db\ncompiler: {encoder: base, overloadThreshold: 0.9}\n"
    )
    assert invoke("compile", tmp_path).exit_code == 0
    told = json.loads(invoke("inspect", tmp_path / "named.smallchat.db", "--json").stdout)
    assert (told["meta"]["overload_threshold"], told["tools"]) == ("0.9", 1)
    assert invoke("compile", tmp_path, "--overload-threshold", "0.7", "-o", out).exit_code == 0
    assert json.loads(invoke("inspect", out, "--json").stdout)["meta"]["overload_threshold"] == "0.7"


def test_the_project_of_this_folder_is_the_default_source(
    tmp_path: Path, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoke("compile").exit_code == 2
    (tmp_path / "smallchat.yaml").write_text("sources: [good.json]\noutput: named.smallchat.db\n")
    assert invoke("compile").exit_code == 0
    assert (tmp_path / "named.smallchat.db").exists()


def test_no_output_anywhere_is_a_question_about_usage(good: Path) -> None:
    result = invoke("compile", good)
    assert result.exit_code == 2
    assert "--output" in result.stderr


def test_an_output_inside_a_source_folder_is_not_read_as_one(tmp_path: Path, good: Path) -> None:
    inside = tmp_path / "inside.smallchat.db"
    first = json.loads(invoke("compile", tmp_path, "-o", inside, "--json").stdout)
    second = json.loads(invoke("compile", tmp_path, "-o", inside, "--json").stdout)
    assert first["digest"] == second["digest"]
    assert second["diagnostics"] == first["diagnostics"]


def test_sources_in_another_order_and_folder_give_the_same_bytes(tmp_path: Path) -> None:
    files = sorted(path for path in MANIFESTS.iterdir() if path.is_file())
    moved = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(MANIFESTS, moved)
    one, two, three = (tmp_path / f"{name}.smallchat.db" for name in ("one", "two", "three"))
    assert invoke("compile", MANIFESTS, "-o", one).exit_code == 0
    assert invoke("compile", moved, "-o", two).exit_code == 0
    assert invoke("compile", *reversed([moved / path.name for path in files]), "-o", three).exit_code == 0
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() == three.read_bytes()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project of one folder of tools."""
    folder = tmp_path / "repository"
    (folder / "tools" / "more").mkdir(parents=True)
    (folder / "tools" / "good.json").write_text(json.dumps(GOOD))
    (folder / "tools" / "more" / "clock.json").write_text(json.dumps({"tools": [{"name": "now"}]}))
    (folder / "smallchat.yaml").write_text("sources: [tools]\noutput: project.smallchat.db\n")
    return folder


@pytest.mark.parametrize(
    ("here", "sources"),
    [
        (".", ["tools"]),
        (".", ["tools/good.json", "tools/more/clock.json"]),
        ("tools", ["."]),
        ("tools", ["../tools"]),
        ("tools/more", ["../good.json", "clock.json"]),
    ],
)
def test_a_source_has_the_name_that_its_project_gives_it_however_it_is_named(
    repository: Path, out: Path, here: str, sources: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invoke("compile", repository).exit_code == 0
    monkeypatch.chdir(repository / here)
    assert invoke("compile", *sources, "-o", out).exit_code == 0
    project = repository / "project.smallchat.db"
    assert out.read_bytes() == project.read_bytes()
    ran = invoke("compile", *sources, "-o", project, "--check")
    assert (ran.exit_code, ran.stderr) == (0, "")


def test_a_project_file_that_appears_above_a_source_gives_it_another_name(repository: Path, out: Path) -> None:
    def places() -> list[str]:
        told = json.loads(invoke("compile", repository / "tools", "-o", out, "--verbose", "--json").stdout)
        return sorted({each["file"] for each in told["diagnostics"]})

    project = (repository / "smallchat.yaml").read_text()
    (repository / "smallchat.yaml").unlink()
    assert places() == ["more/clock.json"]
    (repository / "smallchat.yaml").write_text(project)
    assert places() == ["tools/more/clock.json"]


def test_a_source_that_only_a_link_puts_into_a_project_keeps_its_own_name(
    repository: Path, tmp_path: Path, out: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "clock.json").write_text(json.dumps({"tools": [{"name": "now"}]}))
    (repository / "linked").symlink_to(tmp_path / "elsewhere")
    told = json.loads(invoke("compile", repository / "linked", "-o", out, "--json").stdout)
    assert {each["file"] for each in told["diagnostics"]} == {"clock.json"}


ELSEWHERE: dict[str, dict[str, str]] = {
    "another locale and zone": {"LC_ALL": "C", "LANG": "C", "TZ": "Pacific/Apia"},
    "another language": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONUTF8": "1"},
    "another hash seed": {"PYTHONHASHSEED": "77"},
    "other cores": {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
}


@pytest.mark.parametrize("what", [*ELSEWHERE, "another user", "one core", "another mask of files"])
def test_a_compile_elsewhere_gives_the_same_bytes(tmp_path: Path, artifact: Path, what: str) -> None:
    away = tmp_path / "a home" / "deeper"
    shutil.copytree(MANIFESTS, away)
    out = away.parent / "out.smallchat.db"
    how: dict[str, Any] = {}
    if what == "another user":
        if sys.platform == "win32" or os.geteuid() != 0:
            pytest.skip("only root may become somebody else")
        for place in (tmp_path, away.parent, away, *away.rglob("*")):
            os.chown(place, NOBODY, NOBODY)
        for place in (tmp_path, *tmp_path.parents):  # the folders of a test are for its user alone
            if place.stat().st_uid in (0, NOBODY) and place.name.startswith(("pytest-", tmp_path.name)):
                place.chmod(place.stat().st_mode | 0o011)
        how = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    elif what == "one core":
        if not hasattr(os, "sched_setaffinity"):
            pytest.skip("cores cannot be taken away here")
        how = {"preexec_fn": lambda: os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])}
    elif what == "another mask of files":
        how = {"umask": 0o077}
    environment = {"HOME": str(away.parent), "SMALLCHAT_CACHE_DIR": str(away.parent / "cache")}
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "smallchatc", "compile", "deeper", "-o", out, "--encoder", "base"],
            cwd=away.parent,
            env={**os.environ, **environment, **ELSEWHERE.get(what, {})},
            capture_output=True,
            check=False,
            **how,
        )
    except PermissionError:
        pytest.skip("another user may not run this Python")
    if what == "another user" and b"No module named" in ran.stderr:
        pytest.skip("another user may not read this Python's packages")
    assert ran.returncode == 0, ran.stderr.decode()
    assert out.read_bytes() == artifact.read_bytes()
