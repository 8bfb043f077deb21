"""A run of tests beside its baseline, for people and as JSON: what got worse first, what is as it was last."""

from __future__ import annotations

from typing import Any

from smallchatc.testing.baseline import Comparison, Moved
from smallchatc.testing.scorecard import Outcome

from . import bold, count, dim, plain, tier_text


def comparison_text(comparison: Comparison, *, verbose: bool) -> str:
    """What differs from the baseline: what got worse first, and last what is as it was."""
    lines = []
    for each in comparison.regressed:
        lines += [f"{bold('WORSE', 'red')} {_where(each.outcome)}", *_before_and_after(each)]
    for each in comparison.mended:
        lines += [f"{bold('better', 'green')} {_where(each.outcome)}", *_before_and_after(each)]
    if verbose:
        for each in comparison.moved:
            lines += [f"moved {_where(each.outcome)}", *_before_and_after(each)]
    for outcome in comparison.new:
        lines.append(f"new {_where(outcome)}: {'right' if outcome.passed else 'wrong'}, {_led_to(outcome)}")
    lines += [f"gone {bold(plain(repr(each.query)))}  {dim(plain(each.file))}" for each in comparison.removed]
    lines += [f"not run: {count(number, 'case')} of {plain(file)}" for file, number in comparison.not_run.items()]
    name = plain(str(comparison.place))
    said = {
        "worse": comparison.regressed,
        "better": comparison.mended,
        "moved": comparison.moved,
        "new": comparison.new,
        "gone": comparison.removed,
    }
    counts = ", ".join(f"{len(found):,} {what}" for what, found in said.items() if found)
    mark = bold("ok", "green") if comparison.ok else bold("FAIL", "red")
    lines.append(f"{mark} --baseline {name}: {comparison.same:,} as recorded{', ' if counts else ''}{counts}")
    if comparison.ok and (comparison.mended or comparison.new or comparison.removed):
        lines.append(dim("  smallchatc test --update records what is so now"))
    return "\n".join(lines)


def _where(outcome: Outcome) -> str:
    case = outcome.case
    return f"{bold(plain(repr(case.query)))}  {dim(f'{plain(case.file)}:{case.line}')}"


def _before_and_after(moved: Moved) -> list[str]:
    before, outcome = moved.before, moved.outcome
    lines = [f"    was {_tool(before.tool, before.tier)}", f"    is  {_led_to(outcome)}"]
    if before.right and not outcome.passed and before.tool == (outcome.tool or ""):
        lines.append(f"    the test wants {plain(', '.join(outcome.case.gold)) or 'no tool'} now")
    return lines


def _led_to(outcome: Outcome) -> str:
    return _tool(outcome.tool or "", outcome.tier)


def _tool(path: str, tier: str) -> str:
    return f"{plain(path) or 'no tool'} {tier_text(tier)}"


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """A comparison as `--json` prints it."""
    return {
        "file": str(comparison.place),
        "ok": comparison.ok,
        "same": comparison.same,
        **{
            name: [_moved_dict(each) for each in found]
            for name, found in (
                ("regressed", comparison.regressed),
                ("mended", comparison.mended),
                ("moved", comparison.moved),
            )
        },
        "new": [_outcome_dict(outcome) for outcome in comparison.new],
        "removed": [{"file": each.file, "query": each.query} for each in comparison.removed],
        "not_run": dict(comparison.not_run),
    }


def _moved_dict(moved: Moved) -> dict[str, Any]:
    before = {"tool": moved.before.tool or None, "tier": moved.before.tier, "right": moved.before.right}
    return {**_outcome_dict(moved.outcome), "before": before, "baseline_line": moved.before.line}


def _outcome_dict(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    return {
        "file": case.file,
        "line": case.line,
        "query": case.query,
        "expect": list(case.gold),
        "tool": outcome.tool,
        "tier": outcome.tier,
        "right": outcome.passed,
    }
