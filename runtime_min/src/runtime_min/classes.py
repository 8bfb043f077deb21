"""Tool classes: a provider's methods become a dispatch table that inherits, conforms and can be extended.

A class answers a selector itself, or its superclass does. Protocols say what a class must and may answer;
categories add methods from outside, and only to classes that conform. The artifact's classes are read from it
when first asked for; others are made by the host (overlay.py) and behave the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from .artifact import UNREADABLE
from .errors import SmallchatError, UnknownTool
from .named import NamedTuple
from .namespaces import SelectorNamespaces

if TYPE_CHECKING:
    from .artifact import Artifact

_DEPTH = 64
"""Longest chain of superclasses that is walked; the compiler refuses cycles, a host's classes might have one."""


class Protocol(NamedTuple):
    """A capability interface: tool names that a conforming class must and may answer."""

    name: str
    required: frozenset[str]
    optional: frozenset[str]


class Category(NamedTuple):
    """Methods added from outside: `methods` is tool name -> tool, `extends` a class or a protocol by name."""

    name: str
    extends: str
    methods: tuple[tuple[str, str], ...]


class NotConforming(SmallchatError):
    """A class does not answer what a protocol requires."""

    code = "not-conforming"


class ToolClass:
    """A dispatch table: the tool names and selectors a provider answers, each with the tools that do ("P/N")."""

    def __init__(
        self,
        name: str,
        *,
        superclass: ToolClass | None = None,
        title: str = "",
        version: str = "",
        methods: Callable[[], Iterable[tuple[str, str]]] | None = None,
    ) -> None:
        """`methods` gives (selector, tool) when the table is first asked for."""
        self.name = name
        self.superclass = superclass
        self.title = title
        self.version = version
        self.protocols: dict[str, Protocol] = {}
        self.categories: dict[str, Category] = {}
        self._methods = methods
        self._read: dict[str, tuple[str, ...]] | None = None

    @property
    def _table(self) -> dict[str, tuple[str, ...]]:
        if self._read is None:
            found: dict[str, tuple[str, ...]] = {}
            for selector, tool in self._methods() if self._methods is not None else ():
                if tool not in found.get(selector, ()):
                    found[selector] = (*found.get(selector, ()), tool)
            self._read = found
        return self._read

    def add_method(self, selector: str, tool: str, namespaces: SelectorNamespaces | None = None) -> None:
        """Let this class answer a selector with a tool; a protected one only when it is the owner."""
        if namespaces is not None:
            namespaces.check(selector, self.name)
        known = self._table.get(selector, ())
        if tool not in known:
            self._table[selector] = (*known, tool)

    def remove_method(self, selector: str) -> None:
        """No longer answer a selector here; a superclass may."""
        self._table.pop(selector, None)

    def selectors(self) -> list[str]:
        """What this class itself answers, sorted."""
        return sorted(self._table)

    def lineage(self) -> Iterator[ToolClass]:
        """This class, then its superclasses."""
        at: ToolClass | None = self
        for _ in range(_DEPTH):
            if at is None:
                return
            yield at
            at = at.superclass

    def methods(self, selector: str) -> tuple[str, ...]:
        """The tools that answer a selector: this class's, else the nearest superclass's."""
        return next((found for cls in self.lineage() if (found := cls._table.get(selector))), ())

    def can_handle(self, selector: str) -> bool:
        """respondsToSelector: whether this class or one above it answers."""
        return bool(self.methods(selector))

    def is_kind_of(self, other: ToolClass) -> bool:
        """Whether `other` is this class or one above it."""
        return any(cls is other for cls in self.lineage())

    def conforms(self, protocol: str) -> bool:
        """Whether this class, or one above it, has taken on a protocol."""
        return any(protocol in cls.protocols for cls in self.lineage())

    def adopt(self, protocol: Protocol) -> None:
        """Take on a protocol; raises NotConforming, naming everything required that is not answered."""
        missing = sorted(name for name in protocol.required if not self.can_handle(name))
        if missing:
            raise NotConforming(
                f"class {self.name!r} does not conform to protocol {protocol.name!r}: no {', '.join(missing)}",
                hint="add the methods first, or make them optional in the protocol",
            )
        self.protocols[protocol.name] = protocol

    def extend(self, category: Category, namespaces: SelectorNamespaces | None = None) -> bool:
        """Add a category's methods when this class is what it extends; whether they were added."""
        if category.extends != self.name and not self.conforms(category.extends):
            return False
        if namespaces is not None:
            for selector, _ in category.methods:
                namespaces.check(selector, self.name if category.extends == self.name else f"category {category.name}")
        for selector, tool in category.methods:
            self.add_method(selector, tool)
        self.categories[category.name] = category
        return True


class ClassTable:
    """The tool classes of one artifact, by provider name; a class's methods are read when first asked for. `added` are
    methods of an overlay: provider, tool name, path."""

    def __init__(self, artifact: Artifact, added: Iterable[tuple[str, str, str]] = ()) -> None:
        self._artifact = artifact
        self._added = tuple(added)
        self._classes: dict[str, ToolClass] | None = None

    def __iter__(self) -> Iterator[ToolClass]:
        return iter(self._all().values())

    def __len__(self) -> int:
        return len(self._all())

    def get(self, name: str) -> ToolClass:
        """The class of this name; raises UnknownTool."""
        found = self._all().get(name)
        if found is None:
            raise UnknownTool(f"no tool class {name!r}", hint="smallchatc inspect DB --providers lists them")
        return found

    def receivers(self, name: str) -> list[ToolClass]:
        """Who is meant by a name: the class, or the classes that conform to the protocol."""
        found = self._all().get(name)
        return [found] if found is not None else [cls for cls in self if cls.conforms(name)]

    def responders(self, selector: str, protocol: str | None = None) -> list[ToolClass]:
        """The classes that answer a selector, by name; with `protocol`, of those that conform to it."""
        return [cls for cls in self if (protocol is None or cls.conforms(protocol)) and cls.can_handle(selector)]

    def _all(self) -> dict[str, ToolClass]:
        if self._classes is None:
            try:
                found = _read_classes(self._artifact)
            except UNREADABLE as err:
                raise self._artifact.corrupt(f"the classes: {err}") from err
            for provider, name, path in self._added:
                for selector in (name, f"{provider}.{name}"):
                    found.setdefault(provider, ToolClass(provider)).add_method(selector, path)
            self._classes = found
        return self._classes


def _read_classes(artifact: Artifact) -> dict[str, ToolClass]:
    rows = artifact.rows("SELECT id, name, title, version, superclass FROM provider ORDER BY name")
    by_id = {
        number: ToolClass(
            str(name), title=str(title), version=str(version), methods=partial(_methods, artifact, number)
        )
        for number, name, title, version, _ in rows
    }
    for row in rows:
        if row[4] is not None:
            by_id[row[0]].superclass = by_id.get(row[4])
    for provider, protocol in _conformances(artifact):
        by_id[provider].protocols[protocol.name] = protocol
    for category in _categories(artifact):  # their methods are in the dispatch tables already
        for cls in by_id.values():
            if category.extends == cls.name or cls.conforms(category.extends):
                cls.categories[category.name] = category
    return {cls.name: cls for cls in by_id.values()}


def _methods(artifact: Artifact, provider: int) -> Iterator[tuple[str, str]]:
    for name, selector, path in artifact.rows(
        "SELECT tool.name, selector.canonical, provider.name || '/' || tool.name FROM method"
        " JOIN tool ON tool.id = method.tool JOIN provider ON provider.id = tool.provider"
        " JOIN selector ON selector.id = method.selector WHERE method.provider = ?"
        " ORDER BY method.selector, method.tool",
        provider,
    ):
        yield name, path
        yield selector, path


def _conformances(artifact: Artifact) -> Iterable[tuple[int, Protocol]]:
    required: dict[int, set[str]] = {}
    optional: dict[int, set[str]] = {}
    for protocol, name, must in artifact.rows("SELECT protocol, name, required FROM protocol_method"):
        (required if must else optional).setdefault(protocol, set()).add(str(name))
    rows = artifact.rows(
        "SELECT conformance.provider, protocol.id, protocol.name FROM conformance"
        " JOIN protocol ON protocol.id = conformance.protocol ORDER BY 1, 2"
    )
    for provider, number, name in rows:
        yield provider, Protocol(str(name), frozenset(required.get(number, ())), frozenset(optional.get(number, ())))


def _categories(artifact: Artifact) -> Iterable[Category]:
    methods: dict[int, list[tuple[str, str]]] = {}
    for category, name, path in artifact.rows(
        "SELECT category, tool.name, provider.name || '/' || tool.name FROM category_method"
        " JOIN tool ON tool.id = category_method.tool JOIN provider ON provider.id = tool.provider ORDER BY 1, tool.id"
    ):
        methods.setdefault(category, []).append((name, path))
    for number, name, extends in artifact.rows("SELECT id, name, extends FROM category ORDER BY id"):
        yield Category(name, extends, tuple(methods.get(number, ())))
