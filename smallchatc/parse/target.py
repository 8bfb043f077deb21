"""A source that is no file: the URL of an MCP server, or a command line after `stdio:` that starts one."""

from __future__ import annotations

import re
import shlex

from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic, Server, Span
from ..wording import shown
from .secrets import without_secrets
from .server_entry import configured

STDIO = "stdio:"
_URL = re.compile(r"https?://", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


def is_target(source: str) -> bool:
    """Whether a source is a server and not a path."""
    return source.startswith(STDIO) or _URL.match(source) is not None


def read_target(source: str) -> tuple[Configured | None, list[Diagnostic]]:
    """The server that a source names. Words like NAME=value before the program are its environment, as in a shell."""
    said: list[Diagnostic] = []
    server = _of_command(source[len(STDIO) :]) if source.startswith(STDIO) else _of_url(source)
    shown_as = _label(server)
    span = Span(file=shown_as, line=1, column=1)

    def say(slug: str, message: str, *_: object, hint: str | None = None) -> None:
        said.append(diagnostic(slug, message, span=span, hint=hint))

    if not server.command and not server.url:
        say("missing-command", f"there is no command after '{STDIO}'")
        return None, said
    return configured(server, f"server '{shown_as}'", span, say), said


def _of_command(line: str) -> Server:
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    env: dict[str, str] = {}
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        env[found.group(1)] = found.group(2)
        words.pop(0)
    return Server(
        name="", transport="stdio", command=words[0] if words else "", args=tuple(words[1:]), env=env,
    )  # fmt: skip


def _of_url(url: str) -> Server:
    old = re.search(r"/sse/?(?:$|\?)", url) is not None
    return Server(name="", transport="sse" if old else "streamable-http", url=url)


def _label(server: Server) -> str:
    """The source as it may be shown and kept: without secrets."""
    record, _ = without_secrets({"url": server.url, "args": list(server.args)})
    return shown(record["url"] or shlex.join([server.command, *record["args"]]) or STDIO)
