"""Words of a catalogue: what each counts for each tool, and which of them name a provider."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.conftest import Read, line

from runtime_min.lexicon import stem
from smallchatc.lexical import OWNER_SHARE, Lexicon, build_lexicon

SEVERAL = (
    line("github/create_issue", "Create an issue in a GitHub repository"),
    line("github/list_tags", "List the tags of a GitHub repository"),
    line("github/merge", "Merge two branches on GitHub"),
    line("jira/create_issue", "Create an issue in a Jira project"),
    line("jira/list_sprints", "List the sprints of a board in Jira"),
    line("jira/export", "Export a report from Jira"),
)


def share(lexicon: Lexicon, word: str, tool: int) -> float:
    return lexicon.shares[lexicon.terms.index(stem(word))].get(tool, 0.0)


def owners(lexicon: Lexicon, word: str) -> tuple[str, ...]:
    return lexicon.owners[lexicon.terms.index(stem(word))]


def holders(lexicon: Lexicon, word: str) -> float:
    return lexicon.holders[lexicon.terms.index(stem(word))]


def test_a_word_that_names_a_provider_says_little_about_which_of_its_tools(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL))
    assert owners(lexicon, "github") == ("github",)
    assert owners(lexicon, "jira") == ("jira",)
    mine = [share(lexicon, "github", tool) for tool in range(3)]
    assert max(mine) - min(mine) <= 0.15
    assert [share(lexicon, "github", tool) for tool in range(3, 6)] == [0, 0, 0]
    assert holders(lexicon, "github") == 3


def test_a_word_that_half_of_a_providers_tools_have_names_it(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL))
    assert owners(lexicon, "repository") == ("github",)
    assert owners(lexicon, "sprints") == ()


def test_a_providers_words_are_its_name_whole_and_in_parts(read: Read) -> None:
    tools = read(
        line("argo-cd/sync", "Bring an application up to date"),
        line("argo-cd/rollback", "Go back to an earlier revision"),
        line("argo-cd/delete", "Drop a cluster"),
        line("mail/send", "Send a message"),
        line("mail/read", "Open a letter"),
    )
    lexicon = build_lexicon(tools)
    assert {word for word in ("argo", "cd", "argocd") if owners(lexicon, word) == ("argo-cd",)} == {
        "argo",
        "cd",
        "argocd",
    }


def test_a_word_that_every_server_has_names_none(read: Read) -> None:
    tools = read(
        *(
            line(f"weather-mcp-server/get_{name}", f"MCP server tool for the {name}")
            for name in ("rain", "wind", "sun")
        ),
        line("mail/send", "Send a message"),
        line("mail/read", "Open a letter"),
    )
    lexicon = build_lexicon(tools)
    assert owners(lexicon, "weather") == ("weather-mcp-server",)
    assert [owners(lexicon, word) for word in ("mcp", "tool")] == [(), ()]


def test_one_provider_alone_has_no_words_of_its_own(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL[:3]))
    assert set(lexicon.owners) == {()}
    assert share(lexicon, "github", 0) > 0


def test_a_provider_of_one_tool_keeps_the_words_of_the_tool(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL, line("stripe/refund", "Refund a payment with Stripe")))
    assert share(lexicon, "refund", 6) > 0
    assert owners(lexicon, "refund") == ()


def test_shares_are_more_than_none_and_less_than_all(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL, line("a/b", "word " * 80)))
    assert all(0 < value < 1 for term in lexicon.shares for value in term.values())
    assert 0 < OWNER_SHARE < 1


def test_a_word_of_the_name_counts_more_than_one_of_the_description(read: Read) -> None:
    lexicon = build_lexicon(read(line("a/refund", "Handles money"), line("a/pay", "Handles refund")))
    assert share(lexicon, "refund", 1) > share(lexicon, "refund", 0) > 0  # pay is 0, refund is 1


def test_a_word_said_more_often_counts_more_and_ever_less_so(read: Read) -> None:
    lexicon = build_lexicon(
        read(
            line("a/x", "refund one two three"),
            line("a/y", "refund refund two three"),
            line("a/z", "refund refund refund three"),
        )
    )
    once, twice, thrice = (share(lexicon, "refund", tool) for tool in range(3))
    assert once < twice < thrice
    assert twice - once > thrice - twice


def test_a_word_among_few_counts_more_than_among_many(read: Read) -> None:
    lexicon = build_lexicon(
        read(line("a/x", "refund"), line("a/y", "refund " + " ".join(f"word{n}x" for n in range(40))))
    )
    assert share(lexicon, "refund", 0) > share(lexicon, "refund", 1)


def test_an_argument_counts_more_by_its_name_than_by_its_text(read: Read) -> None:
    lexicon = build_lexicon(
        read(
            line("a/x", "Does it", currency={"type": "string", "description": "code"}),
            line("a/y", "Does it", code={"type": "string", "description": "currency"}),
        )
    )
    assert share(lexicon, "currency", 0) > share(lexicon, "currency", 1) > 0


def test_what_stands_far_down_a_long_description_is_not_indexed(read: Read) -> None:
    lexicon = build_lexicon(read(line("a/x", "talk " * 200 + "refund"), line("a/y", "refund")))
    assert share(lexicon, "refund", 0) == 0
    assert share(lexicon, "refund", 1) > 0


@given(st.lists(st.floats(0, 50), min_size=2, max_size=10))
def test_a_rarer_term_weighs_more_and_none_weighs_nothing(counts: list[float]) -> None:
    lexicon = Lexicon(terms=(), holders=(), shares=(), owners=(), spoken=(), tools=50)
    weights = [lexicon.idf(count) for count in sorted(counts)]
    assert weights == sorted(weights, reverse=True)
    assert all(0 < weight <= lexicon.idf(0) for weight in weights)


def test_terms_are_sorted_and_every_column_has_one_entry_each(read: Read) -> None:
    lexicon = build_lexicon(read(*SEVERAL))
    assert list(lexicon.terms) == sorted(set(lexicon.terms))
    assert {len(column) for column in (lexicon.holders, lexicon.shares, lexicon.owners, lexicon.spoken)} == {
        len(lexicon.terms)
    }
    assert lexicon.tools == 6


def test_a_stem_is_spoken_as_its_most_frequent_word(read: Read) -> None:
    lexicon = build_lexicon(read(line("a/x", "queries queries query"), line("a/y", "merged merging")))
    spoken = dict(zip(lexicon.terms, lexicon.spoken, strict=True))
    assert spoken[stem("query")] == "queries"
    assert spoken[stem("merging")] == "merged"  # as often: the first by spelling


def test_the_order_of_the_lines_changes_nothing(read: Read) -> None:
    assert build_lexicon(read(*SEVERAL)) == build_lexicon(read(*reversed(SEVERAL)))


def test_no_tools_have_no_words() -> None:
    lexicon = build_lexicon(())
    assert (lexicon.terms, lexicon.tools) == ((), 0)


@pytest.mark.parametrize("text", ["", "!?", "的", "\ud800", "a" * 10_000])
def test_no_description_is_too_strange(read: Read, text: str) -> None:
    lexicon = build_lexicon(read(line("a/x", text), line("a/y", "refund")))
    assert share(lexicon, "refund", 1) > 0
