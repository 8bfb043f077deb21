"""Local: Python functions, imported because the command line asked for them, become a recording that parse reads.

Nothing else imports code: neither a source nor a project file can name a module. What an import prints goes to stderr,
since stdout is data.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from runtime_min.local_provider import LocalProvider

from .diagnostics import diagnostic, nearest_name
from .model import Diagnostic, Json, Span
from .parse import Recording
from .parse.documents import Pointer

EXTRA = "pip install 'smallchatc[functions]'"


def record_functions(reference: str) -> Recording:
    """The functions of MODULE, those of MODULE:NAME,NAME, or a LocalProvider as MODULE:NAME; a recording without text
    says why there is none."""
    module_name, _, names = reference.partition(":")
    nowhere = Span(file=reference, line=1, column=1)
    try:
        import docstring_parser  # noqa: F401
        import pydantic  # noqa: F401
    except ImportError as err:
        message = f"functions are read with {err.name}, which is not installed"
        return _failed(reference, diagnostic("function-import", message, span=nowhere, hint=EXTRA))
    module = _imported(module_name.strip(), nowhere)
    if isinstance(module, Diagnostic):
        return _failed(reference, module)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    said: list[Diagnostic] = []
    provider = getattr(module, wanted[0], None) if len(wanted) == 1 else None
    if isinstance(provider, LocalProvider):
        return _recording(module, provider, said)
    functions = dict(_named(module, wanted, nowhere, said) if wanted else public_functions(module))
    if not functions and not said:
        message = f"module '{module_name}' defines no public function"
        said.append(diagnostic("function-import", message, span=nowhere, hint="name one: MODULE:FUNCTION"))
    made = LocalProvider(module.__name__, (inspect.getdoc(module) or "").partition("\n\n")[0])
    for name, function in functions.items():
        made.tool(name=name)(function)
    return _recording(module, made, said)


def tools_of(provider: LocalProvider) -> list[dict[str, Json]]:
    """The tools of a provider as `tools/list` has them; what to hand to `ToolRuntime.overlay`."""
    from .callables import tool_of

    return [_annotated(tool_of(function, name)[0], provider) for name, function in provider.items()]


def _annotated(tool: dict[str, Json], provider: LocalProvider) -> dict[str, Json]:
    said = provider.annotations.get(str(tool["name"]))
    return {**tool, "annotations": dict(said)} if said else tool


def _imported(name: str, span: Span) -> ModuleType | Diagnostic:
    """The module, looked for in the current folder as well, as `python -m` does."""
    path = [*sys.path]
    sys.path.insert(0, os.getcwd())
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as err:  # the module is a stranger's program: it may even call sys.exit
        if isinstance(err, ModuleNotFoundError) and err.name and (name + ".").startswith(err.name + "."):
            message = f"there is no module '{err.name}'"
            hint = "write it as in an import (shop.orders), in the folder from which that import works"
        elif not name or (isinstance(err, TypeError) and name.startswith(".")):
            message, hint = f"'{name}' is not the name of a module", "write MODULE or MODULE:FUNCTION"
        else:
            message = f"importing '{name}' failed: {type(err).__name__}: {err}".rstrip(": ")
            hint = f"see `python -c 'import {name}'`"
        return diagnostic("function-import", message, span=span, hint=hint)
    finally:
        sys.path[:] = path


def _named(
    module: ModuleType, names: Sequence[str], span: Span, said: list[Diagnostic]
) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in names:
        function = getattr(module, name, None)
        if function is None:
            known = [known for known, _ in public_functions(module)]
            message = f"module '{module.__name__}' has no '{name}'"
            said.append(diagnostic("function-import", message, span=span, hint=nearest_name(name, known)))
        elif inspect.isclass(function) or not callable(function) or not _has_signature(function):
            message = f"'{name}' of module '{module.__name__}' is not a function"
            said.append(diagnostic("function-import", message, span=span, hint="name a function"))
        else:
            yield name, function


def public_functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What `__all__` lists; without it, the functions that the module itself defines."""
    listed = getattr(module, "__all__", None)
    for name in sorted(vars(module)) if listed is None else listed:
        function = getattr(module, name, None)
        if not inspect.isroutine(function) or not _has_signature(function):
            continue
        if listed is not None or (not name.startswith("_") and function.__module__ == module.__name__):
            yield name, function


def _has_signature(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function)
    except (TypeError, ValueError):
        return False
    return True


def _recording(module: ModuleType, provider: LocalProvider, said: list[Diagnostic]) -> Recording:
    from .callables import tool_of

    tools, places = [], []
    for name, function in provider.items():
        tool, faults = tool_of(function, name)
        place = _place(function, module)
        tools.append(_annotated(tool, provider))
        places.append(place)
        for slug, message in faults:
            text = f"tool '{name}': {message}"
            said.append(diagnostic(slug, text, span=place, provider=provider.id, tool=name))
    document = {
        "id": provider.id,
        "description": provider.description,
        "transportType": "local",
        "tools": tools,
    }
    top = Span(file=_file(module.__name__, module), line=1, column=1)

    def locate(pointer: Pointer) -> Span:
        number = pointer[2] if len(pointer) > 2 and pointer[1] == "tools" else None
        return places[number] if isinstance(number, int) else top

    text = json.dumps(document, ensure_ascii=False) if tools else ""
    return Recording(path=top.file, text=text, locate=locate, said=tuple(said))


def _place(function: Callable[..., Any], module: ModuleType) -> Span:
    code = getattr(inspect.unwrap(function), "__code__", None)
    home = sys.modules.get(getattr(function, "__module__", None) or "", module)
    return Span(file=_file(home.__name__, home), line=code.co_firstlineno if code else 1, column=1)


def _file(name: str, module: ModuleType) -> str:
    """Where a module stands below the folder it is imported from; never a path of this machine."""
    return name.replace(".", "/") + ("/__init__.py" if hasattr(module, "__path__") else ".py")


def _failed(reference: str, why: Diagnostic) -> Recording:
    return Recording(path=reference, text="", said=(why,))
