"""What a tool does and which kinds of values it takes, as the bits that a request is read into."""

from __future__ import annotations

from typing import Any

import pytest
from index.conftest import Read, line

from runtime_min.values import BIT, KINDS
from runtime_min.verbs import VERBS
from smallchatc.signals import KIND_WEIGHT, deletes, kind_weights, kinds_of, verb_of

STRING = {"type": "string"}


def told(mask: int) -> set[str]:
    return {kind for kind in KINDS if mask & BIT[kind]}


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("url", STRING, "url"),
        ("pageUrl", STRING, "url"),
        ("target", {"type": "string", "format": "uri"}, "url"),
        ("target", {"type": "string", "description": "The URL of the page to open"}, "url"),
        ("email", STRING, "email"),
        ("recipient_email", STRING, "email"),
        ("to", {"type": "string", "format": "email"}, "email"),
        ("latitude", {"type": "number"}, "coord"),
        ("where", {"type": "string", "description": "Coordinates of the place"}, "coord"),
        ("start_date", STRING, "date"),
        ("x", {"type": "string", "format": "date-time"}, "date"),
        ("x", {"type": "string", "format": "date-time"}, "time"),
        ("timezone", STRING, "time"),
        ("filePath", STRING, "path"),
        ("directory", STRING, "path"),
        ("x", {"type": "string", "description": "Path of the file to read"}, "path"),
        ("issue_id", STRING, "id"),
        ("commit-sha", STRING, "id"),
        ("sql", STRING, "code"),
        ("script", STRING, "code"),
        ("title", STRING, "quoted"),
        ("message", STRING, "quoted"),
        ("count", {"type": "integer"}, "number"),
        ("count", {"type": ["number", "null"]}, "number"),
    ],
)
def test_an_argument_tells_its_kind(read: Read, name: str, schema: dict[str, Any], kind: str) -> None:
    (tool,) = read(line("a/x", "", **{name: schema}))
    assert kind in told(kinds_of(tool))


@pytest.mark.parametrize("name", ["verbose", "dry_run", "curl", "latest", "mypathology", "colour"])
def test_an_argument_that_only_looks_like_a_kind_tells_none(read: Read, name: str) -> None:
    (tool,) = read(line("a/x", "Look at the url, the path and the date", **{name: {"type": "boolean"}}))
    assert told(kinds_of(tool)) == set()


def test_what_is_nested_is_not_asked_for_by_itself(read: Read) -> None:
    (tool,) = read(line("a/x", "", where={"type": "object", "properties": {"latitude": {"type": "number"}}}))
    assert told(kinds_of(tool)) == set()


def test_a_tool_takes_the_kinds_of_all_its_arguments(read: Read) -> None:
    (tool,) = read(line("a/x", "", url=STRING, email=STRING, limit={"type": "integer"}))
    assert told(kinds_of(tool)) >= {"url", "email", "number"}


@pytest.mark.parametrize(
    ("path", "verb"),
    [
        ("git/create_branch", "create"),
        ("git/branchCreate", "create"),
        ("files/list-all", "list"),
        ("send-mail/send_mail", None),
        ("send-mail/forwardMail", "forward"),
        ("send/send", "send"),
        ("git/branch", None),
    ],
)
def test_the_verb_of_a_name_is_its_first_that_is_not_the_providers(read: Read, path: str, verb: str | None) -> None:
    tool = read(line("a/other"), line(path))[-1]
    assert tool.path == path
    assert verb_of(tool) == (VERBS[verb] if verb else 0)


@pytest.mark.parametrize(
    ("path", "description", "expected"),
    [
        ("files/delete_file", "", True),
        ("files/removeFile", "", True),
        ("files/file", "Deletes a file for good", True),
        ("files/file", "Permanently removes a file", True),
        ("files/list_deleted_files", "", False),
        ("files/get_file", "Delete nothing, only read", False),
        ("files/file", "Reads a file that nobody deletes", False),
        ("files/file", "", False),
    ],
)
def test_a_tool_deletes_when_its_verb_does(read: Read, path: str, description: str, expected: bool) -> None:
    (tool,) = read(line(path, description))
    assert deletes(tool) is expected


def test_a_rarer_kind_weighs_more() -> None:
    weight = dict(zip(KINDS, kind_weights([BIT["url"], BIT["url"], BIT["url"] | BIT["coord"], 0]), strict=True))
    assert weight["coord"] > weight["url"] > 0


def test_a_kind_of_every_tool_or_of_none_weighs_nothing() -> None:
    weight = dict(zip(KINDS, kind_weights([BIT["quoted"]] * 5), strict=True))
    assert weight["quoted"] == 0
    assert weight["coord"] == 0


@pytest.mark.parametrize("tools", [0, 1, 2, 100_000])
def test_weights_are_small_beside_a_score(tools: int) -> None:
    weights = kind_weights([BIT["coord"], *[0] * (tools - 1)][:tools])
    assert len(weights) == len(KINDS)
    assert all(0 <= weight <= 4 * KIND_WEIGHT for weight in weights)
