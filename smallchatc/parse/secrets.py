"""A transport without secrets: literal values where secrets live become ${NAME} references.

Every value in env, headers and auth that is not already a reference is replaced, secret or not, since the compiler
cannot know which one is; only what is plainly a setting stays: yes and no, a small number, a log level, a media type.
In commands and URLs, what is named like a secret or looks like one is replaced.
"""

from __future__ import annotations

import json
import re
import shlex
from urllib.parse import urlsplit, urlunsplit

from ..credentials import credentials_in, is_secret_name, looks_random
from ..model import Json
from .own_secrets import reference_to

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
_SETTING = re.compile(
    r"([A-Za-z_][\w.-]{0,63})([ \t]?=[ \t]?|[\"']:[ \t]?)([\"']?)([^\s\"'`;,|)&]+)"
)  # inside a longer text
_HEADER = re.compile(  # of `-H` and `--header`; not every "name:value", as `keycloak:latest` is an image
    r"((?:proxy-)?authorization|cookie|x-[\w-]+|[\w-]*(?:api[-_]?key|token|secret|password)):(?!//)(\s*)(.+)",
    re.DOTALL | re.IGNORECASE,
)
_COMMANDS = ("args", "command", "arguments", "cmd")
_USERS = ("-u", "--user", "--proxy-user")
_SETTING_WORDS = frozenset(
    "true false yes no on off none null auto default all debug info notice warn warning error critical fatal trace"
    " silent quiet verbose stdio http https sse streamable-http production development staging test local json text"
    " plain utf-8 utf8 read-only readonly read-write".split()
)
_CODE_NAME = re.compile(r"(?:^|[_-])(?:pin|otp|code|pass)\d*$", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,4}(?:\.\d{1,3})?")  # more digits may be a code
_HARMLESS_HEADERS = frozenset(("accept", "accept-encoding", "accept-language", "content-type", "user-agent"))
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
        if key in _COMMANDS:
            return _clean_command(value, replaced)
        return [_clean(key, item, replaced, inside=inside) for item in value]
    if not isinstance(value, str):
        return (
            _reference(key, replaced)
            if inside
            and isinstance(value, int | float)
            and not isinstance(value, bool)
            and not _is_setting(key, str(value))
            else value
        )
    if inside and key not in _HARMLESS_AUTH:
        kept = _ONLY_REFERENCES.fullmatch(value) or _is_setting(key, value)
        return value if kept else _referenced(key, value, replaced)
    if key in _COMMANDS:
        return _clean_line(value, replaced)
    return _clean_url(value, replaced) if "://" in value else _clean_text(value, replaced)


def _is_setting(key: str, value: str) -> bool:
    """Whether a value is one that anybody may know, under a name that promises no secret."""
    if _SECRET_WORD.search(key) or _CODE_NAME.search(key) or is_secret_name(key):
        return False
    if key.lower() in _HARMLESS_HEADERS:
        return not credentials_in(value)
    return value.lower() in _SETTING_WORDS or _NUMBER.fullmatch(value) is not None


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
    return reference_to(key)


def _clean_line(line: str, replaced: list[str]) -> str:
    """A command with its arguments in one text; as it was where nothing had to be replaced."""
    try:
        words = shlex.split(line)
    except ValueError:
        return _clean_text(line, replaced)
    clean = _clean_command(list(words), replaced)
    return line if clean == words else " ".join(word if "$" in word else shlex.quote(word) for word in clean)


def _clean_command(words: list[Json], replaced: list[str]) -> list[Json]:
    clean: list[Json] = []
    secret_option: str | None = None
    for word in words:
        if not isinstance(word, str):
            clean.append(word)
            continue
        if secret_option in _USERS and ":" not in word:
            clean.append(_clean_word(word, replaced))
        elif secret_option and not word.startswith("-"):
            clean.append(word if _ONLY_REFERENCES.fullmatch(word) else _reference(secret_option, replaced))
        else:
            clean.append(_clean_word(word, replaced))
        names_secret = word.startswith("-") and "=" not in word and _SECRET_WORD.search(word)
        secret_option = word if names_secret or word in _USERS else None
    return clean


_MAX_NAMES = 4  # `--env=API_KEY=...` has two


def _clean_word(word: str, replaced: list[str], depth: int = 0) -> str:
    settings = _settings_in(word)
    if settings is not None:
        clean = _clean("", settings, replaced, inside=False)
        return word if clean == settings else json.dumps(clean, ensure_ascii=False)
    header = _HEADER.fullmatch(word)
    if header:
        name, blank, value = header.groups()
        kept = _ONLY_REFERENCES.fullmatch(value)
        return word if kept else f"{name}:{blank}{_referenced(name, value, replaced)}"
    option = _OPTION.fullmatch(word) if depth < _MAX_NAMES else None
    if option:
        name, value = option.groups()
        if not _SECRET_WORD.search(name):
            return f"{name}={_clean_word(value, replaced, depth + 1)}"
        return word if _ONLY_REFERENCES.fullmatch(value) else f"{name}={_reference(name, replaced)}"
    return _clean_url(word, replaced) if re.match(r"[A-Za-z][\w+.-]*://\S+$", word) else _clean_text(word, replaced)


def _settings_in(word: str) -> Json:
    """The object that is written as JSON in one argument."""
    if not word.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(word)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _clean_text(text: str, replaced: list[str]) -> str:
    """Any other text: `NAME=value` with the name of a secret, and what looks like a credential for itself."""

    def setting(match: re.Match[str]) -> str:
        name, sign, quote, value = match.groups()
        if not _SECRET_WORD.search(name) or value.startswith("$"):
            return match.group()
        return f"{name}{sign}{quote}{_reference(name, replaced)}"

    text = _SETTING.sub(setting, text)
    for each in reversed(credentials_in(text)):
        text = f"{text[: each.start]}{_reference(each.kind, replaced)}{text[each.end :]}"
    return text


def _clean_url(url: str, replaced: list[str]) -> str:
    url = _clean_text(url, replaced)
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    netloc = parts.netloc
    if "@" in netloc and not _ONLY_REFERENCES.fullmatch(netloc.rpartition("@")[0]):
        replaced.append("URL credentials")
        netloc = f"${{URL_CREDENTIALS}}@{netloc.rpartition('@')[2]}"
    query, fragment = _clean_fields(parts.query, replaced), _clean_fields(parts.fragment, replaced)
    steps = [_reference("URL token", replaced) if looks_random(step) else step for step in parts.path.split("/")]
    clean = urlunsplit((parts.scheme, netloc, "/".join(steps), query, fragment))
    return url if clean == urlunsplit(parts) else clean


def _clean_fields(text: str, replaced: list[str]) -> str:
    fields = []
    for field in text.split("&") if text else ():
        name, equals, value = field.partition("=")
        if equals and _SECRET_WORD.search(name) and not re.fullmatch(_REFERENCE, value):
            value = _reference(name, replaced)
        fields.append(f"{name}{equals}{value}")
    return "&".join(fields)
