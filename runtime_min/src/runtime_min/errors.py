"""The errors of the read side: each says what, where, and the next move."""

from __future__ import annotations


class SmallchatError(Exception):
    """Any error of smallchat. `code` is a stable slug, `hint` the next move."""

    code = "smallchat-error"
    hint = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        if hint:
            self.hint = hint


class ArtifactError(SmallchatError):
    """An artifact cannot be read."""

    code = "artifact-error"


class ArtifactMissing(ArtifactError, FileNotFoundError):
    """There is no file at that path."""

    code = "artifact-missing"


class NotAnArtifact(ArtifactError):
    """The file is something else: text, empty, another program's database."""

    code = "not-an-artifact"


class UnsupportedFormat(ArtifactError):
    """The artifact's format, or this SQLite, is one that this reader does not know."""

    code = "unsupported-format"


class CorruptArtifact(ArtifactError):
    """The artifact is damaged: truncated, or rows that contradict each other."""

    code = "corrupt-artifact"


class DispatchError(SmallchatError):
    """A message cannot be sent; `tool` is the id of the tool concerned, when there is one."""

    code = "dispatch-error"


class UnknownTool(DispatchError):
    """No tool of the artifact has this name."""

    code = "unknown-tool"
