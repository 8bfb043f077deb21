"""What a session says: answers as `call` prints them, lists on stdout, everything about them on stderr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from . import bold, count, dim, plain, render_error, table
from .called import Shown
from .inspected import tool_text
from .resolution import proof_text, resolution_text

if TYPE_CHECKING:
    from runtime_min import Resolution
    from runtime_min.errors import SmallchatError
    from runtime_min.events import Event
    from smallchatc.calling import Misfit
    from smallchatc.session import Command

SHOWN_TOOLS = 60


class SessionView:
    """Prints for one session."""

    def __init__(self) -> None:
        self._shown = Shown(as_json=False)

    def event(self, event: Event | Misfit) -> None:
        self._shown.event(event)

    def resolution(self, resolution: Resolution) -> None:
        click.echo(resolution_text(resolution))

    def proof(self, proof: Mapping[str, Any]) -> None:
        click.echo(proof_text(proof))

    def tools(self, paths: Sequence[str]) -> None:
        for path in paths[:SHOWN_TOOLS]:
            click.echo(plain(path))
        more = len(paths) - SHOWN_TOOLS
        told = count(len(paths), "tool") + (
            f", {more:,} of them not shown: `:tools TEXT` lists fewer" if more > 0 else ""
        )
        click.echo(dim(told), err=True)

    def tool(self, told: Mapping[str, Any]) -> None:
        click.echo(tool_text(told))

    def commands(self, commands: Mapping[str, Command]) -> None:
        rows = [(bold(f":{name}"), command.takes, dim(command.help)) for name, command in commands.items()]
        click.echo("An intent, and its arguments as name=value or one JSON object, is run. Else:")
        click.echo(table(rows))

    def error(self, err: SmallchatError) -> None:
        self._shown.end_line()
        render_error(err)

    def note(self, text: str) -> None:
        self._shown.end_line()
        click.echo(dim(plain(text)), err=True)
