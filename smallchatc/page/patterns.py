"""Patterns of the runtime become patterns of a browser that match the same.

JavaScript's `\\w`, `\\d`, `\\s` and `\\b` mean ASCII where Python's mean Unicode, and `.` ends at other line ends. Only
what the runtime's patterns use is translated; anything else raises, so that a new pattern cannot go wrong silently.
"""

from __future__ import annotations

_WORD, _DIGIT = r"\p{L}\p{N}_", r"\p{Nd}"
_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_EDGE = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_CLASSES = {"w": _WORD, "d": _DIGIT, "s": _SPACE}
_SYNTAX = frozenset(r"^$\.*+?()[]{}|/")


def browser_pattern(pattern: str, *, verbose: bool = False, dotall: bool = False) -> str:
    """The same pattern for `new RegExp(..., "u")`; raises ValueError for what it does not know."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            out.append(_escape(pattern[at + 1]))
            at += 2
        elif char == "[":
            text, at = _set(pattern, at)
            out.append(text)
        elif pattern.startswith("(?P<", at):
            out.append("(?<")
            at += 4
        elif verbose and char.isspace():
            at += 1
        elif verbose and char == "#":
            at = pattern.index("\n", at)
        else:
            out.append(("[^]" if dotall else r"[^\n]") if char == "." else char)
            at += 1
    return "".join(out)


def _escape(char: str) -> str:
    """An escape outside of a set."""
    if char in _CLASSES:
        return f"[{_CLASSES[char]}]"
    if char == "b":
        return _EDGE
    if char.isalnum():
        raise ValueError(f"no translation of \\{char}")
    return f"\\{char}" if char in _SYNTAX else char


def _set(pattern: str, at: int) -> tuple[str, int]:
    """A set of characters that begins at `at`, and where the pattern goes on."""
    at += 1
    negated = pattern[at] == "^"
    at += negated
    items: list[str] = []
    words_only = False
    while pattern[at] != "]":
        char = pattern[at]
        if char != "\\":
            items.append(char)
            at += 1
            continue
        char = pattern[at + 1]
        if char in "xu":
            length = 4 if char == "x" else 6
            items.append(pattern[at : at + length])
            at += length
            continue
        if char == "W":
            words_only = True
        elif char in _CLASSES:
            items.append(_CLASSES[char])
        elif char.isalnum():
            raise ValueError(f"no translation of \\{char} in a set")
        else:
            items.append(f"\\{char}" if char in _SYNTAX or char == "-" else char)
        at += 2
    inside = "".join(items)
    if not words_only:
        return f"[{'^' if negated else ''}{inside}]", at + 1
    if not negated:
        raise ValueError(r"no translation of \W in a set")
    # Not \W, and none of the rest: a word's character that the rest does not name.
    return (f"(?:(?![{inside}])[{_WORD}])" if inside else f"[{_WORD}]"), at + 1
