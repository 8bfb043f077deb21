"""Chain: a message whose tool is not clear becomes calls that may run, or a question.

An intent of several parts is taken apart when every part is clear, MEDIUM is verified, and what nobody answers is
forwarded: to a superclass, to a wider search, to the host's disambiguator when there is one. What is still
unclear after that is asked. Every attempt is a step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .amended import literal, refinement
from .decompose import decompose, has_seam
from .errors import InvalidArguments, SmallchatError, Violation
from .named import NamedTuple
from .proof import Refinement, Step, Tier
from .verification import verify

if TYPE_CHECKING:
    from .proxy import ToolProxy
    from .resolution import Resolution
    from .runtime import ToolRuntime
    from .snapshot import Snapshot

GO = frozenset((Tier.EXACT, Tier.HIGH))
"""Tiers that run without a second look."""

WIDE = 20
BROADENED = (0.75, 0.5)
"""The seeds' scale: what the search was satisfied with, and what the wider one takes as an option."""

_QUALIFIED = re.compile(r"\s*([^\s/.]+)\s*[/.:]\s*([\w.\-]+)\s*").fullmatch


class Call(NamedTuple):
    """A tool that is to run for an intent."""

    intent: str
    tool: str
    args: Mapping[str, Any] | None
    resolution: Resolution


class Plan(NamedTuple):
    """What becomes of a message: calls in their order, or a question; and what was tried."""

    calls: tuple[Call, ...]
    refinement: Refinement | None
    steps: tuple[Step, ...]


async def plan(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    args: Mapping[str, Any] | None,
    resolution: Resolution,
    among: tuple[str, ...] | None,
) -> Plan:
    """The calls that an unclear intent may make, or the question to ask."""
    steps: list[Step] = []
    tier = resolution.tier

    def go(tool: str, found: Resolution | None = None) -> Plan:
        return Plan((Call(intent, tool, args, found or resolution),), None, tuple(steps))

    if has_seam(intent) or (tier is Tier.LOW and runtime.decomposer is not None):
        calls = _parts(runtime, snapshot, intent, args, among, steps) if tier not in (Tier.EXACT, Tier.NONE) else ()
        if len({call.tool for call in calls}) > 1:
            return Plan(calls, None, tuple(steps))
    if resolution.ambiguous:
        tool = _by_arguments(snapshot, resolution.ambiguous, args, steps) if _likely(snapshot, resolution) else None
        rest = [found.tool for found in resolution.candidates if found.tool not in resolution.ambiguous]
        if tool is not None and _verified(runtime, snapshot, intent, tool, rest, args, steps):
            return go(tool)
    elif resolution.tool is not None and tier in GO:
        return go(resolution.tool)
    elif resolution.tool is not None and tier is Tier.MEDIUM:
        others = [found.tool for found in resolution.candidates[1:]]
        if _verified(runtime, snapshot, intent, resolution.tool, others, args, steps):
            return go(resolution.tool)
    inherited = _inherited(runtime, snapshot, intent, args, among, steps)
    if inherited is not None:
        return go(inherited, literal(snapshot, intent, inherited, steps[-1]))
    asked = _broadened(runtime, snapshot, intent, args, resolution, among, steps)
    tool = await _disambiguated(runtime, snapshot, intent, asked, args, steps)
    if tool is not None:
        return go(tool)
    return Plan((), asked, tuple(steps))


def violations(runtime: ToolRuntime, tool: ToolProxy, args: Mapping[str, Any] | None) -> tuple[Violation, ...]:
    """What is wrong with the arguments; nothing when the caller gave none to be looked at."""
    if args is None:
        return ()
    from .dispatch import plain_arguments

    return tool.validator(runtime.validate).violations(plain_arguments(args))


def _verified(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    path: str,
    others: list[str],
    args: Mapping[str, Any] | None,
    steps: list[Step],
) -> bool:
    tool = snapshot.proxy(path)
    passed, step = verify(
        intent,
        tool,
        [snapshot.proxy(other) for other in others],
        bound=runtime.imps.of(tool) is not None,
        violations=violations(runtime, tool, args),
    )
    steps.append(step)
    return passed


def _likely(snapshot: Snapshot, resolution: Resolution) -> bool:
    """Whether one of the tools that cannot be told apart is probably the right one."""
    together = sum(found.confidence for found in resolution.candidates if found.tool in resolution.ambiguous)
    return resolution.tier is not Tier.NONE and together >= snapshot.cuts.medium


def _by_arguments(
    snapshot: Snapshot, paths: tuple[str, ...], args: Mapping[str, Any] | None, steps: list[Step]
) -> str | None:
    """The one of several tools that mean the same whose signatures the arguments fit best."""
    if not args:
        return None
    from .overload import choose

    named = [(path, signature) for path in paths for signature in snapshot.proxy(path).signatures]
    choice = choose([signature for _, signature in named], args)
    fitting = {named[index][0] for index in choice.ambiguous}
    if choice.chosen is not None:
        fitting = {named[choice.chosen][0]}
    tool = next(iter(fitting)) if len(fitting) == 1 else None
    ranks = [rank.name.lower() for rank in choice.ranks]
    steps.append(Step("overload", {"tools": list(paths), "tool": tool, "ranks": ranks, "tied": sorted(fitting)}))
    return tool


def _parts(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    args: Mapping[str, Any] | None,
    among: tuple[str, ...] | None,
    steps: list[Step],
) -> tuple[Call, ...]:
    """A call for each part of the intent, or none at all unless every part is clear."""
    parts = (runtime.decomposer or decompose)(intent)
    if len(parts) < 2:
        steps.append(Step("decompose", {"parts": []}))
        return ()
    calls, told = [], []
    taken: set[str] = set()
    for part in parts:
        found = runtime.resolve(part, among=among)
        clear = found.tool is not None and (
            found.tier in GO
            or (
                found.tier is Tier.MEDIUM
                and _verified(runtime, snapshot, part, found.tool, [c.tool for c in found.candidates[1:]], None, steps)
            )
        )
        told.append({"intent": part, "tool": found.tool, "tier": str(found.tier), "clear": clear})
        if clear and found.tool is not None:
            own = _arguments_of(snapshot, found.tool, args)
            taken.update(own or ())
            calls.append(Call(part, found.tool, own, found))
    spare = sorted(set(args or ()) - taken)
    complete = len(calls) == len(parts) and not spare
    steps.append(Step("decompose", {"parts": told, "arguments_of_no_part": spare}))
    return tuple(calls) if complete else ()


def _arguments_of(snapshot: Snapshot, path: str, args: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Those of the arguments that a tool has parameters for."""
    if args is None:
        return None
    known = {param.name for signature in snapshot.proxy(path).signatures for param in signature.params}
    return {name: value for name, value in args.items() if name in known}


def _inherited(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    args: Mapping[str, Any] | None,
    among: tuple[str, ...] | None,
    steps: list[Step],
) -> str | None:
    """The tool by which a class named in the intent answers, itself, through a superclass or for a protocol."""
    match = _QUALIFIED(intent)
    receivers = snapshot.classes.receivers(match.group(1)) if match else []
    paths = tuple(dict.fromkeys(path for cls in receivers for path in cls.methods(match.group(2) if match else "")))
    paths = tuple(path for path in paths if runtime.admits(path, intent) and (among is None or path in among))
    tool = paths[0] if len(paths) == 1 else None
    if len(paths) > 1:
        tool = _by_arguments(snapshot, paths, args, steps) or _preferred(snapshot, paths)
    lineage = [cls.name for receiver in receivers for cls in receiver.lineage()]
    steps.append(Step("superclass", {"classes": list(dict.fromkeys(lineage)), "tools": list(paths), "tool": tool}))
    return tool


def _preferred(snapshot: Snapshot, paths: tuple[str, ...]) -> str | None:
    """The one of these that the compiler was told to prefer."""
    catalogue = snapshot.catalogue
    found = [path for path in paths if catalogue.entry(catalogue.tool_id(path)).preferred]
    return found[0] if len(found) == 1 else None


def _broadened(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    args: Mapping[str, Any] | None,
    resolution: Resolution,
    among: tuple[str, ...] | None,
    steps: list[Step],
) -> Refinement:
    """The question to ask: first what was nearest, then what a search without regard to the arguments adds.

    When that search is clear about a tool, it is the arguments that are wrong, and that is said instead.
    """
    wide = runtime.resolve(intent, k=WIDE, among=among)
    if args and wide.tool is not None and wide.tier in GO:
        found = violations(runtime, snapshot.proxy(wide.tool), args)
        if found:
            raise InvalidArguments(found, tool=wide.tool)
    near = list(resolution.candidates)
    known = {found.tool for found in near}
    added = [found for found in wide.candidates if found.tool not in known]
    told = {"from": BROADENED[0], "to": BROADENED[1], "candidates": len(near), "added": len(added)}
    steps.append(Step("broadened", told))
    listed = [found for found in [*near, *added] if runtime.admits(found.tool, intent)]
    return refinement(listed[: max(5, len(near))], bool(resolution.ambiguous))


async def _disambiguated(
    runtime: ToolRuntime,
    snapshot: Snapshot,
    intent: str,
    asked: Refinement,
    args: Mapping[str, Any] | None,
    steps: list[Step],
) -> str | None:
    """The option that the host's disambiguator names; it may run when the tool answers and the arguments fit."""
    port = runtime.disambiguator
    if port is None or not asked.options:
        steps.append(Step("disambiguate", {"skipped": "no disambiguator" if port is None else "no options"}))
        return None
    try:
        answer = port(intent, asked.options)
        if hasattr(answer, "__await__"):
            answer = await answer
    except Exception as err:  # a host's port must not take the message down with it
        steps.append(Step("disambiguate", {"failed": f"{type(err).__name__}: {err}"}))
        return None
    option = next((found for found in asked.options if answer in (found.tool, found.selector)), None)
    if option is None:
        steps.append(Step("disambiguate", {"answer": None if answer is None else str(answer), "tool": None}))
        return None
    tool = snapshot.proxy(option.tool)
    try:
        bound, wrong = runtime.imps.of(tool) is not None, violations(runtime, tool, args)
    except SmallchatError as err:
        bound, wrong = False, (Violation("", "value", "arguments", str(err)),)
    fits = bound and not wrong
    steps.append(
        Step(
            "disambiguate",
            {
                "answer": str(answer),
                "tool": option.tool if fits else None,
                "responds": bound,
                "violations": [str(violation) for violation in wrong],
            },
        )
    )
    return option.tool if fits else None
