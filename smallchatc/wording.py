"""What is odd about the words of a tool: its name, its description, what its annotations claim."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from runtime_min.lexicon import STOP, stem, words

from .model import Json
from .quirks import Quirk

_PORTABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DESTRUCTIVE = {
    "delete", "drop", "destroy", "erase", "purge", "remove", "truncate", "uninstall", "wipe",
}  # fmt: skip
_READING = {"describe", "fetch", "find", "get", "list", "lookup", "query", "read", "search", "show", "view"}
MAX_READ = 100_000
"""Characters of a text that are looked at; the longest of 3,880 real descriptions has 14,020."""

_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
"""The flag of a region, of Wales say: the one honest use of tag characters."""
_WORDS = 24  # of a sentence: what a tool is about is said first
_SENTENCE_ENDS = (". ", "\n", "; ")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ADDRESSES_MODEL = (
    re.compile(r"<(important|system|instructions?|secret|hidden)>", re.IGNORECASE),
    re.compile(
        r"\b(ignore|disregard|forget|override)\b[^.\n]{0,30}\b(previous|earlier|prior|above|all|other)\b[^.\n]{0,20}"
        r"\b(instructions?|prompts?|rules|tools?|guidelines)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(do not|don't|never)\b[^.\n]{0,20}\b(tell|inform|mention|reveal|show)\b[^.\n]{0,30}\buser\b", re.IGNORECASE
    ),
    re.compile(
        r"\b(pass|send|include|forward)\b[^.\n]{0,20}\b(whole|entire|full)\b[^.\n]{0,15}\bconversation\b", re.IGNORECASE
    ),
    re.compile(r"\binstead of\b[^.\n]{0,20}\b(any|all|every) other tools?\b", re.IGNORECASE),
)


def name_quirks(name: str, annotations: Mapping[str, Json]) -> Iterator[Quirk]:
    """What model APIs refuse about a name, and annotations that contradict it."""
    if not _PORTABLE_NAME.fullmatch(name):
        reason = "longer than 64 characters" if len(name) > 64 else "not of A-Z a-z 0-9 _ - only"
        yield Quirk(slug="nonportable-tool-name", message=f"its name is {reason}", pointer=("name",))
    reads, destroys = annotations.get("readOnlyHint") is True, annotations.get("destructiveHint") is True
    said = [word.lower() for word in _WORD.findall(name[:1000])]
    verb = next((word for word in said if word in _DESTRUCTIVE | _READING), "")
    if reads and destroys:
        message = "annotations say both read-only and destructive"
        yield Quirk(slug="annotations-contradictory", message=message, pointer=("annotations",))
    elif reads and verb in _DESTRUCTIVE:
        message = f"annotations say read-only, the name says '{verb}'"
        yield Quirk(slug="hint-contradicts-name", message=message, pointer=("annotations", "readOnlyHint"))
    elif destroys and said and said[0] in _READING and "and" not in said:  # find_and_replace
        message = f"annotations say destructive, the name says '{said[0]}'"
        yield Quirk(slug="hint-contradicts-name", message=message, pointer=("annotations", "destructiveHint"))


def description_quirks(description: str, raw: Mapping[str, Json]) -> Iterator[Quirk]:
    """A missing description, hidden characters, words that are meant for the model."""
    if not description.strip() and (
        "description" not in raw or raw["description"] is None or raw["description"] == description
    ):
        yield Quirk(slug="missing-description", message="it has no description", pointer=())
    for key in ("title", "description"):
        text = raw.get(key)
        if isinstance(text, str):
            found = invisible(text)
            if found:
                message = f"{key} holds the invisible character U+{ord(found):04X}"
                yield Quirk(slug="hidden-characters", message=message, pointer=(key,))
    addressed = addresses_model(description)
    if addressed:
        message = f"its description addresses the model: '{shown(addressed)}'"
        yield Quirk(slug="suspicious-description", message=message, pointer=("description",))


def invisible(text: str) -> str:
    """The first invisible or direction-changing character, "" for none; marks that Arabic and Hebrew need are none."""
    if text.isascii():
        return ""
    text = FLAG.sub("", text[:MAX_READ])
    found = _INVISIBLE.search(text)
    if found and found.group() in "\u200e\u200f" and _RIGHT_TO_LEFT.search(text):
        return invisible(text.replace("\u200e", "").replace("\u200f", ""))
    return found.group() if found else ""


def addresses_model(text: str) -> str:
    """The first words that speak to the model instead of describing, "" for none."""
    matches = (pattern.search(text, 0, MAX_READ) for pattern in _ADDRESSES_MODEL)
    return next((match.group() for match in matches if match), "")


def indexed_description(description: str) -> str:
    """The description as far as it speaks to people: what addresses the model must not win requests."""
    starts = [found.start() for pattern in _ADDRESSES_MODEL if (found := pattern.search(description, 0, MAX_READ))]
    return description[: min(starts)].rstrip() if starts else description


def first_sentence(description: str) -> str:
    """The first sentence of a description, of which no name is a part; "" where it says next to nothing."""
    text = indexed_description(description).strip()
    for end in _SENTENCE_ENDS:
        text = text.split(end)[0]
    said = text.split()[:_WORDS]
    return " ".join(said) if len(said) > 2 else ""


def stems_of(text: str) -> dict[str, str]:
    """The stems of what a text says, each with the word that it comes from first."""
    found: dict[str, str] = {}
    for word in words(text):
        if word not in STOP:
            found.setdefault(stem(word), word)
    return found


def shown(text: str, limit: int = 80) -> str:
    """A text from a source as it may stand in a message: one line, nothing invisible, not endless."""
    clean = "".join(c if unicodedata.category(c)[0] != "C" else f"\\u{ord(c):04x}" for c in text[: limit + 1])
    return clean if len(clean) <= limit else f"{clean[: limit - 3]}..."
