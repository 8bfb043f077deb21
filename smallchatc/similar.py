"""Similar: the tools nearest to one by cosine.

sqlite-vec computes them where it loads, plain Python elsewhere, with equal results.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from typing import Any

from runtime_min.artifact import Artifact

from .describe import tool_id, tool_paths


def similar(artifact: Artifact, path: str, k: int = 10) -> tuple[list[dict[str, Any]], str]:
    """The k nearest tools by cosine, and who computed it: sqlite-vec where it loads, else Python."""
    number = tool_id(artifact, path)
    row = artifact.row("SELECT vector FROM profile WHERE tool = ?", number)
    if row is None:
        return [], "python"
    try:
        rows, engine = _similar_sql(artifact, number, row[0], k), "sqlite-vec"
    except _NoVec:
        rows, engine = _similar_python(artifact, number, row[0], k), "python"
    return [{"tool": name, "similarity": round(cosine, 4)} for name, cosine in rows], engine


class _NoVec(Exception):
    """sqlite-vec does not load here."""


def _similar_sql(artifact: Artifact, number: int, vector: bytes, k: int) -> list[tuple[str, float]]:
    connection = artifact.connection()
    _load_vec(connection)
    rows = connection.execute(
        "SELECT p.name || '/' || t.name, 1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS cosine"
        " FROM profile v JOIN tool t ON t.id = v.tool JOIN provider p ON p.id = t.provider"
        " WHERE v.tool <> ? AND v.scale > 0 ORDER BY round(cosine, 4) DESC, v.tool LIMIT ?",
        (vector, number, k),
    )
    return rows.fetchall()


def _load_vec(connection: Any) -> None:
    """Load sqlite-vec into a connection; raises _NoVec where it is not installed or cannot be loaded."""
    import sqlite3

    enable: Callable[[bool], None] | None = getattr(connection, "enable_load_extension", None)
    if enable is None:
        raise _NoVec("this Python's sqlite3 cannot load extensions")
    try:
        import sqlite_vec
    except ImportError as err:
        raise _NoVec("sqlite-vec is not installed") from err
    try:
        enable(True)
        sqlite_vec.load(connection)
        enable(False)
    except sqlite3.Error as err:
        raise _NoVec(str(err)) from err


def _similar_python(artifact: Artifact, number: int, vector: bytes, k: int) -> list[tuple[str, float]]:
    mine, scale = _int8(vector), _norm(vector)
    scored = []
    for tool_number, blob in artifact.rows("SELECT tool, vector FROM profile WHERE tool <> ? AND scale > 0", number):
        cosine = sum(map(mul, mine, _int8(blob))) / (scale * _norm(blob)) if scale else 0.0
        scored.append((-round(cosine, 4), tool_number))
    scored.sort()
    paths = tool_paths(artifact)
    return [(paths[other], -cosine) for cosine, other in scored[:k]]


def _int8(blob: bytes) -> memoryview:
    return memoryview(blob).cast("b")


def _norm(blob: bytes) -> float:
    values = _int8(blob)
    return float(sum(map(mul, values, values)) ** 0.5)
