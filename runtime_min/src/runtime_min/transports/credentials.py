"""Credentials: of the alternatives that an operation accepts, the first whose variables are set goes into a request."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import MissingVariable
from ..named import NamedTuple
from ..references import expand
from .styles import Pairs, encode


class Credentials(NamedTuple):
    """What is added to a request."""

    headers: list[tuple[str, str]]
    query: Pairs
    cookies: Pairs


def credentials(
    security: Sequence[Mapping[str, Any]], schemes: Mapping[str, Any], variables: Mapping[str, str], tool: str
) -> Credentials:
    """The credentials of the first alternative that can be met; raises MissingVariable with what each one lacks."""
    lacking: list[str] = []
    for alternative in security:
        found = Credentials([], [], [])
        missing: list[str] = []
        for name in alternative:
            scheme = expand(schemes.get(name) or {}, variables, missing)
            if not _add(found, scheme):
                missing.append(f"a way to speak {scheme.get('type') or name!r}")
        if not missing:
            return found
        lacking.append(" and ".join(sorted(set(missing))))
    if lacking:
        raise MissingVariable(
            f"{tool}: not set: {', or '.join(lacking)}", tool=tool, hint="set what is missing and try again"
        )
    return Credentials([], [], [])


def _add(found: Credentials, scheme: Mapping[str, Any]) -> bool:
    """Add what a scheme asks for; False when it is one that no request can carry."""
    kind = scheme.get("type")
    if kind == "apiKey" and scheme.get("name"):
        name, value = str(scheme["name"]), str(scheme.get("value", ""))
        if scheme.get("in") == "query":
            found.query.append((encode(name), encode(value)))
        elif scheme.get("in") == "cookie":
            found.cookies.append((encode(name), encode(value)))
        else:
            found.headers.append((name, value))
        return True
    if kind == "http" and scheme.get("scheme") == "basic":
        pair = f"{scheme.get('username', '')}:{scheme.get('password', '')}"
        found.headers.append(("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}"))
        return True
    if kind in ("http", "oauth2", "openIdConnect") and "token" in scheme:
        word = str(scheme.get("scheme") or "bearer")
        found.headers.append(("Authorization", f"{word[:1].upper()}{word[1:]} {scheme['token']}"))
        return True
    return False
