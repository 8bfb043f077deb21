"""Given: words of a command line (`key=value`) become the arguments of a tool.

A value that reads as JSON is what it reads as, but where the tool wants text it stays text: `id=42` is "42" for one
tool and 42 for another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from runtime_min.errors import SmallchatError

from .model import Json


class BadArgument(SmallchatError):
    """A word that is no argument."""

    code = "bad-argument"


def given_arguments(words: Iterable[str]) -> dict[str, str]:
    """The words as names and texts; raises BadArgument."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise BadArgument(f"'{word}' is no argument", hint='write key=value, or --args \'{"key": "value"}\'')
        if name in found:
            raise BadArgument(f"'{name}' is given twice")
        found[name] = value
    return found


def typed(texts: Mapping[str, str], schema: Json = None) -> dict[str, Json]:
    """The texts as values; a schema says where a text is wanted."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    known = properties if isinstance(properties, Mapping) else {}
    return {name: text if _wants_text(known.get(name)) else _read(text) for name, text in texts.items()}


def _wants_text(schema: Json) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") in ("string", ["string"], ["string", "null"])


def _read(text: str) -> Json:
    try:
        return json.loads(text, parse_constant=not_json)
    except (ValueError, RecursionError):
        return text


def not_json(text: str) -> Json:
    """Refuse NaN and Infinity, which Python's reader takes."""
    raise ValueError(text)
