"""Dispatch intents with nothing but `runtime_min`, every tool bound to a recorder: a JSON line in, a JSON line out.

    python bench/dispatch_set.py ARTIFACT < asked.jsonl > answers.jsonl

Run by dispatch.py in a process of its own. Only the intent is sent (args=None), and nobody answers questions.
"""

import asyncio
import json
import sys

from runtime_min import ToolRuntime


class Recorder:
    """A transport that runs nothing and remembers what it was asked to run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    async def execute(self, tool, args):
        self.ran.append(tool.path)
        return "ran"


async def main(artifact: str) -> None:
    runtime = ToolRuntime.open(artifact)
    recorder = Recorder()
    known = set()
    for cls in runtime.snapshot.classes:
        runtime.bind_provider(cls.name, recorder)
        known.update(path for name in cls.selectors() for path in cls.methods(name))
    for line in sys.stdin:
        asked = json.loads(line)
        among = asked["among"]
        if among is not None:
            among = [tool for tool in among if tool in known]
        recorder.ran.clear()
        result = await runtime.dispatch(asked["query"], among=among)
        told = {
            "ran": list(recorder.ran),
            "outcome": result.outcome,
            "options": [option.tool for option in result.refinement.options] if result.refinement else [],
            "tier": str(result.resolution.tier),
            "confidence": result.resolution.confidence,
            "steps": result.fallback_steps,
        }
        print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
