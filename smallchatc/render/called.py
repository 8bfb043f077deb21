"""A call as it happens: the tool's answer on stdout, all talk about it on stderr."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from runtime_min.dispatch import as_text
from runtime_min.events import Chunk, Done, InferenceDelta, Progress, ToolStart, jsonable
from smallchatc.calling import Misfit

from . import bold, dim, plain
from .document import print_json
from .resolution import refinement_lines

if TYPE_CHECKING:
    from runtime_min.events import Event
    from runtime_min.proxy import ToolProxy

_SHOWN = 300


class Shown:
    """Prints the events of one call; with `as_json` one document when it has ended."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._line_open = False

    def event(self, event: Event | Misfit) -> None:
        """Print what an event adds."""
        if isinstance(event, Misfit):
            wrong = plain("; ".join(map(str, event.violations)))
            click.echo(f"{bold(plain(event.tool))} is meant, but for its arguments: {wrong}", err=True)
        elif isinstance(event, ToolStart):
            _talk(f"{bold(plain(event.tool))}  {dim(f'{event.tier}, confidence {event.confidence:.2f}')}")
        elif isinstance(event, Chunk) and isinstance(event.content, Progress):
            _talk(dim(_progress(event.content)))
        elif isinstance(event, Chunk) and not self._as_json:
            self._content(event.content)
        elif isinstance(event, InferenceDelta) and not self._as_json:
            self._text(event.text)
        elif isinstance(event, Done):
            self._done(event)

    def _content(self, content: Any) -> None:
        if not (isinstance(content, list) and content and all(isinstance(b, Mapping) and "type" in b for b in content)):
            self._text(as_text(content))
            return
        for block in content:
            text = _text_of(block)
            if text is None:
                told = {key: value for key, value in block.items() if key not in ("data", "resource")}
                click.echo(dim(f"({plain(str(jsonable(told)))}: --json shows it)"), err=True)
            else:
                self._text(text)
                self.end_line()

    def _text(self, text: str) -> None:
        # What a tool says is no more trusted than what a manifest says: it must not drive the terminal.
        click.echo(_harmless(text) if sys.stdout.isatty() else text, nl=False, color=True)
        sys.stdout.flush()
        self._line_open = not text.endswith("\n")

    def end_line(self) -> None:
        if self._line_open:
            click.echo()
            self._line_open = False

    def _done(self, event: Done) -> None:
        self.end_line()
        result = event.result
        resolution = result.resolution
        if self._as_json:
            told = {"tier": str(resolution.tier), "confidence": resolution.confidence, "proof": event.proof}
            print_json({**result.to_dict(), **told})
        elif result.refinement is not None:
            click.echo("\n".join(refinement_lines(result.refinement.to_dict())), err=True)
        elif result.input_required is not None:
            asked = result.input_required.get("inputRequests")
            click.echo(f"it asks for more before it goes on: {plain(str(jsonable(asked)))}", err=True)
        elif result.is_error:
            click.echo(f"{bold('failed', 'red')}: so says {plain(result.tool or 'the tool')} itself", err=True)


def ask(tool: ToolProxy, args: Mapping[str, Any]) -> bool:
    """Whether the user lets a tool run; no when there is nobody to ask."""
    hints = tool.annotations
    why = "it says that it destroys things" if hints.get("destructiveHint") else "it may change things"
    if "destructiveHint" not in hints and "readOnlyHint" not in hints:
        why += ", as it does not say whether it only reads"
    text = plain(str(jsonable(args)))
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    if not sys.stdin.isatty():
        click.echo(f"{plain(tool.path)}: {why}. To run it with {text} unasked, give --yes", err=True)
        return False
    return click.confirm(f"{bold(plain(tool.path))}: {why}. Run it with {text}?", default=False, err=True)


def _progress(progress: Progress) -> str:
    of = f"/{progress.total:g}" if progress.total else ""
    return f"{progress.progress:g}{of}  {plain(progress.message or '')}".rstrip()


def _text_of(block: Mapping[str, Any]) -> str | None:
    text = block.get("text")
    resource = block.get("resource")
    if text is None and isinstance(resource, Mapping):
        text = resource.get("text")
    return text if isinstance(text, str) else None


def _talk(text: str) -> None:
    """Only to somebody who watches."""
    if sys.stderr.isatty():
        click.echo(text, err=True)


def _harmless(text: str) -> str:
    return "".join(char if char in "\n\t" or char.isprintable() else plain(char) for char in text)
