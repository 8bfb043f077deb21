"""runtime_min: resolves intents against an artifact and sends messages to its tools, on the standard library alone."""

from __future__ import annotations

from sys import modules

from .named import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from .errors import (
        AmbiguousCall,
        ArtifactError,
        ArtifactMissing,
        Cancelled,
        CorruptArtifact,
        DispatchError,
        InvalidArguments,
        NamespaceViolation,
        NotAnArtifact,
        NotBound,
        NotTrusted,
        PinViolation,
        RateLimited,
        SmallchatError,
        ToolFailed,
        ToolTimeout,
        UnknownTool,
        UnsupportedFormat,
        Violation,
    )
    from .proof import Candidate, Option, Proof, Refinement, Step, Tier
    from .resolution import Resolution
    from .runtime import ToolRuntime

__all__ = [
    "AmbiguousCall",
    "ArtifactError",
    "ArtifactMissing",
    "Cancelled",
    "Candidate",
    "CorruptArtifact",
    "DispatchError",
    "InvalidArguments",
    "NamespaceViolation",
    "NotAnArtifact",
    "NotBound",
    "NotTrusted",
    "Option",
    "PinViolation",
    "Proof",
    "RateLimited",
    "Refinement",
    "Resolution",
    "SmallchatError",
    "Step",
    "Tier",
    "ToolFailed",
    "ToolRuntime",
    "ToolTimeout",
    "UnknownTool",
    "UnsupportedFormat",
    "Violation",
]

# A name is loaded when it is used: whoever needs one module of this package does not wait for all of them.
_MODULES = ("errors", "proof", "resolution", "runtime")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in (f"{__name__}.{each}" for each in _MODULES):
            __import__(module)
            if name in (found := vars(modules[module])):
                globals()[name] = found[name]
                return found[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
