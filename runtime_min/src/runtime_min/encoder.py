"""An encoder that a host brings to run time, for those who accept a model there.

It takes the student's place for the intent's vector and nothing else: words, candidates and all other signals
stay the artifact's. Its vectors must lie in the space of the tools' vectors, which its `space` names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .artifact import Artifact
from .errors import EncoderMismatch
from .identity import DIMENSION


class Encoder(Protocol):
    """What `ToolRuntime.open(path, encoder=...)` takes; `smallchatc.encoders.choose_encoder` makes one."""

    @property
    def id(self) -> object:
        """Who it is; its text goes into proofs."""
        ...

    @property
    def space(self) -> str:
        """The space of its vectors, as in `meta.space` of an artifact."""
        ...

    def encode(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector of 256 numbers for each text."""
        ...


def check_space(artifact: Artifact, encoder: Encoder) -> None:
    """Refuse an encoder whose vectors mean nothing beside the artifact's."""
    expected = artifact.meta.get("space", "")
    if encoder.space != expected:
        raise EncoderMismatch(
            f"{encoder.id} encodes into space {encoder.space[:8]}, the artifact's tools lie in {expected[:8]}",
            hint="compile the artifact again with the smallchatc that the encoder comes from",
        )


def vector_of(encoder: Encoder, intent: str) -> Sequence[float]:
    """The encoder's vector of one intent."""
    (vector,) = encoder.encode([intent])
    if len(vector) != DIMENSION:
        raise EncoderMismatch(
            f"{encoder.id} gave {len(vector)} numbers, a vector has {DIMENSION}",
            hint="project the model's vectors into the artifact's space",
        )
    return vector
