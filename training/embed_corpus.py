"""Embed generic text and every piece with the teacher, in parts that a stopped run keeps.

The teacher is sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), mean pooling, unit length, fp32.
Batch shapes move the last bits, so they follow a fixed rule: parts of `PART` texts in an order that
a seed gives (any number of leading parts is a fair sample), inside a part by falling length, batches
of `BATCH`, one thread. Parts are stored as fp16, whose rounding hides what is left.
"""

import argparse
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from training.vocabulary import read_corpus, text_of

PART = 4096
BATCH = 128
SEED = 7
#: model.safetensors as its authors published it; another file is another encoder.
TEACHER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def load_teacher(folder: Path, *, threads: int = 1) -> Any:
    """The model from a local folder, refused when its weights are not the ones named above."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    weights = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if weights != TEACHER_SHA256:
        raise SystemExit(f"{folder}: model.safetensors is {weights[:12]}, not the pinned teacher")
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    model = SentenceTransformer(str(folder), device="cpu")
    model.max_seq_length = 256
    return model.eval()


def embed(model: Any, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Unit vectors of the texts, in their order."""
    order = sorted(range(len(texts)), key=lambda i: (-len(texts[i]), texts[i]))
    vectors: npt.NDArray[np.float32] = model.encode(
        [texts[i] for i in order],
        batch_size=BATCH,
        normalize_embeddings=True,
        show_progress_bar=False,
    )
    out = np.empty_like(vectors)
    out[order] = vectors
    return out


def choose_texts(corpus: Path, *, longest: int) -> tuple[list[str], list[str]]:
    """Distinct texts of at most `longest` characters with their sources, in the seeded order."""
    sources = {text: source for text, source in read_corpus(corpus) if 0 < len(text) <= longest}
    texts = list(sources)
    order = np.random.default_rng(SEED).permutation(len(texts))
    return [texts[i] for i in order], [sources[texts[i]] for i in order]


def embed_parts(model: Any, texts: list[str], sources: list[str], out: Path) -> None:
    """Write NNN.npy and NNN.json for each part that is not there yet."""
    for start in range(0, len(texts), PART):
        rows = out / f"{start // PART:03d}.npy"
        if rows.exists():
            continue
        part = slice(start, start + PART)
        vectors = embed(model, texts[part]).astype(np.float16)
        rows.with_suffix(".json").write_text(json.dumps([texts[part], sources[part]]), "utf-8")
        partial = rows.with_suffix(".tmp.npy")
        np.save(partial, vectors)
        os.replace(partial, rows)
        print(f"{min(start + PART, len(texts))} of {len(texts)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="JSON lines of [text, source]")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of the model")
    parser.add_argument("--vocabulary", type=Path, required=True, help="from training.vocabulary")
    parser.add_argument("--limit", type=int, default=None, help="at most so many texts")
    parser.add_argument("--longest", type=int, default=110, help="leave out longer texts")
    parser.add_argument("--out", type=Path, required=True, help="folder for the parts")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model = load_teacher(options.teacher)
    pieces = json.loads(options.vocabulary.read_text("utf-8"))["pieces"]
    piece_rows = options.out / "pieces.npy"
    if not piece_rows.exists():
        np.save(piece_rows, embed(model, [text_of(piece) for piece in pieces]).astype(np.float16))
    texts, sources = choose_texts(options.corpus, longest=options.longest)
    embed_parts(model, texts[: options.limit], sources[: options.limit], options.out)


if __name__ == "__main__":
    main()
