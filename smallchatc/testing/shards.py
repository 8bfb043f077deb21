"""Shards: the cases of a run, dealt to several machines by what they say and never by where they stand.

A case that is added, moved or removed sends no other case to another shard.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from .scorecard import Case

_VARIANT = 8  # hex digits that tell cases of one wording apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The `index`-th of `count` shards, from 1."""

    index: int
    count: int

    def has(self, query: str, variant: str) -> bool:
        """Whether the case of this identity is dealt to it."""
        dealt = hashlib.sha256(f"{variant}\0{query}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(dealt[:8], "big") % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE = Shard(index=1, count=1)


def variant_of(case: Case) -> str:
    """What makes a case another one than its words alone: the tools it is asked among and its arguments, as a digest.

    With its words this is a case's identity; "" where there is neither.
    """
    if case.among is None and case.args is None:
        return ""
    asked = [None if case.among is None else sorted(case.among), case.args]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_VARIANT]


def dealt(cases: tuple[Case, ...], shard: Shard) -> tuple[Case, ...]:
    """The cases of a shard, in their order."""
    return tuple(case for case in cases if shard.has(case.query, variant_of(case)))
