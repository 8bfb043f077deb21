"""What `inspect` prints: the overview, or the lists that were asked for; on stderr, the gates that failed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import bold, count, dim, plain, share, size, table
from .calibrated import calibration_text

if TYPE_CHECKING:
    from smallchatc.gates import Gate

SHOWN_SOURCES = 8
SHOWN_TABLES = 4  # the largest; the rest is small
_NEXT = {  # what to do with what `inspect --collisions` lists
    "max-collisions": "lists them: tell their descriptions apart, or exclude one of each pair",
    "max-duplicates": "lists them: exclude one of each pair, or prefer it",
    "min-self": "lists what is alike: say in each description what no other tool does",
}


def show(overview: Mapping[str, Any], views: Mapping[str, Any]) -> None:
    """Print the views, or the overview when there are none."""
    if not views:
        click.echo(overview_text(overview))
        return
    texts = [render(views[name]) for name, render in VIEWS.items() if name in views]
    click.echo("\n\n".join(texts))


def show_gates(gates: Sequence[Gate], artifact: Path) -> None:
    """Say of each gate that failed what was found, what was allowed, and the next move."""
    for gate in gates:
        if not gate.ok:
            name, allowed = gate.name.partition("-")[::2]
            found = "cannot be measured: no description is long enough" if gate.value is None else f"{gate.value:g}"
            bound = "at most" if name == "max" else "at least"
            click.echo(f"{bold('FAIL', 'red')} {allowed} {found}, wanted {bound} {gate.limit:g}", err=True)
            lists = f"`smallchatc inspect {plain(str(artifact))} --collisions`"
            click.echo(f"  hint: {lists} {_NEXT[gate.name]}", err=True)


def overview_text(told: Mapping[str, Any]) -> str:
    meta = told["meta"]
    rows = [
        ("providers", f"{told['providers']:,}", ""),
        ("tools", f"{told['tools']:,}", ""),
        ("selectors", f"{told['selectors']:,}", ""),
        ("overloads", f"{told['overloads']:,}", dim("one operation, several signatures: the arguments pick")),
        ("duplicates", f"{told['duplicates']:,}", dim("one operation, one signature")),
        ("collisions", f"{told['collisions']:,}", dim("pairs that may be confused")),
    ]
    own, sizes = told["self"], sorted(told["tables"].items(), key=lambda item: (-item[1]["bytes"], item[0]))
    sources = [f"{plain(source['path'])} {dim(source['kind'])}" for source in told["sources"][:SHOWN_SOURCES]]
    more = len(told["sources"]) - len(sources)
    facts = [
        ("format", told["format"]),
        ("compiler", told["compiler"]),
        ("tools by", meta.get("tool_encoder", told["encoder"])),
        ("intents by", told["encoder"]),
        *([("cuts", _inline(meta["cuts"]))] if meta.get("cuts") else []),
        *([("self", f"{share(own['right'])} {dim(_SELF.format(asked=own['asked']))}")] if own["asked"] else []),
        ("tables", ", ".join(f"{name} {size(of['bytes'])}" for name, of in sizes[:SHOWN_TABLES])),
        ("digest", f"{told['digest']} {dim('(verified)')}"),
        *[("sources" if not place else "", source) for place, source in enumerate(sources)],
        *([("", dim(f"and {more} more (--json lists all)"))] if more > 0 else []),
    ]
    return "\n".join(
        [f"{bold(plain(told['artifact']))}  {size(told['bytes'])}", table(rows, right=(1,)), "", table(facts)]
    )


_SELF = "of {asked} tools come first for half of their own words (--calibration)"


def _inline(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{plain(str(name))} {plain(str(value))}" for name, value in facts.items())


def providers_text(rows: list[Mapping[str, Any]]) -> str:
    cells = [
        (
            bold(plain(row["provider"])),
            count(row["tools"], "tool"),
            plain(row["version"]),
            plain(row["transport"].get("type", row["transport"].get("transportType", ""))) if row["transport"] else "",
            dim(plain(f"{row['file']}:{row['line']}")),
            " ".join(
                ([f"superclass {plain(row['superclass'])}"] if row["superclass"] else [])
                + ([f"conforms to {', '.join(map(plain, row['protocols']))}"] if row["protocols"] else [])
            ),
        )
        for row in rows
    ]
    return f"{bold(count(len(rows), 'provider'))}\n{table(cells, right=(1,))}".rstrip()


def selectors_text(rows: list[Mapping[str, Any]]) -> str:
    cells = [(plain(row["selector"]), dim(", ".join(map(plain, row["tools"])))) for row in rows]
    return f"{bold(count(len(rows), 'selector'))}\n{table(cells)}".rstrip()


def overloads_text(rows: list[Mapping[str, Any]]) -> str:
    lines = [bold(count(len(rows), "overload group"))]
    for row in rows:
        likeness = dim(f"similarity {row['similarity']:.3f}")
        lines.append(f"  {bold(plain(row['overload']))}  {likeness}")
        lines += [
            f"    {plain(member['tool'])} {dim(plain(signature))}"
            for member in row["members"]
            for signature in member["signatures"]
        ]
    return "\n".join(lines)


def pairs_text(noun: str) -> Callable[[list[Mapping[str, Any]]], str]:
    """A view of pairs, closest first."""

    def text(rows: list[Mapping[str, Any]]) -> str:
        cells = [(f"{row['similarity']:.3f}", *map(plain, row["tools"])) for row in rows]
        return f"{bold(count(len(rows), noun))}\n{table(cells)}".rstrip()

    return text


def tool_text(told: Mapping[str, Any]) -> str:
    definition = told["definition"]
    facts = [
        ("selectors", ", ".join(map(plain, told["selectors"]))),
        ("names", ", ".join(f"{plain(name['text'])} ({name['kind']})" for name in told["names"])),
        *[("signature", plain(signature)) for signature in told["signatures"]],
        ("hints", plain(json.dumps(told["hints"], ensure_ascii=False)) if told["hints"] else ""),
        ("overloads", ", ".join(map(plain, told["overloads"]))),
        ("confusable", ", ".join(f"{plain(row['tool'])} {row['similarity']:.3f}" for row in told["confusable"])),
        ("written at", _place(told)),
        ("server", plain(" ".join(filter(None, (told["server"]["title"], told["server"]["version"]))))),
        ("reached by", plain(_way(told["server"]["transport"]))),
        ("called as", plain("{method} {path}".format_map(told["call"])) if told["call"] else ""),
        ("fingerprint", told["fingerprint"]),
    ]
    shown = table([fact for fact in facts if fact[1]])
    body = json.dumps(definition, ensure_ascii=False, indent=2)
    return f"{bold(plain(told['tool']))}\n{shown}\n\n" + "\n".join(plain(line) for line in body.splitlines())


_SOURCES = {"mcp-server": "configured there, asked live", "recorded-server": "a recording"}


def _place(told: Mapping[str, Any]) -> str:
    note = _SOURCES.get(told["source"], "")
    return plain(f"{told['file']}:{told['line']}:{told['column']}") + (f"  {dim(note)}" if note else "")


def _way(transport: Mapping[str, Any]) -> str:
    """How a provider is reached, in one line."""
    command = [transport["command"], *transport.get("args", [])] if transport.get("command") else []
    return " ".join(
        filter(
            None,
            [
                str(transport.get("transport", "")),
                transport.get("url") or transport.get("base_url", ""),
                *map(str, command),
            ],
        )
    )


def similar_text(rows: list[Mapping[str, Any]]) -> str:
    return table([(f"{row['similarity']:.3f}", plain(row["tool"])) for row in rows]) or "  nothing else here"


VIEWS: Mapping[str, Callable[[Any], str]] = {
    "providers": providers_text,
    "selectors": selectors_text,
    "overloads": overloads_text,
    "collisions": pairs_text("confusable pair"),
    "duplicates": pairs_text("duplicate pair"),
    "calibration": calibration_text,
    "tool": tool_text,
    "similar": similar_text,
}
