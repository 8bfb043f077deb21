"""Choose the pieces of the student: the teacher's vocabulary, whole words it would split, values.

The teacher's 30,522 WordPiece pieces cover any Latin text. Words that WordPiece splits but that are
frequent in generic text (json, github, plugin, ...) get a row of their own: a row that is learned
beats a sum of pieces that mean something else. Values have one placeholder a kind, because their
characters drown the topic of a request. Order: teacher's pieces, words by falling frequency,
placeholders; so equal input gives equal rows.
"""

import argparse
import collections
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from runtime_min.lexicon import scan
from runtime_min.student import MAX_PIECE

_CONTROL = re.compile(r"\[.*\]")  # [CLS], [unused12]: never in a text

# What a placeholder starts from: the teacher's vector of a word for its kind.
PLACEHOLDER_TEXTS = {
    "<url>": "url link website address",
    "<mail>": "email address",
    "<path>": "file path",
    "<date>": "date",
    "<time>": "time of day",
    "<id>": "id identifier",
    "<version>": "version",
    "<decimal>": "number",
    "<n1>": "number",
    "<n2>": "number",
    "<n3>": "number",
    "<n4>": "number year",
    "<n5>": "number",
}
PLACEHOLDERS = tuple(PLACEHOLDER_TEXTS)
"""One piece for each kind of value of `lexicon.scan`, in the order of their rows."""


def read_corpus(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of text and kind of source, from JSON lines, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text, source = json.loads(line)
            yield " ".join(text.split()), source


def count_words(texts: Iterable[str]) -> collections.Counter[str]:
    """Occurrences of every word in lower case, values under their placeholder."""
    counts: collections.Counter[str] = collections.Counter()
    for text in texts:
        counts.update(word.lower() for word in scan(text))
    return counts


def choose_pieces(teacher_pieces: Iterable[str], counts: collections.Counter[str], *, min_count: int) -> list[str]:
    """Teacher's pieces, then corpus words of at least `min_count` that are none, then placeholders."""
    base = [piece for piece in teacher_pieces if not _CONTROL.fullmatch(piece)]
    known = set(base)
    words = [
        word
        for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if count >= min_count
        and word not in known
        and 2 <= len(word) <= MAX_PIECE
        and word.isascii()
        and word[0].isalpha()
    ]
    return [*base, *words, *PLACEHOLDERS]


def text_of(piece: str) -> str:
    """What the teacher reads to give a piece its first vector."""
    return PLACEHOLDER_TEXTS.get(piece, piece.removeprefix("##"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="JSON lines of [text, source]")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of the model")
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--out", type=Path, required=True, help="JSON: pieces and their counts")
    options = parser.parse_args()
    counts = count_words(text for text, _ in read_corpus(options.corpus))
    teacher_pieces = (options.teacher / "vocab.txt").read_text("utf-8").splitlines()
    pieces = choose_pieces(teacher_pieces, counts, min_count=options.min_count)
    rows = {
        "pieces": pieces,
        "counts": [counts[piece] for piece in pieces],
        "teacher_pieces": sum(not _CONTROL.fullmatch(piece) for piece in teacher_pieces),
    }
    options.out.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    print(f"{len(pieces)} pieces, {len(pieces) - len(teacher_pieces)} more than the teacher")


if __name__ == "__main__":
    main()
