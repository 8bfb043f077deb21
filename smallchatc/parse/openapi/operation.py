"""An operation becomes a tool: what a model sees of it (the definition) and how it is called (the call).

Parameters and the properties of the body are arguments side by side. Where a property of the body has the name of a
parameter, or the body is no plain object, the body is one argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model import Json
from .access import requirements
from .body import Body, Fields, body_of_content, body_of_parameters, fields_of, is_form, is_json
from .parameters import PLACES, Parameter, Say, argument_names, free_name, read_parameters
from .refs import Node, References
from .schemas import INPUT, OUTPUT, Piece, Schemas, count

_SAFE = ("GET", "HEAD", "OPTIONS", "TRACE", "QUERY")
_IDEMPOTENT = (*_SAFE, "PUT", "DELETE")
_SUCCESS = re.compile(r"2[0-9X][0-9X]")
_MAX_TEXTS = 100
_BASE64: Mapping[str, Json] = {"type": "string", "contentEncoding": "base64"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation as it is written: its own part and that of its path."""

    path: str
    method: str
    node: Node
    item: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What all operations of a description share."""

    refs: References
    schemas: Schemas
    version: str  # 2.0, 3.0, 3.1, 3.2
    schemes: frozenset[str]  # security schemes that are described
    security: Json  # what operations ask for that say nothing of it


def read_operation(operation: Operation, name: str, api: Api, say: Say) -> tuple[dict[str, Json], dict[str, Json]]:
    """The tool object and the call."""
    node = operation.node
    lists = (operation.item.below("parameters"), node.below("parameters"))
    parameters = read_parameters(lists, operation.path, api.refs, version=api.version, say=say)
    names = argument_names(parameters)
    arguments = _Arguments(api)
    for parameter in parameters:
        if parameter.place in PLACES:
            argument = names[parameter.place, parameter.name]
            arguments.add(argument, [parameter.schema], required=parameter.required, description=parameter.description)
    sent = _send_body(_body(operation, parameters, api, say), set(names.values()), arguments, api)
    output, media_type, output_cut = _output(operation, api)
    call: dict[str, Json] = {
        "method": operation.method,
        "path": operation.path,
        "parameters": [
            {"argument": names[p.place, p.name], "name": p.name, "in": p.place, **p.sent}
            for p in parameters
            if p.place in PLACES
        ],
        **({"body": sent} if sent else {}),
        **({"accept": media_type} if media_type else {}),
        "security": requirements(node.below("security"), api.schemes, say)
        if "security" in node.value
        else api.security,
    }
    schema, cut = arguments.schema()
    if cut:
        say("schema-large", "its arguments are too large to be kept whole; the deepest are read as anything", node)
    if output_cut:
        say("schema-large", "its outputSchema is too large to be kept whole; the deepest is read as anything", node)
    definition = {
        "name": name,
        "description": _description(operation, say),
        "inputSchema": schema,
        **({"outputSchema": output} if output else {}),
        **_annotations(operation.method),
    }
    return definition, call


class _Arguments:
    """The input schema as it grows."""

    def __init__(self, api: Api) -> None:
        self.properties: dict[str, Json] = {}
        self.more: Json = False
        self._api = api
        self._required: list[str] = []
        self._pieces: list[Piece] = []

    def add(self, name: str, schemas: Sequence[Node], *, required: bool, description: str = "") -> Json:
        """An argument that all of these schemas describe; returns its schema."""
        made: list[Json] = []
        for node in schemas:
            schema = self.convert(node) if node.value is not None else {}
            if schema not in made:
                made.append(schema)
        schema = made[0] if len(made) == 1 else {"allOf": made}
        return self.put(name, schema, required=required, description=description)

    def put(self, name: str, schema: Json, *, required: bool, description: str = "") -> Json:
        """An argument whose schema is there already."""
        if description and isinstance(schema, dict):
            schema = {**schema, "description": description}
            self._pieces.append(Piece(description, (), count(description)))
        self.properties[name] = schema
        if required:
            self._required.append(name)
        return schema

    def convert(self, node: Node) -> Json:
        """A schema as JSON Schema; the definitions it needs are remembered."""
        piece = self._api.schemas.convert(node, INPUT)
        self._pieces.append(piece)
        return piece.schema

    def schema(self) -> tuple[dict[str, Json], bool]:
        """The schema of all arguments; and whether its definitions had to be cut."""
        definitions, cut = self._api.schemas.definitions(self._pieces, INPUT)
        return {
            "type": "object",
            "properties": self.properties,
            **({"required": self._required} if self._required else {}),
            "additionalProperties": self.more,
            **({"$defs": definitions} if definitions else {}),
        }, cut


def _body(operation: Operation, parameters: Sequence[Parameter], api: Api, say: Say) -> Body | None:
    if api.version != "2.0":
        written = operation.node.below("requestBody")
        body = body_of_content(written, api.refs)
        if body is None and written.value is not None:
            say("bad-body", "its request body says no media type; sent without one", written)
        return body
    body = body_of_parameters(parameters, texts(operation.node, api.refs.root, "consumes"))
    places = {parameter.place for parameter in parameters}
    if body is not None and {"body", "formData"} <= places:
        say("bad-body", "it has a body and form parameters; the form parameters are left out", operation.node)
    return body


def _send_body(body: Body | None, taken: set[str], arguments: _Arguments, api: Api) -> dict[str, Json]:
    """The body's arguments, and where they go."""
    if body is None:
        return {}
    sent: dict[str, Json] = {"media_type": body.media_type, "required": body.required}
    if body.encoding:
        sent["encoding"] = dict(body.encoding)
    structured = is_json(body.media_type) or is_form(body.media_type)
    plain = structured and not api.schemas.is_exhausted(INPUT)
    fields = fields_of(body.schema, api.refs, siblings=api.schemas.reads_siblings) if plain else None
    if fields is not None:
        properties = {
            name: nodes
            for name, nodes in fields.properties.items()
            if not any(api.schemas.is_hidden(node, INPUT) for node in nodes)
        }
        if properties and taken.isdisjoint(properties):
            return sent | _send_fields(properties, fields, body, arguments)
    argument = free_name("body", "request_body", taken)
    schema = _whole(body, arguments, structured)
    arguments.put(argument, schema, required=body.required, description=body.description)
    sent["argument"] = argument
    if schema == _BASE64:
        sent["binary"] = True
    return sent


def _send_fields(
    properties: Mapping[str, Sequence[Node]], fields: Fields, body: Body, arguments: _Arguments
) -> dict[str, Json]:
    binary = []
    for name, nodes in properties.items():
        # An optional body is optional as a whole; where nothing is said of it, what its properties say holds.
        required = name in fields.required and not body.optional
        schema = arguments.add(name, nodes, required=required)
        if is_form(body.media_type) and (encoded := _base64(schema)) is not None:
            arguments.properties[name] = encoded
            binary.append(name)
    sent: dict[str, Json] = {"fields": list(properties)}
    if binary:
        sent["binary"] = binary
    if fields.more is not None:
        arguments.more = arguments.convert(fields.more)
        sent["more"] = True
    return sent


def _whole(body: Body, arguments: _Arguments, structured: bool) -> Json:
    """The schema of a body that is one argument."""
    if structured:
        if body.schema.value is not None:
            return arguments.convert(body.schema)
        return {"type": "object"} if is_form(body.media_type) else {}
    text = body.media_type.startswith("text/") or body.media_type.partition(";")[0].endswith(("xml", "yaml", "script"))
    return {"type": "string"} if text else dict(_BASE64)


def _base64(schema: Json) -> Json:
    """The schema of a file in a form, which comes as base64 text; None of anything else."""
    if not isinstance(schema, dict):
        return None
    if isinstance(schema.get("items"), dict):
        items = _base64(schema["items"])
        return None if items is None else {**schema, "items": items}
    plain = "contentMediaType" in schema and "contentEncoding" not in schema
    if schema.get("format") != "binary" and not plain:
        return None
    return {**{key: value for key, value in schema.items() if key != "format"}, **_BASE64}


def _output(operation: Operation, api: Api) -> tuple[dict[str, Json], str, bool]:
    """What a call returns, where that is a JSON object; the media type to ask for; whether it had to be cut."""
    responses = operation.node.below("responses")
    codes = [code for code in responses.value if _SUCCESS.fullmatch(code)] if isinstance(responses.value, dict) else []
    for code in sorted(codes):
        response = api.refs.follow(responses.below(code))
        if not isinstance(response.value, dict):
            continue
        schema, media_type = _content(response, operation, api)
        if schema is not None:
            output, cut = _object(schema, api)
            return output, media_type, cut
        if media_type:
            return {}, media_type, False
    return {}, "", False


def _content(response: Node, operation: Operation, api: Api) -> tuple[Node | None, str]:
    if api.version == "2.0":
        produces = texts(operation.node, api.refs.root, "produces")
        media_type = next(filter(is_json, produces), produces[0] if produces else "application/json")
        schema = response.below("schema")
    else:
        content = response.value.get("content")
        types = [each for each in content if isinstance(each, str)] if isinstance(content, dict) else []
        if not types:
            return None, ""
        media_type = next(filter(is_json, types), types[0])
        schema = api.refs.follow(response.below("content", media_type)).below("schema")
    return (schema if is_json(media_type) and isinstance(schema.value, dict) else None), media_type


def _object(schema: Node, api: Api) -> tuple[dict[str, Json], bool]:
    target = api.refs.follow(schema)
    if not isinstance(target.value, dict):
        return {}, False
    if target.value.get("type") != "object" and fields_of(target, api.refs, siblings=False) is None:
        return {}, False
    piece = api.schemas.convert(target, OUTPUT)
    if not isinstance(piece.schema, dict) or piece.schema.keys() <= {"type", "description", "title"}:
        return {}, api.schemas.is_exhausted(OUTPUT)  # an object of which nothing is known
    definitions, cut = api.schemas.definitions([piece], OUTPUT)
    return {**piece.schema, "type": "object", **({"$defs": definitions} if definitions else {})}, cut


def _description(operation: Operation, say: Say) -> str:
    node, item = operation.node, operation.item
    summary = node.text("summary") or item.text("summary")
    text = node.text("description") or item.text("description")
    said = text if text.startswith(summary) else f"{summary}\n\n{text}" if text else summary
    if not said:
        said = f"{operation.method} {operation.path}"
        say("missing-description", "it has neither summary nor description; method and path stand for them", node)
    if node.value.get("deprecated") is True:
        say("deprecated-operation", "it is deprecated", node)
        said = f"{said}\n\nDeprecated."
    return said


def _annotations(method: str) -> dict[str, Json]:
    """What the method promises (RFC 9110): nothing is guessed of POST and PATCH."""
    hints: dict[str, Json] = {}
    if method in _SAFE:
        hints["readOnlyHint"] = True
    elif method == "DELETE":
        hints["destructiveHint"] = True
    if method in _IDEMPOTENT:
        hints["idempotentHint"] = True
    return {"annotations": hints} if hints else {}


def texts(node: Node, root: Node, key: str) -> list[str]:
    """A list of texts of the operation, else of the whole description."""
    own = node.value.get(key)
    found: Iterable[Json] = own if isinstance(own, list) else root.value.get(key) or ()
    return [each for each in found[:_MAX_TEXTS] if isinstance(each, str)] if isinstance(found, list) else []
