"""A host's own encoder at run time: same artifact, one argument, and never two spaces mixed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from runtime_min import ToolRuntime
from runtime_min.errors import EncoderMismatch
from smallchatc.encoders import Encoder, choose_encoder


class Fixed:
    """Always the same vector."""

    id = "fixed@256/00000000"

    def __init__(self, space: str, vector: Sequence[float]) -> None:
        self.space, self.vector = space, vector

    def encode(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self.vector for _ in texts]


@pytest.fixture(scope="module")
def student() -> Encoder:
    return choose_encoder("base")


def test_the_student_given_as_an_encoder_changes_no_choice(artifact: Path, student: Encoder) -> None:
    plain, given = ToolRuntime.open(artifact), ToolRuntime.open(artifact, encoder=student)
    for intent in ("find flights to Lisbon", "send an e-mail to the landlord", "weather in Oslo"):
        one, other = plain.resolve(intent), given.resolve(intent)
        assert one.tool == other.tool
        assert one.candidates[0].score == pytest.approx(other.candidates[0].score, abs=1e-4)


def test_the_encoder_decides_the_dense_part_and_is_named_in_the_proof(artifact: Path, student: Encoder) -> None:
    vector = student.encode(["delete a file"])[0].tolist()
    runtime = ToolRuntime.open(artifact, encoder=Fixed(student.space, vector))
    among = ["files/delete_file", "files/move_file", "weather/get_forecast"]
    found = runtime.resolve("list my files", among=among)
    dense = {candidate.tool: candidate.signals["dense"] for candidate in found.candidates}
    assert max(dense, key=lambda tool: dense[tool]) == "files/delete_file"
    assert found.proof.encoder == "fixed@256/00000000"


def test_another_space_is_refused_on_opening(artifact: Path, student: Encoder) -> None:
    with pytest.raises(EncoderMismatch) as caught:
        ToolRuntime.open(artifact, encoder=Fixed("ffffffffffff", [0.0] * 256))
    assert str(caught.value) == (
        f"fixed@256/00000000 encodes into space ffffffff, the artifact's tools lie in {student.space[:8]}"
    )


def test_a_vector_of_another_length_is_refused(artifact: Path, student: Encoder) -> None:
    runtime = ToolRuntime.open(artifact, encoder=Fixed(student.space, [1.0] * 384))
    with pytest.raises(EncoderMismatch, match="gave 384 numbers, a vector has 256"):
        runtime.resolve("list my files")
