"""Selection on the labelled sets: compile each, resolve with runtime_min alone, score, print the worst first.

    make selection ARGS="--encoder base --sets live-mcp metatool --out out/selection.json"

Scores with the functions that `smallchatc test` uses. The sets are not part of this repository:
SMALLCHAT_SHARED names the folder that holds data/dev (default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.testing.cases import read_intents
from smallchatc.testing.scorecard import Outcome, Scores, mean, score
from smallchatc.write import write_artifact

ROOT = Path(__file__).resolve().parents[1]
APART = ("live-mcp", "home-assistant")
"""Reported beside the mean: the product's own job, and four languages over few tools."""


def main() -> None:
    options = _options()
    folder = Path(os.environ.get("SMALLCHAT_SHARED", ROOT.parent / "shared")) / "data" / "dev"
    if not folder.is_dir():
        sys.exit("shared data absent (SMALLCHAT_SHARED)")
    names = options.sets or sorted(path.name for path in folder.iterdir() if (path / "queries.jsonl").exists())
    settings = Settings(encoder=options.encoder, teacher_model=options.teacher_model)
    told: dict[str, Scores] = {}
    with TemporaryDirectory() as scratch:
        for name in names:
            started = time.perf_counter()
            outcomes = measure(folder / name, Path(scratch) / f"{name}.smallchat.db", settings)
            told[name] = score(outcomes)
            print(f"{name}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
    print(table(told))
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps({name: asdict(scores) for name, scores in told.items()}, indent=2))


def measure(folder: Path, artifact: Path, settings: Settings) -> list[Outcome]:
    """The outcomes of a set's intents, resolved in a process that imports only the runtime."""
    compiled = compile_sources([str(folder / "tools.jsonl")], settings=settings)
    write_artifact(compiled.image, artifact)
    cases = read_intents(folder / "queries.jsonl")
    script = str(ROOT / "bench" / "resolve_set.py")
    asked = "".join(json.dumps({"query": case.query, "among": case.among}) + "\n" for case in cases)
    run = subprocess.run(
        [sys.executable, script, str(artifact)],
        input=asked,
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    return [_outcome(case, answer) for case, answer in zip(cases, answers, strict=True)]


def _outcome(case: Any, answer: dict[str, Any]) -> Outcome:
    return Outcome(
        case=case,
        ranked=tuple(answer["ranked"]),
        tool=answer["tool"],
        tier=answer["tier"],
        confidence=answer["confidence"],
        fit=answer["fit"],
    )


HEAD = ("set", "cases", "recall@1", "recall@5", "mrr", "auroc", "false none", "false tool", "ece", "ece, all")


def table(told: dict[str, Scores]) -> str:
    """A Markdown table: the sets of the mean, worst recall@1 first; the mean; the sets that stand apart."""
    inside = sorted((name for name in told if name not in APART), key=lambda name: told[name].recall1 or 0)
    rows = [_row(name, told[name]) for name in inside]
    if inside:
        rows.append(_mean_row(f"**mean of {len(inside)}**", [told[name] for name in inside]))
    rows += [_row(name, told[name]) for name in APART if name in told]
    return "\n".join(["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|", *rows])


def _row(name: str, scores: Scores) -> str:
    cells = [name, str(scores.cases), *_figures(scores)]
    return "| " + " | ".join(cells) + " |"


def _figures(scores: Scores) -> list[str]:
    shares = [_percent(scores.recall1), _percent(scores.recall5)]
    decimals = [_decimal(scores.mrr), _decimal(scores.auroc)]
    abstention = [_percent(scores.false_none), _percent(scores.false_tool)]
    return [*shares, *decimals, *abstention, _decimal(scores.calibration.ece), _decimal(scores.calibration_all.ece)]


def _mean_row(label: str, scored: Sequence[Scores]) -> str:
    def over(pick: str) -> float | None:
        return mean([value for scores in scored if (value := getattr(scores, pick)) is not None])

    eces = [scores.calibration.ece for scores in scored], [scores.calibration_all.ece for scores in scored]
    cells = [
        label,
        str(sum(scores.cases for scores in scored)),
        _percent(over("recall1")),
        _percent(over("recall5")),
        _decimal(over("mrr")),
        _decimal(over("auroc")),
        _percent(over("false_none")),
        _percent(over("false_tool")),
        *(_decimal(mean([value for value in values if value is not None])) for values in eces),
    ]
    return "| " + " | ".join(cells) + " |"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value * 100:.1f}"


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="base", choices=("auto", "teacher", "base", "small"))
    parser.add_argument("--teacher-model", type=Path)
    parser.add_argument("--sets", nargs="*", help="names of sets; all when left out")
    parser.add_argument("--out", type=Path, help="write every figure, with reliability tables, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
