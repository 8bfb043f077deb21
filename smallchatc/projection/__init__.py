"""Projection: a tool's definition becomes the one that a model API takes, with everything that was changed.

The original stays in the artifact; a projection is derived from it whenever it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..model import Json
from .fold import fold_root
from .gemini import for_gemini
from .lenient import mend_arrays
from .node import BLOCKED, REPAIRED, Change, Node, Notes, all_nodes, types_of
from .plain import plain_schema
from .properties import argument_plan, rename_properties
from .strict import ANTHROPIC, OPENAI, Strictness, make_strict

YES, AFTER_REWRITE, NEVER = "yes", "after rewrite", "never"

ANTHROPIC_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
GEMINI_PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_MCP_KEYS = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta")


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A tool as one API takes it."""

    definition: Mapping[str, Json]
    changes: tuple[Change, ...]
    plan: Mapping[str, Json] | None  # for the arguments that come back (runtime_min.restore)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictReady:
    """Whether an API's strict mode can take a tool, what forbids it, and what it adds to a request's totals."""

    verdict: str  # YES, AFTER_REWRITE, NEVER
    blocked: tuple[Change, ...]
    optional: int  # properties that may be left out
    unions: int  # alternatives and lists of types


def project(definition: Mapping[str, Json], *, name: str, target: str) -> Projection:
    """The definition for one of `smallchatc.targets.TARGETS`, under a portable name."""
    return _PROJECTED[target](definition, name)


def strict_ready(definition: Mapping[str, Json], strictness: Strictness) -> StrictReady:
    """What a strict mode says to a tool."""
    root, notes = _strict(definition, strictness)
    blocked = tuple(dict.fromkeys(notes.of(BLOCKED)))
    nodes = list(all_nodes(root))
    return StrictReady(
        verdict=NEVER if blocked else AFTER_REWRITE if notes.changes else YES,
        blocked=blocked,
        optional=sum(len(node.get("properties", {}).keys() - set(node.get("required", ()))) for node in nodes),
        unions=sum("anyOf" in node or len(types_of(node)) > 1 for node in nodes),
    )


def _openai(definition: Mapping[str, Json], name: str) -> Projection:
    parameters, projection = _lenient(definition)
    function = {**_named(definition, name), "parameters": parameters, "strict": False}
    return _with({"type": "function", "function": function}, projection)


def _openai_responses(definition: Mapping[str, Json], name: str) -> Projection:
    parameters, projection = _lenient(definition)
    return _with(
        {"type": "function", **_named(definition, name), "parameters": parameters, "strict": False}, projection
    )


def _openai_strict(definition: Mapping[str, Json], name: str) -> Projection:
    """Strict where it can be; a tool that cannot is not lost but sent as for `openai`, with what forbids it."""
    root, notes = _strict(definition, OPENAI)
    blocked = dict.fromkeys(notes.of(BLOCKED))
    if blocked:
        plain = _openai(definition, name)
        return Projection(definition=plain.definition, changes=(*blocked, *plain.changes), plan=plain.plan)
    function = {**_named(definition, name), "parameters": root, "strict": True}
    return _with({"type": "function", "function": function}, (notes, argument_plan(root)))


def _anthropic(definition: Mapping[str, Json], name: str) -> Projection:
    notes = Notes()
    root = plain_schema(definition.get("inputSchema", {}), notes)
    fold_root(root, notes)
    rename_properties(root, ANTHROPIC_PROPERTY, notes)
    return _with({**_named(definition, name), "input_schema": root}, (notes, argument_plan(root)))


def _anthropic_strict(definition: Mapping[str, Json], name: str) -> Projection:
    root, notes = _strict(definition, ANTHROPIC)
    blocked = dict.fromkeys(notes.of(BLOCKED))
    if blocked:
        plain = _anthropic(definition, name)
        return Projection(definition=plain.definition, changes=(*blocked, *plain.changes), plan=plain.plan)
    return _with({**_named(definition, name), "input_schema": root, "strict": True}, (notes, argument_plan(root)))


def _gemini(definition: Mapping[str, Json], name: str) -> Projection:
    notes = Notes()
    root = plain_schema(definition.get("inputSchema", {}), notes)
    made = for_gemini(root, notes)
    if made is None:
        return _with(_named(definition, name), (notes, None))
    rename_properties(made, GEMINI_PROPERTY, notes)
    return _with({**_named(definition, name), "parameters": made}, (notes, argument_plan(made)))


def _mcp(definition: Mapping[str, Json], name: str) -> Projection:
    """As written, under a portable name; a schema that MCP's clients would refuse is mended."""
    notes = Notes()
    schema = definition.get("inputSchema", {})
    root = plain_schema(schema, notes)
    kept: dict[str, Json] = {key: definition[key] for key in _MCP_KEYS if definition.get(key) is not None}
    if isinstance(schema, dict) and schema.get("$schema") is not None and not _dialect(schema):
        notes.say(REPAIRED, "schema-dialect-unsupported", ("$schema",), "an unknown dialect; read as 2020-12")
    legal = next((rules for known, rules in _LEGAL_IN if known in _dialect(schema)), ())
    if any(
        change.kind == REPAIRED or (change.rule in _REFUSED_BY_MCP and change.rule not in legal)
        for change in notes.changes
    ):
        kept["inputSchema"] = root
    else:
        notes.changes.clear()
        kept["inputSchema"] = dict(schema)
    if kept["inputSchema"].get("type") != "object":
        notes.say(REPAIRED, "schema-root-missing-type", (), 'type "object" is written out')
        kept["inputSchema"] = {"type": "object", **{k: v for k, v in kept["inputSchema"].items() if k != "type"}}
    for key, kind in (("title", str), ("description", str), ("annotations", dict), ("_meta", dict), ("icons", list)):
        if key in kept and not isinstance(kept[key], kind):
            notes.say(REPAIRED, "bad-field", (), f"{key} has a value of the wrong type; left out")
            del kept[key]
    return _with({"name": name, **kept}, (notes, None))


_REFUSED_BY_MCP = ("ref-remote", "unresolved-ref", "circular-ref", "draft04-keyword", "tuple-items")
_LEGAL_IN = (
    ("draft-04", ("draft04-keyword", "tuple-items")),
    ("draft-0", ("tuple-items",)),
    ("2019-09", ("tuple-items",)),
)


def _dialect(schema: Json) -> str:
    """The declared dialect, when it is one that validators know."""
    declared = str(schema.get("$schema") or "") if isinstance(schema, dict) else ""
    return (
        declared
        if re.fullmatch(r"https?://json-schema\.org/(draft-0[3467]|draft/20(19-09|20-12))/schema#?", declared)
        else ""
    )


_PROJECTED: Mapping[str, Callable[[Mapping[str, Json], str], Projection]] = {
    "openai": _openai,
    "openai-responses": _openai_responses,
    "openai-strict": _openai_strict,
    "anthropic": _anthropic,
    "anthropic-strict": _anthropic_strict,
    "gemini": _gemini,
    "mcp": _mcp,
}


def _lenient(definition: Mapping[str, Json]) -> tuple[Node, tuple[Notes, None]]:
    notes = Notes()
    root = plain_schema(definition.get("inputSchema", {}), notes)
    fold_root(root, notes)
    mend_arrays(root, notes)
    return root, (notes, None)


def _strict(definition: Mapping[str, Json], strictness: Strictness) -> tuple[Node, Notes]:
    notes = Notes()
    root = plain_schema(definition.get("inputSchema", {}), notes)
    make_strict(root, strictness, notes)
    if strictness is ANTHROPIC:
        rename_properties(root, ANTHROPIC_PROPERTY, notes)
    return root, notes


def _named(definition: Mapping[str, Json], name: str) -> dict[str, Json]:
    description = definition.get("description") or definition.get("title")
    return {"name": name, **({"description": description} if isinstance(description, str) else {})}


def _with(definition: Mapping[str, Json], made: tuple[Notes, Mapping[str, Json] | None]) -> Projection:
    notes, plan = made
    # What is referred to from two places is written out, and noted, twice.
    return Projection(definition=definition, changes=tuple(dict.fromkeys(notes.changes)), plan=plan)
