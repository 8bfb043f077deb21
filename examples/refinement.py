"""Refinement: what is not clear is asked, the answer is learned, and the next session knows it."""

import sys
import tempfile
from pathlib import Path

from runtime_min import ToolRuntime

INTENT = "ping everybody about lunch"


def open_runtime(path):
    runtime = ToolRuntime.open(path)
    runtime.bind("slack/send_message", lambda **args: f"posted {args}")
    return runtime


def main(path):
    runtime = open_runtime(path)
    result = runtime.sync.dispatch(INTENT)
    print(result.outcome, "-", result.refinement.question)
    for option in result.refinement.options:
        print("  ", option.tool, f"{option.confidence:.2f}")
    print("tried:", [step["step"] for step in result.fallback_steps])

    runtime.resolve_refinement(INTENT, "slack/send_message")  # the user's answer
    message = {"channel": "#office", "text": "Lunch?"}
    print("now:", runtime.sync.dispatch(INTENT, message).content)

    with tempfile.TemporaryDirectory() as folder:
        runtime.learned.save(Path(folder) / "learned.json")
        runtime.close()
        later = open_runtime(path)
        later.learned.load(Path(folder) / "learned.json")
        print("later:", later.resolve("Ping everybody, about lunch!").tier)
        later.close()


main(sys.argv[1])
