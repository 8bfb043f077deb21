"""`smallchatc watch` as the process that a user starts, and what a process holds."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any


class Watching:
    """`smallchatc watch --json` as a process; `round` is the next line that it says."""

    def __init__(self, folder: Path, source: Path | None = None) -> None:
        self.folder, self.out = folder, folder.parent / "out.smallchat.db"
        arguments = ["watch", str(source or folder), "-o", str(self.out), "--encoder", "small", "--json"]
        self.process = subprocess.Popen([sys.executable, "-m", "smallchatc", *arguments], stdout=subprocess.PIPE)
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def round(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._lines.get(timeout=60))
        return told

    def until(self, tools: int) -> dict[str, Any]:
        """The round after which there are so many tools; what is half done may come before it."""
        while (told := self.round())["tools"] != tools:
            pass
        return told

    def end(self) -> None:
        """Ctrl-C, and that it heeds it."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(20) in (130, -signal.SIGINT)
