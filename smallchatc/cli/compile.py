"""`smallchatc compile`: sources in, an artifact out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .params import asking_options, cache_option, open_cache, project_here
from .watch import follow

if TYPE_CHECKING:
    from smallchatc.cache import Cache
    from smallchatc.job import Done, Job


@click.command(name="compile")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("-s", "--source", "more", multiple=True, metavar="SOURCE", help="A further source; may be repeated.")
@click.option(
    "--functions",
    "references",
    multiple=True,
    metavar="MODULE[:NAME,...]",
    help="Import this Python module and compile its public functions, or those named; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="The artifact to write. [default: as the project file says]",
)
@click.option(
    "--overload-threshold",
    type=click.FloatRange(0, 1),
    help="Similarity from which tools may be one operation. [default: 0.82]",
)
@click.option(
    "--encoder",
    type=click.Choice(("auto", "teacher", "base", "small")),
    help="Who embeds the tools. auto: the teacher where it is installed with its weights, else base. [default: auto]",
)
@click.option(
    "--teacher-model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the teacher's weights.",
)
@click.option("--keep-going", is_flag=True, help="Write what is sound although a source is broken; exit 1.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors: write nothing, exit 2.")
@click.option(
    "--offline",
    is_flag=True,
    help="Start and fetch nothing: servers that are not recorded among the sources are named.",
)
@asking_options
@cache_option
@click.option("--watch", is_flag=True, help="Compile again whenever a source changes, as `smallchatc watch` does.")
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing: compare the sources with the lock beside OUT, and exit 1 when it is stale.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every warning and note.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def compile_command(
    sources: tuple[str, ...],
    more: tuple[str, ...],
    references: tuple[str, ...],
    output: Path | None,
    overload_threshold: float | None,
    encoder: str | None,
    teacher_model: Path | None,
    keep_going: bool,
    strict: bool,
    offline: bool,
    timeout: float,
    fail_fast: bool,
    allow_failed: bool,
    no_cache: bool,
    watch: bool,
    check: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Compile tool catalogues into one artifact.

    SOURCE is a file, a folder (read recursively) or "-" for stdin: tools/list results, recorded servers,
    one tool a line, Docker's form, smallchat manifests and project files, in JSON or YAML, recognised by
    their content. Without a SOURCE, smallchat.yaml (.yml, .json) of this folder is compiled.

    Python functions are imported, which runs their module, only where --functions names it:
    `--functions shop.orders:find,cancel` compiles find and cancel from their signatures and docstrings.
    No source and no project file can have code imported.

    SOURCE may also be a client's configuration (Claude, Cursor, VS Code, Gemini, Codex, Zed, ...; JSON, JSONC,
    YAML, TOML), the URL of an MCP server, or a command line that starts one:

    \b
      smallchatc compile .mcp.json -o app.smallchat.db
      smallchatc compile https://mcp.example.com/mcp -o app.smallchat.db
      smallchatc compile "stdio:npx -y @modelcontextprotocol/server-filesystem /data" -o app.smallchat.db

    Its servers are started and asked for their tools; those of a configuration that lies in a folder are not:
    only what you name is started. A server that fails costs its own tools (exit 1).

    What was worked out before is taken from a cache (`smallchatc cache info`). When nothing has changed since the
    same request was compiled, nothing is done but look, and it says "up to date" (docs/incremental.md).

    Beside the artifact lies its lock, NAME.smallchat.lock: a short text of what went in. Keep it in version control;
    with it, --check needs no artifact.
    """
    from smallchatc.job import Job, unchanged
    from smallchatc.render import compiled as render

    names = [*sources, *more] or ([] if references else project_here())
    if output is not None and not output.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder '{output.parent}': create it first", param_hint="--output")
    job = Job(
        sources=tuple(names),
        references=references,
        output=output,
        encoder=encoder,
        teacher_model=teacher_model,
        overload_threshold=overload_threshold,
        keep_going=keep_going,
        strict=strict,
        allow_failed=allow_failed,
        offline=offline,
        timeout_s=timeout,
        fail_fast=fail_fast,
    )
    if watch:
        if "-" in names or references or check:
            raise click.UsageError("--watch goes with neither '-', --functions nor --check")
        follow(job, no_cache=no_cache, as_json=as_json)
        return 0
    stdin = sys.stdin.buffer.read() if "-" in names else None
    if check:
        return _check(job, no_cache=no_cache, stdin=stdin, verbose=verbose, as_json=as_json)
    with open_cache(off=no_cache) as cache:
        done = unchanged(job, cache, stdin=stdin)
        if done is None:
            done = _compile(job, cache, stdin=stdin, verbose=verbose, as_json=as_json)
    render.show_notes(cache.notes)
    if done is not None:
        render.show(done, verbose=verbose, as_json=as_json)
    return 2 if done is None else done.code


def _check(job: Job, *, no_cache: bool, stdin: bytes | None, verbose: bool, as_json: bool) -> int:
    from smallchatc.diagnostics import CompileError
    from smallchatc.job import check
    from smallchatc.render import compiled, locked

    with open_cache(off=no_cache) as cache:
        try:
            checked = check(job, cache, stdin=stdin)
        except CompileError as err:
            compiled.show_failure(err.diagnostics, alone=True, verbose=verbose, as_json=as_json)
            return 2
    locked.show_check(checked, as_json=as_json)
    return 1 if checked.changed or checked.changed is None else 0


def _compile(job: Job, cache: Cache, *, stdin: bytes | None, verbose: bool, as_json: bool) -> Done | None:
    """What came of the job; None where its sources forbid an artifact, which has been told."""
    from smallchatc.diagnostics import CompileError
    from smallchatc.job import run
    from smallchatc.render import compiled as render
    from smallchatc.render.progress import progress

    try:
        with progress(quiet=as_json) as report:
            return run(job, cache, stdin=stdin, tell=report.server, progress=report.stage)
    except CompileError as err:
        named = len(job.sources) + len(job.references)
        alone = job.keep_going or (named < 2 and not Path(*job.sources).is_dir())
        render.show_failure(err.diagnostics, alone=alone, verbose=verbose, as_json=as_json)
        return None
