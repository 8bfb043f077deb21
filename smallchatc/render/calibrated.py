"""What `inspect --calibration` prints: the figures that a resolution is judged by, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import bold, dim, plain, share, table

_TALK = {"score": "score of the first tool", "dense": "cosine of the nearest tool"}
_CUTS = {
    "fit": "below it nothing fits: NONE",
    "high": "confidence from which a tool runs unasked: HIGH",
    "medium": "from which it is verified first: MEDIUM; below it: LOW",
    "apart": "score by which look-alikes differ, or both are named",
}


def calibration_text(told: Mapping[str, Any]) -> str:
    """All of it, the parts that this artifact has."""
    encoders = told["encoders"]
    parts = [
        _part("encoders", "", [("tools by", plain(encoders["tools"])), ("intents by", plain(encoders["intents"]))]),
        _part("talk", "what generic talk reaches here; fit is how far a request stands above it", _talk(told["talk"])),
        _part("cuts", "", [(name, f"{told['cuts'][name]:g}", dim(said)) for name, said in _CUTS.items()]),
        _part("reliability", _asked(told["self"]), _reliability(told["reliability"])),
        _part("kinds", "score of a kind of value that request and tool share", _kinds(told["kinds"])),
    ]
    return "\n\n".join(part for part in parts if part)


def _part(title: str, said: str, rows: Sequence[Sequence[str]]) -> str:
    return f"{bold(title)}{f'  {dim(said)}' if said else ''}\n{table(rows)}" if rows else ""


def _talk(talk: Mapping[str, Any]) -> list[tuple[str, ...]]:
    rows = [(_TALK[name], f"{row['mean']:.3f}", f"{row['deviation']:.3f}") for name, row in talk.items()]
    return [("", "mean", "deviation"), *rows] if rows else []


def _asked(own: Mapping[str, Any]) -> str:
    return f"{own['asked']} tools, asked for in every other word of their description: {share(own['right'])} came first"


def _reliability(bins: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    rows = [
        (
            f"{row['from']:.1f} to {row['from'] + 0.1:.1f}",
            f"{row['asked']}",
            f"{row['confidence']:.3f}",
            f"{row['right']:.3f}",
        )
        for row in bins
    ]
    return [("confidence", "tools", "mean", "right"), *rows] if rows else []


def _kinds(weights: Mapping[str, float]) -> list[tuple[str, ...]]:
    rows = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return [(name, f"{weight:.3f}" if weight else dim("no tool takes one")) for name, weight in rows]
