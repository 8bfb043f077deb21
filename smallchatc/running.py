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

from .diagnostics import nearest_name


class BadBinding(SmallchatError):
    """What was to be bound cannot be found, or is of no use."""

    code = "bad-binding"


def open_connected(path: Path, *, trust: bool, bindings: Iterable[str] = (), **options: Any) -> ToolRuntime:
    """The artifact's runtime. Without `trust` its digest must be one that the user has recorded; a tool that needs
    more than that raises NotTrusted when it is called. `bindings` are as `bind` takes them;
    `options` are those of `connect`."""
    runtime = ToolRuntime.open(path)
    for binding in bindings:
        bind(runtime, binding)
    runtime.connect(Allow.everything() if trust else None, deferred=True, **options)
    return runtime


def bind(runtime: ToolRuntime, binding: str) -> None:
    """Bind what P=module, P=module:object or P/N=module:function names; raises BadBinding."""
    name, equals, where = binding.partition("=")
    module, colon, attributes = where.partition(":")
    whole = not colon and "/" not in name
    if not (equals and name and module and (attributes or whole)):
        form = "P/N=module:function" if "/" in name else "P=module or P=module:object"
        raise BadBinding(f"{binding}: not {form}", hint="write it like --bind weather=my_tools:Weather")
    target = _found(binding, module, attributes)
    if whole:
        # Not the module itself: what it imported for its own use is no tool.
        from .local import public_functions

        target = dict(public_functions(target))
        if not target:
            raise BadBinding(
                f"{binding}: the module defines no public function", hint="name an object: P=module:object"
            )
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
    except ModuleNotFoundError as err:
        raise BadBinding(f"{binding}: {err}", hint="run it where the module can be imported") from err
    except KeyboardInterrupt:
        raise
    except BaseException as err:  # the module is a stranger's program: it may even call sys.exit
        said = f"importing '{module}' failed: {type(err).__name__}: {err}".rstrip(": ")
        raise BadBinding(f"{binding}: {said}", hint=f"see `python -c 'import {module}'`") from err
    for attribute in filter(None, attributes.split(".")):
        try:
            target = getattr(target, attribute)
        except AttributeError as err:
            known = [name for name in vars(target) if not name.startswith("_")] if hasattr(target, "__dict__") else []
            raise BadBinding(f"{binding}: {err}", hint=nearest_name(attribute, known)) from err
    return target
