"""Shards: every case in exactly one, the same one whatever stands around it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import invoke

from smallchatc.testing.scorecard import Case
from smallchatc.testing.shards import Shard, dealt, variant_of

TEXTS = st.lists(st.text(max_size=20), max_size=30)


def cases(texts: list[str]) -> tuple[Case, ...]:
    return tuple(Case(query=text, gold=("p/n",)) for text in texts)


@given(TEXTS, st.integers(1, 7))
def test_shards_add_up_to_the_whole(texts: list[str], count: int) -> None:
    shards = [dealt(cases(texts), Shard(index=index, count=count)) for index in range(1, count + 1)]
    assert sorted(case.query for shard in shards for case in shard) == sorted(texts)


@given(TEXTS, TEXTS, st.integers(1, 7))
def test_what_is_added_sends_no_case_elsewhere(texts: list[str], more: list[str], count: int) -> None:
    shard = Shard(index=1, count=count)
    kept = [case.query for case in dealt(cases([*more, *texts]), shard) if case.query not in more]
    assert kept == [text for text in (case.query for case in dealt(cases(texts), shard)) if text not in more]


def test_a_case_is_its_words_and_what_else_it_asks_with() -> None:
    plain = Case(query="a", gold=("p/n",))
    among, other = (Case(query="a", gold=(), among=tools) for tools in (("p/n", "p/m"), ("p/m", "p/n")))
    assert variant_of(plain) == ""
    assert variant_of(among) == variant_of(other) != ""
    assert variant_of(Case(query="a", gold=(), args={"x": 1})) not in ("", variant_of(among))


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "", "²/3"])
def test_what_is_no_shard_is_refused(project: Path, text: str) -> None:
    result = invoke("test", "--shard", text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "K/N is needed, with K from 1 to N, like 2/4" in " ".join(result.stderr.replace("│", " ").split())


def test_counts_of_shards_add_up_and_each_says_what_it_is_part_of(project: Path) -> None:
    told = [json.loads(invoke("test", "app.intents.yaml", "--shard", f"{k}/3", "--json").stdout) for k in (1, 2, 3)]
    assert sum(each["cases"] for each in told) == 4
    assert sum(each["passed"] for each in told) == 3
    assert [each["shard"] for each in told] == [{"index": k, "count": 3, "all_cases": 4} for k in (1, 2, 3)]
    assert {each["coverage"]["tested"] for each in told} == {3}  # of all tests, not of this part


def test_a_baseline_holds_on_every_shard_and_fails_on_one(project: Path) -> None:
    assert invoke("test", "--update").exit_code == 0
    shards = [f"{k}/3" for k in (1, 2, 3)]
    assert [invoke("test", "--shard", shard).exit_code for shard in shards] == [0, 0, 0]
    text = Path("app.intents.yaml").read_text().replace("weather/get_forecast", "files/read_file")
    Path("app.intents.yaml").write_text(text)
    assert sorted(invoke("test", "--shard", shard).exit_code for shard in shards) == [0, 0, 1]


def test_a_shard_in_which_a_gate_has_no_case_passes_it(project: Path) -> None:
    Path("app.intents.yaml").write_text("- intent: read_file\n  expect: files/read_file\n")
    codes = [
        invoke("test", "app.intents.yaml", "--min-recall1", "1", "--shard", f"{k}/4").exit_code for k in (1, 2, 3, 4)
    ]
    assert codes == [0, 0, 0, 0]
    assert invoke("test", "app.intents.yaml", "--min-auroc", "0.5").exit_code == 1  # of the whole nothing is left out


def test_a_shard_in_which_a_gate_has_no_case_forgives_as_the_whole_does(project: Path) -> None:
    Path("app.intents.yaml").write_text(
        "- intent: read_file\n  expect: files/read_file\n- intent: delete_file\n  expect: []\n"
    )
    options = ("app.intents.yaml", "--min-recall1", "1")
    assert invoke("test", *options).exit_code == 0
    assert [invoke("test", *options, "--shard", f"{k}/9").exit_code for k in range(1, 10)] == [0] * 9


def test_a_part_is_not_recorded_as_the_whole(project: Path) -> None:
    result = invoke("test", "--update", "--shard", "1/2")
    assert result.exit_code == 2
    assert "--update records all tests: leave --shard out" in result.stderr
    assert not Path("app.smallchat.baseline").exists()
