"""The body of a request: which media type, and whether its properties can be arguments beside the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...model import Json
from .parameters import Parameter
from .refs import Node, References

JSON_TYPE, FORM, MULTIPART = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"

_MAX_LAYERS = 64
_SAYS_SHAPE = {"type", "properties", "required", "allOf", "additionalProperties", "$ref"}
_SAYS_NOTHING = {
    "title", "description", "example", "examples", "default", "deprecated", "discriminator", "externalDocs", "xml",
    "readOnly", "writeOnly", "nullable", "$schema", "$id", "id", "$comment", "minProperties", "maxProperties",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What is sent beside the parameters."""

    media_type: str
    schema: Node
    required: bool
    optional: bool = False  # said in so many words: its properties are not required either
    description: str = ""
    encoding: Mapping[str, Json] = field(default_factory=dict)  # of single properties


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The properties of a body that is nothing but an object."""

    properties: Mapping[str, Sequence[Node]]
    required: frozenset[str]
    more: Node | None  # what further properties are, where the schema speaks of them


def body_of_content(written: Node, refs: References) -> Body | None:
    """The body of version 3: one of its media types, JSON before forms before anything else."""
    node = refs.follow(written)
    content = node.value.get("content") if isinstance(node.value, dict) else None
    if not isinstance(content, dict) or not content:
        return None
    media_type = min(content, key=_rank)
    media = refs.follow(node.below("content", media_type))
    encoding = media.value.get("encoding") if isinstance(media.value, dict) else None
    required = node.value.get("required")
    return Body(
        media_type=JSON_TYPE if media_type in ("*/*", "application/*") else media_type,
        schema=media.below("schema"),
        required=required is True,
        optional=required is False,
        description=node.text("description"),
        encoding=_encoding(encoding) if isinstance(encoding, dict) else {},
    )


def body_of_parameters(parameters: Iterable[Parameter], consumes: Sequence[str]) -> Body | None:
    """The body of version 2.0: the body parameter, else all form parameters together."""
    body = next((parameter for parameter in parameters if parameter.place == "body"), None)
    if body is not None:
        return Body(
            media_type=min(consumes, key=_rank) if consumes else JSON_TYPE,
            schema=body.schema,
            required=body.required,
            description=body.description,
        )
    form = [parameter for parameter in parameters if parameter.place == "formData"]
    if not form:
        return None
    files = any(parameter.schema.value.get("type") == "file" for parameter in form)
    media_type = next((each for each in consumes if each in (FORM, MULTIPART)), MULTIPART if files else FORM)
    schema = {
        "type": "object",
        "properties": {
            each.name: {**each.schema.value, "description": each.description} if each.description else each.schema.value
            for each in form
        },
        "required": [each.name for each in form if each.required],
    }
    return Body(
        media_type=MULTIPART if files else media_type,
        schema=Node(schema, form[0].node.file, form[0].node.pointer),
        required=any(each.required for each in form),
        encoding={each.name: dict(each.sent) for each in form if each.schema.value.get("type") == "array"},
    )


def fields_of(schema: Node, refs: References, *, siblings: bool) -> Fields | None:
    """The properties of a schema that is an object and says nothing else; None of any other shape."""
    layers = list(_layers(schema, refs, siblings))
    if not layers or len(layers) >= _MAX_LAYERS or any(layer is None for layer in layers):
        return None
    properties: dict[str, list[Node]] = {}
    required: set[str] = set()
    more: Node | None = None
    for layer in layers:
        if layer is None:
            continue
        found = layer.value.get("properties")
        for name in found if isinstance(found, dict) else ():
            properties.setdefault(name, []).append(layer.below("properties", name))
        names = layer.value.get("required")
        required.update(name for name in names if isinstance(name, str)) if isinstance(names, list) else None
        if layer.value.get("additionalProperties") is True or isinstance(layer.value.get("additionalProperties"), dict):
            more = layer.below("additionalProperties")
    return Fields(properties=properties, required=frozenset(required), more=more) if properties else None


def is_json(media_type: str) -> bool:
    """JSON and what is built on it."""
    plain = media_type.partition(";")[0].strip().lower()
    return plain in (JSON_TYPE, "text/json", "*/*", "application/*") or plain.endswith("+json")


def is_form(media_type: str) -> bool:
    """The two media types that are made of fields."""
    return media_type.partition(";")[0].strip().lower() in (FORM, MULTIPART)


def _rank(media_type: str) -> tuple[int, str]:
    plain = str(media_type).partition(";")[0].strip().lower()
    if plain == JSON_TYPE:
        return 0, ""
    if plain.endswith("+json") or plain == "text/json":
        return 1, plain
    if plain in ("*/*", "application/*"):
        return 2, plain
    return (3 if plain == FORM else 4 if plain == MULTIPART else 5), plain


def _encoding(written: Mapping[str, Json]) -> dict[str, Json]:
    kept = ("contentType", "style", "explode", "allowReserved")
    found = {
        name: {key: how[key] for key in kept if key in how} for name, how in written.items() if isinstance(how, dict)
    }
    return {name: how for name, how in found.items() if how}


def _layers(schema: Node, refs: References, siblings: bool) -> Iterator[Node | None]:
    """The schemas that hold at once; None for one that is more than an object."""
    stack, count = [schema], 0
    while stack and count < _MAX_LAYERS:
        count += 1
        written = stack.pop()
        beside = set(written.value) - _SAYS_NOTHING - {"$ref"} if isinstance(written.value, dict) else set()
        node = refs.follow(written)
        if node is not written and siblings and beside:
            yield None
        if not isinstance(node.value, dict) or not _is_plain(node.value):
            yield None
            return
        yield node
        if isinstance(node.value.get("allOf"), list):
            stack.extend(node.below("allOf", index) for index in reversed(range(len(node.value["allOf"]))))


def _is_plain(schema: Mapping[str, Json]) -> bool:
    declared = schema.get("type", "object")
    if declared != "object" and not (isinstance(declared, list) and "object" in declared):
        return False
    return not {
        key for key in schema if key not in _SAYS_SHAPE and key not in _SAYS_NOTHING and not key.startswith("x-")
    }
