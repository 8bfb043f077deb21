"""Verbs: what a request asks to be done, against what a tool's name says it does.

A family is a bit; a verb may be in several. Agreement is a small bonus; a tool that deletes is held back
unless the request says so.
"""

from __future__ import annotations

_FAMILIES = {
    "get": "get read show fetch retrieve view display describe inspect give tell lookup look see print load grab pull"
    " check info detail details status",
    "list": "list enumerate all which",
    "search": "search find query locate discover lookup hunt seek filter",
    "create": "create add new make insert generate build write start open register setup draft put schedule book"
    " compose begin store save upload append attach",
    "update": "update edit modify change rename set patch adjust replace overwrite configure turn switch tweak move"
    " assign mark",
    "delete": "delete remove drop erase clear destroy purge cancel wipe evict discard unset detach uninstall unwatch",
    "send": "send post email message notify reply share publish tell forward",
    "run": "run execute call invoke trigger launch deploy",
    "stop": "stop close end kill terminate shut pause disable deactivate archive",
    "enable": "enable activate start resume unlock restore reopen",
    "merge": "merge combine join",
    "copy": "copy duplicate clone fork",
    "move": "move transfer relocate",
    "count": "count many much",
    "compare": "compare diff versus difference",
    "convert": "convert transform translate export",
    "download": "download export save",
    "upload": "upload import",
    "validate": "validate check verify lint test",
    "calculate": "calculate compute calc",
    "analyze": "analyze analyse",
}
_BITS = {family: 1 << index for index, family in enumerate(_FAMILIES)}

VERBS: dict[str, int] = {}
"""The families of each verb, as bits."""
for _family, _verbs in _FAMILIES.items():
    for _verb in _verbs.split():
        VERBS[_verb] = VERBS.get(_verb, 0) | _BITS[_family]

DELETE = _BITS["delete"]
READ = sum(
    _BITS[family]
    for family in ("get", "list", "search", "count", "compare", "validate", "analyze", "calculate", "download")
)
"""What a question asks for."""

QUESTION = frozenset("what which how who where when is are do does did any has have".split())
"""First words of a question."""
