"""Whatever stands under the root of a client configuration, it is read without an exception and without a start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smallchatc.parse import open_sources

KEYS = [
    "command", "cmd", "args", "env", "envs", "env_vars", "env_keys", "url", "httpUrl", "serverUrl", "headers", "type",
    "transport", "timeout", "includeTools", "disabled", "enabled", "cwd", "requestOptions", "bearer_token",
    "env_http_headers", "name", "source", "tools",
]  # fmt: skip
ODD = [
    "${A}",
    "${",
    "${input:x}",
    "$A",
    "{env:X}",
    "http://[",
    "https://u:p@h/p?token=x",
    "C:\\x y",
    "a 'b",
    "sse",
    "\0",
]
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(ODD)
VALUE = st.recursive(
    LEAF,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), below, max_size=4)
    ),
    max_leaves=12,
)
ENTRY = st.dictionaries(st.sampled_from(KEYS), VALUE, max_size=6)
ROOT = st.sampled_from(
    ["mcpServers", "servers", "mcp", "context_servers", "extensions", "mcp_servers", "McpServers", "projects"]
)
DOCUMENT = st.dictionaries(
    ROOT,
    st.dictionaries(st.text(max_size=4), ENTRY | VALUE, max_size=3) | st.lists(ENTRY | VALUE, max_size=3),
    min_size=1,
) | st.dictionaries(st.text(max_size=4), ENTRY, min_size=1, max_size=3)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENT)
def test_any_configuration_is_read(tmp_path: Path, document: dict[str, Any]) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    for each in open_sources([file]).servers:
        assert each.server.command or each.server.url
        json.dumps(each.transport)
