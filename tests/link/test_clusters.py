"""Groups: complete linkage on components, the same as a dense one, and never an n x n matrix."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallchatc import cluster, neighbours
from smallchatc.cluster import cluster_overloads, linked_groups


def test_three_tools_in_a_chain_are_not_one_group(build: Any, at_degrees: Callable[..., Any]) -> None:
    tools = [build.tool(f"{p}/send", x="s", **{p: "s"}) for p in "abc"]
    clustered = cluster_overloads(build.embedded(build.catalog(tools), at_degrees(0, 30, 61)))
    assert [(group.members, group.similarity) for group in clustered.overloads] == [((0, 1), 0.866)]


def test_a_similarity_of_exactly_the_threshold_is_enough(build: Any) -> None:
    tools = [build.tool("a/send", x="s"), build.tool("b/send", y="s")]
    embedded = build.embedded(build.catalog(tools), [(1, 0), (0.6, 0.8)])
    assert len(cluster_overloads(embedded, threshold=0.6).overloads) == 1
    assert len(cluster_overloads(embedded, threshold=0.6001).overloads) == 0


def test_a_forbidden_pair_stays_apart_though_a_third_tool_is_close_to_both(build: Any) -> None:
    tools = [
        build.tool("a/find_user", x="s"),
        build.tool("a/search_user", y="s"),
        build.tool("b/search_user", z="s"),
    ]
    clustered = cluster_overloads(build.embedded(build.catalog(tools), [(1, 0), (1, 0.02), (1, 0.01)]))
    assert [group.members for group in clustered.overloads] == [(0, 2)]


def test_equal_signatures_are_a_duplicate_and_no_overload(build: Any) -> None:
    tools = [build.tool("a/send", to="S", text="S"), build.tool("b/send", text="S", to="S")]
    clustered = cluster_overloads(build.embedded(build.catalog(tools)))
    assert (clustered.overloads, [group.members for group in clustered.duplicates]) == ((), [(0, 1)])


def test_an_overload_names_all_its_members_and_its_duplicates_too(build: Any) -> None:
    tools = [build.tool("a/send", to="S"), build.tool("b/send", to="S"), build.tool("c/send", room="S")]
    clustered = cluster_overloads(build.embedded(build.catalog(tools)))
    assert [group.members for group in clustered.overloads] == [(0, 1, 2)]
    assert [group.members for group in clustered.duplicates] == [(0, 1)]


@pytest.mark.parametrize("other", [{"x": "s"}, {"x": "N"}, {"y": "S"}, {"x": "S", "y": "s"}, {}])
def test_a_parameter_that_differs_in_name_type_or_need_makes_an_overload(build: Any, other: dict[str, str]) -> None:
    tools = [build.tool("a/send", x="S"), build.tool("b/send", **other)]
    assert len(cluster_overloads(build.embedded(build.catalog(tools))).overloads) == 1


def test_tools_equal_to_the_letter_are_duplicates_however_far_their_vectors(
    build: Any, at_degrees: Callable[..., Any]
) -> None:
    tools = [build.tool(f"{place}/refund", "Refund a payment", definition="same") for place in ("live", "staging")]
    clustered = cluster_overloads(build.embedded(build.catalog(tools), at_degrees(0, 60)))
    assert [(group.members, group.similarity) for group in clustered.duplicates] == [((0, 1), 0.5)]


def test_groups_at_the_dedup_threshold_share_a_selector(build: Any, at_degrees: Callable[..., Any]) -> None:
    tools = [build.tool(f"{p}/send", **{p: "s"}) for p in "abc"]
    clustered = cluster_overloads(build.embedded(build.catalog(tools), at_degrees(0, 10, 30)))
    assert [group.members for group in clustered.overloads] == [(0, 1, 2)]
    assert [group.members for group in clustered.shared] == [(0, 1)]


def test_close_pairs_are_collisions_whatever_they_do(build: Any, at_degrees: Callable[..., Any]) -> None:
    tools = [build.tool("a/add_comment"), build.tool("a/get_comments"), build.tool("a/delete_branch")]
    clustered = cluster_overloads(build.embedded(build.catalog(tools), at_degrees(0, 20, 90)))
    assert [(each.first, each.second, each.similarity) for each in clustered.collisions] == [(0, 1, 0.9397)]


def test_collisions_grow_with_the_tools_and_not_with_the_pairs(build: Any) -> None:
    tools = [build.tool(f"a/job_{index}") for index in range(60)]
    assert len(cluster_overloads(build.embedded(build.catalog(tools))).collisions) <= cluster.NEAREST * 60


def test_empty_single_and_wordless_catalogues_have_no_groups(build: Any) -> None:
    for tools, vectors in ([], np.zeros((0, 2))), ([build.tool("a/b")], [(1, 0)]):
        clustered = cluster_overloads(build.embedded(build.catalog(tools), vectors))
        assert (clustered.overloads, clustered.duplicates, clustered.collisions) == ((), (), ())
    mute = [build.tool("a/send", x="s"), build.tool("b/send", y="s")]
    assert cluster_overloads(build.embedded(build.catalog(mute), [(0, 0), (0, 0)])).overloads == ()


def test_the_order_in_which_tools_are_given_changes_nothing(build: Any) -> None:
    dice = random.Random(7)
    named = [(f"{p}/{n}", dice.random()) for p in "abcd" for n in ("send", "get_user", "list_users", "put_file")]
    results = []
    for _ in range(5):
        dice.shuffle(named)
        angle = dict(named)
        catalog = build.catalog([build.tool(path, **{path[0]: "s"}) for path, _ in named])
        vectors = [(np.cos(angle[tool.path]), np.sin(angle[tool.path])) for tool in catalog.tools]
        clustered = cluster_overloads(build.embedded(catalog, vectors))
        results.append((clustered.overloads, clustered.shared, clustered.collisions))
    assert all(result == results[0] for result in results)
    assert results[0][0]


def test_the_size_of_blocks_changes_nothing(build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(3).normal(size=(200, 16)).astype(np.float32)
    catalog = build.catalog([build.tool(f"p{index:03}/send", **{f"x{index}": "s"}) for index in range(200)])
    whole = cluster_overloads(build.embedded(catalog, rows), threshold=0.5)
    monkeypatch.setattr(neighbours, "_CELLS", 1000)
    monkeypatch.setattr(neighbours, "_GATHER", 7)
    parts = cluster_overloads(build.embedded(catalog, rows), threshold=0.5)
    assert (whole.overloads, whole.collisions) == (parts.overloads, parts.collisions)
    assert whole.overloads


@given(
    tools=st.integers(2, 40),
    seed=st.integers(0, 2**32 - 1),
    threshold=st.sampled_from([0.3, 0.5, 0.82]),
    forbidden=st.floats(0, 0.6),
)
@settings(max_examples=60, deadline=None)
def test_components_give_what_dense_complete_linkage_gives(
    tools: int, seed: int, threshold: float, forbidden: float
) -> None:
    """The slow twin: all pairs at once, forbidden ones at distance 2."""
    from sklearn.cluster import AgglomerativeClustering

    dice = np.random.default_rng(seed)
    rows = dice.normal(size=(tools, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    first, second = np.triu_indices(tools, 1)
    similarity = np.round((rows[first] * rows[second]).sum(axis=1), 6)
    allowed = dice.random(len(first)) >= forbidden
    distance = np.zeros((tools, tools))
    distance[first, second] = distance[second, first] = np.where(allowed, 1 - similarity, 2.0)
    labels = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="complete", distance_threshold=1 - threshold + 1e-7
    ).fit_predict(distance)
    dense = {tuple(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}
    groups = linked_groups((first[allowed], second[allowed], similarity[allowed]), threshold=threshold)
    assert {group.members for group in groups} == {members for members in dense if len(members) > 1}


@given(seed=st.integers(0, 2**32 - 1), width=st.sampled_from([2, 64, 256, 384]))
@settings(max_examples=20, deadline=None)
def test_no_pair_that_reaches_the_floor_is_missed(seed: int, width: int) -> None:
    dice = np.random.default_rng(seed)
    rows = (dice.normal(size=(60, width)) + 2 * dice.normal(size=width)).astype(np.float32)
    unit = rows.astype(np.float64) / np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    exact = unit @ unit.T
    floor = float(np.median(exact))
    found = {
        pair
        for first, second, _ in neighbours.coarse_pairs(rows, floor=floor)
        for pair in zip(first.tolist(), second.tolist(), strict=True)
    }
    assert {(i, j) for i, j in np.argwhere(exact >= floor).tolist() if i != j} <= found
    first, second = np.triu_indices(60, 1)
    assert np.abs(neighbours.similarities(rows, first, second) - exact[first, second]).max() < 1e-5


def test_a_component_too_large_to_cluster_at_once_is_cut_and_its_groups_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_LARGEST", 20)
    rows = np.random.default_rng(5).normal(size=(120, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[60:] = rows[60]
    first, second = np.triu_indices(120, 1)
    similarity = np.round((rows[first] * rows[second]).sum(axis=1), 6)
    groups = linked_groups((first, second, similarity), threshold=0.5)
    value = {(i, j): s for i, j, s in zip(first.tolist(), second.tolist(), similarity.tolist(), strict=True)}
    assert groups
    for group in groups:
        assert min(value[i, j] for i in group.members for j in group.members if i < j) >= 0.5
        assert len(group.members) <= 20


def test_memory_stays_far_below_a_matrix_of_all_pairs(build: Any) -> None:
    count = 5000
    rows = np.random.default_rng(1).normal(size=(count, 64)).astype(np.float32)
    embedded = build.embedded(build.catalog([build.tool(f"p{index:04}/send") for index in range(count)]), rows)
    cluster_overloads(build.embedded(build.catalog([build.tool("a/b"), build.tool("c/d")])))  # imports
    tracemalloc.start()
    cluster_overloads(embedded)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < count * count * 4 * 0.6, f"{peak / 1e6:.0f} MB"
