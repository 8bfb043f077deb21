"""ToolProxy: a tool by name becomes its facts, each read from the artifact when first needed.

A dispatch that needs no schema reads none; what was read and compiled stays in a bounded table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .artifact import UNREADABLE
from .errors import CorruptArtifact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from . import overload
    from .artifact import Artifact
    from .catalogue import Catalogue
    from .overlay import AddedTool
    from .validation import Validator

_KEPT = 2048


class ToolProxy:
    """One tool of an artifact. `path` is "P/N"; everything else is lazy."""

    __slots__ = (
        "_call",
        "_catalogue",
        "_definition",
        "_facts",
        "_signatures",
        "_validators",
        "artifact",
        "id",
        "name",
        "path",
        "provider",
        "selector",
    )

    def __init__(self, artifact: Artifact, catalogue: Catalogue, path: str) -> None:
        self.artifact = artifact
        self._catalogue = catalogue
        self.path = path
        self.provider, _, self.name = path.partition("/")
        self._call: Mapping[str, Any] | None = None
        self.id = catalogue.tool_id(path)
        self.selector = catalogue.entry(self.id).selector
        self._facts: tuple[str, str, str] | None = None
        self._definition: Mapping[str, Any] | None = None
        self._signatures: tuple[overload.Signature, ...] | None = None
        self._validators: dict[str, Validator] = {}

    @property
    def fingerprint(self) -> str:
        """sha256 of what a caller sees of the tool."""
        return self._read()[0]

    @property
    def schema_fingerprint(self) -> str:
        """The same of its input schema alone."""
        return self._read()[1]

    @property
    def provider_version(self) -> str:
        """The version of its provider, as the manifest said it."""
        return self._read()[2]

    @property
    def definition(self) -> Mapping[str, Any]:
        """The tool object as its manifest had it."""
        if self._definition is None:
            row = self.artifact.row("SELECT definition FROM tool WHERE id = ?", self.id)
            try:
                self._definition = json.loads(row[0]) if row else None
            except UNREADABLE:
                self._definition = None
            if not isinstance(self._definition, Mapping):
                raise CorruptArtifact(f"{self.artifact.path}: no definition of {self.path}", hint="compile it again")
        return self._definition

    @property
    def input_schema(self) -> Any:
        """What the tool takes; `{}`, which allows anything, when it does not say."""
        for key in ("inputSchema", "input_schema", "parameters"):
            if key in self.definition:
                return self.definition[key]
        return {}

    @property
    def description(self) -> str:
        """What the tool says it does."""
        text = self.definition.get("description")
        return text if isinstance(text, str) else ""

    @property
    def annotations(self) -> Mapping[str, Any]:
        """What the tool says of its effects; only hints, and {} when it says nothing."""
        said = self.definition.get("annotations")
        return said if isinstance(said, Mapping) else {}

    @property
    def may_destroy(self) -> bool:
        """Whether it says that it destroys things, or, by MCP's default, does not say that it does not."""
        said = self.annotations
        return said.get("readOnlyHint") is not True and said.get("destructiveHint") is not False

    @property
    def is_idempotent(self) -> bool:
        """Whether it says that a call may be made again without harm."""
        return self.annotations.get("readOnlyHint") is True or self.annotations.get("idempotentHint") is True

    @property
    def call(self) -> Mapping[str, Any]:
        """How an operation of an API is called (docs/format.md: Calls); {} where the provider says all."""
        if self._call is None:
            row = self.artifact.row("SELECT call FROM tool WHERE id = ?", self.id)
            try:
                self._call = json.loads(row[0]) if row and row[0] else {}
            except UNREADABLE:
                self._call = None
            if not isinstance(self._call, Mapping):
                raise CorruptArtifact(f"{self.artifact.path}: no call of {self.path}", hint="compile it again")
        return self._call

    @property
    def signatures(self) -> tuple[overload.Signature, ...]:
        """The ways of calling it, as overload resolution compares them."""
        if self._signatures is None:
            from . import overload

            self._signatures = tuple(
                overload.Signature(
                    tuple(
                        overload.Param(param.name, overload.from_code(param.code), param.required)
                        for param in signature.params.values()
                    ),
                    signature.closed,
                )
                for signature in self._catalogue.signatures(self.id)
            )
        return self._signatures

    def validator(self, how: str = "compiled") -> Validator:
        """The compiled checks of its input schema; `how` "jsonschema" names the whole of JSON Schema instead."""
        found = self._validators.get(how)
        if found is None:
            from .validation import compile_schema, full_check

            found = (full_check if how == "jsonschema" else compile_schema)(self.input_schema)
            self._validators[how] = found
        return found

    def hold(self, tool: AddedTool) -> None:
        """Take the facts from a tool that is in no artifact."""
        from .overlay import fingerprints

        self._definition = tool.definition
        self._facts = fingerprints(tool)

    def _read(self) -> tuple[str, str, str]:
        if self._facts is None:
            row = self.artifact.row(
                "SELECT tool.fingerprint, tool.schema_fingerprint, provider.version FROM tool"
                " JOIN provider ON provider.id = tool.provider WHERE tool.id = ?",
                self.id,
            )
            if row is None:
                raise CorruptArtifact(f"{self.artifact.path}: no tool {self.path}", hint="compile it again")
            self._facts = (row[0], row[1], row[2])
        return self._facts


class ProxyTable:
    """The proxies of one artifact, by path."""

    def __init__(self, artifact: Artifact, catalogue: Catalogue, added: Iterable[AddedTool] = ()) -> None:
        self._artifact = artifact
        self._catalogue = catalogue
        self._added = {tool.path: tool for tool in added}
        self._proxies: dict[str, ToolProxy] = {}

    def get(self, path: str) -> ToolProxy:
        """The tool "P/N"; raises UnknownTool."""
        proxy = self._proxies.get(path)
        if proxy is None:
            proxy = ToolProxy(self._artifact, self._catalogue, path)
            if path in self._added:
                proxy.hold(self._added[path])
            if len(self._proxies) >= _KEPT:
                self._proxies.clear()
            self._proxies[path] = proxy
        return proxy
