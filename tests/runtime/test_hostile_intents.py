"""Whatever is sent as an intent is answered, and no text makes a resolver do more than linear work."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hostile_text import KINDS

from runtime_min import ToolRuntime
from runtime_min.candidates import MOST
from runtime_min.lexicon import canonical
from runtime_min.proof import Tier
from runtime_min.resolution import Resolution
from runtime_min.words import MAX_TEXT, MAX_WORDS

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz      ",
    "aAbB01_-./: ",
    "0123456789.,/:-+%$€#@ ",
    " \t\r\n\x00\x01\x1b\x7f\u0085\u2028\u200b\u202e\ufeff",
    "\"'“”‘’`{}[]()<>=|&*^~\\;?! ",
    "文件列出所有ファイル파일แฟ้มملفקובץ ",
    "e\u0301a\u0323o\u0308\u0345ßİﬁﷺ²٣",
    "🔥👩\u200d🚀🇵🇹\U0010ffff\ue000",
    "\ud800\udbff\udc00\udfffa ",
)
WORDS = (
    "send list create delete file issue email the of a not NEAR AND OR SELECT * FROM tool; -- a@b.de 2024-01-01".split()
)
RANDOM = 10_000
LONG = 100_000


@pytest.fixture(scope="module")
def runtime(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact)


def texts(count: int) -> list[str]:
    """Random texts of 0 to 60 characters, of one alphabet each or of all, and of words that mean something to SQL."""
    rng = random.Random(3)
    everything = "".join(ALPHABETS)
    found = []
    for number in range(count):
        if number % 10 == 9:
            found.append(" ".join(rng.choices(WORDS, k=rng.randrange(12))))
        else:
            alphabet = ALPHABETS[number % 10] if number % 20 < 10 else everything
            found.append("".join(rng.choices(alphabet, k=rng.randrange(60))))
    return found


def holds_together(answer: Resolution) -> bool:
    """What is true of every answer."""
    return (
        0 <= answer.fit <= 1
        and 0 <= answer.confidence <= 1
        and (answer.tool is None) == (answer.refinement is not None)
        and (answer.tier is not Tier.NONE or answer.tool is None)
    )


def statements(artifact: Path, text: str) -> int:
    """The SQLite statements that a fresh vocabulary runs to read a text."""
    snapshot = ToolRuntime.open(artifact).snapshot
    seen: list[str] = []
    connection = snapshot.artifact.connection()
    connection.set_trace_callback(seen.append)
    snapshot.vocabulary.read(text)
    connection.set_trace_callback(None)
    return len(seen)


def test_ten_thousand_random_texts_are_answered(runtime: ToolRuntime) -> None:
    resolve = runtime.snapshot.resolver.resolve
    broken = [text for text in texts(RANDOM) if not holds_together(resolve(text))]
    assert broken == []


@pytest.mark.parametrize("kind", KINDS)
def test_bait_is_answered_and_proved(runtime: ToolRuntime, kind: str) -> None:
    for length in (1, 2, 64, 65, 700):
        answer = runtime.resolve(KINDS[kind](length))
        assert holds_together(answer)
        assert answer.to_dict()["proof"]["steps"]


@pytest.mark.parametrize(
    "kind", ["one letter", "a. a. a.", "han", "lone surrogates", "zalgo", "fts", "long unknown words"]
)
def test_of_a_long_text_only_the_beginning_is_read(artifact: Path, runtime: ToolRuntime, kind: str) -> None:
    text = KINDS[kind](LONG)
    assert holds_together(runtime.resolve(text))
    read = runtime.snapshot.vocabulary.read
    assert read(text) == read(text[:MAX_TEXT])
    assert len(read(text).words) <= 2 * MAX_WORDS


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"words of which none comes twice"}))
def test_work_grows_no_faster_than_the_text(artifact: Path, kind: str) -> None:
    short, long = (statements(artifact, KINDS[kind](length)) for length in (1_000, 4_000))
    assert long <= 4 * short + 40


def test_a_text_of_new_words_alone_costs_a_few_look_ups_a_character(artifact: Path) -> None:
    text = KINDS["long unknown words"](MAX_TEXT)
    assert statements(artifact, text) <= 25 * len(text)


def test_few_tools_are_scored_whatever_is_said(runtime: ToolRuntime) -> None:
    said = " ".join(row[0] for row in runtime.artifact.rows("SELECT term FROM term"))
    assert len(runtime.resolve(said, k=1_000).candidates) <= MOST


def test_no_tool_at_all_fits_nothing_said(runtime: ToolRuntime) -> None:
    for text in ("", " ", "\x00", "?!", "\u202e", "…", "\n" * 1_000):
        answer = runtime.resolve(text)
        assert answer.tier is Tier.NONE
        assert answer.tool is None


def test_sql_in_an_intent_is_words(runtime: ToolRuntime) -> None:
    before = runtime.artifact.row("SELECT count(*) FROM tool")
    runtime.resolve("'; DROP TABLE tool; --")
    assert runtime.artifact.row("SELECT count(*) FROM tool") == before


def test_canonical_keys_of_half_characters_can_be_asked_for(runtime: ToolRuntime) -> None:
    assert runtime.catalogue.named(canonical("\ud800 send \udfff")) == runtime.catalogue.named(canonical("send"))
