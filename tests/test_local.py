"""Python functions by reference: what the command line names is imported, and nothing else ever is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from running import process

from runtime_min import InvalidArguments, ToolRuntime
from runtime_min.local_provider import LocalProvider
from smallchatc.diagnostics import CompileError
from smallchatc.local import record_functions, tools_of
from smallchatc.parse import Parsed, parse_sources

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "functions"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with the module, as the current one."""
    (tmp_path / "orders.py").write_bytes((FOLDER / "orders.py").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "orders", None)
    monkeypatch.delitem(sys.modules, "orders")
    return tmp_path


def read(reference: str) -> Parsed:
    return parse_sources([record_functions(reference)])


def schema(parsed: Parsed, name: str) -> Any:
    (tool,) = [tool for tool in parsed.catalog.tools if tool.name == name]
    return json.loads(tool.definition)["inputSchema"]


@pytest.mark.usefixtures("here")
def test_the_public_functions_of_a_module_are_a_local_provider() -> None:
    parsed = read("orders")
    assert [tool.path for tool in parsed.catalog.tools] == [
        "orders/awkward", "orders/find", "orders/send", "orders/untyped",
    ]  # fmt: skip
    (provider,) = parsed.catalog.providers
    assert (provider.transport, provider.description) == ({"type": "local"}, "Orders of a shop.")


@pytest.mark.usefixtures("here")
def test_a_signature_and_its_docstring_are_a_tool() -> None:
    parsed = read("orders:find,send")
    find, send = parsed.catalog.tools
    assert find.description == "Find orders by what they hold.\n\nReads only."
    assert schema(parsed, "find") == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "words to look for"},
            "state": {"$ref": "#/$defs/State", "description": "where the order stands", "default": "open"},
            "limit": {"type": "integer", "description": "how many at most", "default": 20},
        },
        "required": ["text"],
        "additionalProperties": False,
        "$defs": {
            "State": {
                "title": "State", "type": "string", "enum": ["open", "sent"], "description": "Where an order stands.",
            }
        },
    }  # fmt: skip
    assert {arg.name: (arg.code, arg.enum) for arg in find.args}["state"] == ("s", ("open", "sent"))
    assert [(p.name, p.code, p.required) for p in send.signatures[0].params] == [
        ("order", "n", True),
        ("to", "o", True),
        ("via", "s", False),
    ]
    assert not send.signatures[0].closed
    assert "outputSchema" in json.loads(send.definition)
    assert "outputSchema" not in json.loads(find.definition)


@pytest.mark.usefixtures("here")
def test_types_may_stand_in_the_docstring_only() -> None:
    properties = schema(read("orders:untyped"), "untyped")["properties"]
    assert properties["order"] == {"type": "integer", "description": "the order's number"}
    assert properties["amount"] == {"type": "number", "description": "all of it when missing", "default": None}


@pytest.mark.usefixtures("here")
def test_what_json_cannot_say_is_any_and_named() -> None:
    parsed = read("orders:awkward")
    assert schema(parsed, "awkward")["properties"] == {"handle": {}, "tags": {}}
    said = [(d.slug, d.message.partition(" (")[0]) for d in parsed.diagnostics]
    assert said == [
        ("function-annotation", "tool 'awkward': parameter 'handle' has a type that JSON cannot say"),
        ("function-by-position", "tool 'awkward': parameter 'first' cannot be given by name; left out"),
        ("missing-description", "tool 'awkward': it has no description"),
    ]


@pytest.mark.usefixtures("here")
def test_a_place_is_that_of_the_function_and_says_nothing_of_the_machine() -> None:
    (tool,) = read("orders:find").catalog.tools
    lines = (FOLDER / "orders.py").read_text("utf-8").splitlines()
    assert (tool.span.file, lines[tool.span.line - 1][:9]) == ("orders.py", "def find(")


@pytest.mark.parametrize(
    ("reference", "message", "hint"),
    [
        ("ordres", "there is no module 'ordres'", "write it as in an import"),
        ("orders:fnd", "module 'orders' has no 'fnd'", "did you mean 'find'?"),
        ("orders:State", "'State' of module 'orders' is not a function", "name a function"),
        ("orders:FOLDER", "module 'orders' has no 'FOLDER'", "known: "),
        ("", "'' is not the name of a module", "write MODULE"),
        (".orders", "'.orders' is not the name of a module", "write MODULE"),
        ("broken", "importing 'broken' failed: ValueError: no", "see `python -c 'import broken'`"),
        ("leaves", "importing 'leaves' failed: SystemExit: 3", "see `python -c 'import leaves'`"),
        ("needs", "importing 'needs' failed: ModuleNotFoundError: No module named 'absent_one'", "see `python"),
        ("hollow", "module 'hollow' defines no public function", "name one: MODULE:FUNCTION"),
    ],
)
def test_what_cannot_be_had_is_said(here: Path, reference: str, message: str, hint: str) -> None:
    (here / "broken.py").write_text("raise ValueError('no')")
    (here / "leaves.py").write_text("import sys; sys.exit(3)")
    (here / "needs.py").write_text("import absent_one")
    (here / "hollow.py").write_text("from textwrap import dedent")
    with pytest.raises(CompileError) as raised:
        read(reference)
    first = next(d for d in raised.value.diagnostics if d.slug == "function-import")
    assert (first.message, first.hint[: len(hint)]) == (message, hint)


def test_the_command_line_imports_what_it_names_and_keeps_stdout_clean(here: Path) -> None:
    run = process(
        "compile", "--functions", "orders:find", "-o", "a.smallchat.db", "--encoder", "base", "--json", cwd=here
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["tools"] == 1
    assert b"a module may print" in run.stderr


@pytest.mark.parametrize("name", ["orders", "orders:find", "orders.py"])
def test_a_source_never_imports(here: Path, name: str) -> None:
    (here / "smallchat.yaml").write_text(f"sources: ['{name}']\n")
    for source in (name, "."):
        run = process("compile", source, "-o", "a.smallchat.db", cwd=here)
        assert run.returncode == 2
        assert b"a module may print" not in run.stderr


def test_a_source_written_like_a_reference_hints_at_the_option(here: Path) -> None:
    with pytest.raises(CompileError) as raised:
        parse_sources(["orders:find"])
    assert raised.value.diagnostics[-1].hint == "for Python functions say --functions orders:find"


def test_bytes_do_not_depend_on_the_process(here: Path) -> None:
    outs = []
    for seed in ("1", "2"):
        out = here / f"{seed}.smallchat.db"
        run = process("compile", "--functions", "orders", "-o", out, "--encoder", "base", cwd=here, PYTHONHASHSEED=seed)
        assert run.returncode == 0, run.stderr
        outs.append(out.read_bytes())
    assert outs[0] == outs[1]


SHOP = '''
from runtime_min.local_provider import LocalProvider

shop = LocalProvider("shop", "Orders of a shop.")

@shop.tool
def cancel(order: str) -> str:
    """Cancel an order.

    Args:
        order: which one
    """
    return f"cancelled {order}"

@shop.tool(name="find-orders", read_only=True)
def find(text: str, limit: int = 20) -> list[str]:
    """Find orders by what they hold."""
    return [text] * limit
'''


def test_decorated_functions_are_a_provider_that_is_compiled_and_called(here: Path) -> None:
    (here / "counter.py").write_text(SHOP)
    made = process("compile", "--functions", "counter:shop", "-o", "shop.smallchat.db", cwd=here)
    assert made.returncode == 0, made.stderr.decode()
    # What says that it only reads is not asked about.
    call = ("call", "shop.smallchat.db", "find orders by what they hold", "text=soap", "limit=2")
    ran = process(*call, "--bind", "shop=counter:shop", cwd=here)
    assert (ran.returncode, json.loads(ran.stdout)) == (0, ["soap", "soap"])
    ran = process("call", "shop.smallchat.db", "shop/cancel", "order=7", "--bind", "shop=counter:shop", cwd=here)
    assert (ran.returncode, "[declined]" in ran.stderr.decode()) == (1, True)


def test_a_plain_module_is_compiled_and_bound_by_its_name(here: Path) -> None:
    (here / "desk.py").write_text(
        'from os import system\n\ndef greet(name: str) -> str:\n    """Greet somebody."""\n    return f"hello {name}"\n'
    )
    made = process("compile", "--functions", "desk", "-o", "desk.smallchat.db", cwd=here)
    assert made.returncode == 0, made.stderr.decode()
    ran = process("call", "desk.smallchat.db", "desk/greet", "name=Ada", "--bind", "desk=desk", "--yes", cwd=here)
    assert (ran.returncode, ran.stdout) == (0, b"hello Ada\n"), ran.stderr.decode()


def test_decorated_functions_are_laid_over_a_runtime(artifact: Path) -> None:
    shop = LocalProvider("shop")

    @shop.tool(idempotent=True)
    def cancel(order: int, *, why: str = "") -> str:
        """Cancel an order of the shop."""
        return f"cancelled {order}"

    with pytest.raises(ValueError, match="shop has a tool 'cancel' already"):
        shop.tool(cancel)
    assert cancel(order=1) == "cancelled 1"
    runtime = ToolRuntime.open(artifact)
    runtime.overlay(tools_of(shop), provider="shop")
    runtime.bind_provider("shop", shop)
    assert runtime.sync.dispatch("shop.cancel", {"order": 7}).content == "cancelled 7"
    assert runtime.snapshot.proxy("shop/cancel").is_idempotent
    with pytest.raises(InvalidArguments, match="/order: mismatch"):
        runtime.sync.dispatch("shop.cancel", {"order": "x"})
    runtime.close()
