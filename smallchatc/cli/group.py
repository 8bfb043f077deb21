"""The command group: commands are imported when called, and every error leaves through one door."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

EXIT_TROUBLE = 2
EXIT_BUG = 70
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141  # what a shell shows for a program that SIGPIPE ended


class LazyGroup(click.Group):
    """A group whose commands are named as "module:attribute"; what a command returns is its exit code."""

    def __init__(self, *args: Any, commands_at: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = self.commands_at.get(cmd_name)
        if target is None:
            return None
        module, attribute = target.split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Click's own suggestion reads `self.commands`, which a lazy group leaves empty.
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.commands_at:
            raise click.exceptions.NoSuchCommand(name, possibilities=self.commands_at, ctx=ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        ctx.color = _color()
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            _silence_stdout()
            ctx.exit(EXIT_PIPE)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except Exception as err:
            ctx.exit(_report(err, debug=bool(ctx.params.get("debug"))))
        if isinstance(code, int) and code:
            ctx.exit(code)
        return code


def _color() -> bool | None:
    """False, True, or None: as the stream is a terminal. An empty variable counts as unset (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def _silence_stdout() -> None:
    """The reader of our pipe has gone: what is still buffered goes nowhere, so that the exit is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(err: Exception, *, debug: bool) -> int:
    """Say what went wrong; the exit code."""
    from runtime_min.errors import SmallchatError
    from smallchatc.diagnostics import CompileError
    from smallchatc.render import render_error, render_os_error
    from smallchatc.render.diagnostics import diagnostics_text

    if debug:
        import traceback

        traceback.print_exception(err)
    if isinstance(err, CompileError):
        click.echo(diagnostics_text(err.diagnostics, verbose=True), err=True)
        return EXIT_TROUBLE
    if isinstance(err, SmallchatError):
        render_error(err)
        return EXIT_TROUBLE
    if isinstance(err, OSError) and err.filename is not None:
        render_os_error(err)
        return EXIT_TROUBLE
    click.echo(f"smallchatc: internal error: {type(err).__name__}: {err}", err=True)
    click.echo("  hint: this is a fault of smallchatc; run it again with `smallchatc --debug` and report", err=True)
    return EXIT_BUG
