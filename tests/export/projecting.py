"""Tools as a manifest has them, and what becomes of them."""

from __future__ import annotations

from typing import Any

from smallchatc.projection import Projection, project


def projected(schema: Any, target: str, **fields: Any) -> Projection:
    """A tool with this input schema for a target."""
    return project({"name": "t", "description": "Do it.", "inputSchema": schema, **fields}, name="p__t", target=target)


def parameters(made: Projection) -> dict[str, Any]:
    """The schema inside an exported definition of any shape."""
    tool: Any = made.definition
    tool = tool.get("function", tool)
    schema: dict[str, Any] = next(
        (tool[key] for key in ("parameters", "input_schema", "inputSchema") if key in tool), {}
    )
    return schema
