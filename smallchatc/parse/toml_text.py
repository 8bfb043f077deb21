"""TOML text to documents: the settings of some clients. Values are tomllib's; places are found line by line."""

from __future__ import annotations

import re

from ..model import Json
from .documents import MAX_DEPTH, TOO_DEEP, Document, Documents, Fault, Place, Pointer
from .json_text import deeper_than

_HEADER = re.compile(r"\s*(\[{1,2}[^\[\]\n=]+\]{1,2})\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_.-]+|"[^"\n]*"|'[^'\n]*')\s*=""")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(text: str) -> Documents | None:
    """The one document; a fault where it means to be TOML and is not; None where it is something else."""
    if "[" not in text and "=" not in text:
        return None
    import tomllib

    try:
        value = tomllib.loads(text)
    except RecursionError:
        return None
    except tomllib.TOMLDecodeError as err:
        return _fault(text, str(err)) if _means_toml(text) else None
    if not value:
        return None
    if deeper_than(value, MAX_DEPTH):
        return Documents(documents=(), faults=(Fault(slug="too-deep", message=TOO_DEEP, place=(1, 1)),))
    places = _places(text)
    return Documents(
        documents=(Document(value=value, syntax="toml", locate=lambda pointer: _nearest(places, pointer)),), faults=()
    )


def _means_toml(text: str) -> bool:
    """A table and a setting, each on a line of its own: no YAML and no JSON has both."""
    lines = text.splitlines()[:10_000]
    return any(map(_HEADER.match, lines)) and any(map(_KEY.match, lines))


def _fault(text: str, message: str) -> Documents:
    found = _AT.search(message)
    last = (text.count("\n") + 1, 1)
    place = (int(found[1]), int(found[2])) if found and found[1] else last
    words = _AT.sub("", message)
    fault = Fault(slug="bad-toml", message=f"not valid TOML: {words[:1].lower()}{words[1:]}", place=place)
    return Documents(documents=(), faults=(fault,))


def _places(text: str) -> dict[Pointer, Place]:
    """Where tables and settings begin. A line inside a longer text may be taken for one: it is only a place."""
    places: dict[Pointer, Place] = {}
    table: Pointer = ()
    for number, line in enumerate(text.splitlines(), start=1):
        place = (number, len(line) - len(line.lstrip()) + 1)
        if header := _HEADER.match(line):
            table = _path(header.group(1))
            places.setdefault(table, place)
        elif key := _KEY.match(line):
            places.setdefault((*table, *_path(f"{key.group(1)} = 0")), place)
    return places


def _path(line: str) -> Pointer:
    """The names in a header or before an equals sign, as tomllib understands them."""
    import tomllib

    try:
        value: Json = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str | int] = []
    while isinstance(value, dict | list) and value:
        if isinstance(value, list):
            value = value[0]
            continue
        key, value = next(iter(value.items()))
        path.append(key)
    return tuple(path)


def _nearest(places: dict[Pointer, Place], pointer: Pointer) -> Place:
    """The place of the value, or of the nearest one around it."""
    while pointer and pointer not in places:
        pointer = pointer[:-1]
    return places.get(pointer, (1, 1))
