"""The project file: every setting is honoured or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from writing import parse, paths, refused, slugs, tool, write

from smallchatc.parse import parse_sources

PROJECT = """
version: 1
sources: [a.json, "more/*.json"]
output: out.smallchat.db
tests: [a.intents.yaml]
compiler: {encoder: small, overloadThreshold: 0.8, dedupThreshold: 0.9}
lint: {missing-description: off, nonportable-tool-name: note}
providerHints:
  a: {namespace: n, priority: 3}
toolHints:
  a/one: {aliases: [do one], priority: 4}
superclasses: {b: a}
protocols:
  p: {required: [one], optional: [two], providers: [a]}
categories:
  c: {extends: p, tools: [b/two]}
"""
A = [tool("one", "Does one"), tool("x y", "")]


def test_everything_in_it_is_read(tmp_path: Path) -> None:
    files = {"smallchat.yaml": PROJECT, "a.json": A, "more/b.json": [tool("two")], "not-listed.json": [tool("three")]}
    parsed = parse(tmp_path, files)
    project = parsed.project
    assert project is not None
    assert paths(parsed) == ["a/one", "a/x y", "b/two"]
    assert (project.output, project.tests) == ("out.smallchat.db", ("a.intents.yaml",))
    assert (project.encoder, project.overload_threshold, project.dedup_threshold) == ("small", 0.8, 0.9)
    one = parsed.catalog.tools[0]
    assert (one.hints.namespace, one.hints.priority, one.hints.aliases) == ("n", 4.0, ("do one",))
    assert [(p.id, p.superclass, p.conforms) for p in parsed.catalog.providers] == [("a", None, ("p",)), ("b", "a", ())]
    assert [(p.name, p.required, p.optional) for p in parsed.catalog.protocols] == [("p", ("one",), ("two",))]
    assert [(c.name, c.extends, c.tools) for c in parsed.catalog.categories] == [("c", "p", ("b/two",))]
    assert slugs(parsed.diagnostics) == [("nonportable-tool-name", "note")]


def test_the_project_overrides_the_manifest(tmp_path: Path) -> None:
    manifest = {"id": "a", "compilerHints": {"priority": 1}, "tools": [tool("one", compilerHints={"priority": 2})]}
    for project, priority in (("providerHints: {a: {priority: 3}}", 3.0), ("toolHints: {a/one: {priority: 4}}", 4.0)):
        parsed = parse(tmp_path, {"smallchat.yaml": project, "a.json": manifest})
        assert parsed.catalog.tools[0].hints.priority == priority


def test_without_sources_the_folder_is_the_source(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"smallchat.json": {"output": "x.db"}, "a.json": A, "deep/b.json": [tool("two")]})
    assert paths(parsed) == ["a/one", "a/x y", "b/two"]


def test_the_file_and_its_folder_are_the_same_source(tmp_path: Path) -> None:
    folder = write(tmp_path, {"smallchat.yaml": PROJECT, "a.json": A, "more/b.json": [tool("two")]})
    assert parse_sources([folder]).catalog == parse_sources([folder / "smallchat.yaml"]).catalog


def test_it_is_told_by_its_content_under_any_name(tmp_path: Path) -> None:
    folder = write(tmp_path, {"mine.yaml": "sources: [a.json]", "a.json": A, "b.json": [tool("two")]})
    assert paths(parse_sources([folder / "mine.yaml"])) == ["a/one", "a/x y"]


def test_two_in_one_folder_are_an_error(tmp_path: Path) -> None:
    said = refused(tmp_path, {"smallchat.yaml": "version: 1", "smallchat.json": {"version": 1}, "a.json": A})
    assert [d.message for d in said if d.severity == "error"] == [
        "'smallchat.yaml' and 'smallchat.json' are both project files of this folder"
    ]


def test_one_deeper_down_is_not_applied_and_says_so(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"a.json": A, "deep/smallchat.yaml": "toolHints: {a/one: {exclude: true}}"})
    assert "a/one" in paths(parsed)
    assert ("nested-project", "warning") in slugs(parsed.diagnostics)


@pytest.mark.parametrize("source", ["../a.json", "/etc/hosts", "~/a.json", "link.json", "sub/../../a.json"])
def test_it_cannot_reach_outside_its_folder(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"a.json": A})
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "link.json").symlink_to(tmp_path / "a.json")
    said = refused(tmp_path / "project", {"smallchat.json": {"sources": [source]}})
    assert "source-outside-project" in {d.slug for d in said}


def test_hints_for_what_is_not_there_name_the_nearest(tmp_path: Path) -> None:
    project = "providerHints: {aa: {priority: 2}}\ntoolHints: {a/onee: {priority: 2}}\n"
    parsed = parse(tmp_path, {"smallchat.yaml": project, "a.json": [tool("one", "x")]})
    assert [(d.slug, d.hint) for d in parsed.diagnostics] == [
        ("unknown-hint-target", "did you mean 'a'?"),
        ("unknown-hint-target", "did you mean 'a/one'?"),
    ]


def test_nobody_may_silence_an_error(tmp_path: Path) -> None:
    said = refused(tmp_path, {"smallchat.yaml": "lint: {bad-json: off}\nsources: [a.json]", "a.json": "{"})
    assert ("bad-json", "error") in slugs(said)


def test_a_level_may_be_raised(tmp_path: Path) -> None:
    said = refused(tmp_path, {"smallchat.yaml": "lint: {missing-description: error}", "a.json": [tool("t", "")]})
    assert ("missing-description", "error") in slugs(said)
