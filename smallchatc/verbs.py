"""Verbs: what kind of thing a name or a sentence does, and the words that must agree for two to be the same.

The tables are plain English, reasoned and not fitted to any catalogue. A verb that is in none of them stays
an ordinary word of its name and has to be matched literally, so a gap here can only keep tools apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from runtime_min.lexicon import stem, words

KINDS: dict[str, str] = {
    "read": "get read fetch retrieve show view describe display inspect obtain peek see cat",
    "list": "list enumerate browse ls",
    "search": "search find query lookup discover locate grep seek",
    "count": "count",
    "create": "create add new insert make",
    "generate": "generate compose produce",
    "update": "update edit modify change set alter amend adjust patch",
    "write": "write put save store upsert overwrite",
    "append": "append",
    "prepend": "prepend",
    "rename": "rename",
    "replace": "replace substitute",
    "delete": "delete remove erase destroy drop purge unlink rm discard",
    "clear": "clear empty wipe flush truncate",
    "restore": "restore undelete recover",
    "archive": "archive",
    "unarchive": "unarchive",
    "send": "send post publish deliver",
    "receive": "receive",
    "reply": "reply respond answer",
    "forward": "forward",
    "start": "start launch begin boot",
    "stop": "stop halt terminate kill shutdown",
    "cancel": "cancel abort",
    "pause": "pause suspend",
    "resume": "resume continue unpause",
    "restart": "restart reboot",
    "run": "run execute exec invoke call perform",
    "open": "open",
    "reopen": "reopen",
    "close": "close",
    "lock": "lock",
    "unlock": "unlock",
    "enable": "enable activate",
    "disable": "disable deactivate",
    "install": "install",
    "uninstall": "uninstall",
    "upgrade": "upgrade",
    "downgrade": "downgrade",
    "rollback": "rollback revert undo",
    "redo": "redo",
    "connect": "connect",
    "disconnect": "disconnect",
    "attach": "attach",
    "detach": "detach",
    "link": "link",
    "assign": "assign",
    "unassign": "unassign",
    "subscribe": "subscribe",
    "unsubscribe": "unsubscribe",
    "register": "register",
    "unregister": "unregister deregister",
    "grant": "grant allow permit",
    "revoke": "revoke deny forbid",
    "approve": "approve accept",
    "reject": "reject decline",
    "import": "import ingest",
    "export": "export dump",
    "upload": "upload",
    "download": "download",
    "push": "push",
    "pull": "pull",
    "commit": "commit",
    "checkout": "checkout",
    "clone": "clone",
    "fork": "fork",
    "copy": "copy duplicate",
    "move": "move mv transfer",
    "merge": "merge combine join",
    "split": "split",
    "compare": "compare diff",
    "encode": "encode",
    "decode": "decode",
    "encrypt": "encrypt",
    "decrypt": "decrypt",
    "compress": "compress zip",
    "decompress": "decompress extract unzip",
    "convert": "convert transform",
    "translate": "translate",
    "summarize": "summarize summarise",
    "analyze": "analyze analyse",
    "calculate": "calculate compute",
    "validate": "validate verify check",
    "format": "format",
    "index": "index",
    "reindex": "reindex",
    "deploy": "deploy",
    "build": "build compile",
    "test": "test",
    "schedule": "schedule",
    "request": "request ask",
    "submit": "submit",
    "wait": "wait",
    "navigate": "navigate go goto visit",
    "click": "click tap",
    "hover": "hover",
    "drag": "drag",
    "type": "type",
    "press": "press",
    "scroll": "scroll",
    "select": "select choose pick",
    "fill": "fill",
    "resize": "resize",
    "scale": "scale",
    "take": "take capture",
    "buy": "buy purchase",
    "sell": "sell",
    "deposit": "deposit",
    "withdraw": "withdraw",
    "refund": "refund",
    "charge": "charge",
    "login": "login signin",
    "logout": "logout signout",
    "book": "book reserve",
    "play": "play",
    "record": "record",
    "mute": "mute",
    "unmute": "unmute",
    "pin": "pin",
    "unpin": "unpin",
    "follow": "follow",
    "unfollow": "unfollow",
    "like": "like",
    "star": "star",
    "unstar": "unstar",
    "invite": "invite",
    "increment": "increment increase raise",
    "decrement": "decrement decrease lower reduce",
    "reveal": "reveal unhide",
    "hide": "hide",
}
"""Kinds of verbs, each with the words that a person would swap for one another in a tool's name."""

GENERIC = frozenset("read list search count create generate update write append delete clear send run".split())
"""Kinds that say nothing without their object: to click is an operation, to create is none yet."""

_DESCRIPTIONS_SAY = {"return": "read", "provide": "read"}

OPPOSITES: tuple[tuple[str, str], ...] = (
    ("staged", "unstaged"),
    ("forward", "reverse"),
    ("forward", "backward"),
    ("forward", "back"),
    ("inbound", "outbound"),
    ("incoming", "outgoing"),
    ("input", "output"),
    ("sent", "received"),
    ("read", "unread"),
    ("active", "inactive"),
    ("enabled", "disabled"),
    ("open", "closed"),
    ("public", "private"),
    ("local", "remote"),
    ("upstream", "downstream"),
    ("synchronous", "asynchronous"),
    ("sync", "async"),
    ("ascending", "descending"),
    ("oldest", "newest"),
    ("minimum", "maximum"),
    ("previous", "next"),
    ("source", "target"),
    ("parent", "child"),
    ("buyer", "seller"),
    ("credit", "debit"),
    ("encode", "decode"),
    ("encrypt", "decrypt"),
    ("lock", "unlock"),
    ("subscribe", "unsubscribe"),
    ("install", "uninstall"),
    ("enable", "disable"),
    ("start", "stop"),
    ("import", "export"),
    ("upload", "download"),
    ("attach", "detach"),
    ("connect", "disconnect"),
    ("grant", "revoke"),
    ("approve", "reject"),
    ("increase", "decrease"),
)
"""Words of which one tool has the one and another the other: never the same, in a name or in what is said of it."""

MODIFIERS = frozenset(
    "all one many single multiple batch bulk every each any none both only not no non without"
    " from to out off up down left right top bottom before after"
    " min max first last latest previous next oldest newest old recent current"
    " start end begin min max avg sum total"
    " me my mine own self shared global personal draft final pending".split()
) | frozenset(word for pair in OPPOSITES for word in pair)
"""Words that change which operation a name means: two names must have the same ones."""

DIRECTIONS = frozenset("from to into onto".split())
"""Words around which the order of the others matters: pdf to text is not text to pdf."""

LINKS = frozenset("for of in on with at from to into onto per".split())
"""Words that end the noun phrase that a name is about: in `policies for role` it is the policies."""


def verb_kind(name: Sequence[str]) -> tuple[str | None, int]:
    """The kind of a name's verb and its place: the first word, else the last, else the first one between."""
    if not name:
        return None, -1
    for place in (0, len(name) - 1, *range(1, len(name) - 1)):
        kind = kind_of(name[place])
        if kind:
            return kind, place
    return None, -1


def kind_of(word: str) -> str | None:
    """The kind of a verb in its base form, as names use it."""
    return _bases().get(word)


def sentence_kinds(sentence: str) -> tuple[str, ...]:
    """The kinds of a sentence's first verb and of those listed with it (`List, create or delete branches`), sorted."""
    stems = _stems()
    opening = next((stems[key] for word in words(sentence)[:_OPENING] if (key := stem(word)) in stems), None)
    listed = [stems[key] for word in _LISTED.findall(sentence.lower()) if (key := stem(word)) in stems]
    return tuple(sorted({opening, *listed})) if opening else ()


def opposed(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether one side has only the one word of a pair of opposites and the other side only the other."""
    return any(
        (a in first and b not in first and b in second and a not in second)
        or (b in first and a not in first and a in second and b not in second)
        for a, b in OPPOSITES
    )


_LISTED = re.compile(r"(?:[,:/;]|\band\b|\bor\b)\s*(?:or\s+|and\s+)?([a-z]+)")
_OPENING = 6  # "This tool is used to retrieve": the verb is the sixth word


@cache
def _bases() -> dict[str, str]:
    return {word: kind for kind, verbs in KINDS.items() for word in verbs.split()}


@cache
def _stems() -> dict[str, str]:
    forms: dict[str, str] = {}
    for word, kind in [*_bases().items(), *_DESCRIPTIONS_SAY.items()]:
        forms.setdefault(stem(word), kind)
    return forms
