"""The student: the runtime's big integers say what the compiler's arrays say."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min.format import DIMENSION
from runtime_min.lexicon import scan
from runtime_min.student import MAX_PIECES, beginning_in, lane_order, lanes, word_pieces
from smallchatc.encoders.student import Student, load_student


@pytest.fixture(scope="module")
def student() -> Student:
    return load_student("base")


def test_lanes_hold_each_value_times_the_scale() -> None:
    nibbles = bytes((index * 7) % 256 for index in range(DIMENSION // 2))
    plain = tuple(byte & 15 for byte in nibbles) + tuple(byte >> 4 for byte in nibbles)
    unfolded = struct.unpack(f"<{DIMENSION}I", lanes(3, nibbles).to_bytes(4 * DIMENSION, "little"))
    assert unfolded == tuple(3 * value for value in lane_order(plain))


def test_lanes_do_not_overflow_at_the_largest_text() -> None:
    full = lanes(0xFFFF, b"\xff" * (DIMENSION // 2))
    total = sum([full] * MAX_PIECES)
    assert set(struct.unpack(f"<{DIMENSION}I", total.to_bytes(4 * DIMENSION, "little"))) == {MAX_PIECES * 15 * 0xFFFF}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from("find flights to Paris createIssue kubectl 文件 Öl zq 42 s3".split()), max_size=9, unique=True
    )
)
def test_runtime_and_compiler_make_the_same_vector(parts: list[str]) -> None:
    student = load_student("base")
    text = " ".join(parts)
    found = [student.pieces[piece] for word in scan(text) for piece in word_pieces(word, beginning_in(student.pieces))]
    total = sum(lanes(int(student.scales[row]), student.nibbles[row].tobytes()) for row in found)
    offset = 8 * sum(int(student.scales[row]) for row in found)
    unfolded = [value - offset for value in struct.unpack(f"<{DIMENSION}I", total.to_bytes(4 * DIMENSION, "little"))]
    length = math.hypot(*unfolded) or 1
    expected = lane_order(tuple(student.encode([text])[0].tolist()))
    assert [value / length for value in unfolded] == pytest.approx(expected, abs=1e-6)


def test_unknown_words_are_cut_into_the_longest_known_pieces(student: Student) -> None:
    known = beginning_in({"un", "##believ", "##able", "##a", "#", "##"})
    assert word_pieces("unbelievable", known) == ["un", "##believ", "##able"]
    assert word_pieces("unbelievablezz", known) == ["un", "##believ", "##able"]
    assert word_pieces("x" * 100_000, known) == []


def test_identifiers_are_cut_where_a_reader_would() -> None:
    known = beginning_in({"get", "user", "<n2>"})
    assert word_pieces("getUser42", known) == ["get", "user", "<n2>"]


def test_a_piece_that_comes_often_counts_as_its_root(student: Student) -> None:
    once, often = student.encode(["find paris", "find paris paris paris paris"])
    row = [student.pieces["find"], student.pieces["paris"]]
    values = student.rows(row).astype(float) * student.scales[row].astype(float)[:, None]
    expected = values[0] + 2 * values[1]
    assert often == pytest.approx(expected / math.hypot(*expected), abs=1e-4)
    assert float(once @ often) < 0.999


def test_related_texts_are_closer_than_unrelated_ones(student: Student) -> None:
    one, near, far = student.encode(["search for code", "find code", "delete a mailbox"])
    assert float(one @ near) > float(one @ far) + 0.2
