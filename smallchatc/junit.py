"""JUnit: the outcome of intent tests as the XML that CI services read; one suite a file, one case an intent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from .intents import KINDS, Contender, Failure
from .scorecard import Outcome

# What XML 1.0 cannot hold, not even as an entity.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(outcomes: Sequence[Outcome], failures: Sequence[Failure]) -> str:
    """The document; no clock in it, so equal outcomes give an equal file."""
    failed = {id(failure.outcome): failure for failure in failures}
    root = ET.Element("testsuites", name="smallchatc test", tests=str(len(outcomes)), failures=str(len(failures)))
    for file in dict.fromkeys(outcome.case.file for outcome in outcomes):
        rows = [outcome for outcome in outcomes if outcome.case.file == file]
        count = sum(id(outcome) in failed for outcome in rows)
        suite = ET.SubElement(root, "testsuite", name=_legal(file), tests=str(len(rows)), failures=str(count))
        for outcome in rows:
            _case(suite, outcome, failed.get(id(outcome)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, outcome: Outcome, failure: Failure | None) -> None:
    case = outcome.case
    name = f"{case.id}: {case.query}" if case.id else case.query
    element = ET.SubElement(
        suite, "testcase", classname=_legal(case.file), name=_legal(name), file=_legal(case.file), line=str(case.line)
    )
    if failure is not None:
        wanted = ", ".join(case.gold) or "no tool"
        message = f"{KINDS[failure.kind]}: wanted {wanted}, got {outcome.tool or 'no tool'} ({outcome.tier})"
        sides = [_side(side) for side in (failure.first, failure.wanted) if side]
        ET.SubElement(element, "failure", type=failure.kind, message=_legal(message)).text = _legal("\n".join(sides))


def _side(side: Contender) -> str:
    parts = ", ".join(f"{name} {value:.3f}" for name, value in side.signals.items())
    words = ", ".join(f"{word} {weight:.2f}" for word, weight in side.words)
    return f"{side.tool}: score {side.score:.3f} ({parts}); shared words: {words or 'none'}"


def _legal(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
