"""Overlay: tools that a host adds at run time lie on top of an artifact, and are taken off again.

They are read by the student that reads intents, scored beside the artifact's tools by the same formula, and have
numbers after theirs. Nothing is written: an overlay lives as long as the runtime, and follows it through a reload.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import verbs
from .cache import fingerprint
from .catalogue import Catalogue, Entry, Param, Signature
from .errors import SmallchatError
from .identity import term_key
from .lexicon import STOP, canonical, stem, terms, words
from .named import NamedTuple
from .resolver import Resolver
from .scoring import MIDDLE, Profile, Scorer
from .similarity import vector_of
from .snapshot import Snapshot
from .words import Term, Vocabulary, Word

if TYPE_CHECKING:
    from .runtime import ToolRuntime

MAX_TOOLS = 256
"""All of them are scored for every intent; what is more belongs into an artifact."""

_LETTERS = {"string": "s", "number": "n", "integer": "n", "boolean": "b", "null": "z", "object": "o", "array": "a"}
_K1 = 1.2  # of BM25F, as in the compiler; the average length is not known here
_FIELDS = (("name", 3.0), ("provider", 1.0), ("description", 1.0), ("arguments", 1.0))


class AddedTool(NamedTuple):
    """A tool of an overlay, as the host gave it."""

    provider: str
    name: str
    definition: Mapping[str, Any]

    @property
    def path(self) -> str:
        """The tool as provider/name."""
        return f"{self.provider}/{self.name}"

    @property
    def selector(self) -> str:
        """Its canonical name."""
        return f"{self.provider}.{self.name}"


class Overlay:
    """Tools laid over a runtime's artifact; `remove` takes them off."""

    def __init__(self, runtime: ToolRuntime, tools: tuple[AddedTool, ...]) -> None:
        self._runtime = runtime
        self.tools = tools

    @property
    def paths(self) -> list[str]:
        """The tools, as "P/N"."""
        return [tool.path for tool in self.tools]

    def remove(self) -> None:
        """Take the tools off again, and unbind them."""
        runtime = self._runtime
        with runtime._lock:
            for path in self.paths:
                runtime.imps.put(path, None)
            _relay(runtime, tuple(tool for tool in runtime.added if tool not in self.tools))

    def __enter__(self) -> Overlay:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class BadTool(SmallchatError):
    """What was given is no tool, or its name is taken."""

    code = "bad-tool"


def lay(runtime: ToolRuntime, tools: Iterable[Mapping[str, Any]], provider: str) -> Overlay:
    """Lay tools over a runtime's artifact, all of them or none."""
    found = read_tools(tools, provider)
    taken = [tool.path for tool in found if runtime.snapshot.fingerprint(tool.path) is not None]
    check_names([*taken, *(tool.path for tool in runtime.added)], found)
    for tool in found:
        runtime.namespaces.check(tool.selector, provider)
    _relay(runtime, (*runtime.added, *found))
    return Overlay(runtime, found)


def _relay(runtime: ToolRuntime, added: tuple[AddedTool, ...]) -> None:
    runtime.added = added
    runtime.snapshot = Snapshot(runtime.artifact, runtime.own_cuts, added, runtime.snapshot)
    runtime.ready = {}
    runtime.cache.flush()


def read_tools(tools: Iterable[Mapping[str, Any]], provider: str) -> tuple[AddedTool, ...]:
    """The tools of an overlay: each a mapping with `name`, `description`, `inputSchema` as in MCP's tools/list."""
    if not provider or "/" in provider or provider != provider.strip():
        raise BadTool(f"{provider!r} is no provider's name", hint='a name holds no "/" and no blanks around it')
    found = []
    for tool in tools:
        name = tool.get("name") if isinstance(tool, Mapping) else None
        if not isinstance(name, str) or not name.strip():
            raise BadTool(f"a tool of {provider!r} has no name", hint="give it a name, as in tools/list")
        found.append(AddedTool(provider, name, dict(tool)))
    return tuple(found)


def check_names(taken: Iterable[str], added: Sequence[AddedTool]) -> None:
    """Refuse tools whose path somebody has already, and too many of them."""
    seen = set(taken)
    for tool in added:
        if tool.path in seen:
            raise BadTool(f"there is a tool {tool.path!r} already", hint="name it otherwise, or swizzle that one")
        seen.add(tool.path)
    if len(added) > MAX_TOOLS:
        raise BadTool(
            f"{len(added)} tools are too many for an overlay", hint=f"compile them; {MAX_TOOLS} may lie on top"
        )


def lay_over(base: Resolver, added: Sequence[AddedTool]) -> Resolver:
    """A resolver of the base's tools and these; what the base has read so far is shared."""
    over = _Over(base, added)
    resolver = Resolver.__new__(Resolver)
    resolver.__dict__.update(base.__dict__)
    resolver.catalogue = _Catalogue(base.catalogue, over)
    resolver.vocabulary = _Vocabulary(base.vocabulary, over)
    resolver._scorer = _Scorer(base._scorer, over)
    resolver.added = tuple(range(over.first, over.first + len(added)))
    return resolver


class _Over:
    """Everything about the added tools, by number."""

    def __init__(self, base: Resolver, added: Sequence[AddedTool]) -> None:
        self.first = base.artifact.tools
        self.tools = added
        self.keys: dict[str, str] = {}  # the key of each term that only they have
        row = base.artifact.row("SELECT count(*) FROM term")
        self._next = int(row[0]) if row else 0
        self.entries = [_entry(tool) for tool in added]
        self.signatures = [_signature(tool.definition) for tool in added]
        self.names = [names_of(tool) for tool in added]
        self.profiles = [
            self._profile(base, tool, entry.priority) for tool, entry in zip(added, self.entries, strict=True)
        ]

    def _profile(self, base: Resolver, tool: AddedTool, priority: float) -> Profile:
        vector = _vector(base.vocabulary, tool)
        counts = _counts(tool)
        known = {self._key(base, term): count for term, count in counts.items()}
        shares = {key: min(255, max(1, round(255 * count / (count + _K1)))) for key, count in known.items()}
        verb = next((verbs.VERBS[word] for word in words(tool.name) if verbs.VERBS.get(word)), 0)
        square = sum(value * value for value in vector)
        return Profile(
            tuple(MIDDLE + value for value in vector),
            square,
            square**-0.5 if square else 0.0,
            "".join(shares),
            bytes(shares.values()),
            verb,
            int(verb == verbs.DELETE),
            0,
            priority,
        )

    def _key(self, base: Resolver, term: str) -> str:
        row = base.artifact.row("SELECT key FROM term WHERE term = ?", term)
        if row is not None:
            return str(row[0])
        if term not in self.keys:
            self.keys[term] = term_key(self._next + len(self.keys))
        return self.keys[term]


class _Catalogue(Catalogue):
    def __init__(self, base: Catalogue, over: _Over) -> None:
        self.__dict__.update(base.__dict__)
        self._over = over
        self._numbers = {tool.path: over.first + index for index, tool in enumerate(over.tools)}

    def entry(self, tool: int) -> Entry:
        return super().entry(tool) if tool < self._over.first else self._over.entries[tool - self._over.first]

    def tool_id(self, path: str) -> int:
        number = self._numbers.get(path)
        return super().tool_id(path) if number is None else number

    def signatures(self, tool: int) -> tuple[Signature, ...]:
        if tool < self._over.first:
            return super().signatures(tool)
        return (self._over.signatures[tool - self._over.first],)

    def named(self, key: str) -> dict[int, str]:
        found = super().named(key)
        for index, names in enumerate(self._over.names):
            if key in names:
                found[self._over.first + index] = names[key]
        return found


class _Vocabulary(Vocabulary):
    def __init__(self, base: Vocabulary, over: _Over) -> None:
        self.__dict__.update(base.__dict__)
        self._keys = over.keys
        self._known = {}

    def _met(self, text: str) -> Word:
        word = super()._met(text)
        key = self._keys.get(stem(text.lower())) if self._keys and text.lower() not in STOP else None
        if key is None:
            return word
        if not word.terms:
            return word._replace(terms=(Term(key, "", 0, self._unknown.idf),))
        own = tuple(term if term.key else Term(key, term.near, term.weight, term.idf) for term in word.terms)
        return word._replace(terms=own)


class _Scorer(Scorer):
    def __init__(self, base: Scorer, over: _Over) -> None:
        self.__dict__.update(base.__dict__)
        self._over = over

    def _read(self, tool: int) -> Profile:
        added = tool - self._over.first
        # Beyond all of them: a damaged row names a tool that is nowhere, and the base says so.
        return self._over.profiles[added] if 0 <= added < len(self._over.profiles) else super()._read(tool)


def _entry(tool: AddedTool) -> Entry:
    hints = _hints(tool)
    priority = hints.get("priority", 1.0)
    return Entry(
        tool.path,
        tool.selector,
        float(priority) if isinstance(priority, (int, float)) else 1.0,
        hints.get("preferred") is True,
    )


def names_of(tool: AddedTool) -> dict[str, str]:
    """Canonical texts that mean this tool, and which kind of name each is."""
    aliases = _hints(tool).get("aliases", [])
    named = {canonical(alias): "alias" for alias in aliases if isinstance(alias, str)}
    return {
        **named,
        canonical(tool.name): "name",
        canonical(tool.selector): "selector",
        canonical(tool.path): "path",
    }


def _hints(tool: AddedTool) -> Mapping[str, Any]:
    hints = tool.definition.get("compilerHints")
    return hints if isinstance(hints, Mapping) else {}


def _signature(definition: Mapping[str, Any]) -> Signature:
    """The parameters at the top of an input schema; what it leaves open is any."""
    schema = input_schema(definition)
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return Signature({}, False)
    required = schema.get("required")
    must = set(required) if isinstance(required, list) else set()
    params = {str(name): Param(str(name), _code(below), name in must) for name, below in sorted(properties.items())}
    return Signature(params, schema.get("additionalProperties") is False)


def input_schema(definition: Mapping[str, Any]) -> Any:
    """What a tool's definition says that it takes."""
    return next((definition[key] for key in ("inputSchema", "input_schema", "parameters") if key in definition), {})


def _code(schema: Any) -> str:
    types = schema.get("type") if isinstance(schema, Mapping) else None
    listed = [types] if isinstance(types, str) else types
    if not isinstance(listed, list) or not all(isinstance(name, str) and name in _LETTERS for name in listed):
        return "*"
    return "".join(sorted({_LETTERS[name] for name in listed}))


def _texts(tool: AddedTool) -> dict[str, str]:
    said = tool.definition.get("description")
    properties = input_schema(tool.definition)
    properties = properties.get("properties") if isinstance(properties, Mapping) else None
    return {
        "name": " ".join([tool.name, *(str(alias) for alias in _hints(tool).get("aliases", ()))]),
        "provider": tool.provider,
        "description": re.sub(r"\s+", " ", said[:2000]).strip()[:600] if isinstance(said, str) else "",
        "arguments": " ".join(map(str, properties)) if isinstance(properties, Mapping) else "",
    }


def _counts(tool: AddedTool) -> dict[str, float]:
    counts: dict[str, float] = {}
    texts = _texts(tool)
    for field, weight in _FIELDS:
        for term in terms(texts[field]):
            counts[term] = counts.get(term, 0.0) + weight
    return counts


def _vector(vocabulary: Vocabulary, tool: AddedTool) -> tuple[float, ...]:
    """The direction of a tool's text, as whole numbers up to 127 in lane order, like an artifact's."""
    texts = _texts(tool)
    name = " ".join(words(tool.name))
    sentence = texts["description"].partition(". ")[0]
    views = [
        vector_of(vocabulary, f"{' '.join(words(tool.provider))} {name}: {texts['description'][:400]}"),
        vector_of(vocabulary, f"{name}: {sentence[:200]}"),
    ]
    units = [[(value - MIDDLE) / view.length for value in view.values] for view in views if view.length]
    total = [sum(values) for values in zip(*units, strict=True)]
    largest = max(map(abs, total), default=0.0)
    return tuple(float(round(127 * value / largest)) for value in total) if largest else (0.0,) * 256


def fingerprints(tool: AddedTool) -> tuple[str, str, str]:
    """What a proxy tells of it: of the whole, of the schema, and no provider's version."""
    schema = input_schema(tool.definition)
    return fingerprint(tool.definition), fingerprint(schema if isinstance(schema, Mapping) else {}), ""
