"""Streaming: events of a dispatch, the text alone, and a tool that hears when nobody listens any more."""

import asyncio
import sys

from runtime_min import ToolRuntime


async def forecast(place, days=3):
    """A chunk a day; with a model behind it, `execute_inference` would yield its text as it is made."""
    try:
        for day in range(1, days + 1):
            yield f"{place}, day {day}: sun. "
            await asyncio.sleep(0)
    finally:
        print("   (the tool has ended)")


async def main(path):
    runtime = ToolRuntime.open(path)
    runtime.bind("weather/get_forecast", forecast)
    ask = {"place": "Lisbon", "days": 2}

    print("Events:")
    async for event in runtime.dispatch_stream("weather.get_forecast", ask):
        print("  ", event.type, {k: v for k, v in event.to_dict().items() if k in ("tool", "content", "outcome")})

    print("Text alone:", end=" ")
    async for text in runtime.inference_stream("weather.get_forecast", ask):
        print(text, end="")

    print("\nClosed early:")
    stream = runtime.dispatch_stream("weather.get_forecast", {"place": "Oslo", "days": 10})
    async for event in stream:
        if event.type == "chunk":
            break
    await stream.aclose()


asyncio.run(main(sys.argv[1]))
