"""Train the student encoder: closed form first, then gradients, then the shipped file.

A text's vector is the weighted sum of its pieces' rows, made unit length. The loss of a batch has
four terms (training/README.md says which of them were measured apart):

- distillation: 1 - cosine to the teacher's vector of the same text;
- relations: squared error of all similarities inside the batch, student to teacher and student to
  student, against teacher to teacher. Rankings are made of similarities, not of vectors
  (relational distillation: Park et al. 2019);
- natural pairs: names and their descriptions, words and their glosses, as they occur in the text.
  Each must find its own among the batch (InfoNCE: van den Oord et al. 2018);
- the grid of training.phrases: a request must find its operation among the same operation on other
  things and other operations on the same thing, as the teacher and as the student embeds them.

Values are put into a tenth of the texts at random without changing the target, so that a
placeholder moves a text little; pieces are left out at random, so that none relies on another.
Sparse Adam, rate falling linearly to nothing; seeds are fixed and one thread is used, so a machine
repeats its bytes. With `--start` a second run continues from an earlier table of the same
projection, and the rows of both are averaged: sums of rows are linear, so this is the ensemble at
no cost (Wortsman et al. 2022).
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from training.bags import COUNT_POWER, Bags, pack
from training.distill import Matrix, closed_form, principal_axes, smooth_rows, unit
from training.embed_corpus import TEACHER_SHA256, embed, load_teacher
from training.export import Table, read_table, write_table
from training.phrases import OPERATIONS, THINGS, cases
from training.vocabulary import PLACEHOLDERS, read_corpus

HELD_OUT = 2000
BATCH = 512
PAIR_BATCH = 256
GRID_SIDE = 12  # operations and things a batch: 144 cases
RATE = 2e-3
BIAS_RATE = 1e-3
SEED = 0

RELATION_WEIGHT = 20.0  # student to teacher; half of it student to student
PAIR_WEIGHT = 0.4
PAIR_SHARPNESS = 20.0
GRID_WEIGHT = 1.0
GRID_SHARPNESS = 15.0
VALUE_SHARE = 0.1
LEFT_OUT = 0.15

PAIR_SOURCES = ("tool", "wn", "query", "doc")
MOST_PAIRS = 60_000


class Examples(NamedTuple):
    """Everything a run learns from, packed."""

    texts: Bags
    targets: Matrix
    names: Bags  # names[i] belongs to descriptions[i]
    descriptions: Bags
    requests: Bags  # row operation * len(THINGS) + thing, as are the next two
    tools: Bags
    tool_targets: Matrix


def read_parts(folder: Path) -> tuple[list[str], Matrix]:
    """All texts that training.embed_corpus has embedded so far, with the teacher's vectors."""
    texts: list[str] = []
    vectors = []
    for rows in sorted(folder.glob("[0-9][0-9][0-9].npy")):
        texts += json.loads(rows.with_suffix(".json").read_text("utf-8"))[0]
        vectors.append(np.load(rows).astype(np.float32))
    return texts, np.concatenate(vectors)


def natural_pairs(corpus: Path) -> list[tuple[str, str]]:
    """'name: description' texts of the corpus, split, in a seeded order."""
    pairs = []
    for text, source in read_corpus(corpus):
        if source in PAIR_SOURCES and ": " in text[:60]:
            name, description = text.split(": ", 1)
            if len(name) >= 3 and 12 <= len(description) <= 160:
                pairs.append((name, description))
    order = np.random.default_rng(SEED).permutation(len(pairs))[:MOST_PAIRS]
    return [pairs[i] for i in order]


def fine_tune(
    rows: Matrix, bias: Matrix, examples: Examples, values: Sequence[int], *, epochs: int
) -> tuple[Matrix, Matrix]:
    """Rows and bias after `epochs` over the texts."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    table = torch.nn.EmbeddingBag(rows.shape[0], rows.shape[1], mode="sum", sparse=True)
    table.weight.data = torch.from_numpy(rows.copy())
    shift = torch.nn.Parameter(torch.from_numpy(bias.copy()))
    row_optimiser: Any = torch.optim.SparseAdam(list(table.parameters()), lr=RATE)
    bias_optimiser: Any = torch.optim.Adam([shift], lr=BIAS_RATE)
    targets = torch.from_numpy(examples.targets)
    tool_targets = torch.from_numpy(examples.tool_targets)
    off_diagonal = ~torch.eye(BATCH, dtype=torch.bool)

    def encode(bags: Bags) -> Any:
        total = table(
            torch.from_numpy(bags.ids),
            torch.from_numpy(bags.offsets[:-1]),
            per_sample_weights=torch.from_numpy(bags.weights),
        )
        return functional.normalize(total + shift, dim=1)

    def distillation(chosen: npt.NDArray[np.int64]) -> Any:
        student = encode(_disturbed(examples.texts.take(chosen), values, random))
        teacher = targets[chosen]
        wanted = teacher @ teacher.T
        across = ((student @ teacher.T - wanted)[off_diagonal] ** 2).mean()
        within = ((student @ student.T - wanted)[off_diagonal] ** 2).mean()
        cosine = (student * teacher).sum(1).mean()
        return 1 - cosine + RELATION_WEIGHT * (across + within / 2)

    def find_own(queries: Any, answers: Any, sharpness: float) -> Any:
        return functional.cross_entropy(queries @ answers.T * sharpness, torch.arange(len(queries)))

    def pair_loss() -> Any:
        chosen = random.integers(0, len(examples.names.offsets) - 1, PAIR_BATCH)
        names, descriptions = examples.names.take(chosen), examples.descriptions.take(chosen)
        return find_own(encode(names), encode(descriptions), PAIR_SHARPNESS)

    def grid_loss() -> Any:
        operations = random.choice(len(OPERATIONS), GRID_SIDE, replace=False)
        things = random.choice(len(THINGS), GRID_SIDE, replace=False)
        chosen = (operations[:, None] * len(THINGS) + things).ravel()
        requests = encode(examples.requests.take(chosen))
        by_teacher = find_own(requests, tool_targets[chosen], GRID_SHARPNESS)
        by_student = find_own(requests, encode(examples.tools.take(chosen)), GRID_SHARPNESS)
        return (by_teacher + by_student) / 2

    learn = np.arange(HELD_OUT, len(targets))
    steps = len(learn) // BATCH
    for epoch in range(epochs):
        order = random.permutation(learn)
        for step in range(steps):
            done = (epoch * steps + step) / (epochs * steps)
            row_optimiser.param_groups[0]["lr"] = RATE * max(1 - done, 0.02)
            loss = distillation(order[step * BATCH : (step + 1) * BATCH])
            # The two contrastive terms take turns: either costs as much as the distillation.
            loss = loss + (GRID_WEIGHT * grid_loss() if step % 2 else PAIR_WEIGHT * pair_loss())
            row_optimiser.zero_grad()
            bias_optimiser.zero_grad()
            loss.backward()
            row_optimiser.step()
            bias_optimiser.step()
        print(f"epoch {epoch + 1}: last loss {float(loss.detach()):.4f}", flush=True)
    return table.weight.detach().numpy(), shift.detach().numpy()


def _disturbed(bags: Bags, values: Sequence[int], random: np.random.Generator) -> Bags:
    """Pieces left out, values put in; the weights of a bag add up to 1 again."""
    count = len(bags.offsets) - 1
    lengths = np.diff(bags.offsets)
    more = np.where(random.random(count) < VALUE_SHARE, random.integers(1, 4, count), 0)
    owner = np.concatenate([np.repeat(np.arange(count), lengths), np.repeat(np.arange(count), more)])
    ids = np.concatenate([bags.ids, random.choice(np.array(values), more.sum())])
    added = np.repeat(1 / np.maximum(lengths, 1), more)
    kept = bags.weights * (random.random(len(bags.weights)) >= LEFT_OUT)
    weights = np.concatenate([kept, added])
    totals = np.bincount(owner, weights, minlength=count)
    weights = (weights / np.maximum(totals, 1e-9)[owner]).astype(np.float32)
    order = np.argsort(owner, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(lengths + more)])
    return Bags(ids=ids[order], weights=weights[order], offsets=offsets)


def continued(earlier: Table, pieces: Sequence[str], piece_vectors: Matrix) -> Matrix:
    """Rows of an earlier table; pieces that it lacks by the linear map that suits those it has."""
    numbers = {piece: number for number, piece in enumerate(earlier.pieces)}
    shared = [number for number, piece in enumerate(pieces) if piece in numbers]
    known = earlier.rows[[numbers[pieces[number]] for number in shared]]
    features = np.hstack([piece_vectors, np.ones((len(pieces), 1), np.float32)])
    normal = features[shared].T @ features[shared] + np.eye(features.shape[1])
    rows = np.asarray(features @ np.linalg.solve(normal, features[shared].T @ known), np.float32)
    rows[shared] = known
    return rows


def held_out_cosine(rows: Matrix, bags: Bags, targets: Matrix) -> float:
    """Mean cosine to the teacher over the texts that no gradient saw."""
    chosen = bags.take(np.arange(HELD_OUT))
    sums = np.zeros((HELD_OUT, rows.shape[1]), np.float32)
    owner = np.repeat(np.arange(HELD_OUT), np.diff(chosen.offsets))
    np.add.at(sums, owner, rows[chosen.ids] * chosen.weights[:, None])
    return float((unit(sums) * targets[:HELD_OUT]).sum(axis=1).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="JSON lines of [text, source]")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of the model")
    parser.add_argument("--vocabulary", type=Path, required=True, help="from training.vocabulary")
    parser.add_argument("--parts", type=Path, required=True, help="from training.embed_corpus")
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--start", type=Path, default=None, help="an earlier table")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", type=Path, required=True, help="the whole table; training.export cuts it to size")
    options = parser.parse_args()

    vocabulary = json.loads(options.vocabulary.read_text("utf-8"))
    pieces: list[str] = vocabulary["pieces"]
    index = {piece: number for number, piece in enumerate(pieces)}
    texts, vectors = read_parts(options.parts)
    earlier = read_table(options.start) if options.start else None
    projection = earlier.projection if earlier else principal_axes(vectors, options.dim)
    bags, targets = pack(texts, index), unit(vectors @ projection)
    piece_vectors = np.load(options.parts / "pieces.npy").astype(np.float32) @ projection
    learn = bags.take(np.arange(HELD_OUT, len(texts)))
    starts = [closed_form(learn, piece_vectors, targets[HELD_OUT:])]
    if earlier:
        smooth = smooth_rows(piece_vectors, np.bincount(learn.ids, minlength=len(pieces)))
        no_bias = np.zeros(projection.shape[1], np.float32)
        starts.append((continued(earlier, pieces, smooth), no_bias))
    for rows, bias in starts:
        print(f"start: {held_out_cosine(rows + bias, bags, targets):.4f}", flush=True)

    pairs = natural_pairs(options.corpus)
    grid = list(cases(seed=1))
    model = load_teacher(options.teacher)
    examples = Examples(
        texts=bags,
        targets=targets,
        names=pack((name for name, _ in pairs), index),
        descriptions=pack((description for _, description in pairs), index),
        requests=pack((case.request for case in grid), index),
        tools=pack((case.tool for case in grid), index),
        tool_targets=unit(embed(model, [case.tool for case in grid]) @ projection),
    )
    values = [index[placeholder] for placeholder in PLACEHOLDERS]
    runs = [fine_tune(*start, examples, values, epochs=options.epochs) for start in starts]
    # The weights of a text add up to 1, so the bias folds into every row.
    rows = np.mean([rows + bias for rows, bias in runs], axis=0)
    cosine = held_out_cosine(rows, bags, targets)
    print(f"trained: {cosine:.4f}", flush=True)
    table = Table(
        pieces=tuple(pieces),
        rows=rows,
        projection=projection,
        facts={
            "count_power": COUNT_POWER,
            "held_out_cosine": round(cosine, 4),
            "teacher": "sentence-transformers/all-MiniLM-L6-v2",
            "teacher_pieces": vocabulary["teacher_pieces"],
            "teacher_sha256": TEACHER_SHA256,
            "texts": len(texts),
        },
    )
    digest = write_table(table, options.out, bits=8)
    print(f"{options.out}: {len(pieces)} pieces, sha256 {digest[:12]}")


if __name__ == "__main__":
    main()
