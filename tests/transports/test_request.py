"""Requests: where an argument goes, and that it cannot become anything else there."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from runtime_min import InvalidArguments
from runtime_min.errors import MissingVariable
from runtime_min.transports.credentials import credentials
from runtime_min.transports.request import Request, build_request

TEXT, LIST, OBJECT = "blue", ["blue", "black", "brown"], {"R": 100, "G": 200, "B": 150}

# The table of OpenAPI 3.1.1, "Style Examples"; brackets of names are percent-encoded here.
PATHS = [
    ("matrix", False, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("matrix", True, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("label", False, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
]
QUERIES = [
    ("form", False, LIST, "color=blue,black,brown"),
    ("form", False, OBJECT, "color=R,100,G,200,B,150"),
    ("form", True, TEXT, "color=blue"),
    ("form", True, LIST, "color=blue&color=black&color=brown"),
    ("form", True, OBJECT, "R=100&G=200&B=150"),
    ("spaceDelimited", False, LIST, "color=blue%20black%20brown"),
    ("pipeDelimited", False, LIST, "color=blue%7Cblack%7Cbrown"),
    ("pipeDelimited", False, OBJECT, "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("tabDelimited", False, LIST, "color=blue%09black%09brown"),
    ("deepObject", True, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ("deepObject", True, {"a": {"b": [1, 2]}}, "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2"),
    ("form", True, "a&b=c#d ü/?", "color=a%26b%3Dc%23d%20%C3%BC%2F%3F"),
    ("form", True, True, "color=true"),
    ("form", True, 1.5, "color=1.5"),
    ("form", True, [], ""),
    ("form", True, "", "color="),
]


def request(args: dict[str, Any], *parameters: dict[str, Any], path: str = "/x", **call: Any) -> Request:
    told = [{"argument": each["name"], **each} for each in parameters]
    call = {"method": "GET", "path": path, "parameters": told, **call}
    return build_request(call, args, "https://api.example.com/v1/", "api/x")


def query(made: Request) -> str:
    return "&".join(f"{name}={value}" for name, value in made.query)


@pytest.mark.parametrize(("style", "explode", "text", "listed", "object_"), PATHS)
def test_path_styles(style: str, explode: bool, text: str, listed: str, object_: str) -> None:
    parameter = {"name": "color", "in": "path", "style": style, "explode": explode}
    for value, expected in ((TEXT, text), (LIST, listed), (OBJECT, object_)):
        assert request({"color": value}, parameter, path="/x/{color}/y").url == (
            f"https://api.example.com/v1/x/{expected}/y"
        )


@pytest.mark.parametrize(("style", "explode", "value", "expected"), QUERIES)
def test_query_styles(style: str, explode: bool, value: Any, expected: str) -> None:
    parameter = {"name": "color", "in": "query", "style": style, "explode": explode}
    assert query(request({"color": value}, parameter)) == expected


def test_reserved_characters_stay_where_they_may_but_never_end_the_value() -> None:
    parameter = {"name": "q", "in": "query", "style": "form", "explode": True, "allowReserved": True}
    assert query(request({"q": "a/b?c:d&e#f+g%"}, parameter)) == "q=a/b?c:d%26e%23f%2Bg%25"


def test_a_parameter_with_content_is_written_in_it() -> None:
    parameter = {"name": "filter", "in": "query", "content": "application/json"}
    assert query(request({"filter": {"a": [1]}}, parameter)) == "filter=%7B%22a%22%3A%20%5B1%5D%7D"


def test_headers_and_cookies() -> None:
    header = {"name": "X-Tags", "in": "header", "style": "simple", "explode": False}
    cookie = {"name": "session", "in": "cookie", "style": "form", "explode": True}
    made = request({"X-Tags": ["a", "b"], "session": "1;2"}, header, cookie)
    assert made.headers == [("X-Tags", "a,b")]
    assert made.cookies == [("session", "1%3B2")]


def test_what_is_absent_or_null_is_not_sent() -> None:
    parameter = {"name": "q", "in": "query", "style": "form", "explode": True}
    assert request({}, parameter).query == request({"q": None}, parameter).query == []


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_path_cannot_be_made_to_lead_elsewhere(value: str) -> None:
    with pytest.raises(InvalidArguments, match="a step of a path"):
        request({"id": value}, {"name": "id", "in": "path"}, path="/users/{id}")


def test_a_slash_in_a_value_is_no_step() -> None:
    made = request({"id": "../admin?x=1#y"}, {"name": "id", "in": "path"}, path="/users/{id}")
    assert made.url == "https://api.example.com/v1/users/..%2Fadmin%3Fx%3D1%23y"


@pytest.mark.parametrize(
    ("name", "value"), [("X-A", "a\r\nEvil: 1"), ("X-A", "a\0"), ("Host", "evil"), ("Transfer-Encoding", "chunked")]
)
def test_a_header_cannot_become_another(name: str, value: str) -> None:
    with pytest.raises(InvalidArguments, match="the text of a header"):
        request({name: value}, {"name": name, "in": "header"})


def test_a_missing_value_of_the_path_is_named() -> None:
    with pytest.raises(InvalidArguments, match="/id: missing"):
        request({}, {"name": "id", "in": "path"}, path="/users/{id}")


def test_fields_of_a_json_body() -> None:
    body = {"media_type": "application/json", "required": True, "fields": ["a", "b"]}
    query = {"name": "q", "in": "query", "style": "form", "explode": True}
    made = request({"a": 1, "q": "x"}, query, method="POST", body=body)
    assert json.loads(made.body or b"") == {"a": 1}
    assert ("Content-Type", "application/json") in made.headers
    more = request({"a": 1, "q": "x", "z": None}, query, method="POST", body={**body, "more": True})
    assert json.loads(more.body or b"") == {"a": 1, "z": None}


def test_an_optional_body_without_fields_is_none() -> None:
    body = {"media_type": "application/json", "required": False, "fields": ["a"]}
    assert request({}, method="POST", body=body).body is None
    assert request({}, method="POST", body={**body, "required": True}).body == b"{}"


@pytest.mark.parametrize(
    ("media_type", "value", "expected"),
    [
        ("application/json", "text", b'"text"'),
        ("application/merge-patch+json", {"a": None}, b'{"a": null}'),
        ("text/plain", "a\nb", b"a\nb"),
        ("application/xml", "<a/>", b"<a/>"),
        ("application/json", None, b"null"),
    ],
)
def test_a_body_that_is_one_argument(media_type: str, value: Any, expected: bytes) -> None:
    body = {"media_type": media_type, "required": True, "argument": "body"}
    made = request({"body": value}, method="PUT", body=body)
    assert made.body == expected
    assert made.headers == [("Content-Type", media_type)]


def test_a_form() -> None:
    body = {
        "media_type": "application/x-www-form-urlencoded",
        "required": True,
        "fields": ["a", "list", "csv", "object"],
        "encoding": {"csv": {"style": "form", "explode": False}},
    }
    args = {"a": "1 & 2", "list": ["x", "y"], "csv": ["x", "y"], "object": {"k": 1}}
    made = request(args, method="POST", body=body)
    assert made.body == b"a=1%20%26%202&list=x&list=y&csv=x,y&object=%7B%22k%22%3A%201%7D"


def test_a_multipart_form_with_a_file() -> None:
    body = {
        "media_type": "multipart/form-data",
        "required": True,
        "fields": ["note", "file", "meta"],
        "binary": ["file"],
        "encoding": {"file": {"contentType": "image/png, image/jpeg"}},
    }
    args = {"note": "hello", "file": base64.b64encode(b"\x00PNG").decode(), "meta": {"k": 1}}
    made = request(args, method="POST", body=body)
    [(_, kind)] = made.headers
    boundary = kind.partition("boundary=")[2].encode()
    parts = (made.body or b"").split(b"--" + boundary)
    assert parts[1] == b'\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'
    assert parts[2] == (
        b'\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n'
        b"Content-Type: image/png\r\n\r\n\x00PNG\r\n"
    )
    assert parts[3] == (
        b'\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"k": 1}\r\n'
    )
    assert parts[4] == b"--\r\n"


def test_bytes_come_as_base64_and_anything_else_is_refused() -> None:
    body = {"media_type": "image/*", "required": True, "argument": "body", "binary": True}
    made = request({"body": "AAE="}, method="POST", body=body)
    assert made.body == b"\x00\x01"
    assert made.headers == [("Content-Type", "application/octet-stream")]
    with pytest.raises(InvalidArguments, match="/body: value: expected base64 text"):
        request({"body": "not base64!"}, method="POST", body=body)


SCHEMES = {
    "key": {"type": "apiKey", "in": "query", "name": "api_key", "value": "${KEY}"},
    "head": {"type": "apiKey", "in": "header", "name": "X-Key", "value": "${HEAD}"},
    "basic": {"type": "http", "scheme": "basic", "username": "${NAME}", "password": "${WORD}"},
    "oauth": {"type": "oauth2", "token": "${TOKEN}"},
    "tls": {"type": "mutualTLS"},
}


def test_credentials_are_those_of_the_first_alternative_that_can_be_met() -> None:
    security = [{"oauth": ["read"]}, {"key": [], "head": []}]
    both = credentials(security, SCHEMES, {"KEY": "k&1", "HEAD": "h"}, "api/x")
    assert (both.query, both.headers) == ([("api_key", "k%261")], [("X-Key", "h")])
    first = credentials(security, SCHEMES, {"TOKEN": "t", "KEY": "k", "HEAD": "h"}, "api/x")
    assert (first.query, first.headers) == ([], [("Authorization", "Bearer t")])
    [(_, basic)] = credentials([{"basic": []}], SCHEMES, {"NAME": "n", "WORD": "w"}, "api/x").headers
    assert basic == f"Basic {base64.b64encode(b'n:w').decode()}"
    assert credentials([{"oauth": []}, {}], SCHEMES, {}, "api/x").headers == []
    assert credentials([], SCHEMES, {}, "api/x").headers == []


def test_what_each_alternative_lacks_is_said() -> None:
    with pytest.raises(
        MissingVariable, match=r"^api/x: not set: TOKEN, or HEAD and KEY, or a way to speak 'mutualTLS'$"
    ):
        credentials([{"oauth": []}, {"key": [], "head": []}, {"tls": []}], SCHEMES, {}, "api/x")
