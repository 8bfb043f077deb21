"""OpenAI: a model calls the tools of an artifact until it has an answer.

smallchatc export DB --for openai --names names.json > tools.json
python examples/models/openai_loop.py DB tools.json names.json MODEL "Will it rain in Lisbon?"
"""

import asyncio
import json
import sys

from openai import AsyncOpenAI

from runtime_min import ToolRuntime
from runtime_min.restore import Exported
from runtime_min.transports.offered import Offered, ToolCall


async def answer(client, model, offered, question):
    messages = [{"role": "user", "content": question}]
    while True:
        reply = await client.chat.completions.create(model=model, messages=messages, tools=offered.definitions)
        said = reply.choices[0].message
        messages.append(said)
        if not said.tool_calls:
            return said.content
        for call in said.tool_calls:
            done = await offered.run(ToolCall(call.id, call.function.name, call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": done.text})


async def main(path, tools, names, model, question):
    runtime = ToolRuntime.open(path)
    runtime.bind("weather/get_forecast", lambda place, days=1: f"{place}: sun for {days} days")
    with open(tools, encoding="utf-8") as file:
        offered = Offered(runtime, json.load(file), Exported.load(names))
    print(await answer(AsyncOpenAI(), model, offered, question))


asyncio.run(main(*sys.argv[1:]))
