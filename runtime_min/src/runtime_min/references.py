"""References: `${NAME}` and `${NAME:-default}` in what an artifact says become values, once a host has allowed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def references_in(value: Any) -> Iterator[str]:
    """The variables that a JSON value refers to, in the order of their places; some more than once."""
    if isinstance(value, str):
        yield from (match.group(1) for match in _REFERENCE.finditer(value))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from references_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from references_in(item)


def expand(value: Any, variables: Mapping[str, str], missing: list[str]) -> Any:
    """The JSON value with what the variables hold; names that are not set and have no default go into `missing`, in
    their order. As in a shell, `:-` also stands in for what is set to nothing."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda match: _value(match, variables, missing), value)
    if isinstance(value, Mapping):
        return {name: expand(item, variables, missing) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [expand(item, variables, missing) for item in value]
    return value


def _value(match: re.Match[str], variables: Mapping[str, str], missing: list[str]) -> str:
    name, default = match.groups()
    found = variables.get(name)
    if not found and default is not None:
        return default
    if found is None:
        missing.append(name)
        return match.group()
    return found
