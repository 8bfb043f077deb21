"""Job: one request to compile becomes an artifact, or the news that it is the one that is there already.

`compile` runs one, `watch` one after the other. Loads the pipeline only when there is something to do.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime_min.errors import SmallchatError

from . import remembered
from .cache import Cache
from .folders import project_files

if TYPE_CHECKING:
    from .lock import Difference, Lock
    from .parse import Project
    from .pipeline import Compiled, Progress
    from .servers import Tell
    from .servers.kept import KeptServers
    from .settings import Wanted


class NoOutput(SmallchatError):
    """Neither the request nor a project file says where the artifact goes."""

    code = "no-output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is asked for. `sources` and `references` are as they were given."""

    sources: tuple[str, ...]
    references: tuple[str, ...] = ()  # Python functions, to be imported
    output: Path | None = None  # None: as the project file says
    encoder: str | None = None
    teacher_model: Path | None = None
    overload_threshold: float | None = None
    keep_going: bool = False
    strict: bool = False
    allow_failed: bool = False
    offline: bool = False
    timeout_s: float = 120.0
    fail_fast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of it: the artifact's place (None: nothing was written), and what there is to tell of it."""

    out: Path | None
    size: int
    code: int  # the exit code
    told: Mapping[str, Any] | None = None  # as it was told the first time: nothing has changed since
    compiled: Compiled | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Whether a lock still holds."""

    lock: Path
    changed: Sequence[Difference] | None  # since it was written; None: there is no lock
    unapplied: Path | None  # a project file beside the lock that these sources were not read through


def unchanged(job: Job, cache: Cache, *, stdin: bytes | None = None) -> Done | None:
    """What came of the same job before, where that still holds; it takes a look and a hash of every file."""
    if job.references:
        return None
    told = remembered.recall(cache, _key(job, stdin))
    return None if told is None else Done(out=Path(told["artifact"]), size=told["bytes"], code=0, told=told)


def run(
    job: Job,
    cache: Cache,
    *,
    stdin: bytes | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
    kept: KeptServers | None = None,
) -> Done:
    """Compile and write; raises CompileError with every fault that forbids an artifact.

    Servers are asked and left again, but where they are `kept`.
    """
    from .lock import lock_place, write_lock
    from .pipeline import Asking, compile_sources
    from .write import check_target, write_artifact

    asking = Asking(environment=os.environ, timeout_s=job.timeout_s, fail_fast=job.fail_fast, tell=tell)
    if kept is not None:
        asking = replace(asking, by=kept.ask)
    if job.output is not None:
        check_target(job.output)
    compiled = compile_sources(
        [*job.sources, *_recorded(job.references)],
        settings=_wanted(job),
        stdin=stdin,
        keep_going=job.keep_going,
        allow_failed=job.allow_failed,
        asking=None if job.offline else asking,
        cache=cache,
        last_lock=lambda project: _last_lock(job, project, cache),
        progress=progress,
    )
    if job.strict and any(item.severity != "note" for item in compiled.diagnostics):
        return Done(out=None, size=0, code=2, compiled=compiled)
    out = job.output or output_of(compiled.project)
    written = write_artifact(compiled.image, out)
    place = lock_place(out)
    lock_digest = write_lock(compiled.lock, place)
    code = 1 if any(item.severity == "error" for item in compiled.diagnostics) else 0
    if code == 0 and compiled.seen is not None:
        told = {**told_of(compiled, out=out, size=written.size), "up_to_date": True, "seconds": {}}
        remembered.remember(
            cache,
            _key(job, stdin),
            told=told,
            seen=compiled.seen,
            written={os.path.abspath(out): written.digest, os.path.abspath(place): lock_digest},
            teacher=compiled.teacher,
        )
    return Done(out=out, size=written.size, code=code, compiled=compiled)


def check(job: Job, cache: Cache, *, stdin: bytes | None = None, tell: Tell | None = None) -> Checked:
    """What has changed since the lock was written. Embeds nothing."""
    from .lock import differences, lock_place, read_lock
    from .pipeline import Asking, read_sources, take_stock

    asking = Asking(environment=os.environ, timeout_s=job.timeout_s, fail_fast=job.fail_fast, tell=tell)
    parsed = read_sources(
        [*job.sources, *_recorded(job.references)],
        stdin=stdin,
        keep_going=job.keep_going,
        allow_failed=job.allow_failed,
        asking=None if job.offline else asking,
        cache=cache,
    )
    place = lock_place(job.output or output_of(parsed.project))
    lock = read_lock(place)
    now = None if lock is None else take_stock(parsed, settings=_wanted(job), lock=lock)
    beside = project_files(place.parent) if parsed.project is None else []
    return Checked(
        lock=place,
        changed=None if lock is None or now is None else differences(lock, now),
        unapplied=beside[0] if beside else None,
    )


def told_of(compiled: Compiled, *, out: Path | None, size: int) -> dict[str, Any]:
    """The document of `--json` (DESIGN 4.1)."""
    from .diagnostics import to_dict

    tables = compiled.image.tables
    meta: dict[str, str] = dict(map(tuple, tables["meta"]))
    return {
        "artifact": None if out is None else str(out),
        "digest": meta["digest"],
        "bytes": size,
        "up_to_date": False,
        "providers": len(tables["provider"]),
        "tools": len(tables["tool"]),
        "selectors": len(tables["selector"]),
        "overloads": len(tables.get("overload", ())),
        "collisions": len(tables.get("collision", ())),
        "duplicates": len(tables.get("duplicate", ())),
        "encoder": meta["encoder"],
        "tool_encoder": meta.get("tool_encoder", meta["encoder"]),
        "diagnostics": [to_dict(item) for item in compiled.diagnostics],
        "seconds": {stage: round(seconds, 3) for stage, seconds in compiled.seconds.items()},
    }


def _key(job: Job, stdin: bytes | None) -> bytes:
    request = {
        **asdict(job),
        "sources": [remembered.absolute(source) for source in job.sources],
        "output": str(job.output and os.path.abspath(job.output)),
        "as": [str(job.output), os.getcwd() if job.output is None else ""],  # how it is told
        "stdin": hashlib.sha256(stdin).hexdigest() if stdin is not None else "",
    }
    return remembered.request_key(request)


def _recorded(references: tuple[str, ...]) -> list[Any]:
    """The functions that the request names; only they are ever imported."""
    if not references:
        return []
    from .local import record_functions

    return [record_functions(reference) for reference in references]


def _wanted(job: Job) -> Wanted:
    from .settings import Wanted

    return Wanted(encoder=job.encoder, teacher_model=job.teacher_model, overload_threshold=job.overload_threshold)


def _last_lock(job: Job, project: Project | None, cache: Cache) -> Lock | None:
    """The lock that will be replaced; one that cannot be read is replaced all the same."""
    from .lock import BrokenLock, lock_place, read_lock

    try:
        return read_lock(lock_place(job.output or output_of(project)))
    except (BrokenLock, OSError) as err:
        cache.notes.append(f"{err}; it is written anew")
        return None


def output_of(project: Project | None) -> Path:
    """Where the project file says that the artifact goes."""
    if project is None or project.output is None or project.folder is None:
        raise NoOutput(
            "nothing says where the artifact goes", hint="name it with --output, or as `output` in smallchat.yaml"
        )
    return project.folder / project.output
