"""An artifact read as sources are: its stored definitions become a catalog, with the places they came from.

What is said about them is said again, by the same code, since an artifact stores tools and no diagnostics. What its
authors excused is not taken over: an artifact is data from somebody else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from runtime_min.artifact import Artifact

from ..diagnostics import sort_diagnostics
from ..model import Source, Span
from ..parse import Parsed
from ..parse.catalog import build_catalog
from ..parse.documents import Pointer
from ..parse.listing import Entry, Listing
from ..parse.tools import read_listing


def read_stored(artifact: Artifact) -> Parsed:
    """The catalog of an artifact, and what there is to say about its tools."""
    sources = {
        id: Source(path=path, kind=kind, digest=digest)
        for id, path, kind, digest in artifact.rows("SELECT id, path, kind, digest FROM source")
    }
    entries = defaultdict(list)
    preferred = set()
    for provider, name, definition, hints, source, line, column in artifact.rows(
        "SELECT provider, name, definition, hints, source, line, column FROM tool ORDER BY id"
    ):
        value = json.loads(definition)
        if isinstance(value.get("compilerHints"), dict):
            value = {key: part for key, part in value.items() if key != "compilerHints"}
        entries[provider].append((value, Span(file=sources[source].path, line=line, column=column)))
        if json.loads(hints).get("preferred"):
            preferred.add((provider, name))
    readings = []
    ids = {}
    for provider, id, title, version, source, line in artifact.rows(
        "SELECT id, name, title, version, source, line FROM provider ORDER BY id"
    ):
        ids[provider] = id
        listing = Listing(
            kind=sources[source].kind,
            id=id,
            title=title,
            version=version,
            entries=tuple(Entry(value=value, pointer=(number,)) for number, (value, _) in enumerate(entries[provider])),
        )
        spans = [span for _, span in entries[provider]]
        locate = _locator(spans, Span(file=sources[source].path, line=line, column=1))
        readings.append(read_listing(listing, sources[source], locate))
    catalog, said = build_catalog(readings, None)
    kept = {(ids[provider], name) for provider, name in preferred}
    tools = tuple(
        replace(tool, hints=replace(tool.hints, preferred=True)) if (tool.provider, tool.name) in kept else tool
        for tool in catalog.tools
    )
    return Parsed(catalog=replace(catalog, tools=tools), project=None, diagnostics=sort_diagnostics(said))


def _locator(spans: list[Span], frame: Span) -> Callable[[Pointer], Span]:
    """A tool's stored place for everything inside it; the pointer leads from the tool."""

    def locate(pointer: Pointer) -> Span:
        if not pointer or not isinstance(pointer[0], int) or pointer[0] >= len(spans):
            return frame
        text = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer[1:])
        return replace(spans[pointer[0]], pointer=text)

    return locate
