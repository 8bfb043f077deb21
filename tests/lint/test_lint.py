"""What lint says beside its fixtures: forms, exit codes, levels, ignores, artifacts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from jsonschema import Draft7Validator
from running import invoke

from smallchatc.lint import COMPILED, Linted, lint
from smallchatc.render.sarif import sarif_document
from smallchatc.rules import KINDS, RULES

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "lint"
QUICK = ["--ignore", "selection,linked"]  # what needs a compiled catalogue takes seconds


def run(*arguments: str) -> Result:
    return invoke("lint", *QUICK, *arguments)


def quick(*sources: Path) -> Linted:
    return lint(sources, rules=frozenset(RULES) - COMPILED)


def write(folder: Path, text: str, name: str = "cities.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


CITY = "tools:\n- {name: get_city, description: Get a city., inputSchema: {type: object}}\n"


@pytest.mark.parametrize(
    ("file", "fail_on", "code"),
    [
        ("deceit.yaml", "error", 1),
        ("deceit.yaml", "never", 0),
        ("names.yaml", "error", 0),
        ("names.yaml", "warning", 1),
    ],
)
def test_the_exit_code_is_what_fail_on_asks_for(file: str, fail_on: str, code: int) -> None:
    assert run(str(FOLDER / file), "--fail-on", fail_on).exit_code == code


def test_a_source_that_cannot_be_read_is_trouble_and_the_others_are_still_checked(tmp_path: Path) -> None:
    write(tmp_path, '{"tools": [', "broken.json")
    write(tmp_path, CITY)
    done = run(str(tmp_path), "--fail-on", "never", "--format", "json")
    assert done.exit_code == 2
    assert {d["slug"] for d in json.loads(done.stdout)["diagnostics"]} == {
        "bad-json",
        "annotations-absent",
        "description-short",
    }


def test_text_is_data_on_stdout_and_the_summary_is_talk() -> None:
    done = run(str(FOLDER / "names.yaml"))
    assert done.stdout == (
        "names.yaml:7:16: warning: tool 'listCities' has the description of"
        " 'a-provider-with-quite-a-long-identifier/list_cities' [description-duplicate]\n"
        "  hint: say in each what the others do not do\n"
    )
    assert done.stderr == (
        "1 warning: description-duplicate 1\n"
        "6 notes: param-description-missing 2, annotations-absent 1, name-near-collision 1, description-short 1,"
        " name-prefixed-length-64 1\n"
        "7 findings in 4 tools of 1 provider\n"
        "6 notes not shown: --verbose lists all\n"
    )


def test_nothing_found_says_so(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        "tools:\n- name: get_city\n  description: Look up a city by its name.\n  annotations: {readOnlyHint: true}\n"
        "  inputSchema: {type: object, properties: {name: {type: string, description: Its name.}}}\n",
    )
    done = run(str(source), "-v")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "nothing found in 1 tool of 1 provider\n")


def test_select_and_ignore_take_rules_and_kinds() -> None:
    only = run(str(FOLDER / "deceit.yaml"), "--select", "hidden-text,look-alike-name", "--format", "json")
    assert set(json.loads(only.stdout)["rules"]) == {"hidden-text", "look-alike-name"}
    without = run(str(FOLDER / "deceit.yaml"), "--ignore", "deceit,words,tools", "--format", "json")
    assert json.loads(without.stdout)["rules"] == {}


def test_a_rule_that_does_not_exist_is_named_with_the_nearest() -> None:
    done = run(str(FOLDER / "names.yaml"), "--select", "description-shrt")
    assert done.exit_code == 2
    assert "there is no rule 'description-shrt'; did you mean 'description-short'?" in done.stderr


def test_workflow_annotations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    write(tmp_path, CITY, "below, here/cities.yaml")
    done = run("below, here", "--format", "github", "--select", "description-short")
    monkeypatch.chdir(tmp_path / "below, here")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))  # a step whose working directory is no root of a checkout
    assert run(".", "--format", "github", "--select", "description-short").stdout == done.stdout
    assert done.stdout == (
        "::notice file=below%2C here/cities.yaml,line=2,col=33,title=description-short::tool 'get_city': its"
        " description has 11 characters, shorter than 20%0Asay in a sentence what it does and when to take it;"
        " lintLimits sets the number\n"
    )


def test_sarif_follows_its_schema_and_names_rules_places_and_suppressions() -> None:
    schema = json.loads((FOLDER / "sarif-2.1.0-subset.schema.json").read_text("utf-8"))
    linted = quick(*(FOLDER / name for name in ("schemas.yaml", "deceit.yaml", "names.yaml", "ignores.yaml")))
    document = sarif_document(linted.diagnostics, linted.ignored)
    assert list(Draft7Validator(schema).iter_errors(document)) == []
    (told,) = document["runs"]
    rules = [rule["id"] for rule in told["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in told["results"])
    assert len(told["results"]) == len(linted.diagnostics) + len(linted.ignored)
    suppressed = [result["suppressions"][0]["justification"] for result in told["results"] if "suppressions" in result]
    assert sorted(suppressed) == ["all of them only read", "its name says it all"]
    prints = [result["partialFingerprints"]["finding/v1"] for result in told["results"]]
    assert len(set(prints)) == len(prints)


def test_the_project_sets_levels_and_limits(tmp_path: Path) -> None:
    write(tmp_path, CITY)
    project = "lint: {annotations-absent: 'off', description-short: error}\nlintLimits: {description-short: %d}\n"
    write(tmp_path, project % 20, "smallchat.yaml")
    assert [(d.slug, d.severity) for d in quick(tmp_path).diagnostics] == [("description-short", "error")]
    assert not quick(tmp_path).trouble
    write(tmp_path, project % 5, "smallchat.yaml")
    assert quick(tmp_path).diagnostics == ()


def test_a_limit_of_a_rule_without_one_is_refused(tmp_path: Path) -> None:
    write(tmp_path, CITY)
    write(tmp_path, "lintLimits: {hidden-text: 3}\n", "smallchat.yaml")
    linted = quick(tmp_path)
    assert linted.trouble
    assert "there is no rule with a limit 'hidden-text'" in [d.message for d in linted.diagnostics]


def test_the_project_may_ignore_what_a_manifest_may_not(tmp_path: Path) -> None:
    text = 'id: p\ntools:\n- name: t\n  description: "Gives\u202e all that there is."\n  inputSchema: {type: object}\n'
    write(tmp_path, text)
    write(tmp_path, "toolHints: {p/t: {lintIgnore: {hidden-characters: it is ours}}}\n", "smallchat.yaml")
    linted = quick(tmp_path)
    assert "hidden-characters" not in {d.slug for d in linted.diagnostics}
    assert [each.ignore.reason for each in linted.ignored] == ["it is ours"]


def test_an_ignore_holds_for_compile_too(tmp_path: Path) -> None:
    from smallchatc.parse import parse_sources

    source = write(tmp_path, "tools:\n- {name: t, inputSchema: {type: object}}\n")
    assert [d.slug for d in parse_sources([source]).diagnostics] == ["missing-description"]
    source = write(
        tmp_path,
        "tools:\n- {name: t, inputSchema: {type: object}, compilerHints: {lintIgnore: {missing-description: old}}}\n",
    )
    assert parse_sources([source]).diagnostics == ()


def test_an_ignore_at_either_tool_of_a_pair_holds(tmp_path: Path) -> None:
    pair = "- {{name: {}, description: Look up a place., inputSchema: {{type: object}}{}}}\n"
    excused = ", compilerHints: {lintIgnore: {description-duplicate: twins}}"
    for first, second in ((excused, ""), ("", excused)):
        source = write(tmp_path, "tools:\n" + pair.format("city", first) + pair.format("land", second))
        assert "description-duplicate" not in {d.slug for d in quick(source).diagnostics}


def test_an_artifact_is_linted_with_the_places_its_tools_came_from(artifact: Path) -> None:
    linted = quick(artifact)
    assert linted.tools == 62
    (found,) = [d for d in linted.diagnostics if d.slug == "array-without-items"]
    assert found.span is not None
    assert (found.span.file, found.span.line, found.span.column) == ("notes.json", 2, 3)
    assert found.span.pointer == "/inputSchema/properties/tags"


def test_an_artifact_does_not_excuse_itself(tmp_path: Path) -> None:
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    out = tmp_path / "x.smallchat.db"
    image = compile_sources([FOLDER / "ignores.yaml"], settings=Settings(encoder="small")).image
    write_artifact(image, out)
    linted = quick(out)
    assert linted.ignored == ()
    assert {"description-short", "annotations-absent"} <= {d.slug for d in linted.diagnostics}


def test_lint_writes_nothing_and_says_the_same_again() -> None:
    assert quick(FOLDER / "schemas.yaml") == quick(FOLDER / "schemas.yaml")


def test_every_rule_is_of_one_kind_and_slugs_are_well_formed() -> None:
    slugs = [rule.slug for kind in KINDS.values() for rule in kind.RULES]
    assert len(slugs) == len(set(slugs)) == len(RULES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in slugs)
    assert not set(KINDS) & set(RULES)


def test_explain_shows_a_rule_with_its_examples() -> None:
    done = invoke("explain", "look-alike-name")
    assert done.exit_code == 0
    assert done.stdout.startswith("look-alike-name  lint: warning, only the project file may ignore it\n")
    told: dict[str, Any] = json.loads(invoke("explain", "look-alike-name", "--json").stdout)
    assert told["kind"] == "deceit"
    assert told["bad"] != told["good"]
