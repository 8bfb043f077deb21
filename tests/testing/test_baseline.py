"""The baseline: written as a text to review, compared case by case, refused where it cannot be trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import invoke

from smallchatc.diagnostics import CompileError
from smallchatc.testing.baseline import baseline_text, compare, read_baseline
from smallchatc.testing.scorecard import TIERS, Case, Outcome

NAME = "app.smallchat.baseline"
HEAD = "# smallchat baseline 1: what each intent test leads to; written by `smallchatc test --update`.\n"
WRITTEN = (
    HEAD + 'file "app.intents.yaml"\n'
    'right none - "qwzx vbnk plmq"\n'
    'wrong high "files/read_file" "read the contents of a file"\n'
    'right exact "files/read_file" "read_file"\n'
    'right high "weather/get_forecast" "weather forecast for a city"\n'
)


def outcome(query: str, tool: str | None = "p/n", *, tier: str = "high", gold: str = "p/n", **case: object) -> Outcome:
    made = Case(query=query, gold=(gold,), file="t.yaml", **case)  # type: ignore[arg-type]
    return Outcome(case=made, ranked=(tool,) if tool else (), tool=tool, tier=tier, confidence=0.5, fit=0.5)


def test_update_writes_a_line_a_case_sorted_and_the_same_from_anywhere(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = invoke("test", "--update")
    assert result.exit_code == 0
    assert result.stderr == f"{NAME}: 3 cases recorded as right, 1 as wrong\n"
    assert (project / NAME).read_text() == WRITTEN
    monkeypatch.chdir(project.parent)
    files = (project / "app.smallchat.db", project / "app.intents.yaml")
    assert invoke("test", *files, "--baseline", project / "b", "--update").exit_code == 0
    assert (project / "b").read_text() == WRITTEN


def test_what_is_as_recorded_passes_with_the_failures_it_knows(project: Path) -> None:
    (project / NAME).write_text(WRITTEN)
    known = "allowed 'read the contents of a file'  app.intents.yaml:5, wrong in the baseline too\n"
    assert known in invoke("test", "--verbose").stdout
    result = invoke("test")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 failure that the baseline has: --verbose shows all\n\n3 of 4 passed")
    assert result.stdout.endswith(f"ok --baseline {NAME}: 4 as recorded\n")


def test_what_got_worse_is_shown_before_and_after_with_what_decided(project: Path) -> None:
    (project / NAME).write_text(WRITTEN)
    tools = (project / "tools.jsonl").read_text().replace("Weather forecast of the coming days for a city", "Days")
    more = tools.replace("get_forecast", "x").replace("Read the contents of a file", "Weather forecast for a city")
    (project / "tools.jsonl").write_text(more)
    assert invoke("compile").exit_code == 0
    result = invoke("test")
    assert result.exit_code == 1
    assert "FAIL 'weather forecast for a city'  app.intents.yaml:3\n" in result.stdout
    assert "words: " in result.stdout.split("FAIL 'weather")[1].split("\n\n")[0]
    worse = result.stdout.split("WORSE")[1].splitlines()
    assert worse[0] == " 'weather forecast for a city'  app.intents.yaml:3"
    assert worse[1] == "    was weather/get_forecast HIGH"
    assert worse[2].startswith("    is  files/read_file ")


def test_what_got_better_new_or_gone_is_named_and_fails_nothing(project: Path) -> None:
    (project / NAME).write_text(WRITTEN)
    (project / "app.intents.yaml").write_text(
        "- intent: read_file\n  expect: files/read_file\n"
        "- intent: read the contents of a file\n  expect: files/read_file\n"
        "- intent: qwzx vbnk plmq\n  expect: []\n"
        "- intent: remove a file from disk\n  expect: files/read_file\n"
    )
    result = invoke("test")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "better 'read the contents of a file'  app.intents.yaml:3" in lines
    assert "new 'remove a file from disk'  app.intents.yaml:7: wrong, files/delete_file HIGH" in lines
    assert "gone 'weather forecast for a city'  app.intents.yaml" in lines
    assert lines[-2:] == [
        f"ok --baseline {NAME}: 2 as recorded, 1 better, 1 new, 1 gone",
        "  smallchatc test --update records what is so now",
    ]


def test_the_document_has_all_of_it(project: Path) -> None:
    (project / NAME).write_text(WRITTEN.replace("right high", "wrong low").replace("right exact", "right high"))
    told = json.loads(invoke("test", "--json").stdout)
    baseline = told["baseline"]
    assert (told["ok"], baseline["ok"], baseline["same"]) == (True, True, 2)
    assert [(each["query"], each["before"]["tier"], each["tier"]) for each in baseline["mended"]] == [
        ("weather forecast for a city", "low", "high")
    ]
    assert [(each["query"], each["before"]["tier"], each["baseline_line"]) for each in baseline["moved"]] == [
        ("read_file", "high", 5)
    ]
    assert [failure["forgiven"] for failure in told["failures"]] == ["wrong in the baseline too"]


def test_a_test_that_wants_another_tool_now_says_that(project: Path) -> None:
    (project / NAME).write_text(WRITTEN)
    text = (project / "app.intents.yaml").read_text().replace("weather/get_forecast", "files/read_file")
    (project / "app.intents.yaml").write_text(text)
    result = invoke("test")
    assert result.exit_code == 1
    assert "    the test wants files/read_file now\n" in result.stdout


def test_gates_and_baseline_must_both_hold(project: Path) -> None:
    (project / NAME).write_text(WRITTEN)
    assert invoke("test", "--min-recall1", "0.6").exit_code == 0
    assert invoke("test", "--min-recall1", "0.7").exit_code == 1


def test_files_that_were_not_run_are_counted_and_nothing_else(project: Path) -> None:
    (project / NAME).write_text(WRITTEN + 'file "other.yaml"\nright high "p/n" "a"\nright high "p/n" "b"\n')
    result = invoke("test")
    assert result.exit_code == 0
    assert "not run: 2 cases of other.yaml" in result.stdout


def test_files_that_are_named_are_not_compared_with_the_baseline_of_the_project(project: Path) -> None:
    (project / NAME).write_text("no baseline at all\n")
    assert invoke("test", "app.intents.yaml", "--min-recall1", "0.6").exit_code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1:1: error: this is no baseline of smallchat [bad-baseline]"),
        ("hello\n", "1:1: error: this is no baseline of smallchat [bad-baseline]"),
        ("{}", "1:1: error: this is no baseline of smallchat [bad-baseline]"),
        (
            "# smallchat baseline 2: x\n",
            "1:1: error: a baseline of version 2; this compiler reads version 1 [bad-baseline]",
        ),
        (HEAD + 'right high "p/n" "a"\n', "2:1: error: a case before any file [bad-baseline]"),
        (
            HEAD + 'file "t.yaml"\nright huge "p/n" "a"\n',
            '3:1: error: not a line of a baseline: \'right huge "p/n" "a"\' [bad-baseline]',
        ),
        (
            HEAD + 'file "t.yaml"\nright high "p/n" "\\x"\n',
            '3:1: error: not a line of a baseline: \'right high "p/n" "\\x"\' [bad-baseline]',
        ),
        (
            HEAD + 'file "t.yaml"\nright high "p/n" "a"\nwrong low - "a"\n',
            "4:1: error: this case stands in line 3 too [bad-baseline]",
        ),
        (
            HEAD + 'file "t.yaml"\nfile "t.yaml"\n',
            "3:1: error: the file 't.yaml' begins here again [bad-baseline]",
        ),
        (
            HEAD + 'file "t.yaml"\n<<<<<<< HEAD\n',
            "3:1: error: a merge left its conflict here [bad-baseline]",
        ),
        (
            HEAD + 'file "other.yaml"\nright high "p/n" "a"\n',
            "2:1: error: 'other.yaml' is recorded here, and 'app.intents.yaml' is tested [stale-baseline]",
        ),
        (HEAD, "1:1: error: nothing is recorded here, and 'app.intents.yaml' is tested [stale-baseline]"),
    ],
)
def test_what_is_no_baseline_of_these_tests_is_refused_at_its_line(project: Path, text: str, told: str) -> None:
    (project / NAME).write_text(text)
    result = invoke("test")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == f"{NAME}:{told}"
    assert result.stderr.splitlines()[1].startswith("  hint: ")


@pytest.mark.parametrize("data", [b"SQLite format 3\x00", b"# smallchat baseline 1\n\xff\xfe"])
def test_a_baseline_that_is_no_text_is_refused(project: Path, data: bytes) -> None:
    (project / NAME).write_bytes(data)
    result = invoke("test")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{NAME}:")


def test_every_broken_line_is_told_at_once(project: Path) -> None:
    (project / NAME).write_text(WRITTEN.replace("right", "rihgt"))
    assert invoke("test").stderr.count("[bad-baseline]") == 3


def test_a_baseline_that_is_not_there_says_how_to_write_it(project: Path) -> None:
    result = invoke("test")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"{NAME}:1:1: error: there is no such baseline [bad-baseline]\n"
        "  hint: record what the tests lead to now: smallchatc test --update\n"
    )


def test_update_wants_a_name(project: Path) -> None:
    result = invoke("test", "app.intents.yaml", "--update")
    assert result.exit_code == 2
    assert "--update: name the file, as --baseline BASELINE or as `baseline` in smallchat.yaml" in result.stderr


def test_update_replaces_what_cannot_be_read(project: Path) -> None:
    (project / NAME).write_text("<<<<<<< HEAD\n")
    assert invoke("test", "--update").exit_code == 0
    assert (project / NAME).read_text() == WRITTEN


def test_a_baseline_in_a_folder_of_sources_is_no_source(project: Path) -> None:
    (project / "smallchat.yaml").unlink()
    compiled = ("compile", ".", "-o", "x.smallchat.db", "--json")
    assert not json.loads(invoke(*compiled).stdout)["up_to_date"]
    (project / NAME).write_text(WRITTEN)
    assert json.loads(invoke(*compiled).stdout)["up_to_date"]


TEXT = st.text(max_size=12)
OUTCOMES = st.lists(
    st.builds(
        outcome,
        TEXT,
        st.none() | TEXT.filter(bool),
        tier=st.sampled_from(TIERS),
        gold=st.just("p/n"),
        args=st.none() | st.just({"x": 1}),
    ),
    max_size=12,
)


@given(OUTCOMES)
def test_what_is_written_is_read_again_whatever_the_words(
    tmp_path_factory: pytest.TempPathFactory, found: list[Outcome]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    place = folder / "x.smallchat.baseline"
    text = baseline_text(found, folder=folder)
    place.write_text(text, encoding="utf-8", newline="\n")
    if not found:
        with pytest.raises(CompileError):
            compare(read_baseline(place), found, files=["t.yaml"])
        return
    compared = compare(read_baseline(place), found, files=["t.yaml"])
    assert (compared.same, compared.new, compared.removed, compared.moved) == (len(found), (), (), ())
