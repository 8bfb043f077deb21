"""Expansion: a configured server becomes what is started or called, with the values of its variables.

The values live from here to the end of one conversation, in the child's environment or in a request's headers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..credentials import is_secret_name, is_secret_value
from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic
from ..references import expanded, references_in, variable_of

SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Expanded:
    """A server with values for references; `secrets` are those that must not come back in what it says."""

    transport: str
    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    url: str
    headers: Mapping[str, str]
    secrets: Mapping[str, str]


def expand(configured: Configured, environment: Mapping[str, str]) -> tuple[Expanded | None, list[Diagnostic]]:
    """The values, or None where something that must be known is not set."""
    server = configured.server
    missing: list[str] = []

    def value(text: str) -> str:
        result, unset = expanded(text, environment)
        missing.extend(unset)
        return result

    command, args = value(server.command), tuple(map(value, server.args))
    # A variable that was read from a file ends with its newline; no header may, and an error would quote it.
    url, headers = value(server.url).strip(), {name: value(text).strip() for name, text in server.headers.items()}
    cwd = value(server.cwd)
    env: dict[str, str] = {}
    left_out: list[str] = []
    for name, text in server.env.items():
        result, unset = expanded(text, environment)
        left_out.extend(unset)
        if not unset:
            env[name] = result
    said = [_unset("variable-unset", configured, name, "is not set") for name in dict.fromkeys(missing)]
    if said:
        return None, said
    said = [
        _unset("variable-left-out", configured, name, "is not set; started without it")
        for name in dict.fromkeys(left_out)
    ]
    folder = configured.folder
    return Expanded(
        transport=server.transport,
        command=command,
        args=args,
        env=env,
        cwd=str(folder / Path(cwd).expanduser()) if folder is not None else cwd,
        url=url,
        headers=headers,
        secrets=_secrets(configured, environment, env, headers),
    ), said


def _unset(slug: str, configured: Configured, name: str, what: str) -> Diagnostic:
    return diagnostic(slug, f"{configured.label}: the variable {name} {what}", span=configured.span)


def _secrets(
    configured: Configured, environment: Mapping[str, str], env: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, str]:
    """By the variable that stands for it: what was looked up, and what is written out under a telling name."""
    server = configured.server
    found: dict[str, str] = {}
    for text in (server.command, server.url, server.cwd, *server.args, *server.env.values(), *server.headers.values()):
        for name in references_in(text):
            value = environment.get(name, "").strip()
            if is_secret_name(name) or is_secret_value(value) or text in server.headers.values():
                found[name] = value
    for name, text in (*env.items(), *headers.items()):
        if is_secret_name(name) and not references_in(server.env.get(name, server.headers.get(name, ""))):
            found[variable_of(name)] = text.split()[-1] if text.split() else ""
    return {name: text for name, text in found.items() if len(text) >= SHORTEST_SECRET}
