"""Arguments given with an intent: could this tool take them, and are they all that it wants?

Only the shape is looked at here, by name and type code; the full schema is validation's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .catalogue import Signature
from .named import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def type_code(value: object) -> str:
    """The type letter of a JSON value (`format.Signature`): s, n, b, z, o or a; "*" for anything else."""
    if value is None:
        return "z"
    for kind, letter in ((bool, "b"), (str, "s"), ((int, float), "n"), (Mapping, "o"), ((list, tuple), "a")):
        if isinstance(value, kind):
            return letter
    return "*"


EXACTLY = 0.1
"""Score of a tool that requires nothing but what is given and takes all of it."""


def welcome(signatures: Iterable[Signature], args: Mapping[str, Any]) -> float | None:
    """What the arguments are worth to a tool: None when it cannot take them, `EXACTLY` when it asks for no more."""
    fitting = [signature for signature in signatures if takes(signature, args)]
    if not fitting:
        return None
    return EXACTLY if any(complete(signature, args) for signature in fitting) else 0.0


def takes(signature: Signature, args: Mapping[str, Any]) -> bool:
    """Whether every given argument has a parameter of its type; an open signature takes unknown names."""
    for name, value in args.items():
        param = signature.params.get(name)
        if param is None:
            if signature.closed or signature.params:
                return False
        elif "*" not in param.code and type_code(value) not in param.code:
            return False
    return True


def complete(signature: Signature, args: Mapping[str, Any]) -> bool:
    """Whether the arguments are all that the signature requires, and each is one that it names."""
    required = all(name in args for name, param in signature.params.items() if param.required)
    return required and signature.params.keys() >= args.keys()
