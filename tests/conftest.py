"""Fixtures that several folders use, and the one way to data that is not in this repository."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MANIFESTS = ROOT / "fixtures" / "manifests"

# A shell's background jobs are born deaf to Ctrl-C, and so would be the programs that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or fills the cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMALLCHAT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data that may be measured on but not committed."""
    folder = Path(os.environ.get("SMALLCHAT_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("shared data absent (SMALLCHAT_SHARED)")
    return folder


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """fixtures/manifests, compiled with the student that ships: the same everywhere."""
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    out = tmp_path_factory.mktemp("artifact") / "fixtures.smallchat.db"
    write_artifact(compile_sources([str(MANIFESTS)], settings=Settings(encoder="base")).image, out)
    return out
