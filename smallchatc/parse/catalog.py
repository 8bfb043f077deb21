"""Readings become the catalog: ids settled, copies merged, hints applied, everything sorted once.

The outcome depends on what the sources say, never on the order in which they came: where two of anything
compete, the smaller (path, digest) comes first.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..diagnostics import diagnostic, nearest_name
from ..model import Arg, Catalog, Category, Diagnostic, Hints, Protocol, Provider, Tool
from ..wording import shown
from . import described
from .hints import combine_hints
from .project import Project, read_categories, read_conforms, read_protocols
from .tools import Reading, ReadTool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    """Protocols and categories of all manifests and the project."""

    protocols: tuple[Protocol, ...]
    categories: tuple[Category, ...]
    conforms: Mapping[str, tuple[str, ...]]


def build_catalog(readings: Iterable[Reading], project: Project | None) -> tuple[Catalog, list[Diagnostic]]:
    """One catalog of everything, and every diagnostic of its sources under the provider's final id."""
    said: list[Diagnostic] = []
    ordered = sorted(readings, key=lambda r: (r.provider.source.path, r.provider.source.digest, r.provider.span))
    joined = _join_descriptions([_fold_copies(reading, said) for reading in ordered], said)
    settled = _settle_ids(joined, said)
    declared = _declared(settled, project)
    providers: list[Provider] = []
    tools: list[Tool] = []
    for reading in settled:
        providers.append(_finished_provider(reading, project, declared))
        tools.extend(_finished_tools(reading, project, said))
        said.extend(replace(d, provider=reading.provider.id) for d in reading.said)
    if project is not None:
        said.extend(_unmet_targets(project, settled))
    said.extend(_identical(tools))
    providers.sort(key=lambda provider: provider.id)
    tools.sort(key=lambda tool: (tool.provider, tool.name))
    sources = {
        source.path + "\0" + source.digest: source
        for source in (*(p.source for p in providers), *(t.source for t in tools))
    }
    catalog = Catalog(
        providers=tuple(providers),
        tools=tuple(tools),
        protocols=declared.protocols,
        categories=declared.categories,
        sources=tuple(source for _, source in sorted(sources.items())),
    )
    return catalog, said


def _fold_copies(reading: Reading, said: list[Diagnostic]) -> Reading:
    """The same name twice in one provider (DESIGN 4.4): one tool in every case, and never without a word."""
    kept: dict[str, ReadTool] = {}
    found: list[Diagnostic] = []
    for read in reading.tools:
        first = kept.get(read.tool.name)
        if first is None:
            kept[read.tool.name] = read
            continue
        name, at = shown(read.tool.name), f"{first.tool.span.line}:{first.tool.span.column}"
        new = tuple(s for s in read.tool.signatures if s not in first.tool.signatures)
        if read.tool.fingerprint == first.tool.fingerprint:
            severity, message = "note", f"tool '{name}' is an exact copy of the one at {at}; kept once"
        elif new:
            severity, message = (
                None,
                f"tool '{name}' is defined twice with different arguments (also at {at}); kept as two signatures",
            )
            kept[read.tool.name] = _with_signatures(first, read)
        else:
            severity, message = (
                None,
                f"tool '{name}' is defined twice with other words (also at {at}); the first is kept",
            )
        found.append(
            diagnostic(
                "duplicate-tool",
                message,
                span=read.tool.span,
                provider=read.tool.provider,
                tool=read.tool.name,
                severity=severity,
            )
        )
    return replace(reading, tools=tuple(kept.values()), said=(*reading.said, *found)) if found else reading


def _with_signatures(first: ReadTool, other: ReadTool) -> ReadTool:
    """The first tool with the other's signatures and arguments; the other's words are found as a selector hint."""
    args: dict[str, Arg] = {arg.name: arg for arg in (*other.tool.args, *first.tool.args)}
    shared = {arg.name for arg in first.tool.args} & {arg.name for arg in other.tool.args}
    tool = replace(
        first.tool,
        args=tuple(arg if name in shared else replace(arg, required=False) for name, arg in sorted(args.items())),
        signatures=tuple(dict.fromkeys((*first.tool.signatures, *other.tool.signatures))),
    )
    words = [
        text
        for text in (first.hints.get("selectorHint"), other.tool.description, other.hints.get("selectorHint"))
        if text
    ]
    return ReadTool(tool=tool, hints={**first.hints, "selectorHint": "\n".join(words)} if words else first.hints)


def _join_descriptions(readings: Sequence[Reading], said: list[Diagnostic]) -> list[Reading]:
    """What is described in one source and listed in another is one provider: its tools there, its transport here."""
    describing: dict[str, Reading] = {}
    for reading in readings:
        if _only_describes(reading):
            describing.setdefault(reading.provider.id, reading)
    listed = {reading.provider.id for reading in readings if reading.tools}
    joined: list[Reading] = []
    for reading in readings:
        other = describing.get(reading.provider.id)
        if other is None or reading.provider.id not in listed:
            joined.append(reading)
        elif not _only_describes(reading):
            joined.append(replace(reading, provider=_with_description(reading.provider, other.provider)))
        else:
            message = f"provider '{other.provider.id}' has its tools in another source; how it is reached is said here"
            said.append(
                diagnostic("merged-provider", message, span=reading.provider.span, provider=other.provider.id, hint="")
            )
    return joined


def _only_describes(reading: Reading) -> bool:
    return reading.listing.kind in described.KINDS and not reading.tools


def _with_description(provider: Provider, other: Provider) -> Provider:
    known = provider.transport
    reached = any(key in known for key in ("command", "url", "endpoint", "baseUrl"))
    return replace(
        provider,
        title=provider.title or other.title,
        version=provider.version or other.version,
        description=provider.description or other.description,
        transport=known if reached else {**known, **other.transport},
    )


def _settle_ids(readings: Sequence[Reading], said: list[Diagnostic]) -> list[Reading]:
    """The same id twice: the same tools are one provider, other tools get a number in the order of their digests."""
    by_id: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        by_id[reading.provider.id].append(reading)
    settled: list[Reading] = []
    taken = set(by_id)
    for provider_id in sorted(by_id):
        different: dict[str, Reading] = {}
        for reading in by_id[provider_id]:
            digest = _digest(reading)
            first = different.get(digest)
            if first is None:
                different[digest] = reading
                continue
            said.append(
                diagnostic(
                    "merged-provider",
                    f"provider '{provider_id}' is the same as in {first.provider.source.path}; read as one",
                    span=reading.provider.span,
                    provider=provider_id,
                )
            )
            if first.provider.transport == {} and reading.provider.transport:
                different[digest] = replace(
                    first, provider=replace(first.provider, transport=reading.provider.transport)
                )
        ranked = [different[digest] for digest in sorted(different)]
        settled.append(ranked[0])
        for number, reading in enumerate(ranked[1:], start=2):
            while f"{provider_id}-{number}" in taken:
                number += 1
            other = f"{provider_id}-{number}"
            taken.add(other)
            first_path = ranked[0].provider.source.path
            message = f"provider '{provider_id}' has other tools in {first_path}; this one becomes '{other}'"
            said.append(diagnostic("duplicate-provider", message, span=reading.provider.span, provider=other))
            settled.append(replace(reading, provider=replace(reading.provider, id=other)))
    return settled


def _digest(reading: Reading) -> str:
    """What a provider offers, whatever order or file it stands in."""
    state = hashlib.sha256()
    for read in sorted(reading.tools, key=lambda r: r.tool.name):
        state.update(f"{len(read.tool.name)}:{read.tool.name}{read.tool.fingerprint}{read.tool.call}".encode())
    return state.hexdigest()


def _declared(readings: Sequence[Reading], project: Project | None) -> _Declared:
    """All declarations, also of one name twice: what they mean together is for `link` to say."""
    protocols: list[Protocol] = list(project.protocols) if project else []
    categories: list[Category] = list(project.categories) if project else []
    conforms: dict[str, tuple[str, ...]] = dict(project.conforms) if project else {}
    for reading in readings:
        listing, at = reading.listing, reading.listing.pointer
        protocols.extend(read_protocols(listing.protocols, reading.locate, (*at, "protocols")))
        categories.extend(read_categories(listing.categories, reading.locate, (*at, "categories")))
        for provider, names in read_conforms(listing.protocols).items():
            conforms[provider] = (*conforms.get(provider, ()), *names)
    return _Declared(
        protocols=tuple(sorted(protocols, key=lambda protocol: (protocol.name, protocol.span))),
        categories=tuple(sorted(categories, key=lambda category: (category.name, category.span))),
        conforms=conforms,
    )


def _finished_provider(reading: Reading, project: Project | None, declared: _Declared) -> Provider:
    provider = reading.provider
    override = project.provider_hints.get(provider.id, {}) if project else {}
    superclass = project.superclasses.get(provider.id, provider.superclass) if project else provider.superclass
    conforms = {*provider.conforms, *declared.conforms.get(provider.id, ())}
    return replace(
        provider,
        superclass=superclass,
        conforms=tuple(sorted(conforms)),
        hints=combine_hints(override, reading.hints),
    )


def _finished_tools(reading: Reading, project: Project | None, said: list[Diagnostic]) -> Iterator[Tool]:
    provider_id = reading.provider.id
    for_all = project.provider_hints.get(provider_id, {}) if project else {}
    excluded_as_a_whole = combine_hints(for_all, reading.hints).exclude
    left_out = 0
    for read in reading.tools:
        path = f"{provider_id}/{read.tool.name}"
        own = project.tool_hints.get(path, {}) if project else {}
        hints: Hints = combine_hints(own, for_all, read.hints, reading.hints)
        if not hints.exclude:
            yield replace(read.tool, provider=provider_id, hints=hints)
        elif excluded_as_a_whole:
            left_out += 1
        else:
            message = f"tool '{shown(read.tool.name)}' is left out"
            said.append(diagnostic("excluded", message, span=read.tool.span, provider=provider_id, tool=read.tool.name))
    if left_out:
        message = f"provider '{provider_id}' is left out with {left_out} tool{'' if left_out == 1 else 's'}"
        said.append(diagnostic("excluded", message, span=reading.provider.span, provider=provider_id))


def _unmet_targets(project: Project, readings: Sequence[Reading]) -> Iterator[Diagnostic]:
    """Hints of the project for something that is not there."""
    providers = sorted(reading.provider.id for reading in readings)
    tools = sorted(f"{reading.provider.id}/{read.tool.name}" for reading in readings for read in reading.tools)
    for section, named, known, what in (
        ("providerHints", project.provider_hints, providers, "provider"),
        ("toolHints", project.tool_hints, tools, "tool"),
        ("superclasses", project.superclasses, providers, "provider"),
    ):
        for name in named:
            if name not in known:
                message = f"{section} names '{name}', which is no {what} of this catalogue"
                yield diagnostic(
                    "unknown-hint-target", message, span=project.spans[section, name], hint=nearest_name(name, known)
                )


def _identical(tools: Iterable[Tool]) -> Iterator[Diagnostic]:
    """Tools of different providers that say exactly the same: nothing but a provider's name tells them apart."""
    same: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        same[tool.fingerprint].append(tool)
    for group in same.values():
        if len(group) < 2 or any(tool.hints.preferred for tool in group):
            continue
        first, *others = sorted(group, key=lambda tool: tool.path)
        names = ", ".join(f"'{shown(tool.path)}'" for tool in others[:3])
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        message = f"tool '{shown(first.path)}' is identical to {names}{more}"
        yield diagnostic("identical-tools", message, span=first.span, provider=first.provider, tool=first.name)
