"""Replay: a proof becomes a resolution again, and the two are compared.

A proof says what was asked (the intent, the types of the arguments, the choice it was limited to) and by which
artifact it was answered. The same runtime gives the same proof; another says where it differs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .named import NamedTuple
from .proof import Proof

if TYPE_CHECKING:
    from .resolution import Resolution
    from .runtime import ToolRuntime

_EXAMPLES: Mapping[str, Any] = {"s": "", "n": 0, "b": False, "z": None, "o": {}, "a": []}


class Replay(NamedTuple):
    """The resolution that a proof led to again, and where its proof differs (JSON pointer: then, now)."""

    resolution: Resolution
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether it is the same proof."""
        return not self.differences


def replay(proof: Proof | Mapping[str, Any], runtime: ToolRuntime) -> Replay:
    """Ask again what a proof says was asked, past the cache."""
    then = proof.to_dict() if isinstance(proof, Proof) else proof
    asked: Mapping[str, Any] = next((step for step in then["steps"] if step["step"] == "ask"), {})
    args = {name: _EXAMPLES.get(code) for name, code in asked.get("args", {}).items()}
    resolution = runtime.resolve_anew(then["intent"], args or None, k=asked.get("k", 5), among=asked.get("among"))
    now = resolution.proof.to_dict()
    return Replay(resolution, tuple(_differences(json.loads(json.dumps(then)), json.loads(json.dumps(now)), "")))


def _differences(then: Any, now: Any, path: str) -> list[str]:
    if type(then) is type(now):
        if isinstance(then, dict):
            keys = [*then, *(key for key in now if key not in then)]
            return [
                line
                for key in keys
                for line in _differences(then.get(key, "(absent)"), now.get(key, "(absent)"), f"{path}/{key}")
            ]
        if isinstance(then, list) and len(then) == len(now):
            pairs = enumerate(zip(then, now, strict=True))
            return [line for i, (a, b) in pairs for line in _differences(a, b, f"{path}/{i}")]
        if then == now:
            return []
    return [f"{path or '/'}: {json.dumps(then, ensure_ascii=False)} -> {json.dumps(now, ensure_ascii=False)}"]
