"""A server that has begun: where, what, of which artifact; on stderr, since stdout may be the wire."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import click

from . import plain

if TYPE_CHECKING:
    from smallchatc.serve.service import Service


def show_ready(where: str, service: Service) -> None:
    """One line: clients may come."""
    status = service.status()
    tools = f"{status['tools']} tool{'' if status['tools'] == 1 else 's'}"
    click.echo(f"serving {tools} as {status['exposed']} at {where}, artifact {status['artifact'][:12]}", err=True)


def to_stderr() -> None:
    """What goes on while it serves: one line each."""
    handler = _Lines()
    for name, level in (("smallchatc", logging.INFO), ("mcp", logging.ERROR)):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(level)
        log.propagate = False


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        said = record.getMessage() + (f": {type(error).__name__}: {error}" if error else "")
        click.echo(f"smallchatc: {plain(said)}", err=True)
