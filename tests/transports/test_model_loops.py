"""The loops of examples/models, run as a user runs them, against a model on a real socket."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from model_server import Script, serving
from running import ROOT, invoke

CALL = {"place": "Lisbon", "days": 2}
JSON_BODY = (("content-type", "application/json"),)


def chat_reply(message: dict[str, Any]) -> dict[str, Any]:
    reason = "tool_calls" if "tool_calls" in message else "stop"
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def message_reply(*content: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    kept = {"id": "1", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    reason = "tool_use" if content[-1]["type"] == "tool_use" else "end_turn"
    return {**kept, "content": list(content), "stop_reason": reason, "stop_sequence": None}


FUNCTION = {"name": "weather__get_forecast", "arguments": json.dumps(CALL)}
REPLIES = {
    "openai": [
        chat_reply({"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": FUNCTION}]}),
        chat_reply({"content": "No rain."}),
    ],
    "anthropic": [
        message_reply({"type": "tool_use", "id": "c1", "name": "weather__get_forecast", "input": CALL}),
        message_reply({"type": "text", "text": "No rain."}),
    ],
}


@pytest.mark.parametrize("vendor", list(REPLIES))
async def test_a_loop_calls_the_tool_and_prints_the_answer(vendor: str, artifact: Path, tmp_path: Path) -> None:
    pytest.importorskip(vendor)
    tools, names = tmp_path / "tools.json", tmp_path / "names.json"
    tools.write_text(invoke("export", artifact, "--for", vendor, "--names", names).stdout, "utf-8")
    scripts = [Script(json.dumps(reply).encode(), headers=JSON_BODY) for reply in REPLIES[vendor]]
    async with serving(*scripts) as server:
        name = vendor.upper()
        base = f"{server.url}/v1" if vendor == "openai" else server.url
        run = await asyncio.create_subprocess_exec(
            sys.executable,
            str(ROOT / "examples" / "models" / f"{vendor}_loop.py"),
            *map(str, (artifact, tools, names, "m", "Will it rain in Lisbon?")),
            env={**os.environ, f"{name}_API_KEY": "k", f"{name}_BASE_URL": base},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await run.communicate()
    assert (out.decode(), run.returncode) == ("No rain.\n", 0), err.decode()
    assert "Lisbon: sun for 2 days" in str(server.requests[1][2]["messages"][-1])
