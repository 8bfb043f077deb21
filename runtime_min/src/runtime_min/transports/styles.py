"""Styles: the value of a parameter as it stands in a URL, a header or a form (OpenAPI's `style` and `explode`).

Every text is percent-encoded but where a header carries it; what separates values is written as OpenAPI shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

Encode = Callable[[str], str]
Pairs = list[tuple[str, str]]

_RESERVED = "!$'()*,;:@/?[]"  # not & # + and %, which would end or change the value
_SEPARATORS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}


def encode(text: str) -> str:
    """Percent-encoded: nothing in a value can be read as part of the URL around it."""
    return quote(text, safe="", errors="surrogatepass")


def encode_some(text: str) -> str:
    """The same, but for characters that a parameter with `allowReserved` may hold."""
    return quote(text, safe=_RESERVED, errors="surrogatepass")


def scalar(value: Any) -> str:
    """A value as text: JSON's words for numbers and truth, JSON for what is nested."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def simple(value: Any, *, explode: bool, enc: Encode) -> str:
    """For paths and headers: `a,b` and `k,v` or `k=v`."""
    return ",".join(_flat(value, explode=explode, enc=enc))


def in_path(name: str, value: Any, *, style: str, explode: bool) -> str:
    """A path parameter: simple, label (`.a.b`) or matrix (`;name=a`)."""
    if style == "label":
        return "." + ("." if explode else ",").join(_flat(value, explode=explode, enc=encode))
    if style != "matrix":
        return simple(value, explode=explode, enc=encode)
    key = encode(name)
    if explode and isinstance(value, list):
        return "".join(f";{key}={encode(scalar(item))}" for item in value)
    if explode and isinstance(value, Mapping):
        return "".join(f";{encode(item)}={encode(scalar(held))}" for item, held in value.items())
    return f";{key}={simple(value, explode=False, enc=encode)}"


def in_query(name: str, value: Any, *, style: str, explode: bool, enc: Encode = encode) -> Pairs:
    """A query parameter, or the field of a form, as pairs that are encoded already."""
    key = encode(name)
    if style == "deepObject" and isinstance(value, Mapping):
        return list(_deep(key, value, enc))
    if isinstance(value, list):
        items = [enc(scalar(item)) for item in value]
        return [(key, item) for item in items] if explode else [(key, _SEPARATORS.get(style, ",").join(items))]
    if isinstance(value, Mapping):
        if explode and style == "form":
            return [(encode(item), enc(scalar(held))) for item, held in value.items()]
        return [(key, _SEPARATORS.get(style, ",").join(_flat(value, explode=False, enc=enc)))]
    return [(key, enc(scalar(value)))]


def _flat(value: Any, *, explode: bool, enc: Encode) -> list[str]:
    if isinstance(value, list):
        return [enc(scalar(item)) for item in value]
    if isinstance(value, Mapping):
        if explode:
            return [f"{enc(name)}={enc(scalar(item))}" for name, item in value.items()]
        return [enc(part) for name, item in value.items() for part in (name, scalar(item))]
    return [enc(scalar(value))]


def _deep(key: str, value: Mapping[str, Any], enc: Encode) -> Pairs:
    pairs: Pairs = []
    for name, item in value.items():
        inner = f"{key}%5B{encode(name)}%5D"
        if isinstance(item, Mapping):
            pairs += _deep(inner, item, enc)
        else:
            pairs += [(inner, enc(scalar(each))) for each in (item if isinstance(item, list) else [item])]
    return pairs
