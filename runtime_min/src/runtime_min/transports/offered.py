"""Offered: the tools that a model may call, and a call of it becomes a dispatch and words for the model.

The definitions are those of `smallchatc export`, its name map leads names and arguments back. What goes wrong with a
call is told to the model, which may do better; only what no other words could mend is raised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..errors import DispatchError, InvalidArguments, Violation
from ..events import ToolResult, jsonable
from ..named import NamedTuple

if TYPE_CHECKING:
    from ..confirmation import Confirm
    from ..restore import Exported
    from ..runtime import ToolRuntime


class ToolCall(NamedTuple):
    """A call as a model asked for it; the arguments are text, as they came."""

    id: str
    name: str
    arguments: str


class Answered(NamedTuple):
    """A call and what the model is told of it."""

    call: ToolCall
    text: str
    is_error: bool


_under_way: ContextVar[tuple[str, ...]] = ContextVar("_under_way", default=())
"""Tools whose models wait for a call: one that calls itself, by whatever way, would do so for ever."""


class Offered:
    """Tools of a runtime for a model: `definitions` as its API takes them, `names` to lead its calls back.

    `confirm` and `timeout` are those of a dispatch.
    """

    def __init__(
        self,
        runtime: ToolRuntime,
        definitions: Sequence[Any],
        names: Exported,
        *,
        confirm: Confirm | None = None,
        timeout: float | None = None,
    ) -> None:
        self.definitions = tuple(definitions)
        self._runtime = runtime
        self._names = names
        self._confirm = confirm
        self._timeout = timeout

    async def run(self, call: ToolCall, asking: str = "") -> Answered:
        """Send a call to its tool. `asking` is the tool whose model asks."""
        waiting = (*_under_way.get(), asking)
        token = _under_way.set(waiting)
        try:
            path = self._names.tool(call.name)
            if path in waiting:
                raise DispatchError(f"{path} waits for this very call", tool=path)
            args = self._names.arguments(call.name, read_arguments(call.arguments, path))
            result = await self._runtime.send(path, args, confirm=self._confirm, timeout=self._timeout)
        except DispatchError as err:
            return Answered(call, f"{err.code}: {err}", True)
        finally:
            _under_way.reset(token)
        return Answered(call, text_for_model(result), result.is_error)


def read_arguments(text: str, path: str) -> Mapping[str, Any]:
    """The arguments that a model wrote; none at all is none. Raises InvalidArguments."""
    try:
        value = json.loads(text, parse_constant=_not_json) if text.strip() else {}
    except (ValueError, RecursionError) as err:
        raise InvalidArguments([Violation("", "mismatch", "a JSON object", str(err))], tool=path) from err
    if not isinstance(value, dict):
        raise InvalidArguments([Violation("", "mismatch", "a JSON object", type(value).__name__)], tool=path)
    return value


def text_for_model(result: ToolResult) -> str:
    """A result in words. Of what is no text, an image or a file, its kind is named."""
    content = result.content
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    if blocks and all(isinstance(block, Mapping) and isinstance(block.get("type"), str) for block in blocks):
        return "\n".join(map(_text_of, blocks))
    if result.input_required is not None:
        return json.dumps(jsonable(result.input_required), ensure_ascii=False)
    return json.dumps(jsonable(content), ensure_ascii=False)


def _text_of(block: Mapping[str, Any]) -> str:
    resource = block.get("resource")
    text = block.get("text") or (resource.get("text") if isinstance(resource, Mapping) else None)
    return text if isinstance(text, str) else f"[{block['type']} {block.get('mimeType') or block.get('uri') or ''}]"


def _not_json(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")
