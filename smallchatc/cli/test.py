"""`smallchatc test`: do the intents that matter resolve as they should?"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .grouped import GroupedCommand, options_under
from .params import SHARD, SHARE, artifact_here, given, open_cache, project_here

if TYPE_CHECKING:
    from smallchatc.parse import Project
    from smallchatc.settings import Settings, Wanted
    from smallchatc.testing.scorecard import Case
    from smallchatc.testing.shards import Shard

_gate = options_under("Gates")
_instead = options_under("Instead of the report")
_told = options_under("What is printed")
_other = options_under("Baseline, and a part of the tests")
FILE = click.Path(dir_okay=False, path_type=Path)
FORMATS = ("text", "json", "github")
_MANY = 500  # cases that are worth a bar
_TESTS = (".yaml", ".yml", ".json", ".jsonl", ".ndjson")


@click.command(name="test", cls=GroupedCommand)
@click.argument("given_paths", nargs=-1, type=click.Path(path_type=Path), metavar="[DB] [FILE...]")
@_gate("--min-recall1", type=SHARE, help="Share of answerable intents whose first choice is right.")
@_gate("--min-recall3", type=SHARE, help="Share of wanted tools among the first 3.")
@_gate("--min-recall5", type=SHARE, help="Share of wanted tools among the first 5.")
@_gate("--min-mrr", type=SHARE, help="Mean reciprocal rank of the first right tool.")
@_gate("--min-auroc", type=SHARE, help="How well `fit` tells what fits from what does not.")
@_gate("--max-false-tool", type=SHARE, help="Share of intents that nothing fits which got a tool.")
@_gate("--max-false-none", type=SHARE, help="Share of answerable intents that were refused.")
@_gate("--max-ece", type=SHARE, help="Calibration error of `confidence` on answerable intents.")
@_gate("--min-coverage", type=SHARE, help="Share of tools that some test asks for.")
@_gate("--min-mutation", type=SHARE, help="With --mutate: share of mutants that some test notices.")
@_other("--baseline", type=FILE, metavar="BASELINE", help="Fail when what is right in this file is wrong now.")
@_other("--update", is_flag=True, help="Write what the tests lead to now into the baseline.")
@_other("--shard", type=SHARD, metavar="K/N", help="Run the K-th of N parts of the tests.")
@_instead("--mutate", is_flag=True, help="Make descriptions worse, word by word, and say which tests notice.")
@_instead("--suggest", is_flag=True, help="Print tests for tools and look-alikes that have none, to be reviewed.")
@_instead("--budget", type=click.IntRange(min=1), metavar="N", help="Try N mutants [200]; print N suggestions [all].")
@_instead("--source", "sources", multiple=True, metavar="SOURCE", help="--mutate: not the project file's sources.")
@_told("-v", "--verbose", is_flag=True, help="Every failure, the reliability table, and the tools without a test.")
@_told("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to print.")
@_told("--json", "as_json", is_flag=True, help="The same as --format json.")
@_told("--junit", type=FILE, metavar="XML", help="Write JUnit XML to this file.")
def test_command(
    given_paths: tuple[Path, ...],
    baseline: Path | None,
    update: bool,
    shard: Shard | None,
    mutate: bool,
    suggest: bool,
    budget: int | None,
    sources: tuple[str, ...],
    verbose: bool,
    form: str,
    as_json: bool,
    junit: Path | None,
    **limits: float | None,
) -> int:
    """Resolve labelled intents and say which came out wrong, and why.

    FILE is YAML or JSONL: a list of {intent, expect, among?, args?}, where expect is a tool "provider/name",
    several that are equally right, or [] when nothing fits. Further keys: equiv (also right), gold_mode: all
    (every one is wanted), gold_slots, id; query, gold and candidates are other names for the first three.

    What is not given comes from this folder's project file: the DB is its `output`, the FILEs its `tests`, and the
    baseline of these its `baseline`. What ends in .yaml, .yml, .json or .jsonl is a FILE, never a DB.

    --mutate compiles the project file's sources in memory (with the settings of a DB that is given), so it needs
    them; --suggest needs no FILE.

    Without a gate every case must pass. Gates on results and a baseline decide in its place. Exit 1 when the answer
    is no. docs/testing.md has all of it.
    """
    from smallchatc.parse import project_of
    from smallchatc.testing.cases import project_tests, read_all

    artifact, files = _told_apart(given_paths)
    form = "json" if as_json else form
    asked = _Asked(
        gates=given(limits), baseline=baseline, update=update, shard=shard, junit=junit, form=form, verbose=verbose
    )
    _check(asked, mutate=mutate, suggest=suggest, budget=budget, sources=sources)
    project = None if files else project_of(Path())
    named = files or (project_tests(project) if project else ())
    if not named and not suggest:
        raise click.UsageError("Missing argument 'FILE...', and no project file here names `tests`.")
    cases = read_all(named)
    if mutate:
        return _mutate(asked, cases, artifact=artifact, sources=sources or tuple(project_here()), budget=budget)
    if suggest:
        return _suggest(asked, cases, artifact=artifact or artifact_here(), budget=budget)
    return _test(replace(asked, baseline=baseline or _baseline_of(project)), cases, artifact or artifact_here())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options that are not about which tests of what."""

    gates: dict[str, float]
    baseline: Path | None
    update: bool
    shard: Shard | None
    junit: Path | None
    form: str
    verbose: bool


def _check(asked: _Asked, *, mutate: bool, suggest: bool, budget: int | None, sources: tuple[str, ...]) -> None:
    """Refuse options that would be ignored."""
    if mutate and suggest:
        raise click.UsageError("give --mutate or --suggest, not both")
    if (mutate or suggest) and (asked.baseline or asked.update or asked.shard or asked.junit or asked.form == "github"):
        raise click.UsageError("--mutate and --suggest print no report of tests: no baseline, shard, JUnit or github")
    if suggest and asked.gates:
        raise click.UsageError("--suggest measures nothing: leave the gates out")
    if mutate and asked.gates.keys() - {"min-mutation"}:
        raise click.UsageError("--mutate: the only gate is --min-mutation")
    if not mutate and (sources or "min-mutation" in asked.gates):
        raise click.UsageError("--source and --min-mutation are for --mutate")
    if budget is not None and not (mutate or suggest):
        raise click.UsageError("--budget is for --mutate and --suggest")
    if asked.update and asked.shard is not None:
        raise click.UsageError("--update records all tests: leave --shard out")


def _test(asked: _Asked, cases: tuple[Case, ...], artifact: Path) -> int:
    from runtime_min import ToolRuntime
    from smallchatc.render import tested as render
    from smallchatc.render.progress import progress
    from smallchatc.testing.baseline import read_baseline, write_baseline
    from smallchatc.testing.shards import WHOLE
    from smallchatc.testing.tested import judge_cases

    place = asked.baseline
    if asked.update and place is None:
        raise click.UsageError("--update: name the file, as --baseline BASELINE or as `baseline` in smallchat.yaml")
    runtime = ToolRuntime.open(artifact)
    with progress(quiet=asked.form != "text" or len(cases) < _MANY) as bar:
        tested = judge_cases(
            runtime,
            cases,
            limits=asked.gates,
            baseline=read_baseline(place) if place and not asked.update else None,
            shard=asked.shard or WHOLE,
            progress=bar.stage,
        )
    if asked.junit is not None:
        from smallchatc.replacing import replace_text
        from smallchatc.testing.junit import junit_xml

        replace_text(asked.junit, junit_xml(tested))
    render.show(tested, form=asked.form, verbose=asked.verbose)
    if asked.update and place is not None:
        write_baseline(place, tested.outcomes)
        render.show_written(place, tested)
        return 0 if all(gate.ok for gate in tested.gates) else 1
    return 0 if tested.passed else 1


def _mutate(
    asked: _Asked, cases: tuple[Case, ...], *, artifact: Path | None, sources: tuple[str, ...], budget: int | None
) -> int:
    from smallchatc.gates import MUTATION_LIMITS, judge
    from smallchatc.render import mutated as render
    from smallchatc.render.progress import progress
    from smallchatc.settings import Wanted, settings_of
    from smallchatc.testing.mutation import BUDGET, mutate

    if not sources:
        raise click.UsageError(
            "--mutate changes what the sources say: there is no project file here that names them, so give --source"
        )
    if artifact is None:
        settings: Settings | Wanted = Wanted()
    else:
        from runtime_min.artifact import open_artifact

        with closing(open_artifact(artifact)) as opened:
            settings = settings_of(opened.meta)
    with open_cache(off=False) as cache, progress(quiet=asked.form != "text") as report:
        mutation = mutate(
            sources, cases, settings=settings, budget=budget or BUDGET, cache=cache, progress=report.stage
        )
    gates = judge({"mutation": mutation.score}, asked.gates, MUTATION_LIMITS)
    render.show(mutation, gates, as_json=asked.form == "json", verbose=asked.verbose)
    return 0 if all(gate.ok for gate in gates) else 1


def _suggest(asked: _Asked, cases: tuple[Case, ...], *, artifact: Path, budget: int | None) -> int:
    from runtime_min import ToolRuntime
    from smallchatc.render import suggested as render
    from smallchatc.testing.suggestions import suggest

    render.show(suggest(ToolRuntime.open(artifact), cases), budget=budget, as_json=asked.form == "json")
    return 0


def _told_apart(paths: tuple[Path, ...]) -> tuple[Path | None, tuple[Path, ...]]:
    """The artifact, if one was given, and the files of tests."""
    if paths and paths[0].suffix.lower() not in _TESTS:
        return paths[0], paths[1:]
    return None, paths


def _baseline_of(project: Project | None) -> Path | None:
    """Where the project file says that the baseline of its tests is."""
    return (project.folder or Path()) / project.baseline if project and project.baseline else None
