"""Client configurations: every client's spelling is one Server, nothing is started, nothing is expanded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from writing import tool, write

from smallchatc.diagnostics import CompileError
from smallchatc.model import Server
from smallchatc.parse import Opened, open_sources, parse_sources

FILES = {"command": "npx", "args": ["-y", "@acme/files", "/data"]}


def opened(folder: Path, name: str, text: Any) -> Opened:
    """One file, named by whoever compiles."""
    write(folder, {name: text})
    return open_sources([folder / name])


def servers(folder: Path, text: Any, name: str = "config.json") -> list[Server]:
    """The servers that a configuration names."""
    return [each.server for each in opened(folder, name, text).servers]


@pytest.mark.parametrize(
    "document",
    [
        {"mcpServers": {"files": FILES}},
        {"servers": {"files": {**FILES, "type": "stdio"}}, "inputs": []},
        {"mcp": {"servers": {"files": FILES}}},
        {"mcp": {"files": {"type": "local", "command": ["npx", "-y", "@acme/files", "/data"]}}},
        {"context_servers": {"files": {**FILES, "source": "custom"}}},
        {"context_servers": {"files": {"command": {"path": "npx", "args": FILES["args"]}}}},
        {"extensions": {"files": {"cmd": "npx", "args": FILES["args"], "type": "stdio"}}},
        {"mcp_servers": {"files": FILES}},
        {"mcpServers": [{"name": "files", **FILES}]},
        {"projects": {"/home/user/x": {"mcpServers": {"files": FILES}}}, "numStartups": 3},
        {"files": FILES},
        {"files": {"cmd": "npx -y @acme/files /data"}},
        {"mcpServers": {"files": {"command": "npx -y @acme/files /data"}}},
        {"McpServer": {"files": FILES}},
    ],
    ids=lambda document: json.dumps(document)[:60],
)
def test_every_root_is_one_server(tmp_path: Path, document: dict[str, Any]) -> None:
    expected = Server(name="files", transport="stdio", command="npx", args=("-y", "@acme/files", "/data"))
    assert servers(tmp_path, document) == [expected]


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"url": "https://x.example/mcp"}, "streamable-http"),
        ({"url": "https://x.example/sse"}, "sse"),
        ({"url": "https://x.example/mcp", "type": "sse"}, "sse"),
        ({"url": "https://x.example/sse", "type": "http"}, "streamable-http"),
        ({"url": "https://x.example/mcp", "type": "streamableHttp"}, "streamable-http"),
        ({"url": "https://x.example/mcp", "type": "streamable_http"}, "streamable-http"),
        ({"url": "https://x.example/mcp", "type": "remote"}, "streamable-http"),
        ({"serverUrl": "https://x.example/mcp"}, "streamable-http"),
        ({"httpUrl": "https://x.example/mcp"}, "streamable-http"),
        ({"uri": "https://x.example/mcp", "type": "streamable_http"}, "streamable-http"),
    ],
)
def test_every_spelling_of_a_remote_server(tmp_path: Path, entry: dict[str, str], transport: str) -> None:
    (server,) = servers(tmp_path, {"mcpServers": {"x": entry}})
    assert (server.transport, server.command) == (transport, "")
    assert server.url.startswith("https://x.example/")


def test_codex_in_toml(tmp_path: Path) -> None:
    text = """
model = "m"
[mcp_servers.files]
command = "npx"
env_vars = ["LOCAL_TOKEN"]
tool_timeout_sec = 45
enabled_tools = ["read"]
disabled_tools = ["write"]
[mcp_servers.files.env]
LEVEL = "info"
[mcp_servers.docs]
url = "https://x.example/mcp"
enabled = false
bearer_token_env_var = "DOCS_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Tenant" = "TENANT" }
"""
    found = opened(tmp_path, "config.toml", text)
    files, docs = (each.server for each in found.servers)
    assert files == Server(
        name="files",
        transport="stdio",
        command="npx",
        env={"LEVEL": "info", "LOCAL_TOKEN": "${LOCAL_TOKEN}"},
        include=("read",),
        exclude=("write",),
        timeout_s=45.0,
    )
    assert docs.enabled is False
    assert docs.headers == {"X-Region": "eu", "X-Tenant": "${TENANT}", "Authorization": "Bearer ${DOCS_TOKEN}"}
    assert [(each.span.line, each.span.pointer) for each in found.servers] == [
        (3, "/mcp_servers/files"),
        (11, "/mcp_servers/docs"),
    ]


def test_goose_and_continue_in_yaml(tmp_path: Path) -> None:
    goose = """
extensions:
  developer: {type: builtin, enabled: true}
  files: {type: stdio, cmd: npx, args: [-y, x], envs: {A: b}, env_keys: [TOKEN], timeout: 300, enabled: false}
"""
    (server,) = servers(tmp_path, goose, "config.yaml")
    assert (server.env, server.timeout_s, server.enabled) == ({"A": "b", "TOKEN": "${TOKEN}"}, 300.0, False)
    entry = """
mcpServers:
  - name: docs
    type: streamable-http
    url: https://x.example/mcp
    requestOptions: {headers: {Authorization: "Bearer ${{ secrets.DOCS_TOKEN }}"}}
"""
    (server,) = servers(tmp_path, entry, "continue.yaml")
    assert server.headers == {"Authorization": "Bearer ${DOCS_TOKEN}"}


def test_gemini_turns_servers_off_beside_them(tmp_path: Path) -> None:
    document = {"mcp": {"allowed": ["a", "b"], "excluded": ["b"]}, "mcpServers": dict.fromkeys("abc", FILES)}
    assert [(each.name, each.enabled) for each in servers(tmp_path, document)] == [
        ("a", True),
        ("b", False),
        ("c", False),
    ]


def test_milliseconds_are_told_from_seconds(tmp_path: Path) -> None:
    document = {"mcpServers": {"a": {**FILES, "timeout": 30000}, "b": {**FILES, "timeout": 60}}}
    assert [each.timeout_s for each in servers(tmp_path, document)] == [30.0, 60.0]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("${TOKEN}", "${TOKEN}"),
        ("${TOKEN:-none}", "${TOKEN:-none}"),
        ("$TOKEN", "${TOKEN}"),
        ("${env:TOKEN}", "${TOKEN}"),
        ("{env:TOKEN}", "${TOKEN}"),
        ("${{ secrets.TOKEN }}", "${TOKEN}"),
        ("${input:my-token}", "${MY_TOKEN}"),
        ("${workspaceFolder}/x", "${WORKSPACE_FOLDER}/x"),
        ("${user_config.api_key}", "${API_KEY}"),
        ("{file:~/.token}", "${TOKEN}"),
        ("pa$$word costs $5", "pa$$word costs $5"),
        ("^a.*b$", "^a.*b$"),
    ],
)
def test_references_have_one_spelling(tmp_path: Path, written: str, kept: str) -> None:
    (server,) = servers(tmp_path, {"mcpServers": {"a": {"command": "x", "args": [written]}}})
    assert server.args == (kept,)


def test_what_an_artifact_keeps_holds_no_value(tmp_path: Path) -> None:
    env = {"API_KEY": "abcdef123456", "NAMED": "${OTHER}"}
    found = opened(tmp_path, "c.json", {"mcpServers": {"a": {"command": "x", "env": env, "timeout": 30}}})
    assert found.servers[0].transport == {
        "type": "mcp",
        "transport": "stdio",
        "command": "x",
        "args": [],
        "env": {"API_KEY": "${API_KEY}", "NAMED": "${OTHER}"},
        "timeout_s": 30.0,
    }
    assert found.servers[0].server.env["API_KEY"] == "abcdef123456"  # a child gets what was written


def test_only_what_is_named_is_asked(tmp_path: Path) -> None:
    write(tmp_path, {"folder/mcp.json": {"mcpServers": {"a": FILES}}, "folder/t.json": {"tools": [tool()]}})
    found = open_sources([tmp_path / "folder"])
    assert found.to_ask == ()
    assert [(d.slug, d.severity) for d in found.said] == [("server-not-started", "note")]
    assert [each.server.name for each in open_sources([tmp_path / "folder", tmp_path / "folder/mcp.json"]).to_ask] == [
        "a"
    ]


def test_a_project_file_cannot_have_a_server_started(tmp_path: Path) -> None:
    write(tmp_path, {"smallchat.yaml": "sources: [mcp.json]", "mcp.json": {"mcpServers": {"a": FILES}}})
    assert open_sources([tmp_path]).to_ask == ()
    assert open_sources([tmp_path / "smallchat.yaml"]).to_ask == ()


def test_a_recording_stands_for_its_server_and_is_reached_as_configured(tmp_path: Path) -> None:
    recording = {"server": "a", "serverInfo": {"name": "x", "version": "1.2"}, "tools": [tool("one"), tool("two")]}
    config = {"mcpServers": {"a": {**FILES, "excludeTools": ["two"]}, "b": FILES}}
    write(tmp_path, {"snap/a.json": recording, "mcp.json": config})
    parsed = parse_sources([tmp_path / "mcp.json", tmp_path / "snap"])
    assert [each.path for each in parsed.catalog.tools] == ["a/one"]
    assert parsed.catalog.providers[0].transport["command"] == "npx"
    assert parsed.catalog.providers[0].version == "1.2"
    assert {(d.slug, d.severity) for d in parsed.diagnostics} == {
        ("excluded", "note"),
        ("server-recorded", "note"),
        ("server-not-recorded", "warning"),
    }


def test_the_same_server_in_two_configurations_is_asked_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": {"mcpServers": {"x": FILES}}, "b.json": {"mcp": {"servers": {"x": FILES}}}})
    found = open_sources([tmp_path / "a.json", tmp_path / "b.json"])
    assert [each.span.file for each in found.to_ask] == ["a.json"]
    assert [(d.slug, d.severity, d.message) for d in found.said] == [
        ("merged-provider", "note", "server 'x' is configured the same elsewhere; asked once")
    ]


def test_a_url_and_a_command_line_are_sources(tmp_path: Path) -> None:
    found = open_sources(
        ["https://user:pass123456@x.example/mcp", "stdio:LEVEL=info npx -y '@acme/my files' --token=abcd1234"]
    )
    web, command = found.to_ask
    assert web.server == Server(name="", transport="streamable-http", url="https://user:pass123456@x.example/mcp")
    assert web.span.file == "https://${URL_CREDENTIALS}@x.example/mcp"
    assert command.server == Server(
        name="",
        transport="stdio",
        command="npx",
        args=("-y", "@acme/my files", "--token=abcd1234"),
        env={"LEVEL": "info"},
    )
    assert "abcd1234" not in json.dumps([command.transport, command.label, command.span.file])


def test_an_empty_command_line_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as raised:
        parse_sources(["stdio:"])
    assert ("missing-command", "there is no command after 'stdio:'") in [
        (d.slug, d.message) for d in raised.value.diagnostics
    ]


def test_every_real_configuration_is_read_without_starting_anything(shared: Path) -> None:
    folder = shared / "data" / "manifests"
    without = {
        "0maru-dotfiles.codex.config.toml",
        "cordyscrm.codex.config.toml",
        "memvid-sdk.codex.config.excerpt.toml",
    }
    without |= {"mcpb.manifest.json", "server.json"}  # other forms
    count = 0
    for file in sorted([*(folder / "configs").rglob("*"), *(folder / "client-configs").iterdir()]):
        if not file.is_file() or file.suffix == ".md":
            continue
        found = open_sources([file])
        count += len(found.servers)
        named = [d for d in found.said if d.severity == "error"] or found.servers or found.reads[0].recognised.listings
        assert named, file.name
        assert bool(found.servers) != (file.name in without), file.name
        assert all(each.server.command or each.server.url for each in found.servers), file.name
    assert count > 200


def test_broken_settings_in_a_folder_stop_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"config.toml": "[a]\nb = {\n  c = 1\n}\n", "tools.json": {"tools": [tool()]}})
    said = parse_sources([tmp_path]).diagnostics
    assert [(d.slug, d.severity, d.message) for d in said] == [
        ("no-tools", "note", "no tools in it: not valid TOML: invalid initial character for a key part")
    ]
