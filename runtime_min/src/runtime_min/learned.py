"""Learned state: the semantic map and the observer become a JSON file, and a file becomes them again.

No default file and no clock: the host says where. What a file of another artifact says about tools that this
one does not have, or has otherwise, is dropped with a note.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .errors import SmallchatError
from .observer import Observer
from .semantic_map import SemanticMap, read_choice

VERSION = 1


class LearnedState:
    """What one runtime has learned. `fingerprint_of` says what a tool is now, None when it is gone."""

    def __init__(
        self, fingerprint_of: Callable[[str], str | None], digest_of: Callable[[], str], changed: Callable[[], object]
    ) -> None:
        self.map = SemanticMap()
        self.observer = Observer()
        self._fingerprint_of = fingerprint_of
        self._digest_of = digest_of
        self._changed = changed

    def __len__(self) -> int:
        return len(self.map) + len(self.observer)

    def to_dict(self) -> dict[str, Any]:
        """The document that `save` writes."""
        return {
            "version": VERSION,
            "artifact": self._digest_of(),
            "choices": self.map.to_list(),
            "observer": self.observer.to_dict(),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to a file; readers see the old one or the new one."""
        where = Path(path)
        beside = where.with_name(f".{where.name}.{os.getpid()}")
        try:
            beside.write_text(json.dumps(self.to_dict(), ensure_ascii=True, indent=1) + "\n", encoding="ascii")
            beside.replace(where)
        finally:
            beside.unlink(missing_ok=True)

    def load(self, path: str | os.PathLike[str]) -> list[str]:
        """Take in a file; the notes say what of it was dropped. Raises SmallchatError for a file of another kind."""
        try:
            value = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as err:
            raise SmallchatError(
                f"{path}: not a file of learned choices: {err}", hint="name one that save wrote"
            ) from err
        return self.merge(value, where=str(path))

    def merge(self, value: Mapping[str, Any], *, where: str = "learned state") -> list[str]:
        """Take in what `to_dict` gave, here or elsewhere; merging twice changes nothing."""
        if not isinstance(value, Mapping) or value.get("version") != VERSION:
            raise SmallchatError(
                f"{where}: not learned state of version {VERSION}",
                hint="it may be from another release: learn it again",
            )
        try:
            choices = [read_choice(one) for one in value.get("choices", [])]
            observed = Observer()
            observed.merge(value.get("observer", {}))
        except (ValueError, TypeError, AttributeError) as err:
            raise SmallchatError(f"{where}: damaged: {err}", hint="learn it again") from err
        self.map.merge(choices)
        self.observer.merge(observed.to_dict())
        return self.keep_valid()

    def keep_valid(self) -> list[str]:
        """Drop what no longer holds for the artifact; a note for each."""
        notes = self.map.keep_valid(self._fingerprint_of)
        self._changed()
        return notes

    def reset(self) -> None:
        """Forget everything."""
        self.map.clear()
        self.observer.reset()
        self._changed()
