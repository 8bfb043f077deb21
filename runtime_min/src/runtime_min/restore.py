"""Restore: what a model sends for an exported definition becomes the call of the tool it stands for.

`smallchatc export --names FILE` writes the map: portable name -> "P/N", and per tool a plan where arguments have to be
led back. Only what the plan names is touched, wherever it stands; all else passes as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .errors import UnknownTool

Plan = Mapping[str, Any]

_MAX_DEPTH = 200
"""Arguments are data from a model; what is nested deeper passes as it is."""


class Exported:
    """The map of an export: which tool a name means, and which arguments are meant."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.tools: Mapping[str, Mapping[str, Any]] = document["tools"]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Exported:
        """The map that `export --names` wrote."""
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def tool(self, name: str) -> str:
        """The tool "P/N" that a portable name means; raises UnknownTool."""
        if name not in self.tools:
            raise UnknownTool(f"no exported tool is called {name!r}", hint="export again, or check the name map")
        path: str = self.tools[name]["tool"]
        return path

    def arguments(self, name: str, arguments: Any) -> Any:
        """The arguments as the tool's own schema has them."""
        self.tool(name)
        return restore_arguments(arguments, self.tools[name].get("arguments"))


def restore_arguments(arguments: Any, plan: Mapping[str, Any] | None) -> Any:
    """Arguments for an exported schema as the tool's own schema has them; `plan` is docs/export.md's."""
    return arguments if plan is None else _restore(arguments, [plan], plan.get("defs", {}), 0)


def _restore(value: Any, plans: Iterable[Plan], defs: Mapping[str, Plan], depth: int) -> Any:
    layers = _layers(plans, defs)
    if not layers or depth > _MAX_DEPTH:
        return value
    if isinstance(value, str):
        return next((layer["values"][value] for layer in layers if value in layer.get("values", ())), value)
    if isinstance(value, dict):
        return _object(value, layers, defs, depth)
    if isinstance(value, list):
        return [_restore(item, _of_item(layers, place), defs, depth + 1) for place, item in enumerate(value)]
    return value


def _layers(plans: Iterable[Plan], defs: Mapping[str, Plan]) -> list[Plan]:
    """All plans for one value: those given, what they use, and their alternatives."""
    found: dict[int, Plan] = {}
    waiting = list(plans)
    while waiting:
        plan = waiting.pop()
        if id(plan) not in found:
            found[id(plan)] = plan
            waiting.extend(plan.get("any", ()))
            if plan.get("use") in defs:
                waiting.append(defs[plan["use"]])
    return list(found.values())


def _object(value: Mapping[str, Any], layers: list[Plan], defs: Mapping[str, Plan], depth: int) -> dict[str, Any]:
    made = {}
    for name, item in value.items():
        if item is None and any(name in layer.get("absent", ()) for layer in layers):
            continue
        inner = [layer["properties"][name] for layer in layers if name in layer.get("properties", ())]
        meant = next((plan["name"] for plan in inner if "name" in plan), name)
        others = [layer["others"] for layer in layers if "others" in layer and name not in layer["declared"]]
        made[meant] = _restore(item, [*inner, *others], defs, depth + 1)
    return made


def _of_item(layers: list[Plan], place: int) -> Iterator[Plan]:
    for layer in layers:
        prefix = layer.get("prefix", ())
        if place < len(prefix):
            yield prefix[place]
        elif "items" in layer:
            yield layer["items"]
