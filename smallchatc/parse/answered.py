"""Servers that a configuration names, and their tools: from a recording among the sources, else from a live answer.

An answer is read like the file that `snapshot` writes of it, so both give the same tools; it is said to stand
where the server is configured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic, Json, Span
from ..recording import recording_text
from .documents import Pointer
from .listing import Listing
from .reads import pointer_text
from .sources import Recording
from .tools import clean_id


def asked_for(
    servers: Iterable[Configured], listings: Sequence[Listing]
) -> tuple[tuple[Configured, ...], list[Diagnostic]]:
    """The servers whose tools only they themselves can list, each once, and why the others are not asked."""
    asked: list[Configured] = []
    said: list[Diagnostic] = []
    recorded = {clean_id(listing.id or "") for listing in listings if listing.kind == "recorded-server"}
    for each in servers:
        name = clean_id(each.server.name)
        if name and name in recorded:
            said.append(_note("server-recorded", each, "is among the sources as a recording; not asked"))
        elif not each.server.enabled:
            said.append(_note("server-disabled", each, "is turned off; not asked"))
        elif not each.by_hand:
            said.append(_note("server-not-started", each, "was found in a folder; not started"))
        elif any(each.server == other.server for other in asked):
            said.append(_note("merged-provider", each, "is configured the same elsewhere; asked once"))
        else:
            asked.append(each)
    return tuple(asked), said


def recording_of(listing: Listing, servers: Iterable[Configured]) -> Configured | None:
    """The server of which this listing is the recording."""
    if listing.kind != "recorded-server" or not listing.id:
        return None
    name = clean_id(listing.id)
    return next((each for each in servers if clean_id(each.server.name) == name), None)


def recorded_answer(recording: Mapping[str, Json], configured: Configured) -> Recording:
    """What a live server listed, as a source that stands where the server is configured."""

    def locate(pointer: Pointer) -> Span:
        return replace(configured.span, pointer=pointer_text(pointer[1:]))

    return Recording(path=configured.span.file, text=recording_text(recording), locate=locate)


def _note(slug: str, configured: Configured, message: str) -> Diagnostic:
    return diagnostic(slug, f"{configured.label} {message}", span=configured.span)
