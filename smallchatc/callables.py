"""A Python function becomes a tool: its signature the inputSchema, its docstring the words.

Types are read by pydantic, docstrings (Google, NumPy, reST, Epydoc) by docstring-parser. What cannot be said in
JSON Schema is "any", with a fault that names the parameter.
"""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .model import Json

if TYPE_CHECKING:
    from docstring_parser import Docstring
    from pydantic import TypeAdapter

Fault = tuple[str, str]
"""A slug and what there is to say about the function."""

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_WORDS_OF_DOCSTRINGS = {
    "str": "string", "string": "string", "int": "integer", "integer": "integer", "float": "number",
    "number": "number", "bool": "boolean", "boolean": "boolean", "list": "array", "dict": "object",
}  # fmt: skip


def tool_of(function: Callable[..., Any], name: str) -> tuple[dict[str, Json], list[Fault]]:
    """The tool that a function is, and what about it could not be said."""
    from docstring_parser import parse

    faults: list[Fault] = []
    words = parse(inspect.getdoc(function) or "")
    signature = inspect.signature(function)
    hints = _hints(function, faults)
    tool: dict[str, Json] = {"name": name}
    described = "\n\n".join(text for text in (words.short_description, words.long_description) if text)
    if described:
        tool["description"] = described
    tool["inputSchema"] = _input_schema(signature, hints, words, faults)
    output = _output_schema(hints.get("return"))
    if output is not None:
        tool["outputSchema"] = output
    return tool, faults


def _hints(function: Callable[..., Any], faults: list[Fault]) -> Mapping[str, Any]:
    """The annotations as objects; those that name what is not there are none."""
    target = function if inspect.isroutine(function) else type(function).__call__
    try:
        return typing.get_type_hints(inspect.unwrap(target), include_extras=True)
    except Exception as err:  # any expression may stand in an annotation, so any error may come of it
        faults.append(("function-annotation", f"its annotations cannot be evaluated ({_words(err)}); read as any"))
        return {}


def _input_schema(
    signature: inspect.Signature, hints: Mapping[str, Any], words: Docstring, faults: list[Fault]
) -> dict[str, Json]:
    takes = [p for p in signature.parameters.values() if p.kind not in _BY_POSITION]
    open_ended = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in takes)
    takes = [p for p in takes if p.kind is not inspect.Parameter.VAR_KEYWORD]
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            message = f"parameter '{parameter.name}' cannot be given by name; left out"
            faults.append(("function-by-position", message))
    adapters = {p.name: _adapter(p.name, hints[p.name], faults) for p in takes if p.name in hints}
    schemas, defs = _schemas({name: adapter for name, adapter in adapters.items() if adapter is not None})
    said = {param.arg_name: param for param in words.params}
    properties: dict[str, Json] = {}
    for p in takes:
        schema = schemas.get(p.name, {})
        doc = said.get(p.name)
        if not schema and p.name not in hints and doc is not None and doc.type_name:
            known = _WORDS_OF_DOCSTRINGS.get(doc.type_name.removesuffix("?").partition("[")[0].lower())
            schema = {"type": known} if known else {}
        text = _text_of(hints.get(p.name)) or (doc.description if doc is not None else "")
        if text and "description" not in schema:
            schema = {**schema, "description": text}
        if p.default is not p.empty and "default" not in schema:
            schema = {**schema, **_default(p.default)}
        properties[p.name] = schema
    result: dict[str, Json] = {"type": "object", "properties": properties}
    required = [p.name for p in takes if p.default is p.empty]
    if required:
        result["required"] = required
    if not open_ended:
        result["additionalProperties"] = False
    if defs:
        result["$defs"] = defs
    return result


def _adapter(name: str, annotation: Any, faults: list[Fault]) -> TypeAdapter[Any] | None:
    """What pydantic makes of one annotation, if it can be put into JSON Schema."""
    from pydantic import TypeAdapter

    try:
        adapter = TypeAdapter(annotation)
        adapter.json_schema()
    except Exception as err:  # pydantic's own, and whatever a type's hooks raise
        faults.append(("function-annotation", f"parameter '{name}' has a type that JSON cannot say ({_words(err)})"))
        return None
    return adapter


def _schemas(adapters: Mapping[str, TypeAdapter[Any]]) -> tuple[dict[str, dict[str, Json]], dict[str, Json]]:
    """All schemas in one go, so that two classes of one name get two names."""
    from pydantic import TypeAdapter

    found, shared = TypeAdapter.json_schemas(
        [(name, "validation", adapter) for name, adapter in adapters.items()], ref_template="#/$defs/{model}"
    )
    return {name: dict(found[name, "validation"]) for name in adapters}, shared.get("$defs", {})


def _output_schema(annotation: Any) -> Json:
    """A return type that is an object of known fields; other results are texts for the model."""
    from pydantic import TypeAdapter

    if annotation is None or annotation is type(None):
        return None
    try:
        schema = TypeAdapter(annotation).json_schema(mode="serialization")
    except Exception:  # a result that JSON Schema cannot say is no fault: nobody has to fill it in
        return None
    return schema if schema.get("type") == "object" and "properties" in schema else None


def _text_of(annotation: Any) -> str:
    """`Annotated[int, "how many"]`: a text among the metadata describes the parameter."""
    return next((text for text in getattr(annotation, "__metadata__", ()) if isinstance(text, str)), "")


def _default(value: Any) -> dict[str, Json]:
    """The default as JSON; none where it has no such form, or no fixed order."""
    from pydantic_core import to_jsonable_python

    if isinstance(value, set | frozenset):
        return {}
    try:
        plain = to_jsonable_python(value)
        json.dumps(plain, allow_nan=False)
    except ValueError:
        return {}
    return {"default": plain}


def _words(err: Exception) -> str:
    return f"{type(err).__name__}: {str(err).splitlines()[0][:120] if str(err) else ''}".removesuffix(": ")
