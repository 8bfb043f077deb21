"""Portable names: "P/N" becomes a name that every model API accepts, at most 64 of A-Z a-z 0-9 _ -, no digit first.

A name depends on its own tool and on no other, so adding a tool renames none: `provider__name` where P and N can be
read back from that, else the same with what does not fit replaced or cut and six characters of a digest at its end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

MAX_NAME = 64
SEPARATOR = "__"
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_ENDING = 6
_LEAST_PROVIDER = 16
"""Characters that a provider keeps of a name that is too long."""


def portable_names(tools: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The portable name of each (provider, name), no two equal; the order of the tools does not matter."""
    names: dict[tuple[str, str], str] = {}
    rest = []
    for tool in tools:
        plain = _readable(*tool)
        if plain:
            names[tool] = plain
        else:
            rest.append(tool)
    taken = set(names.values())
    for tool in sorted(set(rest)):
        # A digest's beginning meets another one once in a billion pairs, or because somebody wants it to.
        attempt = 0
        while (name := _cut(*tool, attempt)) in taken:
            attempt += 1
        names[tool] = name
        taken.add(name)
    return names


def portable_name(provider: str, name: str) -> str:
    """The portable name of one tool, as it is unless another tool's digest begins alike."""
    return _readable(provider, name) or _cut(provider, name, 0)


def portable_provider(provider: str) -> str:
    """The same for a provider alone, where an API has names for groups of tools."""
    head = f"_{provider[1:]}" if provider.startswith("@") else provider
    if _PLAIN.fullmatch(head) and len(head) <= MAX_NAME and not provider.startswith("_"):
        return head
    return f"{_headed(_replaced(provider), MAX_NAME - 1 - _ENDING)}_{_ending(provider)}"


def _readable(provider: str, name: str) -> str:
    """`provider__name` when provider and name can be read back from it, else nothing.

    A leading "@", as scoped packages have it, is "_": no other provider may begin so.
    """
    if provider.startswith("_"):
        return ""
    head = f"_{provider[1:]}" if provider.startswith("@") else provider
    joined = f"{head}{SEPARATOR}{name}"
    fits = len(joined) <= MAX_NAME and _PLAIN.fullmatch(joined)
    return joined if fits and joined.partition(SEPARATOR) == (head, SEPARATOR, name) else ""


def _cut(provider: str, name: str, attempt: int) -> str:
    said = f"{provider}/{name}" + (f"/{attempt}" if attempt else "")
    room = MAX_NAME - len(SEPARATOR) - 1 - _ENDING
    head, tail = _replaced(provider), _replaced(name)
    tail = tail[: room - min(len(head), _LEAST_PROVIDER)]
    return f"{_headed(head, room - len(tail))}{SEPARATOR}{tail}_{_ending(said)}"


def _headed(head: str, room: int) -> str:
    return (head if _PLAIN.match(head) else f"_{head}")[:room]


def _ending(said: str) -> str:
    number = int.from_bytes(hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest())
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[number >> 5 * place & 31] for place in range(_ENDING))


def _replaced(text: str) -> str:
    return _OTHER.sub("_", text).strip("_") or "tool"
