"""Parameter types that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from smallchatc.cache import Cache
    from smallchatc.testing.shards import Shard

# Existence is checked by the reader, whose errors say more than click's.
ARTIFACT = click.Path(path_type=Path)

_Command = TypeVar("_Command", bound=Callable[..., Any])
SERVER_TIMEOUT_S = 120.0


def asking_options(command: _Command) -> _Command:
    """The options of every command that asks live servers."""
    for option in (
        click.option(
            "--allow-failed", is_flag=True, help="A server that fails is a warning: exit 0 with what the others list."
        ),
        click.option("--fail-fast", is_flag=True, help="The first server that fails ends it: write nothing, exit 2."),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            default=SERVER_TIMEOUT_S,
            show_default=True,
            metavar="SECONDS",
            help="How long a server may take to start and list its tools.",
        ),
    ):
        command = option(command)
    return command


def running_options(command: _Command) -> _Command:
    """The options of every command that runs tools."""
    for option in (
        click.option(
            "--bind",
            "bindings",
            multiple=True,
            metavar="P=MODULE[:OBJECT]",
            help="Let the functions of a module or an object be a provider's tools (P/N=MODULE:FUNCTION: one be one);"
            " may be repeated.",
        ),
        click.option("--trust", is_flag=True, help="Allow what the artifact names without `smallchatc trust`; for CI."),
    ):
        command = option(command)
    return command


SHARE = click.FloatRange(0, 1)
NUMBER = click.IntRange(min=0)


def given(limits: Mapping[str, float | None]) -> dict[str, float]:
    """The gates that were asked for, by the names of their options."""
    return {name.replace("_", "-"): value for name, value in limits.items() if value is not None}


def cache_option(command: _Command) -> _Command:
    """The option of every command that compiles."""
    option = click.option(
        "--no-cache", is_flag=True, help="Take nothing from the cache of earlier compiles, and leave nothing there."
    )
    return option(command)


def open_cache(*, off: bool) -> Cache:
    """The user's cache, or one that is empty and stays so."""
    from smallchatc.cache import Cache, cache_folder

    return Cache(None if off else cache_folder())


def project_here() -> list[str]:
    """The current folder as a source, when a project file lies in it."""
    from smallchatc.folders import project_files

    return ["."] if project_files(Path()) else []


def artifact_here() -> Path:
    """The artifact that the project file of the current folder names, for a command that was given none."""
    from runtime_min.errors import ArtifactMissing
    from smallchatc.job import output_of
    from smallchatc.parse import project_of

    project = project_of(Path())
    if project is None:
        raise click.UsageError("Missing argument 'DB', and no project file here says where the artifact is.")
    out = output_of(project)
    if not out.exists():
        raise ArtifactMissing(f"{out}: not there yet", hint="`smallchatc compile` in this folder writes it")
    return out


class JsonObject(click.ParamType[dict[str, Any]]):
    """A JSON object, given as text."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        try:
            parsed = json.loads(value)
        except ValueError as err:
            self.fail(f"not JSON: {err}", param, ctx)
        if not isinstance(parsed, dict):
            self.fail(f'an object is needed, like \'{{"path": "a.txt"}}\', not {value}', param, ctx)
        return parsed


JSON_OBJECT = JsonObject()


class ShardOf(click.ParamType["Shard"]):
    """K/N: the K-th of N parts."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Shard:
        from smallchatc.testing.shards import Shard

        if isinstance(value, Shard):
            return value
        index, slash, count = str(value).partition("/")
        whole = slash and all(part.isascii() and part.isdecimal() and len(part) < 7 for part in (index, count))
        if not whole or not 1 <= int(index) <= int(count):
            self.fail(f"{value}: K/N is needed, with K from 1 to N, like 2/4", param, ctx)
        return Shard(index=int(index), count=int(count))


SHARD = ShardOf()
