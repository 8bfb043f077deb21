"""`smallchatc repl`: intent after intent, on one runtime."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .params import ARTIFACT, running_options

if TYPE_CHECKING:
    from smallchatc.completing import Completion


@click.command(name="repl")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.option(
    "--learned",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Begin with what this file has learned, and keep in it what `:choose` teaches.",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask before a tool that may change or destroy something.")
@running_options
def repl_command(artifact: Path, learned: Path | None, yes: bool, trust: bool, bindings: tuple[str, ...]) -> int:
    """Resolve and run what is typed, line by line; `:help` lists what else can be said.

    \b
      > what is in this folder path=docs
      > files/read_file {"path": "README.md"}
      > :choose 2

    What comes through a pipe is read the same way; the exit code is then the worst of its lines. On a terminal, lines
    are kept in the user's state folder (SMALLCHAT_STATE_DIR), but for those that begin with a blank.
    """
    from smallchatc.completing import completer_of
    from smallchatc.render.called import ask
    from smallchatc.render.session import SessionView
    from smallchatc.running import open_connected
    from smallchatc.session import COMMANDS, Session, enter_all

    runtime = open_connected(artifact, trust=trust, bindings=bindings)
    session = Session(runtime, SessionView(), learned=learned, confirm=None if yes else ask)
    typing = sys.stdin.isatty()
    lines = _typed(completer_of(runtime, COMMANDS)) if typing else _piped()

    async def run() -> int:
        try:
            return await enter_all(session, lines)
        finally:
            await runtime.aclose()

    try:
        code = asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    return 0 if typing else code


async def _piped() -> AsyncIterator[str]:
    for line in sys.stdin:
        yield line


async def _typed(complete: Callable[[str], list[Completion]]) -> AsyncIterator[str]:
    """Lines of somebody at a terminal; Ctrl-C gives up a line, Ctrl-D ends."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Shown
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    class Tools(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterator[Shown]:
            for one in complete(document.text_before_cursor):
                yield Shown(one.text, start_position=-one.replaces)

    class Kept(FileHistory):
        def store_string(self, string: str) -> None:
            if not string.startswith(" "):
                super().store_string(string)

    place = _history()
    history = InMemoryHistory() if place is None else Kept(str(place))
    prompt: PromptSession[str] = PromptSession(history=history, completer=Tools(), complete_while_typing=False)
    while True:
        try:
            yield await prompt.prompt_async("> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _history() -> Path | None:
    """The file of typed lines, for its owner alone; None where none can be kept."""
    said = os.environ.get("SMALLCHAT_STATE_DIR")
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(OSError, RuntimeError):
        folder = Path(said) if said else (Path(base) if base else Path.home() / ".local" / "state") / "smallchat"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = folder / "repl_history"
        place.touch(mode=0o600)
        return place
    return None
