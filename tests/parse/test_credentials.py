"""Credentials: every shape of one is found wherever it stands, and what only looks like one is left alone.

The samples are made here, piece by piece, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import json
import random
import string
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from writing import parse, slugs, tool

from smallchatc.credentials import credentials_in, redacted
from smallchatc.parse import parse_sources
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

_RNG = random.Random(5)


def _some(length: int, letters: str = string.ascii_letters + string.digits) -> str:
    return "".join(_RNG.choices(letters, k=length))


def _hex(length: int) -> str:
    return _some(length, "0123456789abcdef")


def _pem(kind: str) -> str:
    body = "\n".join(_some(64) for _ in range(4))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


SECRETS = {
    "AWS": "AKIA" + _some(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "GitHub": "ghp_" + _some(36),
    "GitHub, fine": "github_pat_" + _some(22) + "_" + _some(59),
    "GitHub, in order": "ghp_" + (string.digits + string.ascii_letters)[:36],
    "GitLab": "glpat-" + _some(20),
    "Anthropic": "sk-ant-api03-" + _some(95),
    "OpenAI": "sk-" + _some(48),
    "OpenAI, project": "sk-proj-" + _some(60) + "_" + _some(60),
    "Slack": f"xoxb-{_some(12, string.digits)}-{_some(12, string.digits)}-{_some(24)}",
    "Slack hook": f"https://hooks.slack.com/services/T{_some(8)}/B{_some(8)}/{_some(24)}",
    "Google": "AIza" + _some(35),
    "Stripe": "sk_live_" + _some(24),
    "SendGrid": f"SG.{_some(22)}.{_some(43)}",
    "npm": "npm_" + _some(36),
    "PyPI": "pypi-AgEIcHlwaS5vcmc" + _some(80),
    "Hugging Face": "hf_" + _some(34, string.ascii_letters),
    "Notion": "ntn_" + _some(46),
    "Linear": "lin_api_" + _some(40),
    "Tavily": "tvly-dev-" + _some(32),
    "Telegram": f"{_some(10, '123456789')}:AA{_some(33)}",
    "Vault": "hvs." + _some(90),
    "Grafana": "glsa_" + _some(32) + "_" + _hex(8),
    "JWT": f"eyJ{_some(30)}.eyJ{_some(60)}.{_some(43)}",
    "PEM": _pem("RSA "),
    "PEM of PKCS 8": _pem(""),
    "OpenSSH": _pem("OPENSSH "),
    "PEM in one line": _pem("EC ").replace("\n", "\\n"),
}
IN_TEXT = {
    "PostgreSQL": ("postgres://app:Tr0ub4dor@db.internal/prod", "Tr0ub4dor"),
    "an at-sign in it": ("postgres://app:p@ssw0rd@db.internal/prod", "ssw0rd"),
    "a slash in it": ("mysql://app:s3/cr3t9@db.internal:3306/prod", "cr3t9"),
    "no user": ("redis://:hunter2@cache:6379/0", "hunter2"),
    "MongoDB": ("mongodb+srv://app:Kj8s7dhQ@c0.internal,c1.internal/x", "Kj8s7dhQ"),
    "a token as user": (f"https://{SECRETS['GitHub']}@github.com/a/b", SECRETS["GitHub"]),
    "ADO.NET": ("Server=db;User Id=sa;Password=Tr0ub4dor3x;", "Tr0ub4dor3x"),
    "libpq": ("host=db user=app password=Tr0ub4dor3x dbname=x", "Tr0ub4dor3x"),
    "JDBC": ("jdbc:postgresql://db/x?user=app&password=Tr0ub4dor3x", "Tr0ub4dor3x"),
    "Azure": (f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={_some(86)}==;", "AccountKey=;"),
    "basic auth": ("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZTEy", "QWxhZGRpbjpvcGVuIHNlc2FtZTEy"),
    "a bearer": (
        "curl -H 'Authorization: Bearer 8f14e45fceea167a5a36dedd4bea2543' x",
        "8f14e45fceea167a5a36dedd4bea2543",
    ),
    "a query": ("https://api.internal/v1?api_key=8f14e45fceea167a&x=1", "8f14e45fceea167a"),
    "a shell": ("export SERVICE_TOKEN=q7Lm2Xv9Rb4Tz1", "q7Lm2Xv9Rb4Tz1"),
    "JSON": ('{"apiKey": "q7Lm2Xv9Rb4Tz1"}', "q7Lm2Xv9Rb4Tz1"),
}
LOOK_ALIKES = [
    "3f2e0c52-6f3e-4e0f-9f4a-8c1d2b3a4e5f",
    "commit 8f14e45fceea167a5a36dedd4bea25438f14e45f",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://example.com/path?q=1#frag",
    "https://user:password@example.com",
    "postgres://user:pass@localhost:5432/db",
    "postgresql://<user>:<password>@host/db",
    "postgres://${USER}:${PASSWORD}@host/db",
    "mongodb://localhost:27017/test",
    "https://localhost:8080/@scope/name",
    "https://medium.com/@someone/a-title-8f14e45fceea",
    "git@github.com:owner/repo.git",
    "mail someone@example.com: please",
    "YOUR_API_KEY",
    "Authorization: Bearer YOUR_TOKEN_HERE",
    "Authorization: Bearer <token>",
    "Bearer ${GITHUB_TOKEN}",
    "sk-...",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_YOUR_TOKEN",
    "AKIAIOSFODNN7EXAMPLE",
    "api_key=<your key>",
    "token: the token of the next page",
    "api_key: string, required",
    "password = getpass.getpass()",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "nextPageToken=CAUQAA2b3c4d5e6f7",
    "task-management-for-teams-and-everybody-2024",
    "mcp__playwright__browser_take_screenshot_v2",
    "max_tokens=4096, tokenizer=cl100k_base",
    "2024-01-01T12:00:00+00:00",
    "10.0.0.1:8080",
]


@pytest.mark.parametrize("shape", SECRETS)
@pytest.mark.parametrize("around", ["%s", "use %s here", "'%s'", "x=%s,", "(%s)"])
def test_a_credential_is_found_wherever_it_stands(shape: str, around: str) -> None:
    assert SECRETS[shape] not in redacted(around % SECRETS[shape])


@pytest.mark.parametrize("shape", IN_TEXT)
def test_a_credential_is_found_by_what_stands_around_it(shape: str) -> None:
    text, secret = IN_TEXT[shape]
    assert redacted(text) != text
    assert secret not in redacted(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert redacted(text) == text
    assert redacted(f"see {text} there") == f"see {text} there"


@given(st.text(max_size=400))
def test_no_text_breaks_the_search(text: str) -> None:
    found = credentials_in(text)
    assert all(0 <= a.start < a.end <= b.start for a, b in pairwise(found))


PLACES: dict[str, Any] = {
    "default": {"inputSchema": {"type": "object", "properties": {"key": {"type": "string", "default": "%s"}}}},
    "examples": {"inputSchema": {"type": "object", "properties": {"key": {"type": "string", "examples": ["%s"]}}}},
    "enum": {"inputSchema": {"type": "object", "properties": {"key": {"enum": ["%s", "other"]}}}},
    "const": {"inputSchema": {"type": "object", "properties": {"key": {"const": "%s"}}}},
    "description": {"description": "Ask with %s, always"},
    "of a parameter": {"inputSchema": {"type": "object", "properties": {"key": {"description": "as in %s"}}}},
    "output": {"outputSchema": {"type": "object", "properties": {"x": {"type": "string", "default": "%s"}}}},
    "title": {"title": "%s"},
    "annotations": {"annotations": {"title": "%s"}},
    "_meta": {"_meta": {"vendor/config": {"headers": ["%s"]}}},
    "input_examples": {"input_examples": [{"key": "%s"}]},
    "vendorMeta": {"compilerHints": {"vendorMeta": {"a": "%s"}}},
    "name": {"name": "%s"},
    "an unknown hint": {"compilerHints": {"%s": 1}},
    "a wrong hint": {"compilerHints": {"namespace": "x / %s"}},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("shape", ["GitHub", "JWT", "PEM", "OpenAI, project"])
def test_a_tools_own_words_reach_neither_artifact_nor_message(tmp_path: Path, place: str, shape: str) -> None:
    secret = SECRETS[shape]
    written = json.loads(json.dumps(PLACES[place]).replace("%s", json.dumps(secret)[1:-1]))
    (tmp_path / "m.json").write_text(json.dumps([{**tool(), **written}]))
    compiled = compile_sources([tmp_path / "m.json"], settings=Settings(encoder="small"))
    write_artifact(compiled.image, tmp_path / "a.smallchat.db")
    for part in (secret, secret.splitlines()[len(secret.splitlines()) // 2]):
        assert part.encode() not in (tmp_path / "a.smallchat.db").read_bytes()
        assert part not in repr(compiled.diagnostics)
    assert any(d.slug in ("secret-value", "unknown-hint") for d in compiled.diagnostics)


def test_nor_does_a_word_of_the_frame(tmp_path: Path) -> None:
    secret = SECRETS["GitHub"]
    words = dict.fromkeys(
        ("id", "name", "version", "description", "superclass", "cwd", "command", "baseUrl", secret), secret
    )
    declared = {"conforms": [secret], "protocols": {secret: {"required": [secret]}}}
    hints = {"compilerHints": {"namespace": secret, "selectorHint": secret, "vendorMeta": {secret: secret}}}
    (tmp_path / "m.json").write_text(json.dumps({**words, **declared, **hints, "tools": [tool()]}))
    parsed = parse_sources([tmp_path], keep_going=True)
    assert len(parsed.catalog.tools) == 1
    assert secret not in repr(parsed)


def test_the_rest_of_the_definition_stays_as_it_was(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "api_key": {"type": "string", "default": "8f14e45fceea167a", "description": "the key"},
            "branch": {"type": "string", "default": "8f14e45fceea167a"},
            "page_token": {"type": "string", "default": "8f14e45fceea167a"},
        },
    }
    parsed = parse(tmp_path, {"m.json": [tool(inputSchema=schema)]})
    schema["properties"]["api_key"]["default"] = "${API_KEY}"  # type: ignore[index]
    assert json.loads(parsed.catalog.tools[0].definition) == tool(inputSchema=schema)
    assert slugs(parsed.diagnostics) == [("secret-value", "warning")]
    (said,) = parsed.diagnostics
    assert said.message == "tool 't': what looks like a credential (secret value) became ${API_KEY}"
    assert said.span is not None
    assert said.span.pointer == "/0/inputSchema/properties/api_key/default"


@pytest.mark.parametrize("password", ["hunter2", "correct-Horse9", "p!ss.W0rd", "3f2e0c52-6f3e-4e0f-9f4a-8c1d2b3a4e5f"])
@pytest.mark.parametrize("name", ["password", "dbPassword", "X-API-Key", "client_secret", "access-token"])
def test_the_default_of_a_secret_is_one(tmp_path: Path, name: str, password: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string", "default": password}}}
    assert password not in repr(parse(tmp_path, {"m.json": [tool(inputSchema=schema)]}))


@pytest.mark.parametrize(
    "value", ["", "none", "changeme", "YOUR_KEY", "<key>", "${KEY}", "bearer", "Bearer", "/run/secrets/key"]
)
def test_the_default_of_a_secret_may_be_a_word(tmp_path: Path, value: str) -> None:
    schema = {"type": "object", "properties": {"api_key": {"type": "string", "default": value}}}
    assert parse(tmp_path, {"m.json": [tool(inputSchema=schema)]}).diagnostics == ()


def test_no_real_tool_loses_a_word(shared: Path) -> None:
    folders = [shared / "data" / "manifests" / name for name in ("live", "mcp")]
    texts = [
        text for folder in folders for file in folder.rglob("*.json") for text in _texts(json.loads(file.read_text()))
    ]
    assert len(texts) > 50_000
    assert [text for text in texts if credentials_in(text)] == []


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in below for text in _texts(item)]
