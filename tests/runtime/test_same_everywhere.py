"""Held to the same text, the same result: whatever the hash seed, the locale, the thread, the order, the process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hostile_text import KINDS

from runtime_min import ToolRuntime

SCRIPT = """
import json, sys
from runtime_min import ToolRuntime
runtime = ToolRuntime.open(sys.argv[1])
print(json.dumps([runtime.resolve_anew(text).to_dict() for text in json.load(sys.stdin)]))
"""
SAID = (
    "send create list delete update search file files issue issues email message channel event calendar weather page"
    " query database repository the a my all new to for about with team friday paris https://example.com/a 2024-03-01"
    " report.pdf 42 #7 a@b.de getIssue list_files öffne Datei 文件 列出 файл zzqx github slack not please"
).split()


def texts() -> list[str]:
    """Two hundred: requests of words that catalogues have, and the beginnings of bait."""
    rng = random.Random(11)
    said = [" ".join(rng.choices(SAID, k=rng.randint(1, 12))) for _ in range(200 - len(KINDS))]
    return [*said, *(kind(40) for kind in KINDS.values())]


def elsewhere(artifact: Path, asked: list[str], **environment: str) -> list[dict[str, Any]]:
    """What a new process answers."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT, str(artifact)],
        input=json.dumps(asked).encode(),
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, **environment},
    )
    answers: list[dict[str, Any]] = json.loads(run.stdout)
    return answers


@pytest.fixture(scope="module")
def expected(artifact: Path) -> list[dict[str, Any]]:
    """What this process answers, as JSON says it."""
    runtime = ToolRuntime.open(artifact)
    answers: list[dict[str, Any]] = json.loads(json.dumps([runtime.resolve_anew(text).to_dict() for text in texts()]))
    return answers


def test_the_texts_are_two_hundred_and_meet_every_tier(expected: list[dict[str, Any]]) -> None:
    assert len(texts()) == 200
    assert {answer["tier"] for answer in expected} >= {"none", "low"}
    assert len({answer["tool"] for answer in expected}) > 20


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "4294967295"},
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"},
        {"PYTHONOPTIMIZE": "2"},
    ],
    ids=lambda environment: " ".join(f"{name}={value}" for name, value in environment.items()),
)
def test_another_process_answers_the_same(
    artifact: Path, expected: list[dict[str, Any]], environment: dict[str, str]
) -> None:
    assert elsewhere(artifact, texts(), **environment) == expected


def test_what_was_asked_before_changes_nothing(artifact: Path, expected: list[dict[str, Any]]) -> None:
    asked = texts()
    order = random.Random(5).sample(range(len(asked)), len(asked))
    runtime = ToolRuntime.open(artifact)
    for _ in range(2):
        answers = {at: runtime.resolve_anew(asked[at]).to_dict() for at in order}
        assert json.loads(json.dumps([answers[at] for at in range(len(asked))])) == expected


def test_threads_answer_the_same_together(artifact: Path, expected: list[dict[str, Any]]) -> None:
    runtime = ToolRuntime.open(artifact)
    asked = texts()

    def all_of_them(seed: int) -> list[dict[str, Any]]:
        order = random.Random(seed).sample(range(len(asked)), len(asked))
        answers = {at: runtime.resolve_anew(asked[at]).to_dict() for at in order}
        return [answers[at] for at in range(len(asked))]

    with ThreadPoolExecutor(8) as pool:
        for answers in pool.map(all_of_them, range(8)):
            assert json.loads(json.dumps(answers)) == expected


def test_a_bounded_cache_that_starts_anew_changes_nothing(
    artifact: Path, expected: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from runtime_min import catalogue, scoring, words

    monkeypatch.setattr(words, "_CACHE", 5)
    monkeypatch.setattr(scoring, "_CACHE", 3)
    monkeypatch.setattr(catalogue, "_CACHE", 2)
    runtime = ToolRuntime.open(artifact)
    assert json.loads(json.dumps([runtime.resolve_anew(text).to_dict() for text in texts()])) == expected
