"""The command line: options in, one call, render, exit code.

Exit 0 yes or done, 1 no, differs or nothing found, 2 trouble with usage, input or artifact, 130 interrupted,
70 a fault of ours. stdout is data, stderr is talk. One file per command, imported when it is called.
"""

from __future__ import annotations

import sys

import click

from smallchatc import __version__

from .group import LazyGroup

COMMANDS = {
    "init": "smallchatc.cli.init:init_command",
    "compile": "smallchatc.cli.compile:compile_command",
    "watch": "smallchatc.cli.watch:watch_command",
    "snapshot": "smallchatc.cli.snapshot:snapshot_command",
    "inspect": "smallchatc.cli.inspect:inspect_command",
    "resolve": "smallchatc.cli.resolve:resolve_command",
    "call": "smallchatc.cli.call:call_command",
    "serve": "smallchatc.cli.serve:serve_command",
    "repl": "smallchatc.cli.repl:repl_command",
    "trust": "smallchatc.cli.trust:trust_command",
    "verify": "smallchatc.cli.verify:verify_command",
    "diff": "smallchatc.cli.diff:diff_command",
    "test": "smallchatc.cli.test:test_command",
    "docs": "smallchatc.cli.docs:docs_command",
    "export": "smallchatc.cli.export:export_command",
    "header": "smallchatc.cli.header:header_command",
    "lint": "smallchatc.cli.lint:lint_command",
    "explain": "smallchatc.cli.explain:explain_command",
    "cache": "smallchatc.cli.cache:cache_command",
    "doctor": "smallchatc.cli.doctor:doctor_command",
    "completion": "smallchatc.cli.completion:completion_command",
}


@click.group(
    cls=LazyGroup,
    commands_at=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done or yes, 1 no or nothing found, 2 usage, input or artifact trouble, 130 interrupted.",
)
@click.version_option(__version__, prog_name="smallchatc")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def cli(debug: bool) -> None:
    """Compile tool catalogues into one artifact, and resolve intents against it."""


def main() -> None:
    """Entry point of the `smallchatc` script."""
    for stream in (sys.stdout, sys.stderr):
        # Tool names are of any script: a terminal that lacks one gets an escape instead of a traceback.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    cli(prog_name="smallchatc")
