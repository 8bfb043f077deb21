"""Local provider: functions of a program become the tools of one provider, by a decorator.

    shop = LocalProvider("shop", "Orders of a shop.")

    @shop.tool(read_only=True)
    def find(text: str, limit: int = 20) -> list[dict]:
        "Find orders by what they hold."

`smallchatc compile --functions module:shop` reads signatures and docstrings; `bind_provider("shop", shop)`, or
`--bind shop=module:shop`, lets the functions answer. A decorated function stays what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, overload

_Function = TypeVar("_Function", bound=Callable[..., Any])


class LocalProvider(Mapping[str, Callable[..., Any]]):
    """The functions of one provider, by the names of their tools."""

    def __init__(self, id: str, description: str = "") -> None:
        self.id = id
        self.description = description
        self.annotations: dict[str, Mapping[str, bool]] = {}
        self._functions: dict[str, Callable[..., Any]] = {}

    @overload
    def tool(self, function: _Function, /) -> _Function: ...

    @overload
    def tool(
        self,
        *,
        name: str = "",
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
    ) -> Callable[[_Function], _Function]: ...

    def tool(
        self,
        function: Any = None,
        *,
        name: str = "",
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
    ) -> Any:
        """Make a function a tool, under its own name or another; what it says of its effects goes into the tool's
        annotations. Raises ValueError for a name that is taken."""

        def take(function: _Function) -> _Function:
            called = name or function.__name__
            if called in self._functions:
                raise ValueError(f"{self.id} has a tool {called!r} already")
            said = {"readOnlyHint": read_only, "destructiveHint": destructive, "idempotentHint": idempotent}
            self.annotations[called] = {hint: value for hint, value in said.items() if value is not None}
            self._functions[called] = function
            return function

        return take if function is None else take(function)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)
