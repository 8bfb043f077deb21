"""List every overload and duplicate group that forms in real catalogues, to be read by a person.

    python bench/overload_groups.py SOURCE... [--encoder base] [--threshold 0.82] [--markdown]

The verdicts on what it printed are in docs/decisions/0002-overloads.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable

from smallchatc.cluster import cluster_overloads
from smallchatc.embed import embed_catalog
from smallchatc.encoders import choose_encoder
from smallchatc.model import ClusteredCatalog, Group
from smallchatc.parse import parse_sources
from smallchatc.settings import OVERLOAD_THRESHOLD


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--encoder", default="base", help="auto, teacher, base or small")
    parser.add_argument("--threshold", type=float, default=OVERLOAD_THRESHOLD)
    parser.add_argument("--markdown", action="store_true", help="as the rows of a table")
    given = parser.parse_args()
    catalog = parse_sources(given.sources, keep_going=True).catalog
    embedded = embed_catalog(catalog, choose_encoder(given.encoder))
    started = time.perf_counter()
    clustered = cluster_overloads(embedded, threshold=given.threshold)
    seconds = time.perf_counter() - started
    for title, groups in (("overloads", clustered.overloads), ("duplicates", clustered.duplicates)):
        print(f"\n{title}: {len(groups)}")
        show(clustered, groups, markdown=given.markdown)
    tools = sum(len(group.members) for group in clustered.overloads)
    print(
        f"\n{len(catalog.tools)} tools of {len(catalog.providers)} providers, {embedded.encoder}, threshold"
        f" {given.threshold}: {len(clustered.overloads)} overload groups of {tools} tools,"
        f" {len(clustered.duplicates)} duplicate groups, {len(clustered.shared)} shared selectors,"
        f" {len(clustered.collisions)} close pairs, {seconds:.1f} s"
    )


def show(clustered: ClusteredCatalog, groups: Iterable[Group], *, markdown: bool) -> None:
    """One line a group: the similarity of its weakest pair and its tools."""
    tools = clustered.embedded.catalog.tools
    for group in groups:
        paths = [tools[member].path for member in group.members]
        if markdown:
            print(f"| {group.similarity:.2f} | {', '.join(f'`{path}`' for path in paths)} |")
        else:
            print(f"{group.similarity:.4f}  {'  '.join(paths)}")


if __name__ == "__main__":
    main()
