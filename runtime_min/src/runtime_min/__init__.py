"""runtime_min: resolves intents against an artifact and sends messages to its tools, on the standard library alone."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        for module in map(import_module, (f"{__name__}.{each}" for each in _MODULES)):
            if name in vars(module):
                globals()[name] = vars(module)[name]
                return vars(module)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
