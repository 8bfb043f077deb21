"""`smallchatc call`: an intent is resolved and run; what it may start, and whether it may destroy, is asked first."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import ROOT, process
from test_faults import alive
from upstream import ANYTHING, RAW, raw_manifest

WEATHER = {
    "id": "weather",
    "transport": {"type": "local"},
    "tools": [
        {
            "name": "get_forecast",
            "description": "Forecast the weather of a place",
            "inputSchema": {
                "type": "object",
                "properties": {"place": {"type": "string"}, "days": {"type": "integer"}, "code": {"type": "string"}},
                "required": ["place"],
            },
            "annotations": {"readOnlyHint": True},
        },
        {"name": "stream_forecast", "description": "Stream it", "annotations": {"destructiveHint": False}},
        {"name": "delete_station", "description": "Delete a station", "annotations": {"destructiveHint": True}},
        {"name": "move_station", "description": "Move a station", "inputSchema": ANYTHING},
    ],
}
FUNCTIONS = """
class Weather:
    def get_forecast(self, **args):
        return args

    async def stream_forecast(self):
        yield "sun, "
        yield "then \\x1b[31mrain"

    def delete_station(self):
        return "deleted"

def move(**args):
    return "moved"
"""


@pytest.fixture(scope="module")
def weather(compiled: Callable[..., Path]) -> Path:
    path = compiled(WEATHER, raw_manifest())
    (path.parent / "stations.py").write_text(FUNCTIONS)
    (path.parent / "broken.py").write_text("1 / 0")
    (path.parent / "empty.py").write_text("from os import system")
    return path


BOUND = ("--bind", "weather=stations:Weather", "--bind", "weather/move_station=stations:move")


def call(path: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return process("call", path.name, *words, cwd=path.parent)


def test_arguments_are_json_where_the_tool_does_not_want_text(weather: Path) -> None:
    ran = call(weather, "weather/get_forecast", "place=42", "days=3", "code=007", *BOUND)
    assert (ran.returncode, json.loads(ran.stdout)) == (0, {"place": "42", "days": 3, "code": "007"})
    ran = call(weather, "forecast the weather", "--args", '{"place": "Rome"}', "days=2", *BOUND, "--json")
    told = json.loads(ran.stdout)
    assert (told["outcome"], told["tool"]) == ("ok", "weather/get_forecast")
    assert told["content"] == {"place": "Rome", "days": 2}
    assert told["proof"]["intent"] == "forecast the weather"


def test_a_stream_is_printed_as_it_is(weather: Path) -> None:
    ran = call(weather, "weather/stream_forecast", *BOUND)
    assert (ran.returncode, ran.stdout) == (0, b"sun, then \x1b[31mrain\n")


@pytest.mark.parametrize(
    ("tool", "why"), [("delete_station", "it says that it destroys"), ("move_station", "it may change")]
)
def test_a_tool_that_may_destroy_is_asked_about(weather: Path, tool: str, why: str) -> None:
    ran = call(weather, f"weather/{tool}", *BOUND)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert f"weather/{tool}: {why}" in ran.stderr.decode()
    assert ("as it does not say whether it only reads" in ran.stderr.decode()) == (tool == "move_station")
    assert "a tool whose readOnlyHint is true, or destructiveHint false, is not asked about [declined]" in (
        ran.stderr.decode()
    )
    assert call(weather, f"weather/{tool}", *BOUND, "--yes").returncode == 0


def test_trust_comes_before_anything_else(weather: Path, tmp_path: Path) -> None:
    config = {"SMALLCHAT_CONFIG_DIR": str(tmp_path)}
    refused = process("call", weather, "raw/echo", "a=1", "--yes", **config)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert "[not-trusted]" in refused.stderr.decode()
    allowed = process("call", weather, "raw/echo", "a=1", "--yes", "--trust", **config)
    assert (allowed.returncode, allowed.stdout) == (0, b'{"a": 1}\n')
    assert process("trust", weather, "--yes", **config).returncode == 0
    assert process("call", weather, "raw/echo", "a=1", "--yes", **config).returncode == 0


def test_what_goes_wrong_is_said_in_one_line(weather: Path) -> None:
    for words, said in (
        (("weather/get_forecast",), "[not-bound]"),
        (("weather/get_forecast", *BOUND), "/place: missing"),
        (("weather/get_forecast", "place"), "'place' is no argument"),
        (("weather/get_forecast", "--bind", "weather"), "not P=module or P=module:object"),
        (("weather/get_forecast", "--bind", "weather=stations:"), "not P=module or P=module:object"),
        (("weather/get_forecast", "--bind", "weather/get_forecast=stations"), "not P/N=module:function"),
        (("weather/get_forecast", "--bind", "weather=stations:Wether"), "did you mean 'Weather'?"),
        (("weather/get_forecast", "--bind", "weather=broken"), "importing 'broken' failed: ZeroDivisionError"),
        (("weather/get_forecast", "--bind", "weather=empty"), "the module defines no public function"),
        (("weather/get_forecast", "--bind", "weather=no_such_module:x"), "No module named 'no_such_module'"),
        (("weather/get_forecast", "--bind", "weather=stations:nothing"), "has no attribute 'nothing'"),
        (("raw/die", "--yes", "--trust"), "it ended with code 3, saying: out of memory"),
        (("raw/refuse", "--yes", "--trust"), "no such thing"),
    ):
        ran = call(weather, *words)
        assert (ran.returncode, ran.stdout) == (2, b""), words
        assert said in ran.stderr.decode()
        assert "Traceback" not in ran.stderr.decode()


@pytest.mark.parametrize("words", [("town=Oslo",), ()])
def test_a_tool_that_is_meant_but_for_its_arguments_is_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [
        {"name": "now", "description": "Tell the time of day in a city.", "inputSchema": city},
        {"name": "set_alarm", "description": "Ring an alarm at a time.", "inputSchema": {"type": "object"}},
    ]
    (tmp_path / "clock.json").write_text(json.dumps({"tools": tools}))
    (tmp_path / "hands.py").write_text("def now(city):\n    return 'noon'\n")
    assert process("compile", "clock.json", "-o", "c.smallchat.db", "--encoder", "base", cwd=tmp_path).returncode == 0
    ran = call(tmp_path / "c.smallchat.db", "what time is it in Oslo", *words, "--bind", "clock=hands", "--yes")
    assert (ran.returncode, ran.stdout) == (1, b"")
    said = ran.stderr.decode()
    assert "clock/now is meant, but for its arguments: /city: missing: expected string, got nothing" in said
    assert ("/town: excess" in said) == bool(words)


def test_nothing_clear_is_a_question(weather: Path) -> None:
    ran = call(weather, "order a pizza with extra cheese", *BOUND)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert "?" in ran.stderr.decode()
    told = json.loads(call(weather, "order a pizza", *BOUND, "--json").stdout)
    assert told["outcome"] == "refine"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_call_that_is_interrupted_ends_its_server(weather: Path, tmp_path: Path, how: signal.Signals) -> None:
    count = tmp_path / "count"
    words = ["call", str(weather), "raw/hang", "--yes", "--trust", f"count={count}"]
    running = subprocess.Popen([sys.executable, "-m", "smallchatc", *words], cwd=ROOT, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not count.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    children = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and _is_raw(int(pid), running.pid)]
    running.send_signal(how)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert told.decode().splitlines()[-1] == "interrupted"
    assert len(children) == 1
    assert not any(map(alive, children))


def _is_raw(process: int, parent: int) -> bool:
    try:
        line = Path(f"/proc/{process}/cmdline").read_bytes()
        of = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return False
    return of == parent and str(RAW).encode() in line
