"""Embed: a catalog gains one unit vector per tool.

A tool's vector is the sum of a few views of its text, so that neither a long description drowns the
name nor a bare name stands alone. The encoder is the only thing injected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runtime_min.lexicon import words

from .cache import Cache, cache_key
from .encoders import Encoder
from .model import Catalog, EmbeddedCatalog, EncoderId, Tool
from .wording import indexed_description

if TYPE_CHECKING:
    import numpy as np

RULE = "views-3"
"""The version of the texts below; part of every cache key and of the artifact."""

_SPACE = re.compile(r"\s+")
_DESCRIPTION = 400  # characters that are embedded; the teacher reads no more than 256 pieces
_ARGUMENTS = 10
_SENTENCE = 200

Views = tuple[tuple[str, float], ...]


def embed_catalog(
    catalog: Catalog,
    encoder: Encoder,
    *,
    cache: Cache | None = None,
    locked: Mapping[bytes, bytes] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EmbeddedCatalog:
    """The catalog with its tools' vectors: those that are `locked`, else those of the cache, else made by `encoder`.

    A vector lies on the grid that the artifact stores it in, so that everything that is made of it can be made of
    those bytes again, wherever they come from.
    """
    import numpy as np

    several = len(catalog.providers) > 1
    views = [tool_views(tool, provider=several) for tool in catalog.tools]
    keys = [vector_key(encoder.id, view) for view in views]
    known = {**(cache.recall(keys) if cache else {}), **(locked or {})}
    missing = {key: view for key, view in zip(keys, views, strict=True) if key not in known}
    new = sorted(missing)
    for start in range(0, len(new), _BATCH):
        batch = new[start : start + _BATCH]
        made = dict(zip(batch, _encoded(encoder, [missing[key] for key in batch]), strict=True))
        known |= made
        if cache:
            cache.keep("vector", made)
        if progress:
            progress(min(start + _BATCH, len(new)), len(new))
    vectors = np.zeros((len(keys), encoder.id.dim), dtype=np.float32)
    for index, key in enumerate(keys):
        vectors[index] = _off_grid(known[key])
    return EmbeddedCatalog(catalog=catalog, vectors=vectors, encoder=encoder.id)


def vector_key(encoder: EncoderId, views: Views) -> bytes:
    """The digest of all that a tool's vector depends on."""
    said = (part for text, weight in views for part in (text, repr(weight)))
    return cache_key("vector", RULE, encoder.fingerprint, *said)


def grid_bytes(vector: np.ndarray[Any, Any]) -> bytes:
    """A vector as whole numbers, a byte each, the largest of them 127: as `profile.vector` has it."""
    import numpy as np

    exact = vector.astype(np.float64)
    largest = float(np.abs(exact).max()) or 1.0
    return np.rint(exact / largest * 127).astype(np.int8).tobytes()


def _off_grid(data: bytes) -> np.ndarray[Any, np.dtype[np.float32]]:
    import numpy as np

    whole = np.frombuffer(data, dtype=np.int8).astype(np.int64)
    square = int((whole * whole).sum())
    return (whole / math.sqrt(square or 1)).astype(np.float32)


def _encoded(encoder: Encoder, views: Sequence[Views]) -> Iterator[bytes]:
    """The vectors of some tools; a text that several of them share is encoded once."""
    import numpy as np

    texts = sorted({text for view in views for text, _ in view})
    encoded = dict(zip(texts, encoder.encode(texts).astype(np.float64), strict=True))
    for view in views:
        total = np.zeros(encoder.id.dim, dtype=np.float64)
        for text, weight in view:
            total += weight * encoded[text]
        yield grid_bytes(total)


def tool_views(tool: Tool, *, provider: bool = True) -> Views:
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
