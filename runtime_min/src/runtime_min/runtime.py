"""The runtime: an artifact that messages are sent to.

    resolve   said before? -> meant before? -> learned? -> the artifact's own answer (resolver.py) -> corrections, pins
    dispatch  resolve -> clear? run it (dispatch.py) -> unclear? the chain (chain.py)

What a reload replaces is one value, `snapshot`; all else (cache, pins, what is bound and learned) is the host's and
stays.
"""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence

from . import asking, forking
from .artifact import Artifact, open_artifact
from .cache import ResolutionCache
from .catalogue import Catalogue
from .confidence import Cuts
from .errors import ArtifactError
from .made_once import if_made, made_once
from .named import TYPE_CHECKING
from .namespaces import SelectorNamespaces
from .pins import IntentPins
from .proof import Tier
from .resolution import Resolution
from .resolver import DEFAULT_K
from .snapshot import Snapshot

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Self, Unpack

    from .confirmation import Confirm
    from .connections import Connections
    from .dispatch import Bound
    from .encoder import Encoder
    from .events import Event, ToolResult
    from .imps import ImpTable
    from .learned import LearnedState
    from .objects import SCToolReference
    from .overlay import AddedTool, Overlay
    from .proof import Option
    from .ratelimit import RateLimit
    from .reload import Watch
    from .semantic_map import Choice
    from .sending import Dispatching, Sending
    from .sync import SyncRuntime
    from .trust import Allow


class ToolRuntime:
    """Answers intents with one artifact. Thread-safe; opening does no work beyond the header.

    `disambiguator(intent, options)` and `decomposer(intent)` are the host's ports to a model; both optional.
    """

    def __init__(
        self,
        artifact: Artifact,
        *,
        cuts: Cuts | None = None,
        validate: str = "compiled",
        timeout: float | None = None,
        rate_limit: RateLimit | None = None,
        watch: float | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        if validate not in ("compiled", "jsonschema"):
            raise ValueError(f"validate is 'compiled' or 'jsonschema', not {validate!r}")
        self.own_cuts = cuts
        self.added: tuple[AddedTool, ...] = ()
        self.own_encoder = encoder
        self.snapshot = Snapshot(artifact, cuts, encoder=encoder)
        self.cache = ResolutionCache()
        self.pins = IntentPins()
        self.namespaces = SelectorNamespaces()
        self.ready: dict[str, Bound] = {}
        self.validate = validate
        self.timeout = timeout
        self.disambiguator: Callable[[str, Sequence[Option]], Any] | None = None
        self.decomposer: Callable[[str], Sequence[str]] | None = None
        self.confirm: Confirm | None = None
        """Asked before every tool that may destroy something, unless a message brings its own; see `dispatch`."""
        self._lock = threading.RLock()
        if rate_limit is not None:
            self.rate_limit = rate_limit
        self.reload_error: ArtifactError | None = None
        """Why a replaced file was not taken, when the runtime watches."""
        self._watch: Watch | None = None
        if watch is not None:
            from .reload import Watch

            self._watch = Watch(artifact.path, watch)
        forking.watch(self)

    @classmethod
    def open(cls, path: str | os.PathLike[str], **options: Any) -> ToolRuntime:
        """The runtime of the artifact at `path`; raises an ArtifactError that says what is wrong with it.

        Options: cuts (thresholds other than the artifact's), validate ("compiled", or "jsonschema" for every
        keyword), timeout (seconds a tool may be silent), rate_limit (of clients), watch (look for a replaced file at
        most every so many seconds), encoder (a model in the student's place, encoder.py; EncoderMismatch when its
        vectors lie in another space).
        """
        return cls(open_artifact(path), **options)

    def resolve(
        self,
        intent: str,
        args: Mapping[str, Any] | None = None,
        *,
        k: int = DEFAULT_K,
        among: Iterable[str] | None = None,
        client: str | None = None,
    ) -> Resolution:
        """The tool an intent means, `k` candidates, and how sure that is; never raises on any text.

        `args` are arguments that come with the intent: tools whose signatures cannot take them are left out.
        `among` limits the choice to these tools ("P/N"); an unknown one raises UnknownTool. A `client` that asks
        too often is refused with RateLimited.
        """
        if client is not None:
            self.rate_limit.check(client)
        if self._watch is not None and self._watch.changed():
            self._reload_unasked()
        limit = None if among is None else tuple(among)
        said = intent if not args and limit is None and k == DEFAULT_K else asking.said_key(intent, args, k, limit)
        found = self.cache.said(said)
        return found if found is not None else asking.ask(self, intent, args, k, limit, said)

    def resolve_anew(
        self,
        intent: str,
        args: Mapping[str, Any] | None = None,
        *,
        k: int = DEFAULT_K,
        among: Iterable[str] | None = None,
    ) -> Resolution:
        """The same, past the cache."""
        return asking.answer(self, self.snapshot, intent, args, k, None if among is None else tuple(among))

    def dispatch(
        self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]
    ) -> Coroutine[Any, Any, ToolResult]:
        """Resolve, then run: the tool's result, or a result that asks which tool is meant. Raises DispatchError.

        Arguments are checked against the tool's schema. `args=None` sends the intent alone and checks nothing;
        `{}` says that there are no arguments. `among`, `client`: as `resolve`. `confirm(tool, args)` is asked before a
        tool that says that it destroys things, or says nothing of it; Declined unless the answer, which may be awaited,
        is true. `timeout`: the seconds a tool may be silent.
        """
        sent: Coroutine[Any, Any, ToolResult] = self._core.dispatch(self, intent, args, **how)
        return sent

    def dispatch_stream(
        self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]
    ) -> AsyncGenerator[Event]:
        """The same as events: resolving, tool-start, chunks or inference deltas, done; or error. Closing it stops
        the tool, and the tool waits while nobody asks for the next event."""
        events: AsyncGenerator[Event] = self._core.dispatch_stream(self, intent, args, **how)
        return events

    def inference_stream(
        self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]
    ) -> AsyncGenerator[str]:
        """Only the text of the tool, as it comes; nothing when no tool is clear. Raises DispatchError."""
        texts: AsyncGenerator[str] = self._core.texts(self.dispatch_stream(intent, args, **how))
        return texts

    def send(
        self, path: str, args: Mapping[str, Any] | None = None, **how: Unpack[Sending]
    ) -> Coroutine[Any, Any, ToolResult]:
        """Run the tool "P/N" itself; raises DispatchError."""
        sent: Coroutine[Any, Any, ToolResult] = self._core.send(self, path, args, **how)
        return sent

    def send_stream(
        self, path: str, args: Mapping[str, Any] | None = None, **how: Unpack[Sending]
    ) -> AsyncGenerator[Event]:
        """The same as events, those of `dispatch_stream` without the resolving."""
        events: AsyncGenerator[Event] = self._core.send_stream(self, path, args, **how)
        return events

    def connect(
        self,
        allow: Allow | None = None,
        *,
        env: Mapping[str, str] = os.environ,
        providers: Iterable[str] | None = None,
        deferred: bool = False,
        **options: Any,
    ) -> Connections:
        """Let the providers answer as the artifact records how they are reached; what is bound still comes first.

        Nothing is started, contacted or read of `env` before a tool is called, and nothing ever that is not allowed:
        by `allow`, else by the user's own record of this digest (`smallchatc trust DB`). Raises NotTrusted with all
        that is missing; `deferred`: instead, each call does. `providers` connects only these. Options: base_urls (by
        provider, in place of the recorded ones), timeout (seconds a tool may be silent where its provider says
        nothing; 120), limit (calls of one provider at once; 16), changed (called with a provider whose server says
        that its tools have changed).
        """
        from .connections import Connections
        from .trust import Gate

        made = Connections(Gate(allow, env), providers=providers, **options)
        if not deferred:
            made.admit(self.artifact)
        with self._lock:
            former, self.imps.connections = self.imps.connections, made
            self.ready = {}
        if former is not None:
            former.close_soon()
        return made

    def bind(self, path: str, target: Any, *, signature: Any = None) -> Any:
        """Let a function, or an object with a tier of execution, answer for a tool; what did so before, or None.

        With `signature` (overload.Signature) it answers for arguments that fit it best, beside others.
        """
        from .transports.local import imp_of

        self.snapshot.proxy(path)
        imp = imp_of(target)
        if signature is not None:
            from .imps import Overloaded

            imp = Overloaded.beside(self.imps.bound(path), signature, imp)
        return self._replace(path, imp)

    def bind_provider(self, provider: str, source: Any) -> Any:
        """Let a transport, or an object or mapping with functions of the tools' names, answer for a provider."""
        self.snapshot.classes.get(provider)
        former = self.imps.put_provider(provider, source)
        self.ready = {}
        return former

    def swizzle(self, path: str, target: Any) -> Any:
        """Replace what answers for a tool while it runs, and return what did; None unbinds. Raises UnknownTool, or
        NamespaceViolation for a protected selector."""
        from .transports.local import imp_of

        selector = self.snapshot.proxy(path).selector
        self.namespaces.check_swizzle(selector, "swizzle")
        former = self._replace(path, None if target is None else imp_of(target))
        self.cache.flush_selector(selector)
        return former

    def overlay(self, tools: Iterable[Mapping[str, Any]], *, provider: str = "overlay") -> Overlay:
        """Lay tools (`name`, `description`, `inputSchema` as in tools/list) over the artifact until `remove` of what is
        returned. Raises BadTool, or NamespaceViolation for a protected selector; then nothing is added."""
        from .overlay import lay

        with self._lock:
            return lay(self, tools, provider)

    def pin(self, path: str, *, aliases: Iterable[str] = (), elevated: bool = False) -> None:
        """Let only its own names and these aliases reach a tool; `elevated`: also what is nearly one of them."""
        self.pins.pin(path, [*self.snapshot.names(path), *aliases], elevated=elevated)
        self.cache.flush()

    def unpin(self, path: str) -> None:
        """Lift a pin."""
        self.pins.unpin(path)
        self.cache.flush()

    def admits(self, path: str, intent: str) -> bool:
        """Whether pins let this intent reach this tool."""
        return not self.pins or self.pins.admits(path, intent, self.snapshot.similarity)

    def can_handle(self, intent: str) -> bool:
        """respondsToSelector: whether this message would be understood by some tool."""
        if self.resolve(intent).tier is not Tier.NONE:
            return True
        receiver, _, name = intent.strip().replace("/", ".", 1).partition(".")
        return any(cls.can_handle(name) for cls in self.snapshot.classes.receivers(receiver))

    def reference(self, path: str) -> SCToolReference:
        """A tool as a value: another tool can be given it, and send to it."""
        from .objects import SCToolReference

        self.snapshot.proxy(path)
        return SCToolReference(path, self.send)

    def generate_header(self, budget: int = 2000) -> str:
        """The capability summary for a system prompt, within so many tokens; equal for equal artifacts."""
        from .header import generate_header

        return generate_header(self.snapshot, budget)

    @made_once
    def learned(self) -> LearnedState:
        """What the runtime has learned: `save`, `load`, `merge`, `reset`, the map and the observer."""
        from .learned import LearnedState

        return LearnedState(
            lambda path: self.snapshot.fingerprint(path), lambda: self.artifact.digest, self.cache.flush
        )

    def resolve_refinement(self, intent: str, choice: str) -> Choice:
        """Learn that this intent meant this option, given by tool or by selector; raises UnknownTool.

        From now on the identical intent resolves to it before any search, and similar ones lean towards it.
        """
        from .teaching import learn

        return learn(self, intent, choice)

    def correct(self, intent: str, wrong: str, right: str | None = None) -> None:
        """Learn that a tool was the wrong answer to an intent, and which was right, if that is known."""
        from .teaching import correct

        correct(self, intent, wrong, right)

    def reload(self) -> list[str]:
        """Open the file again, if another has taken its place; notes on what no longer holds. Messages under way end
        on the old artifact. Raises ArtifactError and keeps the old one when the new file is not sound."""
        from .reload import reload

        with self._lock:
            return reload(self)

    @made_once
    def imps(self) -> ImpTable:
        """What answers for the tools."""
        from .imps import ImpTable

        return ImpTable()

    @made_once
    def sync(self) -> SyncRuntime:
        """The same without async, on a private loop thread."""
        from .sync import SyncRuntime

        return SyncRuntime(self)

    @made_once
    def rate_limit(self) -> RateLimit:
        """What holds clients back; 600 questions a minute unless the host says otherwise."""
        from .ratelimit import RateLimit

        return RateLimit()

    @made_once
    def _core(self) -> ModuleType:
        """dispatch.py, and with it asyncio: nothing that a resolve should pay for."""
        from . import dispatch

        return dispatch

    @property
    def artifact(self) -> Artifact:
        """The artifact that answers now."""
        return self.snapshot.artifact

    @property
    def catalogue(self) -> Catalogue:
        """Its tools."""
        return self.snapshot.catalogue

    @property
    def cuts(self) -> Cuts:
        """Its thresholds."""
        return self.snapshot.cuts

    async def aclose(self) -> None:
        """End what `connect` opened and wait for it, then `close`."""
        if self._connections is not None:
            await self._connections.close()
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def close(self) -> None:
        """End the sync loop, if there is one, and this thread's connection to the file; what `connect` opened on other
        loops is told to end."""
        if (sync := if_made(self, "sync")) is not None:
            sync.close()
        if self._connections is not None:
            self._connections.close_soon()
        self.artifact.close()

    @property
    def _connections(self) -> Connections | None:
        imps: ImpTable | None = if_made(self, "imps")
        return None if imps is None else imps.connections

    def _reload_unasked(self) -> None:
        try:
            self.reload()
            self.reload_error = None
        except ArtifactError as err:  # the old artifact goes on answering until a sound file is there
            self.reload_error = err

    def _replace(self, path: str, imp: Any) -> Any:
        former = self.imps.put(path, imp)
        self.ready = {}
        return former
