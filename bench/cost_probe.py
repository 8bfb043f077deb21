"""One measurement of a resolution's cost, in a process of its own that imports only `runtime_min`.

    python bench/cost_probe.py WHAT ARTIFACT < requests.json

WHAT is passes, words or memory. Prints a JSON object; times are CPU times of the thread, each as a ratio to
`sum(range(20_000))` timed beside it. The resolver is asked directly: no cache of resolutions is in the way.
"""

import json
import sys
from collections.abc import Callable
from statistics import median
from time import thread_time

from runtime_min import ToolRuntime

UNIT_EVERY = 10
"""Calls between two timings of the unit, since a machine changes its pace within a second."""

FIRST = 200


def main(what: str, artifact: str) -> None:
    requests = json.load(sys.stdin)
    answer = {"passes": passes, "words": words, "memory": memory}[what](artifact, requests)
    assert not {"smallchatc", "numpy"} & set(sys.modules), "more than the runtime was imported"
    print(json.dumps(answer))


def passes(artifact: str, requests: list[str]) -> dict[str, float]:
    """The first intents of a fresh process, and a second pass over all."""
    resolver = ToolRuntime.open(artifact).snapshot.resolver
    first = _ratios(resolver.resolve, requests)
    second = _ratios(resolver.resolve, requests)
    told = _ratios(lambda text: resolver.resolve(text).candidates, requests)
    return {
        "first median": median(first[:FIRST]),
        "first mean": sum(first[:FIRST]) / FIRST,
        "first p95": _p95(first[:FIRST]),
        "second median": median(second),
        "second mean": sum(second) / len(second),
        "second p95": _p95(second),
        "with candidates": median(told),
    }


def words(artifact: str, texts: list[str]) -> dict[str, float]:
    """Texts of many words, met before: the best of several calls each, by the number of words."""
    resolver = ToolRuntime.open(artifact).snapshot.resolver
    for text in texts:
        resolver.resolve(text)
    return {str(len(text.split())): min(_ratios(resolver.resolve, [text] * 25)) for text in texts}


def memory(artifact: str, requests: list[str]) -> dict[str, float]:
    """Resident memory in MB before, and after all requests; `own` is without pages of files."""
    before = _resident()
    resolver = ToolRuntime.open(artifact).snapshot.resolver
    for text in requests:
        resolver.resolve(text)
    after = _resident()
    return {"before": before["VmRSS"], "resident": after["VmRSS"], "own": after["RssAnon"]}


def _ratios(function: Callable[[str], object], texts: list[str]) -> list[float]:
    """The time of each call over the median time of the units around it."""
    times, units = [], []
    for number, text in enumerate(texts):
        if number % UNIT_EVERY == 0:
            units.append(_timed(_unit))
        started = thread_time()
        function(text)
        times.append(thread_time() - started)
    unit = median(units)
    return [time / unit for time in times]


def _timed(function: Callable[[], object]) -> float:
    started = thread_time()
    function()
    return thread_time() - started


def _unit() -> int:
    return sum(range(20_000))


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def _resident() -> dict[str, float]:
    """Fields of /proc/self/status in MB; Linux alone has them."""
    with open("/proc/self/status", encoding="ascii") as file:
        rows = [line.split() for line in file if line.startswith(("VmRSS", "RssAnon"))]
    return {row[0].rstrip(":"): int(row[1]) / 1000 for row in rows}


if __name__ == "__main__":
    main(*sys.argv[1:])
