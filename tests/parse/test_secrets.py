"""No literal value of env, headers or auth reaches an artifact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from writing import parse, slugs, tool

from smallchatc.parse.secrets import without_secrets


@pytest.mark.parametrize(
    ("transport", "clean"),
    [
        ({"env": {"TOKEN": "hunter2"}}, {"env": {"TOKEN": "${TOKEN}"}}),
        ({"env": {"TOKEN": "${OTHER}"}}, {"env": {"TOKEN": "${OTHER}"}}),
        ({"env": {"TOKEN": "${OTHER:-hunter2}"}}, {"env": {"TOKEN": "${OTHER}"}}),
        ({"env": {"PORT": 80, "ON": True}}, {"env": {"PORT": 80, "ON": True}}),
        ({"env": {"LOG_LEVEL": "info", "DEBUG": "1"}}, {"env": {"LOG_LEVEL": "info", "DEBUG": "1"}}),
        ({"env": {"PASSWORD": "info", "PIN": 1234}}, {"env": {"PASSWORD": "${PASSWORD}", "PIN": "${PIN}"}}),
        ({"headers": {"Accept": "application/json"}}, {"headers": {"Accept": "application/json"}}),
        ({"headers": {"Authorization": "Bearer hunter2"}}, {"headers": {"Authorization": "Bearer ${AUTHORIZATION}"}}),
        ({"headers": {"Authorization": "Bearer ${T}"}}, {"headers": {"Authorization": "Bearer ${T}"}}),
        ({"headers": {"X-Api-Key": "a${T}b"}}, {"headers": {"X-Api-Key": "${X_API_KEY}"}}),
        (
            {"auth": {"type": "oauth2", "clientSecret": "s"}},
            {"auth": {"type": "oauth2", "clientSecret": "${CLIENTSECRET}"}},
        ),
        ({"apiKey": "s"}, {"apiKey": "${APIKEY}"}),
        ({"args": ["--token", "s", "-p", "80"]}, {"args": ["--token", "${TOKEN}", "-p", "80"]}),
        ({"args": ["--api-key=s", "--port=80"]}, {"args": ["--api-key=${API_KEY}", "--port=80"]}),
        (
            {"url": "https://me:s@h.example/p?api_key=s&x=1"},
            {"url": "https://${URL_CREDENTIALS}@h.example/p?api_key=${API_KEY}&x=1"},
        ),
        ({"url": "https://h.example/p?x=1#f"}, {"url": "https://h.example/p?x=1#f"}),
        (
            {"url": "https://h.example/#access_token=s&x=1"},
            {"url": "https://h.example/#access_token=${ACCESS_TOKEN}&x=1"},
        ),
        ({"url": "https://h.example/p?sig=s"}, {"url": "https://h.example/p?sig=${SIG}"}),
        ({"args": ["-e", "API_KEY=s", "-e", "MODE=fast"]}, {"args": ["-e", "API_KEY=${API_KEY}", "-e", "MODE=fast"]}),
        ({"args": ["--env=API_KEY=s"]}, {"args": ["--env=API_KEY=${API_KEY}"]}),
        (
            {"args": ["--header", "Authorization: Bearer s", "X-Api-Key:s"]},
            {"args": ["--header", "Authorization: Bearer ${AUTHORIZATION}", "X-Api-Key:${X_API_KEY}"]},
        ),
        ({"args": ["Authorization:${AUTH}", "keycloak:26"]}, {"args": ["Authorization:${AUTH}", "keycloak:26"]}),
        ({"command": "run", "cwd": "."}, {"command": "run", "cwd": "."}),
        ({"command": "npx x --api-key s -p 80"}, {"command": "npx x --api-key ${API_KEY} -p 80"}),
        ({"command": "npx -y  'a b'"}, {"command": "npx -y  'a b'"}),
        (
            {"args": ["--config", '{"apiKey": "s", "port": 80}']},
            {"args": ["--config", '{"apiKey": "${APIKEY}", "port": 80}']},
        ),
        ({"args": ["-c", "export API_TOKEN=s; run"]}, {"args": ["-c", "export API_TOKEN=${API_TOKEN}; run"]}),
        ({"args": ["host=h user=u password=p"]}, {"args": ["host=h user=u password=${PASSWORD}"]}),
        ({"args": ["Server=h;Password=p;X=1"]}, {"args": ["Server=h;Password=${PASSWORD};X=1"]}),
        ({"args": ["-u", "me:s", "https://h.example"]}, {"args": ["-u", "${U}", "https://h.example"]}),
        ({"args": ["-u", "me", "-u", "1000"]}, {"args": ["-u", "me", "-u", "1000"]}),
        ({"args": ["postgres://u@h/db"]}, {"args": ["postgres://${URL_CREDENTIALS}@h/db"]}),
        ({"args": ["postgres://u:p@s/s@h/db"]}, {"args": ["postgres://${URL_CREDENTIALS}@h/db"]}),
        ({"args": ["jdbc:x://h/db?user=u&password=p"]}, {"args": ["jdbc:x://h/db?user=u&password=${PASSWORD}"]}),
        (
            {"url": "https://h.example/s/ODk5YTZkMTctNGE3Zi00YjM1LTk1OGMx/mcp"},
            {"url": "https://h.example/s/${URL_TOKEN}/mcp"},
        ),
        (
            {"url": "https://h.example/v1/3f2e0c52-6f3e-4e0f-9f4a-8c1d2b3a4e5f/mcp"},
            {"url": "https://h.example/v1/3f2e0c52-6f3e-4e0f-9f4a-8c1d2b3a4e5f/mcp"},
        ),
    ],
)
def test_a_literal_becomes_a_reference(transport: dict[str, Any], clean: dict[str, Any]) -> None:
    cleaned, replaced = without_secrets(transport)
    assert cleaned == clean
    assert bool(replaced) == (cleaned != transport)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=9), st.text(min_size=1, max_size=9).map(lambda text: f"hunter2{text}")
    ),
    st.sampled_from(["env", "headers", "auth"]),
)
def test_no_value_survives_where_secrets_live(values: dict[str, str], holder: str) -> None:
    harmless = {"type", "scheme", "scopes", "scope", "in", "name", "flow"}
    values = {key: value for key, value in values.items() if key not in harmless}
    cleaned, _ = without_secrets({holder: values})
    assert "hunter2" not in str({key: value for key, value in cleaned[holder].items() if "hunter2" not in key})


def test_what_was_replaced_is_said(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"p.json": {"id": "p", "env": {"TOKEN": "hunter2"}, "tools": [tool()]}})
    assert slugs(parsed.diagnostics) == [("secret-value", "warning")]
    assert "hunter2" not in repr(parsed)
