"""Session: lines that somebody types become calls and commands, with what was asked last at hand.

an intent and its arguments   the same way as `smallchatc call`
:command                      of COMMANDS; what is not known is answered with the nearest name
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from runtime_min.errors import Declined, SmallchatError
from runtime_min.events import Done

from .calling import Misfit, answer
from .describe import tool, tool_paths
from .diagnostics import nearest_name
from .running import bind
from .typed_line import TypedLine, typed_line

if TYPE_CHECKING:
    from runtime_min import Resolution, ToolRuntime
    from runtime_min.events import Event, ToolResult
    from runtime_min.proxy import ToolProxy


class Command(NamedTuple):
    """What can be typed after a colon."""

    takes: str
    help: str


COMMANDS: Mapping[str, Command] = {
    "tools": Command("[TEXT | P/N]", "list the tools, those whose name holds TEXT, or show one"),
    "resolve": Command("INTENT", "say which tool an intent means, and run nothing"),
    "why": Command("", "show the proof of the last answer"),
    "choose": Command("NUMBER | P/N", "say which option was meant: it is learned, and run"),
    "bind": Command("P=MODULE:OBJECT", "let an object's functions be a provider's tools"),
    "help": Command("", "show this"),
    "quit": Command("", "end, as the end of the input does"),
}


class View(Protocol):
    """Where a session shows what it has to say."""

    def event(self, event: Event | Misfit) -> None: ...
    def resolution(self, resolution: Resolution) -> None: ...
    def proof(self, proof: Mapping[str, Any]) -> None: ...
    def tools(self, paths: Sequence[str]) -> None: ...
    def tool(self, told: Mapping[str, Any]) -> None: ...
    def commands(self, commands: Mapping[str, Command]) -> None: ...
    def error(self, err: SmallchatError) -> None: ...
    def note(self, text: str) -> None: ...


class BadCommand(SmallchatError):
    """A line that begins with a colon and is no command, or lacks something."""

    code = "bad-command"


class Session:
    """One runtime, and what was asked of it last. `learned` is the file that what is taught goes to."""

    def __init__(
        self,
        runtime: ToolRuntime,
        view: View,
        *,
        learned: Path | None = None,
        confirm: Callable[[ToolProxy, Mapping[str, Any]], bool] | None = None,
    ) -> None:
        self.runtime = runtime
        self.ended = False
        self._view = view
        self._learned = learned
        self._confirm = confirm
        self._asked: TypedLine | None = None
        self._resolution: Resolution | None = None
        self._result: ToolResult | None = None
        self._listed = False  # whether candidates were shown
        if learned is not None and learned.exists():
            for note in runtime.learned.load(learned):
                view.note(note)

    async def enter(self, line: str) -> int:
        """Do what a line says: 0 done, 1 no tool is clear or it failed, 2 the line or a call is at fault."""
        try:
            if line.lstrip().startswith(":"):
                name, _, rest = line.strip()[1:].partition(" ")
                return await self._command(name, rest.strip())
            return await self._call(typed_line(line)) if line.strip() else 0
        except SmallchatError as err:
            self._view.error(err)
            return 1 if isinstance(err, Declined) else 2

    def interrupted(self) -> None:
        """Say that the line was given up."""
        self._view.note("interrupted")

    async def _call(self, asked: TypedLine) -> int:
        if not asked.intent:
            raise BadCommand("arguments, and nothing to do with them", hint="write what you want before them")
        self._asked, self._result, self._listed = asked, None, False
        self._resolution = self.runtime.resolve(asked.intent)

        def show(event: Event | Misfit) -> None:
            if isinstance(event, Done):
                self._result = event.result
                self._resolution = event.result.resolution
            self._view.event(event)

        return await answer(self.runtime, asked.intent, asked.arguments, asked.texts, confirm=self._confirm, show=show)

    async def _command(self, name: str, rest: str) -> int:
        if name not in COMMANDS:
            near = nearest_name(name, list(COMMANDS)) or ":help lists the commands"
            raise BadCommand(f"there is no command ':{name}'", hint=near)
        if name == "choose":
            return await self._choose(rest)
        if name == "tools":
            return self._tools(rest)
        if name == "resolve":
            self._resolution = self.runtime.resolve(_needed(name, rest))
            self._asked, self._result, self._listed = TypedLine(rest, {}, {}), None, True
            self._view.resolution(self._resolution)
            return 0 if self._resolution.tool else 1
        if name == "why":
            self._view.proof(self._proof())
        elif name == "bind":
            bind(self.runtime, _needed(name, rest))
        elif name == "help":
            self._view.commands(COMMANDS)
        else:
            self.ended = True
        return 0

    def _tools(self, text: str) -> int:
        paths = tool_paths(self.runtime.artifact)
        if text in paths:
            self._view.tool(tool(self.runtime.artifact, text))
            return 0
        found = [path for path in paths if text.casefold() in path.casefold()]
        self._view.tools(found)
        return 0 if found else 1

    def _proof(self) -> Mapping[str, Any]:
        """How the last answer came about: the proof, and what was tried beyond it."""
        if self._resolution is None:
            raise BadCommand("nothing was asked yet")
        proof = self._resolution.proof.to_dict()
        tried = self._result.fallback_steps if self._result is not None else []
        return {**proof, "steps": [*proof["steps"], *tried]}

    async def _choose(self, choice: str) -> int:
        asked, resolution = self._asked, self._resolution
        if asked is None or resolution is None:
            raise BadCommand("nothing was asked yet")
        chosen = _option(self._options(), _needed("choose", choice))
        ran = self._result.tool if self._result is not None else None
        if ran is not None and ran != chosen:
            self.runtime.correct(asked.intent, ran, chosen)
        else:
            self.runtime.resolve_refinement(asked.intent, chosen)
        if self._learned is not None:
            self.runtime.learned.save(self._learned)
        self._view.note(f"learned: {asked.intent!r} means {chosen}")
        return await self._call(asked)

    def _options(self) -> list[str]:
        """What `:choose` counts: the options of the question, else the candidates; of a line that failed, nothing."""
        if self._result is not None and self._result.refinement is not None:
            return [option.tool for option in self._result.refinement.options]
        if self._resolution is None or not (self._listed or self._result is not None):
            return []
        return [found.tool for found in self._resolution.candidates]


async def enter_all(session: Session, lines: AsyncIterable[str]) -> int:
    """Enter line after line; the worst of their codes. An interrupt ends the line that runs, and not the session."""
    worst = 0
    async for line in lines:
        running = asyncio.ensure_future(session.enter(line))
        with _interrupts(running):
            try:
                code = await running
            except asyncio.CancelledError:
                current = asyncio.current_task()
                if current is not None and current.cancelling():
                    raise
                session.interrupted()
                code = 130
        worst = max(worst, code)
        if session.ended:
            break
    return worst


@contextmanager
def _interrupts(running: asyncio.Future[int]) -> Iterator[None]:
    """Ctrl-C cancels what runs, SIGTERM everything, so that servers which were started end first."""
    loop, everything = asyncio.get_running_loop(), asyncio.current_task()
    targets = {signal.SIGINT: running, signal.SIGTERM: everything}
    with suppress(NotImplementedError):  # Windows has no handlers
        for number, target in targets.items():
            loop.add_signal_handler(number, target.cancel if target else int)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in targets:
                loop.remove_signal_handler(number)


def _needed(name: str, rest: str) -> str:
    if not rest:
        raise BadCommand(f":{name} needs {COMMANDS[name].takes}")
    return rest


def _option(options: Sequence[str], choice: str) -> str:
    if "/" in choice:
        return choice
    if not choice.isdecimal() or not 1 <= int(choice) <= len(options):
        there = f"there are {len(options)} options" if len(options) > 1 else "there is one option"
        there = there if options else "nothing was shown to choose from"
        raise BadCommand(f":choose {choice}: {there}", hint="give the number of one, or a tool: provider/name")
    return options[int(choice) - 1]
