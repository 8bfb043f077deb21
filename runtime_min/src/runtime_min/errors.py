"""The errors of the read side: each says what, where, and the next move."""

from __future__ import annotations

from collections.abc import Sequence

from .named import NamedTuple


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


class Violation(NamedTuple):
    """One argument that does not fit: where it is, what kind of misfit, and both sides of it.

    Kinds: mismatch (another type), isa (an object of another class), missing, excess (an argument that nothing
    takes), value (the right type, not an allowed value), pattern, range, length, cyclic, forbidden.
    """

    path: str  # JSON pointer into the arguments; "" is the arguments themselves
    kind: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.path or '/'}: {self.kind}: expected {self.expected}, got {self.got}"


class EncoderMismatch(SmallchatError):
    """An encoder's vectors lie in another space than the artifact's."""

    code = "encoder-mismatch"


class DispatchError(SmallchatError):
    """A message cannot be sent; `tool` is the id of the tool concerned, when there is one."""

    code = "dispatch-error"
    retryable = False
    tool: str | None

    def __init__(self, message: str, *, tool: str | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.tool = tool


class UnknownTool(DispatchError):
    """No tool of the artifact has this name."""

    code = "unknown-tool"


class NotBound(DispatchError):
    """The tool is known, but nothing in this process answers for it."""

    code = "not-bound"
    hint = "bind it: rt.bind(path, function) or rt.bind_provider(provider, transport); --bind on the command line"


class InvalidArguments(DispatchError):
    """The arguments do not fit what the tool takes; `violations` says which, all at once."""

    code = "invalid-arguments"

    def __init__(self, violations: Sequence[Violation], *, tool: str | None = None, hint: str = "") -> None:
        super().__init__(f"{tool or 'arguments'}: {'; '.join(map(str, violations))}", tool=tool, hint=hint)
        self.violations = tuple(violations)


class AmbiguousCall(DispatchError):
    """Several signatures, or tools, take these arguments equally well; chance never decides."""

    code = "ambiguous-call"
    hint = "name the tool, or give the arguments that tell them apart"


class ToolTimeout(DispatchError):
    """The tool did not finish in time; it has been cancelled."""

    code = "tool-timeout"
    retryable = True


class ToolFailed(DispatchError):
    """The tool raised, or gave what is no result; the cause is chained."""

    code = "tool-failed"


class UpstreamError(ToolFailed):
    """The tool's server answered with an error of its protocol; `rpc_code` and `data` are as it sent them."""

    code = "upstream-error"

    def __init__(self, message: str, *, rpc_code: int, data: object = None, tool: str | None = None) -> None:
        super().__init__(message, tool=tool)
        self.rpc_code, self.data = rpc_code, data


class Unreachable(DispatchError):
    """The tool's server cannot be started or reached, or went away; `sent`: the call may have arrived there.

    `answer` is what it said instead of answering, `retry_after` when it wants to be asked again."""

    code = "unreachable"
    retryable = True
    answer: object = None
    retry_after: float | None = None

    def __init__(self, message: str, *, sent: bool, tool: str | None = None, hint: str = "") -> None:
        super().__init__(message, tool=tool, hint=hint)
        self.sent = sent


class CircuitOpen(DispatchError):
    """The tool's server failed so often that it is left alone for `retry_after` seconds."""

    code = "circuit-open"
    retryable = True

    def __init__(self, message: str, *, retry_after: float, tool: str | None = None, hint: str = "") -> None:
        super().__init__(message, tool=tool, hint=hint)
        self.retry_after = retry_after


class MissingVariable(DispatchError):
    """Variables that a provider needs are not set."""

    code = "missing-variable"


class Declined(DispatchError):
    """The host was asked whether the tool may run, and did not say yes."""

    code = "declined"
    hint = "a tool whose readOnlyHint is true, or destructiveHint false, is not asked about"


class Cancelled(DispatchError):
    """The caller went away; the tool has been told."""

    code = "cancelled"


class RateLimited(DispatchError):
    """This client has asked too much; `retry_after` seconds from now it may ask again."""

    code = "rate-limited"
    retryable = True

    def __init__(self, message: str, *, retry_after: float, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class PinViolation(DispatchError):
    """The tool is pinned, and this intent is not one that may reach it."""

    code = "pin-violation"
    hint = "ask for it by its canonical name or an alias"


class NamespaceViolation(SmallchatError):
    """A class registers a selector that another owns: names the selector, its owner and the offender."""

    code = "namespace-violation"

    def __init__(self, selector: str, *, owner: str, offender: str) -> None:
        super().__init__(
            f"selector {selector!r} is protected: it belongs to {owner!r}, and {offender!r} may not answer to it",
            hint=f"give the tool of {offender!r} another name, or let {owner!r} unregister the namespace",
        )
        self.selector, self.owner, self.offender = selector, owner, offender


class DuplicateSignature(SmallchatError):
    """A selector has a signature of these types already."""

    code = "duplicate-signature"


class NotTrusted(SmallchatError):
    """The host has not allowed what this artifact asks for."""

    code = "not-trusted"
    hint = "look at it and allow it: smallchatc trust DB"
