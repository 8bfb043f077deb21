"""runtime_min: resolves intents against an artifact, with the standard library alone."""

from .errors import (
    ArtifactError,
    ArtifactMissing,
    CorruptArtifact,
    DispatchError,
    NotAnArtifact,
    SmallchatError,
    UnknownTool,
    UnsupportedFormat,
)
from .proof import Candidate, Option, Proof, Refinement, Step, Tier
from .resolution import Resolution
from .runtime import ToolRuntime

__all__ = [
    "ArtifactError",
    "ArtifactMissing",
    "Candidate",
    "CorruptArtifact",
    "DispatchError",
    "NotAnArtifact",
    "Option",
    "Proof",
    "Refinement",
    "Resolution",
    "SmallchatError",
    "Step",
    "Tier",
    "ToolRuntime",
    "UnknownTool",
    "UnsupportedFormat",
]
