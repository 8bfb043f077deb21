"""Pipeline: sources become a linked image. The only module that knows the order of the stages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from . import __version__, embed, index
from .calibrate import calibrate
from .cluster import cluster_overloads
from .diagnostics import CompileError, apply_lint, has_errors, sort_diagnostics
from .encoders import choose_encoder
from .encoders.student import Student, load_student
from .ignores import Ignored, apply_ignores
from .link import link, seal
from .model import Catalog, ClusteredCatalog, Diagnostic, LinkedImage
from .parse import Parsed, Project, Recording, parse_sources
from .settings import Settings, Wanted

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, the steps done and the steps in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A compile's result: the image, what was said on the way, and how long each stage took."""

    image: LinkedImage
    catalog: Catalog
    project: Project | None
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    seconds: Mapping[str, float] = field(compare=False)


def compile_sources(
    sources: Sequence[str | Path | Recording],
    *,
    settings: Settings | Wanted,
    stdin: bytes | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Compiled:
    """Parse, embed, cluster and link the sources; raises CompileError with every fault that forbids an image.

    `Settings` are final; `Wanted` leaves what it does not say to the project file.
    """
    clock = _Clock(progress)
    with clock.stage("parse"):
        parsed = parse_sources(sources, stdin=stdin, keep_going=keep_going)
    settled = settings.settle(parsed.project) if isinstance(settings, Wanted) else settings
    return _compile(parsed, settings=settled, keep_going=keep_going, clock=clock)


def compile_parsed(
    parsed: Parsed, *, settings: Settings | Wanted, keep_going: bool = False, progress: Progress | None = None
) -> Compiled:
    """The same from sources that are already read."""
    settled = settings.settle(parsed.project) if isinstance(settings, Wanted) else settings
    return _compile(parsed, settings=settled, keep_going=keep_going, clock=_Clock(progress))


def compile_catalog(catalog: Catalog, *, settings: Settings, progress: Progress | None = None) -> Compiled:
    """The same from a catalog that is already there."""
    parsed = Parsed(catalog=catalog, project=None, diagnostics=())
    return compile_parsed(parsed, settings=settings, progress=progress)


def _compile(parsed: Parsed, *, settings: Settings, keep_going: bool, clock: _Clock) -> Compiled:
    with clock.stage("embed"):
        encoder = choose_encoder(settings.encoder, model=settings.teacher_model)
        student = load_student("small" if settings.encoder == "small" else "base")
        embedded = embed.embed_catalog(parsed.catalog, encoder, progress=clock.steps("embed"))
    with clock.stage("cluster"):
        clustered = cluster_overloads(embedded, threshold=settings.overload_threshold, dedup=settings.dedup_threshold)
    with clock.stage("index"):
        indexed = index.build_index(embedded, student)
    with clock.stage("calibrate"):
        calibrated = calibrate(indexed.tables, indexed.meta, parsed.catalog.tools)
    with clock.stage("link"):
        meta = {
            **describe_settings(clustered, student=student, settings=settings),
            **indexed.meta,
            **calibrated,
        }
        image, said = link(clustered, extra=indexed.tables, meta=meta)
    kept, ignored = apply_ignores(said, parsed.catalog)
    said = apply_lint(kept, parsed.project.lint if parsed.project else {})
    diagnostics = sort_diagnostics((*parsed.diagnostics, *said))
    if has_errors(said) and not keep_going:
        raise CompileError(diagnostics)
    return Compiled(
        image=seal(image),
        catalog=parsed.catalog,
        project=parsed.project,
        diagnostics=diagnostics,
        ignored=(*parsed.ignored, *ignored),
        seconds=clock.seconds,
    )


def describe_settings(clustered: ClusteredCatalog, *, student: Student, settings: Settings) -> Mapping[str, str]:
    """The meta rows: what the artifact was made with, nothing of when or where."""
    return {
        "compiler": __version__,
        "dedup_threshold": str(settings.dedup_threshold),
        "embed_rule": embed.RULE,
        "encoder": str(student.id),
        "overload_threshold": str(clustered.threshold),
        "space": student.space,
        "tool_encoder": str(clustered.embedded.encoder),
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
        self.seconds[name] = time.perf_counter() - started

    def steps(self, name: str) -> Callable[[int, int], None] | None:
        progress = self._progress
        return (lambda done, total: progress(name, done, total)) if progress else None
