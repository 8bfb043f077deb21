"""Servers that behave badly: each costs itself at most, in bounded time, and is told in words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from asking import ask, ask_one, compiled, configure, entry, names, told

from smallchatc.diagnostics import CompileError

FAILURES = {
    "dies": (
        "server-died",
        "server 'it' ended with exit code 1 before it had listed its tools; its last words: "
        "fatal: the database is not there",
    ),
    "dies-while-listing": (
        "server-died",
        "server 'it' ended with exit code 3 before it had listed its tools: "
        "it agreed on a protocol and did not list its tools",
    ),
    "wrong-era": (
        "server-error",
        "server 'it' does not speak the protocol: Unsupported protocol version from the server: 1999-01-01",
    ),
    "no-list": ("server-error", "server 'it' answers tools/list with what is no list of tools"),
    "result-is-a-list": ("server-error", "server 'it' answers tools/list with what is no list of tools"),
    "error": ("server-error", "server 'it' answers with an error: log in first with token ${HOSTILE_TOKEN} (-32000)"),
    "error-is-a-text": ("server-error", "server 'it' answers with an error: no (-32603)"),
    "not-json": (
        "server-error",
        'server \'it\' answers with what is not JSON: {"jsonrpc": "2.0", "id": 3, "result": {"tools": [',
    ),
    "too-large": ("server-too-large", "server 'it' answers with more than 64 MB at once"),
    "endless-line": ("server-too-large", "server 'it' answers with more than 64 MB at once"),
}
SECRET = "sk-live-0123456789abcdef"


@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_is_told_with_its_cause(tmp_path: Path, how: str) -> None:
    answer = ask_one(tmp_path, how, {"TOKEN": SECRET}, env={"HOSTILE_TOKEN": SECRET})
    assert answer.recording is None
    assert told(answer.said) == [FAILURES[how]]


@pytest.mark.parametrize(
    ("how", "came"),
    [
        ("hangs", "it said nothing"),
        ("list-hangs", "2 pages with 2 tools came, then nothing"),
        ("ignores-everything", "it said nothing"),
    ],
)
def test_a_time_out_says_how_far_it_came(tmp_path: Path, how: str, came: str) -> None:
    answer = ask_one(tmp_path, how, timeout_s=3, env={"HOSTILE_PIDS": str(tmp_path / "pids")})
    assert told(answer.said) == [("server-timeout", f"server 'it' did not list its tools within 3 s: {came}")]


def test_a_child_that_ignores_signals_ends_with_what_it_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    ask_one(tmp_path, "ignores-everything", timeout_s=3, env={"HOSTILE_PIDS": str(pids)})
    assert [pid for pid in json.loads(pids.read_text()) if alive(pid)] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_children(tmp_path: Path, number: signal.Signals) -> None:
    pids = tmp_path / "pids"
    config = configure(tmp_path, {"it": entry("ignores-everything", env={"HOSTILE_PIDS": str(pids)})})
    command = [sys.executable, "-m", "smallchatc", "compile", str(config), "-o", str(tmp_path / "o.smallchat.db")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        while not pids.exists() or not pids.read_text():
            assert running.poll() is None
            time.sleep(0.02)
        os.killpg(running.pid, number)
        _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "interrupted\n")
    assert [pid for pid in json.loads(pids.read_text()) if alive(pid)] == []
    assert not (tmp_path / "o.smallchat.db").exists()


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_an_old_sdk_is_recognised_by_what_the_child_says(tmp_path: Path) -> None:
    (said,) = ask_one(tmp_path, "dies-of-old-sdk").said
    assert said.hint == "it was written for the older MCP package: start it with mcp<2, as in uvx --with 'mcp<2' SERVER"


@pytest.mark.parametrize("how", ["other-code", "silent-about-discover"])
def test_any_answer_but_a_good_one_means_the_older_era(tmp_path: Path, how: str) -> None:
    answer = ask_one(tmp_path, how)
    assert answer.recording is not None
    assert answer.recording["protocolVersion"] == "2025-11-25"


def test_a_banner_is_read_past_and_named(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "banner")
    assert names(answer) == ["a", "b"]
    message = "server 'it' printed 2 lines that are no messages to its standard output"
    assert told(answer.said) == [("server-printed", message)]


@pytest.mark.parametrize(
    ("how", "expected", "slugs"),
    [
        ("pages", ["t0", "t1", "t2", "t3"], []),
        ("empty-cursor", ["first", "second"], []),
        ("same-page", ["only"], ["cursor-did-not-advance"]),
        ("endless-pages", [], ["cursor-did-not-advance"]),
        ("no-tools", [], []),
    ],
)
def test_pages_are_read_to_their_end(tmp_path: Path, how: str, expected: list[str], slugs: list[str]) -> None:
    answer = ask_one(tmp_path, how)
    if how == "endless-pages":
        assert [d.slug for d in answer.said] == ["list-incomplete"]
        return
    assert names(answer) == expected
    assert [d.slug for d in answer.said] == slugs


def test_a_cursor_that_stands_still_is_asked_once_more_at_most(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "stuck-cursor")
    assert len(names(answer)) == 2
    assert [d.slug for d in answer.said] == ["cursor-did-not-advance"]


def test_what_the_wire_says_survives_and_a_malformed_tool_costs_itself(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "malformed-tool")
    assert answer.recording is not None
    assert answer.recording["serverInfo"] == {"name": "hostile", "version": "1.2.3", "vendorField": True}
    parsed = compiled(tmp_path, {"it": entry("malformed-tool")})
    assert [tool.path for tool in parsed.catalog.tools] == ["it/bad", "it/good"]
    assert '"vendor":{"x":1}' in parsed.catalog.tools[1].definition
    assert "not-a-tool" in [d.slug for d in parsed.diagnostics]


def test_a_name_listed_twice_is_one_tool(tmp_path: Path) -> None:
    parsed = compiled(tmp_path, {"it": entry("twice")})
    assert [tool.path for tool in parsed.catalog.tools] == ["it/other", "it/same"]
    assert ("duplicate-tool", "note") in [(d.slug, d.severity) for d in parsed.diagnostics]


def test_fifty_megabytes_are_read(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "large")
    assert len(names(answer)) == 100


def test_half_a_character_costs_nothing(tmp_path: Path) -> None:
    parsed = compiled(tmp_path, {"it": entry("half-characters")})
    assert [tool.description for tool in parsed.catalog.tools] == ["a \ufffd b"]
    assert "lone-surrogate" in [d.slug for d in parsed.diagnostics]


def test_one_failing_server_is_reported_and_the_rest_compiled(tmp_path: Path) -> None:
    parsed = compiled(tmp_path, {"good": entry("well"), "bad": entry("dies")})
    assert [tool.path for tool in parsed.catalog.tools] == ["good/a", "good/b"]
    assert [(d.slug, d.severity) for d in parsed.diagnostics] == [("server-died", "error")]


def test_no_server_left_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="none of the sources holds a tool"):
        compiled(tmp_path, {"bad": entry("dies")})


def test_the_first_failure_ends_it_where_that_is_wanted(tmp_path: Path) -> None:
    answers = ask(tmp_path, {"bad": entry("dies"), "slow": entry("hangs")}, fail_fast=True)
    assert [(answer.configured.server.name, answer.recording) for answer in answers] == [("bad", None)]


def test_servers_are_asked_side_by_side(tmp_path: Path) -> None:
    heard: list[tuple[str, str, bool]] = []

    def tell(label: str, what: str, finished: bool) -> None:
        heard.append((label, what, finished))

    ask(tmp_path, {"slow": entry("hangs"), "good": entry("well")}, timeout_s=10, tell=tell)
    finished = [(label, what) for label, what, done in heard if done]
    assert finished == [("server 'good'", "2 tools"), ("server 'slow'", "failed")]


def test_secrets_that_a_server_repeats_do_not_come_back(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "well", {"TOKEN": SECRET}, env={"HOSTILE_TOKEN": "${TOKEN}"})
    assert SECRET not in json.dumps(answer.recording)
    assert answer.recording is not None
    assert answer.recording["tools"][0]["title"] == "${TOKEN}"
    assert answer.recording["transport"]["env"] == {"HOSTILE_TOKEN": "${TOKEN}"}


def test_an_unset_variable_of_the_environment_is_left_out(tmp_path: Path) -> None:
    answer = ask_one(tmp_path, "well", env={"HOSTILE_TOKEN": "${UNSET_ONE}"})
    assert names(answer) == ["a", "b"]
    message = "server 'it': the variable UNSET_ONE is not set; started without it"
    assert told(answer.said) == [("variable-left-out", message)]


def test_an_unset_variable_of_the_command_forbids_a_start(tmp_path: Path) -> None:
    server = {"command": sys.executable, "args": ["${NOT_THERE}", "${THERE:-x}"]}
    (answer,) = ask(tmp_path, {"it": server})
    assert told(answer.said) == [("variable-unset", "server 'it': the variable NOT_THERE is not set")]


@pytest.mark.parametrize(
    ("server", "message", "hint"),
    [
        (
            {"command": "uvx-not-here"},
            "server 'it' cannot start: there is no program 'uvx-not-here'",
            "install it, or write its full path",
        ),
        (
            {"command": "/not/here/server"},
            "server 'it' cannot start: there is no program '/not/here/server'",
            "install it, or write its full path",
        ),
        (
            {"command": sys.executable, "cwd": "gone"},
            "server 'it' cannot start: its working folder is not there",
            "correct its cwd",
        ),
    ],
)
def test_what_cannot_start_says_why(tmp_path: Path, server: dict[str, str], message: str, hint: str) -> None:
    (answer,) = ask(tmp_path, {"it": server})
    assert [(d.slug, d.message, d.hint) for d in answer.said] == [("server-not-found", message, hint)]


def test_the_order_of_a_servers_list_does_not_show(tmp_path: Path) -> None:
    first = ask_one(tmp_path, "shuffled")
    second = ask_one(tmp_path, "shuffled", {"R": "1"}, env={"REVERSED": "${R}"})
    assert names(first) == names(second)
