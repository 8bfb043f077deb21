"""Training cuts texts as the compiler and the runtime do: a row is learned for the pieces that will be looked up."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min.lexicon import scan
from runtime_min.student import beginning_in, word_pieces
from smallchatc.encoders.student import load_student

ROOT = Path(__file__).resolve().parents[2]
VALUES = (
    "https://x.example/a?b",
    "a@b.example",
    "/usr/local/bin",
    "2026-12-04",
    "10:30",
    "deadbeef1",
    "v1.2.3",
    "3.14",
)
WORDS = ("getUserV2", "HTTPServer404", "naïve", "日本語", "issue", "unlikelyword", "1,234", "#12", "_", "Ⅷ")
TEXTS = st.lists(st.one_of(st.sampled_from(VALUES + WORDS), st.text(max_size=8)), max_size=6).map(" ".join)


@pytest.fixture(scope="module", autouse=True)
def checkout() -> Iterator[None]:
    """`training` is scripts of the checkout, no part of a package."""
    sys.path.insert(0, str(ROOT))
    yield
    sys.path.remove(str(ROOT))


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_a_bag_holds_the_pieces_that_the_runtime_looks_up(text: str) -> None:
    from training.bags import pack

    index = load_student("small").pieces
    pieces = {index[piece] for word in scan(text) for piece in word_pieces(word, beginning_in(index))}
    assert set(pack([text], index).ids.tolist()) == pieces


def test_a_piece_that_comes_often_counts_as_its_root() -> None:
    from training.bags import pack

    bag = pack(["list list list list issues"], load_student("small").pieces)
    assert bag.weights.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_every_kind_of_value_has_a_row() -> None:
    from training.vocabulary import PLACEHOLDERS

    assert set(PLACEHOLDERS) <= load_student("base").pieces.keys()
    for value in VALUES:
        assert scan(value)[0] in PLACEHOLDERS
