"""Where a description does not follow the schema that its specification publishes.

The schemas are those of openapi-spec-validator; a check reads the document alone and follows no reference. Whether
it is valid says jsonschema-rs (0.05 s for 86 real documents, jsonschema needs 8 s); what is wrong, only where something
is, jsonschema, whose errors can be told in a reader's words. Every fault is a warning: what can be read is read.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import Any

from ...fingerprint import compact_json
from ...model import Json
from ..shape import ShapeFault, faults_of

MAX_FAULTS = 20
MAX_VALUES = 300_000
"""Values of an invalid document whose faults are looked for: about five seconds. The largest real one has 75,000."""

_SAYS_LITTLE = ("type", "required", "enum")  # of an alternative that was not meant


def validity_faults(document: Json, version: str) -> tuple[list[ShapeFault], int]:
    """The first faults in reading order, and how many more were found."""
    if _is_valid(document, version):
        return [], 0
    if _is_larger_than(document, MAX_VALUES):
        message = f"it does not follow the schema of OpenAPI {version}; it is too large to say where"
        return [ShapeFault(unknown_key=False, message=message, pointer=())], 0
    found: list[ShapeFault] = []
    for error in islice(_explaining(version).iter_errors(document), 10 * MAX_FAULTS):
        found.extend(faults_of(_deepest(error)))
    found.sort(key=lambda fault: (list(map(str, fault.pointer)), fault.message))
    each = list(dict.fromkeys(found))
    return each[:MAX_FAULTS], max(0, len(each) - MAX_FAULTS)


def _is_valid(document: Json, version: str) -> bool:
    decide = _deciding(version).is_valid
    try:
        return bool(decide(document))
    except ValueError:  # it knows no WrittenNumber
        return bool(decide(json.loads(compact_json(document))))


@cache
def _deciding(version: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(_schema(version))


@cache
def _explaining(version: str) -> Any:
    from jsonschema.validators import validator_for

    schema = _schema(version)
    return validator_for(schema)(schema)


def _schema(version: str) -> Any:
    from openapi_spec_validator.schemas.utils import get_schema_content

    return get_schema_content(version)


def _is_larger_than(value: Json, limit: int) -> bool:
    """Whether there are more values in one than this."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        count += 1
        if count > limit:
            return True
        stack.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
    return False


def _deepest(error: Any) -> Any:
    """Of alternatives that all fail, what is wrong with the one that came furthest."""
    while error.context:
        error = max(error.context, key=lambda e: (len(e.absolute_path), e.validator not in _SAYS_LITTLE))
    return error
