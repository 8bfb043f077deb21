"""Text becomes documents: JSON values, each with a way to find where a part of it was written.

JSON first, with or without comments, one document or one a line; then TOML, then YAML.
Nothing here knows what a tool is. No input makes it raise: what cannot be read is a `Fault`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..model import Json

MAX_BYTES = 64 * 1024 * 1024
"""A catalogue of 100,000 real tools is half of that."""

MAX_DEPTH = 100
"""The deepest of 3,880 real schemas has 13 levels."""

TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"

Pointer = tuple[str | int, ...]
Place = tuple[int, int]
"""Line and column, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something wrong with the text itself. `fatal` ones leave no value."""

    slug: str
    message: str
    place: Place
    pointer: Pointer = ()
    fatal: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One JSON value of a source."""

    value: Json
    syntax: str  # json, yaml, toml
    locate: Callable[[Pointer], Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """All values of a source, and what was wrong on the way."""

    documents: tuple[Document, ...]
    faults: tuple[Fault, ...]
    lines: bool = False  # one value a line


def read_documents(text: str) -> Documents:
    """The documents of a text; at least one document or one fatal fault."""
    from .json_text import read_json
    from .toml_text import read_toml
    from .yaml_text import read_yaml

    head = text.lstrip()[:1]
    if not head:
        return _only_fault(Fault(slug="source-empty", message="there is nothing in it", place=(1, 1)))
    if head not in "{[/":
        return read_toml(text) or read_yaml(text)
    as_json = read_json(text)
    if as_json.documents or any(fault.slug != "bad-json" for fault in as_json.faults):
        return as_json
    as_toml = read_toml(text)
    if as_toml is not None:
        return as_toml
    other = read_yaml(text)
    # What begins like JSON and is neither is broken JSON: its message is the helpful one.
    return other if any(isinstance(d.value, dict | list) for d in other.documents) else as_json


def _only_fault(fault: Fault) -> Documents:
    return Documents(documents=(), faults=(fault,))
