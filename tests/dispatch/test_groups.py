"""Semantic overloads: the intent names the group, the arguments pick the imp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtime_min import Tier, ToolRuntime
from runtime_min.errors import InvalidArguments
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

SAID = "Create a new issue in the tracker with a title"


def provider(name: str, **kinds: str) -> dict[str, Any]:
    properties = {argument: {"type": kind} for argument, kind in kinds.items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    tools = [{"name": "create_issue", "description": SAID, "inputSchema": schema}]
    return {"id": name, "name": name, "transportType": "local", "tools": tools}


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grouped")
    for made in (provider("hub", repo="string", title="string"), provider("lab", project="integer", summary="string")):
        (folder / f"{made['id']}.json").write_text(json.dumps(made))
    compiled = compile_sources([str(folder)], settings=Settings(encoder="base"))
    assert len(compiled.image.tables["overload"]) == 1
    write_artifact(compiled.image, folder / "grouped.smallchat.db")
    return folder / "grouped.smallchat.db"


@pytest.fixture
def runtime(grouped: Path) -> Any:
    runtime = ToolRuntime.open(grouped)
    runtime.bind("hub/create_issue", lambda **args: "hub")
    runtime.bind("lab/create_issue", lambda **args: "lab")
    yield runtime
    runtime.close()


@pytest.mark.parametrize("intent", ["create_issue", "file a new issue in the tracker"])
def test_the_arguments_pick(runtime: ToolRuntime, intent: str) -> None:
    assert runtime.sync.dispatch(intent, {"repo": "a", "title": "b"}).content == "hub"
    assert runtime.sync.dispatch(intent, {"project": 1, "summary": "b"}).content == "lab"


@pytest.mark.parametrize("args", [None, {}, {"project": "seven", "summary": "b"}, {"else": 1}])
def test_without_arguments_that_tell_them_apart_nothing_is_chosen(runtime: ToolRuntime, args: Any) -> None:
    result = runtime.sync.dispatch("create_issue", args)
    assert result.outcome == "refine"
    assert {option.tool for option in result.refinement.options} <= {"hub/create_issue", "lab/create_issue"}


def test_a_named_member_is_not_exchanged_for_another(runtime: ToolRuntime) -> None:
    assert runtime.resolve("hub/create_issue").tier is Tier.EXACT
    with pytest.raises(InvalidArguments) as caught:
        runtime.sync.dispatch("hub/create_issue", {"project": 1, "summary": "b"})
    assert caught.value.tool == "hub/create_issue"
