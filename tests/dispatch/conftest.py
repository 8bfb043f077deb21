"""Runtimes of the example manifests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime_min import ToolRuntime
from runtime_min.imps import TIERS


@pytest.fixture
def runtime(artifact: Path) -> ToolRuntime:
    """A fresh runtime: nothing bound, learned or cached."""
    return ToolRuntime.open(artifact)


class Recorder:
    """Binds every tool of a runtime to a function that writes down its calls."""

    def __init__(self, runtime: ToolRuntime) -> None:
        self.runtime = runtime
        self.calls: list[tuple[str, dict[str, Any]]] = []
        for cls in runtime.snapshot.classes:
            runtime.bind_provider(cls.name, _Answers(self, cls.name))

    @property
    def tools(self) -> list[str]:
        return [tool for tool, _ in self.calls]

    def function(self, tool: str) -> Callable[..., str]:
        def run(**args: Any) -> str:
            self.calls.append((tool, args))
            return f"ran {tool}"

        return run


class _Answers:
    def __init__(self, recorder: Recorder, provider: str) -> None:
        self._recorder, self._provider = recorder, provider

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in TIERS:
            raise AttributeError(name)
        return self._recorder.function(f"{self._provider}/{name}")


@pytest.fixture
def recorder(runtime: ToolRuntime) -> Recorder:
    """Every tool answers, and every call is on record."""
    return Recorder(runtime)
