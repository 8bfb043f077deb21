"""JSON text to documents: what `json` lets pass in silence (a key twice, NaN, half characters) is a fault.

Parsing is the C scanner's; positions are found by scanning again, level by level, and only when asked for.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from ..fingerprint import WrittenNumber
from ..model import Json
from .documents import MAX_DEPTH, TOO_DEEP, Document, Documents, Fault, Place, Pointer

_BLANK = re.compile(r"[ \t\n\r]*")
# An unclosed string or comment runs to its line's or the text's end, so that no text takes more than linear time.
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
MAX_BROKEN_LINES = 100
MAX_ODDITIES = 100
MAX_MEMBERS = 300_000
"""Members of one container that have a place of their own; the others have the container's."""

MAX_INTEGER_DIGITS = 400


def read_json(text: str) -> Documents:
    """One JSON document, one a line, or JSON with comments."""
    found = _Oddities()
    try:
        value = _decoder(found).decode(text)
        return _documents(text, [(value, 0)], found)
    except RecursionError:
        return _too_deep(text)
    except json.JSONDecodeError as err:
        first = err
    return _read_lines(text) or _read_commented(text) or Documents(documents=(), faults=(_syntax_fault(first),))


def _read_lines(text: str) -> Documents | None:
    """One value a line; None when the first line that says something is none. A broken line costs only itself."""
    found, offset = _Oddities(), 0
    values: list[tuple[Json, int]] = []
    faults: list[Fault] = []
    decoder = _decoder(found)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append((decoder.decode(line), offset))
            except json.JSONDecodeError as err:
                if not values or len(faults) == MAX_BROKEN_LINES:
                    return None
                faults.append(Fault(slug="bad-line", message=_words(err), place=(number, err.pos + 1), fatal=False))
            except RecursionError:
                return _too_deep(text)
        offset += len(line) + 1
    if len(values) < 2:
        return None
    read = _documents(text, values, found)
    return Documents(documents=read.documents, faults=(*faults, *read.faults), lines=True)


def _read_commented(text: str) -> Documents | None:
    """JSON with comments and trailing commas, which become blanks so that positions stay."""
    found = _Oddities()
    blanked = _TRAILING_COMMA.sub(_blank, _COMMENT.sub(_blank, text))
    if blanked == text:
        return None
    try:
        value = _decoder(found).decode(blanked)
    except (json.JSONDecodeError, RecursionError):
        return None
    read = _documents(blanked, [(value, 0)], found)
    note = Fault(slug="json-comments", message="comments or trailing commas were read past", place=(1, 1), fatal=False)
    return Documents(documents=read.documents, faults=(note, *read.faults))


def _blank(match: re.Match[str]) -> str:
    token = match.group()
    return token if token[0] == '"' else re.sub(r"[^\n]", " ", token)


class _Oddities:
    """What the hooks of the scanner saw; where is found out afterwards."""

    def __init__(self) -> None:
        self.duplicates = False
        self.not_finite = False


def _decoder(found: _Oddities) -> json.JSONDecoder:
    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        value = dict(items)
        if len(value) != len(items):
            found.duplicates = True
        return value

    def constant(_: str) -> None:
        found.not_finite = True

    return json.JSONDecoder(
        object_pairs_hook=pairs, parse_constant=constant, parse_float=_float, parse_int=_int, strict=False
    )


def _float(text: str) -> float:
    number = float(text)
    return number if repr(number) == text else WrittenNumber(text)


def _int(text: str) -> int | float:
    return int(text) if len(text) <= MAX_INTEGER_DIGITS else WrittenNumber(text)


def _documents(text: str, values: list[tuple[Json, int]], found: _Oddities) -> Documents:
    faults: list[Fault] = []
    documents = []
    positions = _Positions(text)
    half = _half_character(text)
    for value, offset in values:
        if deeper_than(value, MAX_DEPTH):
            return _too_deep(text)
        start = _skip_blanks(text, offset)
        if found.duplicates or found.not_finite:
            faults.extend(islice(_find_oddities(positions, start), MAX_ODDITIES))
        if half is not None:
            value = _whole_characters(value)
        documents.append(Document(value=value, syntax="json", locate=_locator(positions, start)))
    if half is not None:
        message = "half a character (a lone surrogate) was replaced by U+FFFD"
        faults.append(Fault(slug="lone-surrogate", message=message, place=positions.place(half), fatal=False))
    return Documents(documents=tuple(documents), faults=tuple(faults))


def _locator(positions: _Positions, start: int) -> Any:
    return lambda pointer: positions.locate(start, pointer)


class _Positions:
    """Where the parts of a JSON text are; the members of a container are found once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._members: dict[int, dict[str | int, int]] = {}
        self._lines: list[int] | None = None
        self._skip = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode  # int() has a limit

    def locate(self, start: int, pointer: Pointer) -> Place:
        """The place of the value at `pointer`, or of the nearest one around it."""
        for step in pointer:
            below = self.members(start).get(step)
            if below is None:
                break
            start = below
        return self.place(start)

    def place(self, offset: int) -> Place:
        if self._lines is None:
            self._lines = [0, *(match.end() for match in re.finditer("\n", self.text))]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def members(self, start: int) -> dict[str | int, int]:
        """Offsets of the members of the container at `start`; nothing for a scalar."""
        known = self._members.get(start)
        if known is None:
            known = {key: offset for key, offset, _ in islice(self.pairs(start), MAX_MEMBERS)}
            self._members[start] = known
        return known

    def pairs(self, start: int) -> Iterator[tuple[str | int, int, int]]:
        """Key, offset of the value and offset of the key, doubled keys included."""
        text, opening = self.text, self.text[start : start + 1]
        if opening not in ("{", "["):
            return
        at, index = _skip_blanks(text, start + 1), 0
        while text[at] not in "}]":
            key: str | int = index
            key_at = at
            if opening == "{":
                key, at = scanstring(text, at + 1, False)
                at = _skip_blanks(text, _skip_blanks(text, at) + 1)
            yield key, at, key_at
            _, at = self._skip(text, at)
            at = _skip_blanks(text, at)
            if text[at] == ",":
                at = _skip_blanks(text, at + 1)
            index += 1


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _find_oddities(positions: _Positions, start: int) -> Iterator[Fault]:
    """Every doubled key and every NaN, in reading order."""
    stack: list[tuple[int, Pointer]] = [(start, ())]
    while stack:
        at, pointer = stack.pop()
        if positions.text[at] in "NI" or positions.text.startswith("-I", at):
            word = re.match(r"-?\w+", positions.text[at : at + 12])
            message = f"{word.group() if word else 'this'} is not JSON; read as null"
            yield Fault(slug="not-finite", message=message, place=positions.place(at), pointer=pointer, fatal=False)
        seen: dict[str | int, int] = {}
        below = []
        for key, value_at, key_at in positions.pairs(at):
            if key in seen:
                line, column = positions.place(seen[key])
                message = f"key '{key}' is also written at {line}:{column}; this one counts"
                yield Fault(
                    slug="duplicate-key",
                    message=message,
                    place=positions.place(key_at),
                    pointer=(*pointer, key),
                    fatal=False,
                )
            seen[key] = key_at
            below.append((value_at, (*pointer, key)))
        stack.extend(reversed(below))


def deeper_than(value: Json, limit: int) -> bool:
    """Whether a value is nested deeper than `limit`, found without recursion."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, dict | list)
        ]
    return bool(level)


_PAIR_OR_HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)


def _half_character(text: str) -> int | None:
    """Where the first escape is that stands for half a character."""
    if "\\ud" not in text and "\\uD" not in text:
        return None
    return next((match.start(1) for match in _PAIR_OR_HALF.finditer(text) if match.group(1)), None)


def _whole_characters(value: Json) -> Json:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _whole_characters(item) for key, item in value.items()}
    return value


_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def _too_deep(text: str) -> Documents:
    depth, at = 0, 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match.group() in "[{" else -1 if match.group() in "]}" else 0
        if depth > MAX_DEPTH:
            at = match.start()
            break
    place = _Positions(text).place(at)
    return Documents(documents=(), faults=(Fault(slug="too-deep", message=TOO_DEEP, place=place),))


def _syntax_fault(err: json.JSONDecodeError) -> Fault:
    return Fault(slug="bad-json", message=_words(err), place=(err.lineno, err.colno))


def _words(err: json.JSONDecodeError) -> str:
    if err.pos >= len(err.doc.rstrip()):
        return "not valid JSON: the text ends too early"
    problem = err.msg.removesuffix(" starting at")
    if problem.startswith("Invalid \\"):
        problem += "; a backslash, as in a Windows path, is written twice"
    return f"not valid JSON: {problem[:1].lower()}{problem[1:]}"
