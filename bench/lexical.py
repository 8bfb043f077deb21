"""The lexical side alone, over all tools of each labelled set, beside what plain BM25F reaches.

    python bench/lexical.py [SET...]

SMALLCHAT_SHARED names the folder that holds data/dev (default ../shared).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from runtime_min import scoring
from runtime_min.artifact import open_artifact
from runtime_min.lexicon import scan
from runtime_min.words import Reading, Vocabulary
from smallchatc.describe import all_paths
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.testing.cases import read_intents
from smallchatc.testing.scorecard import Outcome, score
from smallchatc.write import write_artifact

PLAIN = {
    "bfcl-v1": (99.0, 100.0),
    "clinc150": (45.3, 67.0),
    "graph-tool-call": (75.5, 90.2),
    "home-assistant": (19.5, 78.5),
    "hwu64": (23.8, 38.2),
    "live-mcp": (28.5, 48.0),
    "mediawiki-mcp": (72.3, 92.9),
    "metatool": (52.3, 70.0),
    "restbench": (45.2, 50.4),
    "seal-tools": (95.1, 91.3),
    "smallchat-bench": (62.2, 82.0),
    "toolalpaca": (88.0, 100.0),
}
"""recall@1 and recall@5 of BM25F with the same fields, measured apart."""


def main() -> None:
    folder = Path(os.environ.get("SMALLCHAT_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data" / "dev"
    if not folder.is_dir():
        sys.exit("shared data absent (SMALLCHAT_SHARED)")
    print("| set | recall@1 | recall@5 | plain BM25F |\n| --- | --- | --- | --- |")
    with TemporaryDirectory() as scratch:
        for name in sys.argv[1:] or sorted(PLAIN):
            found = score(lexical_outcomes(folder / name, Path(scratch) / "set.smallchat.db"))
            one, five = ((value or 0) * 100 for value in (found.recall1, found.recall5))
            print(f"| {name} | {one:.1f} | {five:.1f} | {PLAIN[name][0]} / {PLAIN[name][1]} |", flush=True)


def lexical_outcomes(folder: Path, out: Path) -> list[Outcome]:
    """Rankings by the lexical part of the score for a request's words as they stand: values are not read, words not
    joined. Ties go to the tool that the set lists first, as where the plain figures were measured."""
    write_artifact(compile_sources([folder / "tools.jsonl"], settings=Settings(encoder="base")).image, out)
    artifact = open_artifact(out)
    paths = all_paths(artifact)
    number = {path: tool for tool, path in enumerate(paths)}
    vocabulary, scorer = Vocabulary(artifact), scoring.Scorer(artifact)
    rows = (json.loads(line) for line in (folder / "tools.jsonl").read_text("utf-8").splitlines())
    listed = {tool: place for place, tool in enumerate(number[path] for path in map(_path, rows) if path in number)}
    outcomes = []
    for case in read_intents(folder / "queries.jsonl"):
        pool = [number[path] for path in case.among] if case.among else range(len(paths))
        words = {word: vocabulary.word(word) for word in scan(case.query)}
        scores = scorer.score(scoring.query(Reading(words, len(words), 0, 0, 0)), pool)
        ranked = sorted(scores, key=lambda found: (-found.lexical, listed.get(found.tool, len(paths))))[:10]
        named = tuple(paths[found.tool] for found in ranked)
        outcomes.append(Outcome(case=case, ranked=named, tool=named[0], tier="high", confidence=1.0, fit=1.0))
    return outcomes


def _path(row: dict[str, str]) -> str:
    """The tool of a row as "P/N"; a provider id holds no blanks."""
    return f"{'-'.join(row['provider'].split())}/{row['name']}"


if __name__ == "__main__":
    main()
