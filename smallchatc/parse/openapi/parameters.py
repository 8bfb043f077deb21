"""Parameters of an operation: those of its path and its own, each with its schema and how its value is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...model import Json
from .refs import Node, References

Say = Callable[[str, str, Node], None]

PLACES = ("path", "query", "querystring", "header", "cookie")
"""Where arguments go, also in the order in which they have a claim to their plain name."""

_OF_TRANSPORT = {"accept", "content-type", "authorization"}
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NO_SCHEMA = {"name", "in", "required", "description", "allowEmptyValue", "collectionFormat"}
_COLLECTIONS: Mapping[str, tuple[str | None, bool]] = {
    "csv": (None, False),
    "multi": ("form", True),
    "ssv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "tsv": ("tabDelimited", False),
}
_MAX = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter; in version 2.0 also a part of the body."""

    name: str
    place: str  # of PLACES; body and formData in version 2.0
    node: Node
    schema: Node
    required: bool
    description: str = ""
    sent: Mapping[str, Json] = field(default_factory=dict)  # style, explode, allowReserved, or content


def read_parameters(
    lists: Iterable[Node], path: str, refs: References, *, version: str, say: Say
) -> tuple[Parameter, ...]:
    """The parameters of both lists, the later ones winning; placeholders of the path are all among them."""
    found: dict[tuple[str, str], Parameter] = {}
    for listed in lists:
        here: set[tuple[str, str]] = set()
        for parameter in _list(listed, refs, version, say):
            key = (parameter.place, parameter.name.lower() if parameter.place == "header" else parameter.name)
            if key in here or (parameter.place == "body" and any(place == "body" for place, _ in here)):
                what = "a second body" if parameter.place == "body" else "defined twice"
                say("bad-parameter", f"parameter '{parameter.name}' is {what}; the first is kept", parameter.node)
                continue
            here.add(key)
            found[key] = parameter
    places = dict.fromkeys(_PLACEHOLDER.findall(path))
    for key, parameter in list(found.items()):
        if parameter.place == "path" and parameter.name not in places:
            say("bad-parameter", f"path parameter '{parameter.name}' is not in the path; left out", parameter.node)
            del found[key]
    undescribed = [name for name in places if ("path", name) not in found]
    if undescribed:
        node = refs.root.below("paths", path)
        names = ", ".join(f"{{{name[:40]}}}" for name in undescribed[:3])
        more = f" and {len(undescribed) - 3} more" if len(undescribed) > 3 else ""
        say("bad-parameter", f"the path has {names}{more}, which no parameter describes; read as text", node)
        schema = Node({"type": "string"}, node.file, node.pointer)
        sent = {"style": "simple", "explode": False}
        for name in undescribed:
            found["path", name] = Parameter(name=name, place="path", node=node, schema=schema, required=True, sent=sent)
    return tuple(found.values())


def _list(listed: Node, refs: References, version: str, say: Say) -> Iterator[Parameter]:
    if not isinstance(listed.value, list):
        if listed.value is not None:
            say("bad-parameter", "parameters is not a list; not used", listed)
        return
    if len(listed.value) > _MAX:
        say("bad-parameter", f"more than {_MAX} parameters; the rest is left out", listed)
    for index in range(min(len(listed.value), _MAX)):
        written = listed.below(index)
        node = refs.follow(written)
        if node.value is None and isinstance(written.value, dict):
            say("bad-parameter", f"parameter {index} refers to nothing; left out", written)
            continue
        name = node.value.get("name") if isinstance(node.value, dict) else None
        place = node.value.get("in") if isinstance(node.value, dict) else None
        if not isinstance(name, str) or not name or not isinstance(place, str):
            say("bad-parameter", f"parameter {index} has no name or no place; left out", written)
        elif place not in PLACES and (version != "2.0" or place not in ("body", "formData")):
            say("bad-parameter", f"parameter '{name}' is in '{place[:40]}', which is no place; left out", written)
        elif version != "2.0" and place == "header" and name.lower() in _OF_TRANSPORT:
            continue  # "shall be ignored", says the specification: security and media types say it
        else:
            yield _parameter(node, name, place, version)


def _parameter(node: Node, name: str, place: str, version: str) -> Parameter:
    schema, sent = _old(node, place) if version == "2.0" else _new(node, place)
    return Parameter(
        name=name,
        place=place,
        node=node,
        schema=schema,
        required=node.value.get("required") is True or place == "path",
        description=node.text("description"),
        sent=sent,
    )


def _old(node: Node, place: str) -> tuple[Node, dict[str, Json]]:
    """Version 2.0: the schema is written at the parameter itself."""
    if place == "body":
        return node.below("schema"), {}
    schema = {key: value for key, value in node.value.items() if key not in _NO_SCHEMA}
    usual = "form" if place in ("query", "formData", "cookie") else "simple"
    collection = node.value.get("collectionFormat")
    style, explode = _COLLECTIONS.get(collection if isinstance(collection, str) else "csv", (None, False))
    return Node(schema, node.file, node.pointer), {"style": style or usual, "explode": explode}


def _new(node: Node, place: str) -> tuple[Node, dict[str, Json]]:
    content = node.value.get("content")
    if isinstance(content, dict) and content:
        media_type = next(iter(content))
        return node.below("content", media_type, "schema"), {"content": media_type}
    style, explode = node.value.get("style"), node.value.get("explode")
    style = style if isinstance(style, str) and style else "form" if place in ("query", "cookie") else "simple"
    sent: dict[str, Json] = {"style": style, "explode": explode if isinstance(explode, bool) else style == "form"}
    if node.value.get("allowReserved") is True:
        sent["allowReserved"] = True
    return node.below("schema"), sent


def argument_names(parameters: Iterable[Parameter]) -> dict[tuple[str, str], str]:
    """What each (place, name) is called among the arguments: its name, after a clash with its place before it."""
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    ordered = sorted((p for p in parameters if p.place in PLACES), key=lambda p: PLACES.index(p.place))
    for parameter in ordered:
        names[parameter.place, parameter.name] = free_name(parameter.name, f"{parameter.place}_{parameter.name}", taken)
    return names


def free_name(name: str, otherwise: str, taken: set[str]) -> str:
    """The first of a name, another one and that with a number which is not taken; it is taken now."""
    chosen, number = name, 1
    while chosen in taken:
        chosen = otherwise if number == 1 else f"{otherwise}_{number}"
        number += 1
    taken.add(chosen)
    return chosen
