"""Embed: a catalog gains one unit vector per tool.

A tool's vector is the sum of a few views of its text, so that neither a long description drowns the
name nor a bare name stands alone. The encoder is the only thing injected.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from runtime_min.lexicon import words

from .encoders import Encoder
from .model import Catalog, EmbeddedCatalog, Tool

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = "views-1"
"""The version of the texts below; part of every cache key and of the artifact."""

_SPACE = re.compile(r"\s+")
_DESCRIPTION = 400  # characters that are embedded; the teacher reads no more than 256 pieces
_ARGUMENTS = 10


def embed_catalog(
    catalog: Catalog, encoder: Encoder, *, progress: Callable[[int, int], None] | None = None
) -> EmbeddedCatalog:
    """The catalog with its tools' vectors, made by `encoder` in batches of a fixed size."""
    import numpy as np

    views = [tool_views(tool) for tool in catalog.tools]
    texts = sorted({text for view in views for text, _ in view})
    place = {text: index for index, text in enumerate(texts)}
    encoded = np.zeros((len(texts), encoder.id.dim), dtype=np.float32)
    for start in range(0, len(texts), _BATCH):
        encoded[start : start + _BATCH] = encoder.encode(texts[start : start + _BATCH])
        if progress:
            progress(min(start + _BATCH, len(texts)), len(texts))
    vectors = np.zeros((len(views), encoder.id.dim), dtype=np.float32)
    for index, view in enumerate(views):
        total = np.zeros(encoder.id.dim, dtype=np.float64)
        for text, weight in view:
            total += weight * encoded[place[text]].astype(np.float64)
        norm = float(np.sqrt((total * total).sum()))
        if norm:
            vectors[index] = total / norm
    return EmbeddedCatalog(catalog=catalog, vectors=vectors, encoder=encoder.id)


def tool_views(tool: Tool) -> tuple[tuple[str, float], ...]:
    """The texts that stand for a tool, each with its weight.

    Provider and name with the description, the same with argument names, the name alone and the description
    alone: measured better on average than any one of them (docs/selection.md).
    """
    provider = " ".join(words(tool.provider))
    name = " ".join(words(f"{tool.name} {tool.hints.selector or ''}"))
    said = tool.description or tool.title
    description = _SPACE.sub(" ", said).strip()[:_DESCRIPTION]
    arguments = ", ".join(" ".join(words(arg.name)) for arg in tool.args[:_ARGUMENTS] if "." not in arg.name)
    full = f"{provider} {name}: {description}"
    return (
        (full, 1.0),
        (f"{full} ({arguments})" if arguments else full, 1.0),
        (f"{provider} {name}", 0.5),
        (description or name, 0.5),
    )


_BATCH = 64
