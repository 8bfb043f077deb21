"""Two tools that are one, then and now, become the changes between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Json
from ..wording import shown
from .change import Change
from .schemas import Found, schema_differences
from .side import ProviderSide, Side, ToolSide
from .words import said_of

_WEIGHS = {"priority": 1.0, "preferred": False, "selector": None}
_COMPARED = ("name", "description", "inputSchema", "outputSchema", "annotations")
_DEFAULTS = {"readOnlyHint": False, "destructiveHint": True}
"""What a tool that says nothing is taken for (MCP, ToolAnnotations)."""


def tool_changes(old: Side, new: Side, renamed: Mapping[str, str]) -> Iterator[Change]:
    """Tools that are gone, new or renamed, and what differs in those that stay."""
    came = set(renamed.values())
    for path, tool in old.tools.items():
        if path in new.tools:
            yield from _between(tool, new.tools[path], old, new)
        elif path in renamed:
            now = new.tools[renamed[path]]
            yield _change("tool-renamed", now, f"'{shown(path)}' is '{shown(now.path)}' now", path, now.path)
            yield from _between(tool, now, old, new)
        else:
            yield _change("tool-removed", tool, f"'{shown(path)}' is gone", before=path)
    for path, tool in new.tools.items():
        if path not in old.tools and path not in came:
            yield _change("tool-added", tool, f"'{shown(path)}' is new", after=path)


def provider_changes(old: Side, new: Side) -> Iterator[Change]:
    """What differs in providers, their tools apart."""
    for name, provider in old.providers.items():
        now = new.providers.get(name)
        if now is None:
            yield _of_provider("provider-removed", provider, f"provider '{shown(name)}' is gone", before=name)
            continue
        if provider.version != now.version:
            message = (
                f"provider '{shown(name)}' is version {now.version or 'unknown'}, was {provider.version or 'unknown'}"
            )
            yield _of_provider("provider-version-changed", now, message, provider.version, now.version)
        if provider.transport != now.transport:
            message = f"provider '{shown(name)}' is reached in another way"
            yield _of_provider("transport-changed", now, message, provider.transport, now.transport)
        if provider.kin != now.kin:
            message = f"provider '{shown(name)}' inherits or conforms otherwise"
            yield _of_provider("provider-changed", now, message, list(provider.kin), list(now.kin))
        if (provider.title, provider.description) != (now.title, now.description):
            message = f"provider '{shown(name)}' is described in other words"
            yield _of_provider("provider-described-otherwise", now, message, _told(provider), _told(now))
    for name, now in new.providers.items():
        if name not in old.providers:
            yield _of_provider("provider-added", now, f"provider '{shown(name)}' is new", after=name)


def _between(old: ToolSide, new: ToolSide, before: Side, after: Side) -> Iterator[Change]:
    name = shown(new.name)
    if old.description != new.description:
        # A tool that moved to a provider of its own has no version to compare.
        versions = (before.providers[old.provider].version, after.providers[new.provider].version)
        kind = "description-changed" if versions[0] != versions[1] else "description-changed-silently"
        yield _change(
            kind, new, f"'{name}' is described in other words", old.description, new.description, "/description"
        )
    yield from _arguments(old, new)
    yield from _outputs(old, new)
    yield from _annotations(old, new)
    yield from _linked(old, new)
    rest = [{key: value for key, value in tool.body.items() if key not in _COMPARED} for tool in (old, new)]
    if rest[0] != rest[1] or _respelled(old, new):
        keys = sorted(key for key in {*rest[0], *rest[1]} if rest[0].get(key) != rest[1].get(key))
        what = ", ".join(keys) or "the spelling of its schema"
        yield _change("definition-changed", new, f"'{name}' differs in {shown(what)}")


def _arguments(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.definition.get("inputSchema") == new.definition.get("inputSchema"):
        return
    found = schema_differences(old.definition.get("inputSchema", {}), new.definition.get("inputSchema", {}))
    for each in found:
        yield _of_schema(each, new)
    if not found and old.schema_fingerprint != new.schema_fingerprint:
        message = f"'{shown(new.name)}' takes other arguments, in a way that cannot be named"
        yield _change("schema-changed", new, message, pointer="/inputSchema")


def _respelled(old: ToolSide, new: ToolSide) -> bool:
    """Whether the schema is written otherwise and means the same."""
    one, other = old.definition.get("inputSchema"), new.definition.get("inputSchema")
    return one != other and old.schema_fingerprint == new.schema_fingerprint and not schema_differences(one, other)


def _outputs(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    """Results are read by callers: what is gone breaks them, whatever else may confuse them."""
    one, other = old.definition.get("outputSchema"), new.definition.get("outputSchema")
    if one == other:
        return
    name = shown(new.name)
    if not isinstance(one, dict) or not isinstance(other, dict):
        kind = "output-added" if isinstance(other, dict) else "output-removed"
        yield _change(
            kind,
            new,
            f"'{name}' {'says' if isinstance(other, dict) else 'no longer says'} what it returns",
            pointer="/outputSchema",
        )
        return
    changed = False
    for each in schema_differences(one, other):
        place = f"/outputSchema{each.pointer}"
        if each.kind == "argument-removed":
            yield _change(
                "output-removed", new, f"the result of '{name}' has no '{shown(each.path)}' any more", pointer=place
            )
        elif each.kind in ("required-argument-added", "optional-argument-added"):
            yield _change("output-added", new, f"the result of '{name}' has '{shown(each.path)}'", pointer=place)
        elif each.kind != "argument-described-otherwise":
            changed = True
    if changed:
        yield _change("output-changed", new, f"the result of '{name}' has another schema", pointer="/outputSchema")


def _annotations(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    one, other = _annotated(old), _annotated(new)
    if _harms(one) != _harms(other):
        kind = "turned-destructive" if _harms(other) else "turned-harmless"
        message = f"'{shown(new.name)}' {'may destroy' if _harms(other) else 'does no harm now'}, by its annotations"
        yield _change(kind, new, message, one, other, "/annotations")
    elif one != other:
        yield _change(
            "annotations-changed", new, f"'{shown(new.name)}' has other annotations", one, other, "/annotations"
        )


def _annotated(tool: ToolSide) -> dict[str, Json]:
    annotations = tool.definition.get("annotations")
    return dict(annotations) if isinstance(annotations, dict) else {}


def _harms(annotations: Mapping[str, Json]) -> bool:
    said = {**_DEFAULTS, **annotations}
    return said["readOnlyHint"] is not True and said["destructiveHint"] is not False


def _linked(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    """What the compiler made of a tool: its names, its selector, what weighs in selection, how it is called."""
    for text in sorted(old.names - new.names):
        yield _change("name-removed", new, f"'{shown(text)}' no longer names '{shown(new.path)}'", before=text)
    for text in sorted(new.names - old.names):
        yield _change("name-added", new, f"'{shown(text)}' names '{shown(new.path)}' too", after=text)
    if old.selector != new.selector and old.name == new.name:
        message = f"'{shown(new.path)}' answers to '{shown(new.selector)}', not to '{shown(old.selector)}'"
        yield _change("selector-changed", new, message, old.selector, new.selector)
    for key, usual in _WEIGHS.items():
        one, other = old.hints.get(key, usual), new.hints.get(key, usual)
        if one != other:
            message = f"the hint '{key}' of '{shown(new.path)}' is {said_of(other)}, was {said_of(one)}"
            yield _change("hints-changed", new, message, one, other)
    if old.call != new.call:
        yield _change("call-changed", new, f"'{shown(new.path)}' is called in another way", old.call, new.call)


def _of_schema(found: Found, tool: ToolSide) -> Change:
    what = f"'{shown(found.path)}' of '{shown(tool.name)}'" if found.path else f"the arguments of '{shown(tool.name)}'"
    return _change(
        found.kind,
        tool,
        _SAID[found.kind].format(what=what, old=said_of(found.before), new=said_of(found.after)),
        found.before,
        found.after,
        f"/inputSchema{found.pointer}",
    )


_SAID = {
    "argument-removed": "{what} is gone",
    "required-argument-added": "{what} is new, and must be given",
    "optional-argument-added": "{what} is new",
    "argument-became-required": "{what} must be given now",
    "argument-became-optional": "{what} may be left out now",
    "type-narrowed": "{what} takes {new}, took {old}",
    "type-widened": "{what} takes {new}, took {old}",
    "type-changed": "{what} takes {new}, took {old}",
    "values-narrowed": "{what} allows {new}, allowed {old}",
    "values-widened": "{what} allows {new}, allowed {old}",
    "values-changed": "{what} allows {new}, allowed {old}",
    "limit-tightened": "{what} is limited to {new}, was {old}",
    "limit-loosened": "{what} is limited to {new}, was {old}",
    "limit-changed": "{what} is limited to {new}, was {old}",
    "arguments-closed": "{what}: what is not named is refused now",
    "arguments-opened": "{what}: what is not named is let through",
    "argument-described-otherwise": "{what} is described in other words",
    "default-changed": "{what} is {new} when it is left out, was {old}",
    "schema-changed": "{what}: {new}, was {old}",
}


def _told(provider: ProviderSide) -> list[str]:
    return [provider.title, provider.description]


def _change(
    kind: str, tool: ToolSide, message: str, before: Json = None, after: Json = None, pointer: str = ""
) -> Change:
    return Change(
        kind=kind,
        subject=tool.path,
        message=message,
        before=before,
        after=after,
        pointer=pointer,
        file=tool.file,
        line=tool.line,
    )


def _of_provider(kind: str, provider: ProviderSide, message: str, before: Any = None, after: Any = None) -> Change:
    return Change(
        kind=kind,
        subject=provider.name,
        message=message,
        before=before,
        after=after,
        file=provider.file,
        line=provider.line,
    )
