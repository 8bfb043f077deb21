"""Calibration: what generic talk scores in a catalogue, from the catalogue alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from index.conftest import line

from runtime_min import ToolRuntime
from runtime_min.proof import Tier
from smallchatc.calibrate import _REFUSED, calibrate
from smallchatc.embed import embed_catalog
from smallchatc.encoders import choose_encoder
from smallchatc.encoders.student import load_student
from smallchatc.index import build_index
from smallchatc.model import Catalog
from smallchatc.parse import parse_sources

TALK = (resources.files("smallchatc") / "data" / "generic.txt").read_text("utf-8").splitlines()
THINGS = "invoice branch channel flight patient song recipe mailbox cluster lesson contract sensor".split()
DEEDS = "create list search delete update export archive share".split()
MANY = [
    line(
        f"{thing}s/{deed}_{thing}",
        f"{deed.capitalize()}s the {thing} of a customer or of a team",
        name={"type": "string"},
    )
    for thing in THINGS
    for deed in DEEDS
]


def compiled(folder: Path, *lines: str) -> Path:
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    source, out = folder / "tools.jsonl", folder / "tools.smallchat.db"
    source.write_text("\n".join(lines), "utf-8")
    write_artifact(compile_sources([source], settings=Settings(encoder="base")).image, out)
    return out


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> ToolRuntime:
    """A catalogue of 96 tools."""
    return ToolRuntime.open(compiled(tmp_path_factory.mktemp("many"), *MANY))


def calibrated(catalog: Catalog) -> dict[str, str]:
    index = build_index(embed_catalog(catalog, choose_encoder("base", model=None)), load_student("base"))
    return calibrate(index.tables, index.meta, catalog.tools)


def test_the_threshold_refuses_the_stated_share_of_generic_talk(many: ToolRuntime) -> None:
    refused = sum(many.resolve(text).tier is Tier.NONE for text in TALK) / len(TALK)
    assert refused == pytest.approx(_REFUSED, abs=0.1)


def test_what_the_tools_say_of_themselves_fits_better_than_talk(many: ToolRuntime) -> None:
    own = [f"{deed} the {thing} of our customer" for thing in THINGS for deed in DEEDS]
    answers = [many.resolve(text) for text in own]
    assert median(answer.fit for answer in answers) > median(many.resolve(text).fit for text in TALK) + 0.3
    assert sum(answer.tier is Tier.NONE for answer in answers) <= 0.05 * len(answers)


def test_calibration_is_of_the_catalogue(tmp_path: Path, many: ToolRuntime) -> None:
    chatty = [
        line(f"chat/topic_{number}", f"Answers this: {text}", text={"type": "string"})
        for number, text in enumerate(TALK)
    ]
    met = ToolRuntime.open(compiled(tmp_path, *chatty))
    mean = {runtime: json.loads(runtime.artifact.meta["calibration"])["score"][0] for runtime in (met, many)}
    assert mean[met] > mean[many] + 0.2


def test_equal_catalogues_are_calibrated_equally(tmp_path: Path) -> None:
    source = tmp_path / "tools.jsonl"
    source.write_text("\n".join(MANY), "utf-8")
    once = calibrated(parse_sources([source]).catalog)
    source.write_text("\n".join(reversed(MANY)), "utf-8")
    assert calibrated(parse_sources([source]).catalog) == once


WATCHED = """
import sys
from pathlib import Path
from smallchatc import calibrate, embed, index
from smallchatc.encoders import choose_encoder
from smallchatc.encoders.student import load_student
from smallchatc.parse import parse_sources

catalog = parse_sources([sys.argv[1]]).catalog
student = load_student("base")
built = index.build_index(embed.embed_catalog(catalog, choose_encoder("base", model=None)), student)
calibrate.calibrate(built.tables, built.meta, catalog.tools)  # what Python itself loads is loaded now
seen = []
sys.addaudithook(lambda name, args: seen.append((name, args)))
calibrate.calibrate(built.tables, built.meta, catalog.tools)
watched = list(seen)
for name, args in watched:
    if name in ("open", "os.listdir", "subprocess.Popen", "sqlite3.connect") or name.startswith("socket."):
        print(name, Path(str(args[0])).name)
"""


def test_nothing_but_the_catalogue_and_the_talk_goes_in(tmp_path: Path) -> None:
    source = tmp_path / "tools.jsonl"
    source.write_text("\n".join(MANY[:20]), "utf-8")
    (tmp_path / "queries.jsonl").write_text('{"query": "pay it", "gold": ["invoices/create_invoice"]}\n', "utf-8")
    run = subprocess.run(
        [sys.executable, "-P", "-c", WATCHED, str(source)],
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert sorted(set(run.stdout.splitlines())) == ["open generic.txt", "sqlite3.connect :memory:"]


def test_reliability_is_a_table_of_shares(many: ToolRuntime) -> None:
    rows: list[list[Any]] = json.loads(many.artifact.meta["reliability"])
    assert 0 < sum(asked for _, asked, _, _ in rows) <= 200
    for low, asked, sure, right in rows:
        assert low <= sure <= low + 0.1 + 1e-9
        assert asked >= 1
        assert 0 <= right <= 1
    assert [row[0] for row in rows] == sorted({row[0] for row in rows})


@pytest.mark.parametrize("tools", [1, 2, 5])
def test_few_tools_refuse_talk_and_serve_what_they_do(tmp_path: Path, tools: int) -> None:
    runtime = ToolRuntime.open(compiled(tmp_path, *MANY[:tools]))
    refused = sum(runtime.resolve(text).tier is Tier.NONE for text in TALK) / len(TALK)
    assert refused > 0.5
    assert runtime.resolve("create an invoice for the customer").tool is not None


def test_talk_is_many_different_lines() -> None:
    assert len(TALK) == len(set(TALK)) >= 100
    assert all(text and text == text.strip() for text in TALK)
