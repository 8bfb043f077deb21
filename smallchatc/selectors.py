"""Selectors: every tool gets the selector it answers to, and the literal texts that mean it.

A tool's own selector is its pin, else `namespace.name`. Two tools share a selector only where they are the same
operation and alike enough (`ClusteredCatalog.shared`), or where they claim the same text; each keeps its own
entry in its class's table either way. A pinned selector is never shared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runtime_min import format as fmt
from runtime_min.lexicon import canonical

from .diagnostics import diagnostic
from .model import Catalog, ClusteredCatalog, Diagnostic, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Interned:
    """Selectors of a catalog, all by tool index: what it answers to, its own text, its pin where it has one."""

    selector: tuple[str, ...]
    own: tuple[str, ...]
    pin: tuple[str | None, ...]
    diagnostics: tuple[Diagnostic, ...]


def intern_selectors(clustered: ClusteredCatalog) -> Interned:
    """The selector of every tool, and what clashed on the way."""
    catalog = clustered.embedded.catalog
    said: list[Diagnostic] = []
    default = _defaults(catalog)
    pin = _pins(catalog.tools, default, said)
    own = _own_texts(catalog.tools, default, pin, said)
    selector = list(own)
    for group in clustered.shared:
        free = [member for member in group.members if pin[member] is None]
        for member in free:
            selector[member] = own[free[0]]
    return Interned(selector=tuple(selector), own=tuple(own), pin=tuple(pin), diagnostics=tuple(said))


def name_rows(tools: Sequence[Tool], interned: Interned) -> tuple[fmt.Name, ...]:
    """Each literal text that means a tool, in canonical form; several tools at one key are ambiguous."""
    rows: set[fmt.Name] = set()
    for index, tool in enumerate(tools):
        texts: list[tuple[str, str]] = [
            ("path", tool.path),
            ("selector", interned.own[index]),
            ("name", tool.name),
            *(("alias", alias) for alias in tool.hints.aliases),
        ]
        pin = interned.pin[index]
        if pin is not None:
            texts.append(("pin", pin))
        rows.update(fmt.Name(canonical(text), index, kind) for kind, text in texts if canonical(text))
    return tuple(rows)


def alias_clashes(tools: Sequence[Tool], rows: Iterable[fmt.Name]) -> list[Diagnostic]:
    """Aliases that also mean another tool: such a text is no exact match any more."""
    meant: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        meant[row.key].add(row.tool)
    said = []
    for index, tool in enumerate(tools):
        for alias in sorted(set(tool.hints.aliases)):
            others = [tools[other].path for other in sorted(meant[canonical(alias)] - {index})]
            if others:
                said.append(
                    diagnostic(
                        "ambiguous-alias",
                        f"alias '{alias}' of '{tool.path}' also means {_listed(others)}",
                        span=tool.span,
                        provider=tool.provider,
                        tool=tool.name,
                    )
                )
    return said


def namespaces(catalog: Catalog) -> Mapping[str, str]:
    """The prefix of each provider's selectors."""
    return {provider.id: provider.hints.namespace or provider.id for provider in catalog.providers}


def _defaults(catalog: Catalog) -> list[str]:
    prefix = namespaces(catalog)
    return [f"{tool.hints.namespace or prefix[tool.provider]}.{tool.name}" for tool in catalog.tools]


def _pins(tools: Sequence[Tool], default: Sequence[str], said: list[Diagnostic]) -> list[str | None]:
    """Each tool's pin. The second of two equal ones is pinned to its default text: it stays as guarded as it was."""
    owner: dict[str, int] = {}
    pins: list[str | None] = []
    for index, tool in enumerate(tools):
        pin = tool.hints.pin
        if pin is not None and owner.setdefault(canonical(pin), index) != index:
            said.append(
                diagnostic(
                    "pin-clash",
                    f"'{tool.path}' is pinned to '{pin}', which '{tools[owner[canonical(pin)]].path}' has already;"
                    f" it is pinned to '{default[index]}' instead",
                    span=tool.span,
                    provider=tool.provider,
                    tool=tool.name,
                )
            )
            pin = default[index]
        pins.append(pin)
    return pins


def _own_texts(
    tools: Sequence[Tool], default: Sequence[str], pin: Sequence[str | None], said: list[Diagnostic]
) -> list[str]:
    """The text that each tool answers to by itself; one that a pin has taken gets a number."""
    pinned = {canonical(text): index for index, text in enumerate(pin) if text is not None}
    taken = {*default, *(text for text in pin if text is not None)}
    first: dict[str, int] = {}
    own: list[str] = []
    for index, tool in enumerate(tools):
        text = pin[index]
        if text is None:
            text = default[index]
            holder = pinned.get(canonical(text))
            if holder is not None:
                number = next(n for n in range(2, len(tools) + 3) if f"{text}-{n}" not in taken)
                said.append(_clash(tool, text, tools[holder], f"it is pinned there, and this one is '{text}-{number}'"))
                text = f"{text}-{number}"
                taken.add(text)
            elif first.setdefault(text, index) != index:
                said.append(_clash(tool, text, tools[first[text]], "they share it"))
        own.append(text)
    return own


def _clash(tool: Tool, text: str, holder: Tool, outcome: str) -> Diagnostic:
    return diagnostic(
        "selector-clash",
        f"selector '{text}' of '{tool.path}' is that of '{holder.path}' too; {outcome}",
        span=tool.span,
        provider=tool.provider,
        tool=tool.name,
    )


def _listed(paths: Sequence[str]) -> str:
    shown = [f"'{path}'" for path in paths[:3]]
    return ", ".join(shown) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
