"""Progress of a compile: a line for each stage and server while a person watches; servers also in plain lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import click

from . import plain
from .compiled import stage_title


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What to call with (stage, done, total), and with (server, what it does, whether that was the last of it)."""

    stage: Callable[[str, int, int], None] | None = None
    server: Callable[[str, str, bool], None] | None = None


@contextmanager
def progress(*, quiet: bool) -> Iterator[Report]:
    """Who to tell; nobody where nobody watches."""
    if quiet:
        yield Report()
    elif not sys.stderr.isatty():
        yield Report(server=_in_lines)
    else:
        with _on_a_terminal() as report:
            yield report


def _in_lines(server: str, what: str, finished: bool) -> None:
    """One line a server when it is finished: a log needs no more."""
    if finished:
        click.echo(f"{plain(server)}: {plain(what)}", err=True)


@contextmanager
def _on_a_terminal() -> Iterator[Report]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def stage(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(stage_title(name), total=total)
            bar.update(tasks[name], completed=done, total=total)

        def server(label: str, what: str, finished: bool) -> None:
            if label not in tasks:
                tasks[label] = bar.add_task("", total=None)
            bar.update(tasks[label], description=escape(f"{plain(label)}: {plain(what)}"))
            if finished:
                bar.update(tasks[label], completed=1, total=1)

        yield Report(stage=stage, server=server)
