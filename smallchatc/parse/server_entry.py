"""One entry of a client's configuration becomes a Server, whichever client's words it uses.

Nothing is expanded and nothing is started. What cannot be used is named; a key that no client knows is a warning.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from ..diagnostics import diagnostic
from ..fingerprint import WrittenNumber
from ..model import Configured, Diagnostic, Json, Server, Span
from ..references import normalised
from ..wording import shown
from .documents import Pointer
from .secrets import without_secrets

_TRANSPORTS = {
    "stdio": "stdio", "local": "stdio", "custom": "stdio",
    "http": "streamable-http", "streamable-http": "streamable-http", "streamablehttp": "streamable-http",
    "streamable": "streamable-http", "remote": "streamable-http", "httpstream": "streamable-http",
    "sse": "sse",
}  # fmt: skip
_INSIDE_A_CLIENT = {"builtin", "extension", "platform", "frontend", "inlinepython"}
_COMMANDS = ("command", "cmd")
_URLS = ("url", "uri", "serverUrl", "httpUrl", "endpoint", "baseUrl")
_ENVS = ("env", "envs", "environment")
_HEADERS = ("headers", "http_headers")
_TIMEOUTS = ("tool_timeout_sec", "timeout", "request_timeout", "connectionTimeout", "initTimeout")
_INCLUDES = ("includeTools", "enabled_tools", "available_tools", "allowedTools", "tools")
_EXCLUDES = ("excludeTools", "disabled_tools", "disabledTools", "excludedTools")
_KNOWN = {
    *_COMMANDS, *_URLS, *_ENVS, *_HEADERS, *_TIMEOUTS, *_INCLUDES, *_EXCLUDES,
    "args", "cwd", "working_directory", "type", "transport", "transportType", "source", "name", "enabled", "disabled",
    "isActive", "active", "env_vars", "env_keys", "bearer_token", "bearer_token_env_var", "env_http_headers",
    "requestOptions",
}  # fmt: skip
_HARMLESS = {
    "description", "descrption", "display_name", "displayName", "title", "category", "complexity", "icon", "tags",
    "trust", "autoApprove", "alwaysAllow", "autoApproved", "gallery", "version", "dev", "bundled", "note", "notes",
    "oauth", "auth", "authProviderType", "startup_timeout_sec", "startup_timeout_ms", "required", "alwaysLoad",
    "headersHelper", "settings", "port", "scopes", "sandbox", "sandboxEnabled", "default_tools_approval_mode",
    "supports_parallel_tool_calls", "metadata", "registryUrl", "homepage", "author", "license", "provider",
    "watchPaths",
}  # fmt: skip
_NOT_USED = {
    "envFile": "the variables of its envFile are not read",
    "env_file": "the variables of its env_file are not read",
}
MILLISECONDS_FROM = 1000
"""A time-out of this many is of milliseconds, as some clients count: nobody waits a quarter of an hour for a tool."""


def read_server(
    name: str, raw: Json, at: Pointer, locate: Callable[[Pointer], Span], said: list[Diagnostic]
) -> Configured | None:
    """The server, or None where the entry says of none that can be started or reached."""
    label = f"server '{shown(name)}'"

    def say(slug: str, message: str, below: Pointer = (), *, hint: str | None = None) -> None:
        said.append(diagnostic(slug, f"{label}: {message}", span=locate((*at, *below)), hint=hint))

    if not isinstance(raw, dict):
        say("bad-server", "its entry is not an object")
        return None
    kind = _key(_text(raw, "type") or _text(raw, "transport") or _text(raw, "transportType"))
    if kind in _INSIDE_A_CLIENT or _key(_text(raw, "source")) in _INSIDE_A_CLIENT:
        say("server-built-in", "it is a part of the client itself and cannot be started from outside")
        return None
    if isinstance(raw.get("command"), dict):  # Zed, formerly: {"command": {"path": ..., "args": ..., "env": ...}}
        raw = {**raw, **raw["command"], "command": raw["command"].get("path")}
        raw.pop("path", None)
    _tell_keys(raw, say)
    command, args = _command(raw, say)
    url_key = next((key for key in _URLS if _text(raw, key) and not (key == "endpoint" and command)), "")
    url = _text(raw, url_key)
    if not command and not url:
        say("missing-command", "it has neither a command nor a url", hint=_nearest_key(raw))
        return None
    transport = _transport(kind, raw, command, url, url_key, say)
    if transport is None:
        return None
    enabled = raw.get("enabled") is not False and raw.get("disabled") is not True and raw.get("isActive") is not False
    server = Server(
        name=name,
        transport=transport,
        command=command if transport == "stdio" else "",
        args=args if transport == "stdio" else (),
        env=dict(_env(raw)) if transport == "stdio" else {},
        cwd=_text(raw, "cwd") or _text(raw, "working_directory") if transport == "stdio" else "",
        url="" if transport == "stdio" else url,
        headers={} if transport == "stdio" else dict(_headers(raw, say)),
        enabled=enabled,
        include=_names(raw, _INCLUDES),
        exclude=_names(raw, _EXCLUDES),
        timeout_s=_timeout(raw),
    )
    return configured(server, label, locate(at), say)


def configured(server: Server, label: str, span: Span, say: Callable[..., None]) -> Configured:
    """The server with one spelling of references, and the record of it that an artifact may keep."""
    foreign: list[tuple[str, str]] = []

    def plain(text: str) -> str:
        result, found = normalised(text)
        foreign.extend(found)
        return result

    server = replace(
        server,
        command=plain(server.command),
        args=tuple(map(plain, server.args)),
        env={key: plain(value) for key, value in server.env.items()},
        cwd=plain(server.cwd),
        url=plain(server.url),
        headers={key: plain(value) for key, value in server.headers.items()},
    )
    for written, variable in dict.fromkeys(foreign):
        message = f"only a client can fill in '{written}'; read as ${{{variable}}}"
        say("unsupported-reference", message, hint=f"set {variable} where the server is started")
    for text in (server.command, server.cwd, *server.args):
        if re.match(r"[A-Za-z]:[\t\n\r\f\b\v\a]", text):
            say("windows-path", f"'{shown(text)}' holds a control character where a backslash was meant")
    transport, secrets = without_secrets(transport_of(server))
    if secrets:
        say("secret-value", f"literal values became references: {', '.join(sorted(set(secrets)))}")
    return Configured(server=server, label=label, transport=transport, span=span)


def transport_of(server: Server) -> dict[str, Json]:
    """How a server is reached, as an artifact says it; only what is set."""
    record: dict[str, Json] = {"type": "mcp", "transport": server.transport}
    parts: tuple[tuple[str, Json], ...] = (
        ("command", server.command),
        ("args", list(server.args) if server.command else None),
        ("env", dict(server.env)),
        ("cwd", server.cwd),
        ("url", server.url),
        ("headers", dict(server.headers)),
        ("timeout_s", server.timeout_s),
    )
    return record | {key: value for key, value in parts if value or (key == "args" and value is not None)}


def _command(raw: Mapping[str, Json], say: Callable[..., None]) -> tuple[str, tuple[str, ...]]:
    """The program and its arguments; a list is both, and so is a line with blanks that is no path."""
    key = next((key for key in _COMMANDS if raw.get(key)), "command")
    command, listed = raw.get(key), raw.get("args")
    args = tuple(_word(item) for item in listed) if isinstance(listed, list) else ()
    if isinstance(listed, str):
        args = tuple(_split(listed))
        say("command-line", "its args are one text; read as a command line", ("args",))
    if isinstance(command, list):
        words = [_word(item) for item in command]
        return (words[0], (*words[1:], *args)) if words else ("", args)
    if not isinstance(command, str):
        return "", args
    head = command.strip().split(" ", 1)[0]
    if " " not in command.strip() or "/" in head or "\\" in head:
        return command.strip(), args
    words = _split(command)
    if key == "command":
        say("command-line", f"its command '{shown(command)}' holds blanks; read as a command line", (key,))
    return words[0], (*words[1:], *args)


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line) or [line]
    except ValueError:
        return line.split()


def _transport(
    kind: str, raw: Mapping[str, Json], command: str, url: str, url_key: str, say: Callable[..., None]
) -> str | None:
    if not kind or (kind == "http" and command and not _text(raw, "url")):
        if command:
            return "stdio"
        # Gemini writes httpUrl for one and url for the other; a path that ends so is the old transport everywhere.
        return "sse" if re.search(r"/sse/?(?:$|\?)", url) and url_key != "httpUrl" else "streamable-http"
    found = _TRANSPORTS.get(kind)
    if found is None:
        say("transport-not-supported", f"its transport '{shown(kind)}' is not one that can be asked")
        return None
    if found == "stdio" and not command:
        return "streamable-http"
    if found != "stdio" and not url:
        return "stdio"
    return found


def _env(raw: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Variables of the child: with a value, or by name only, which means the same variable of the parent."""
    for key in _ENVS:
        held = raw.get(key)
        if isinstance(held, dict):
            yield from ((name, _word(value)) for name, value in held.items() if value is not None)
        elif isinstance(held, list):
            yield from _by_name(held)
    for key in ("env_vars", "env_keys"):
        if isinstance(raw.get(key), list):
            yield from _by_name(raw[key])


def _by_name(names: list[Json]) -> Iterator[tuple[str, str]]:
    for item in names:
        name = item.get("name") if isinstance(item, dict) else item
        if isinstance(name, str) and name:
            key, equals, value = name.partition("=")
            yield key, value if equals else f"${{{key}}}"


def _headers(raw: Mapping[str, Json], say: Callable[..., None]) -> Iterator[tuple[str, str]]:
    options = raw.get("requestOptions")
    holders = [raw.get(key) for key in _HEADERS]
    for held in [*holders, options.get("headers") if isinstance(options, dict) else None]:
        if isinstance(held, dict):
            yield from ((name, _word(value)) for name, value in held.items() if value is not None)
    variables = raw.get("env_http_headers")
    if isinstance(variables, dict):
        yield from ((name, f"${{{value}}}") for name, value in variables.items() if isinstance(value, str))
    if _text(raw, "bearer_token_env_var"):
        yield "Authorization", f"Bearer ${{{_text(raw, 'bearer_token_env_var')}}}"
    elif _text(raw, "bearer_token"):
        say("inline-token", "its bearer_token is written out", ("bearer_token",))
        yield "Authorization", f"Bearer {_text(raw, 'bearer_token')}"


def _names(raw: Mapping[str, Json], keys: tuple[str, ...]) -> tuple[str, ...]:
    found = [name for key in keys if isinstance(raw.get(key), list) for name in raw[key] if isinstance(name, str)]
    return () if "*" in found else tuple(dict.fromkeys(found))


def _timeout(raw: Mapping[str, Json]) -> float:
    for key in _TIMEOUTS:
        value = raw.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9:
            return float(value / 1000 if value >= MILLISECONDS_FROM else value)
    return 0.0


def _tell_keys(raw: Mapping[str, Json], say: Callable[..., None]) -> None:
    for key in raw:
        if key in _NOT_USED:
            say("server-key-not-used", _NOT_USED[key], (key,))
        elif key not in _KNOWN and key not in _HARMLESS and not key.startswith(("_", "//", "$", "x-")):
            close = get_close_matches(key, sorted(_KNOWN), n=1, cutoff=0.6)
            say(
                "unknown-server-key",
                f"unknown key '{shown(key)}'",
                (key,),
                hint=f"did you mean '{close[0]}'?" if close else None,
            )


def _nearest_key(raw: Mapping[str, Json]) -> str | None:
    for key in raw:
        close = get_close_matches(key.lower(), ("command", "url", "serverurl"), n=1, cutoff=0.7)
        if close and key not in _KNOWN:
            return f"did you mean '{close[0]}' where it says '{shown(key)}'?"
    return None


def _key(text: str) -> str:
    """A word of a configuration without what clients spell differently: streamable_http, streamableHttp."""
    plain = text.lower().replace("_", "-")
    return plain if plain in _TRANSPORTS else plain.replace("-", "")


def _text(raw: Mapping[str, Json], key: str) -> str:
    value = raw.get(key)
    return value.strip() if isinstance(value, str) else ""


def _word(value: Json) -> str:
    """A word of a command line or of the environment: numbers as they were written, truth as programs spell it."""
    if isinstance(value, str):
        return value
    if isinstance(value, WrittenNumber):
        return value.text
    return {True: "true", False: "false", None: ""}.get(value, str(value)) if not isinstance(value, dict | list) else ""
