"""Anthropic: a model calls the tools of an artifact until it has an answer.

smallchatc export DB --for anthropic --names names.json > tools.json
python examples/models/anthropic_loop.py DB tools.json names.json MODEL "Will it rain in Lisbon?"
"""

import asyncio
import json
import sys

from anthropic import AsyncAnthropic

from runtime_min import ToolRuntime
from runtime_min.restore import Exported
from runtime_min.transports.offered import Offered, ToolCall


async def answer(client, model, offered, question):
    messages = [{"role": "user", "content": question}]
    while True:
        said = await client.messages.create(model=model, max_tokens=4096, messages=messages, tools=offered.definitions)
        messages.append({"role": "assistant", "content": said.content})
        calls = [block for block in said.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in said.content if block.type == "text")
        done = [await offered.run(ToolCall(call.id, call.name, json.dumps(call.input))) for call in calls]
        results = [{"tool_use_id": one.call.id, "content": one.text, "is_error": one.is_error} for one in done]
        messages.append({"role": "user", "content": [{"type": "tool_result", **result} for result in results]})


async def main(path, tools, names, model, question):
    runtime = ToolRuntime.open(path)
    runtime.bind("weather/get_forecast", lambda place, days=1: f"{place}: sun for {days} days")
    with open(tools, encoding="utf-8") as file:
        offered = Offered(runtime, json.load(file), Exported.load(names))
    print(await answer(AsyncAnthropic(), model, offered, question))


asyncio.run(main(*sys.argv[1:]))
