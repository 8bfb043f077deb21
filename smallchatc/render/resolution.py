"""A resolution as text: the answer, its candidates, the question when there is none, and the proof as a tree."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from . import bold, dim, plain, table, tier_text

if TYPE_CHECKING:
    from runtime_min import Resolution


def resolution_text(resolution: Resolution) -> str:
    """The answer on the first line, then what else was considered."""
    told = resolution.to_dict()
    numbers = f"confidence {told['confidence']:.2f}  fit {told['fit']:.2f}"
    head = bold(plain(told["tool"])) if told["tool"] else "several tools fit" if told["ambiguous"] else "no tool fits"
    lines = [f"{head}  {tier_text(told['tier'])}  {dim(numbers)}"]
    rows = [
        (
            str(place),
            plain(candidate["tool"]),
            f"{candidate['score']:.2f}",
            f"{candidate['confidence']:.2f}",
            dim(plain(_signals(candidate["signals"]))),
        )
        for place, candidate in enumerate(told["candidates"], 1)
    ]
    if rows:
        head_row = ("", dim("candidate"), dim("score"), dim("conf."), dim("made of"))
        lines.append(table([head_row, *rows], right=(0, 2, 3)))
    if told["ambiguous"]:
        lines.append("  not to be told apart here: " + ", ".join(map(plain, told["ambiguous"])))
    if told["refinement"]:
        lines += ["", *refinement_lines(told["refinement"])]
    return "\n".join(lines)


def refinement_lines(refinement: Mapping[str, Any]) -> Iterator[str]:
    """The question and its options, numbered."""
    yield plain(refinement["question"])
    for number, option in enumerate(refinement["options"], 1):
        tool = "" if option["label"] == option["tool"] else f"  {dim(plain(option['tool']))}"
        yield f"  {number}. {plain(option['label'])}{tool}"


def proof_text(proof: Mapping[str, Any]) -> str:
    """The proof as a tree, a branch for each step and a leaf for each fact."""
    head = f"{bold('proof')} of {plain(repr(proof['intent']))}"
    facts = dim(f"artifact {proof['artifact'][:12]}, encoder {plain(proof['encoder'])}")
    steps = [
        (bold(step["step"]), {key: value for key, value in step.items() if key != "step"}) for step in proof["steps"]
    ]
    return "\n".join([f"{head}  {facts}", *_branches(steps, "")])


def _branches(items: list[tuple[str, Any]], indent: str) -> Iterator[str]:
    fork, last, bar = ("├─ ", "└─ ", "│  ") if _unicode() else ("|- ", "`- ", "|  ")
    for number, (label, value) in enumerate(items):
        end = number == len(items) - 1
        text = _inline(value)
        yield f"{indent}{dim(last if end else fork)}{label}{'' if text is None else f': {text}'}"
        if text is None:
            # A step that is nothing but one list: its items are the branches.
            if isinstance(value, Mapping) and len(value) == 1:
                [value] = value.values()
            yield from _branches(_children(value), indent + ("   " if end else dim(bar)))


def _children(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [(plain(str(key)), item) for key, item in value.items()]
    # A list of candidates or words: the first fact of each is its name.
    return [
        (plain(_scalar(next(iter(item.values())))), dict(list(item.items())[1:]))
        if isinstance(item, Mapping) and item
        else (_inline(item) or "", {})
        for item in value
    ]


def _inline(value: Any, *, inner: bool = False) -> str | None:
    """The value on one line, or None when it wants branches of its own."""
    if isinstance(value, Mapping):
        parts = [(str(key), _inline(item, inner=True)) for key, item in value.items()]
        if any(part is None for _, part in parts):
            return None
        text = ", ".join(f"{plain(key)} {part}" for key, part in parts) or "none"
        if inner and value:
            text = f"({text})"
    elif isinstance(value, list | tuple):
        if any(isinstance(item, Mapping | list | tuple) for item in value):
            return None
        text = ", ".join(map(_scalar, value)) or "none"
    else:
        return _scalar(value)
    return text if len(text) <= 100 else None


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "-" if value is None else plain(str(value))


def _signals(signals: Mapping[str, float]) -> str:
    return " ".join(f"{name} {value:.2f}" for name, value in signals.items() if round(value, 2))


def _unicode() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").startswith("utf")


def show(resolution: Resolution, *, explain: bool) -> None:
    """Print the resolution; its proof below when asked."""
    click.echo(resolution_text(resolution))
    if explain:
        click.echo("\n" + proof_text(resolution.proof.to_dict()))
