"""Classes: providers, protocols and categories become tool classes with checked relations.

Everything that a declaration gets wrong is collected, and what is wrong is left out of the result, so that an
image can be made of the rest: an unknown superclass is none, an unmet protocol is not conformed to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from runtime_min.lexicon import canonical

from .diagnostics import diagnostic, nearest_name
from .model import Catalog, Category, Diagnostic, Protocol, Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """The relations of the tool classes, by provider id; protocols and categories sorted by name."""

    superclass: Mapping[str, str]
    protocols: tuple[Protocol, ...]
    conforms: Mapping[str, tuple[str, ...]]
    categories: tuple[Category, ...]  # with tools that exist
    extended: Mapping[str, tuple[str, ...]]  # category name -> provider ids
    diagnostics: tuple[Diagnostic, ...]


def tool_classes(catalog: Catalog) -> Classes:
    """The classes of a catalog and all that is wrong with their declarations."""
    said: list[Diagnostic] = []
    protocols = _protocols(catalog.protocols, said)
    superclass = _superclasses(catalog.providers, said)
    conforms = _conformances(catalog, protocols, superclass, said)
    categories = _categories(catalog, said)
    extended = _extensions(catalog, categories, protocols, conforms, said)
    return Classes(
        superclass=superclass,
        protocols=tuple(protocols.values()),
        conforms=conforms,
        categories=tuple(category for category in categories if category.name in extended),
        extended=extended,
        diagnostics=tuple(said),
    )


def lineage(provider: str, superclass: Mapping[str, str]) -> Iterator[str]:
    """A class, its superclass, and so on up; a cycle ends where it closes."""
    seen: set[str] = set()
    while provider not in seen:
        yield provider
        seen.add(provider)
        if provider not in superclass:
            return
        provider = superclass[provider]


def _superclasses(providers: Sequence[Provider], said: list[Diagnostic]) -> dict[str, str]:
    known = {provider.id: provider for provider in providers}
    superclass: dict[str, str] = {}
    for provider in providers:
        if provider.superclass is None:
            continue
        if provider.superclass in known:
            superclass[provider.id] = provider.superclass
        else:
            said.append(
                diagnostic(
                    "unknown-superclass",
                    f"superclass '{provider.superclass}' of '{provider.id}' is not a provider of this catalogue",
                    span=provider.span,
                    provider=provider.id,
                    hint=nearest_name(provider.superclass, list(known)) or None,
                )
            )
    for cycle in _cycles(superclass):
        said.append(
            diagnostic(
                "superclass-cycle",
                f"superclasses form a cycle: {' -> '.join([*cycle, cycle[0]])}",
                span=known[cycle[0]].span,
                provider=cycle[0],
            )
        )
        for member in cycle:
            del superclass[member]
    return superclass


def _cycles(superclass: Mapping[str, str]) -> list[list[str]]:
    """Each cycle once, from its first member in code-point order."""
    found: dict[str, list[str]] = {}
    for start in sorted(superclass):
        chain = list(lineage(start, superclass))
        if superclass.get(chain[-1]) == start:
            found.setdefault(min(chain), chain)
    return list(found.values())


def _protocols(declared: Sequence[Protocol], said: list[Diagnostic]) -> dict[str, Protocol]:
    protocols: dict[str, Protocol] = {}
    for protocol in sorted(declared, key=lambda each: (each.name, each.span, each.required, each.optional)):
        first = protocols.setdefault(protocol.name, protocol)
        if (set(first.required), set(first.optional)) != (set(protocol.required), set(protocol.optional)):
            said.append(
                diagnostic(
                    "duplicate-protocol",
                    f"protocol '{protocol.name}' is declared twice and differently; the first declaration is kept",
                    span=protocol.span,
                )
            )
    return protocols


def _conformances(
    catalog: Catalog, protocols: Mapping[str, Protocol], superclass: Mapping[str, str], said: list[Diagnostic]
) -> dict[str, tuple[str, ...]]:
    """The protocols that each class declares and meets, by its own tools or those it inherits."""
    answers: defaultdict[str, set[str]] = defaultdict(set)
    for tool in catalog.tools:
        answers[tool.provider].add(canonical(tool.name))
    conforms: dict[str, tuple[str, ...]] = {}
    for provider in catalog.providers:
        met = []
        own = {name for each in lineage(provider.id, superclass) for name in answers[each]}
        for name in sorted(set(provider.conforms)):
            if name not in protocols:
                said.append(
                    diagnostic(
                        "unknown-protocol",
                        f"'{provider.id}' declares the protocol '{name}', which is not declared anywhere",
                        span=provider.span,
                        provider=provider.id,
                        hint=nearest_name(name, list(protocols)) or None,
                    )
                )
                continue
            missing = [tool for tool in sorted(set(protocols[name].required)) if canonical(tool) not in own]
            if missing:
                said.append(
                    diagnostic(
                        "protocol-unmet",
                        f"'{provider.id}' does not conform to '{name}': it has no {', '.join(missing)}",
                        span=provider.span,
                        provider=provider.id,
                    )
                )
            else:
                met.append(name)
        conforms[provider.id] = tuple(met)
    return conforms


def _categories(catalog: Catalog, said: list[Diagnostic]) -> tuple[Category, ...]:
    """Categories sorted by name, those of one name and target as one, with the tools that exist."""
    paths = {tool.path for tool in catalog.tools}
    merged: dict[str, Category] = {}
    for category in sorted(catalog.categories, key=lambda each: (each.name, each.span, each.extends, each.tools)):
        unknown = sorted(set(category.tools) - paths)
        if unknown:
            said.append(
                diagnostic(
                    "unknown-category-tool",
                    f"category '{category.name}' adds {', '.join(unknown)}, which this catalogue does not have",
                    span=category.span,
                )
            )
        first = merged.get(category.name)
        if first and first.extends != category.extends:
            said.append(
                diagnostic(
                    "duplicate-category",
                    f"category '{category.name}' extends '{first.extends}' and '{category.extends}';"
                    " the first declaration is kept",
                    span=category.span,
                )
            )
            continue
        tools = set(category.tools) & paths | set(first.tools if first else ())
        merged[category.name] = Category(
            name=category.name,
            extends=category.extends,
            tools=tuple(sorted(tools)),
            span=first.span if first else category.span,
        )
    return tuple(merged.values())


def _extensions(
    catalog: Catalog,
    categories: Sequence[Category],
    protocols: Mapping[str, Protocol],
    conforms: Mapping[str, tuple[str, ...]],
    said: list[Diagnostic],
) -> dict[str, tuple[str, ...]]:
    """The classes that each category extends: the one it names, or all that conform to the protocol it names."""
    ids = [provider.id for provider in catalog.providers]
    extended: dict[str, tuple[str, ...]] = {}
    for category in categories:
        if category.extends in conforms:
            extended[category.name] = (category.extends,)
        elif category.extends in protocols:
            extended[category.name] = tuple(each for each in ids if category.extends in conforms[each])
            if not extended[category.name]:
                said.append(
                    diagnostic(
                        "category-extends-nothing",
                        f"category '{category.name}' extends '{category.extends}', to which no class conforms",
                        span=category.span,
                    )
                )
        else:
            said.append(
                diagnostic(
                    "unknown-category-target",
                    f"category '{category.name}' extends '{category.extends}', which is neither a provider nor a"
                    " protocol",
                    span=category.span,
                    hint=nearest_name(category.extends, [*ids, *protocols]) or None,
                )
            )
    return extended
