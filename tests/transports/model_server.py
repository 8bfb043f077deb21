"""A model API on a real socket: it writes what a test says, cut where the test says, and hears who leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

Event = tuple[str, Any]
"""The name of an event ("" for none) and its data, an object or text."""


class Script(NamedTuple):
    """One answer. `pieces` of so many bytes (0: all at once); `end`: whole, cut (the connection breaks), hang."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "text/event-stream"),)
    pieces: int = 0
    end: str = "whole"


class ModelServer:
    """Answers request after request with one script after another; the last one again and again."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        self.scripts = list(scripts)
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.left = asyncio.Event()
        self.sent = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.left.set()
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        self.requests.append((head[0].split()[1], headers, json.loads(body)))
        lines = [f"HTTP/1.1 {script.status} x", "transfer-encoding: chunked", *(": ".join(h) for h in script.headers)]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        size = script.pieces or max(len(script.body), 1)
        for at in range(0, len(script.body), size):
            piece = script.body[at : at + size]
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
            self.sent += len(piece)
        if script.end == "hang":
            await reader.read()
            self.left.set()
            return False
        if script.end == "whole":
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        return script.end == "whole"


@asynccontextmanager
async def serving(*scripts: Script) -> AsyncIterator[ModelServer]:
    """A server on a free port."""
    made = ModelServer(scripts)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()


def wire(events: Iterable[Event], *, newline: str = "\n", noise: bool = False) -> bytes:
    """Events as bytes; `noise` puts a comment before each, as servers do to keep a connection."""
    out = []
    for name, data in events:
        lines = [": keep-alive", ""] if noise else []
        lines += [f"event: {name}"] if name else []
        lines += [f"data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}", "", ""]
        out.append(newline.join(lines))
    return "".join(out).encode()


Calls = Sequence[tuple[str, Sequence[str]]]
"""Tool calls: a name, and the pieces of its arguments."""


def chat(texts: Iterable[str], calls: Calls = (), reason: str | None = "stop", error: Any = None) -> list[Event]:
    """A stream of chat completions; the pieces of several calls take turns."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}, *({"content": text} for text in texts)]
    deltas += [
        {"tool_calls": [{"index": at, "id": f"c{at}", "type": "function", "function": {"name": n, "arguments": ""}}]}
        for at, (n, _) in enumerate(calls)
    ]
    deltas += [{"tool_calls": [{"index": at, "function": {"arguments": piece}}]} for at, piece in _in_turn(calls)]
    ends = [({}, reason)] if reason else []
    chunks = [
        {
            "id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": why}],
        }
        for delta, why in [*((delta, None) for delta in deltas), *ends]
    ]  # fmt: skip
    usage = {**chunks[0], "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
    if error is not None:
        return [*(("", chunk) for chunk in chunks), ("", {"error": error})]
    return [*(("", chunk) for chunk in [*chunks, usage]), ("", "[DONE]")]


def responses(texts: Iterable[str], calls: Calls = (), reason: str | None = "stop", error: Any = None) -> list[Event]:
    """A stream of responses."""
    said = "".join(texts)
    part = {"type": "output_text", "text": said, "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
    items: list[Any] = [message] + [
        {
            "type": "function_call", "id": f"f{at}", "call_id": f"c{at}", "name": name,
            "arguments": "".join(pieces), "status": "completed",
        }
        for at, (name, pieces) in enumerate(calls)
    ]  # fmt: skip
    base = {
        "id": "r1", "object": "response", "created_at": 1, "model": "m", "output": [], "tools": [], "error": None,
        "incomplete_details": None, "parallel_tool_calls": True, "tool_choice": "auto", "status": "in_progress",
    }  # fmt: skip
    events: list[Event] = [("response.created", {"response": base})]
    events += [
        ("response.output_text.delta", {"item_id": "m1", "output_index": 0, "content_index": 0, "delta": text})
        for text in texts
    ]
    events += [
        ("response.function_call_arguments.delta", {"item_id": f"f{at}", "output_index": at + 1, "delta": piece})
        for at, piece in _in_turn(calls)
    ]
    # Out of order, as they may be done.
    done = list(enumerate(items))[::-1]
    events += [("response.output_item.done", {"output_index": at, "item": item}) for at, item in done]
    if error is not None:
        events.append(("error", {"param": None, **error}))
    elif reason == "length":
        why = {"incomplete_details": {"reason": "max_output_tokens"}, "status": "incomplete"}
        events.append(("response.incomplete", {"response": {**base, **why}}))
    elif reason:
        events.append(("response.completed", {"response": {**base, "status": "completed", "output": items}}))
    return [(name, {"type": name, "sequence_number": at, **data}) for at, (name, data) in enumerate(events)]


def messages(texts: Iterable[str], calls: Calls = (), reason: str | None = "stop", error: Any = None) -> list[Event]:
    """A stream of messages, with a ping and an event that nobody knows in its middle."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    start = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    events: list[Event] = [
        ("message_start", {"message": {**start, "stop_reason": None, "stop_sequence": None}}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("ping", {}),
        ("weather_report", {"sun": True}),
    ]
    events += [("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}}) for text in texts]
    events += [
        (
            "content_block_start",
            {"index": at, "content_block": {"type": "tool_use", "id": f"c{at - 1}", "name": name, "input": {}}},
        )
        for at, (name, _) in enumerate(calls, 1)
    ]
    events += [
        ("content_block_delta", {"index": at + 1, "delta": {"type": "input_json_delta", "partial_json": piece}})
        for at, piece in _in_turn([(name, ["", *pieces]) for name, pieces in calls])
    ]
    events += [("content_block_stop", {"index": at}) for at in range(len(calls) + 1)]
    if error is not None:
        events.append(("error", {"error": {"type": error["code"], "message": error["message"]}}))
    elif reason:
        why = {"length": "max_tokens", "stop": "tool_use" if calls else "end_turn"}[reason]
        events.append(("message_delta", {"delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage}))
        events.append(("message_stop", {}))
    return [(name, {"type": name, **data}) for name, data in events]


def _in_turn(calls: Calls) -> list[tuple[int, str]]:
    longest = max((len(pieces) for _, pieces in calls), default=0)
    return [(at, pieces[step]) for step in range(longest) for at, (_, pieces) in enumerate(calls) if step < len(pieces)]


Wire = Callable[..., list[Event]]
