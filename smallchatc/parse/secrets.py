"""A transport without secrets: literal values where secrets live become ${NAME} references.

Every value in env, headers and auth that is not already a reference is replaced, secret or not: the compiler
cannot know which is one. In commands and URLs only what is named like a secret is.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from ..model import Json

_SECRET_HOLDERS = {
    "env",
    "environment",
    "envs",
    "headers",
    "http_headers",
    "auth",
    "authorization",
    "credentials",
    "secrets",
}
_REFERENCE = r"\$\{[A-Za-z_][A-Za-z0-9_]*\}"
_ONLY_REFERENCES = re.compile(rf"(?:(?:Bearer|Basic|Token|token|ApiKey|Bot)\s+)?{_REFERENCE}")
_WITH_DEFAULT = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*):-[^}]*\}")
_SECRET_WORD = re.compile(r"key|token|secret|passw|pwd|credential|auth|bearer|signature|^sig$", re.IGNORECASE)
_OPTION = re.compile(r"((?:--?)?[A-Za-z_][\w.-]*)=(.+)", re.DOTALL)  # also `-e NAME=value`, `--env=NAME=value`
_HEADER = re.compile(  # of `-H` and `--header`; not every "name:value", as `keycloak:latest` is an image
    r"((?:proxy-)?authorization|cookie|x-[\w-]+|[\w-]*(?:api[-_]?key|token|secret|password)):(?!//)(\s*)(.+)",
    re.DOTALL | re.IGNORECASE,
)
_HARMLESS_AUTH = {
    "type",
    "scheme",
    "scopes",
    "scope",
    "in",
    "name",
    "flow",
    "authorizationUrl",
    "tokenUrl",
    "refreshUrl",
    "deviceAuthorizationUrl",
    "openIdConnectUrl",
}


def without_secrets(transport: dict[str, Json]) -> tuple[dict[str, Json], list[str]]:
    """The transport with references for values, and the names of what was replaced."""
    replaced: list[str] = []
    return {key: _clean(key, value, replaced, inside=False) for key, value in transport.items()}, replaced


def _clean(key: str, value: Json, replaced: list[str], *, inside: bool) -> Json:
    inside = inside or key in _SECRET_HOLDERS or (_SECRET_WORD.search(key) is not None and key not in _HARMLESS_AUTH)
    if isinstance(value, dict):
        return {name: _clean(name, item, replaced, inside=inside) for name, item in value.items()}
    if isinstance(value, list):
        if key in ("args", "command", "arguments"):
            return _clean_command(value, replaced)
        return [_clean(key, item, replaced, inside=inside) for item in value]
    if not isinstance(value, str):
        return (
            _reference(key, replaced)
            if inside and isinstance(value, int | float) and not isinstance(value, bool)
            else value
        )
    if inside and key not in _HARMLESS_AUTH:
        return value if _ONLY_REFERENCES.fullmatch(value) else _referenced(key, value, replaced)
    return _clean_url(value, replaced) if "://" in value else value


def _referenced(key: str, value: str, replaced: list[str]) -> str:
    """${NAME:-default} keeps its name; anything else takes that of its key."""
    with_default = _WITH_DEFAULT.fullmatch(value)
    if with_default:
        replaced.append(key)
        return f"${{{with_default.group(1)}}}"
    scheme = re.fullmatch(rf"(Bearer|Basic|Token|token|ApiKey|Bot)\s+(?!{_REFERENCE}).+", value, re.DOTALL)
    reference = _reference(key, replaced)
    return f"{scheme.group(1)} {reference}" if scheme else reference


def _reference(key: str, replaced: list[str]) -> str:
    replaced.append(key)
    name = re.sub(r"[^A-Za-z0-9]+", "_", key).strip("_").upper() or "VALUE"
    return f"${{{'_' + name if name[0].isdigit() else name}}}"


def _clean_command(words: list[Json], replaced: list[str]) -> list[Json]:
    clean: list[Json] = []
    secret_option: str | None = None
    for word in words:
        if not isinstance(word, str):
            clean.append(word)
            continue
        if secret_option and not word.startswith("-"):
            clean.append(word if _ONLY_REFERENCES.fullmatch(word) else _reference(secret_option, replaced))
        else:
            clean.append(_clean_word(word, replaced))
        secret_option = word if word.startswith("-") and "=" not in word and _SECRET_WORD.search(word) else None
    return clean


def _clean_word(word: str, replaced: list[str]) -> str:
    header = _HEADER.fullmatch(word)
    if header:
        name, blank, value = header.groups()
        kept = _ONLY_REFERENCES.fullmatch(value)
        return word if kept else f"{name}:{blank}{_referenced(name, value, replaced)}"
    option = _OPTION.fullmatch(word)
    if option:
        name, value = option.groups()
        if not _SECRET_WORD.search(name):
            return f"{name}={_clean_word(value, replaced)}"
        return word if _ONLY_REFERENCES.fullmatch(value) else f"{name}={_reference(name, replaced)}"
    return _clean_url(word, replaced) if "://" in word else word


def _clean_url(url: str, replaced: list[str]) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    netloc = parts.netloc
    if "@" in netloc and not _ONLY_REFERENCES.fullmatch(netloc.rpartition("@")[0]):
        replaced.append("URL credentials")
        netloc = f"${{URL_CREDENTIALS}}@{netloc.rpartition('@')[2]}"
    query, fragment = _clean_fields(parts.query, replaced), _clean_fields(parts.fragment, replaced)
    return urlunsplit((parts.scheme, netloc, parts.path, query, fragment))


def _clean_fields(text: str, replaced: list[str]) -> str:
    fields = []
    for field in text.split("&") if text else ():
        name, equals, value = field.partition("=")
        if equals and _SECRET_WORD.search(name) and not re.fullmatch(_REFERENCE, value):
            value = _reference(name, replaced)
        fields.append(f"{name}{equals}{value}")
    return "&".join(fields)
