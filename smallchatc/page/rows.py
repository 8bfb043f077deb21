"""The rows of an artifact that resolving reads, as one JSON value: columns, and what is bytes as base64."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable

from runtime_min.artifact import Artifact
from runtime_min.confidence import Calibration, Cuts
from runtime_min.identity import id_code

from ..model import Json

_WIDTH = {"B": 1, "H": 2, "I": 4}


def resolver_rows(artifact: Artifact) -> dict[str, Json]:
    """What the resolver of the page reads."""
    return {
        "tools": artifact.tools,
        "width": _WIDTH[id_code(artifact.tools)],
        "unknown_idf": int(artifact.meta["unknown_idf"]),
        "longest_name": int(artifact.meta["longest_name"]) + 2,
        "kind_weights": json.loads(artifact.meta["kind_weights"]),
        "calibration": Calibration.of(artifact)._asdict(),
        "cuts": Cuts.of(artifact)._asdict(),
        "piece": _columns(
            artifact,
            "piece",
            texts=("piece", "term", "near"),
            numbers=("idf", "weight"),
            fixed=("row",),
            blobs=("points", "owners"),
        ),
        "term": _columns(artifact, "term", texts=("term", "key"), numbers=("idf",), blobs=("points", "owners")),
        "profile": _columns(
            artifact,
            "profile",
            texts=("terms",),
            numbers=("scale", "verb", "deletes", "kinds", "priority"),
            fixed=("vector",),
            blobs=("shares",),
        ),
        "name": [list(row) for row in artifact.rows("SELECT key, tool, kind FROM name ORDER BY key, tool, kind")],
        "alike": sorted({tuple(row) for table in ("collision", "duplicate") for row in _pairs(artifact, table)}),
    }


def _pairs(artifact: Artifact, table: str) -> list[tuple[int, int]]:
    return [(first, second) for first, second in artifact.rows(f"SELECT first, second FROM {table}")]


def _columns(
    artifact: Artifact,
    table: str,
    *,
    texts: Iterable[str],
    numbers: Iterable[str],
    fixed: Iterable[str] = (),
    blobs: Iterable[str] = (),
) -> dict[str, Json]:
    """A table by column, its rows by key; `fixed` are blobs of one length, of the others each row's is given."""
    order = "tool" if table == "profile" else table
    found: dict[str, Json] = {}
    for column in (*texts, *numbers, *fixed, *blobs):
        values = [value for (value,) in artifact.rows(f"SELECT {column} FROM {table} ORDER BY {order}")]
        if column in (*texts, *numbers):
            found[column] = values
            continue
        found[column] = b64encode(b"".join(values)).decode()
        if column in blobs:
            found[f"{column}_sizes"] = [len(value) for value in values]
    return found
