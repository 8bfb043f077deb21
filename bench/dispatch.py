"""Dispatch on the labelled sets: what runs unasked, what runs wrongly, what is asked about; and what a send costs.

    make dispatch ARGS="--encoder base --sets smallchat-bench metatool"
    make dispatch ARGS="--cost"

The rule of a row: an intent is *right* when every tool that ran is one it wanted, *wrong* when any other ran. The
rest was asked about, and *offered* is the share of those whose first five options hold a right tool. Of the
intents that no tool serves, *ran* is the share for which anything ran. Costs are ratios to
`sum(range(20_000))` timed in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.testing.cases import read_intents
from smallchatc.write import write_artifact

ROOT = Path(__file__).resolve().parents[1]
MEAN_OF = ("graph-tool-call", "mediawiki-mcp", "metatool", "smallchat-bench")
APART = ("live-mcp",)
HEAD = ("set", "answerable", "right unasked", "wrong", "asked", "offered in 5", "no tool", "ran anything")
ROUNDS = 7
Row = tuple[str, int, float, float, float, float, int, float | None]


def main() -> None:
    options = _options()
    if options.cost:
        print(costs())
        return
    folder = Path(os.environ.get("SMALLCHAT_SHARED", ROOT.parent / "shared")) / "data" / "dev"
    if not folder.is_dir():
        sys.exit("shared data absent (SMALLCHAT_SHARED)")
    settings = Settings(encoder=options.encoder, teacher_model=options.teacher_model)
    rows = []
    with TemporaryDirectory() as scratch:
        for name in options.sets or (*MEAN_OF, *APART):
            rows.append(measure(folder / name, Path(options.artifacts or scratch), settings))
            print(f"{name}: done", file=sys.stderr)
    print(table(rows))


def measure(folder: Path, artifacts: Path, settings: Settings) -> Row:
    """One set: compiled, dispatched by a process that imports only the runtime, counted."""
    artifact = artifacts / f"{folder.name}.smallchat.db"
    if not artifact.exists():
        write_artifact(compile_sources([str(folder / "tools.jsonl")], settings=settings).image, artifact)
    cases = read_intents(folder / "queries.jsonl")
    asked = "".join(
        json.dumps({"query": case.query, "among": None if case.among is None else list(case.among)}) + "\n"
        for case in cases
    )
    run = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "dispatch_set.py"), str(artifact)],
        input=asked,
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    return _count(folder.name, list(zip(cases, answers, strict=True)))


def _count(name: str, pairs: Sequence[tuple[Any, dict[str, Any]]]) -> Row:
    served = [(set(case.right), answer) for case, answer in pairs if case.right]
    unserved = [answer for case, answer in pairs if not case.right]
    right = [1 for wanted, answer in served if answer["ran"] and set(answer["ran"]) <= wanted]
    wrong = [1 for wanted, answer in served if set(answer["ran"]) - wanted]
    asked = [(wanted, answer) for wanted, answer in served if not answer["ran"]]
    offered = [1 for wanted, answer in asked if wanted & set(answer["options"][:5])]
    ran = [1 for answer in unserved if answer["ran"]]
    return (
        name,
        len(served),
        len(right) / len(served),
        len(wrong) / len(served),
        len(asked) / len(served),
        len(offered) / len(asked) if asked else 1.0,
        len(unserved),
        len(ran) / len(unserved) if unserved else None,
    )


def table(rows: Sequence[Row]) -> str:
    """Markdown: the sets, their macro mean, the sets that stand apart."""
    inside = [row for row in rows if row[0] in MEAN_OF]
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|", *map(_line, inside)]
    if inside:
        means = [sum(row[column] for row in inside) / len(inside) for column in range(2, 6)]  # type: ignore[misc]
        ran = [row[7] for row in inside if row[7] is not None]
        total = (f"**mean of {len(inside)}**", sum(row[1] for row in inside), *means, sum(row[6] for row in inside))
        lines.append(_line((*total, sum(ran) / len(ran) if ran else None)))  # type: ignore[arg-type]
    return "\n".join([*lines, *(_line(row) for row in rows if row[0] not in MEAN_OF)])


def _line(row: Row) -> str:
    cells = [row[0], str(row[1]), *(f"{100 * value:.1f}" for value in row[2:6]), str(row[6])]  # type: ignore[operator]
    return "| " + " | ".join([*cells, "-" if row[7] is None else f"{100 * row[7]:.1f}"]) + " |"


def costs() -> str:
    """What a send costs, each in microseconds and as a share of the unit timed beside it."""
    from runtime_min import ToolRuntime

    with TemporaryDirectory() as scratch:
        artifact = Path(scratch) / "fixtures.smallchat.db"
        sources = [str(ROOT / "fixtures" / "manifests")]
        write_artifact(compile_sources(sources, settings=Settings(encoder="base")).image, artifact)
        runtime = ToolRuntime.open(artifact)
        text, args = "post a message to the slack channel", {"channel": "#a", "text": "b"}

        def tool(channel: str, text: str) -> str:
            return text

        runtime.bind("slack/send_message", tool)
        plain = {text: 1}
        taught = ToolRuntime.open(artifact)
        for number in range(1000):
            taught.resolve_refinement(
                f"do thing {number} with the message of channel {number % 7}", "slack/send_message"
            )
        wordings = [_cased(text, number) for number in range(200 * ROUNDS)]
        runtime.resolve(text)
        lines = [
            ("a plain dictionary look-up", lambda: plain.get(text), 20_000),
            ("a cached resolve, same text", lambda: runtime.resolve(text), 20_000),
            ("a cached resolve, other wording", _each(runtime.resolve, wordings), 200),
            ("calling the function", lambda: tool(**args), 20_000),
            ("a cached dispatch of it", None, 20_000),
            ("an uncached resolve", lambda: runtime.resolve_anew(text), 1000),
            ("the same with 1,000 learned choices", lambda: taught.resolve_anew(text), 1000),
        ]
        out = ["| what | us | of the unit |", "|---|---|---|"]
        for label, function, times in lines:
            unit = _best(lambda: sum(range(20_000)), 200)
            took = asyncio.run(_dispatching(runtime, args, times)) if function is None else _best(function, times)
            out.append(f"| {label} | {took * 1e6:.2f} | {took / unit:.5f} |")
        return "\n".join(out)


async def _dispatching(runtime: Any, args: dict[str, str], times: int) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(times):
            await runtime.dispatch("post a message to the slack channel", args)
        best = min(best, (time.perf_counter() - started) / times)
    return best


def _best(function: Callable[[], object], times: int) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(times):
            function()
        best = min(best, (time.perf_counter() - started) / times)
    return best


def _each(function: Callable[[str], object], texts: Sequence[str]) -> Callable[[], object]:
    """Calls the function with another text each time."""
    todo = iter(texts)

    def once() -> object:
        return function(next(todo))

    return once


def _cased(text: str, number: int) -> str:
    return "".join(char.upper() if number >> at & 1 else char for at, char in enumerate(text))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--encoder", default="base")
    parser.add_argument("--teacher-model", default=None)
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--artifacts", help="a folder of compiled sets, kept and used again")
    parser.add_argument("--cost", action="store_true", help="what a send costs instead")
    return parser.parse_args()


if __name__ == "__main__":
    main()
