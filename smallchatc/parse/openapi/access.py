"""How an API is reached: its servers and its security schemes, as a transport; credentials by reference only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from ...model import Json
from .parameters import Say
from .refs import Node, References

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_MAX_ALTERNATIVES = 32
_FLOWS = ("authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl")


def read_transport(refs: References, provider: str, *, version: str) -> dict[str, Json]:
    """The transport of all operations: where, and with which credentials."""
    root = refs.root
    servers = [_old_server(root)] if version == "2.0" else read_servers(root)
    transport: dict[str, Json] = {"type": "rest", "base_url": servers[0]["base_url"] if servers else ""}
    if servers and "template" in servers[0]:
        transport |= {key: servers[0][key] for key in ("template", "variables")}
    if len(servers) > 1:
        transport["servers"] = [server["base_url"] for server in servers]
    schemes = _schemes(refs, version=version)
    transport["security"] = {name: reference for name, node in schemes if (reference := _scheme(name, node, provider))}
    return transport


def read_servers(holder: Node) -> list[dict[str, Json]]:
    """The servers that are named at a description, a path or an operation, templates with their defaults."""
    written = holder.value.get("servers") if isinstance(holder.value, dict) else None
    found: list[dict[str, Json]] = []
    for server in written if isinstance(written, list) else ():
        url = server.get("url") if isinstance(server, dict) else None
        if isinstance(url, str) and url.strip():
            found.append(_server(url.strip(), server.get("variables")))
    return found


def _schemes(refs: References, *, version: str) -> list[tuple[str, Node]]:
    """The security schemes by name."""
    steps = ("securityDefinitions",) if version == "2.0" else ("components", "securitySchemes")
    holder = refs.root.below(*steps)
    if not isinstance(holder.value, dict):
        return []
    return [(name, refs.follow(holder.below(name))) for name in holder.value]


def requirements(written: Node, schemes: frozenset[str], say: Say) -> Json:
    """The alternatives, each a mapping of scheme ids to scopes; an empty list asks for nothing."""
    found: list[dict[str, Json]] = []
    alternatives = written.value if isinstance(written.value, list) else []
    if len(alternatives) > _MAX_ALTERNATIVES:
        say(
            "openapi-invalid", f"security has more than {_MAX_ALTERNATIVES} alternatives; the rest is left out", written
        )
    for alternative in alternatives[:_MAX_ALTERNATIVES]:
        if not isinstance(alternative, dict):
            continue
        for name in alternative:
            if name not in schemes:
                say("unknown-security-scheme", f"security names '{name}', which nothing describes", written)
        found.append({name: _texts(scopes) for name, scopes in alternative.items()})
    return found


def is_absolute(url: str) -> bool:
    """Whether a URL says which host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.scheme and parts.netloc)


def _server(url: str, variables: Json) -> dict[str, Json]:
    names = _VARIABLE.findall(url)
    if not names:
        return {"base_url": url.rstrip("/")}
    variables = variables if isinstance(variables, dict) else {}
    known = {name: variables[name] for name in names if isinstance(variables.get(name), dict)}
    defaults = {name: str(known[name]["default"]) for name in known if "default" in known[name]}
    filled = _VARIABLE.sub(lambda match: defaults.get(match[1], match[0]), url)
    kept = {name: {key: of[key] for key in ("default", "enum") if key in of} for name, of in known.items()}
    return {"base_url": filled.rstrip("/"), "template": url, "variables": kept}


def _old_server(root: Node) -> dict[str, Json]:
    host, base = root.text("host"), root.text("basePath").rstrip("/")
    schemes = _texts(root.value.get("schemes"))
    scheme = "https" if "https" in schemes or not schemes else schemes[0]
    return {"base_url": f"{scheme}://{host.rstrip('/')}{base}" if host else base}


def _scheme(name: str, node: Node, provider: str) -> dict[str, Json]:
    """A scheme, and the variables that its credentials come from."""
    kind = node.text("type").lower()
    variable = re.sub(r"[^A-Za-z0-9]+", "_", f"{provider}_{name}").strip("_").upper() or "CREDENTIAL"
    variable = f"_{variable}" if variable[0].isdigit() else variable
    if kind == "apikey":
        return {"type": "apiKey", "in": node.text("in"), "name": node.text("name"), "value": f"${{{variable}}}"}
    if kind == "basic" or (kind == "http" and node.text("scheme").lower() == "basic"):
        return {
            "type": "http", "scheme": "basic",
            "username": f"${{{variable}_USERNAME}}", "password": f"${{{variable}_PASSWORD}}",
        }  # fmt: skip
    if kind == "http":
        return {"type": "http", "scheme": node.text("scheme").lower(), "token": f"${{{variable}}}"}
    if kind == "oauth2":
        return {"type": "oauth2", "token": f"${{{variable}}}", "flows": dict(_flows(node))}
    if kind == "openidconnect":
        return {"type": "openIdConnect", "openIdConnectUrl": node.text("openIdConnectUrl"), "token": f"${{{variable}}}"}
    if kind == "mutualtls":
        return {"type": "mutualTLS"}
    return {}


def _flows(node: Node) -> Iterator[tuple[str, Json]]:
    """The flows of version 3, or the one of version 2.0."""
    flows = node.value.get("flows")
    if not isinstance(flows, dict):
        flows = {node.text("flow"): node.value} if node.text("flow") else {}
    for name, flow in flows.items():
        if isinstance(flow, dict):
            urls: Mapping[str, Json] = {key: flow[key] for key in _FLOWS if isinstance(flow.get(key), str)}
            yield name, {**urls, "scopes": list(flow["scopes"]) if isinstance(flow.get("scopes"), dict) else []}


def _texts(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
