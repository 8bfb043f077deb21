"""Resolve the labelled intents of one set with nothing but `runtime_min`: one JSON line an intent.

    python bench/resolve_set.py ARTIFACT QUERIES.jsonl

Run by selection.py in a process of its own, so that what is measured is what an application ships.
"""

import json
import sys

from runtime_min import ToolRuntime

DEPTH = 10


def main(artifact: str, queries: str) -> None:
    runtime = ToolRuntime.open(artifact)
    known = {
        f"{provider}/{name}"
        for provider, name in runtime.artifact.rows(
            "SELECT p.name, t.name FROM tool t JOIN provider p ON p.id = t.provider"
        )
    }
    with open(queries, encoding="utf-8") as lines:
        for line in lines:
            asked = json.loads(line)
            among = asked.get("candidates")
            answer = runtime.resolve(
                asked["query"], k=DEPTH, among=None if among is None else [tool for tool in among if tool in known]
            )
            told = {
                "ranked": [candidate.tool for candidate in answer.candidates],
                "tool": answer.tool,
                "tier": str(answer.tier),
                "confidence": answer.confidence,
                "fit": answer.fit,
            }
            print(json.dumps(told))
    foreign = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"runtime_min", "__main__"}
    assert not {name for name in foreign if name in ("smallchatc", "numpy", "sklearn")}, foreign


if __name__ == "__main__":
    main(*sys.argv[1:])
