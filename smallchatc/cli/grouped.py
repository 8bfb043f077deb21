"""Options under headings: what a command with many of them shows for --help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import click

_REST = "Options"
_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Decorator(Protocol):
    def __call__(self, *declarations: str, **settings: Any) -> Callable[[_Command], _Command]: ...


class GroupedCommand(click.Command):
    """A command whose options stand under the headings that they name, those without one at the end."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        headings: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                headings.setdefault(getattr(param, "heading", _REST), []).append(record)
        for heading in [*(name for name in headings if name != _REST), _REST]:
            with formatter.section(heading):
                formatter.write_dl(headings[heading])


class _Option(click.Option):
    def __init__(self, *args: Any, heading: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading


def options_under(heading: str) -> _Decorator:
    """`click.option`, for options that stand under a heading."""
    return partial(click.option, cls=_Option, heading=heading)
