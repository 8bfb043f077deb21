"""The JSON Schemas of `schemas/` applied to what a user wrote, with faults in the user's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from ..diagnostics import nearest_name
from ..model import Json
from .documents import Pointer

_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFault:
    """One way in which a value does not follow its schema."""

    unknown_key: bool
    message: str
    pointer: Pointer
    hint: str | None = None


def shape_faults(value: Json, schema_name: str) -> list[ShapeFault]:
    """Everything in `value` that `schemas/{schema_name}.schema.json` does not allow, in reading order."""
    from jsonschema import Draft202012Validator

    schema = load_schema(schema_name)
    errors = sorted(
        Draft202012Validator(schema).iter_errors(value), key=lambda e: (list(map(str, e.absolute_path)), e.message)
    )
    return list(dict.fromkeys(fault for error in errors for fault in faults_of(error)))


@cache
def load_schema(name: str) -> Mapping[str, Json]:
    """A schema of ours, from the installed package or from the repository it is developed in."""
    packaged = files("smallchatc") / "schemas" / f"{name}.schema.json"
    if packaged.is_file():
        loaded: Mapping[str, Json] = json.loads(packaged.read_text("utf-8"))
    else:
        loaded = json.loads((Path(__file__).parents[2] / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    return loaded


def faults_of(error: Json) -> Iterator[ShapeFault]:
    """What one error of jsonschema says, in a user's words."""
    pointer: Pointer = tuple(error.absolute_path)
    where = (
        f"'{pointer[-1]}'" if pointer and isinstance(pointer[-1], str) else "this entry" if pointer else "the document"
    )
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        patterns = list(error.schema.get("patternProperties", {}))
        for key in error.instance:
            if key not in known and not any(re.search(pattern, key) for pattern in patterns):
                yield ShapeFault(
                    unknown_key=True,
                    message=f"unknown key '{key}'",
                    pointer=(*pointer, key),
                    hint=nearest_name(key, known),
                )
    elif error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        for key in missing:  # an error of each names them all
            yield ShapeFault(unknown_key=False, message=f"{where} lacks the key '{key}'", pointer=pointer)
    elif error.validator == "type":
        allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        message = f"{where} must be {' or '.join(_WORDS[name] for name in allowed)}"
        yield ShapeFault(unknown_key=False, message=message, pointer=pointer)
    elif error.validator in ("enum", "const"):
        allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
        message = f"{where} must be {' or '.join(json.dumps(value) for value in allowed)}"
        yield ShapeFault(unknown_key=False, message=message, pointer=pointer)
    else:
        yield ShapeFault(unknown_key=False, message=f"{where}: {error.message[:200]}", pointer=pointer)
