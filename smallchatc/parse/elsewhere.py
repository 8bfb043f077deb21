"""Known forms that are not compiled by this version: named, so that a reader knows what was seen.

Told by their content, as all forms are; a later issue reads client configurations, bundles and API descriptions.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Json

_CONFIG_KEYS = ("mcpServers", "mcp_servers", "context_servers")


def name_other_form(value: Json) -> str | None:
    """What a document is, for a message; None when it is unknown."""
    if not isinstance(value, dict):
        return None
    if value.get("swaggerVersion") is not None or ("swagger" in value and isinstance(value.get("apis"), list)):
        return "a Swagger 1 description"
    if any(isinstance(value.get(key), dict | list) for key in _CONFIG_KEYS):
        return "a client configuration"
    if _has_servers(value.get("servers")) or _has_servers(value.get("mcp")) or _has_servers(value.get("extensions")):
        return "a client configuration"
    if isinstance(value.get("mcp"), dict) and _has_servers(value["mcp"].get("servers")):
        return "a client configuration"
    if is_bundle(value):
        return "a manifest of an MCP bundle"
    if isinstance(value.get("packages") or value.get("remotes"), list) and "name" in value:
        return "an entry of the MCP registry"
    if _has_servers(value):
        return "a client configuration"
    return None


def is_bundle(value: Json) -> bool:
    """The manifest of an MCP bundle. It may list tools, but without their schemas: the server knows those."""
    marked = isinstance(value, dict) and ("manifest_version" in value or "dxt_version" in value)
    return marked and isinstance(value.get("server"), dict)


def _has_servers(value: Json) -> bool:
    """A mapping of names to ways of starting or reaching a server."""
    return isinstance(value, Mapping) and bool(value) and all(_is_server(server) for server in value.values())


def _is_server(value: Json) -> bool:
    reached = ("command", "cmd", "url", "uri", "serverUrl", "httpUrl")
    return isinstance(value, dict) and (any(key in value for key in reached) or value.get("type") == "builtin")
