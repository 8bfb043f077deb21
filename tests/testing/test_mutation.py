"""Mutation: which tests notice, found with few compiles and the same as with one for each mutant."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from running import ROOT, invoke

from runtime_min.resolver import Resolver
from smallchatc.cache import Cache
from smallchatc.memory import open_rows
from smallchatc.pipeline import compile_parsed, compile_variant, encoders_of, read_sources
from smallchatc.settings import Settings
from smallchatc.testing import mutation
from smallchatc.testing.cases import read_all
from smallchatc.testing.mutation import groups_of, mutate, pieces_of
from smallchatc.testing.scorecard import Case, Outcome

BASE = Settings(encoder="base")
ODD = [
    "will it rain in Oslo this week-end?",
    "getUserByID foo_bar-baz 42 https://example.com/a?b=c a@b.co 2026-11-30T12:00",
    "open a PR in my gh repo, cc the dev team asap",
    "写一个文件 и удали файл ファイルを読む",
    "argo cd sync re-deploy k8s pods qwzxvbnk zzyzx",
    "DON'T delete the README.md; read it",
]


def test_a_variant_has_the_rows_of_a_compile_for_what_is_asked(compiled_project: Path, tmp_path: Path) -> None:
    parsed = read_sources([str(compiled_project)])
    compiled = compile_parsed(parsed, settings=BASE)
    tools = list(parsed.catalog.tools)
    tools[0] = replace(tools[0], description="Erase something that is kept on a drive")
    changed = replace(parsed.catalog, tools=tuple(tools))
    encoders = encoders_of(BASE, None)
    pieces = frozenset(pieces_of(ODD, encoders[1]))
    with Cache(tmp_path) as cache:
        for catalog in (parsed.catalog, changed):  # the second takes over what the first has found
            rows = compile_variant(compiled, catalog, encoders=encoders, pieces=pieces, cache=cache)
            whole = compile_parsed(replace(parsed, catalog=catalog), settings=BASE).image.tables
            known = {row[0]: row for row in whole["piece"]}
            assert [known[row[0]] for row in rows["piece"]] == list(rows["piece"])
            assert len(rows["piece"]) > 50
            others = [table for table in whole if table not in ("piece", "meta")]
            assert {table: rows[table] for table in others} == {table: whole[table] for table in others}


def test_the_pieces_of_a_text_are_all_that_a_resolution_looks_up(compiled_project: Path) -> None:
    image = compile_parsed(read_sources([str(compiled_project)]), settings=BASE).image
    meta = dict(map(tuple, image.tables["meta"]))
    pieces = set(pieces_of(ODD, encoders_of(BASE, None)[1]))
    some = {**image.tables, "piece": tuple(row for row in image.tables["piece"] if row[0] in pieces)}
    assert len(some["piece"]) < 300
    with closing(open_rows(image.tables, meta)) as whole, closing(open_rows(some, meta)) as part:
        for text in ODD:
            one, other = (Resolver(artifact).resolve(text).to_dict() for artifact in (whole, part))
            assert one == other


def test_mutants_that_share_a_compile_are_noticed_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ROOT / "fixtures" / "manifests"
    cases = read_all([folder / "example.intents.yaml"])
    monkeypatch.setattr(mutation, "_APART", 8)
    together = mutate([str(folder)], cases, settings=BASE, budget=20)
    monkeypatch.setattr(mutation, "_APART", 1000)
    alone = mutate([str(folder)], cases, settings=BASE, budget=20)
    assert together.tried == alone.tried
    assert 0 < together.noticed < 20
    assert together.compiles < alone.compiles / 2


def test_mutants_of_one_contest_do_not_share_a_compile() -> None:
    def outcome(*ranked: str) -> Outcome:
        case = Case(query="x", gold=ranked[:1])
        return Outcome(case=case, ranked=ranked, tool=ranked[0], tier="high", confidence=1, fit=1)

    def mutant(tool: str, other: str = "") -> mutation.Mutant:
        return mutation.Mutant(kind="drop", tool=tool, what="w", other=other, descriptions={})

    watching = [outcome("p/a", "p/b"), outcome("p/c", "p/d")]
    mutants = [mutant("p/a"), mutant("p/b"), mutant("p/c"), mutant("p/a"), mutant("p/e", "p/b"), mutant("p/f")]
    assert groups_of(mutants, watching, most=9) == [[0, 2, 5], [1], [3], [4]]
    assert groups_of(mutants, watching, most=2) == [[0, 2], [1, 5], [3], [4]]


def test_the_report_names_what_nobody_tests_and_is_the_same_again(project: Path) -> None:
    (project / "app.smallchat.db").unlink()  # the sources are all that is needed
    result = invoke("test", "--mutate")
    assert result.exit_code == 0, result.stderr
    assert "  nobody tests " in result.stdout
    lines = result.stdout.splitlines()
    assert " noticed  " in lines[-6]
    assert lines[-1] == "3 tests of 2 tools, of 3 in all; 1 wrong anyway, which can notice nothing"
    assert invoke("test", "--mutate").stdout == result.stdout


def test_the_document_has_every_mutant_and_a_larger_budget_tries_more_of_the_same(project: Path) -> None:
    few, many = (json.loads(invoke("test", "--mutate", "--json", "--budget", budget).stdout) for budget in ("4", "9"))
    assert (len(few["mutants"]), few["tried"], len(many["mutants"])) == (4, 4, 9)
    assert many["mutants"][:4] == few["mutants"]
    assert few["possible"] == many["possible"] > 9
    assert (few["tests"], few["failing"], few["tested"], few["tools"]) == (3, 1, 2, 3)
    noticed = [mutant for mutant in many["mutants"] if mutant["noticed_by"]]
    assert many["noticed"] == len(noticed)
    assert many["score"] == pytest.approx(len(noticed) / 9, abs=1e-6)


def test_a_word_that_a_test_lives_on_is_noticed_with_the_test_that_does(project: Path) -> None:
    (project / "tools.jsonl").write_text(
        '{"provider": "p", "name": "one", "description": "Zeppelin", "inputSchema": {"type": "object"}}\n'
        '{"provider": "p", "name": "two", "description": "Porridge", "inputSchema": {"type": "object"}}\n'
    )
    (project / "app.intents.yaml").write_text("- intent: zeppelin please\n  expect: p/one\n")
    told = json.loads(invoke("test", "--mutate", "--json").stdout)
    by = {(mutant["kind"], mutant["what"]): mutant["noticed_by"] for mutant in told["mutants"]}
    assert by["drop", "zeppelin"] == [{"file": "app.intents.yaml", "line": 1, "query": "zeppelin please"}]
    assert by["swap", "zeppelin"]


@pytest.mark.parametrize(("limit", "code"), [("0", 0), ("1", 1)])
def test_the_gate_is_on_the_score(project: Path, limit: str, code: int) -> None:
    assert invoke("test", "--mutate", "--budget", "6", "--min-mutation", limit).exit_code == code


def test_without_a_test_that_is_right_there_is_nothing_to_try(project: Path) -> None:
    (project / "app.intents.yaml").write_text("- intent: read the contents of a file\n  expect: files/delete_file\n")
    result = invoke("test", "--mutate", "--min-mutation", "0")
    assert result.exit_code == 1  # nothing measured is not a pass
    assert result.stdout.splitlines() == [
        "no mutant to try: no test that is right today asks for a tool with a description",
        "FAIL --min-mutation 0: no case to measure it on",
    ]


def test_the_settings_of_an_artifact_that_is_given_are_taken(project: Path) -> None:
    (project / "smallchat.yaml").write_text("sources: [tools.jsonl]\ncompiler: {encoder: small}\n")
    told = [
        json.loads(invoke("test", *paths, "--mutate", "--json", "--budget", "1").stdout)["encoder"].partition("@")[0]
        for paths in (("app.intents.yaml",), ("app.smallchat.db", "app.intents.yaml"))
    ]
    assert told == ["small", "base"]


def test_other_sources_can_be_named(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = (project / "app.intents.yaml", "--mutate", "--budget", "1")
    assert invoke("test", *files, "--source", project / "tools.jsonl").exit_code == 0
    result = invoke("test", *files)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no project file here that names them" in " ".join(result.stderr.split())


def test_broken_sources_are_told_and_nothing_is_tried(project: Path) -> None:
    (project / "smallchat.yaml").write_text("sources: [gone.jsonl]\ntests: [app.intents.yaml]\n")
    result = invoke("test", "--mutate")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[source-matches-nothing]" in result.stderr


def test_a_server_that_is_not_recorded_is_named_and_never_started(project: Path) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {"gone": {"command": "no-such-program"}}}')
    sources = ("--source", "tools.jsonl", "--source", ".mcp.json")
    result = invoke("test", "app.intents.yaml", "--mutate", "--budget", "1", *sources)
    assert result.exit_code == 0
    assert " of 1 mutant, " in result.stdout
    assert "[server-not-recorded]" in result.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--mutate", "--suggest"), "not both"),
        (("--mutate", "--update"), "print no report of tests"),
        (("--mutate", "--shard", "1/2"), "print no report of tests"),
        (("--suggest", "--junit", "x.xml"), "print no report of tests"),
        (("--suggest", "--min-mrr", "1"), "--suggest measures nothing"),
        (("--mutate", "--min-mrr", "1"), "the only gate is --min-mutation"),
        (("--min-mutation", "1"), "are for --mutate"),
        (("--source", "x"), "are for --mutate"),
        (("--budget", "3"), "--budget is for"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(project: Path, options: tuple[str, ...], told: str) -> None:
    result = invoke("test", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in " ".join(result.stderr.split())


def test_a_labelled_set_of_others_is_tried(shared: Path) -> None:
    folder = shared / "data" / "dev" / "mediawiki-mcp"
    cases = read_all([folder / "queries.jsonl"])
    found = mutate([str(folder / "tools.jsonl")], cases, settings=BASE, budget=16)
    assert (len(found.tried), found.tools) == (16, len((folder / "tools.jsonl").read_text().splitlines()))
    assert found.tests > 80
    assert 0 < found.noticed < 16
