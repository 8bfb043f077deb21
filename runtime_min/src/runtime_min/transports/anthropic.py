"""Anthropic: the stream of messages becomes text and turns (model.py).

The blocks of an answer are put together here and not by the SDK's own helper, which reads arguments again with every
piece and takes those that are cut off for whole.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from ..errors import InvalidArguments
from .model import BROKEN, CUT, DONE, PAUSED, WITHHELD, Model, Turn
from .offered import Answered, ToolCall, read_arguments

MAX_TOKENS = 4096
_ENDS = {
    "max_tokens": CUT, "model_context_window_exceeded": CUT, "refusal": WITHHELD, "pause_turn": PAUSED,
}  # fmt: skip
_GROWING = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "input"),
}
"""By kind of piece: where it has its text, and what of the block that is a part of."""


class Messages(Model):
    """Messages: `Messages(AsyncAnthropic(...), model="...", max_tokens=...)`."""

    def __init__(self, client: Any, *, max_tokens: int = MAX_TOKENS, **options: Any) -> None:
        super().__init__(client, max_tokens=max_tokens, **options)

    def sdk(self) -> Any:
        import anthropic

        return anthropic

    def asked(self, text: str) -> Any:
        return {"role": "user", "content": text}

    async def answer(self, instructions: str, messages: Sequence[Any]) -> AsyncGenerator[str | Turn]:
        blocks: dict[int, _Block] = {}
        reason, stopped = None, False
        leading = {"system": instructions} if instructions else {}
        stream = await self.client.messages.create(messages=list(messages), stream=True, **leading, **self.request)
        async with stream:
            async for event in stream:
                if event.type == "content_block_start":
                    block = blocks[event.index] = _Block(event.content_block.to_dict())
                    if block.start.get("type") == "text" and block.start.get("text"):
                        yield block.start["text"]
                elif event.type == "content_block_delta" and event.index in blocks:
                    text = blocks[event.index].add(event.delta)
                    if text:
                        yield text
                elif event.type == "message_delta":
                    reason = event.delta.stop_reason or reason
                elif event.type == "message_stop":
                    stopped = True
        ended = _ENDS.get(reason or "", DONE) if stopped else BROKEN
        made = [block for _, block in sorted(blocks.items())]
        calls = [block.call() for block in made if block.start.get("type") == "tool_use"]
        content = [block.whole() for block in made if not block.is_empty]
        yield Turn([{"role": "assistant", "content": content}] if content else [], calls, ended)

    def told(self, answers: Sequence[Answered]) -> Sequence[Any]:
        results = [
            {"type": "tool_result", "tool_use_id": done.call.id, "content": done.text, "is_error": done.is_error}
            for done in answers
        ]
        return [{"role": "user", "content": results}]


class _Block:
    """A block of an answer, piece by piece."""

    def __init__(self, start: dict[str, Any]) -> None:
        self.start = start
        self._pieces: dict[str, list[str]] = {}
        self._citations: list[Any] = []

    def add(self, delta: Any) -> str:
        """Take a piece in; its text, when it is a reader's. Kinds that are not known are left out."""
        if delta.type == "citations_delta":
            self._citations.append(delta.citation.to_dict())
        if delta.type not in _GROWING:
            return ""
        where, name = _GROWING[delta.type]
        piece = getattr(delta, where, None) or ""
        self._pieces.setdefault(name, []).append(piece)
        return piece if name == "text" else ""

    @property
    def is_empty(self) -> bool:
        """A text without text, which the API gives but does not take."""
        return self.start.get("type") == "text" and not self.whole().get("text")

    def call(self) -> ToolCall:
        """The call that a tool_use block is."""
        written = "".join(self._pieces.get("input", ()))
        return ToolCall(self.start["id"], self.start["name"], written or json.dumps(self.start.get("input") or {}))

    def whole(self) -> dict[str, Any]:
        """The block as it goes back to the model."""
        grown = {
            name: self.start.get(name, "") + "".join(pieces) for name, pieces in self._pieces.items() if name != "input"
        }
        block = {**self.start, **grown}
        if "input" in block and self._pieces.get("input"):
            block["input"] = _object("".join(self._pieces["input"]))
        if self._citations:
            block["citations"] = self._citations
        return block


def _object(text: str) -> dict[str, Any]:
    """Arguments as they go back; what is no object cannot, and the model hears of it as the result of its call."""
    try:
        return dict(read_arguments(text, ""))
    except InvalidArguments:
        return {}
