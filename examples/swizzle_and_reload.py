"""Swizzle and reload: another imp for a tool, another artifact for a runtime, while messages go on."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from runtime_min import ToolRuntime

READ = {"path": "notes.txt"}


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / "app.smallchat.db"
        shutil.copy(path, mine)
        runtime = ToolRuntime.open(mine)
        runtime.cache.subscribe(lambda event: print("   cache:", event.kind, event.reason, event.entries))
        runtime.bind("files/read_file", lambda path: f"contents of {path}")
        print(runtime.sync.dispatch("files.read_file", READ).content)

        original = runtime.swizzle("files/read_file", lambda path: f"cached contents of {path}")
        print(runtime.sync.dispatch("files.read_file", READ).content)
        runtime.swizzle("files/read_file", original)
        print(runtime.sync.dispatch("files.read_file", READ).content)

        newer = Path(folder) / "newer.smallchat.db"
        shutil.copy(sys.argv[2] if len(sys.argv) > 2 else path, newer)
        os.replace(newer, mine)  # as `smallchatc compile` does it
        print("reloaded, notes:", runtime.reload())
        print(runtime.sync.dispatch("files.read_file", READ).content)
        runtime.close()


main(sys.argv[1])
