"""Small catalogues, built in memory: only the data that a test is about."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from smallchatc.model import (
    Catalog,
    Category,
    EmbeddedCatalog,
    EncoderId,
    Hints,
    Param,
    Provider,
    Signature,
    Source,
    Span,
    Tool,
)
from smallchatc.model import Protocol as Capability

SOURCE = Source(path="catalogue.json", kind="manifest", digest="0" * 64)
SPAN = Span(file="catalogue.json", line=1, column=1)


class Build:
    """Values of the model with everything that a test does not name left at nothing."""

    def tool(
        self, path: str, description: str = "", /, *, hints: Hints | None = None, definition: str = "", **params: str
    ) -> Tool:
        """`Build().tool("git/log", "Show commits", repository="s")`; a code in capitals is required."""
        provider, name = path.split("/", 1)
        definition = definition or path
        return Tool(
            provider=provider,
            name=name,
            title="",
            description=description,
            definition=definition,
            fingerprint=hashlib.sha256(definition.encode()).hexdigest(),
            schema_fingerprint="",
            args=(),
            signatures=(
                Signature(
                    params=tuple(
                        Param(name=key, code=code.lower(), required=code.isupper())
                        for key, code in sorted(params.items())
                    ),
                    closed=False,
                ),
            ),
            annotations={},
            hints=hints or Hints(),
            source=SOURCE,
            span=SPAN,
        )

    def provider(self, name: str, **fields: Any) -> Provider:
        return Provider(id=name, source=SOURCE, span=SPAN, **fields)

    def protocol(self, name: str, *required: str, optional: Sequence[str] = ()) -> Capability:
        return Capability(name=name, required=required, optional=tuple(optional), span=SPAN)

    def category(self, name: str, extends: str, *tools: str) -> Category:
        return Category(name=name, extends=extends, tools=tools, span=SPAN)

    def catalog(
        self,
        tools: Iterable[Tool],
        providers: Iterable[Provider] = (),
        protocols: Iterable[Capability] = (),
        categories: Iterable[Category] = (),
    ) -> Catalog:
        """Sorted as the parser sorts; providers that only tools name are added."""
        listed = sorted(tools, key=lambda tool: (tool.provider, tool.name))
        known = {provider.id: provider for provider in providers}
        for tool in listed:
            known.setdefault(tool.provider, self.provider(tool.provider))
        return Catalog(
            providers=tuple(known[name] for name in sorted(known)),
            tools=tuple(listed),
            protocols=tuple(protocols),
            categories=tuple(categories),
            sources=(SOURCE,),
        )

    def embedded(self, catalog: Catalog, vectors: Any = None) -> EmbeddedCatalog:
        """With these rows, or with one and the same vector for every tool: only the guards decide then."""
        rows = np.asarray([(1, 0)] * len(catalog.tools) if vectors is None else vectors, dtype=np.float32)
        rows = rows if len(rows) else rows.reshape(0, 2)
        return EmbeddedCatalog(
            catalog=catalog, vectors=rows, encoder=EncoderId(name="test", dim=rows.shape[1], fingerprint="0" * 64)
        )


@pytest.fixture
def build() -> Build:
    return Build()


@pytest.fixture
def at_degrees() -> Callable[..., list[tuple[float, float]]]:
    """Plane vectors at these angles; the cosine of 30 degrees is .866, of 60 it is .5."""
    return lambda *angles: [(math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in angles]
