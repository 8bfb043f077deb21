"""Connect: what an artifact asks for, what a host allows, and who is asked before something is destroyed."""

import asyncio
import sys

from runtime_min import DispatchError, NotTrusted, ToolRuntime
from runtime_min.access import access_of
from runtime_min.trust import Allow


def confirm(tool, args):
    print(f"   may {tool.path} run with {args}? no")
    return False


async def main(path):
    async with ToolRuntime.open(path) as runtime:
        print("Asks:")
        for access in access_of(runtime.artifact).values():
            if access.asks:
                print("  ", access.to_dict())
        try:
            runtime.connect(Allow(hosts=["calendar.example.com"]))
        except NotTrusted as err:
            print(f"{err.code}:", str(err).partition("not allowed: ")[2])

        allow = Allow(hosts=["calendar.example.com"], env=["CALENDAR_TOKEN"])
        runtime.connect(allow, env={}, providers=["calendar"])  # nothing is contacted before a tool is called
        runtime.bind("database/execute_statement", lambda **args: "done")
        for tool, args in (
            ("database/execute_statement", {"sql": "drop table orders"}),
            ("calendar/list_events", {}),
        ):
            try:
                await runtime.send(tool, args, confirm=confirm)
            except DispatchError as err:
                print(f"{err.code}: {err}")


asyncio.run(main(sys.argv[1]))
