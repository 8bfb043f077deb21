"""The values that the stages hand on, from a manifest's tools to the rows of an image.

Every value is frozen and contains the one before it; nothing here does I/O and no field is
None "until later". Lists are tuples, sorted once when the catalog is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from runtime_min.format import Row

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of such."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A place in a source: `file` relative to the source root, lines and columns from 1, a JSON pointer."""

    file: str
    line: int
    column: int
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file (or stream) that tools were read from; `path` is relative to the source root: the folder of
    the project around it, else the folder that was given."""

    path: str
    kind: str  # mcp-list, recorded-server, mcp-server, jsonl, function-list, docker, openapi, manifest, project
    digest: str  # sha256 of its bytes, hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """A rule that does not hold for a tool, and why somebody says so (the hint lintIgnore)."""

    rule: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What `compilerHints` ask of the compiler (CONCEPTS: Manifests). A provider's are inherited by its tools."""

    selector: str | None = None  # selectorHint: added to what is embedded and indexed
    pin: str | None = None  # pinSelector: forces the canonical name
    aliases: tuple[str, ...] = ()
    namespace: str | None = None
    priority: float = 1.0  # scales the score
    preferred: bool = False  # wins a tie inside a confusable pair
    exclude: bool = False
    vendor: Json = None  # vendorMeta: carried, never read
    ignores: tuple[Ignore, ...] = ()  # lintIgnore: what is not to be said about it


@dataclass(frozen=True, slots=True, kw_only=True)
class Arg:
    """One argument as the index sees it, nested ones by dotted path (`filter.team`)."""

    name: str
    code: str  # type codes of `Param.code`
    required: bool
    description: str = ""
    enum: tuple[str, ...] = ()  # enum and const values that are strings or numbers, as text
    format: str = ""  # JSON Schema `format`


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One top-level parameter of a signature.

    `code` is a sorted string of type letters: s string, n number or integer, b boolean, z null,
    o object, a array; several letters are a union; "*" is any; "" accepts nothing.
    """

    name: str
    code: str
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What one way of calling a tool takes; parameters sorted by name."""

    params: tuple[Param, ...]
    closed: bool  # unknown arguments are refused (additionalProperties: false)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One callable a provider offers, as written in its manifest."""

    provider: str
    name: str
    title: str
    description: str
    definition: str  # the tool object verbatim, as compact JSON with the keys in their order
    call: str = ""  # how an operation of an API is called, as compact JSON; "": the provider's transport says all
    fingerprint: str  # sha256 of the canonical JSON of what a caller sees; key order does not matter
    schema_fingerprint: str  # sha256 of what the input schema accepts, however it is written (canonical.py)
    args: tuple[Arg, ...]
    signatures: tuple[Signature, ...]  # at least one
    annotations: Mapping[str, Json]
    hints: Hints
    source: Source
    span: Span
    input_at: tuple[str | int, ...] = ("inputSchema",)  # where the input schema is written, from span; () nowhere

    @property
    def path(self) -> str:
        """The tool's name everywhere: "provider/name"."""
        return f"{self.provider}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where tools come from: a server, an API, a set of functions."""

    id: str
    title: str = ""
    version: str = ""
    description: str = ""
    transport: Mapping[str, Json] = field(default_factory=dict)  # secrets only as ${NAME}
    superclass: str | None = None
    conforms: tuple[str, ...] = ()
    hints: Hints = Hints()
    source: Source
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A capability interface: selectors (tool names) a tool class must or may answer."""

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """An extension of tool classes from outside: tools added to `extends` (a provider id or a protocol)."""

    name: str
    extends: str
    tools: tuple[str, ...]  # "P/N" of the tools it adds
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One thing worth saying about the input; a value, rendered once at the edge (DESIGN 4.4)."""

    slug: str
    severity: str  # error, warning, note
    message: str
    span: Span | None = None
    provider: str | None = None
    tool: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """How an MCP server is started or reached, as a client's configuration says; references are not expanded."""

    name: str  # "" where a URL or a command line was given: it names itself
    transport: str  # stdio, streamable-http, sse
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    enabled: bool = True
    include: tuple[str, ...] = ()  # tools by name; () is all of them
    exclude: tuple[str, ...] = ()
    timeout_s: float = 0.0  # of a call; 0 where nothing was said


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """A server, where it was written, and whether whoever compiles named that place."""

    server: Server
    label: str  # what it is called in messages
    transport: Mapping[str, Json]  # how it is reached, as an artifact keeps it: secrets only as ${NAME}
    span: Span
    folder: Path | None = None  # what its relative paths are relative to; None: where the compiler runs
    by_hand: bool = True  # its file, URL or command line was given by name: only then is it started or asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a live server listed, in the form of a recorded server; None where it failed, and `said` tells why."""

    configured: Configured
    recording: Mapping[str, Json] | None
    said: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one source says: providers with their tools, not yet merged with any other source."""

    source: Source
    providers: tuple[Provider, ...]
    tools: tuple[Tool, ...]
    protocols: tuple[Protocol, ...] = ()
    categories: tuple[Category, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All tools of all sources, merged; providers sorted by id, tools by (provider, name) in code points."""

    providers: tuple[Provider, ...]
    tools: tuple[Tool, ...]
    protocols: tuple[Protocol, ...]
    categories: tuple[Category, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderId:
    """Whose vectors these are: `name@dim/sha256-8` in the artifact."""

    name: str
    dim: int
    fingerprint: str  # sha256, hex, of what the vectors depend on

    def __str__(self) -> str:
        return f"{self.name}@{self.dim}/{self.fingerprint[:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedCatalog:
    """A catalog with one unit vector per tool, row i for tool i."""

    catalog: Catalog
    vectors: np.ndarray[Any, np.dtype[np.float32]]  # (tools, dim)
    encoder: EncoderId


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tools that mean the same (indices into the catalog, ascending) and the weakest similarity among them."""

    members: tuple[int, ...]
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """A pair of tools whose vectors are close: a reader may confuse them."""

    first: int
    second: int
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredCatalog:
    """An embedded catalog with its overload groups, duplicates and close pairs."""

    embedded: EmbeddedCatalog
    overloads: tuple[Group, ...]  # same operation, different signatures: the arguments pick the imp
    duplicates: tuple[Group, ...]  # same operation, same signature: reported, never merged
    shared: tuple[Group, ...]  # same operation, alike enough (dedup threshold) to share one selector
    collisions: tuple[Collision, ...]
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedImage:
    """The rows of the format, table by table in DDL order, each table sorted by key."""

    tables: Mapping[str, tuple[Row, ...]]
