"""`smallchatc export`: the tools of an artifact as a model API takes them."""

from __future__ import annotations

from pathlib import Path

import click

from smallchatc.targets import LAZY, TARGETS

from .params import ARTIFACT


@click.command(name="export")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.option("--for", "target", type=click.Choice(TARGETS), required=True, help="Whose API takes the definitions.")
@click.option(
    "--tools",
    multiple=True,
    metavar="P/N",
    help="Only these tools; a glob such as 'github/*' names several. May be repeated.",
)
@click.option("--lazy", is_flag=True, help=f"Load tools when they are needed ({', '.join(LAZY)}).")
@click.option(
    "--names",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the map that leads a model's call back to the tool and its arguments.",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write every change with its place, and whether strict modes can take each tool.",
)
def export_command(
    artifact: Path, target: str, tools: tuple[str, ...], lazy: bool, names: Path | None, report_file: Path | None
) -> int:
    """Print tool definitions for a model API as JSON; what was changed or cannot be said is on stderr."""
    from runtime_min.artifact import open_artifact
    from smallchatc.export import export, name_map, report
    from smallchatc.render.document import print_json, write_json
    from smallchatc.render.exported import show

    if lazy and target not in LAZY:
        raise click.UsageError(f"--for {target} has no lazy loading; {' and '.join(LAZY[:2])} have")
    opened = open_artifact(artifact)
    made = export(opened, target=target, tools=tools, lazy=lazy)
    if names is not None:
        write_json(names, name_map(made))
    if report_file is not None:
        write_json(report_file, report(made))
    print_json(made.document)
    show(made, named=names is not None, reported=report_file is not None)
    return 0 if made.tools else 1
