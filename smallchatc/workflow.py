"""Workflow: a project, where it lies in its repository and how this compiler came here become a GitHub workflow."""

from __future__ import annotations

import json
import os
import re
import shlex
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from . import __version__
from .testing.case_text import yaml_text

WHEELS = "wheels"
"""Where a project keeps the compiler's wheels while no index has them."""

_ADDRESS = re.compile(r"[\w.+:/@~-]+")


class Repository(NamedTuple):
    """A repository, and a folder in it."""

    root: Path
    inside: str  # with "/"; "." where the folder is the root


class Install(NamedTuple):
    """What pip is to be told, and why that may need a hand."""

    command: str
    remark: str = ""


def repository_of(folder: Path) -> Repository:
    """The repository around a folder; the folder itself where there is none."""
    here = folder.resolve()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    return Repository(root, here.relative_to(root).as_posix())


def workflow_name(folder: Path) -> str:
    """The path of the workflow's file from the folder: runners look nowhere but at the root of the repository."""
    root, inside = repository_of(folder)
    suffix = "" if inside == "." else "-" + re.sub(r"[^\w.-]+", "-", inside)
    place = root / ".github" / "workflows" / f"smallchat{suffix}.yml"
    return Path(os.path.relpath(place, folder.resolve())).as_posix()


def workflow_text(folder: Path, *, project: str, artifact: str) -> str:
    """Lint, compile, test, and what a pull request changes."""
    inside = repository_of(folder).inside
    install = installing(_direct_url(), __version__)
    remark = "".join(f"      # {line}\n" for line in install.remark.splitlines())
    below = f"    defaults:\n      run:\n        working-directory: {yaml_text(inside)}\n" if inside != "." else ""
    return f"""\
# The tools of this repository: are they sound, do requests still find them, and what does a pull request change?
name: smallchat
on:
  push:
    branches: [main, master]
  pull_request:
permissions:
  contents: read
jobs:
  tools:
    runs-on: ubuntu-latest
{below}    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0  # the base of a pull request is compiled too
      - uses: actions/setup-python@v6
        with:
          python-version: "3.13"
{remark}      - run: {install.command}
      - run: smallchatc lint --format github
      - id: compile
        run: smallchatc compile --offline
      - run: smallchatc test --format github --junit smallchat-tests.xml
      - name: What does this pull request change?
        if: ${{{{ !cancelled() && github.event_name == 'pull_request' && steps.compile.outcome == 'success' }}}}
        env:
          BASE: ${{{{ github.event.pull_request.base.sha }}}}
          FOLDER: {yaml_text(inside)}
        run: |
          git worktree add --detach "$RUNNER_TEMP/base" "$BASE"
          if [ -e "$RUNNER_TEMP/base/$FOLDER/{project}" ]; then
            (cd "$RUNNER_TEMP/base/$FOLDER" && smallchatc compile --offline -o "$RUNNER_TEMP/base.smallchat.db")
            smallchatc diff "$RUNNER_TEMP/base.smallchat.db" {artifact} \\
              --format markdown --fail-on breaking >> "$GITHUB_STEP_SUMMARY"
          fi
"""


def installing(direct_url: str | None, version: str) -> Install:
    """How a build gets the compiler that is installed here, by what pip noted of where it came from (PEP 610).

    The same version from the index, or the same commit of the same repository; what came from a folder is nowhere that
    a build could know of.
    """
    named = f"smallchatc=={version}"
    if direct_url is None:
        return Install(f"pip install {named}")
    try:
        noted = json.loads(direct_url)
        address, commit = _without_user(noted["url"]), noted["vcs_info"]["commit_id"]
        known = noted["vcs_info"]["vcs"] == "git" and not noted.get("subdirectory")
    except (ValueError, KeyError, TypeError):
        known = False
    if known and _ADDRESS.fullmatch(f"{address}@{commit}") and not address.startswith("file:"):
        parts = (
            f"runtime-min @ git+{address}@{commit}#subdirectory=runtime_min",
            f"smallchatc @ git+{address}@{commit}",
        )
        return Install(f"pip install {shlex.join(parts)}")
    return Install(
        f"pip install --find-links {WHEELS} {named}",
        "smallchatc was installed from a folder here, which a build does not have. Until an index has it, keep its\n"
        f"wheels in the repository: pip wheel --no-deps -w {WHEELS} FOLDER/runtime_min FOLDER",
    )


def _without_user(address: str) -> str:
    """An address without who may read it."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])) if parts.scheme != "ssh" else address


def _direct_url() -> str | None:
    """What pip noted; None where it was found on an index by its name."""
    try:
        return metadata.distribution("smallchatc").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return "{}"
