"""An artifact becomes Markdown for a repository: an index, and a page for each provider with its tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from runtime_min.artifact import Artifact
from smallchatc import describe
from smallchatc.file_names import file_stems
from smallchatc.model import Arg
from smallchatc.sheets import Sheet, read_sheets, type_words

from . import bold, count, plain
from .markdown import escaped, paragraphs

INDEX = "README.md"
MARK = "<!-- Written by `smallchatc docs`; changes are lost when it writes again. -->"
_PAIRS = 50
_VALUES = 20


def markdown_pages(artifact: Artifact) -> dict[str, str]:
    """The text of each page by its file's name; the same artifact gives the same pages."""
    providers = describe.providers(artifact)
    stems = file_stems([INDEX.removesuffix(".md"), *(each["provider"] for each in providers)], "provider")[1:]
    files = {each["provider"]: f"{stem}.md" for each, stem in zip(providers, stems, strict=True)}
    sheets: dict[str, list[Sheet]] = {}
    links = {}
    for sheet in read_sheets(artifact):
        sheets.setdefault(sheet.provider, []).append(sheet)
        links[sheet.path] = f"[{escaped(sheet.path)}]({files[sheet.provider]}#{sheet.portable})"
    pages = {INDEX: _index(artifact, providers, files, links)}
    for provider in providers:
        name = provider["provider"]
        pages[files[name]] = _page([*_provider(provider), *_tools(sheets.get(name, []), links)])
    return pages


def show(changed: Sequence[Path], kept: Sequence[Path], *, check: bool) -> None:
    """Which pages were written, or would be."""
    for path in changed:
        click.echo(plain(str(path)))
    for path in kept:
        click.echo(
            f"{bold('error', 'red')}: {plain(str(path))} was written by somebody else; it stays as it is", err=True
        )
    if kept:
        click.echo("  hint: move it, or write into another folder", err=True)
    elif check and changed:
        click.echo(f"{count(len(changed), 'page')} out of date; `smallchatc docs` without --check writes", err=True)


def _index(
    artifact: Artifact, providers: Sequence[Mapping[str, Any]], files: Mapping[str, str], links: Mapping[str, str]
) -> str:
    tools = count(len(links), "tool")
    lines = ["# Tools", "", f"{tools} of {count(len(providers), 'provider')}.", ""]
    lines += ["| provider | tools | title |", "| --- | ---: | --- |"]
    for each in providers:
        name = each["provider"]
        said = (each["title"], each["version"])
        lines.append(
            f"| [{escaped(name)}]({files[name]}) | {each['tools']} | {escaped(' '.join(filter(None, said)))} |"
        )
    groups, pairs = describe.overloads(artifact), [*describe.duplicates(artifact), *describe.collisions(artifact)]
    if groups:
        lines += ["", "## Overload groups", "", "One operation, several signatures: the arguments pick.", ""]
        lines += [
            f"- {escaped(group['overload'])}: {', '.join(links[each['tool']] for each in group['members'])}"
            for group in groups
        ]
    if pairs:
        lines += ["", "## Look-alikes", "", "Pairs that may be confused, closest first.", ""]
        lines += ["| tool | and | similarity |", "| --- | --- | ---: |"]
        for pair in pairs[:_PAIRS]:
            first, second = (links[path] for path in pair["tools"])
            lines.append(f"| {first} | {second} | {pair['similarity']:.3f} |")
        if len(pairs) > _PAIRS:
            lines += ["", f"And {len(pairs) - _PAIRS:,} more; each tool's page has its own."]
    return _page(lines)


def _provider(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {escaped(told['provider'])}"
    yield ""
    title = " ".join(filter(None, (told["title"], told["version"])))
    if title:
        yield f"{escaped(title)}\n"
    if told["description"].strip():
        yield f"{paragraphs(told['description'])}\n"
    facts = [
        ("Written in", told["file"]),
        ("Inherits from", told["superclass"] or ""),
        ("Conforms to", ", ".join(told["protocols"])),
    ]
    yield "  \n".join(f"{name}: {escaped(value)}" for name, value in facts if value)
    yield f"\n[All tools]({INDEX})"


def _tools(sheets: Sequence[Sheet], links: Mapping[str, str]) -> Iterator[str]:
    for sheet in sheets:
        yield f'\n<a id="{sheet.portable}"></a>\n'
        yield f"## {escaped(sheet.name)}\n"
        yield paragraphs(sheet.description) or "No description."
        yield ""
        yield from _arguments("argument", sheet.arguments)
        if not sheet.arguments:
            yield "No arguments are named.\n"
        if sheet.returns:
            yield from _arguments("result", sheet.returns)
        yield from (f"- {line}" for line in _facts(sheet, links))


def _arguments(head: str, args: Sequence[Arg]) -> Iterator[str]:
    if not args:
        return
    yield f"| {head} | type | needed | meaning |"
    yield "| --- | --- | --- | --- |"
    for arg in args:
        kind = type_words(arg.code) + (f" ({escaped(arg.format)})" if arg.format else "")
        values = ", ".join(map(escaped, arg.enum[:_VALUES])) + (", ..." if len(arg.enum) > _VALUES else "")
        said = " ".join(filter(None, (escaped(arg.description), f"One of: {values}." if values else "")))
        yield f"| {escaped(arg.name)} | {kind} | {'required' if arg.required else 'optional'} | {said} |"
    yield ""


def _facts(sheet: Sheet, links: Mapping[str, str]) -> Iterator[str]:
    yield (
        f"Answers to {', '.join(map(escaped, (*sheet.selectors, *sheet.aliases)))}"
        if sheet.selectors
        else "No selector"
    )
    flags = [name for name, value in sheet.annotations.items() if value is True]
    if flags:
        yield f"Says of itself: {', '.join(map(escaped, flags))}"
    if sheet.group:
        yield f"Overload group: {escaped(sheet.group)}"
    if sheet.alike:
        yield f"Look-alikes: {', '.join(f'{links[path]} {similarity:.3f}' for path, similarity in sheet.alike)}"


def _page(lines: Sequence[str]) -> str:
    return "\n".join([MARK, "", *lines]).rstrip() + "\n"
