"""Link: a clustered catalog becomes the rows of an image.

Ids are handed out here and nowhere else, in catalog order, so equal input gives equal rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from runtime_min import format as fmt
from runtime_min.portable import portable_names

from .classes import Classes, tool_classes
from .diagnostics import diagnostic, sort_diagnostics
from .model import Catalog, ClusteredCatalog, Diagnostic, Json, LinkedImage, Signature, Tool
from .selectors import Interned, alias_clashes, intern_selectors, name_rows, namespaces

Rows = tuple[fmt.Row, ...]

_PAIRED = 64


def link(
    clustered: ClusteredCatalog, *, extra: Mapping[str, Rows], meta: Mapping[str, str]
) -> tuple[LinkedImage, tuple[Diagnostic, ...]]:
    """The image of a catalog, and what its parts say about each other that does not hold.

    `extra` are the rows that need the encoder (profile, piece, term), `meta` the facts about the compile. What is
    at fault is left out of the image; whether it is written is the caller's decision.
    """
    catalog = clustered.embedded.catalog
    classes = tool_classes(catalog)
    interned = intern_selectors(clustered)
    names = name_rows(catalog.tools, interned)
    tables = {
        **extra,
        "meta": tuple(fmt.Meta(key, value) for key, value in {**meta, "longest_name": _longest(names)}.items()),
        **_catalog_rows(catalog, classes, interned),
        **_class_rows(catalog, classes, interned),
        **_likeness_rows(clustered),
        "name": names,
    }
    image = LinkedImage(tables={table.name: fmt.rows_by_key(table, tables.get(table.name, ())) for table in fmt.TABLES})
    said = [
        *classes.diagnostics,
        *interned.diagnostics,
        *alias_clashes(catalog.tools, names),
        *_reports(clustered),
    ]
    return image, sort_diagnostics(said)


def _longest(names: Rows) -> str:
    """Words of the longest literal name: an intent of more is none and is not looked up."""
    return str(max((row[0].count(" ") + 1 for row in names), default=0))


def seal(image: LinkedImage) -> LinkedImage:
    """The image with its own digest among the meta rows."""
    kept = [row for row in image.tables["meta"] if row[0] != "digest"]
    meta = fmt.TABLES[0]
    rows = fmt.rows_by_key(meta, [*kept, fmt.Meta("digest", fmt.digest(image.tables))])
    return LinkedImage(tables={**image.tables, "meta": rows})


def _catalog_rows(catalog: Catalog, classes: Classes, interned: Interned) -> dict[str, Rows]:
    """What the sources say: source, provider, tool, signature."""
    source = {each: index for index, each in enumerate(catalog.sources)}
    provider = _provider_ids(catalog)
    prefix = namespaces(catalog)
    portable = portable_names((each.provider, each.name) for each in catalog.tools)
    return {
        "source": tuple(fmt.Source(id, each.path, each.kind, each.digest) for each, id in source.items()),
        "provider": tuple(
            fmt.Provider(
                id=id,
                name=each.id,
                title=each.title,
                version=each.version,
                description=each.description,
                transport=_json(each.transport),
                superclass=provider[classes.superclass[each.id]] if each.id in classes.superclass else None,
                namespace=prefix[each.id],
                source=source[each.source],
                line=each.span.line,
            )
            for id, each in enumerate(catalog.providers)
        ),
        "tool": tuple(
            fmt.Tool(
                id=id,
                provider=provider[each.provider],
                name=each.name,
                portable=portable[each.provider, each.name],
                definition=each.definition,
                call=each.call,
                fingerprint=each.fingerprint,
                schema_fingerprint=each.schema_fingerprint,
                hints=_json(_hints(each, interned.pin[id], prefix[each.provider])),
                source=source[each.source],
                line=each.span.line,
                column=each.span.column,
            )
            for id, each in enumerate(catalog.tools)
        ),
        "signature": tuple(
            fmt.Signature(id, ordinal, int(signature.closed), _params(signature))
            for id, each in enumerate(catalog.tools)
            for ordinal, signature in enumerate(each.signatures)
        ),
    }


def _class_rows(catalog: Catalog, classes: Classes, interned: Interned) -> dict[str, Rows]:
    """What the classes answer: selector, method, protocols, categories."""
    provider = _provider_ids(catalog)
    selector = {text: id for id, text in enumerate(dict.fromkeys(interned.selector))}
    protocol = {each.name: id for id, each in enumerate(classes.protocols)}
    tool = {each.path: id for id, each in enumerate(catalog.tools)}
    methods = {
        fmt.Method(provider[each.provider], selector[interned.selector[id]], id)
        for id, each in enumerate(catalog.tools)
    }
    for category in classes.categories:
        for extended in classes.extended[category.name]:
            added = [tool[path] for path in category.tools]
            methods |= {fmt.Method(provider[extended], selector[interned.selector[id]], id) for id in added}
    return {
        "selector": tuple(fmt.Selector(id, text) for text, id in selector.items()),
        "method": tuple(methods),
        "protocol": tuple(fmt.Protocol(id, name) for name, id in protocol.items()),
        "protocol_method": tuple(
            fmt.ProtocolMethod(protocol[each.name], name, int(name in each.required))
            for each in classes.protocols
            for name in {*each.required, *each.optional}
        ),
        "conformance": tuple(
            fmt.Conformance(provider[each], protocol[name]) for each, met in classes.conforms.items() for name in met
        ),
        "category": tuple(fmt.Category(id, each.name, each.extends) for id, each in enumerate(classes.categories)),
        "category_method": tuple(
            fmt.CategoryMethod(id, tool[path]) for id, each in enumerate(classes.categories) for path in each.tools
        ),
    }


def _likeness_rows(clustered: ClusteredCatalog) -> dict[str, Rows]:
    """What is alike: overload groups, the pairs of duplicates, collisions."""
    tools = clustered.embedded.catalog.tools
    return {
        "overload": tuple(
            fmt.Overload(id, tools[group.members[0]].name, group.similarity)
            for id, group in enumerate(clustered.overloads)
        ),
        "overload_member": tuple(
            fmt.OverloadMember(id, member) for id, group in enumerate(clustered.overloads) for member in group.members
        ),
        "duplicate": tuple(
            {
                pair: fmt.Duplicate(*pair, group.similarity)
                for group in clustered.duplicates
                for pair in _pairs(group.members)
            }.values()
        ),
        "collision": tuple(fmt.Collision(each.first, each.second, each.similarity) for each in clustered.collisions),
    }


def _pairs(members: Sequence[int]) -> Iterable[tuple[int, int]]:
    """All pairs of a group; of a very large one, those of its first tool, so that rows grow with the tools."""
    if len(members) <= _PAIRED:
        return combinations(members, 2)
    return ((members[0], other) for other in members[1:])


def _reports(clustered: ClusteredCatalog) -> list[Diagnostic]:
    """Duplicates as notes, where the tools are not equal to the letter (the parser says that) and none is preferred."""
    tools = clustered.embedded.catalog.tools
    said = []
    for group in clustered.duplicates:
        members = [tools[member] for member in group.members]
        if len({member.fingerprint for member in members}) > 1 and not any(m.hints.preferred for m in members):
            paths = [f"'{member.path}'" for member in members]
            said.append(
                diagnostic(
                    "same-operation",
                    f"{', '.join(paths[:-1])} and {paths[-1]} do the same and take the same arguments",
                    span=members[0].span,
                    provider=members[0].provider,
                    tool=members[0].name,
                )
            )
    return said


def _hints(tool: Tool, pin: str | None, namespace: str) -> dict[str, Json]:
    """The hints that are not as they would be without any."""
    hints = tool.hints
    said: dict[str, Json] = {
        "aliases": list(hints.aliases) or None,
        "namespace": hints.namespace if hints.namespace != namespace else None,
        "pin": pin,
        "preferred": hints.preferred or None,
        "priority": hints.priority if hints.priority != 1.0 else None,
        "selector": hints.selector,
        "vendorMeta": hints.vendor,
    }
    return {key: value for key, value in said.items() if value is not None}


def _provider_ids(catalog: Catalog) -> dict[str, int]:
    return {provider.id: index for index, provider in enumerate(catalog.providers)}


def _params(signature: Signature) -> str:
    return _json([[param.name, param.code, int(param.required)] for param in signature.params])


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
