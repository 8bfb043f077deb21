"""Properties: names that an API refuses get portable ones, and what a model then sends is led back.

The names of a tool's properties are exchanged one for one over the whole schema and never for a name that is written
in it, so each can be read back wherever it stands. The plan says where, for `runtime_min.restore`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from ..model import Json
from .node import DEFS, REWRITTEN, Node, Notes, all_nodes, below

_MAX_NAME = 64


def rename_properties(root: Node, allowed: re.Pattern[str], notes: Notes) -> None:
    """Give every property a name that `allowed` takes, in place."""
    nodes = list(all_nodes(root))
    written = [name for node in nodes for name in node.get("properties", ())]
    names = portable_properties(written, allowed)
    if not names:
        return
    for node in nodes:
        renamed = [name for name in node.get("properties", ()) if name in names]
        if renamed:
            for name in renamed:
                at = (*node.at, "properties", name)
                notes.say(REWRITTEN, "property-name-charset", at, f"'{name[:80]}' is called '{names[name]}'")
            node.renamed = {names[name]: name for name in renamed}
            node["properties"] = {names.get(name, name): schema for name, schema in node["properties"].items()}
        if "required" in node:
            node["required"] = [names.get(name, name) for name in node["required"]]
        for keyword in ("dependentRequired", "dependentSchemas"):
            if keyword in node:
                node[keyword] = {names.get(name, name): value for name, value in node[keyword].items()}
        if "dependentRequired" in node:
            node["dependentRequired"] = {
                name: [names.get(each, each) for each in listed] for name, listed in node["dependentRequired"].items()
            }
        node.absent = tuple(names.get(name, name) for name in node.absent)


def portable_properties(written: Iterable[str], allowed: re.Pattern[str]) -> dict[str, str]:
    """A portable name for each name that needs one; none is equal to another or to a name that is written."""
    names = dict.fromkeys(written)
    taken = set(names)
    found: dict[str, str] = {}
    for name in names:
        if allowed.fullmatch(name):
            continue
        wanted = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "property"
        if wanted[0].isdigit():
            wanted = f"_{wanted}"
        short = wanted[:_MAX_NAME]
        attempt = 0
        while short in taken or len(wanted) > _MAX_NAME:
            digest = hashlib.sha256(f"{name}/{attempt}".encode("utf-8", "surrogatepass")).hexdigest()[:6]
            short = f"{wanted[: _MAX_NAME - 7]}_{digest}"
            attempt += 1
            if short not in taken:
                break
        found[name] = short
        taken.add(short)
    return found


def argument_plan(root: Node) -> dict[str, Json] | None:
    """What has to be done to arguments given for this schema before the tool gets them; None for nothing."""
    if not any(node.renamed or node.absent or node.spelled for node in all_nodes(root)):
        return None
    plan = _plan(root)
    defs = {name: made for name, node in root.get("$defs", {}).items() if (made := _plan(node))}
    return {**plan, "defs": defs} if defs else plan


def _plan(node: Node) -> dict[str, Json]:
    plan: dict[str, Json] = {}
    if isinstance(node.get("$ref"), str):
        plan["use"] = node["$ref"].removeprefix(DEFS)
    properties = {}
    for name, schema in node.get("properties", {}).items():
        inner = _plan(schema)
        if name in node.renamed:
            inner["name"] = node.renamed[name]
        if inner:
            properties[name] = inner
    if properties:
        plan["properties"] = properties
    if node.absent:
        plan["absent"] = list(node.absent)
    if node.spelled:
        plan["values"] = node.spelled
    for key, keyword in (("items", "items"), ("others", "additionalProperties")):
        if isinstance(node.get(keyword), Node) and (inner := _plan(node[keyword])):
            plan[key] = inner
    if "others" in plan:
        plan["declared"] = list(node.get("properties", ()))
    places = [_plan(place) for place in node.get("prefixItems", ())]
    if any(places):
        plan["prefix"] = places
    rest = Node(node.at, {key: node[key] for key in node if key in _ALONGSIDE})
    alongside = [inner for child in below(rest) if (inner := _plan(child))]
    if alongside:
        plan["any"] = alongside
    return plan


_ALONGSIDE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")
