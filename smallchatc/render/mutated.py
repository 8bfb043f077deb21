"""What `test --mutate` prints: the score, and of each tool what nobody would miss; or one JSON document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from smallchatc.gates import Gate
from smallchatc.testing.mutants import DROP, KINDS, SHORTEN, Mutant
from smallchatc.testing.mutation import Mutation, Tried

from . import bold, count, dim, plain, share, table
from .diagnostics import diagnostics_text
from .document import print_json
from .tested import gate_text

SHOWN = 20
"""Tools before the rest is only counted."""


def show(mutation: Mutation, gates: Sequence[Gate], *, as_json: bool, verbose: bool) -> None:
    """Print the report; what the sources lack goes to stderr."""
    if mutation.missing:
        click.echo(diagnostics_text(mutation.missing, verbose=True), err=True)
    if as_json:
        print_json(mutation_dict(mutation, gates))
        return
    tools = _by_tool(mutation)
    weakest = sorted(tools, key=lambda tool: (-sum(not each.noticed_by for each in tools[tool]), tool))
    shown = [tool for tool in weakest if any(not each.noticed_by for each in tools[tool])]
    for tool in shown if verbose else shown[:SHOWN]:
        click.echo(tool_text(tool, tools[tool], verbose=verbose))
    if not verbose and len(shown) > SHOWN:
        click.echo(dim(f"and {count(len(shown) - SHOWN, 'more tool')}: --verbose shows all"))
    click.echo(("\n" if shown else "") + summary_text(mutation))
    for gate in gates:
        click.echo(gate_text(gate))


def tool_text(tool: str, tried: Sequence[Tried], *, verbose: bool) -> str:
    """What of a tool's description no test would miss; when verbose also what some would."""
    survived = [each.mutant for each in tried if not each.noticed_by]
    lines = [f"{bold(plain(tool))}  {dim(f'{len(tried) - len(survived)} of {len(tried)} noticed')}"]
    dropped = [f"'{plain(mutant.what)}'" for mutant in survived if mutant.kind == DROP]
    if dropped:
        lines.append(f"  nobody tests {'the word' if len(dropped) == 1 else 'any of the words'} {', '.join(dropped)}")
    left = [mutant.what for mutant in survived if mutant.kind == SHORTEN]
    if left:
        lines.append(f"  nobody misses the rest when {' or '.join(left)} is left")
    lines += [
        f"  nobody tells '{plain(mutant.what)}' from '{plain(mutant.other_what)}' of {plain(mutant.other)}"
        for mutant in survived
        if mutant.other
    ]
    if verbose:
        for each in tried:
            lines += [dim(f"  {_said(each.mutant)}: {plain(case.file)}:{case.line}") for case in each.noticed_by]
    return "\n".join(lines)


def summary_text(mutation: Mutation) -> str:
    """The score and what it is of."""
    if mutation.score is None:
        return "no mutant to try: no test that is right today asks for a tool with a description"
    score = bold(f"{share(mutation.score)} noticed", "green" if mutation.noticed else "red")
    tried = f"{mutation.noticed:,} of {count(len(mutation.tried), 'mutant')}, of {mutation.possible:,} that there are"
    rows = [("kind", "tried", "noticed", "")]
    for kind, meaning in KINDS.items():
        of = [each for each in mutation.tried if each.mutant.kind == kind]
        if of:
            rows.append((kind, f"{len(of):,}", f"{sum(bool(each.noticed_by) for each in of):,}", dim(meaning)))
    failing = f"; {mutation.failing:,} wrong anyway, which can notice nothing" if mutation.failing else ""
    return "\n".join(
        [
            f"{score}  {dim(tried)}",
            table(rows, right=(1, 2)),
            f"{count(mutation.tests, 'test')} of {mutation.tested:,} tools, of {mutation.tools:,} in all{failing}",
        ]
    )


def mutation_dict(mutation: Mutation, gates: Sequence[Gate]) -> dict[str, Any]:
    """The document of `--json`."""
    return {
        "score": None if mutation.score is None else round(mutation.score, 6),
        "noticed": mutation.noticed,
        "tried": len(mutation.tried),
        "possible": mutation.possible,
        "kinds": {
            kind: {
                "tried": sum(each.mutant.kind == kind for each in mutation.tried),
                "noticed": sum(each.mutant.kind == kind and bool(each.noticed_by) for each in mutation.tried),
            }
            for kind in KINDS
        },
        "tests": mutation.tests,
        "failing": mutation.failing,
        "tools": mutation.tools,
        "tested": mutation.tested,
        "encoder": mutation.encoder,
        "compiles": mutation.compiles,
        "gates": [asdict(gate) for gate in gates],
        "mutants": [
            {
                "kind": each.mutant.kind,
                "tool": each.mutant.tool,
                "what": each.mutant.what,
                "other": each.mutant.other or None,
                "other_what": each.mutant.other_what or None,
                "noticed_by": [{"file": case.file, "line": case.line, "query": case.query} for case in each.noticed_by],
            }
            for each in mutation.tried
        ],
    }


def _by_tool(mutation: Mutation) -> dict[str, list[Tried]]:
    found: dict[str, list[Tried]] = defaultdict(list)
    for each in mutation.tried:
        found[each.mutant.tool].append(each)
    return found


def _said(mutant: Mutant) -> str:
    if mutant.other:
        return f"noticed: '{plain(mutant.what)}' for '{plain(mutant.other_what)}' of {plain(mutant.other)}"
    return (
        f"noticed: {plain(mutant.what)} left" if mutant.kind == SHORTEN else f"noticed: without '{plain(mutant.what)}'"
    )
