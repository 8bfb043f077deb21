"""The page in a real browser: silent, alone, and of the same opinion as `resolve`.

SMALLCHAT_SCREENSHOTS names a folder that pictures of it are written to.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paging import HOSTILE, hostile_artifact, write_page

from runtime_min import ToolRuntime
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.testing.cases import read_intents
from smallchatc.write import write_artifact

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
ODD = [
    "", " ", "createIssue", "mcp__github__create_issue", "SELECT * FROM users WHERE id = 3",
    "İstanbul ΣΊΣΥΦΟΣ straße ﬁle", "今天天气怎么样", "파일을 삭제해줘", "ราคาหุ้นวันนี้",
    "１２３ ½ ൧൨൩", "x\x85y\x1cz\ufeffq",
    "https://www.example.com/report.pdf?x=1 on 2026-01-02 at 10:30, 59.91,10.75", "\u202efile delete", "a" * 5000,
    "constructor __proto__ toString", "create-issue #42 @bob $50 100%", "d\u0301elete a re\u200bpo",
    "gh pr for k8s config",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        installed = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        try:
            opened = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        except api.Error as err:
            pytest.skip(f"no Chromium here: {str(err).splitlines()[0]}")
        yield opened
        opened.close()


class Opened:
    """A page, what it said on its console, and what it asked of a network."""

    def __init__(self, browser: Any, place: Path) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(place.as_uri())
        assert self.asked.pop(0) == place.as_uri()

    def answers(self, intents: list[str]) -> list[list[Any]]:
        one = "({ tool, tier, confidence, fit }) => [tool, tier, confidence, fit]"
        script = f"intents => intents.map(each => ({one})(smallchat.resolve(each)))"
        told: list[list[Any]] = self.page.evaluate(script, intents)
        return told

    def picture(self, name: str) -> None:
        folder = os.environ.get("SMALLCHAT_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def resolved(artifact: Path, intents: list[str]) -> list[list[Any]]:
    resolver = ToolRuntime.open(artifact).resolve
    return [[each.tool, str(each.tier), each.confidence, each.fit] for each in map(resolver, intents)]


def test_a_search_in_the_page_is_a_resolve(browser: Any, artifact: Path, tmp_path: Path) -> None:
    intents = [case.query for case in read_intents(ROOT / "fixtures" / "manifests" / "example.intents.yaml")] + ODD
    opened = Opened(browser, write_page(artifact, tmp_path))
    assert opened.answers(intents) == resolved(artifact, intents)
    assert (opened.said, opened.asked) == ([], [])


def test_on_thousands_of_tools_too(browser: Any, shared: Path, tmp_path: Path) -> None:
    lines = (shared / "data" / "dev" / "live-mcp" / "queries.jsonl").read_text("utf-8").splitlines()
    intents = [json.loads(line)["query"] for line in lines[:: max(1, len(lines) // 250)]] + ODD
    assert len(intents) >= 200
    artifact = tmp_path / "live.smallchat.db"
    live = shared / "data" / "manifests" / "live"
    write_artifact(compile_sources([live], settings=Settings(encoder="base"), keep_going=True).image, artifact)
    opened = Opened(browser, write_page(artifact, tmp_path))
    assert opened.answers(intents) == resolved(artifact, intents)
    opened.picture("live-desktop")
    assert (opened.said, opened.asked) == ([], [])


@pytest.mark.parametrize("width", WIDTHS)
def test_every_view_fits_and_is_silent(browser: Any, artifact: Path, tmp_path: Path, width: str) -> None:
    opened = Opened(browser, write_page(artifact, tmp_path))
    page = opened.page
    page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    opened.picture(f"{width}-all")
    page.fill("#intent", "report a bug in the parser")
    page.press("#intent", "Enter")
    assert page.locator("#answer a").first.inner_text() == "github/create_issue"
    opened.picture(f"{width}-answer")
    page.locator("#answer a").first.click()
    assert page.locator("h1").inner_text() == "github/create_issue"
    assert page.evaluate("document.activeElement.id") == "title", "a screen reader goes on there"
    assert page.title() == "github/create_issue"
    page.locator("summary").last.click()
    assert '"name": "create_issue"' in page.locator("pre").inner_text()
    opened.picture(f"{width}-tool")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width][0]
    page.go_back()
    assert page.locator("h2").all_inner_texts()[:3] == ["Tools by provider", "Map", "Look-alikes"]
    assert "[object" not in page.locator("body").inner_text()
    assert (opened.said, opened.asked) == ([], [])


def test_hostile_tools_are_text(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, write_page(hostile_artifact(tmp_path), tmp_path))
    page = opened.page
    for at in range(2):
        page.goto(page.url.partition("#")[0])
        page.locator("main li a").nth(at).click()
    page.goto(page.url.partition("#")[0])
    page.fill("#intent", HOSTILE)
    page.press("#intent", "Enter")
    assert page.locator("img, iframe, object").count() == 0
    assert "\u202e" not in page.locator("body").inner_text()
    assert (opened.said, [url for url in opened.asked if not url.startswith("file:")]) == ([], [])
