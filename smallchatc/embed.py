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
from .wording import indexed_description

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = "views-2"
"""The version of the texts below; part of every cache key and of the artifact."""

_SPACE = re.compile(r"\s+")
_DESCRIPTION = 400  # characters that are embedded; the teacher reads no more than 256 pieces
_ARGUMENTS = 10
_SENTENCE = 200


def embed_catalog(
    catalog: Catalog, encoder: Encoder, *, progress: Callable[[int, int], None] | None = None
) -> EmbeddedCatalog:
    """The catalog with its tools' vectors, made by `encoder` in batches of a fixed size."""
    import numpy as np

    several = len(catalog.providers) > 1
    views = [tool_views(tool, provider=several) for tool in catalog.tools]
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


def tool_views(tool: Tool, *, provider: bool = True) -> tuple[tuple[str, float], ...]:
    """The texts that stand for a tool, each with its weight.

    Provider and name with the description, the same with argument names, and the name with the first sentence
    alone: measured better on average than other mixtures (docs/selection.md). A provider that all tools share
    says nothing and is left out.
    """
    name = " ".join(words(f"{tool.name} {tool.hints.selector or ''}"))
    text = indexed_description(tool.description) or tool.title
    said = _SPACE.sub(" ", text).strip()
    direct = [arg.name for arg in tool.args if "." not in arg.name][:_ARGUMENTS]
    arguments = ", ".join(" ".join(words(name)) for name in direct)
    full = f"{' '.join(words(tool.provider)) if provider else ''} {name}: {said[:_DESCRIPTION]}".strip()
    return (
        (full, 1.0),
        (f"{full} ({arguments})" if arguments else full, 1.0),
        (f"{name}: {_first_sentence(text)[:_SENTENCE]}", 1.0),
    )


def _first_sentence(text: str) -> str:
    match = re.match(r".{15,}?[.!?:\n](?=\s|$)", text + " ", re.DOTALL)
    return _SPACE.sub(" ", match.group() if match else text).strip()


_BATCH = 64
