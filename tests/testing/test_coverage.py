"""Coverage: which tools no test asks for."""

from __future__ import annotations

import json
from pathlib import Path

from running import invoke

from smallchatc.testing.coverage import Share, coverage_of
from smallchatc.testing.scorecard import Case


def test_a_tool_is_tested_when_a_case_says_that_it_is_right() -> None:
    cases = [
        Case(query="x", gold=("a/one",), equiv=("b/three",)),
        Case(query="y", gold=("gone/tool",)),
        Case(query="z", gold=(), among=("a/two",)),
    ]
    found = coverage_of(cases, ["a/one", "a/two", "b/three"])
    assert (found.tools, found.tested, found.untested) == (3, 2, ("a/two",))
    assert found.providers == (Share(provider="a", tools=2, tested=1), Share(provider="b", tools=1, tested=1))
    assert coverage_of(cases, []).share is None


def test_the_report_names_providers_with_untested_tools(project: Path) -> None:
    Path("app.intents.yaml").write_text("- intent: read_file\n  expect: files/read_file\n")
    result = invoke("test", "app.intents.yaml", "--verbose")
    assert result.exit_code == 0
    assert "1 of 3 tools tested (33.3 %)\n  weather  0 of 1\n  files    1 of 2\n" in result.stdout
    assert "untested:\n  files/delete_file\n  weather/get_forecast\n" in result.stdout


def test_the_document_has_shares_and_names(project: Path) -> None:
    told = json.loads(invoke("test", "app.intents.yaml", "--json").stdout)["coverage"]
    assert (told["tools"], told["tested"], told["share"], told["untested"]) == (3, 3, 1.0, [])


def test_the_gate_comes_on_top_of_the_cases(project: Path) -> None:
    Path("app.intents.yaml").write_text("- intent: read_file\n  expect: files/read_file\n")
    assert invoke("test", "app.intents.yaml", "--min-coverage", "0.3").exit_code == 0
    result = invoke("test", "app.intents.yaml", "--min-coverage", "0.4")
    assert result.exit_code == 1
    assert "FAIL --min-coverage 0.4: 0.3333" in result.stdout
