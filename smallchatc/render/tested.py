"""What `test` prints: each failure with its reasons, then the figures; or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from smallchatc.gates import Gate, figures_of
from smallchatc.testing.coverage import Coverage
from smallchatc.testing.outcomes import KINDS, Contender, Failure, contest_text, verdict_text
from smallchatc.testing.scorecard import Calibration, Outcome, Scores, score
from smallchatc.testing.tested import KNOWN, Tested
from smallchatc.wording import shown as one_line

from . import bold, count, dim, plain, share, table, tier_text
from .compared import comparison_dict, comparison_text
from .document import print_json
from .workflow import called, workflow_command

SHOWN = 20
"""Failures in full before the rest is only counted."""
_PROVIDERS = 8
"""The same of providers with untested tools."""


def show(tested: Tested, *, form: str, verbose: bool) -> None:
    """Print the report."""
    if form == "json":
        print_json(report(tested))
        return
    if form == "github":
        for line in workflow_lines(tested):
            click.echo(line)
        return
    forgiven = tested.forgiven
    order = sorted(range(len(tested.failures)), key=lambda place: place in forgiven)  # what the run fails for first
    fresh = [place for place in order if forgiven.get(place) != KNOWN]  # who recorded the others has seen them
    shown = order if verbose else fresh[:SHOWN]
    for place in shown:
        click.echo(failure_text(tested.failures[place], forgiven.get(place, "")) + "\n")
    if len(shown) < len(order):
        left = [(len(fresh) - len(shown), "more failure"), (len(order) - len(fresh), "failure that the baseline has")]
        told = " and ".join(count(number, noun, noun.replace("failure", "failures")) for number, noun in left if number)
        click.echo(dim(f"{told}: --verbose shows all\n"))
    click.echo(scores_text(tested, verbose=verbose))
    files = list(dict.fromkeys(outcome.case.file for outcome in tested.outcomes))
    if len(files) > 1:
        click.echo("\n" + files_text(tested.outcomes, files))
    click.echo("\n" + coverage_text(tested.coverage, verbose=verbose))
    if tested.comparison is not None:
        click.echo("\n" + comparison_text(tested.comparison, verbose=verbose))
    for gate in tested.gates:
        click.echo(gate_text(gate))


def show_written(place: Path, tested: Tested) -> None:
    """Say what the baseline is now."""
    right = sum(outcome.passed for outcome in tested.outcomes)
    wrong = len(tested.outcomes) - right
    click.echo(f"{plain(str(place))}: {count(right, 'case')} recorded as right, {wrong:,} as wrong", err=True)


def failure_text(failure: Failure, forgiven: str = "") -> str:
    """A failure as a person reads it: what was wanted, what won, by how much, and which words decided."""
    outcome, case = failure.outcome, failure.outcome.case
    place = f"{plain(case.file)}:{case.line}"
    mark = bold("allowed", "yellow") if forgiven else bold("FAIL", "red")
    why = f", {forgiven}" if forgiven else ""
    lines = [f"{mark} {bold(plain(repr(case.query)))}  {dim(place + why)}"]
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


def scores_text(tested: Tested, *, verbose: bool) -> str:
    """The figures of all cases that were run."""
    scores = tested.scores
    colour = "green" if scores.passed == scores.cases else "red"
    nothing = scores.cases - scores.answerable
    passed = bold(f"{scores.passed:,} of {scores.cases:,} passed", colour)
    part = f"shard {tested.shard} of {tested.all_cases:,} cases: " if tested.shard.count > 1 else ""
    head = f"{passed}  {dim(f'{part}{scores.answerable:,} answerable, {nothing:,} that nothing fits')}"
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


def coverage_text(coverage: Coverage, *, verbose: bool) -> str:
    """How many tools some test asks for; the providers with untested ones, all of them when verbose."""
    line = f"{coverage.tested:,} of {count(coverage.tools, 'tool')} tested ({share(coverage.share)})"
    short = [each for each in coverage.providers if each.tested < each.tools]
    shown = short if verbose else short[:_PROVIDERS]
    rows = [(plain(each.provider), f"{each.tested:,} of {each.tools:,}") for each in shown]
    lines = [line, *([table(rows, right=(1,))] if rows else [])]
    if len(shown) < len(short):
        lines.append(dim(f"  and {count(len(short) - len(shown), 'more provider')}: --verbose shows all"))
    if verbose and coverage.untested:
        lines += ["untested:", *(f"  {plain(tool)}" for tool in coverage.untested)]
    return "\n".join(lines)


def workflow_lines(tested: Tested) -> Iterator[str]:
    """What the run fails for as errors, what is allowed to fail as notices, at the lines of the tests."""
    forgiven = tested.forgiven
    for number, failure in enumerate(tested.failures):
        case, why = failure.outcome.case, forgiven.get(number)
        text = f"'{one_line(case.query)}': {verdict_text(failure)}\n{contest_text(failure)}"
        level, title = ("notice", f"{failure.kind}, {why}") if why else ("error", failure.kind)
        yield workflow_command(level, text, title=title, place=(called(Path(case.file)), case.line, 1))
    for gate in tested.gates:
        if not gate.ok:
            value = "no case to measure it on" if gate.value is None else f"{gate.value:.4f}"
            yield workflow_command("error", f"--{gate.name} {gate.limit:g}: {value}", title="gate")
    passed = f"{tested.scores.passed:,} of {tested.scores.cases:,} passed"
    yield workflow_command("notice", passed, title="smallchatc test")


def report(tested: Tested) -> dict[str, Any]:
    """The document of `--json` (DESIGN 4.1, and more)."""
    scores, forgiven = tested.scores, tested.forgiven
    files = dict.fromkeys(outcome.case.file for outcome in tested.outcomes)
    return {
        **_figures(scores),
        "ok": tested.passed,
        "shard": {"index": tested.shard.index, "count": tested.shard.count, "all_cases": tested.all_cases},
        "calibration": {
            "answerable": asdict(scores.calibration),
            "all": asdict(scores.calibration_all),
            "tiers": [asdict(row) for row in scores.tiers],
        },
        "files": {
            file: _figures(score([outcome for outcome in tested.outcomes if outcome.case.file == file]))
            for file in files
        },
        "coverage": {**asdict(tested.coverage), "share": _rounded(tested.coverage.share)},
        "gates": [asdict(gate) for gate in tested.gates],
        "baseline": None if tested.comparison is None else comparison_dict(tested.comparison),
        "failures": [
            {**failure_dict(failure), "forgiven": forgiven.get(place)} for place, failure in enumerate(tested.failures)
        ],
    }


def _figures(scores: Scores) -> dict[str, Any]:
    figures = {name: _rounded(value) for name, value in figures_of(scores).items()}
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


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
