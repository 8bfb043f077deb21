"""Request: the call of an operation (docs/format.md: Calls) and its arguments become an HTTP request.

Pure: nothing is sent here and no environment is read. What could make a URL mean something else than its operation (an
empty or dotted path parameter, a line break in a header) is refused as an argument.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidArguments, Violation
from ..named import NamedTuple
from .styles import Pairs, encode, encode_some, in_path, in_query, scalar, simple

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NOT_OURS = frozenset(("host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"))


class Request(NamedTuple):
    """What is sent, but for credentials."""

    method: str
    url: str
    query: Pairs
    headers: list[tuple[str, str]]
    cookies: Pairs
    body: bytes | None


def build_request(call: Mapping[str, Any], args: Mapping[str, Any], base_url: str, tool: str) -> Request:
    """The request; raises InvalidArguments for values that cannot be sent where they belong."""
    wrong: list[Violation] = []
    path: dict[str, str] = {}
    query: Pairs = []
    headers: list[tuple[str, str]] = []
    cookies: Pairs = []
    taken = set()
    for parameter in call.get("parameters") or ():
        argument, name, place = parameter["argument"], parameter["name"], parameter["in"]
        taken.add(argument)
        value = args.get(argument)
        if value is None:
            if place == "path":
                wrong.append(Violation(_pointer(argument), "missing", "a value for the path", "nothing"))
            continue
        style = parameter.get("style", "form" if place in ("query", "cookie") else "simple")
        explode = parameter.get("explode", style == "form")
        if "content" in parameter:
            value, style, explode = _written(parameter["content"], value), "simple", False
        if place == "path":
            path[name] = in_path(name, value, style=style, explode=explode)
        elif place == "query":
            enc = encode_some if parameter.get("allowReserved") else encode
            query += in_query(name, value, style="form" if style == "simple" else style, explode=explode, enc=enc)
        elif place == "querystring":
            query += _fields(value) if isinstance(value, Mapping) else [("", encode(scalar(value)))]
        elif place == "header":
            text = simple(value, explode=explode, enc=str)
            if name.lower() in _NOT_OURS or re.search(r"[\r\n\0]", text):
                wrong.append(Violation(_pointer(argument), "value", "the text of a header", repr(text)))
            headers.append((name, text))
        elif place == "cookie":
            cookies += in_query(name, value, style="form", explode=explode)
    body, media_type = _body(call.get("body") or {}, args, taken, wrong)
    if wrong:
        raise InvalidArguments(wrong, tool=tool)
    if body is not None:
        headers.append(("Content-Type", media_type))
    if call.get("accept"):
        headers.append(("Accept", str(call["accept"])))
    url = base_url.rstrip("/") + _filled(call["path"], path, tool)
    return Request(call["method"], url, query, headers, cookies, body)


def _filled(template: str, values: Mapping[str, str], tool: str) -> str:
    """The path; a step of it that came out empty or as dots would lead to another operation."""
    steps = []
    for step in template.split("/"):
        filled = _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), step)
        if filled != step and filled in ("", ".", ".."):
            name = _PLACEHOLDER.findall(step)[0]
            raise InvalidArguments([Violation(_pointer(name), "value", "a step of a path", repr(filled))], tool=tool)
        steps.append(filled)
    return "/".join(steps)


def _body(
    body: Mapping[str, Any], args: Mapping[str, Any], taken: set[str], wrong: list[Violation]
) -> tuple[bytes | None, str]:
    """The body and its content type; None when there is nothing to send."""
    if not body:
        return None, ""
    media_type = str(body["media_type"])
    plain = media_type.partition(";")[0].strip().lower()
    binary = body.get("binary")
    if "argument" in body:
        argument = body["argument"]
        value = args.get(argument)
        if value is None and argument not in args:
            return None, ""
        if binary is True:
            return _decoded(value, argument, wrong), "application/octet-stream" if "*" in plain else media_type
    else:
        fields = body.get("fields") or ()
        value = {name: args[name] for name in fields if name in args}
        if body.get("more"):
            value |= {name: item for name, item in args.items() if name not in taken and name not in fields}
        if not value and not body.get("required"):
            return None, ""
    encoding = body.get("encoding") or {}
    if plain == FORM and isinstance(value, Mapping):
        return "&".join(f"{name}={text}" for name, text in _fields(value, encoding)).encode(), media_type
    if plain == MULTIPART and isinstance(value, Mapping):
        return _multipart(value, encoding, binary if isinstance(binary, list) else (), wrong)
    return _written(plain, value).encode("utf-8", "surrogatepass"), media_type


def _written(media_type: str, value: Any) -> str:
    """A value in a media type: JSON, but for text that has a form of its own."""
    plain = media_type.partition(";")[0].strip().lower()
    if isinstance(value, str) and not (plain.endswith("json") or plain in ("*/*", "application/*")):
        return value
    return json.dumps(value, ensure_ascii=False)


def _fields(value: Mapping[str, Any], encoding: Mapping[str, Any] = {}) -> Pairs:
    """The fields of a form; what is nested in one that says nothing of its style is JSON (OpenAPI's default)."""
    pairs: Pairs = []
    for name, item in value.items():
        how = encoding.get(name) or {}
        if isinstance(item, Mapping) and "style" not in how:
            pairs.append((encode(name), encode(json.dumps(item, ensure_ascii=False))))
        elif item is not None:
            style = how.get("style", "form")
            pairs += in_query(name, item, style=style, explode=how.get("explode", style == "form"))
    return pairs


def _multipart(
    value: Mapping[str, Any], encoding: Mapping[str, Any], binary: Any, wrong: list[Violation]
) -> tuple[bytes, str]:
    boundary = secrets.token_hex(16)
    out = bytearray()
    for name, item in value.items():
        for each in item if isinstance(item, list) else [item]:
            said = str((encoding.get(name) or {}).get("contentType", "")).split(",")[0].strip()
            disposition = f'form-data; name="{_quoted(name)}"'
            if name in binary:
                data, kind = _decoded(each, name, wrong), "application/octet-stream"
                disposition += f'; filename="{_quoted(name)}"'
            elif isinstance(each, (Mapping, list)):
                data, kind = json.dumps(each, ensure_ascii=False).encode(), "application/json"
            else:
                data, kind = scalar(each).encode("utf-8", "surrogatepass"), ""
            kind = said if said and "*" not in said else kind
            lines = [
                f"--{boundary}",
                f"Content-Disposition: {disposition}",
                *([f"Content-Type: {kind}"] if kind else []),
            ]
            out += ("\r\n".join(lines) + "\r\n\r\n").encode() + data + b"\r\n"
    return bytes(out) + f"--{boundary}--\r\n".encode(), f"{MULTIPART}; boundary={boundary}"


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _decoded(value: Any, argument: str, wrong: list[Violation]) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError, TypeError):
        wrong.append(Violation(_pointer(argument), "value", "base64 text", type(value).__name__))
        return b""


def _pointer(argument: str) -> str:
    return "/" + argument.replace("~", "~0").replace("/", "~1")
