"""Values inside the messages of a diff, short enough for a line."""

from __future__ import annotations

import json

from ..model import Json

_LONGEST = 80


def said_of(value: Json) -> str:
    """A value as a reader says it: nothing, a list's items, an object's pairs, else JSON; cut."""
    if value is None:
        text = "nothing"
    elif isinstance(value, str):
        text = value
    elif isinstance(value, list):
        text = ", ".join(json.dumps(item, ensure_ascii=False) for item in value) or "nothing"
    elif isinstance(value, dict):
        text = ", ".join(f"{key} {json.dumps(item, ensure_ascii=False)}" for key, item in value.items()) or "nothing"
    else:
        text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
