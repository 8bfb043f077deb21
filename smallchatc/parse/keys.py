"""Keys that mean nothing where they stand, each with the one that was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice

from ..model import Json

TOOL_KEYS = (
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta", "compilerHints", "icons",
    "execution", "input_schema", "output_schema", "parameters", "arguments", "args", "args_schema", "strict",
)  # fmt: skip
_MEANT = {
    "provider": "id",
    "providerid": "id",
    "server": "id",
    "hints": "compilerHints",
    "hint": "compilerHints",
    "schema": "inputSchema",
    "summary": "description",
    "baseurl": "baseUrl",
    "uri": "url",
    "environment": "env",
    "extends": "superclass",
    "implements": "conforms",
}
MAX_SAID = 50
_OWN_USE = ("x-", "_", "$")  # keys that an author may add to anything


def unknown_keys(holder: Mapping[str, Json], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each key of a closed form that it does not have, and a hint; of very many the first ones."""
    strange = (key for key in holder if key not in known and not key.startswith(_OWN_USE))
    for key in islice(strange, MAX_SAID):
        meant = meant_by(key, [name for name in known if name not in holder])
        yield key, f"did you mean '{meant}'?" if meant else ""


def misspelt_keys(holder: Mapping[str, Json], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The same of an open form, which may have any other key: only those that are nearly one of its own."""
    for key, hint in unknown_keys(holder, known):
        if hint:
            yield key, hint


def meant_by(key: str, known: Collection[str]) -> str:
    """The known key that was probably meant, if any was."""
    plain = key.lower().replace("_", "").replace("-", "")
    for name in known:
        if name.lower().replace("_", "") == plain:
            return name
    meant = _MEANT.get(plain, "")
    if meant in known:
        return meant
    close = get_close_matches(key[:100], known, n=1, cutoff=0.85)
    return close[0] if close else ""
