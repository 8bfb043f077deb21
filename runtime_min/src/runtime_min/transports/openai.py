"""OpenAI: the streams of chat completions and of responses become text and turns (model.py).

Many servers speak chat completions, each a little otherwise: nothing is taken for granted but what is needed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from .model import BROKEN, CUT, DONE, WITHHELD, Model, StreamFailed, Turn
from .offered import Answered, ToolCall

_ENDS = {"length": CUT, "content_filter": WITHHELD, "max_output_tokens": CUT}


class Chat(Model):
    """Chat completions: `Chat(AsyncOpenAI(...), model="...")`."""

    def sdk(self) -> Any:
        return _sdk()

    def asked(self, text: str) -> Any:
        return {"role": "user", "content": text}

    async def answer(self, instructions: str, messages: Sequence[Any]) -> AsyncGenerator[str | Turn]:
        leading = [{"role": "system", "content": instructions}] if instructions else []
        text: list[str] = []
        calls: list[_Parts] = []
        reason = None
        stream = await self.client.chat.completions.create(messages=[*leading, *messages], stream=True, **self.request)
        async with stream:
            async for chunk in stream:
                for choice in chunk.choices or ():
                    if choice.index:  # of several answers, the first
                        continue
                    reason = choice.finish_reason or reason
                    delta = choice.delta
                    for said in (delta.content, delta.refusal) if delta else ():
                        if said:
                            text.append(said)
                            yield said
                    for part in (delta.tool_calls if delta else None) or ():
                        _parts_of(calls, part).add(part)
        ended = BROKEN if reason is None else _ENDS.get(reason, DONE)
        made = [parts.call(number) for number, parts in enumerate(calls)]
        yield Turn([_message("".join(text), made)], made, ended)

    def told(self, answers: Sequence[Answered]) -> Sequence[Any]:
        return [{"role": "tool", "tool_call_id": done.call.id, "content": done.text} for done in answers]


class Responses(Model):
    """Responses: `Responses(AsyncOpenAI(...), model="...")`. What the model made is sent back as it came."""

    def sdk(self) -> Any:
        return _sdk()

    def asked(self, text: str) -> Any:
        return {"role": "user", "content": text}

    async def answer(self, instructions: str, messages: Sequence[Any]) -> AsyncGenerator[str | Turn]:
        items: dict[int, Any] = {}
        ended = BROKEN
        stream = await self.client.responses.create(
            input=list(messages), instructions=instructions or None, stream=True, **self.request
        )
        async with stream:
            async for event in stream:
                if event.type in ("response.output_text.delta", "response.refusal.delta"):
                    yield event.delta
                elif event.type == "response.output_item.done":
                    items[event.output_index] = event.item
                elif event.type == "response.completed":
                    ended = DONE
                elif event.type == "response.incomplete":
                    ended = _ENDS.get(getattr(event.response.incomplete_details, "reason", None) or "", CUT)
                elif event.type == "response.failed":
                    raise _failed(event.response.error)
                elif event.type == "error":
                    raise _failed(event)
        made = [item for _, item in sorted(items.items())]
        calls = [ToolCall(item.call_id, item.name, item.arguments) for item in made if item.type == "function_call"]
        yield Turn([item.to_dict() for item in made], calls, ended)

    def told(self, answers: Sequence[Answered]) -> Sequence[Any]:
        return [{"type": "function_call_output", "call_id": done.call.id, "output": done.text} for done in answers]


class _Parts:
    """A tool call of chat completions, piece by piece."""

    def __init__(self, index: int | None) -> None:
        self.index = index
        self.id = ""
        self._name = ""
        self._arguments: list[str] = []

    def add(self, part: Any) -> None:
        self.id = self.id or part.id or ""
        if part.function is not None:
            self._name = self._name or part.function.name or ""
            self._arguments.append(part.function.arguments or "")

    def call(self, number: int) -> ToolCall:
        return ToolCall(self.id or f"call_{number}", self._name, "".join(self._arguments))


def _parts_of(calls: list[_Parts], part: Any) -> _Parts:
    """The call that a piece belongs to: the last of its index, or of all when it has none. Another id begins another
    call, as some servers give every call the same index."""
    found = next((call for call in reversed(calls) if part.index in (None, call.index)), None)
    if found is None or (part.id and found.id and part.id != found.id):
        found = _Parts(part.index)
        calls.append(found)
    return found


def _message(text: str, calls: Sequence[ToolCall]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments or "{}"}}
            for call in calls
        ]
    return message


def _failed(error: Any) -> StreamFailed:
    message = getattr(error, "message", None) or "it failed and does not say why"
    return StreamFailed(message, getattr(error, "code", None) or "")


def _sdk() -> Any:
    import openai

    return openai
