"""The work of a resolution, counted: what was met is not read again, and nothing grows with the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runtime_min import ToolRuntime
from runtime_min.candidates import MOST, gather
from runtime_min.format import DIMENSION
from runtime_min.words import Word

ASKED = (
    "send an e-mail to the whole team about the launch",
    "what is the weather like in Oslo",
    "create a calendar event for next friday at 14:30",
    "list the files in /var/log",
    "zzqx wvut of qqqjx",
)


class Number(int):
    """A number that counts how often it is compared."""

    compared = 0

    def __le__(self, other: object) -> bool:
        Number.compared += 1
        return int(self) <= int(other)  # type: ignore[call-overload,no-any-return]

    def __lt__(self, other: object) -> bool:
        Number.compared += 1
        return int(self) < int(other)  # type: ignore[call-overload,no-any-return]

    def __ge__(self, other: object) -> bool:
        Number.compared += 1
        return int(self) >= int(other)  # type: ignore[call-overload,no-any-return]

    def __gt__(self, other: object) -> bool:
        Number.compared += 1
        return int(self) > int(other)  # type: ignore[call-overload,no-any-return]


@contextmanager
def statements(runtime: ToolRuntime) -> Iterator[list[str]]:
    """The SQL that is run."""
    seen: list[str] = []
    connection = runtime.artifact.connection()
    connection.set_trace_callback(seen.append)
    yield seen
    connection.set_trace_callback(None)


def test_words_and_tools_that_were_met_are_not_read_again(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    for text in ASKED:
        runtime.resolve_anew(text)
    for text in ASKED:
        with statements(runtime) as seen:
            runtime.resolve_anew(text)
        assert len(seen) <= 3, seen
        assert not any("FROM piece" in sql or "FROM profile" in sql or "FROM term" in sql for sql in seen)


def test_a_first_answer_reads_a_few_rows_a_word(artifact: Path) -> None:
    for text in ASKED:
        runtime = ToolRuntime.open(artifact)
        with statements(runtime) as seen:
            runtime.resolve_anew(text)
        assert len(seen) <= 4 * len(text.split()) + 60, len(seen)


def test_a_cached_answer_reads_nothing(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    for text in ASKED:
        runtime.resolve(text)
        with statements(runtime) as seen:
            runtime.resolve(text)
        assert seen == []


@pytest.mark.parametrize("tools", [17, 1_000, 100_000])
def test_candidates_are_as_few_in_any_catalogue(tools: int) -> None:
    words = [_word(range(at, min(at + 48, tools))) for at in range(0, min(tools, 480), 48)]
    assert 0 < len(gather(words, tools)) <= MOST


def test_naming_every_provider_is_no_more_than_linear_work() -> None:
    def compared(count: int) -> int:
        words = [_word(range(48 * at, 48 * at + 48), (48 * at, 48 * at + 48, 9)) for at in range(count)]
        Number.compared = 0
        gather(words, 1_000_000)
        return Number.compared

    assert compared(400) <= 8 * compared(100)


def _word(tools: range, *owners: tuple[int, int, int]) -> Word:
    """A word that points to these tools and names providers of these ranges."""
    empty = dict.fromkeys(Word._fields, 0)
    return Word(
        **{  # type: ignore[arg-type]
            **empty,
            "lanes": 1 << DIMENSION,
            "tools": tuple(tools),
            "points": tuple(100 - number for number in range(len(tools))),
            "owners": tuple((Number(first), Number(end), amount) for first, end, amount in owners),
            "terms": (),
        }
    )
