"""Measured: what the compiler found out about a catalogue, read back from its artifact as figures.

Turns the meta rows of `calibrate` and `index` into JSON values; an artifact that lacks one has no figure for it.
"""

from __future__ import annotations

import json
from typing import Any

from runtime_min import confidence
from runtime_min.artifact import Artifact
from runtime_min.format import TABLES
from runtime_min.values import KINDS


def own_words(artifact: Artifact) -> dict[str, Any]:
    """How many tools were asked for in half of their own words, and the share that came first; None of none."""
    rows = _reliability(artifact)
    asked = sum(row["asked"] for row in rows)
    right = sum(row["right"] * row["asked"] for row in rows)
    return {"asked": asked, "right": round(right / asked, 4) if asked else None}


def calibration(artifact: Artifact) -> dict[str, Any]:
    """What generic talk scores, the cuts that hold, how honest confidence is, and what each kind of value counts."""
    weights = json.loads(artifact.meta.get("kind_weights", "[]"))
    measured = confidence.Calibration.of(artifact)
    spreads = {"score": measured.score, "dense": measured.dense} if "calibration" in artifact.meta else {}
    return {
        "talk": {name: {"mean": mean, "deviation": deviation} for name, (mean, deviation) in spreads.items()},
        "cuts": confidence.Cuts.of(artifact)._asdict(),
        "reliability": _reliability(artifact),
        "self": own_words(artifact),
        "kinds": dict(zip(KINDS, weights, strict=False)),
        "encoders": {"tools": artifact.meta.get("tool_encoder", artifact.encoder), "intents": artifact.encoder},
    }


def tables(artifact: Artifact) -> dict[str, dict[str, int]]:
    """Rows of each table and the bytes of their values, a number counted as eight."""
    found = {}
    for table in TABLES:
        sizes = " + ".join(
            f"CASE WHEN typeof({column}) IN ('text', 'blob') THEN length(CAST({column} AS BLOB)) ELSE 8 END"
            for column in table.row._fields
        )
        row = artifact.row(f"SELECT count(*), coalesce(sum({sizes}), 0) FROM {table.name}")
        assert row is not None
        found[table.name] = {"rows": row[0], "bytes": row[1]}
    return found


def _reliability(artifact: Artifact) -> list[dict[str, Any]]:
    names = ("from", "asked", "confidence", "right")
    return [dict(zip(names, row, strict=True)) for row in json.loads(artifact.meta.get("reliability", "[]"))]
