"""Tool to tool: a tool is handed to another as a value, and sent to without knowing its name."""

import asyncio
import sys

from runtime_min import ToolRuntime
from runtime_min.objects import SCArray, SCData, SCToolReference, unwrap, wrap


async def search_notes(query: str, tag: SCToolReference):
    """Finds titles, and has the tool it was handed read each of them."""
    found = wrap([f"{query} 1", f"{query} 2"])
    texts = [(await tag.send({"title": title})).content for title in found]
    return {"titles": unwrap(found), "texts": texts}


async def main(path):
    runtime = ToolRuntime.open(path)
    runtime.bind("notes/read_note", lambda title: f"text of {title!r}")
    reader = runtime.reference("notes/read_note")
    print("reference:", reader, reader.is_kind_of(SCToolReference))
    print(await search_notes("meeting", reader))

    data = wrap({"titles": ["a", "b"]})
    print("data:", data.is_member_of(SCData), type(wrap([1])) is SCArray, unwrap(data))

    result = await reader.send({"title": 3})
    print(result)


try:
    asyncio.run(main(sys.argv[1]))
except Exception as error:
    print(f"{error.code}: {error}")
