"""The two distributions: what an application gets is small, pure and enough."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
INTENT = "list the files of a folder"


def test_both_distributions_have_one_version() -> None:
    compiler = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = tomllib.loads((ROOT / "runtime_min" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert compiler["version"] == runtime["version"]
    assert f"runtime-min=={runtime['version']}" in compiler["dependencies"]
    assert runtime["dependencies"] == []


def test_the_runtime_resolves_with_nothing_else_on_the_path(artifact: Path) -> None:
    # -I -S: no site-packages, no environment, no current folder; what is left is the standard library.
    script = (
        f"import sys, runpy; sys.path.insert(0, {str(ROOT / 'runtime_min' / 'src')!r});"
        f" sys.argv[1:] = [{str(artifact)!r}, {INTENT!r}]; runpy.run_module('runtime_min', run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, check=False)
    assert run.returncode in (0, 1), run.stderr.decode()
    assert json.loads(run.stdout)["candidates"]


@pytest.mark.slow
def test_the_wheels_are_what_the_design_says(wheels: tuple[Path, Path]) -> None:
    runtime, compiler = wheels
    assert runtime.stat().st_size < 200_000
    inside = zipfile.ZipFile(runtime).namelist()
    metadata = zipfile.ZipFile(runtime).read(next(name for name in inside if name.endswith("METADATA"))).decode()
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert all("extra ==" in line for line in needed), "only what a host asks for by name"
    assert {name.split("/")[0] for name in inside if ".dist-info" not in name} == {"runtime_min"}
    carried = zipfile.ZipFile(compiler).namelist()
    assert {name.split("/")[0] for name in carried if ".dist-info" not in name} == {"smallchatc"}
    assert {f"smallchatc/schemas/{path.name}" for path in (ROOT / "schemas").iterdir()} <= set(carried)
    data = {"smallchatc/py.typed", "smallchatc/data/student-base.enc", "smallchatc/page/template.html"}
    assert data <= set(carried)
    assert "runtime_min/py.typed" in inside


@pytest.mark.slow
def test_an_environment_with_the_runtime_alone_resolves(
    tmp_path: Path, wheels: tuple[Path, Path], artifact: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", wheels[0]], check=True)
    run = subprocess.run([python, "-m", "runtime_min", artifact, INTENT], capture_output=True, check=False)
    assert run.returncode in (0, 1), run.stderr.decode()
    assert json.loads(run.stdout)["candidates"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Both wheels, built as pip builds them."""
    out = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out)]
    run = subprocess.run([*command, "./runtime_min", "."], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode and "No matching distribution found for hatchling" in run.stderr:
        pytest.skip("the build backend cannot be installed here")
    assert run.returncode == 0, run.stderr
    return next(out.glob("runtime_min-*.whl")), next(out.glob("smallchatc-*.whl"))
