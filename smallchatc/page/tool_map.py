"""The vectors of tools become places on a map: the two directions in which they differ most.

What is near on the map is mostly near in meaning; what is far may be near in the other 254 directions, so the pairs
that may be confused are drawn as lines.
"""

from __future__ import annotations

from runtime_min.artifact import Artifact

_DIGITS = 4
_LEAST = 1e-6  # of an extent that is one; below, tools differ by rounding alone


def tool_places(artifact: Artifact) -> list[tuple[float, float]]:
    """A place from 0 to 1 for each tool, by id; the middle for a tool without a vector."""
    import numpy as np

    rows = artifact.rows("SELECT vector, scale FROM profile ORDER BY tool")
    vectors = np.array([np.frombuffer(vector, dtype=np.int8) * scale for vector, scale in rows], dtype=np.float64)
    if len(rows) < 3:
        return [((place + 1) / (len(rows) + 1), 0.5) for place in range(len(rows))]
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    found = directions[:, [-1, -2]]
    # A direction has no sign of its own: the largest of its parts is positive.
    found = found * np.sign(found[np.abs(found).argmax(axis=0), [0, 1]])
    places = centred @ found
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    flat = span < _LEAST
    scaled = np.where(flat, 0.5, (places - low) / np.where(flat, 1, span))
    return [(round(float(x), _DIGITS), round(float(y), _DIGITS)) for x, y in scaled]
