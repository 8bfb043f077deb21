"""Model: a tool whose answer a model writes, its text as it comes.

    arguments -> prompt -> the model's answer -> text, piece by piece
                                 ^        `-> tool calls -> dispatches (offered.py) -> told to the model
                                 `-----------------------------------------------------------'

The host makes the SDK's client and hands it in: no key, address or variable is known here. Nothing is read of the
socket before somebody asks for the next piece, and closing the stream closes the socket. Trying again is the client's.
"""

from __future__ import annotations

import asyncio
import json
import weakref
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import DispatchError, ToolFailed, ToolTimeout, Unreachable
from ..named import NamedTuple
from .offered import Answered, Offered, ToolCall

if TYPE_CHECKING:
    from ..proxy import ToolProxy

DONE, PAUSED, CUT, WITHHELD, BROKEN = "done", "paused", "cut", "withheld", "broken"
"""How an answer ends: PAUSED goes on when it is sent back, CUT is too long, BROKEN never said that it had ended."""

_BUSY = frozenset((408, 429, 500, 502, 503, 504, 529))
_BUSY_KINDS = frozenset(
    ("overloaded_error", "rate_limit_error", "api_error", "timeout_error", "server_error", "rate_limit_exceeded")
)

Prompt = Callable[["ToolProxy", Mapping[str, Any]], tuple[str, str]]
"""A tool and its arguments become instructions and what is asked."""


class Turn(NamedTuple):
    """One answer of a model: what belongs into the conversation, the calls in it, and how it ended."""

    messages: Sequence[Any]
    calls: Sequence[ToolCall]
    ended: str


class StreamFailed(Exception):
    """The API said in its stream that it failed; `kind` is its own word for why."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


def prompt_of(tool: ToolProxy, args: Mapping[str, Any]) -> tuple[str, str]:
    """The tool's description as instructions; the arguments as JSON, or the only one of them when it is text."""
    [*values] = args.values()
    text = values[0] if len(values) == 1 and isinstance(values[0], str) else json.dumps(dict(args), ensure_ascii=False)
    return tool.description or tool.name, text


class Model:
    """A transport whose tools a model answers. Each API is a subclass, with its own three words.

    `client` is the SDK's asynchronous client, which belongs to one event loop, or a function that makes one for each.
    `offered` lets the model call tools, for at most so many `rounds`;
    further options go into every request as they are.
    """

    takes_tool = True

    def __init__(
        self,
        client: Any,
        *,
        model: str,
        offered: Offered | None = None,
        prompt: Prompt = prompt_of,
        rounds: int = 10,
        **request: Any,
    ) -> None:
        self._client = client
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = weakref.WeakKeyDictionary()
        self._used = False
        self.request = {"model": model, **request}
        if offered is not None and offered.definitions:
            self.request["tools"] = [*request.get("tools", ()), *offered.definitions]
        self._offered = offered
        self._prompt = prompt
        self._rounds = rounds

    async def execute_inference(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncGenerator[str]:
        """The model's text."""
        instructions, text = self._prompt(tool, args)
        messages = [self.asked(text)]
        for _ in range(self._rounds):
            turn = Turn((), (), BROKEN)
            answering = self.answer(instructions, messages)
            try:
                async for piece in answering:
                    if isinstance(piece, Turn):
                        turn = piece
                    elif piece:
                        yield piece
            except DispatchError:
                raise
            except Exception as err:
                raise _failure(err, self.sdk(), tool.path) from err
            finally:
                await answering.aclose()
            _check_end(turn, tool.path)
            messages.extend(turn.messages)
            if turn.calls:
                messages.extend(self.told([await self._run(call, tool.path) for call in turn.calls]))
            elif turn.ended == DONE:
                return
        raise ToolFailed(f"{tool.path}: the model had not finished after {self._rounds} rounds", tool=tool.path)

    @property
    def client(self) -> Any:
        """The client of this loop: its connections wait on the loop that they were opened on."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            if callable(self._client):
                self._clients[loop] = self._client()
            elif self._used:
                raise ToolFailed(
                    "the model's client belongs to another event loop",
                    hint="hand in a function that makes one: Chat(lambda: AsyncOpenAI(...), ...)",
                )
            else:
                self._clients[loop] = self._client
            self._used = True
        return self._clients[loop]

    async def _run(self, call: ToolCall, path: str) -> Answered:
        if self._offered is None:
            raise ToolFailed(f"{path}: the model calls {call.name!r}, and no tools are offered to it", tool=path)
        return await self._offered.run(call, path)

    def sdk(self) -> Any:
        """The SDK's module."""
        raise NotImplementedError

    def asked(self, text: str) -> Any:
        """The message of a user."""
        raise NotImplementedError

    def answer(self, instructions: str, messages: Sequence[Any]) -> AsyncGenerator[str | Turn]:
        """One answer: its text as it comes, and at last the whole turn."""
        raise NotImplementedError

    def told(self, answers: Sequence[Answered]) -> Sequence[Any]:
        """The messages that tell the model what came of its calls."""
        raise NotImplementedError


def _check_end(turn: Turn, path: str) -> None:
    """Raise unless the answer is whole: what is cut off must not pass for a result, nor run as a call."""
    if turn.ended == BROKEN:
        raise Unreachable(f"{path}: the model's answer ended before it was finished", sent=True, tool=path)
    if turn.ended == CUT:
        within = f", within the arguments of {turn.calls[-1].name!r}" if turn.calls else ""
        message = f"{path}: the model reached its limit of tokens before it had finished{within}"
        raise ToolFailed(message, tool=path, hint="allow it more tokens, or ask for less")
    if turn.ended == WITHHELD:
        raise ToolFailed(f"{path}: the model's API withheld the answer, or the model declined", tool=path)


def _failure(err: Exception, sdk: Any, path: str) -> DispatchError:
    """An error of the SDK, or of the network below it, as ours."""
    import httpx2  # which the SDKs bring

    if isinstance(err, (sdk.APITimeoutError, httpx2.TimeoutException)):
        return ToolTimeout(f"{path}: the model did not answer in time", tool=path)
    if isinstance(err, (sdk.APIConnectionError, httpx2.TransportError)):
        message = f"{path}: the model cannot be reached, or broke off: {err.__cause__ or err}"
        return Unreachable(message, sent=True, tool=path)
    if not isinstance(err, (sdk.APIError, StreamFailed)):
        return ToolFailed(f"{path}: the model's API answered with what cannot be read: {err}", tool=path)
    status = getattr(err, "status_code", None)
    message = f"{path}: the model's API: {_said(err)}"
    if status in _BUSY or _kind(err) in _BUSY_KINDS:
        busy = Unreachable(message, sent=True, tool=path)
        busy.retry_after = _seconds(err)
        return busy
    return ToolFailed(message, tool=path)


def _said(err: Exception) -> str:
    """The API's own sentence, where there is one."""
    inner = _body(err).get("message")
    return inner if isinstance(inner, str) and inner else str(err) or type(err).__name__


def _kind(err: Exception) -> str:
    return err.kind if isinstance(err, StreamFailed) else str(_body(err).get("type") or _body(err).get("code") or "")


def _body(err: Exception) -> Mapping[str, Any]:
    body = getattr(err, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _seconds(err: Exception) -> float | None:
    """Retry-After in seconds; dates are not waited for."""
    headers = getattr(getattr(err, "response", None), "headers", {})
    text = headers.get("retry-after", "")
    return float(text) if text.strip().isdigit() else None
