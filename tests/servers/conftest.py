"""What every test of live servers needs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _the_client_library_is_there() -> None:
    pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
