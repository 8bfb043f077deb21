"""Encoders: texts become unit vectors of one space, whichever encoder made them.

The student is a token table that ships with the compiler; the teacher is the neural network it was
distilled from, projected into the student's space. `choose_encoder` picks by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..model import EncoderId

if TYPE_CHECKING:
    import numpy as np


class Encoder(Protocol):
    """Turns texts into unit vectors. `id` names everything that the vectors depend on."""

    @property
    def id(self) -> EncoderId: ...

    @property
    def space(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Vectors of shape (texts, 256), float32, unit length; a text of no known word is the zero vector."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """An encoder that is not here and whose vectors are: it can be asked for no other."""

    id: EncoderId
    space: str

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Raises EncoderUnavailable."""
        from .teacher import EncoderUnavailable

        raise EncoderUnavailable(f"{self.id} is not here, and not all vectors are locked")


def choose_encoder(name: str, *, model: Path | None = None) -> Encoder:
    """The encoder of tool texts for `--encoder`: auto, teacher, base or small.

    `auto` is the teacher when it is installed and its weights are at hand (`model`, the hub's cache or an
    installed weights package), else the base student. Raises EncoderUnavailable when a named one is missing.
    """
    from .student import load_student
    from .teacher import EncoderUnavailable, load_teacher

    student = load_student("small" if name == "small" else "base")
    if name in ("base", "small"):
        return student
    try:
        return load_teacher(student, model=model, download=name == "teacher")
    except EncoderUnavailable:
        if name == "teacher" or model is not None:
            raise
        return student
