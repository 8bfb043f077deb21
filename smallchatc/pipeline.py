"""Pipeline: sources become a linked image. The only module that knows the order of the stages."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__, embed, index
from .cache import Cache
from .calibrate import STUDENT, TEACHER, calibrate
from .cluster import cluster_overloads
from .diagnostics import CompileError, apply_lint, diagnostic, sort_diagnostics, spared, stops
from .encoders import Absent, Encoder, choose_encoder
from .encoders.student import Student, load_student
from .encoders.teacher import EncoderUnavailable, Teacher
from .ignores import Ignored, apply_ignores
from .link import link, seal
from .lock import Lock, lock_of, locked_encoder
from .model import Answer, Catalog, Configured, Diagnostic, EncoderId, LinkedImage
from .parse import Opened, Parsed, Project, Recording, open_sources, parse_opened, without_own_secrets
from .recording import recording_files
from .seen import Seen
from .servers import TIMEOUT_S, Tell, ask_servers
from .settings import Settings, Wanted

if TYPE_CHECKING:
    from runtime_min.format import Row

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, the steps done and the steps in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How the servers that the sources name are asked; without one of these none is."""

    environment: Mapping[str, str]  # where their references to variables are looked up
    timeout_s: float = TIMEOUT_S
    fail_fast: bool = False
    tell: Tell | None = None
    by: Callable[..., tuple[Answer, ...]] = ask_servers  # that, or one that takes and gives the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A compile's result: the image, what was said on the way, and how long each stage took."""

    image: LinkedImage
    catalog: Catalog
    project: Project | None
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    seconds: Mapping[str, float] = field(compare=False)
    settings: Settings
    lock: Lock
    teacher: str | None = field(compare=False)  # the file of its weights; "": there was none; None: none was wanted
    seen: Seen | None = field(default=None, compare=False)  # None: not all of what it depends on can be seen again


def compile_sources(
    sources: Sequence[str | Path | Recording],
    *,
    settings: Settings | Wanted,
    stdin: bytes | None = None,
    keep_going: bool = False,
    allow_failed: bool = False,
    asking: Asking | None = None,
    cache: Cache | None = None,
    last_lock: Callable[[Project | None], Lock | None] = lambda _: None,
    progress: Progress | None = None,
) -> Compiled:
    """Parse, embed, cluster and link the sources; raises CompileError with every fault that forbids an image.

    `Settings` are final; `Wanted` leaves what it does not say to the project file. `last_lock` finds
    the lock that was written last: vectors that stand in it are not made again.
    """
    clock = _Clock(progress)
    opened, answers, parsed = _read(
        sources,
        stdin=stdin,
        keep_going=keep_going,
        allow_failed=allow_failed,
        asking=asking,
        cache=cache,
        clock=clock,
    )
    settled = settings.settle(parsed.project) if isinstance(settings, Wanted) else settings
    compiled = _compile(
        parsed, settings=settled, keep_going=keep_going, clock=clock, cache=cache, lock=last_lock(parsed.project)
    )
    live = answers or any(isinstance(source, Recording) for source in sources)
    return compiled if live else replace(compiled, seen=opened.seen)


def read_sources(
    sources: Sequence[str | Path | Recording],
    *,
    stdin: bytes | None = None,
    keep_going: bool = False,
    allow_failed: bool = False,
    asking: Asking | None = None,
    cache: Cache | None = None,
) -> Parsed:
    """The first stage alone: what the sources hold and their servers list."""
    clock = _Clock(None)
    return _read(
        sources,
        stdin=stdin,
        keep_going=keep_going,
        allow_failed=allow_failed,
        asking=asking,
        cache=cache,
        clock=clock,
    )[2]


def _read(
    sources: Sequence[str | Path | Recording],
    *,
    stdin: bytes | None,
    keep_going: bool,
    allow_failed: bool,
    asking: Asking | None,
    cache: Cache | None,
    clock: _Clock,
) -> tuple[Opened, tuple[Answer, ...], Parsed]:
    with clock.stage("parse"):
        opened = open_sources(sources, stdin=stdin)
    answers = asked(opened.to_ask, asking, clock) if asking else ()
    with clock.stage("parse"):
        parsed = parse_opened(opened, answers, keep_going=keep_going, allow_failed=allow_failed, cache=cache)
    return opened, answers, parsed


def compile_parsed(
    parsed: Parsed,
    *,
    settings: Settings | Wanted,
    keep_going: bool = False,
    cache: Cache | None = None,
    lock: Lock | None = None,
    progress: Progress | None = None,
) -> Compiled:
    """The same from sources that are already read."""
    settled = settings.settle(parsed.project) if isinstance(settings, Wanted) else settings
    return _compile(parsed, settings=settled, keep_going=keep_going, clock=_Clock(progress), cache=cache, lock=lock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A snapshot's result: a file for each server that listed its tools, by name, and what was said on the way."""

    files: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...]


def record_servers(
    sources: Sequence[str | Path], *, asking: Asking, stdin: bytes | None = None, allow_failed: bool = False
) -> Recorded:
    """The servers that the sources name, asked and recorded; raises CompileError where a source cannot be read."""
    opened = open_sources(sources, stdin=stdin)
    if stops(opened.said):
        raise CompileError(opened.said)
    answers = asked(opened.to_ask, asking, _Clock(None))
    said = [*opened.said, *(d for answer in answers for d in answer.said)]
    if not opened.to_ask:
        said.append(diagnostic("no-servers", "none of the sources names a server to ask"))
    if allow_failed:
        said = spared(said)
    recordings = []
    for answer in answers:
        if answer.recording is not None:
            recording, secrets = without_own_secrets(answer.recording)
            recordings.append(recording)
            said += [_became_reference(answer.configured, secret.kind, secret.reference) for secret in secrets]
    return Recorded(files=recording_files(recordings), diagnostics=sort_diagnostics(said))


def _became_reference(configured: Configured, kind: str, reference: str) -> Diagnostic:
    message = f"{configured.label}: what looks like a credential ({kind}) became {reference}"
    return diagnostic("secret-value", message, span=configured.span)


def asked(servers: Sequence[Configured], asking: Asking, clock: _Clock) -> tuple[Answer, ...]:
    """The answers of live servers; with `fail_fast`, the first failure ends it all."""
    with clock.stage("ask") if servers else nullcontext():
        answers = asking.by(
            servers,
            environment=asking.environment,
            timeout_s=asking.timeout_s,
            fail_fast=asking.fail_fast,
            tell=asking.tell,
        )
    failed = [d for answer in answers if answer.recording is None for d in answer.said]
    if asking.fail_fast and failed:
        raise CompileError(failed)
    return answers


def compile_catalog(catalog: Catalog, *, settings: Settings, progress: Progress | None = None) -> Compiled:
    """The same from a catalog that is already there."""
    parsed = Parsed(catalog=catalog, project=None, diagnostics=())
    return compile_parsed(parsed, settings=settings, progress=progress)


def compile_variant(
    compiled: Compiled, catalog: Catalog, *, encoders: tuple[Encoder, Student], pieces: Container[str], cache: Cache
) -> Mapping[str, tuple[Row, ...]]:
    """The rows of a catalogue that differs in words from a compiled one, for texts that are read in these pieces.

    What was measured of the compiled one (calibration, cuts) holds, so that nothing but the words makes a difference.
    `cache` is for variants that are read in the same pieces, and for nothing else.
    """
    encoder, student = encoders
    settings = compiled.settings
    embedded = embed.embed_catalog(catalog, encoder, cache=cache)
    clustered = cluster_overloads(embedded, threshold=settings.overload_threshold, dedup=settings.dedup_threshold)
    indexed = index.build_index(embedded, student, cache, only=pieces)
    meta = {**dict(map(tuple, compiled.image.tables["meta"])), **indexed.meta}
    return link(clustered, extra=indexed.tables, meta=meta)[0].tables


def _compile(
    parsed: Parsed,
    *,
    settings: Settings,
    keep_going: bool,
    clock: _Clock,
    cache: Cache | None = None,
    lock: Lock | None = None,
) -> Compiled:
    with clock.stage("embed"):
        encoder, student = encoders_of(settings, lock)
        locked = lock.vectors if lock else {}
        report = clock.steps("embed")
        try:
            embedded = embed.embed_catalog(parsed.catalog, encoder, cache=cache, locked=locked, progress=report)
        except EncoderUnavailable:  # its weights cannot be loaded, or a vector is not among those that are locked
            if settings.encoder != "auto" or settings.teacher_model is not None:
                raise
            encoder = student
            embedded = embed.embed_catalog(parsed.catalog, encoder, cache=cache, progress=report)
    with clock.stage("cluster"):
        clustered = cluster_overloads(embedded, threshold=settings.overload_threshold, dedup=settings.dedup_threshold)
    with clock.stage("index"):
        indexed = index.build_index(embedded, student, cache)
    with clock.stage("calibrate"):
        sure = STUDENT if encoder.id == student.id else TEACHER
        calibrated = calibrate(indexed.tables, indexed.meta, parsed.catalog.tools, sure=sure)
    with clock.stage("link"):
        meta = {
            **describe_settings(settings, student=student, tools_by=encoder.id),
            **indexed.meta,
            **calibrated,
        }
        image, said = link(clustered, extra=indexed.tables, meta=meta)
    kept, ignored = apply_ignores(said, parsed.catalog)
    said = apply_lint(kept, parsed.project.lint if parsed.project else {})
    diagnostics = sort_diagnostics((*parsed.diagnostics, *said))
    if stops(said) and not keep_going:
        raise CompileError(diagnostics)
    sealed = seal(image)
    made = lock_of(
        parsed.catalog,
        setting_facts(settings),
        student=student.id,
        tools_by=encoder.id,
        vectors=map(embed.grid_bytes, embedded.vectors),
    )
    return Compiled(
        image=sealed,
        catalog=parsed.catalog,
        project=parsed.project,
        diagnostics=diagnostics,
        ignored=(*parsed.ignored, *ignored),
        seconds=clock.seconds,
        settings=settings,
        lock=replace(made, artifact=dict(map(tuple, sealed.tables["meta"]))["digest"]),
        teacher=_teacher_of(settings, encoder),
    )


def _teacher_of(settings: Settings, encoder: Encoder) -> str | None:
    if isinstance(encoder, Teacher):
        return str(encoder.weights)
    return "" if settings.encoder == "auto" else None


def encoders_of(settings: Settings, lock: Lock | None) -> tuple[Encoder, Student]:
    """Who embeds the tools, and who will embed intents. Where the teacher is not here, its locked vectors do."""
    encoder = choose_encoder(settings.encoder, model=settings.teacher_model)
    student = load_student("small" if settings.encoder == "small" else "base")
    if settings.encoder == "auto" and encoder is student and lock is not None:
        known = locked_encoder(lock, student.id)
        if known is not None:
            return Absent(id=known, space=student.space), student
    return encoder, student


def take_stock(parsed: Parsed, *, settings: Settings | Wanted, lock: Lock | None) -> Lock:
    """The lock that a compile of these sources would write, but for what only the artifact tells."""
    settled = settings.settle(parsed.project) if isinstance(settings, Wanted) else settings
    encoder, student = encoders_of(settled, lock)
    return lock_of(parsed.catalog, setting_facts(settled), student=student.id, tools_by=encoder.id)


def setting_facts(settings: Settings) -> dict[str, str]:
    """What was asked for, as the artifact and the lock record it."""
    return {
        "dedup_threshold": str(settings.dedup_threshold),
        "embed_rule": embed.RULE,
        "overload_threshold": str(settings.overload_threshold),
    }


def describe_settings(settings: Settings, *, student: Student, tools_by: EncoderId) -> Mapping[str, str]:
    """The meta rows: what the artifact was made with, nothing of when or where."""
    return {
        **setting_facts(settings),
        "compiler": __version__,
        "encoder": str(student.id),
        "space": student.space,
        "tool_encoder": str(tools_by),
    }


class _Clock:
    """Times stages for the report; nothing of it reaches the image."""

    def __init__(self, progress: Progress | None) -> None:
        self.seconds: dict[str, float] = {}
        self._progress = progress

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        if self._progress:
            self._progress(name, 0, 1)
        yield
        if self._progress:
            self._progress(name, 1, 1)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started

    def steps(self, name: str) -> Callable[[int, int], None] | None:
        progress = self._progress
        return (lambda done, total: progress(name, done, total)) if progress else None
