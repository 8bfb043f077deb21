"""Poisoned tools: text that a person does not see, words that are meant for the model, names that look like others.

The texts are those that reach a model: of the tool, of its schemas, its names. What compile finds in a title or a
description (`wording`) is not found twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from ..model import Catalog, Json, Tool
from ..quirks import Pointer, Quirk
from ..wording import FLAG, MAX_READ, addresses_model, invisible, shown
from .finding import Finding, of_tool

MAX_TEXTS = 20_000

_TAGS = re.compile("[\U000e0020-\U000e007e]{2,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_TEXT_KEYS = ("title", "description", "default", "const", "examples", "enum", "$comment")
_SENSITIVE = re.compile(
    r"~/\.(?:ssh|aws|gnupg|cursor|kube|netrc)\b|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)\b|\bmcp\.json\b",
    re.IGNORECASE,
)
_READS = re.compile(r"\b(?:read|open|load|cat|send|pass|include|attach|provide)\b", re.IGNORECASE)
_LATIN_LIKE = str.maketrans({"I": "l", "1": "l", "0": "o", "O": "o"})


def deceit_findings(tool: Tool, definition: Mapping[str, Json]) -> Iterator[Quirk]:
    """What a tool's texts hide, and whom they speak to."""
    for pointer, text in _texts(definition):
        text = text[:MAX_READ]
        own = pointer in (("title",), ("description",))
        secret = hidden_text(text)
        if secret:
            message = f"{_where(pointer)} hides the text '{shown(secret)}'"
            yield Quirk(slug="hidden-text", message=message, pointer=pointer)
        elif not own and (found := invisible(text)):
            message = f"{_where(pointer)} holds the invisible character U+{ord(found):04X}"
            yield Quirk(slug="hidden-characters", message=message, pointer=pointer)
        words = None if own and addresses_model(text) and pointer == ("description",) else _meant_for_model(text)
        if words:
            message = f"{_where(pointer)} addresses the model: '{shown(words)}'"
            yield Quirk(slug="suspicious-description", message=message, pointer=pointer)
    mixed = mixed_scripts(tool.name)
    if mixed:
        message = f"its name looks like '{mixed}' but has letters of another script"
        yield Quirk(slug="look-alike-name", message=message, pointer=("name",))


def look_alikes(catalog: Catalog) -> Iterator[Finding]:
    """Tools whose names a reader takes for each other's, though no letter of case or punctuation says so."""
    seen: dict[str, dict[str, Tool]] = defaultdict(dict)
    for tool in catalog.tools:
        seen[skeleton(tool.name)].setdefault(tool.name, tool)
    for group in seen.values():
        first, *others = group.values()
        for other in others:
            if unicodedata.normalize("NFC", first.name).lower() == unicodedata.normalize("NFC", other.name).lower():
                continue  # name-near-collision
            message = f"tool '{shown(other.name)}' looks like '{shown(first.path)}'"
            yield of_tool("look-alike-name", message, other, below=("name",), also=(first,))


def hidden_text(text: str) -> str:
    """What tag characters or variation selectors spell, "" when nothing."""
    if text.isascii():
        return ""
    tags = _TAGS.search(FLAG.sub("", text))
    if tags:
        return "".join(chr(ord(char) - 0xE0000) for char in tags.group())
    selectors = _SELECTORS.search(text)
    if not selectors:
        return ""
    codes = [ord(c) - 0xFE00 if ord(c) < 0xFE10 else ord(c) - 0xE0100 + 16 for c in selectors.group()]
    return bytes(code & 0xFF for code in codes).decode("utf-8", "replace")


def skeleton(name: str) -> str:
    """A name as the eye takes it: letters of other scripts as the Latin ones they look like (UTS 39)."""
    if not name.isascii():
        name = "".join(_latin(char) for char in unicodedata.normalize("NFKC", name))
    return name.translate(_LATIN_LIKE).lower()


def mixed_scripts(name: str) -> str:
    """The Latin reading of a name that mixes Latin letters with ones that look Latin, "" when it does not."""
    if name.isascii() or not any(char.isascii() and char.isalpha() for char in name):
        return ""
    strange = [char for char in name if not char.isascii() and char.isalpha() and _latin(char).isascii()]
    scripts = {unicodedata.name(char, "").split(" ")[0] for char in strange}
    return "".join(map(_latin, name)) if scripts - {"LATIN", ""} else ""


@cache
def _latin(char: str) -> str:
    """The ASCII letter or digit that a character looks like, else itself."""
    if char.isascii():
        return char
    from confusable_homoglyphs import confusables

    looks = (entry["c"].strip("\u200e") for entry in confusables.confusables_data.get(char, ()))
    return next((look for look in looks if look.isascii() and look.isalnum()), char)


def _meant_for_model(text: str) -> str:
    found = addresses_model(text)
    if found:
        return found
    for match in _SENSITIVE.finditer(text):
        start = max(0, match.start() - 60)
        if _READS.search(text, start, match.end() + 60):
            return text[start : match.end()]
    return ""


def _texts(definition: Mapping[str, Json]) -> Iterator[tuple[Pointer, str]]:
    """The texts that a model may read, each with its pointer; names of properties too."""
    count = 0
    stack: list[tuple[Pointer, Json]] = [
        ((key,), definition[key])
        for key in ("outputSchema", "inputSchema", "annotations", "description", "title", "name")
        if key in definition
    ]
    while stack and count < MAX_TEXTS:
        pointer, value = stack.pop()
        count += 1
        if isinstance(value, str):
            yield pointer, value
        elif isinstance(value, dict):
            if pointer[-1] == "properties":
                yield from (((*pointer, name), name) for name in value if not name.isascii())
            stack.extend(((*pointer, key), value[key]) for key in reversed(list(value)))
        elif isinstance(value, list):
            stack.extend(((*pointer, index), value[index]) for index in reversed(range(len(value))))


def _where(pointer: Pointer) -> str:
    """The text in a reader's words."""
    if len(pointer) == 1:
        return f"its {pointer[0]}"
    names = [str(step) for before, step in pairwise(pointer) if before == "properties"]
    key = pointer[-1]
    inner = f"'{'.'.join(names)}'" if names else f"'{pointer[0]}'"
    return f"the {key} of {inner}" if key in _TEXT_KEYS else f"a text of {inner}"
