"""YAML text to documents, by the rules of YAML 1.2's core schema and nothing beyond plain data.

`on`, `yes`, `1:30` and dates are the texts that they look like; keys are always texts. Values are built from
the parser's events, without recursion, so that depth, aliases and tags are refused where they are met.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..fingerprint import WrittenNumber
from ..model import Json
from .documents import MAX_DEPTH, TOO_DEEP, Document, Documents, Fault, Place, Pointer

MAX_YAML_CHARACTERS = 8 * 1024 * 1024
MAX_YAML_NODES = 300_000
"""What a person or a generator writes as YAML has a hundredth of that; JSON takes over where more is needed."""

MAX_ODDITIES = 100
MAX_EXPANSION = 1024 * 1024
"""Characters that aliases may add to what was written."""

_TAG = "tag:yaml.org,2002:"
_PLAIN_TAGS = {_TAG + name for name in ("null", "bool", "int", "float", "map", "seq", "timestamp")}
_TEXT_TAGS = {_TAG + "str", "!"}
_CONSTANTS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_yaml(text: str) -> Documents:
    """All documents of a YAML text."""
    import yaml

    if len(text) > MAX_YAML_CHARACTERS:
        message = f"larger than {MAX_YAML_CHARACTERS // (1024 * 1024)} MB, which is too much for YAML"
        fault = Fault(slug="source-too-large", message=message, place=(1, 1))
        return Documents(documents=(), faults=(fault,))
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if not builder.take(event):
                return Documents(documents=(), faults=tuple(builder.faults))
    except yaml.YAMLError as err:
        fault = _syntax_fault(err, text)
        return Documents(documents=(), faults=(*builder.faults, fault))
    return Documents(documents=tuple(builder.documents), faults=tuple(builder.faults))


@dataclass(slots=True)
class _Open:
    """A container that is being filled."""

    value: Any
    pointer: Pointer
    anchor: str | None
    size: int = 1
    key: str | None = None
    keys: dict[str, Place] = field(default_factory=dict)
    merges: list[dict[str, Json]] = field(default_factory=list)


class _Builder:
    """Takes events one by one; what has been built is in `documents`."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.faults: list[Fault] = []
        self._stack: list[_Open] = []
        self._places: dict[Pointer, Place] = {}
        self._anchors: dict[str, tuple[Json, int]] = {}
        self._expanded = 0
        self._nodes = 0

    def take(self, event: Any) -> bool:
        """False when the source is to be given up; the reason is the last fault."""
        kind = type(event).__name__
        self._nodes += 1
        if self._nodes > MAX_YAML_NODES:
            return self._give_up(
                "source-too-large", f"more than {MAX_YAML_NODES} values, too many for YAML", _place(event)
            )
        if kind == "DocumentStartEvent":
            self._places, self._anchors = {}, {}
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            return self._open(event, {} if kind == "MappingStartEvent" else [])
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            return self._close()
        elif kind == "ScalarEvent":
            return self._scalar(event)
        elif kind == "AliasEvent":
            return self._alias(event)
        return True

    def _open(self, event: Any, value: Json) -> bool:
        place = _place(event)
        if event.tag is not None and event.tag not in _PLAIN_TAGS and event.tag != "!":
            return self._refuse_tag(event.tag, place)
        if len(self._stack) > MAX_DEPTH:
            return self._give_up("too-deep", TOO_DEEP, place)
        if self._expects_key():
            return self._give_up("yaml-key", "a key must be a text, not a mapping or a list", place)
        pointer = self._pointer()
        self._places[pointer] = place
        if event.anchor:
            self._anchors.pop(event.anchor, None)
        self._stack.append(_Open(value, pointer, event.anchor))
        return True

    def _close(self) -> bool:
        done = self._stack.pop()
        if done.merges:
            merged: dict[str, Json] = {}
            for mapping in reversed(done.merges):
                merged.update(mapping)
            own = dict(done.value)
            done.value.clear()
            done.value.update({**merged, **own})
        if done.anchor:
            self._anchors[done.anchor] = (done.value, done.size)
        return self._put(done.value, done.size)

    def _scalar(self, event: Any) -> bool:
        place = _place(event)
        if event.tag is not None and event.tag not in _PLAIN_TAGS | _TEXT_TAGS:
            return self._refuse_tag(event.tag, place)
        text = self._whole(event.value, place)
        if self._expects_key():
            self._set_key(text, place, merge=event.style in (None, "") and text == "<<")
            return True
        plain = event.implicit[0] or event.tag in _PLAIN_TAGS
        value = self._resolve(text, place) if plain else text
        self._places[self._pointer()] = place
        if event.anchor:
            self._anchors[event.anchor] = (value, len(text) + 1)
        return self._put(value, len(text) + 1)

    def _alias(self, event: Any) -> bool:
        place = _place(event)
        if any(frame.anchor == event.anchor for frame in self._stack):
            return self._give_up("yaml-alias-explosion", f"alias *{event.anchor} contains itself", place)
        if event.anchor not in self._anchors:
            return self._give_up("bad-yaml", f"not valid YAML: found undefined alias {event.anchor!r}", place)
        value, size = self._anchors[event.anchor]
        if self._expects_key():
            if not isinstance(value, str):
                return self._give_up("yaml-key", "a key must be a text, not a mapping or a list", place)
            self._set_key(value, place, merge=False)
            return True
        self._expanded += size
        if self._expanded > MAX_EXPANSION:
            message = f"aliases expand to more than {MAX_EXPANSION // 1024} kB"
            return self._give_up("yaml-alias-explosion", message, place)
        self._places[self._pointer()] = place
        return self._put(value, size)

    def _expects_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    def _pointer(self) -> Pointer:
        if not self._stack:
            return ()
        frame = self._stack[-1]
        return (*frame.pointer, len(frame.value) if isinstance(frame.value, list) else frame.key or "")

    def _set_key(self, key: str, place: Place, *, merge: bool) -> None:
        frame = self._stack[-1]
        frame.key = "<<" if merge else key
        frame.size += len(key) + 1
        if merge:
            frame.key = "\0<<"
        elif key in frame.keys:
            line, column = frame.keys[key]
            message = f"key '{key}' is also written at {line}:{column}; this one counts"
            pointer = (*frame.pointer, key)
            self._odd("duplicate-key", message, place, pointer)
        frame.keys[key] = place

    def _put(self, value: Json, size: int) -> bool:
        from .json_text import deeper_than

        if not self._stack:
            if deeper_than(value, MAX_DEPTH):  # aliases within aliases
                return self._give_up("too-deep", TOO_DEEP, (1, 1))
            places = self._places

            self.documents.append(
                Document(value=value, syntax="yaml", locate=lambda pointer: _nearest(places, pointer))
            )
            return True
        frame = self._stack[-1]
        frame.size += size
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.key == "\0<<":
            frame.merges.extend(
                item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)
            )
            frame.key = None
        else:
            frame.value[frame.key] = value
            frame.key = None
        return True

    def _resolve(self, text: str, place: Place) -> Json:
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if len(text) > 400 or text[0] not in "+-.0123456789":
            return text
        if _INTEGER.fullmatch(text):
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        if _NOT_FINITE.fullmatch(text):
            message = f"{text} is not JSON; read as null"
            self._odd("not-finite", message, place, self._pointer())
            return None
        if _FLOAT.fullmatch(text) and not re.match(r"[-+]?0[0-9]", text) and re.search(r"[.eE]", text):
            number = float(text)
            written = _JSON_NUMBER.fullmatch(text)
            if written and repr(number) != text:
                return WrittenNumber(text)
            return number if number not in (float("inf"), float("-inf")) else text
        return text

    def _whole(self, text: str, place: Place) -> str:
        if not _SURROGATE.search(text):
            return text
        message = "half a character (a lone surrogate) was replaced by U+FFFD"
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if "\ufffd" in whole:
            self._odd("lone-surrogate", message, place, ())
        return whole

    def _odd(self, slug: str, message: str, place: Place, pointer: Pointer) -> None:
        if len(self.faults) < MAX_ODDITIES:
            self.faults.append(Fault(slug=slug, message=message, place=place, pointer=pointer, fatal=False))

    def _refuse_tag(self, tag: str, place: Place) -> bool:
        shown = tag.replace(_TAG, "!!")
        return self._give_up("yaml-tag", f"tag {shown} asks for an object to be constructed", place)

    def _give_up(self, slug: str, message: str, place: Place) -> bool:
        self.faults.append(Fault(slug=slug, message=message, place=place))
        return False


def _place(event: Any) -> Place:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _nearest(places: dict[Pointer, Place], pointer: Pointer) -> Place:
    while pointer and pointer not in places:
        pointer = pointer[:-1]
    return places.get(pointer, (1, 1))


def _syntax_fault(err: Any, text: str) -> Fault:
    mark = getattr(err, "problem_mark", None) or getattr(err, "context_mark", None)
    problem = getattr(err, "problem", None) or getattr(err, "reason", None) or "cannot be read"
    if mark is not None:
        place = (mark.line + 1, mark.column + 1)
    else:
        before = text[: getattr(err, "position", 0) or 0]
        place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    if "nesting depth" in problem:  # the parser's own limit, which flow collections meet first
        return Fault(slug="too-deep", message=TOO_DEEP, place=place)
    return Fault(slug="bad-yaml", message=f"not valid YAML: {problem}", place=place)
