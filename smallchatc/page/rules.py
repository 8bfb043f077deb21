"""The rules of the runtime's resolver as one JSON value: its patterns, word lists and weights.

Taken from the runtime's own modules and written nowhere twice: the page has the steps, and these are what they use.
"""

from __future__ import annotations

import sys

from runtime_min import candidates, confidence, lexicon, resolver, scoring, student, values, verbs, words
from runtime_min.abbreviations import SPELLED
from runtime_min.identity import DIMENSION, IDF_UNIT

from ..model import Json
from .patterns import browser_pattern


def resolver_rules() -> dict[str, Json]:
    """Everything but the rows of an artifact."""
    return {
        "patterns": {
            "scan": browser_pattern(lexicon._SCAN),
            "plain": browser_pattern(lexicon._PLAIN),
            "value": browser_pattern(lexicon._VALUE),
            "part": browser_pattern(lexicon._PART),
            "hump": browser_pattern(lexicon._HUMP),
            "unspaced": browser_pattern(lexicon._UNSPACED),
            "canonical": browser_pattern(lexicon._CANONICAL),
            "charged": browser_pattern(lexicon._CHARGED),
            "values": browser_pattern(values._VALUE, verbose=True),
            "speaks": browser_pattern(values._SPEAKS),
            "host": browser_pattern(values._HOST),
            "code": browser_pattern(values._CODE, dotall=True),
            "quoted": browser_pattern(values._QUOTED, dotall=True),
        },
        "stop": sorted(lexicon.STOP),
        "suffixes": lexicon._SUFFIXES,
        "silent": sorted(lexicon._SILENT),
        "folded": _folded(),
        "spelled": SPELLED,
        "verbs": verbs.VERBS,
        "delete": verbs.DELETE,
        "reading": verbs.READ,
        "question": sorted(verbs.QUESTION),
        "bits": values.BIT,
        "extensions": values._EXTENSIONS,
        "said": values._SAID,
        "labels": sorted(values._SILENT_LABELS),
        "words": {
            "text": words.MAX_TEXT,
            "most": words.MAX_WORDS,
            "verb": words._VERB_WORDS,
            "pieces": student.MAX_PIECES,
            "word": student.MAX_WORD,
            "piece": student.MAX_PIECE,
        },
        "candidates": {
            "fewest": candidates.FEWEST,
            "most": candidates.MOST,
            "share": candidates.SHARE,
            "pool": candidates._POOL,
        },
        "scores": {"lexical": scoring.LEXICAL, "verb": scoring.VERB, "deletes": scoring.DELETES},
        "confidence": {
            "fit": confidence._FIT,
            "sure": confidence._SURE,
            "lead": confidence._LEAD,
            "coverage": confidence._COVERAGE,
            "far": confidence._FAR,
        },
        "prefix": resolver.CLIENTS_PREFIX,
        "dimension": DIMENSION,
        "idf_unit": IDF_UNIT,
    }


def _folded() -> dict[str, str]:
    """Characters whose case folding is not their lower case; a browser knows the latter alone."""
    characters = map(chr, range(sys.maxunicode + 1))
    return {char: char.casefold() for char in characters if char.casefold() != char.lower()}
