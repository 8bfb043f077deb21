"""Guards: a tool that only its name reaches, a selector that nobody may take, a client that asks too much."""

import sys

from runtime_min import SmallchatError, ToolRuntime
from runtime_min.ratelimit import RateLimit


def main(path):
    runtime = ToolRuntime.open(path, rate_limit=RateLimit(maximum=2, window=60))
    runtime.bind("files/delete_file", lambda path: f"deleted {path}")

    print("free:  ", runtime.resolve("delete the file a.txt").tool)
    runtime.pin("files/delete_file", aliases=["shred it"])
    print("pinned:", runtime.sync.dispatch("delete the file a.txt").outcome)
    print("alias: ", runtime.sync.dispatch("Shred it!", {"path": "a.txt"}).content)

    runtime.namespaces.protect("files", ["files.delete_file"])
    try:
        runtime.swizzle("files/delete_file", print)
    except SmallchatError as error:
        print(f"{error.code}: {error}")

    for _ in range(3):
        try:
            print("asked: ", runtime.resolve("read the file a.txt", client="eve").tool)
        except SmallchatError as error:
            print(f"{error.code}: {error}")
    print("others:", runtime.resolve("read the file a.txt", client="bob").tool)
    runtime.close()


main(sys.argv[1])
