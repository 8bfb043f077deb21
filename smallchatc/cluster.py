"""Cluster: an embedded catalog gains its overload groups, its duplicates and its close pairs.

Similarity proposes, the guards of `operations` dispose, complete linkage keeps chains apart: every pair of a group
is similar enough and passes the guards. Clusters at a threshold never cross the components of the graph of the
pairs that reach it, so each component is clustered alone and there is no n x n matrix; the result is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .model import ClusteredCatalog, Collision, EmbeddedCatalog, Group, Signature, Tool
from .neighbours import coarse_pairs, similarities
from .operations import identities, operations, same_operation

if TYPE_CHECKING:
    import numpy as np

    from .neighbours import Floats, Ints, Pairs

    Mask = np.ndarray[Any, np.dtype[np.bool_]]
    Guard = Callable[[Ints, Ints], Mask]

COLLISION = 0.75
"""Similarity from which two tools count as confusable: where the seeds' scale starts to say MEDIUM."""

NEAREST = 4
"""Close pairs kept per tool; a catalogue of n tools has at most 4 n of them."""

_LARGEST = 4096  # tools clustered at a time: 128 MB of distances


def cluster_overloads(embedded: EmbeddedCatalog, *, threshold: float = 0.82, dedup: float = 0.95) -> ClusteredCatalog:
    """The catalog with its groups at `threshold`, those at `dedup` that share a selector, and its close pairs."""
    tools = embedded.catalog.tools
    allowed, close = _close_pairs(embedded, floor=min(threshold, dedup))
    alike = linked_groups(allowed, threshold=threshold)
    return ClusteredCatalog(
        embedded=embedded,
        overloads=tuple(group for group in alike if len({shape(tools[member]) for member in group.members}) > 1),
        duplicates=_duplicates(embedded, alike),
        shared=linked_groups(allowed, threshold=dedup),
        collisions=close,
        threshold=threshold,
    )


def linked_groups(pairs: Pairs, *, threshold: float) -> tuple[Group, ...]:
    """Complete-linkage clusters of two and more, where only these pairs (first < second) may be together."""
    reached = pairs[2] >= threshold
    components = _components((pairs[0][reached], pairs[1][reached], pairs[2][reached]), threshold)
    groups = [group for component in components for group in _complete_linkage(component, threshold)]
    return tuple(sorted(groups, key=lambda group: group.members))


def shape(tool: Tool) -> frozenset[tuple[object, ...]]:
    """What arguments can tell a tool by: the parameters of its signatures."""
    return frozenset(signature_shape(signature) for signature in tool.signatures)


def signature_shape(signature: Signature) -> tuple[object, ...]:
    """The parameters of one signature; whether it is closed tells nothing apart."""
    return tuple((param.name, param.code, param.required) for param in signature.params)


def _close_pairs(embedded: EmbeddedCatalog, *, floor: float) -> tuple[Pairs, tuple[Collision, ...]]:
    """The pairs that may be one operation and reach `floor`, and the nearest confusable ones of each tool."""
    import numpy as np

    guard = _guard(embedded.catalog.tools)
    kept: list[tuple[Ints, Ints]] = []
    near: list[tuple[Ints, Ints]] = []
    for first, second, rough in coarse_pairs(embedded.vectors, floor=min(floor, COLLISION)):
        nearest = _nearest(first, second, rough)
        near.append((first[nearest], second[nearest]))
        ahead = first < second
        first, second = first[ahead], second[ahead]
        passed = guard(first, second)
        kept.append((first[passed], second[passed]))
    left, right = _joined(near)
    order = np.unique(np.stack([np.minimum(left, right), np.maximum(left, right)]), axis=1)
    close = zip(*(column.tolist() for column in (*order, similarities(embedded.vectors, *order))), strict=True)
    first, second = _joined(kept)
    similarity = similarities(embedded.vectors, first, second)
    reached = similarity >= floor
    return (first[reached], second[reached], similarity[reached]), tuple(
        Collision(first=a, second=b, similarity=round(value, 4)) for a, b, value in close if value >= COLLISION
    )


def _guard(tools: Sequence[Tool]) -> Guard:
    """The guards as a function of index arrays: cheap comparisons first, words only for what is left."""
    import numpy as np

    what, who = operations(tools), identities(tools)
    distinct = list(dict.fromkeys(what))
    op = _numbered(what)
    agreeing = _numbered([(each.kind, each.modifiers, each.many) for each in what])
    provider = _numbered([each.provider for each in who])
    spelling = _numbered([each.spelling for each in who])
    hint = _numbered([each.hint or f"\0{index}" for index, each in enumerate(who)])
    known: dict[int, bool] = {}

    def passes(first: Ints, second: Ints) -> Mask:
        out: Mask = (agreeing[first] == agreeing[second]) & (
            (provider[first] != provider[second])
            | (spelling[first] == spelling[second])
            | (hint[first] == hint[second])
        )
        codes, back = np.unique(op[first[out]] * len(distinct) + op[second[out]], return_inverse=True)
        for code in codes.tolist():
            if code not in known:
                known[code] = same_operation(*(distinct[index] for index in divmod(code, len(distinct))))
        out[out] = np.array([known[code] for code in codes.tolist()], dtype=np.bool_)[back]
        return out

    return passes


def _nearest(first: Ints, second: Ints, similarity: Floats) -> Ints:
    """The places of the NEAREST pairs of each first tool, ties by index."""
    import numpy as np

    order = np.lexsort((second, -similarity, first))
    sorted_first = first[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_first, sorted_first)
    chosen: Ints = order[rank < NEAREST]
    return chosen


def _components(pairs: Pairs, threshold: float) -> Iterator[Pairs]:
    """The pairs of each connected component of their graph.

    A component too large to cluster at once is cut at ever stricter thresholds: its groups may come out smaller
    than they could be, but every pair of them still holds.
    """
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second, similarity = pairs
    if not len(first):
        return
    nodes, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    left, right = places[: len(first)], places[len(first) :]
    graph = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(len(nodes), len(nodes)))
    label = connected_components(graph, directed=False)[1]
    sizes = np.bincount(label)
    order = np.argsort(label[left], kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(label[left][order])) + 1):
        component = (first[part], second[part], similarity[part])
        if sizes[label[left[part[0]]]] <= _LARGEST:
            yield component
        else:
            yield from _cut(component, threshold)


def _cut(pairs: Pairs, threshold: float) -> Iterator[Pairs]:
    first, second, similarity = pairs
    if threshold < 0.999:
        threshold = (1 + threshold) / 2
        kept = similarity >= threshold
    else:  # all of one text: so many at a time, in catalog order
        kept = first // _LARGEST == second // _LARGEST
    yield from _components((first[kept], second[kept], similarity[kept]), threshold)


def _complete_linkage(pairs: Pairs, threshold: float) -> Iterator[Group]:
    """The clusters of one component; tools that are no pair are as far apart as vectors can be."""
    import numpy as np

    first, second, similarity = pairs
    members = np.unique(np.concatenate([first, second]))
    if len(first) == len(members) * (len(members) - 1) // 2:
        # Most components: all tools are pairs, so they are one cluster.
        yield Group(members=tuple(members.tolist()), similarity=round(float(similarity.min()), 4))
        return
    from scipy.cluster.hierarchy import fcluster, linkage

    left, right = np.searchsorted(members, first), np.searchsorted(members, second)
    distance = np.full((len(members), len(members)), 2.0)
    np.fill_diagonal(distance, 0.0)
    distance[left, right] = distance[right, left] = 1.0 - similarity
    tree = linkage(distance[np.triu_indices(len(members), 1)], "complete")
    # Similarities have six decimals, and one of exactly the threshold is meant to be in.
    labels = fcluster(tree, 1.0 - threshold + 1e-7, "distance")
    together: defaultdict[int, list[int]] = defaultdict(list)
    for place, label in enumerate(labels.tolist()):
        together[label].append(place)
    for places in together.values():
        if len(places) > 1:
            weakest = float(distance[np.ix_(places, places)].max())
            yield Group(members=tuple(members[places].tolist()), similarity=round(1.0 - weakest, 4))


def _duplicates(embedded: EmbeddedCatalog, alike: Iterable[Group]) -> tuple[Group, ...]:
    """Tools of one group that arguments cannot tell apart, and tools that are equal to the letter."""
    tools = embedded.catalog.tools
    found: dict[tuple[int, ...], float] = {}
    of: dict[int, tuple[int, ...]] = {}
    for group in alike:
        for members in _parted(group.members, lambda member: shape(tools[member])):
            found[members] = group.similarity if members == group.members else _weakest(embedded, members)
            of.update(dict.fromkeys(members, members))
    # Equal definitions need no likeness of vectors, which also know the providers' names.
    for members in _parted(range(len(tools)), lambda member: tools[member].fingerprint):
        if not set(members) <= set(of.get(members[0], ())):
            found[members] = _weakest(embedded, members)
    return tuple(Group(members=members, similarity=found[members]) for members in sorted(found))


def _parted(members: Iterable[int], key: Callable[[int], object]) -> list[tuple[int, ...]]:
    """The members with equal keys, where there are several."""
    parts: defaultdict[object, list[int]] = defaultdict(list)
    for member in members:
        parts[key(member)].append(member)
    return [tuple(part) for part in parts.values() if len(part) > 1]


def _weakest(embedded: EmbeddedCatalog, members: Sequence[int]) -> float:
    import numpy as np

    left, right = np.triu_indices(len(members), 1)
    of = np.asarray(members, dtype=np.int64)
    return round(float(similarities(embedded.vectors, of[left], of[right]).min()), 4)


def _numbered(values: Iterable[object]) -> Ints:
    """Equal values as equal numbers, by first appearance."""
    import numpy as np

    number: dict[object, int] = {}
    return np.array([number.setdefault(value, len(number)) for value in values], dtype=np.int64)


def _joined(parts: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    import numpy as np

    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
