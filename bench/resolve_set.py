"""Resolve intents with nothing but `runtime_min`: a JSON line {query, among} in, a JSON line out.

    python bench/resolve_set.py ARTIFACT < asked.jsonl > answers.jsonl

Run by selection.py in a process of its own, so that what is measured is what an application ships.
"""

import json
import sys

from runtime_min import ToolRuntime

DEPTH = 10


def main(artifact: str) -> None:
    runtime = ToolRuntime.open(artifact)
    tools = runtime.artifact.rows("SELECT p.name, t.name FROM tool t JOIN provider p ON p.id = t.provider")
    known = {f"{provider}/{name}" for provider, name in tools}
    for line in sys.stdin:
        asked = json.loads(line)
        among = asked["among"]
        if among is not None:
            among = [tool for tool in among if tool in known]
        answer = runtime.resolve(asked["query"], k=DEPTH, among=among)
        told = {
            "ranked": [candidate.tool for candidate in answer.candidates],
            "tool": answer.tool,
            "tier": str(answer.tier),
            "confidence": answer.confidence,
            "fit": answer.fit,
        }
        print(json.dumps(told))
    assert not {"smallchatc", "numpy", "sklearn"} & set(sys.modules), "more than the runtime was imported"


if __name__ == "__main__":
    main(sys.argv[1])
