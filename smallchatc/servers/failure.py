"""Failure: what ended a conversation, in words: which server, how far it came, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..credentials import redacted
from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic
from ..wording import shown
from .course import MAX_ANSWER, Course, NoList
from .expansion import Expanded

_COMES_WITH = {
    "npx": "Node.js", "npm": "Node.js", "node": "Node.js", "uvx": "uv", "uv": "uv", "docker": "Docker",
    "bunx": "Bun", "bun": "Bun", "deno": "Deno", "python": "Python", "go": "Go", "dotnet": ".NET", "java": "Java",
}  # fmt: skip
_OLD_SDK = re.compile(
    r"mcp\.server\.fastmcp|'Server' object has no attribute|(?:cannot import name|No module named) '[\w.]*'.*\bmcp\b"
    r"|No module named 'mcp\.",
)
_ON_OLD_SDK = "it was written for the older MCP package: start it with mcp<2, as in uvx --with 'mcp<2' SERVER"


def failure(
    configured: Configured,
    server: Expanded,
    course: Course,
    raised: BaseException | None,
    *,
    timeout_s: float | None = None,
) -> Diagnostic:
    """The diagnostic of a conversation that `raised` ended; None is the time-out."""
    slug, message, hint = _words(server, course, raised, timeout_s)
    last = course.last_words() if server.transport == "stdio" else ""
    if last and slug in ("server-died", "server-timeout", "server-error"):
        message += f"; its last words: {last}"
    for name, secret in sorted(server.secrets.items(), key=lambda item: -len(item[1])):
        message = message.replace(secret, f"${{{name}}}")
    if _OLD_SDK.search(course.stderr):
        hint = _ON_OLD_SDK
    return diagnostic(slug, f"{configured.label} {shown(redacted(message), 400)}", span=configured.span, hint=hint)


def _words(
    server: Expanded, course: Course, raised: BaseException | None, timeout_s: float | None
) -> tuple[str, str, str | None]:
    """Slug, message, and a hint where there is a better one than the rule's."""
    if raised is None:
        return "server-timeout", f"did not list its tools within {timeout_s:g} s: {course.words()}", None
    causes = list(_leaves(raised))
    for cause in causes:
        if isinstance(cause, NotADirectoryError):
            return "server-not-found", "cannot start: its working folder is not there", "correct its cwd"
        if isinstance(cause, FileNotFoundError):
            brought = _COMES_WITH.get(server.command)
            hint = f"install {brought}, or write its full path" if brought else None
            return "server-not-found", f"cannot start: there is no program '{server.command}'", hint
        if isinstance(cause, PermissionError):
            return "server-not-found", f"cannot start: '{server.command}' may not be run", "check its permissions"
    if course.too_large:
        return "server-too-large", f"answers with more than {MAX_ANSWER // (1024 * 1024)} MB at once", None
    if course.broken:
        return "server-error", f"answers with what is not JSON: {course.broken}", None
    if course.ended:
        return "server-died", _death(course), None
    if course.status in (401, 403):
        return "server-refused", f"answers HTTP {course.status}", None
    return _of_the_wire(server, course, causes)


def _of_the_wire(server: Expanded, course: Course, causes: list[BaseException]) -> tuple[str, str, str | None]:
    import httpx2
    from mcp.shared.exceptions import MCPError

    for cause in causes:
        if isinstance(cause, NoList):
            return "server-error", "answers tools/list with what is no list of tools", None
        if isinstance(cause, httpx2.HTTPStatusError):
            return "server-error", f"answers HTTP {cause.response.status_code}", None
        if isinstance(cause, httpx2.TransportError | httpx2.InvalidURL | httpx2.UnsupportedProtocol):
            return "server-unreachable", f"cannot be reached: {_first_line(cause)}", None
    if course.status is not None and course.status >= 400:
        return "server-error", f"answers HTTP {course.status}", None
    for cause in causes:
        if isinstance(cause, MCPError):
            return "server-error", f"answers with an error: {cause.error.message} ({cause.error.code})", None
    first = causes[0]
    if isinstance(first, OSError):
        return "server-not-found", f"cannot start: {(first.strerror or str(first)).lower()}", None
    return "server-error", f"does not speak the protocol: {_first_line(first)}", None


def _leaves(raised: BaseException) -> Iterator[BaseException]:
    """What was raised, out of the groups that tasks put it in."""
    if isinstance(raised, BaseExceptionGroup):
        for each in raised.exceptions:
            yield from _leaves(each)
    else:
        yield raised


def _death(course: Course) -> str:
    """How it ended, and how far it came where its last words do not tell."""
    if course.listed:
        return f"{_ended(course)} after it had listed its tools"
    told = "" if course.last_words() and not course.heard else f": {course.words()}"
    return f"{_ended(course)} before it had listed its tools{told}"


def _ended(course: Course) -> str:
    if course.exit_code is None:
        return "closed its standard output"
    if course.exit_code < 0:
        return f"was ended by signal {-course.exit_code}"
    return f"ended with exit code {course.exit_code}"


def _first_line(cause: BaseException) -> str:
    lines = str(cause).strip().splitlines()
    return lines[0][:200] if lines else type(cause).__name__
