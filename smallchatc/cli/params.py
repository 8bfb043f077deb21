"""Parameter types that several commands share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

# Existence is checked by the reader, whose errors say more than click's.
ARTIFACT = click.Path(path_type=Path)

SHARE = click.FloatRange(0, 1)
NUMBER = click.IntRange(min=0)


def given(limits: Mapping[str, float | None]) -> dict[str, float]:
    """The gates that were asked for, by the names of their options."""
    return {name.replace("_", "-"): value for name, value in limits.items() if value is not None}


def project_here() -> list[str]:
    """The current folder as a source, when a project file lies in it."""
    from smallchatc.parse.sources import project_files

    return ["."] if project_files(Path()) else []


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
