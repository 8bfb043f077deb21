"""`smallchatc repl`: intents and commands, line by line, through a pipe and on a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import process
from test_call import BOUND, FUNCTIONS, WEATHER
from test_faults import alive
from upstream import raw_manifest

from runtime_min import ToolRuntime
from smallchatc.completing import completer_of
from smallchatc.given import BadArgument
from smallchatc.session import COMMANDS
from smallchatc.typed_line import typed_line


@pytest.fixture(scope="module")
def weather(compiled: Callable[..., Path]) -> Path:
    path = compiled(WEATHER, raw_manifest())
    (path.parent / "stations.py").write_text(FUNCTIONS)
    return path


def repl(path: Path, *lines: str, options: tuple[str, ...] = BOUND) -> subprocess.CompletedProcess[bytes]:
    stdin = "".join(f"{line}\n" for line in lines).encode()
    return process("repl", path.name, *options, cwd=path.parent, stdin=stdin)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("what's on today", ("what's on today", {}, {})),
        ("forecast  Lisbon days=2", ("forecast  Lisbon", {}, {"days": "2"})),
        ('note text="it\'s late" to=', ("note", {}, {"text": "it's late", "to": ""})),
        ('read {"path": "a=b"}', ("read", {"path": "a=b"}, {})),
        ("read {}", ("read", {}, {})),
        ('t/x filter={"a":1}', ("t/x", {}, {"filter": "{a:1}"})),
        ("is 1 == 1 or a==b", ("is 1 == 1 or a==b", {}, {})),
        ("the set {a, b}", ("the set {a, b}", {}, {})),
        ("größe=1", ("", {}, {"größe": "1"})),
        ("p/n page[size]=3", ("p/n", {}, {"page[size]": "3"})),
    ],
)
def test_a_line_is_an_intent_and_its_arguments(line: str, parts: tuple[object, ...]) -> None:
    assert tuple(typed_line(line)) == parts


@pytest.mark.parametrize("line", ['a {"b": ', 'a x="1', "a x=1 and more", "a x=1 x=2", '{"a": 1} b', 'a {"b": NaN}'])
def test_a_line_that_cannot_be_read_is_said_to_be(line: str) -> None:
    with pytest.raises(BadArgument):
        typed_line(line)


def test_lines_are_run_one_after_another_and_the_worst_is_the_exit_code(weather: Path) -> None:
    ran = repl(weather, "weather/get_forecast place=42 days=3", "", 'weather/get_forecast {"place": "Rome"}')
    assert (ran.returncode, ran.stdout.count(b"\n")) == (0, 2)
    assert [json.loads(line) for line in ran.stdout.splitlines()] == [{"place": "42", "days": 3}, {"place": "Rome"}]
    ran = repl(
        weather, ":why", "weather/get_forecast", ":chose 2", ":choose", "weather/stream_forecast", ":quit", "lost"
    )
    assert (ran.returncode, ran.stdout) == (2, b"sun, then \x1b[31mrain\n")
    assert [line.partition(": ")[2] for line in ran.stderr.decode().splitlines()] == [
        "nothing was asked yet [bad-command]",
        "weather/get_forecast: /place: missing: expected string, got nothing;"
        " it takes (code?: string, days?: number, place: string) [invalid-arguments]",
        "there is no command ':chose'; did you mean 'choose'? [bad-command]",
        ":choose needs NUMBER | P/N [bad-command]",
    ]
    ran = repl(weather, "weather/delete_station")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert "[declined]" in ran.stderr.decode()


def test_a_choice_is_learned_run_and_kept(weather: Path, tmp_path: Path) -> None:
    options = (*BOUND, "--learned", str(tmp_path / "learned.json"))
    ran = repl(weather, "wetter place=Bonn", ":choose weather/get_forecast", ":why", options=options)
    assert ran.returncode == 1, "the first was a question"
    assert json.loads(ran.stdout.splitlines()[0]) == {"place": "Bonn"}
    assert "semantic_map" in ran.stdout.decode()
    assert "learned: 'wetter' means weather/get_forecast" in ran.stderr.decode()
    ran = repl(weather, "wetter place=Bonn", options=options)
    assert (ran.returncode, json.loads(ran.stdout)) == (0, {"place": "Bonn"})


def test_a_number_after_a_line_that_failed_chooses_nothing(weather: Path) -> None:
    ran = repl(weather, "weather/get_forecast nowhere=x", ":choose 2")
    assert ":choose 2: nothing was shown to choose from" in ran.stderr.decode()
    assert b"learned" not in ran.stderr


def test_a_number_is_that_of_the_answer_before(weather: Path) -> None:
    ran = repl(weather, "station", ":choose 99", ":choose 2", "station", options=(*BOUND, "--yes"))
    assert (ran.returncode, ran.stdout) == (2, b"moved\ndeleted\ndeleted\n")
    assert ":choose 99: there are 4 options" in ran.stderr.decode()
    assert "learned: 'station' means weather/delete_station" in ran.stderr.decode()


def test_tools_are_listed_shown_and_bound(weather: Path) -> None:
    ran = repl(weather, ":tools STATION", ":tools weather/get_forecast", ":help", options=())
    assert ran.stdout.decode().startswith("weather/delete_station\nweather/move_station\n")
    assert '"description": "Forecast the weather of a place"' in ran.stdout.decode()
    for name in COMMANDS:
        assert f":{name}" in ran.stdout.decode()
    ran = repl(weather, ":bind weather=stations:Weather", "weather/get_forecast place=x", options=())
    assert (ran.returncode, json.loads(ran.stdout)) == (0, {"place": "x"})


def test_a_server_lives_from_line_to_line(weather: Path) -> None:
    ran = repl(weather, "raw/pid", "raw/pid", options=("--trust", "--yes"))
    first, second = ran.stdout.splitlines()
    assert (ran.returncode, first) == (0, second)
    assert not alive(int(first))


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        (":c", [":choose"]),
        ("get_f", ["weather/get_forecast"]),
        ("weather/d", ["weather/delete_station"]),
        (":tools weather/del", ["weather/delete_station"]),
        ("weather/get_forecast ", ["place=", "days=", "code="]),
        ("weather/get_forecast place=x d", ["days="]),
        ("tell me about weath", []),
        ("", []),
    ],
)
def test_a_line_is_completed(weather: Path, line: str, ways: list[str]) -> None:
    complete = completer_of(ToolRuntime.open(weather), COMMANDS)
    assert [way.text for way in complete(line)] == ways
    assert all(line.endswith(line[len(line) - way.replaces :]) for way in complete(line))


def test_on_a_terminal_lines_are_kept_for_the_next_time(weather: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "smallchatc", "repl", str(weather), *BOUND],
        cwd=weather.parent,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "SMALLCHAT_STATE_DIR": str(tmp_path), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
    )
    os.close(theirs)
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        while text not in seen:
            assert select.select([ours], [], [], 60)[0], seen
            seen += os.read(ours, 4096)
        seen = seen.partition(text)[2]

    prompt = b"[?2004h"
    for blank, place in (("", "Lisbon"), (" ", "Secret")):
        until(prompt)
        os.write(ours, f"{blank}weather/get_forecast place={place}\r".encode())
        until(f'{{"place": "{place}"}}'.encode())
    until(prompt)
    os.write(ours, b"\x04")
    assert running.wait(60) == 0
    os.close(ours)
    kept = tmp_path / "repl_history"
    assert "place=Lisbon" in kept.read_text()
    assert "Secret" not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0


def test_an_interrupt_ends_the_line_and_not_the_session(weather: Path, tmp_path: Path) -> None:
    count = tmp_path / "count"
    running = subprocess.Popen(
        [sys.executable, "-m", "smallchatc", "repl", str(weather), *BOUND, "--yes", "--trust"],
        cwd=weather.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdin is not None
    running.stdin.write(f"raw/hang count={count}\nweather/stream_forecast\n".encode())
    running.stdin.flush()
    deadline = time.monotonic() + 60
    while not count.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said, told = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, b"sun, then \x1b[31mrain\n")
    assert told == b"interrupted\n"
