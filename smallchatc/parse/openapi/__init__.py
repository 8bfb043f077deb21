"""OpenAPI descriptions, 2.0 to 3.2: each operation becomes a tool.

    document -> operations -> (definition, call) each

A description is read as far as it can be: what is wrong with it is a warning, and costs at most an operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ...diagnostics import diagnostic
from ...fingerprint import compact_json
from ...model import Diagnostic, Json
from ...wording import shown
from ..beside import Beside
from ..documents import Pointer
from ..listing import Entry, Listing, text_at
from ..secrets import without_secrets
from .access import is_absolute, read_servers, read_transport, requirements
from .names import portable, tool_names
from .operation import Api, Operation, read_operation
from .refs import Locate, Node, References
from .schemas import Schemas
from .validity import validity_faults

__all__ = ["is_openapi", "read_openapi"]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
VERSIONS = ("2.0", "3.0", "3.1", "3.2")

_OF_PATH = ("parameters", "summary", "description", "servers", "$ref", "additionalOperations")
_OLD_KEYS = ("definitions", "securityDefinitions", "host", "basePath", "consumes", "produces")


def is_openapi(value: Json) -> bool:
    """A document that says it is a description of an API, or has the paths of one."""
    if not isinstance(value, dict) or "tools" in value:
        return False
    said = value.get("openapi", value.get("swagger"))
    if isinstance(said, str | int | float) and not isinstance(said, bool):
        return not isinstance(value.get("apis"), list)  # 1.2 and older: another form
    paths = value.get("paths")
    return isinstance(paths, dict) and any(
        path.startswith("/")
        and isinstance(item, dict)
        and any(isinstance(item.get(method), dict) for method in METHODS)
        for path, item in paths.items()
    )


def read_openapi(value: Json, at: Pointer, locate: Locate, beside: Beside) -> Listing:
    """The description as a listing; what it refers to lies beside it."""
    said: list[Diagnostic] = []
    refs = References(value, beside, lambda pointer: locate((*at, *pointer)))
    version = _version(refs, said)
    said.extend(_validity(refs, version))
    operations = list(_operations(refs, said))
    ids = [(each.path, each.method, each.node.text("operationId")) for each in operations]
    names = tool_names(ids)
    said.extend(_duplicate_ids(refs, operations))
    info = value.get("info") if isinstance(value.get("info"), dict) else {}
    title = text_at(info, "title")
    transport = read_transport(refs, portable(title) or PurePosixPath(beside.path).stem, version=version)
    base_url: str = transport["base_url"]
    schemes = frozenset(transport["security"])

    def say(slug: str, message: str, node: Node) -> None:
        said.append(diagnostic(slug, message, span=refs.span(node)))

    api = Api(
        refs=refs,
        schemas=Schemas(refs, siblings=version in ("3.1", "3.2")),
        version=version,
        schemes=schemes,
        security=requirements(refs.root.below("security"), schemes, say),
    )
    entries = tuple(_entry(*each, api, base_url, at, said) for each in zip(operations, names, strict=True))
    if not operations:
        said.append(_nothing(refs))
    elif not is_absolute(base_url):
        message = f"no server with a host is named (base URL '{base_url}')"
        said.append(diagnostic("incomplete-server", message, span=refs.span(refs.root)))
    elif "{" in base_url:
        message = f"the server '{base_url}' has a variable without a default"
        said.append(diagnostic("incomplete-server", message, span=refs.span(refs.root.below("servers"))))
    return Listing(
        kind="openapi",
        id=_id_of(title) or None,
        title=title,
        version=text_at(info, "version"),
        description=text_at(info, "description", "summary"),
        transport=transport,
        entries=entries,
        pointer=at,
        said=(*said, *refs.said),
    )


def _id_of(title: str) -> str:
    """A title as an id: in lower case, what is between its words as one hyphen."""
    return re.sub(r"[\s/-]+", "-", title.lower()).strip("-")


def _version(refs: References, said: list[Diagnostic]) -> str:
    """The version to read it as: the one it says, else the nearest."""
    value: Mapping[str, Json] = refs.root.value
    written = text_at(value, "openapi") or text_at(value, "swagger")
    major_minor = re.match(r"\d+\.\d+", written)
    if major_minor and major_minor[0] in VERSIONS:
        return major_minor[0]
    if written.startswith(("1", "2")) or (not written and any(key in value for key in _OLD_KEYS)):
        version = "2.0"
    else:
        version = "3.0" if written == "3" else VERSIONS[-1]
    message = f"version '{written[:40]}' is none of {', '.join(VERSIONS)}" if written else "it does not say its version"
    said.append(diagnostic("openapi-version", f"{message}; read as {version}", span=refs.span(refs.root)))
    return version


def _validity(refs: References, version: str) -> Iterator[Diagnostic]:
    faults, more = validity_faults(refs.root.value, version)
    for fault in faults:
        if fault.pointer in (("openapi",), ("swagger",)) or fault.message.endswith("'openapi'"):
            continue  # the version was spoken of
        yield diagnostic("openapi-invalid", fault.message, span=refs.span(refs.root.below(*fault.pointer)))
    if more:
        yield diagnostic("openapi-invalid", f"and {more} more of these faults", span=refs.span(refs.root))


def _operations(refs: References, said: list[Diagnostic]) -> Iterator[Operation]:
    """Every operation in reading order."""
    paths = refs.root.below("paths")
    if not isinstance(paths.value, dict):
        return
    for path in paths.value:
        written = paths.below(path)
        item = refs.follow(written)
        if path.startswith("x-") or (item.value is None and "$ref" in (written.value or ())):
            continue
        if not isinstance(item.value, dict):
            said.append(_bad(f"path '{path[:100]}' is not an object; left out", refs, written))
            continue
        if item is not written and isinstance(written.value, dict):
            # What stands beside a reference counts, and wins.
            item = Node({**item.value, **written.value}, item.file, item.pointer)
        yield from _of_path(path, item, refs, said)


def _of_path(path: str, item: Node, refs: References, said: list[Diagnostic]) -> Iterator[Operation]:
    further = item.below("additionalOperations")
    found = [(key, item.below(key)) for key in item.value if key not in _OF_PATH and not key.startswith("x-")]
    found += [(key, further.below(key)) for key in further.value] if isinstance(further.value, dict) else []
    for key, node in found:
        known = key.lower() in METHODS or node.pointer[-2:-1] == ("additionalOperations",)
        if not known:
            said.append(_bad(f"'{key[:40]}' of path '{path[:100]}' is no method; left out", refs, node))
        elif not isinstance(node.value, dict):
            said.append(_bad(f"{key.upper()[:40]} {path[:100]} is not an object; left out", refs, node))
        else:
            yield Operation(path=path, method=key.upper(), node=node, item=item)


def _bad(message: str, refs: References, node: Node) -> Diagnostic:
    return diagnostic("bad-operation", message, span=refs.span(node))


def _duplicate_ids(refs: References, operations: list[Operation]) -> Iterator[Diagnostic]:
    first: dict[str, Operation] = {}
    for operation in sorted(operations, key=lambda each: (each.path, each.method)):
        given = operation.node.text("operationId")
        other = first.setdefault(given, operation) if given else operation
        if other is not operation:
            message = (
                f"operationId '{shown(given)}' is also that of {other.method} {other.path}; method and path name this"
            )
            yield diagnostic("duplicate-operation-id", message, span=refs.span(operation.node))


def _entry(operation: Operation, name: str, api: Api, base_url: str, at: Pointer, said: list[Diagnostic]) -> Entry:
    def say(slug: str, message: str, node: Node) -> None:
        text = f"tool '{shown(name)}': {message}"
        said.append(diagnostic(slug, text, span=api.refs.span(node), tool=name))

    definition, call = read_operation(operation, name, api, say)
    own = read_servers(operation.node) or read_servers(operation.item)
    if own and own[0]["base_url"] != base_url:
        call["server"], secrets = without_secrets(own[0])
        for each in secrets:
            say("secret-value", f"a literal value became a reference: {each}", operation.node)
    in_document = operation.node.file == api.refs.root.file
    pointer = (*at, *operation.node.pointer) if in_document else (*at, "paths", operation.path)
    return Entry(value=definition, pointer=pointer, call=compact_json(call))


def _nothing(refs: References) -> Diagnostic:
    value = refs.root.value
    what = "it describes webhooks only, which are not called" if value.get("webhooks") else "it describes no operation"
    return diagnostic("no-tools", what, span=refs.span(refs.root))
