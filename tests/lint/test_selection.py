"""Findings that need a compiled catalogue: pairs, tools that hide, tools that are lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchatc.lint import SELECTION, lint
from smallchatc.model import Diagnostic
from smallchatc.settings import Settings

TOOLS = """\
id: notes
tools:
- {name: notes_search, description: Search notes}
- {name: notes_smart_search, description: Search notes smartly}
- {name: export, description: Export a report as a file}
- {name: export_mail, description: Export a report as a file and send the file by mail to all of the readers}
- {name: legacy_zeta_handler_internal_v2, description: Send a message}
- {name: send_message, description: Send a message to a channel}
- {name: list_users, description: List the people of a workspace}
- {name: get_weather, description: Tell the weather of tomorrow at a place}
"""


def found(tmp_path: Path, text: str) -> list[Diagnostic]:
    source = tmp_path / "notes.yaml"
    source.write_text(text, encoding="utf-8")
    return list(lint([source], rules=SELECTION, settings=Settings(encoder="base")).diagnostics)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Diagnostic]:
    return found(tmp_path_factory.mktemp("selection"), TOOLS)


def test_a_pair_is_named_with_the_words_that_part_it(told: list[Diagnostic]) -> None:
    (pair, *_) = [d for d in told if d.slug == "ambiguous-pair" and d.tool == "notes_search"]
    assert pair.message == (
        "'notes_search' and 'notes_smart_search' say nearly the same: only 'notes_smart_search' says 'smart'"
    )
    assert pair.hint == "say in each description when it is the one to take"


def test_a_description_that_hides_names_its_sibling(told: list[Diagnostic]) -> None:
    hidden = {d.tool: d.message for d in told if d.slug in ("description-hides", "ambiguous-pair")}
    assert "export_mail" in hidden["export"]


def test_a_tool_that_is_lost_names_what_comes_first(told: list[Diagnostic]) -> None:
    (lost,) = [d for d in told if d.slug == "own-words-miss"]
    assert lost.message == (
        "asked for in its own words, 'notes/send_message' comes first and 'legacy_zeta_handler_internal_v2' is number 2"
    )


def test_nothing_is_said_of_tools_that_stand_for_themselves(told: list[Diagnostic]) -> None:
    assert not {"list_users", "get_weather"} & {d.tool for d in told}


def test_a_preferred_tool_settles_its_pair(tmp_path: Path) -> None:
    text = TOOLS.replace("description: Search notes}", "description: Search notes, compilerHints: {preferred: true}}")
    assert not [d for d in found(tmp_path, text) if d.slug == "ambiguous-pair" and d.tool == "notes_search"]
