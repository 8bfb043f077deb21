"""Servers that are described and not listed: the registry's entries, bundles, Docker's forms."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, refused, slugs, tool, write

from smallchatc.parse import parse_sources

NPM = {
    "registryType": "npm",
    "identifier": "@a/b",
    "version": "1.2.0",
    "transport": {"type": "stdio"},
    "runtimeArguments": [{"type": "positional", "value": "-y"}],
    "packageArguments": [
        {"type": "named", "name": "--region", "default": "eu"},
        {"type": "named", "name": "--verbose"},
        {"type": "positional", "valueHint": "data_dir", "isRequired": True},
        {"type": "named", "name": "--api-key", "value": "hunter2", "isSecret": True},
    ],
    "environmentVariables": [
        {"name": "A_KEY", "isRequired": True, "isSecret": True},
        {"name": "A_LEVEL", "default": "info"},
    ],
}
PYPI = {"registry_type": "pypi", "identifier": "b", "version": "2", "environment_variables": [{"name": "B"}]}
OCI = {"registryType": "oci", "identifier": "ghcr.io/a/b", "version": "3", "environmentVariables": [{"name": "C"}]}
REMOTE = {
    "type": "streamable-http",
    "url": "https://{tenant_id}.a.example/mcp",
    "headers": [{"name": "Authorization", "value": "Bearer {token}"}, {"name": "X-Key", "isSecret": True}],
}

REACHED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "npm": (
        {"packages": [NPM]},
        {
            "command": "npx",
            "args": ["-y", "@a/b@1.2.0", "--region", "eu", "${DATA_DIR}", "--api-key", "${API_KEY}"],
            "env": {"A_KEY": "${A_KEY}"},
        },
    ),
    "PyPI, in the older spelling": ({"packages": [PYPI]}, {"command": "uvx", "args": ["b@2"], "env": {"B": "${B}"}}),
    "an image": (
        {"packages": [OCI]},
        {"command": "docker", "args": ["run", "-i", "--rm", "-e", "C", "ghcr.io/a/b:3"], "env": {"C": "${C}"}},
    ),
    "an address": (
        {"remotes": [REMOTE]},
        {
            "url": "https://${TENANT_ID}.a.example/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN}", "X-Key": "${X_KEY}"},
        },
    ),
    "only what cannot be started": (
        {"packages": [{"registryType": "mcpb", "identifier": "https://a.example/b.mcpb"}], "remotes": [REMOTE]},
        {"url": "https://${TENANT_ID}.a.example/mcp"},
    ),
}


@pytest.mark.parametrize("way", REACHED)
def test_a_registry_entry_says_how_its_server_is_reached(tmp_path: Path, way: str) -> None:
    entry, transport = REACHED[way]
    files = {"server.json": {"name": "io.a/b", "version": "1.2.0", **entry}, "ok.json": [tool()]}
    parsed = parse(tmp_path, files)
    provider = next(provider for provider in parsed.catalog.providers if provider.id == "io.a-b")
    kind = "streamable-http" if "url" in transport else "stdio"
    assert provider.transport == {"type": "mcp", "transport": kind, **provider.transport, **transport}
    assert slugs(parsed.diagnostics) == [("no-tools", "note")]


def test_several_ways_are_counted_and_the_first_is_kept(tmp_path: Path) -> None:
    entry = {"name": "io.a/b", "packages": [NPM, PYPI], "remotes": [REMOTE]}
    parsed = parse(
        tmp_path, {"a.json": {"servers": [{"server": entry, "_meta": {}}], "metadata": {}}, "ok.json": [tool()]}
    )
    assert [p.transport.get("command") for p in parsed.catalog.providers] == ["npx", None]
    assert slugs(parsed.diagnostics) == [("no-tools", "note"), ("several-transports", "note")]


def test_a_description_alone_is_no_catalogue(tmp_path: Path) -> None:
    said = refused(tmp_path, {"server.json": {"name": "io.a/b", "packages": [NPM]}})
    assert slugs(said) == [
        ("no-tools", "error"),
        ("no-tools", "note"),
    ]
    assert [d.message for d in said][1] == "server 'io.a/b' is described here and its tools are not listed"


DOCKER = {
    "name": "neo",
    "image": "mcp/neo",
    "type": "server",
    "about": {"title": "Neo", "description": "Graphs"},
    "config": {
        "secrets": [{"name": "neo.password", "env": "NEO_PASSWORD"}],
        "env": [{"name": "NEO_URI", "value": "{{neo.uri}}"}],
    },
    "run": {"command": ["--transport=stdio"], "volumes": ["{{neo.paths|volume|into}}"]},
}


def test_dockers_server_and_its_tools_are_one_provider(tmp_path: Path) -> None:
    tools = [{"name": "ask", "description": "Ask it", "arguments": [{"name": "q", "type": "string", "desc": "what"}]}]
    parsed = parse(tmp_path, {"neo/server.yaml": DOCKER, "neo/tools.json": tools})
    assert paths(parsed) == ["neo/ask"]
    (provider,) = parsed.catalog.providers
    assert provider.title == "Neo"
    assert provider.transport == {
        "type": "mcp",
        "transport": "stdio",
        "command": "docker",
        "args": [
            "run", "-i", "--rm", "-e", "NEO_PASSWORD", "-e", "NEO_URI", "-v", "${NEO_PATHS_VOLUME_INTO}", "mcp/neo",
            "--transport=stdio",
        ],
        "env": {"NEO_PASSWORD": "${NEO_PASSWORD}", "NEO_URI": "${NEO_URI}"},
    }  # fmt: skip
    assert slugs(parsed.diagnostics) == [("merged-provider", "note")]


def test_a_recorded_server_is_reached_as_its_description_says(tmp_path: Path) -> None:
    recorded = {"id": "io.a/b", "package": "@a/b", "registry": "npm", "tools": [tool()]}
    parsed = parse(tmp_path, {"r.json": recorded, "server.json": {"name": "io.a/b", "packages": [NPM]}})
    (provider,) = parsed.catalog.providers
    assert (provider.transport["package"], provider.transport["command"]) == ("@a/b", "npx")


def test_dockers_catalogue_is_a_provider_for_each_server(tmp_path: Path) -> None:
    catalogue = {
        "version": 3,
        "name": "docker-mcp",
        "registry": {
            "one": {"description": "First", "type": "server", "image": "mcp/one@sha256:ab", "tools": [{"name": "t"}]},
            "two": {
                "type": "remote",
                "remote": {"transport_type": "streamable-http", "url": "https://two.example/mcp"},
            },
        },
    }
    parsed = parse(tmp_path, {"catalog.yaml": catalogue})
    assert paths(parsed) == ["one/t"]
    assert [p.transport.get("url", p.transport.get("command")) for p in parsed.catalog.providers] == [
        "docker",
        "https://two.example/mcp",
    ]
    assert slugs(parsed.diagnostics) == [
        ("missing-description", "warning"),
        ("missing-schema", "warning"),
        ("no-tools", "note"),
    ]


BUNDLE = {
    "manifest_version": "0.4",
    "name": "orders",
    "display_name": "Orders",
    "version": "1.0.0",
    "server": {
        "type": "node",
        "entry_point": "index.js",
        "mcp_config": {
            "command": "node",
            "args": ["${__dirname}${/}index.js", "--dir", "${user_config.data_dir}"],
            "env": {"KEY": "${user_config.api_key}"},
        },
    },
    "tools": [{"name": "list_orders", "description": "List open orders"}],
}


def zipped(files: dict[str, bytes | str], **options: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("packed", [True, False])
def test_a_bundle_is_a_provider_with_the_tools_that_it_names(tmp_path: Path, packed: bool) -> None:
    text = json.dumps(BUNDLE)
    name, content = ("o.mcpb", zipped({"manifest.json": text, "index.js": "1"})) if packed else ("manifest.json", text)
    parsed = parse_sources([write(tmp_path, {name: content}) / name])
    assert paths(parsed) == ["orders/list_orders"]
    (provider,) = parsed.catalog.providers
    assert (provider.title, provider.version) == ("Orders", "1.0.0")
    assert provider.transport == {
        "type": "mcp",
        "transport": "stdio",
        "command": "node",
        "args": ["${__dirname}/index.js", "--dir", "${DATA_DIR}"],
        "env": {"KEY": "${KEY}"},
    }
    assert slugs(parsed.diagnostics) == [("missing-schema", "warning")]


def test_a_bundle_that_makes_its_tools_says_so(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"m.json": {**BUNDLE, "tools_generated": True}})
    assert ("list-incomplete", "warning") in slugs(parsed.diagnostics)


def _linked() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("manifest.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return out.getvalue()


def _twice() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", json.dumps(BUNDLE))
        archive.writestr("manifest-json", json.dumps({**BUNDLE, "name": "other"}))
    return out.getvalue().replace(b"manifest-json", b"manifest.json")


def _lying() -> bytes:
    """A directory that says 10 bytes of a manifest that unpacks to far more."""
    honest = zipped({"manifest.json": b"[" + b" " * 50_000_000 + b"]"})
    return honest.replace((50_000_002).to_bytes(4, "little"), (10).to_bytes(4, "little"))


BAD: dict[str, tuple[bytes, str, str]] = {
    "no manifest": (
        zipped({"a/manifest.json": "{}"}),
        "unrecognised",
        "this archive holds no manifest.json at its root",
    ),
    "cut": (zipped({"manifest.json": "{}"})[:-30], "bad-bundle", "the archive cannot be read: File is not a zip file"),
    "empty": (zipped({}), "unrecognised", "this archive holds no manifest.json at its root"),
    "a bomb": (
        zipped({"manifest.json": b"[" + b" " * 3_000_000 + b"]"}),
        "bad-bundle",
        "manifest.json unpacks to 3000002 bytes from 2932",
    ),
    "a large bomb": (
        zipped({"manifest.json": b" " * 100_000_000}),
        "bad-bundle",
        "manifest.json unpacks to 100000000 bytes from ",
    ),
    "a bomb that lies": (_lying(), "bad-bundle", "the archive cannot be read: "),
    "a link": (_linked(), "bad-bundle", "manifest.json is a link"),
    "two manifests": (_twice(), "bad-bundle", "the archive holds 2 files called manifest.json"),
    "no JSON": (zipped({"manifest.json": "{"}), "bad-json", ""),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_bundle_is_refused_with_a_reason(tmp_path: Path, fault: str) -> None:
    data, slug, message = BAD[fault]
    (first, *_) = [d for d in refused(tmp_path, {"b.mcpb": data}) if d.slug != "no-tools"]
    assert first.slug == slug
    assert first.message.startswith(message.removesuffix("2932"))


@pytest.mark.parametrize("name", ["../evil.js", "a/../../evil.js", "/etc/passwd", "C:\\evil.js", "..\\evil.js"])
def test_a_path_that_leads_out_is_named_and_nothing_is_unpacked(tmp_path: Path, name: str) -> None:
    parsed = parse(tmp_path, {"b.mcpb": zipped({"manifest.json": json.dumps(BUNDLE), name: "x"})})
    assert ("bundle-leads-out", "warning") in slugs(parsed.diagnostics)
    assert [path.name for path in tmp_path.rglob("*")] == ["b.mcpb"]
