"""Running the command line: inside this process, or as the process that a user starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from smallchatc.cli import cli

ROOT = Path(__file__).resolve().parents[1]


def invoke(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command here; `exit_code`, `stdout` and `stderr` are its answer."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="smallchatc", input=stdin)


def process(
    *arguments: str | Path, cwd: Path | None = None, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m smallchatc` with these variables added to the environment."""
    return subprocess.run(
        [sys.executable, "-m", "smallchatc", *map(str, arguments)],
        capture_output=True,
        check=False,
        cwd=cwd,
        input=stdin,
        env={**os.environ, **environment},
    )
