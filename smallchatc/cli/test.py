"""`smallchatc test`: do the intents that matter resolve as they should?"""

from __future__ import annotations

from pathlib import Path

import click

from .params import ARTIFACT, SHARE, given


@click.command(name="test")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[FILE...]")
@click.option("--min-recall1", type=SHARE, help="Gate: share of answerable intents whose first choice is right.")
@click.option("--min-recall3", type=SHARE, help="Gate: share of wanted tools among the first 3.")
@click.option("--min-recall5", type=SHARE, help="Gate: share of wanted tools among the first 5.")
@click.option("--min-mrr", type=SHARE, help="Gate: mean reciprocal rank of the first right tool.")
@click.option("--min-auroc", type=SHARE, help="Gate: how well `fit` tells what fits from what does not.")
@click.option("--max-false-tool", type=SHARE, help="Gate: share of intents that nothing fits which got a tool.")
@click.option("--max-false-none", type=SHARE, help="Gate: share of answerable intents that were refused.")
@click.option("--max-ece", type=SHARE, help="Gate: calibration error of `confidence` on answerable intents.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML to this file.")
@click.option("-v", "--verbose", is_flag=True, help="Show every failure and the reliability table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def test_command(
    artifact: Path, files: tuple[Path, ...], junit: Path | None, verbose: bool, as_json: bool, **limits: float | None
) -> int:
    """Resolve labelled intents and say which came out wrong, and why.

    FILE is YAML or JSONL: a list of {intent, expect, among?, args?}, where expect is a tool "provider/name",
    several that are equally right, or [] when nothing fits. Further keys: equiv (also right), gold_mode: all
    (every one is wanted), gold_slots, id; query, gold and candidates are other names for the first three.
    Without a FILE, the `tests` of this folder's project file are run.

    Without a gate every case must pass; with gates, they alone decide. Exit 1 when the answer is no.
    """
    from runtime_min import ToolRuntime
    from smallchatc.gates import check
    from smallchatc.intents import project_tests, read_all, run
    from smallchatc.render import tested as render
    from smallchatc.scorecard import score

    runtime = ToolRuntime.open(artifact)
    named = files or project_tests(Path())
    if not named:
        raise click.UsageError("Missing argument 'FILE...', and no project file here names `tests`.")
    cases = read_all(named)
    with render.progress(len(cases), quiet=as_json) as step:
        outcomes, failures = run(runtime, cases, progress=step)
    scores = score(outcomes)
    gates = check(scores, given(limits))
    if junit is not None:
        from smallchatc.junit import junit_xml

        junit.write_text(junit_xml(outcomes, failures), encoding="utf-8")
    render.show(scores, outcomes, failures, gates, verbose=verbose, as_json=as_json)
    passed = all(gate.ok for gate in gates) if gates else not failures
    return 0 if passed else 1
