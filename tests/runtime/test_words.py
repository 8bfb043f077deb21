"""Words of an intent as the artifact knows them: verbs, short forms, joined words, values."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min import ToolRuntime, words
from runtime_min.abbreviations import SPELLED
from runtime_min.artifact import open_artifact
from runtime_min.lexicon import STOP, scan
from runtime_min.student import beginning_in, word_pieces
from runtime_min.values import BIT
from runtime_min.verbs import DELETE, QUESTION, READ, VERBS
from runtime_min.words import Vocabulary, spoken_words


@pytest.fixture(scope="module")
def vocabulary(artifact: Path) -> Vocabulary:
    return ToolRuntime.open(artifact).snapshot.vocabulary


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("delete the old files", "delete"),
        ("please send a message", "send"),
        ("the invoices, archive them", "archive"),
        ("list and then delete them", "list"),
        ("Delete it", "delete"),
    ],
)
def test_the_first_verb_is_what_a_request_asks(vocabulary: Vocabulary, text: str, verb: str) -> None:
    assert vocabulary.read(text).verb == VERBS[verb]


def test_all_verbs_of_a_request_are_told(vocabulary: Vocabulary) -> None:
    reading = vocabulary.read("find the draft and delete it")
    assert reading.verb == VERBS["find"]
    assert reading.verbs & DELETE


@pytest.mark.parametrize("first", sorted(QUESTION - VERBS.keys()))
def test_a_question_without_a_verb_asks_to_read(vocabulary: Vocabulary, first: str) -> None:
    assert vocabulary.read(f"{first} my invoices from paris").verb == READ


def test_a_statement_without_a_verb_asks_nothing(vocabulary: Vocabulary) -> None:
    assert vocabulary.read("my invoices from paris").verb == 0


def test_a_verb_far_into_a_text_is_not_what_it_asks(vocabulary: Vocabulary) -> None:
    talk = " ".join(f"paris{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(60))
    reading = vocabulary.read(f"{talk} delete")
    assert reading.verb == 0
    assert reading.verbs & DELETE


def test_no_verb_of_deleting_reads() -> None:
    assert not DELETE & READ
    assert VERBS["remove"] & DELETE
    assert not VERBS["get"] & DELETE


SHORT = sorted((short, long) for short, long in SPELLED.items() if short not in long.split())


@pytest.mark.parametrize(("short", "long"), SHORT)
def test_a_short_form_means_what_it_stands_for(vocabulary: Vocabulary, short: str, long: str) -> None:
    word, spelled = vocabulary.word(short), [vocabulary.word(part) for part in long.split()]
    assert word.lanes == sum(each.lanes for each in spelled)
    assert word.terms == tuple(term for each in spelled for term in each.terms)
    assert set(word.tools) == {tool for each in spelled for tool in each.tools}


@pytest.mark.parametrize(("short", "added"), [("jpg", "image"), ("png", "image")])
def test_a_kind_of_file_keeps_its_name_and_says_what_it_is(vocabulary: Vocabulary, short: str, added: str) -> None:
    word, kind = vocabulary.word(short), vocabulary.word(added)
    assert set(kind.tools) <= set(word.tools)
    assert word.terms[1:] == kind.terms
    assert word.lanes > kind.lanes


@pytest.mark.parametrize("short", sorted(SPELLED))
def test_short_forms_are_looked_up_once_in_any_case(vocabulary: Vocabulary, short: str) -> None:
    assert short == short.lower()
    assert short not in STOP
    assert vocabulary.word(short.upper()) == vocabulary.word(short)
    assert not any(part in SPELLED and SPELLED[part] != part for part in SPELLED[short].split() if part != short)


def test_values_say_their_kind_and_not_their_characters(vocabulary: Vocabulary) -> None:
    reading = vocabulary.read("look at https://www.example.com/one and mail a@b.org")
    assert reading.kinds == BIT["url"] | BIT["email"]
    assert {"url", "email"} <= set(reading.words)
    assert not {"https", "www", "one", "org"} & set(reading.words)


def test_two_requests_that_differ_in_a_value_read_alike(vocabulary: Vocabulary) -> None:
    assert vocabulary.read("close PROJ-1482 by 2024-03-01") == vocabulary.read("close TEAM-9 by 2025-12-31")


def test_a_word_said_twice_in_another_case_counts_once(vocabulary: Vocabulary) -> None:
    assert vocabulary.read("Issue the issue ISSUE") == vocabulary.read("issue the")
    assert len(vocabulary.read("GitHub github").words) == 1


def test_a_word_said_twice_counts_once(vocabulary: Vocabulary) -> None:
    assert vocabulary.read("send send send a message") == vocabulary.read("send a message")


def test_stop_words_point_to_no_tool(vocabulary: Vocabulary) -> None:
    assert all(not vocabulary.word(word).terms for word in STOP)


def test_an_identifier_reads_as_its_words(vocabulary: Vocabulary) -> None:
    assert vocabulary.word("zzqxList").terms == vocabulary.word("zzqx").terms + vocabulary.word("list").terms


def test_an_unknown_word_weighs_as_much_as_any(vocabulary: Vocabulary) -> None:
    (unknown,) = vocabulary.word("zzqxwv").terms
    assert not unknown.key
    assert all(
        unknown.idf >= term.idf for word in ("send", "message", "github") for term in vocabulary.word(word).terms
    )


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.text(min_size=1, max_size=30), st.from_regex(r"[a-z#]{1,40}|[A-Za-z0-9]{1,30}", fullmatch=True)))
def test_an_unknown_word_is_cut_as_the_compiler_cuts_it(artifact: Path, text: str) -> None:
    """The look-up in the file, by order, against its slow twin in memory."""
    opened = open_artifact(artifact)
    rows = dict(opened.rows("SELECT piece, row FROM piece"))
    vocabulary = Vocabulary(opened)
    for word in scan(text):
        pieces = word_pieces(word, beginning_in(rows))
        assert [row for row, _ in vocabulary._pieces(word)] == [rows[piece] for piece in pieces]


SAID = [
    "find",
    "Find",
    "a",
    "I",
    "TV",
    "gitHub",
    "don't",
    "it's,",
    "a.b",
    "e.g.",
    "well-known",
    "'so'",
    "end.",
    "5",
    "?",
    ";",
]


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from(SAID) | st.text("aZ ',.;-!", max_size=6), max_size=9), st.sampled_from([" ", "  ", "\n"])
)
def test_prose_is_read_as_any_text_is(parts: list[str], between: str) -> None:
    text = between.join(parts)
    quick = spoken_words(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "is_prose", lambda _: None)
        assert quick == spoken_words(text)


def test_a_word_says_whether_a_longer_term_begins_with_it(artifact: Path) -> None:
    opened = open_artifact(artifact)
    terms = [row[0] for row in opened.rows("SELECT term FROM term")]
    told = dict(opened.rows("SELECT piece, begins FROM piece"))
    assert told == {piece: int(any(term.startswith(piece) and term != piece for term in terms)) for piece in told}
    assert set(told.values()) == {0, 1}
