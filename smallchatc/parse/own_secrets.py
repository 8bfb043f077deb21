"""A tool (or any part of a source) without the credentials in its own words: each becomes a ${NAME} reference.

What a text is called decides with what it looks like: the default of a property `api_key` is a secret where the same
text in a description is none. Everything else stays exactly as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..credentials import credentials_in, is_secret_name, is_secret_value
from ..model import Json
from .documents import Pointer

_OF_THE_HOLDER = {"default", "const", "example", "examples", "enum", "value", "values"}
_WORDS = {
    "$comment", "$id", "$ref", "$schema", "description", "desc", "format", "id", "name", "pattern", "title", "type",
}  # fmt: skip
_BELOW = {"properties", "items", "anyOf", "oneOf", "allOf", "prefixItems", "schema", "definitions", "$defs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """One credential that was there."""

    pointer: Pointer
    kind: str
    reference: str


def without_own_secrets(value: Json) -> tuple[Json, tuple[Replaced, ...]]:
    """The value with references for credentials; the same object where there is none."""
    found: list[Replaced] = []
    return _clean(value, "", (), found), tuple(found)


def _clean(value: Json, name: str, pointer: Pointer, found: list[Replaced]) -> Json:
    if isinstance(value, str):
        return _clean_text(value, name, pointer, found)
    if isinstance(value, dict):
        own = value.get("name")
        holder = own if isinstance(own, str) and "default" in value else name  # a list of named arguments
        items: dict[str, Json] = {}
        for key, item in value.items():
            clean_key = _clean_text(key, "", (*pointer, key), found)
            while clean_key != key and clean_key in items:
                clean_key += "_"
            items[clean_key] = _clean(item, _name_below(key, holder), (*pointer, key), found)
        same = items.keys() == value.keys() and all(items[key] is value[key] for key in value)
        return value if same else items
    if isinstance(value, list | tuple):
        listed = [_clean(item, name, (*pointer, index), found) for index, item in enumerate(value)]
        same = all(new is old for new, old in zip(listed, value, strict=True))
        return value if same else tuple(listed) if isinstance(value, tuple) else listed
    return value


def _name_below(key: str, holder: str) -> str:
    """What a value under this key is called; "" where the key is a word of the form and not of the user."""
    if key in _OF_THE_HOLDER:
        return holder
    return "" if key in _WORDS else holder if key in _BELOW else key


def _clean_text(text: str, name: str, pointer: Pointer, found: list[Replaced]) -> str:
    if len(text) < 6:
        return text
    if name and is_secret_name(name) and is_secret_value(text):
        found.append(Replaced(pointer=pointer, kind="secret value", reference=reference_to(name)))
        return reference_to(name)
    parts = list(_parts(text, name, pointer, found))
    return "".join(parts) if len(parts) > 1 or (parts and parts[0] != text) else text


def _parts(text: str, name: str, pointer: Pointer, found: list[Replaced]) -> Iterator[str]:
    at = 0
    for each in credentials_in(text):
        reference = reference_to(name if name and is_secret_name(name) else each.kind)
        found.append(Replaced(pointer=pointer, kind=each.kind, reference=reference))
        yield text[at : each.start]
        yield reference
        at = each.end
    yield text[at:]


def reference_to(name: str) -> str:
    """The reference that stands for a value of this name."""
    upper = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").upper() or "VALUE"
    return f"${{{'_' + upper if upper[0].isdigit() else upper}}}"
