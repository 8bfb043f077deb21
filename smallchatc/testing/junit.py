"""JUnit: the outcome of intent tests as the XML that CI services read; one suite a file, one case an intent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from .outcomes import Failure, contest_text, verdict_text
from .scorecard import Outcome
from .tested import Tested

# What XML 1.0 cannot hold, not even as an entity.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(tested: Tested) -> str:
    """The document; no clock in it, so equal outcomes give an equal file.

    A `failure` is what the run fails for, and there is one exactly when it fails: a case that failed and that the
    gates or the baseline forgive is `skipped` with the reason, and a gate is a case of its own.
    """
    forgiven = tested.forgiven
    failed = {id(failure.outcome): (failure, forgiven.get(place)) for place, failure in enumerate(tested.failures)}
    suites = [
        _suite(file, [outcome for outcome in tested.outcomes if outcome.case.file == file], failed)
        for file in dict.fromkeys(outcome.case.file for outcome in tested.outcomes)
    ]
    if tested.gates or tested.comparison:
        suites.append(_gates(tested))
    root = ET.Element("testsuites", name="smallchatc test")
    for name in ("tests", "failures", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(file: str, outcomes: Sequence[Outcome], failed: Mapping[int, tuple[Failure, str | None]]) -> ET.Element:
    suite = ET.Element("testsuite", name=_legal(file))
    for outcome in outcomes:
        case = outcome.case
        name = f"{case.id}: {case.query}" if case.id else case.query
        element = _element(suite, classname=case.file, name=name, file=case.file, line=str(case.line))
        if id(outcome) in failed:
            failure, why = failed[id(outcome)]
            if why:
                _element(element, "skipped", message=f"{why}; {verdict_text(failure)}")
            else:
                told = _element(element, "failure", type=failure.kind, message=verdict_text(failure))
                told.text = _legal(contest_text(failure))
    return _counted(suite)


def _gates(tested: Tested) -> ET.Element:
    suite = ET.Element("testsuite", name="gates")
    for gate in tested.gates:
        element = _element(suite, classname="gates", name=f"--{gate.name} {gate.limit:g}")
        if not gate.ok:
            value = "no case to measure it on" if gate.value is None else f"{gate.value:.4f}"
            _element(element, "failure", type="gate", message=f"--{gate.name} {gate.limit:g}: {value}")
    if tested.comparison:
        element = _element(suite, classname="gates", name="baseline")
        if not tested.comparison.ok:
            message = f"{len(tested.comparison.regressed)} that the baseline has as right are wrong"
            _element(element, "failure", type="baseline", message=message)
    return _counted(suite)


def _element(parent: ET.Element, tag: str = "testcase", **said: str) -> ET.Element:
    return ET.SubElement(parent, tag, {name: _legal(text) for name, text in said.items()})


def _counted(suite: ET.Element) -> ET.Element:
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("*/failure"))))
    suite.set("skipped", str(len(suite.findall("*/skipped"))))
    return suite


def _legal(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
