"""Known forms that are not compiled by this version: named, so that a reader knows what was seen.

Told by their content, as all forms are; a later issue reads bundles and registry entries.
"""

from __future__ import annotations

from ..model import Json


def name_other_form(value: Json) -> str | None:
    """What a document is, for a message; None when it is unknown."""
    if not isinstance(value, dict):
        return None
    if value.get("swaggerVersion") is not None or ("swagger" in value and isinstance(value.get("apis"), list)):
        return "a Swagger 1 description"
    if is_bundle(value):
        return "a manifest of an MCP bundle"
    if isinstance(value.get("packages") or value.get("remotes"), list) and "name" in value:
        return "an entry of the MCP registry"
    return None


def is_bundle(value: Json) -> bool:
    """The manifest of an MCP bundle. It may list tools, but without their schemas: the server knows those."""
    marked = isinstance(value, dict) and ("manifest_version" in value or "dxt_version" in value)
    return marked and isinstance(value.get("server"), dict)
