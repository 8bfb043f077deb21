"""Servers: configured MCP servers become answers, each the recording of what that server lists right now.

The only place that starts a command or opens a connection. Every server is asked for itself: what goes wrong with
one is said in its answer and costs the others nothing. No child process outlives the call, whatever ends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diagnostics import diagnostic, has_errors
from ..model import Answer, Configured
from .course import Tell
from .meanwhile import quiet_logs, terminated_like_interrupted

__all__ = ["TIMEOUT_S", "Tell", "ask_servers"]

TIMEOUT_S = 120.0
"""A first start may install a package: of 115 real servers one said its first word after 40 s."""

AT_ONCE = 8


def ask_servers(
    servers: Sequence[Configured],
    *,
    environment: Mapping[str, str],
    timeout_s: float = TIMEOUT_S,
    fail_fast: bool = False,
    tell: Tell | None = None,
) -> tuple[Answer, ...]:
    """What each server answers, in their order, asked side by side; `fail_fast` ends with the first that fails.

    References are expanded from `environment`, here and nowhere else. `tell` hears how far each one is.
    """
    if not servers:
        return ()
    try:
        import anyio
        import mcp  # noqa: F401
    except ImportError:
        return tuple(cannot_ask(server) for server in servers)

    async def all_of_them() -> tuple[Answer, ...]:
        answers: dict[int, Answer] = {}
        limit = anyio.CapacityLimiter(AT_ONCE)
        async with anyio.create_task_group() as group:

            async def one(number: int, server: Configured) -> None:
                from .conversation import ask

                async with limit:
                    answers[number] = await ask(server, environment, timeout_s=timeout_s, tell=tell or nobody)
                if fail_fast and has_errors(answers[number].said):
                    group.cancel_scope.cancel()

            for number, server in enumerate(servers):
                group.start_soon(one, number, server)
        return tuple(answers[number] for number in sorted(answers))

    with quiet_logs(), terminated_like_interrupted():
        return anyio.run(all_of_them)


def cannot_ask(server: Configured) -> Answer:
    message = f"{server.label} cannot be asked: the package mcp is not installed"
    return Answer(configured=server, recording=None, said=(diagnostic("mcp-extra-missing", message, span=server.span),))


def nobody(label: str, what: str, finished: bool) -> None:
    """Nobody listens."""
