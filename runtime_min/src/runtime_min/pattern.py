"""Pattern: a schema's regular expression becomes a search that cannot explode.

Python's engine backtracks, and a pattern comes from somebody else. Where its worst case is plainly linear it
is used; otherwise the expression becomes a graph of states that are followed all at once, in steps that are
at most text times states (Thompson 1968). What such a graph cannot say (back references, look-around) is
not checked, and the caller learns so.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

MAX_STATES = 4000
MAX_STEPS = 2_000_000

_UNBOUNDED = 64
"""A repeat of up to this many may be left to backtracking when there is only one."""

Search = Callable[[str], bool]
Test = Callable[[str], bool]  # of one character
Edge = tuple[Any, int]  # a Test to read a character, an anchor's name, or None; and the state it leads to


def compile_search(pattern: str) -> Search | None:
    """Whether a text holds a match of the pattern; None when that cannot be told in bounded time."""
    if len(pattern) > 1000:
        return None
    try:
        with_flags = re.compile(pattern)
        tree = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    try:
        if not with_flags.flags & ~re.UNICODE and _plainly_linear(list(tree), inside=False) <= 1:
            return lambda text: with_flags.search(text) is not None
        if with_flags.flags & ~re.UNICODE:
            return None
        graph = _Graph()
        end = graph.add(list(tree), 0)
    except (_Unsayable, RecursionError):
        return None
    return lambda text: _search(graph.edges, end, text)


# The parser that `re` itself uses; it has no public name since sre_parse was deprecated in 3.11.
_parser = importlib.import_module("re._parser")


class _Unsayable(Exception):
    """A construct that no finite graph of states says."""


def _plainly_linear(items: list[Any], *, inside: bool) -> int:
    """How many repeats could backtrack against each other; a repeat inside a repeat counts for many."""
    count = 0
    for op, value in items:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = value
            inner = _plainly_linear(list(body), inside=True)
            many = int(high) > _UNBOUNDED or int(high) != int(low)
            count += (1 if many else 0) + inner * (int(min(int(high), 3)))
        elif name == "BRANCH":
            count += sum(_plainly_linear(list(branch), inside=inside) for branch in value[1]) + (2 if inside else 0)
        elif name == "SUBPATTERN":
            count += _plainly_linear(list(value[3]), inside=inside)
        elif name not in ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT"):
            count += 2
    return count


class _Graph:
    """States and the edges between them."""

    def __init__(self) -> None:
        self.edges: list[list[Edge]] = [[]]

    def state(self) -> int:
        if len(self.edges) >= MAX_STATES:
            raise _Unsayable
        self.edges.append([])
        return len(self.edges) - 1

    def add(self, items: list[Any], start: int) -> int:
        """Lay the items out from `start`; the state they end in."""
        for op, value in items:
            start = self._one(str(op), value, start)
        return start

    def _one(self, name: str, value: Any, start: int) -> int:
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(int(value[0]), value[1], list(value[2]), start)
        if name == "SUBPATTERN" and not value[1] and not value[2]:
            return self.add(list(value[3]), start)
        if name == "BRANCH":
            end = self.state()
            for branch in value[1]:
                entry = self.state()
                self.edges[start].append((None, entry))
                self.edges[self.add(list(branch), entry)].append((None, end))
            return end
        end = self.state()
        if name == "AT":
            self.edges[start].append((_anchor(str(value)), end))
        else:
            self.edges[start].append((_character(name, value), end))
        return end

    def _repeat(self, low: int, high: Any, body: list[Any], start: int) -> int:
        for _ in range(low):
            start = self.add(body, start)
        if str(high) == "MAXREPEAT":
            loop, end = self.state(), self.state()
            self.edges[start].append((None, loop))
            self.edges[self.add(body, loop)].append((None, loop))
            self.edges[loop].append((None, end))
            return end
        end = self.state()
        for _ in range(int(high) - low):
            self.edges[start].append((None, end))
            start = self.add(body, start)
        self.edges[start].append((None, end))
        return end


def _anchor(name: str) -> str:
    if name not in ("AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING", "AT_BOUNDARY", "AT_NON_BOUNDARY"):
        raise _Unsayable
    return name


def _character(name: str, value: Any) -> Test:
    """The test of one character; `re` itself decides what a class holds."""
    if name == "LITERAL":
        return chr(value).__eq__
    if name == "NOT_LITERAL":
        return chr(value).__ne__
    if name == "ANY":
        return "\n".__ne__
    if name != "IN":
        raise _Unsayable
    text = "".join(_class_part(str(op), part) for op, part in value)
    match = re.compile(f"[{text}]").match
    known: dict[str, bool] = {}

    def inside(char: str) -> bool:
        if char not in known:
            if len(known) > 500:
                known.clear()
            known[char] = match(char) is not None
        return known[char]

    return inside


_CLASSES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}


def _class_part(name: str, value: Any) -> str:
    if name == "NEGATE":
        return "^"
    if name == "LITERAL":
        return re.escape(chr(value)) if chr(value) != "^" else r"\^"
    if name == "RANGE":
        return f"\\U{value[0]:08x}-\\U{value[1]:08x}"
    if name == "CATEGORY" and str(value) in _CLASSES:
        return _CLASSES[str(value)]
    raise _Unsayable


def _search(edges: list[list[Edge]], end: int, text: str) -> bool:
    if len(text) * len(edges) > MAX_STEPS:
        return False  # a text that long is no match: the same answer always, in bounded time
    current: set[int] = set()
    for position in range(len(text) + 1):
        current = _closure(edges, {*current, 0}, text, position)
        if end in current:
            return True
        if position < len(text):
            char = text[position]
            current = {target for state in current for test, target in edges[state] if callable(test) and test(char)}
    return False


def _closure(edges: list[list[Edge]], states: set[int], text: str, position: int) -> set[int]:
    """All states that are reached from these without reading."""
    todo = list(states)
    while todo:
        for test, target in edges[todo.pop()]:
            if target not in states and (test is None or (isinstance(test, str) and _holds(test, text, position))):
                states.add(target)
                todo.append(target)
    return states


def _holds(anchor: str, text: str, position: int) -> bool:
    if anchor in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return position == 0
    if anchor in ("AT_END", "AT_END_STRING"):
        return position == len(text) or (anchor == "AT_END" and position == len(text) - 1 and text[position] == "\n")
    before = position > 0 and _is_word(text[position - 1])
    after = position < len(text) and _is_word(text[position])
    return (before != after) is (anchor == "AT_BOUNDARY")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
