"""Events: what happens while a message is sent, and the result it ends in.

Order (CONCEPTS: Streaming): resolving, tool-start, then chunks or inference deltas, then done; `error` ends a
stream too. An event knows its `type` and its JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .named import NamedTuple

if TYPE_CHECKING:
    from .errors import DispatchError
    from .proof import Refinement, Step
    from .resolution import Resolution


class ToolResult:
    """What a dispatch ends in. `is_error` is the tool's own word for a failure; a refused or unclear intent is no
    error, and then `refinement` holds the question. `steps` tell what was tried beyond resolving, and how the
    arguments were checked. `raw` is the whole answer of an MCP server, as it came over the wire."""

    __slots__ = ("_resolution", "content", "is_error", "raw", "refinement", "steps", "structured", "tool")

    def __init__(
        self,
        content: Any,
        resolution: Resolution | None = None,
        *,
        tool: str | None = None,
        structured: Any = None,
        is_error: bool = False,
        refinement: Refinement | None = None,
        steps: tuple[Step, ...] = (),
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        self.raw = raw
        self.content = content
        self.structured = structured
        self.is_error = is_error
        self.tool = tool
        self.refinement = refinement
        self.steps = steps
        self._resolution = resolution

    @property
    def resolution(self) -> Resolution:
        """How the tool was found, or why none was."""
        if self._resolution is None:
            raise ValueError("this result was made by a tool, not by a dispatch")
        return self._resolution

    @property
    def input_required(self) -> Mapping[str, Any] | None:
        """What the tool asks before it goes on (`inputRequests`, `requestState`), when that is its answer; the same
        call with the answers in its envelope goes on."""
        return self.raw if self.raw is not None and self.raw.get("resultType") == "input_required" else None

    @property
    def outcome(self) -> str:
        """ok, refine, input (the tool asks something before it goes on) or error."""
        if self.is_error:
            return "error"
        return "refine" if self.refinement is not None else "ok" if self.input_required is None else "input"

    @property
    def fallback_steps(self) -> list[dict[str, Any]]:
        """What was tried beyond resolving, in order, as JSON; [] for a tool that was clear."""
        return [{"step": step.name, **step.detail} for step in self.steps if step.name != "validate"]

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"outcome": self.outcome, "tool": self.tool, "content": jsonable(self.content)}
        if self.structured is not None:
            out["structured"] = jsonable(self.structured)
        if self.input_required is not None:
            out["input_required"] = jsonable(self.input_required)
        if self.refinement is not None:
            out["tool_refinement_needed"] = self.refinement.to_dict()
        if tried := self.fallback_steps:
            out["fallback_steps"] = tried
        return out

    def __repr__(self) -> str:
        return f"ToolResult({self.outcome}, tool={self.tool!r}, content={self.content!r})"


class Resolving:
    """The intent was taken up; before any other work."""

    __slots__ = ("intent", "step")
    type = "resolving"

    def __init__(self, intent: str, step: int | None = None) -> None:
        self.intent, self.step = intent, step

    def to_dict(self) -> dict[str, Any]:
        return _event(self, {"intent": self.intent})


class ToolStart:
    """A tool was chosen and is about to run."""

    __slots__ = ("confidence", "selector", "step", "tier", "tool")
    type = "tool-start"

    def __init__(self, tool: str, selector: str, tier: str, confidence: float, step: int | None = None) -> None:
        self.tool, self.selector, self.tier, self.confidence, self.step = tool, selector, tier, confidence, step

    def to_dict(self) -> dict[str, Any]:
        return _event(
            self, {"tool": self.tool, "selector": self.selector, "tier": self.tier, "confidence": self.confidence}
        )


class Progress(NamedTuple):
    """How far a tool is: the content of a chunk that tells this and is no part of the result."""

    progress: float
    total: float | None = None
    message: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not None}


class Chunk:
    """A piece of the tool's content, or its progress, numbered from 0."""

    __slots__ = ("content", "index", "step")
    type = "chunk"

    def __init__(self, content: Any, index: int, step: int | None = None) -> None:
        self.content, self.index, self.step = content, index, step

    def to_dict(self) -> dict[str, Any]:
        return _event(self, {"content": jsonable(self.content), "index": self.index})


class InferenceDelta:
    """A piece of text as a model makes it, numbered from 0."""

    __slots__ = ("index", "step", "text")
    type = "inference-delta"

    def __init__(self, text: str, index: int, step: int | None = None) -> None:
        self.text, self.index, self.step = text, index, step

    def to_dict(self) -> dict[str, Any]:
        return _event(self, {"text": self.text, "index": self.index})


class Error:
    """The message failed; the stream ends."""

    __slots__ = ("error", "step")
    type = "error"

    def __init__(self, error: DispatchError, step: int | None = None) -> None:
        self.error, self.step = error, step

    def to_dict(self) -> dict[str, Any]:
        error = self.error
        return _event(
            self, {"code": error.code, "message": str(error), "tool": error.tool, "retryable": error.retryable}
        )


class Done:
    """The result, with the proof of how it was reached."""

    __slots__ = ("result", "step")
    type = "done"

    def __init__(self, result: ToolResult, step: int | None = None) -> None:
        self.result, self.step = result, step

    @property
    def outcome(self) -> str:
        """ok, refine, input or error."""
        return self.result.outcome

    @property
    def proof(self) -> Mapping[str, Any]:
        """The resolution's proof as JSON."""
        return self.result.resolution.proof.to_dict()

    def to_dict(self) -> dict[str, Any]:
        return _event(self, {"result": self.result.to_dict(), "outcome": self.outcome, "proof": self.proof})


Event = Resolving | ToolStart | Chunk | InferenceDelta | Error | Done


def jsonable(value: Any, depth: int = 200) -> Any:
    """A value as JSON can say it; what it cannot is named by its type, never printed."""
    from .objects import SCObject

    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Progress):
        return value.to_dict()
    if isinstance(value, SCObject):
        inner = value.unwrap()
        return repr(value) if inner is value else jsonable(inner, depth - 1)
    if depth > 0 and isinstance(value, Mapping):
        return {str(key): jsonable(item, depth - 1) for key, item in value.items()}
    if depth > 0 and isinstance(value, (list, tuple)):
        return [jsonable(item, depth - 1) for item in value]
    return f"<{type(value).__name__}>"


def _event(event: Any, fields: dict[str, Any]) -> dict[str, Any]:
    out = {"type": event.type, **fields}
    if event.step is not None:
        out["step"] = event.step
    return out
