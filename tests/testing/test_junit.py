"""JUnit: a failure in it exactly when the run fails."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from running import invoke

FILES = ("app.smallchat.db", "app.intents.yaml")


def junit(*options: str) -> tuple[int, ET.Element]:
    result = invoke("test", *FILES, "--junit", "report.xml", *options)
    return result.exit_code, ET.parse("report.xml").getroot()


def counts(root: ET.Element) -> tuple[str | None, ...]:
    return tuple(root.get(name) for name in ("tests", "failures", "skipped"))


def test_there_is_a_case_an_intent_and_no_clock(project: Path) -> None:
    code, root = junit()
    before = Path("report.xml").read_bytes()
    junit()
    assert Path("report.xml").read_bytes() == before
    assert (code, counts(root)) == (1, ("4", "1", "0"))
    [failure] = root.iter("failure")
    assert failure.get("type") == "wrong-tool"
    assert "files/delete_file" in (failure.get("message") or "")
    assert [case.get("line") for case in root.iter("testcase")] == ["1", "3", "5", "7"]


def test_what_gates_forgive_is_skipped_with_the_reason(project: Path) -> None:
    code, root = junit("--min-recall1", "0.6")
    assert (code, counts(root)) == (0, ("5", "0", "1"))
    [skipped] = root.iter("skipped")
    assert skipped.get("message") == (
        "the gates hold; another tool came first: wanted files/delete_file, got files/read_file (high)"
    )


def test_a_shut_gate_is_a_failure_and_so_are_its_reasons(project: Path) -> None:
    code, root = junit("--min-recall1", "0.7", "--min-mrr", "0.5")
    assert (code, counts(root)) == (1, ("6", "2", "0"))
    [gates] = [suite for suite in root if suite.get("name") == "gates"]
    assert [(case.get("name"), len(case)) for case in gates] == [("--min-recall1 0.7", 1), ("--min-mrr 0.5", 0)]


def test_coverage_alone_can_be_what_fails(project: Path) -> None:
    Path("app.intents.yaml").write_text("- intent: read_file\n  expect: files/read_file\n")
    code, root = junit("--min-coverage", "0.5")
    assert (code, counts(root)) == (1, ("2", "1", "0"))
    assert [failure.get("message") for failure in root.iter("failure")] == ["--min-coverage 0.5: 0.3333"]


def test_a_gate_on_coverage_forgives_no_failure(project: Path) -> None:
    code, root = junit("--min-coverage", "1")
    assert (code, counts(root)) == (1, ("5", "1", "0"))


def test_the_baseline_forgives_what_it_has_as_wrong_and_nothing_else(project: Path) -> None:
    assert invoke("test", *FILES, "--baseline", "b.smallchat.baseline", "--update").exit_code == 0
    code, root = junit("--baseline", "b.smallchat.baseline")
    assert (code, counts(root)) == (0, ("5", "0", "1"))
    assert [each.get("message", "").split(";")[0] for each in root.iter("skipped")] == ["wrong in the baseline too"]
    text = Path("app.intents.yaml").read_text().replace("expect: weather/get_forecast", "expect: files/read_file")
    Path("app.intents.yaml").write_text(text)
    code, root = junit("--baseline", "b.smallchat.baseline")
    assert (code, counts(root)) == (1, ("5", "2", "1"))


@pytest.mark.parametrize("name", ["a\x00b", "\ud800 half", "<&>\"'", "\x1b[31m"])
def test_what_xml_cannot_hold_is_replaced(project: Path, name: str) -> None:
    import json

    Path("app.intents.yaml").write_text(json.dumps([{"intent": f"zz {name}", "expect": "files/read_file"}]))
    _, root = junit()
    assert len([*root.iter("testcase")]) == 1
