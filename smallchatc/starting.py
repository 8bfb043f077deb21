"""What was found in a folder becomes the files that a project starts with: texts by their paths, nothing written.

The cases are the tools' own words and hold today, so that the first build is green and a later one that takes a
tool's words from it is not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from runtime_min.identity import SUFFIX
from runtime_min.resolver import Resolver

from .folders import BASELINE_SUFFIX, PROJECT_NAMES
from .found import Found
from .memory import open_rows
from .model import Catalog, Diagnostic, Tool
from .pipeline import Compiled, compile_sources
from .replacing import replace_text
from .settings import Wanted
from .testing.case_text import case_text, yaml_text
from .wording import first_sentence
from .workflow import workflow_name, workflow_text

PROJECT, INTENTS = "smallchat.yaml", "tools.intents.yaml"
ARTIFACT = "app.smallchat.db"
RECORDINGS = "manifests"
"""Where `init` keeps what servers listed."""

_CASES = 12
_NOTHING = ("order a pizza with extra cheese", "write a poem about the sea", "how tall is the tallest giraffe")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The files of a project, and what its first compile found."""

    files: Mapping[str, str]
    tools: int
    cases: int
    lost: tuple[str, ...]  # tools that their own first sentence does not find
    diagnostics: tuple[Diagnostic, ...] = ()


def starting_files(folder: Path, found: Found, *, workflow: bool) -> Start:
    """The texts, from one compile in memory; nothing is started."""
    compiled = _compiled(folder, found)
    files = {PROJECT: _project(found)}
    cases, lost = _starting_cases(compiled) if compiled is not None else ([(_NOTHING[0], "")], [])
    if not found.intents:
        files[INTENTS] = _intents(cases)
    if workflow:
        files[workflow_name(folder)] = workflow_text(folder, project=PROJECT, artifact=ARTIFACT)
    return Start(
        files=files,
        tools=len(compiled.catalog.tools) if compiled else 0,
        cases=0 if found.intents else len(cases),
        lost=tuple(lost),
        diagnostics=compiled.diagnostics if compiled else (),
    )


def taken(folder: Path, found: Found, *, workflow: bool) -> list[str]:
    """The files of a start that are there already, another spelling of the project file's name among them."""
    names = [*PROJECT_NAMES, *([] if found.intents else [INTENTS]), *([workflow_name(folder)] if workflow else [])]
    return [name for name in names if os.path.lexists(folder / name)]


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write them, each whole or not at all."""
    for name, text in files.items():
        replace_text(folder / name, text)


def _compiled(folder: Path, found: Found) -> Compiled | None:
    places = [folder / name for name in found.sources]
    return compile_sources(places, settings=Wanted(), keep_going=True) if places else None


def _project(found: Found) -> str:
    sources = [*found.configurations, *found.sources]
    if not found.sources:
        sources.append(RECORDINGS)
    lines = [
        "# smallchatc compiles this file when it is run in this folder without a source.",
        "version: 1",
        "sources:",
        *(f"  - {yaml_text(name)}" for name in sources),
        f"output: {ARTIFACT}",
        "tests:",
        *(f"  - {yaml_text(name)}" for name in found.intents or ["*.intents.yaml"]),
        "# What the tests lead to now, so that only what gets worse fails; `smallchatc test --update` writes it:",
        f"# baseline: {ARTIFACT.removesuffix(SUFFIX)}{BASELINE_SUFFIX}",
    ]
    return "\n".join([*lines, ""])


def _starting_cases(compiled: Compiled) -> tuple[list[tuple[str, str]], list[str]]:
    """Requests with the tool ("" for none) that each leads to today, and the tools that theirs does not."""
    tables = compiled.image.tables
    cases: list[tuple[str, str]] = []
    lost: list[str] = []
    with closing(open_rows(tables, dict(map(tuple, tables["meta"])))) as artifact:
        resolver = Resolver(artifact)
        for tool in _in_turn(compiled.catalog):
            if len(cases) == _CASES:
                break
            words = first_sentence(tool.description)
            if not words:
                continue
            if resolver.resolve(words).tool == tool.path:
                cases.append((words, tool.path))
            else:
                lost.append(tool.path)
        nothing = (words for words in _NOTHING if resolver.resolve(words).tool is None)
        cases += [(words, "") for words in [*nothing][:1]]
    return cases, lost


def _in_turn(catalog: Catalog) -> Iterator[Tool]:
    """A tool of each provider, then a second of each, and so on."""
    groups: dict[str, list[Tool]] = {}
    for tool in catalog.tools:
        groups.setdefault(tool.provider, []).append(tool)
    return (tool for tool in chain.from_iterable(zip_longest(*groups.values())) if tool is not None)


def _intents(cases: Sequence[tuple[str, str]]) -> str:
    lines = [
        "# What people ask for, and the tool that is right for it:",
        "#     smallchatc test",
        "# A start, in the tools' own words. Add what your users say, with `expect: []` where no tool should answer,",
        "# and a list where several are right.",
    ]
    return "\n".join([*lines, *(case_text(words, tool) for words, tool in cases), ""])
