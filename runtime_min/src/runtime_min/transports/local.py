"""Local: a Python callable becomes an imp.

Functions, coroutine functions, generators and async generators are called with the arguments by name. An
object with `execute`, `execute_stream` or `execute_inference` is an imp already and gets them as one mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..imps import is_imp
from ..objects import SCObject, unwrap, wrap

_SIMPLE = frozenset((str, int, float, bool, type(None)))
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200  # flags of a code object (inspect.CO_*)


def imp_of(target: Any) -> Any:
    """The imp that a callable, or an object that is one, stands for; raises TypeError for anything else."""
    if isinstance(target, LocalImp) or is_imp(target):
        return target
    if callable(target):
        return LocalImp(target)
    raise TypeError(f"neither a callable nor an imp: {type(target).__name__}")


class LocalImp:
    """A Python callable. What a call gives decides how it goes on: a value, an awaitable, an iterator of chunks.

    `blocks` says that a call does all its work before it returns, so that a time-out needs a thread.
    """

    __slots__ = ("_wrapped", "blocks", "function")

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.blocks = not _flags(function) & (_GENERATOR | _COROUTINE | _ASYNC_GENERATOR)
        self._wrapped = _object_parameters(function)

    def start(self, args: Mapping[str, Any]) -> Any:
        """Call the function: plain values, containers as copies; an SCObject where an annotation asks for one."""
        for value in args.values():
            if type(value) not in _SIMPLE:
                break
        else:
            return self.function(**args)
        given = {name: wrap(value) if name in self._wrapped else unwrap(value) for name, value in args.items()}
        return self.function(**given)

    def __repr__(self) -> str:
        return f"LocalImp({getattr(self.function, '__qualname__', self.function)!r})"


def _flags(function: Callable[..., Any]) -> int:
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return code.co_flags if code else 0


def _object_parameters(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters annotated with a class of the SCObject tree, by class or by name.

    Read without `inspect`, whose import costs more than a resolve.
    """
    notes = getattr(function, "__annotations__", None) or {}
    return frozenset(name for name, note in notes.items() if name != "return" and _is_object_class(note))


def _is_object_class(note: Any) -> bool:
    if isinstance(note, str):
        return note.rpartition(".")[2] in _names(SCObject)
    return isinstance(note, type) and issubclass(note, SCObject)


def _names(cls: type[SCObject]) -> set[str]:
    return {cls.__name__}.union(*(_names(sub) for sub in cls.__subclasses__()))
