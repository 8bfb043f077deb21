"""LangChain: a tool of an artifact becomes a StructuredTool (langchain-core).

Its name is the portable one, its schema the tool's own; a call is a dispatch. Content goes to the model, the whole
ToolResult is the artifact beside it. What fails raises ToolException, which LangChain hands to the model if asked to.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import DispatchError
from ..portable import portable_name
from ..transports.offered import text_for_model

if TYPE_CHECKING:
    from ..confirmation import Confirm
    from ..events import ToolResult
    from ..runtime import ToolRuntime


def langchain_tool(
    runtime: ToolRuntime,
    path: str,
    *,
    confirm: Confirm | None = None,
    timeout: float | None = None,
    **options: Any,
) -> Any:
    """The tool "P/N" as a StructuredTool; `options` are its own, such as `handle_tool_error=True`."""
    from langchain_core.tools import ToolException

    tool = runtime.snapshot.proxy(path)

    def told(result: ToolResult) -> tuple[str, ToolResult]:
        if result.is_error:
            raise ToolException(text_for_model(result))
        return text_for_model(result), result

    async def send(arguments: Mapping[str, Any]) -> tuple[str, ToolResult]:
        try:
            return told(await runtime.send(path, arguments, confirm=confirm, timeout=timeout))
        except DispatchError as err:
            raise ToolException(f"{err.code}: {err}") from err

    def send_and_wait(arguments: Mapping[str, Any]) -> tuple[str, ToolResult]:
        try:
            return told(runtime.sync.send(path, arguments, confirm=confirm, timeout=timeout))
        except DispatchError as err:
            raise ToolException(f"{err.code}: {err}") from err

    return _tool_class()(
        name=_name(runtime, path),
        description=tool.description or tool.name,
        args_schema=_schema(tool.input_schema),
        func=send_and_wait,
        coroutine=send,
        response_format="content_and_artifact",
        **options,
    )


@functools.cache
def _tool_class() -> Any:
    """StructuredTool, its arguments given as one mapping: by name, those that are called `self`, `config` or
    `run_manager` would be LangChain's own."""
    from langchain_core.tools import StructuredTool

    def whole(tool: Any, tool_input: Any, tool_call_id: str | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (tool._parse_input(tool_input, tool_call_id),), {}

    return type("SmallchatTool", (StructuredTool,), {"__module__": __name__, "_to_args_and_kwargs": whole})


def _name(runtime: ToolRuntime, path: str) -> str:
    """As it is stored; of an overlay's tool, which is stored nowhere, as it would be."""
    provider, _, name = path.partition("/")
    row = runtime.artifact.row(
        "SELECT tool.portable FROM tool JOIN provider ON provider.id = tool.provider"
        " WHERE provider.name = ? AND tool.name = ?",
        provider,
        name,
    )
    return str(row[0]) if row else portable_name(provider, name)


def _schema(schema: Any) -> dict[str, Any]:
    """LangChain reads `properties` without asking."""
    found = dict(schema) if isinstance(schema, Mapping) else {}
    return {**found, "type": "object", "properties": found.get("properties") or {}}
