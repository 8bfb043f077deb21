"""Snapshot: one opened artifact with everything that is read from it; what a reload replaces as a whole.

Immutable to its users: a message that begins on a snapshot ends on it, whatever happens meanwhile. What only some
messages need is made when first asked for.
"""

from __future__ import annotations

from .errors import UnknownTool
from .named import TYPE_CHECKING
from .resolver import Resolver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .artifact import Artifact
    from .classes import ClassTable
    from .confidence import Cuts
    from .encoder import Encoder
    from .overlay import AddedTool
    from .proxy import ProxyTable, ToolProxy
    from .selectors import SelectorTable


class Snapshot:
    """An artifact, its resolver, its classes, selectors and tools."""

    def __init__(
        self,
        artifact: Artifact,
        cuts: Cuts | None = None,
        added: Sequence[AddedTool] = (),
        on: Snapshot | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        """`added` lie on top of the artifact's tools; `on` is one of the same artifact, with what it has read."""
        self.artifact = artifact
        self.base: Resolver = Resolver(artifact) if on is None else on.base
        if cuts is not None:
            self.base.cuts = cuts
        if encoder is not None:
            from .encoder import check_space

            check_space(artifact, encoder)
            self.base.encoder = encoder
        self.added = tuple(added)
        self.resolver = self.base
        if added:
            from .overlay import lay_over

            self.resolver = lay_over(self.base, added)
        self.catalogue = self.resolver.catalogue
        self.cuts = self.resolver.cuts
        self.vocabulary = self.resolver.vocabulary
        self._proxies: ProxyTable | None = None
        self._classes: ClassTable | None = None
        self._selectors: SelectorTable | None = None

    def proxy(self, path: str) -> ToolProxy:
        """The tool "P/N"; raises UnknownTool."""
        if self._proxies is None:
            from .proxy import ProxyTable

            self._proxies = ProxyTable(self.artifact, self.catalogue, self.added)
        return self._proxies.get(path)

    @property
    def classes(self) -> ClassTable:
        """The tool classes."""
        if self._classes is None:
            from .classes import ClassTable

            self._classes = ClassTable(self.artifact, [(tool.provider, tool.name, tool.path) for tool in self.added])
        return self._classes

    @property
    def selectors(self) -> SelectorTable:
        """The selector table."""
        if self._selectors is None:
            from .selectors import SelectorTable

            self._selectors = SelectorTable(self.artifact, self.catalogue, self.vocabulary)
        return self._selectors

    def fingerprint(self, path: str) -> str | None:
        """What a tool is now; None when there is none of this name."""
        try:
            return self.proxy(path).fingerprint
        except UnknownTool:
            return None

    def similarity(self, one: str, other: str) -> float:
        """How alike two texts are."""
        return self.selectors.similarity(one, other)

    def names(self, path: str) -> list[str]:
        """All literal names of a tool: path, selector, aliases, and its bare name where no other tool has it."""
        tool = self.catalogue.tool_id(path)
        added = next((one for one in self.added if one.path == path), None)
        if added is not None:
            from .overlay import names_of

            keys = list(names_of(added))
        else:
            rows = self.artifact.rows("SELECT DISTINCT key FROM name WHERE tool = ? ORDER BY key", tool)
            keys = [row[0] for row in rows]
        mine = [key for key in keys if set(self.catalogue.named(key)) == {tool}]
        return [*mine, path, self.catalogue.entry(tool).selector]
