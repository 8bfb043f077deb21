"""Signals: what a tool does and which kinds of values it takes, as the bits a request is read into."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from runtime_min.lexicon import stem, words
from runtime_min.values import BIT, KINDS
from runtime_min.verbs import DELETE, VERBS

from .model import Tool

KIND_WEIGHT = 0.08
"""Score of a kind of value per third of a nat of its rarity in the catalogue."""

_NAMED = {
    "url": r"url|urls|uri|link|href|website|webpage",
    "email": r"e ?mail|email\w*",
    "coord": r"lat|latitude|lon|lng|long|longitude|coordinates?|coord",
    "date": r"date|day|since|until|before|after|deadline|due|start|end|from|to|month|year",
    "time": r"time|timestamp|hour|datetime|timezone|schedule|cron|start|end|since",
    "path": r"path|file|filename|filepath|dir|directory|folder",
    "id": r"id|ids|uuid|guid|gid|key|hash|sha|ref|token|identifier|number",
    "code": r"sql|code|script|query|expression|json|body|snippet",
    "quoted": r"title|name|text|content|message|label|subject|query|description|comment|value",
}
_BY_NAME = {kind: re.compile(rf"\b(?:{pattern})\b").search for kind, pattern in _NAMED.items()}
_DESCRIBED = ("url", "email", "coord", "path")  # a description that mentions these means the argument
_FORMATS = {
    "uri": BIT["url"],
    "url": BIT["url"],
    "email": BIT["email"],
    "date": BIT["date"] | BIT["time"],
    "date-time": BIT["date"] | BIT["time"],
}
_LEADING = 4  # words of a description among which its verb stands


def verb_of(tool: Tool) -> int:
    """The families of the first verb in a tool's name that is no word of its provider; 0 for none."""
    provider, name = set(words(tool.provider)), words(tool.name)
    for word in name:
        if VERBS.get(word) and (word not in provider or len(name) == 1):
            return VERBS[word]
    return 0


def deletes(tool: Tool) -> bool:
    """Whether the tool's verb, of its name or else of its description, deletes and does nothing else."""
    return (verb_of(tool) or _described_verb(tool)) == DELETE


def kinds_of(tool: Tool) -> int:
    """The kinds of values that a tool's arguments take."""
    kinds = 0
    for arg in tool.args:
        if "." in arg.name:
            continue
        name = " ".join(words(arg.name))
        said = arg.description[:80].lower()
        kinds |= sum(BIT[kind] for kind, found in _BY_NAME.items() if found(name))
        kinds |= _FORMATS.get(arg.format, 0)
        for kind in _DESCRIBED:
            if _BY_NAME[kind](said):
                kinds |= BIT[kind]
        if arg.code in ("n", "nz"):
            kinds |= BIT["number"]
    return kinds


def kind_weights(kinds: Sequence[int]) -> list[float]:
    """The score of each kind of value when request and tool have it: the rarer the more."""
    out = []
    for kind in KINDS:
        share = sum(1 for mask in kinds if mask & BIT[kind]) / max(len(kinds), 1)
        rarity = -math.log(max(share, 0.5 / len(kinds))) / 3 if share else 0.0
        out.append(round(KIND_WEIGHT * rarity, 6))
    return out


def _described_verb(tool: Tool) -> int:
    for word in words(tool.description[:200])[:_LEADING]:
        for form in (word, stem(word), word.removesuffix("s")):
            if VERBS.get(form):
                return VERBS[form]
    return 0
