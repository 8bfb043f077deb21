"""Running: an artifact becomes a runtime that may call its tools, with what the user allows and binds.

Modules are named by the user (`--bind`), never by an artifact.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from runtime_min import ToolRuntime
from runtime_min.errors import SmallchatError
from runtime_min.trust import Allow


class BadBinding(SmallchatError):
    """What was to be bound cannot be found, or is of no use."""

    code = "bad-binding"


def open_connected(path: Path, *, trust: bool, bindings: Iterable[str] = (), **options: Any) -> ToolRuntime:
    """The artifact's runtime. Without `trust` its digest must be one that the user has recorded; a tool that needs
    more than that raises NotTrusted when it is called. `bindings` are P=module:object or P/N=module:function;
    `options` are those of `connect`."""
    runtime = ToolRuntime.open(path)
    for binding in bindings:
        bind(runtime, binding)
    runtime.connect(Allow.everything() if trust else None, deferred=True, **options)
    return runtime


def bind(runtime: ToolRuntime, binding: str) -> None:
    """Bind what P=module:object or P/N=module:function names; raises BadBinding."""
    name, equals, where = binding.partition("=")
    module, colon, attributes = where.partition(":")
    if not (equals and colon and name and module and attributes):
        raise BadBinding(f"{binding}: not P=module:object", hint="write it like --bind weather=my_tools:Weather")
    target = _found(binding, module, attributes)
    if "/" in name:
        runtime.bind(name, target)
    else:
        runtime.bind_provider(name, target() if isinstance(target, type) else target)


def _found(binding: str, module: str, attributes: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` has it: modules of the folder one stands in
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is data, and for `serve` it is the wire
            target: Any = import_module(module)
        for attribute in attributes.split("."):
            target = getattr(target, attribute)
    except ModuleNotFoundError as err:
        raise BadBinding(f"{binding}: {err}", hint="run it where the module can be imported") from err
    except AttributeError as err:
        raise BadBinding(f"{binding}: {err}") from err
    return target
