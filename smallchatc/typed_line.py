"""A typed line becomes an intent and its arguments.

    forecast for Lisbon days=2 note="bring a hat"
    forecast for Lisbon {"days": 2}

Arguments come last: from the first word that reads `name=` on, or a JSON object. What stands before is the intent.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import NamedTuple

from .given import BadArgument, given_arguments, not_json
from .model import Json

_FIRST_WORD = re.compile(r"(?:^|\s)(?=[^\W\d][\w.\-\[\]$@]*=(?!=))")
_OBJECT = re.compile(r"(?:^|\s)(?=\{\s*(?:\"|\}\s*$))")


class TypedLine(NamedTuple):
    """An intent, its arguments as JSON, and those whose type the tool decides."""

    intent: str
    arguments: dict[str, Json]
    texts: dict[str, str]


def typed_line(line: str) -> TypedLine:
    """The parts of a line; raises BadArgument."""
    found = _OBJECT.search(line)
    first = _FIRST_WORD.search(line)
    if found and (first is None or found.start() < first.start()):
        return TypedLine(line[: found.start()].strip(), _object(line[found.end() :]), {})
    if first is None:
        return TypedLine(line.strip(), {}, {})
    try:
        words = shlex.split(line[first.end() :])
    except ValueError as err:
        raise BadArgument(f"the arguments cannot be read: {err}", hint='quote like text="it\'s late"') from err
    return TypedLine(line[: first.start()].strip(), {}, given_arguments(words))


def _object(text: str) -> dict[str, Json]:
    try:
        value = json.loads(text, parse_constant=not_json)
    except (ValueError, RecursionError) as err:
        raise BadArgument(f"the arguments are no JSON: {err}", hint='write name=value, or {"name": "value"}') from err
    if not isinstance(value, dict):
        raise BadArgument("the arguments are no JSON object")
    return value
