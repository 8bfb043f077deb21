"""The pairs of fixtures/diff: each is a change, and what it is called. All are compiled together, a provider each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from in_memory import compiled

from smallchatc.diff import KINDS, Change, Diff, diff_artifacts

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "diff"
PAIRS: dict[str, dict[str, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.yaml"))
}
BETWEEN = {
    "overload-changed", "look-alike-added", "look-alike-removed", "selection-broken", "selection-mended",
    "selection-moved", "encoder-changed", "settings-changed", "provider-added", "provider-removed", "call-changed",
    "provider-changed",
}  # fmt: skip
"""Kinds that are about more than one tool or provider: tested in test_between.py."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Diff, Diff]]:
    """The difference of all pairs, and the same from new to old."""
    folder = tmp_path_factory.mktemp("pairs")
    sides = [{name: pair[side] for name, pair in PAIRS.items()} for side in ("old", "new")]
    with compiled(folder / "old", sides[0]) as old, compiled(folder / "new", sides[1]) as new:
        yield diff_artifacts(old, new), diff_artifacts(new, old)


def of_pair(diff: Diff, name: str) -> list[Change]:
    """The changes of one pair's provider alone. Equal tools of several pairs share a selector, now these, now those."""
    apart = BETWEEN | ({"selector-changed"} if "selector-changed" not in PAIRS[name]["expect"] else set())
    return [change for change in diff.changes if change.kind not in apart and change.subject.partition("/")[0] == name]


@pytest.mark.parametrize("name", PAIRS)
def test_a_change_is_called_what_it_is(both: tuple[Diff, Diff], name: str) -> None:
    found = of_pair(both[0], name)
    assert sorted(change.kind for change in found) == sorted(PAIRS[name]["expect"]), [c.message for c in found]


@pytest.mark.parametrize("name", PAIRS)
def test_the_way_back_mirrors_the_way_there(both: tuple[Diff, Diff], name: str) -> None:
    there, back = of_pair(both[0], name), of_pair(both[1], name)
    assert len(there) == len(back)
    left = Counter(change.kind for change in back)
    for change in there:
        mirrored = [kind for kind in KINDS[change.kind].reverse if left[kind]]
        assert mirrored, f"{change.kind} has no mirror among {sorted(left)}"
        left[mirrored[0]] -= 1


def test_every_kind_has_a_pair() -> None:
    shown = {kind for pair in PAIRS.values() for kind in pair["expect"]}
    assert shown | BETWEEN == set(KINDS)
    assert len(PAIRS) >= 40


def test_an_artifact_does_not_differ_from_itself(tmp_path: Path) -> None:
    sides = {name: pair["old"] for name, pair in PAIRS.items()}
    with compiled(tmp_path / "one", sides) as one, compiled(tmp_path / "other", sides) as other:
        assert diff_artifacts(one, one).changes == ()
        assert diff_artifacts(one, other).level is None


def test_a_mirror_is_a_mirror() -> None:
    for kind in KINDS.values():
        assert all(kind.slug in KINDS[other].reverse for other in kind.reverse), kind.slug
