"""Trust: nothing that an artifact names is started, contacted or read before the host has allowed it."""

from __future__ import annotations

import ast
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running import invoke

from runtime_min import NotTrusted, ToolRuntime
from runtime_min.access import access_of
from runtime_min.artifact import open_artifact
from runtime_min.trust import Allow, is_trusted, revoke, trust, trusted

SOURCES = Path(__file__).resolve().parents[2] / "runtime_min" / "src"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHAT_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def asking(compiled: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artifact that asks for something of every kind; whoever starts it leaves a trace."""
    tool = {"name": "go", "description": "Go somewhere"}
    trace = tmp_path_factory.mktemp("trace") / "started"
    program = ["-c", f"open({str(trace)!r}, 'w')"]
    started = {"type": "mcp", "command": sys.executable, "args": program, "env": {"KEY": "${KEY}"}}
    remote = {"type": "mcp", "url": "https://mcp.example.com:8443/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}
    path: Path = compiled(
        {"id": "started", "transport": started, "tools": [tool]},
        {"id": "remote", "transport": remote, "tools": [tool]},
        {"id": "api", "transport": {"type": "rest", "url": "https://api.example.com/v1"}, "tools": [tool]},
        {"id": "here", "transport": {"type": "local"}, "tools": [tool]},
    )
    return path


def trace_of(path: Path) -> Path:
    line = access_of(open_artifact(path))["started"].record["args"][1]
    return Path(ast.literal_eval(line[line.index("(") + 1 : line.index(",")]))


class Watched(dict[str, str]):
    """An environment that knows what was read of it."""

    def __init__(self) -> None:
        super().__init__(os.environ, KEY="1", TOKEN="2")
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.seen.add(name)
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("nobody may look through all of the environment")


def test_what_an_artifact_asks_for_is_listed(asking: Path) -> None:
    needs = access_of(open_artifact(asking))
    assert needs["started"].command.startswith(f"{sys.executable} -c ")
    assert needs["started"].variables == ("KEY",)
    assert needs["remote"].urls == ("https://mcp.example.com:8443/mcp",)
    assert needs["remote"].variables == ("TOKEN",)
    assert needs["api"].urls == ("https://api.example.com/v1",)
    assert not needs["here"].asks


def test_without_trust_all_that_is_missing_is_named(asking: Path) -> None:
    with pytest.raises(NotTrusted, match=r"nobody has allowed .* to reach api, remote, started$") as raised:
        ToolRuntime.open(asking).connect()
    assert raised.value.hint.startswith("look at it and allow it: smallchatc trust app.smallchat.db")
    with pytest.raises(NotTrusted) as raised:
        ToolRuntime.open(asking).connect(Allow(hosts=["api.example.com", "mcp.example.com"], env=["KEY"]))
    said = str(raised.value)
    assert "remote: contact mcp.example.com:8443; remote: read $TOKEN; started: run " in said
    assert "api" not in said.partition("not allowed: ")[2]


async def test_nothing_is_started_or_read_before_it_is_allowed(asking: Path) -> None:
    trace, env = trace_of(asking), Watched()
    async with ToolRuntime.open(asking) as runtime:
        runtime.connect(env=env, deferred=True)
        for tool in ("started/go", "remote/go"):
            with pytest.raises(NotTrusted):
                await runtime.send(tool, {})
            events = [event async for event in runtime.dispatch_stream(tool, {})]
            assert events[-1].to_dict()["code"] == "not-trusted"
        assert (env.seen, trace.exists()) == (set(), False)
        trust(runtime.artifact)
        with pytest.raises(Exception, match="cannot be reached"):  # it leaves its trace and ends: it is no server
            await runtime.send("started/go", {})
    assert trace.exists()
    assert env.seen - {"KEY"} <= set(os.environ), "only what a program needs to run at all, and what was named"
    trace.unlink()


def test_an_allow_names_command_lines_hosts_and_variables(asking: Path) -> None:
    runtime = ToolRuntime.open(asking)
    command = access_of(runtime.artifact)["started"].command
    hosts = ["api.example.com", "MCP.example.com:8443"]
    runtime.connect(Allow(commands=[command], hosts=hosts, env=["KEY", "TOKEN"]))
    runtime.connect(Allow(hosts=["api.example.com"]), providers=["api", "here"])
    with pytest.raises(TypeError, match="commands is a list of texts"):
        Allow(commands=command)


def test_what_could_turn_a_command_into_another_is_part_of_its_line(compiled: Callable[..., Path]) -> None:
    transport = {"type": "mcp", "command": "python3", "args": ["server.py"], "cwd": "/srv/my tools"}
    path = compiled({"id": "p", "transport": transport, "tools": [{"name": "go", "description": "Go"}]})
    assert access_of(open_artifact(path))["p"].command == "cd '/srv/my tools' && python3 server.py"
    tampered = path.with_name("tampered.db")
    shutil.copy(path, tampered)
    transport |= {"env": {"LD_PRELOAD": "/tmp/x.so"}}
    _write(tampered, json.dumps(transport))
    assert access_of(open_artifact(tampered))["p"].command.startswith("cd '/srv/my tools' && LD_PRELOAD=/tmp/x.so ")


def test_a_digest_is_trusted_until_it_is_revoked(asking: Path) -> None:
    artifact = open_artifact(asking)
    assert not is_trusted(artifact)
    trust(artifact)
    assert is_trusted(artifact)
    ToolRuntime.open(asking).connect()
    assert trusted() == {artifact.digest: "app.smallchat.db"}
    assert revoke(artifact.digest[:10]) == artifact.digest
    assert not is_trusted(artifact)
    assert revoke("") is None


def test_a_file_that_was_changed_behind_its_digest_is_not_trusted(asking: Path, tmp_path: Path) -> None:
    trust(open_artifact(asking))
    tampered = tmp_path / "tampered.db"
    shutil.copy(asking, tampered)
    _write(tampered, json.dumps({"type": "mcp", "command": "evil"}))
    assert open_artifact(tampered).digest == open_artifact(asking).digest
    with pytest.raises(NotTrusted):
        ToolRuntime.open(tampered).connect()


def _write(path: Path, transport: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE provider SET transport = ? WHERE name IN ('p', 'started')", (transport,))
    connection.commit()
    connection.close()


def test_trust_on_the_command_line(asking: Path) -> None:
    shown = invoke("trust", asking)
    assert shown.exit_code == 2
    for line in ("$KEY", "$TOKEN", "https://mcp.example.com:8443/mcp", "https://api.example.com/v1", sys.executable):
        assert line in shown.stdout
    assert "give --yes" in shown.stderr
    told = json.loads(invoke("trust", asking, "--json").stdout)
    assert (told["trusted"], len(told["asks"])) == (False, 3)
    assert invoke("trust", asking, "--yes").exit_code == 0
    assert invoke("trust", "--list").stdout == f"{told['digest'][:12]}  app.smallchat.db\n"
    assert invoke("trust", "--revoke", asking).exit_code == 0
    assert invoke("trust", "--list").exit_code == 1
    assert invoke("trust", asking, "--list").exit_code == 2


def test_the_folder_of_trust_is_the_users_own(asking: Path, tmp_path: Path) -> None:
    trust(open_artifact(asking))
    assert [place.name for place in (tmp_path / "config" / "trusted").iterdir()] == [
        f"{open_artifact(asking).digest}.json"
    ]


WAYS = {
    "a process": ("subprocess", "open_process", "create_subprocess_exec", "create_subprocess_shell", "system", "popen",
                  "execv", "execve", "execvp", "spawnv", "posix_spawn", "startfile", "pty", "multiprocessing"),
    "a connection": ("socket", "create_connection", "open_connection", "urlopen", "http.client", "urllib.request",
                     "httpx2", "ftplib", "smtplib", "xmlrpc", "streamable_http_client", "sse_client", "openai",
                     "anthropic"),
    "the environment": ("environ", "environb", "getenv", "getenvb"),
    "code by name": ("import_module", "__import__", "eval", "exec", "runpy", "ctypes", "pickle", "marshal", "shelve",
                     "compile_command", "load_module", "exec_module"),
}  # fmt: skip
GATES = {
    "runtime_min/transports/child.py": {"a process"},
    "runtime_min/transports/web.py": {"a connection"},
    "runtime_min/transports/session.py": {"a connection"},
    "runtime_min/transports/http.py": {"a connection"},
    "runtime_min/transports/model.py": {"a connection"},  # only the names of its errors: the client is the host's own
    "runtime_min/transports/openai.py": {"a connection"},  # the same
    "runtime_min/transports/anthropic.py": {"a connection"},
    "runtime_min/runtime.py": {"the environment"},  # the default of `connect(env=)`, read by the gate alone
    "runtime_min/__init__.py": {"code by name"},  # its own modules, by names that are written there
    "runtime_min/pattern.py": {"code by name"},  # the parser of `re`, by a name that is written there
    "runtime_min/trust.py": {"the environment"},  # where the user's own folder is
}
"""Which module of the runtime may do what; each has been read for it."""


@pytest.mark.parametrize("name", sorted(str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py")))
def test_no_module_of_the_runtime_goes_around_the_gate(name: str) -> None:
    used = set(_names(ast.parse((SOURCES / name).read_text("utf-8"))))
    for what, names in WAYS.items():
        if what not in GATES.get(name, set()):
            assert not used & set(names), f"{name} reaches for {what}"


COMPILER = Path(__file__).resolve().parents[2] / "smallchatc"
DOORS = tuple(f"runtime_min.transports{each}" for each in ("", ".child", ".session", ".mcp", ".web", ".http", ".link"))
WAYS_OF_THE_COMPILER = {**WAYS, "a server": DOORS}
OPENED = {
    "servers/child.py": {"the environment", "a server"},  # of what is inherited, as the runtime's gate has it
    "servers/conversation.py": {"a server"},  # asks those that whoever compiles named
    "servers/web.py": {"a connection"},
    "servers/failure.py": {"a connection"},  # only the names of its errors
    "serve/web.py": {"a connection"},  # listens
    "diff/given.py": {"a process"},  # git, for revisions that were given
    "local.py": {"code by name"},  # modules that --functions names
    "running.py": {"code by name"},  # modules that --bind names
    "servers/course.py": {"a server"},  # only the size of a message
    "servers/kept.py": {"a server"},  # hears those that were named
    "cli/group.py": {"code by name", "the environment"},  # its own commands; whether to use colours
    "cache.py": {"the environment"},  # where the user's own folder is
    "render/workflow.py": {"the environment"},  # where a runner has its checkout
    "job.py": {"the environment"},  # handed on to who asks servers that were named
    "cli/init.py": {"the environment"},  # the same
    "cli/snapshot.py": {"the environment"},
    "cli/repl.py": {"the environment"},  # where its history lies
    "cli/serve.py": {"the environment"},  # the bearer token, by the name that was given
}
"""The same for the compiler, which starts and asks what whoever runs it named, and never what an artifact names."""


@pytest.mark.parametrize("name", sorted(path.relative_to(COMPILER).as_posix() for path in COMPILER.rglob("*.py")))
def test_no_module_of_the_compiler_goes_around_the_gate(name: str) -> None:
    used = set(_names(ast.parse((COMPILER / name).read_text("utf-8"))))
    for what, names in WAYS_OF_THE_COMPILER.items():
        if what not in OPENED.get(name, set()):
            assert not used & set(names), f"{name} reaches for {what}"


def test_every_module_that_may_do_something_still_does_it() -> None:
    """A way in that nobody uses any more is closed again."""
    for name, allowed in OPENED.items():
        used = set(_names(ast.parse((COMPILER / name).read_text("utf-8"))))
        assert {what for what, names in WAYS_OF_THE_COMPILER.items() if used & set(names)} == allowed, name


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that code uses, imports or looks up by a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in (alias.name, alias.name.split(".")[0]))
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield (node.module or "").split(".")[0]
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "vars", "globals"):
            yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
