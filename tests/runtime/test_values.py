"""Values in a request: each is told by its kind, and only what says something stays of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min import values
from runtime_min.values import BIT, KINDS, read


def kinds_in(text: str) -> set[str]:
    return {kind for kind in KINDS if read(text)[1] & BIT[kind]}


def said(text: str) -> str:
    """What is left of a text, single spaces between words."""
    return " ".join(read(text)[0].split())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("open https://www.example.com/a?b=1#c now", "url"),
        ("copy s3://bucket/key", "url"),
        ("clone git://host/repo", "url"),
        ("write to jo.doe+x@mail.example.co.uk please", "email"),
        ("what is at 52.52, 13.405", "coord"),
        ("what is at -33.86,-151.2", "coord"),
        ("from 2024-03-01 on", "date"),
        ("in 2024-03", "date"),
        ("by 12/05/2025", "date"),
        ("at 14:30", "time"),
        ("at 14:30:15", "time"),
        ("at 7 am", "time"),
        ("at 7pm", "time"),
        ("for 25 people", "number"),
        ("it costs $1,200.50", "number"),
        ("20% off", "number"),
        ("read /var/log/app.log", "path"),
        ("read ~/notes.md", "path"),
        ("read ../up/file", "path"),
        (r"read C:\Users\a\b.txt", "path"),
        ("open report.pdf", "path"),
        ("in src/main.py", "path"),
        ("commit 3f2a9bc1", "id"),
        ("PROJ-1482 is done", "id"),
        ("close #3921", "id"),
        ("550e8400-e29b-41d4-a716-446655440000", "id"),
        ("project kx92Lm", "id"),
        ("order 12345678", "id"),
        ("SELECT name FROM users WHERE id = 3", "code"),
        ("SELECT name FROM users", "code"),
        ("select * from users", "code"),
        ('send {"status": true}', "code"),
        ("x => y", "code"),
        ("run main()", "code"),
        ("query { user }", "code"),
        ('say "hello there"', "quoted"),
        ("call it 'my note' please", "quoted"),
        ("call it “Notiz”", "quoted"),
    ],
)
def test_each_value_is_told_by_its_kind(text: str, kind: str) -> None:
    assert kind in kinds_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words, and a full stop.",
        "don't stop the team's build",
        "the v2 api",
        "an mp3 player",
        "e-mail me",
        "what? yes! (no)",
        "see example.com.",
        "C++ or C#",
        "mail and/or call",
        "create/update the record",
        "select a file from the drive",
        "covid19 news for windows11",
    ],
)
def test_text_without_values_has_no_kind(text: str) -> None:
    assert read(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("news from https://www.reuters.com/markets/europe?x=1", "news from url reuters"),
        ("write to jo@example.org today", "write to email today"),
        ("dump postgres://jo:pw@db.internal.example/sales", "dump url internal"),
        ("weather at 52.52, 13.405", "weather at coordinates"),
        ("open 24/7", "open /"),
        ("since 2024-03-01", "since date"),
        ("close PROJ-1482 now", "close id now"),
        ("book it for 25 people at 14:30", "book it for people at"),
        ("ping 10.0.0.1 please", "ping please"),
        ("open meeting-notes.docx", "open word document"),
        ("plot data/2024/sales.csv", "plot csv file"),
        ("show photo.png", "show image"),
        ("tail /var/log/app.log", "tail file"),
        ("list /var/log", "list path"),
        ('say "hello there" now', 'say "hello there" now'),
    ],
)
def test_of_a_value_its_kind_is_left_and_what_it_says(text: str, left: str) -> None:
    assert said(text) == left


@pytest.mark.parametrize("secret", ["kx92Lm44", "jo.doe@example.org", "3f2a9bc1d0", "52.52071, 13.40512"])
def test_the_characters_of_a_value_do_not_reach_the_words(secret: str) -> None:
    assert secret not in said(f"please look up {secret} for me")


def test_several_values_are_all_told() -> None:
    assert kinds_in("mail a@b.de the 3 files of 2024-01-01 at 09:15 from https://x.org/y") == {
        "email",
        "number",
        "date",
        "time",
        "url",
    }


@pytest.mark.parametrize("text", ["42", "12:30:15", " 7 ", "10.0.0.1"])
def test_a_text_that_is_all_number_or_time_stays_as_it_is(text: str) -> None:
    assert read(text)[0] == text


def test_kinds_are_distinct_bits() -> None:
    assert sorted(BIT) == sorted(KINDS)
    assert sum(BIT.values()) == (1 << len(KINDS)) - 1


@given(st.text(max_size=200))
def test_no_text_raises_and_kinds_are_known(text: str) -> None:
    left, kinds = read(text)
    assert 0 <= kinds < 1 << len(KINDS)
    assert bool(left.strip()) == bool(text.strip())


@given(st.lists(st.sampled_from("send the report of team and a friend".split()), max_size=8))
def test_plain_words_pass_unchanged(words: list[str]) -> None:
    text = " ".join(words)
    assert read(text) == (text, 0)


SAID = "a.b c/d x.pdf 12.5,13.4 -3.5, 2.5 5 pm at 14:30 foo@bar.de http://a.b/c #12 $5 ABC-12 'so' SELECT x?".split()


@given(st.lists(st.sampled_from(SAID) | st.text("az 0,./@-", max_size=6), max_size=9))
def test_what_is_passed_over_holds_no_value(parts: list[str]) -> None:
    text = " ".join(parts)
    quick = read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            values, "_patterns", lambda: tuple(re.compile(each, re.X) for each in (values._VALUE, "(?!)", "(?!)"))
        )
        every = read(text)
    assert quick[0] == every[0]
    assert quick[1] & ~(BIT["code"] | BIT["quoted"]) == every[1]
