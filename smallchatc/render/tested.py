"""What `test` prints: each failure with its reasons, then the figures; or one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

from smallchatc.gates import Gate, figures_of
from smallchatc.intents import KINDS, Contender, Failure
from smallchatc.scorecard import Calibration, Outcome, Scores, score

from . import bold, count, dim, plain, share, table, tier_text
from .document import print_json

SHOWN = 20
"""Failures in full before the rest is only counted."""


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None] | None]:
    """A bar on stderr while there is a person to see it and enough to wait for."""
    if quiet or total < 500 or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=total, label="resolving", file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def show(
    scores: Scores,
    outcomes: Sequence[Outcome],
    failures: Sequence[Failure],
    gates: Sequence[Gate],
    *,
    verbose: bool,
    as_json: bool,
) -> None:
    """Print the report."""
    if as_json:
        print_json(report(scores, outcomes, failures, gates))
        return
    shown = failures if verbose else failures[:SHOWN]
    for failure in shown:
        click.echo(failure_text(failure) + "\n")
    if len(shown) < len(failures):
        click.echo(dim(f"and {count(len(failures) - len(shown), 'more failure')}: --verbose shows all\n"))
    click.echo(scores_text(scores, verbose=verbose))
    files = list(dict.fromkeys(outcome.case.file for outcome in outcomes))
    if len(files) > 1:
        click.echo("\n" + files_text(outcomes, files))
    for gate in gates:
        click.echo(gate_text(gate))


def failure_text(failure: Failure) -> str:
    """A failure as a person reads it: what was wanted, what won, by how much, and which words decided."""
    outcome, case = failure.outcome, failure.outcome.case
    place = f"{plain(case.file)}:{case.line}"
    lines = [f"{bold('FAIL', 'red')} {bold(plain(repr(case.query)))}  {dim(place)}"]
    numbers = f"confidence {outcome.confidence:.2f}, fit {outcome.fit:.2f}"
    lines.append(f"  {KINDS[failure.kind]}  {tier_text(outcome.tier)} {dim(numbers)}")
    rows = []
    if failure.first:
        rows.append(("got", *_side(failure.first), ""))
    if failure.wanted and (failure.first is None or failure.wanted.tool != failure.first.tool):
        behind = f"{-(failure.margin or 0):+.3f}"
        rows.append(("wanted", *_side(failure.wanted), behind))
    elif not case.gold:
        rows.append(("wanted", "no tool", "", "", "", ""))
    if rows:
        lines.append(table(rows, right=(2,), indent=4))
    for tool, near in failure.missing.items():
        guess = f"; did you mean {' or '.join(map(plain, near))}?" if near else ""
        lines.append(f"    {plain(tool)} is not in the artifact{guess}")
    return "\n".join(lines)


def _side(side: Contender) -> tuple[str, str, str, str]:
    place = f"rank {side.rank}" if side.rank else "not listed"
    parts = " + ".join(f"{name} {value:.3f}" for name, value in side.signals.items())
    words = " ".join(f"{plain(word)} {weight:.1f}" for word, weight in side.words[:6])
    return plain(side.tool), f"{side.score:.3f}", dim(f"= {parts}"), f"{place}; words: {words or 'none shared'}"


def scores_text(scores: Scores, *, verbose: bool) -> str:
    """The figures of all cases."""
    colour = "green" if scores.passed == scores.cases else "red"
    nothing = scores.cases - scores.answerable
    passed = bold(f"{scores.passed:,} of {scores.cases:,} passed", colour)
    head = f"{passed}  {dim(f'{scores.answerable:,} answerable, {nothing:,} that nothing fits')}"
    rows = [
        ("recall@1", share(scores.recall1), dim("the first choice is right")),
        ("recall@3", share(scores.recall3), ""),
        ("recall@5", share(scores.recall5), ""),
        ("mrr", _decimal(scores.mrr), ""),
        ("auroc", _decimal(scores.auroc), dim("fit of what fits against fit of what does not")),
        ("false none", share(scores.false_none), dim("answerable, but refused")),
        ("false tool", share(scores.false_tool), dim("nothing fits, but a tool was given")),
        ("ece", _decimal(scores.calibration.ece), dim("calibration error of confidence, answerable")),
        ("ece, all", _decimal(scores.calibration_all.ece), dim("with those that nothing fits")),
    ]
    tiers = [("tier", "cases", "right", "nothing fits")] + [
        (row.tier, f"{row.count:,}", share(row.right), f"{row.nothing:,}") for row in scores.tiers
    ]
    texts = [f"{head}\n{table(rows, right=(1,))}", table(tiers, right=(1, 2, 3))]
    if verbose:
        texts.append(reliability_text(scores.calibration))
    return "\n\n".join(texts)


def reliability_text(calibration: Calibration) -> str:
    """Confidence against what came true, bin by bin."""
    rows = [("confidence", "cases", "mean", "right")] + [
        (f"{row.low:.1f} to {row.high:.1f}", f"{row.count:,}", f"{row.confidence:.3f}", f"{row.right:.3f}")
        for row in calibration.bins
    ]
    return table(rows, right=(1, 2, 3))


def files_text(outcomes: Sequence[Outcome], files: Sequence[str]) -> str:
    """Each file's figures, the worst first."""
    scored = [(file, score([outcome for outcome in outcomes if outcome.case.file == file])) for file in files]
    scored.sort(key=lambda item: (item[1].recall1 if item[1].recall1 is not None else 1.0, item[0]))
    rows = [("file", "cases", "passed", "recall@1", "recall@5", "auroc")] + [
        (
            plain(file),
            f"{told.cases:,}",
            f"{told.passed:,}",
            share(told.recall1),
            share(told.recall5),
            _decimal(told.auroc),
        )
        for file, told in scored
    ]
    return table(rows, right=(1, 2, 3, 4, 5))


def gate_text(gate: Gate) -> str:
    """A gate and how it came out."""
    mark = bold("ok", "green") if gate.ok else bold("FAIL", "red")
    value = "no case to measure it on" if gate.value is None else f"{gate.value:.4f}"
    return f"{mark} --{gate.name} {gate.limit:g}: {value}"


def report(
    scores: Scores, outcomes: Sequence[Outcome], failures: Sequence[Failure], gates: Sequence[Gate]
) -> dict[str, Any]:
    """The document of `--json` (DESIGN 4.1, and more)."""
    files = dict.fromkeys(outcome.case.file for outcome in outcomes)
    return {
        **_figures(scores),
        "calibration": {
            "answerable": asdict(scores.calibration),
            "all": asdict(scores.calibration_all),
            "tiers": [asdict(row) for row in scores.tiers],
        },
        "files": {
            file: _figures(score([outcome for outcome in outcomes if outcome.case.file == file])) for file in files
        },
        "gates": [asdict(gate) for gate in gates],
        "failures": [failure_dict(failure) for failure in failures],
    }


def _figures(scores: Scores) -> dict[str, Any]:
    figures = {name: None if value is None else round(value, 6) for name, value in figures_of(scores).items()}
    abstention = {name: figures.pop(name) for name in ("auroc", "false_tool", "false_none")}
    return {
        "cases": scores.cases,
        "answerable": scores.answerable,
        "passed": scores.passed,
        **figures,
        "abstention": abstention,
    }


def failure_dict(failure: Failure) -> dict[str, Any]:
    """A failure as `--json` prints it."""
    outcome, case = failure.outcome, failure.outcome.case
    return {
        "id": case.id,
        "file": case.file,
        "line": case.line,
        "query": case.query,
        "expect": list(case.gold),
        "got": outcome.tool,
        "kind": failure.kind,
        "tier": outcome.tier,
        "confidence": outcome.confidence,
        "fit": outcome.fit,
        "margin": None if failure.margin is None else round(failure.margin, 6),
        "first": None if failure.first is None else asdict(failure.first),
        "wanted": None if failure.wanted is None else asdict(failure.wanted),
        "missing": {tool: list(near) for tool, near in failure.missing.items()},
    }


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
