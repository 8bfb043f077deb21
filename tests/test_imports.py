"""Who may import whom: the direction of docs/architecture.md, read from the sources, and what a start costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = ROOT / "runtime_min" / "src" / "runtime_min"
COMPILER = ROOT / "smallchatc"
HEAVY = (
    "numpy",
    "scipy",
    "sklearn",
    "yaml",
    "jsonschema",
    "jsonschema_rs",
    "openapi_spec_validator",
    "rich",
    "sentence_transformers",
    "torch",
    "sqlite_utils",
    "watchfiles",
    "pydantic",
    "docstring_parser",
    "openai",
    "anthropic",
    "prompt_toolkit",
    "langchain_core",
)
STAGES = ("parse", "servers", "embed", "cluster", "index", "calibrate", "link", "write")


def imported(path: Path, *, top_only: bool = False) -> Iterator[str]:
    """Absolute names of the modules that a file imports; relative imports are made absolute."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = _outside_functions(tree) if top_only else ast.walk(tree)
    package = _package(path)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Statements that run on import: not those of functions, not those for type checkers."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo.extend(node.orelse)
            continue
        yield node
        todo.extend(ast.iter_child_nodes(node))


def _package(path: Path) -> list[str]:
    top = RUNTIME.parent if path.is_relative_to(RUNTIME) else ROOT
    return list(path.relative_to(top).with_suffix("").parts[:-1])


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@pytest.mark.parametrize("path", modules(RUNTIME), ids=names(modules(RUNTIME)))
def test_runtime_imports_the_standard_library_and_itself(path: Path) -> None:
    if {"transports", "adapters"} & set(path.parts):
        pytest.skip("transports and adapters import their own package, inside one function each")
    ours = set(sys.stdlib_module_names) | {"runtime_min"}
    assert {name.split(".")[0] for name in imported(path, top_only=True)} <= ours
    # Inside a function, and only when the host asks for it by name (DESIGN 4.4: Validation).
    asked_for = {"jsonschema"} if path.name == "validation.py" else set()
    assert {name.split(".")[0] for name in imported(path)} <= ours | asked_for


@pytest.mark.parametrize("name", ["format.py", "identity.py", "errors.py"])
def test_the_format_and_its_errors_import_nothing_else_of_ours(name: str) -> None:
    ours = {module for module in imported(RUNTIME / name) if module.startswith("runtime_min")}
    assert {module.split(".")[1] for module in ours if "." in module} <= {"errors", "identity", "named"}


@pytest.mark.parametrize("path", modules(COMPILER), ids=names(modules(COMPILER)))
def test_no_module_of_the_compiler_imports_a_heavy_package_on_import(path: Path) -> None:
    assert not {name.split(".")[0] for name in imported(path, top_only=True)} & set(HEAVY)


@pytest.mark.parametrize("path", modules(COMPILER), ids=names(modules(COMPILER)))
def test_only_the_command_line_and_render_know_the_terminal(path: Path) -> None:
    if path.relative_to(COMPILER).parts[0] in ("cli", "render"):
        return
    assert not {name.split(".")[0] for name in imported(path)} & {"click", "rich"}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_no_other_stage_and_nothing_above_it(stage: str) -> None:
    others = {f"smallchatc.{name}" for name in (*STAGES, "pipeline", "cli", "render", "describe")} - {
        f"smallchatc.{stage}"
    }
    for path in [COMPILER / f"{stage}.py", *modules(COMPILER / stage)]:
        if path.exists():
            used = {".".join(name.split(".")[:2]) for name in imported(path)}
            assert not used & others, path.name


@pytest.mark.parametrize("path", modules(COMPILER), ids=names(modules(COMPILER)))
def test_nothing_below_the_command_line_imports_it(path: Path) -> None:
    parts = path.relative_to(COMPILER).parts
    if parts[0] in ("cli", "__main__.py", "generate.py"):
        return
    assert not any(name.startswith("smallchatc.cli") for name in imported(path))


HELP = ["--help"]
VERSION = ["--version"]


@pytest.mark.parametrize("arguments", [HELP, VERSION, ["resolve", "--help"], ["compile", "--help"], ["test", "--help"]])
def test_help_imports_no_heavy_package(arguments: list[str]) -> None:
    assert heavy_modules_of(arguments) == set()


def test_resolve_imports_no_heavy_package(artifact: Path) -> None:
    assert heavy_modules_of(["resolve", str(artifact), "list the files of a folder", "--explain"]) == set()


def test_inspect_imports_no_heavy_package(artifact: Path) -> None:
    assert heavy_modules_of(["inspect", str(artifact), "--providers", "--overloads"]) == set()


def heavy_modules_of(arguments: list[str]) -> set[str]:
    """Which heavy packages a command imports, asked of the interpreter itself."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "smallchatc", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr[-2000:]
    loaded = {
        line.rsplit("|", 1)[1].strip().split(".")[0]
        for line in run.stderr.splitlines()
        if line.startswith("import time:")
    }
    assert "smallchatc" in loaded
    return loaded & set(HEAVY)
