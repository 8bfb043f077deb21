"""Lenient: the one thing that OpenAI refuses below the root when it is not strict, an array without `items`."""

from __future__ import annotations

from .node import REWRITTEN, Node, Notes, all_nodes, deep_copy, distinct, types_of


def mend_arrays(root: Node, notes: Notes) -> None:
    """Give every array its `items`: of a tuple what its places take, else any value."""
    for node in list(all_nodes(root)):
        if "array" not in types_of(node) or isinstance(node.get("items"), Node):
            continue
        places = [deep_copy(place) for place in distinct(node.get("prefixItems", ()))]
        what = "items are of any kind" if not places else "items are what the places of the tuple take"
        notes.say(REWRITTEN, "array-without-items", node.at, what)
        if len(places) == 1:
            node["items"] = places[0]
        else:
            node["items"] = Node((*node.at, "items"), {"anyOf": places} if places else {})
