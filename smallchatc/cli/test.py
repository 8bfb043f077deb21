"""`smallchatc test`: do the intents that matter resolve as they should?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .grouped import GroupedCommand, options_under
from .params import SHARD, SHARE, artifact_here, given

if TYPE_CHECKING:
    from smallchatc.parse import Project
    from smallchatc.testing.shards import Shard

_gate = options_under("Gates")
_told = options_under("What is printed")
_other = options_under("Baseline, and a part of the tests")
FILE = click.Path(dir_okay=False, path_type=Path)
FORMATS = ("text", "json", "github")
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
@_other("--baseline", type=FILE, metavar="BASELINE", help="Fail when what is right in this file is wrong now.")
@_other("--update", is_flag=True, help="Write what the tests lead to now into the baseline.")
@_other("--shard", type=SHARD, metavar="K/N", help="Run the K-th of N parts of the tests.")
@_told("-v", "--verbose", is_flag=True, help="Every failure, the reliability table, and the tools without a test.")
@_told("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to print.")
@_told("--json", "as_json", is_flag=True, help="The same as --format json.")
@_told("--junit", type=FILE, metavar="XML", help="Write JUnit XML to this file.")
def test_command(
    given_paths: tuple[Path, ...],
    baseline: Path | None,
    update: bool,
    shard: Shard | None,
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

    Without a gate every case must pass. Gates on results and a baseline decide in its place. Exit 1 when the answer
    is no. docs/testing.md has all of it.
    """
    from runtime_min import ToolRuntime
    from smallchatc.parse import project_of
    from smallchatc.render import tested as render
    from smallchatc.testing.baseline import read_baseline, write_baseline
    from smallchatc.testing.cases import project_tests, read_all
    from smallchatc.testing.shards import WHOLE
    from smallchatc.testing.tested import judge_cases

    artifact, files = _told_apart(given_paths)
    project = None if files else project_of(Path())
    named = files or (project_tests(project) if project else ())
    if not named:
        raise click.UsageError("Missing argument 'FILE...', and no project file here names `tests`.")
    place = baseline or _baseline_of(project)
    if update and place is None:
        raise click.UsageError("--update: name the file, as --baseline BASELINE or as `baseline` in smallchat.yaml")
    if update and shard is not None:
        raise click.UsageError("--update records all tests: leave --shard out")
    runtime = ToolRuntime.open(artifact or artifact_here())
    cases = read_all(named)
    form = "json" if as_json else form
    with render.progress(len(cases), quiet=form != "text") as step:
        tested = judge_cases(
            runtime,
            cases,
            limits=given(limits),
            baseline=read_baseline(place) if place and not update else None,
            shard=shard or WHOLE,
            progress=step,
        )
    if junit is not None:
        from smallchatc.replacing import replace_text
        from smallchatc.testing.junit import junit_xml

        replace_text(junit, junit_xml(tested))
    render.show(tested, form=form, verbose=verbose)
    if update and place is not None:
        write_baseline(place, tested.outcomes)
        render.show_written(place, tested)
        return 0 if all(gate.ok for gate in tested.gates) else 1
    return 0 if tested.passed else 1


def _told_apart(paths: tuple[Path, ...]) -> tuple[Path | None, tuple[Path, ...]]:
    """The artifact, if one was given, and the files of tests."""
    if paths and paths[0].suffix.lower() not in _TESTS:
        return paths[0], paths[1:]
    return None, paths


def _baseline_of(project: Project | None) -> Path | None:
    """Where the project file says that the baseline of its tests is."""
    return (project.folder or Path()) / project.baseline if project and project.baseline else None
