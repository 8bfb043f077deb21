"""Watch: sources that change become an artifact that follows them, round by round.

What the operating system reports only wakes the watcher; whether anything has changed is asked of the files, as
`compile` does. So an editor's dance of renames, a touch or a file that nobody reads costs a look and says nothing.
A round that fails leaves the last good artifact in place.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from runtime_min.errors import ArtifactError, SmallchatError

from .cache import Cache
from .diagnostics import CompileError
from .diff import Diff, diff_artifacts
from .folders import OURS, PROJECT_NAMES, is_hidden
from .job import Done, Job, run, unchanged
from .model import Diagnostic
from .servers.kept import KeptServers

if TYPE_CHECKING:
    from runtime_min.artifact import Artifact

QUIET_MS = 200
"""A burst of changes is over after so long without one; a half-written file is rarely left alone for longer."""
LONGEST_MS = 2000
"""And is compiled in the middle after so long: a storm costs a compile every two seconds, no more."""
LOOK_MS = 1000  # how often the watched folders themselves are looked at: one may be gone, or back

_TEMPORARY = ("~", ".tmp", ".swp", ".swx", ".part", ".crdownload")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round that did something: an artifact (and what changed since the last), or why there is none."""

    number: int
    done: Done | None = None
    diff: Diff | None = None  # None: there was no artifact before
    diagnostics: Sequence[Diagnostic] = ()
    failure: str = ""  # "": it did not fail
    notes: Sequence[str] = ()
    seconds: float = 0.0


def watch(job: Job, *, cache_folder: Path | None, tell: Callable[[Round], None], stop: Event | None = None) -> None:
    """Compile, and again whenever the sources are not as they were; until `stop` is set or it is interrupted."""
    stop = stop or Event()
    last, out = Round(number=0), job.output
    with KeptServers() as kept:
        for _ in _wakes(job, stop, kept.changed):
            # As it was is worth a word at the start, and when what was wrong is gone.
            say_same = not last.number or bool(last.failure)
            each = _round(job, last.number + 1, cache_folder, kept, out=out, say_same=say_same)
            if each is None or (_is_same(last, each) and not say_same):
                continue
            if each.failure and each.failure == last.failure:
                continue
            last = each
            out = each.done.out if each.done is not None and each.done.out is not None else out
            tell(each)


def _is_same(last: Round, each: Round) -> bool:
    """Whether a round that had to compile to know it (a server lists some of its tools) found nothing new."""
    same = each.diff is not None and each.diff.old == each.diff.new
    return same and (last.failure, last.diagnostics) == (each.failure, each.diagnostics)


def _round(
    job: Job, number: int, cache_folder: Path | None, kept: KeptServers, *, out: Path | None, say_same: bool
) -> Round | None:
    """What came of looking; None when it is as it was and nobody needs to hear it. `out` is where the artifact lies."""
    started = time.perf_counter()
    with Cache(cache_folder) as cache:
        done = unchanged(job, cache)
        if done is not None:
            kept.ask((), environment={})  # nothing that asks a server is ever unchanged
            return Round(number=number, done=done, notes=cache.notes) if say_same else None
        try:
            before = _opened(out)
            done = run(job, cache, kept=kept)
            diff = _diff(before, done)
        except CompileError as err:
            return Round(number=number, diagnostics=err.diagnostics, failure=str(err), notes=cache.notes)
        except SmallchatError as err:
            return Round(number=number, failure=f"{err}; {err.hint}" if err.hint else str(err), notes=cache.notes)
        except OSError as err:
            where = f"{err.filename}: " if err.filename else ""
            return Round(number=number, failure=f"{where}{(err.strerror or str(err)).lower()}", notes=cache.notes)
    seconds = time.perf_counter() - started
    failure = "" if done.out else "nothing written: --strict takes warnings for errors"
    said = done.compiled.diagnostics if done.compiled else ()
    return Round(
        number=number,
        done=done,
        diff=diff,
        diagnostics=said,
        failure=failure,
        notes=cache.notes,
        seconds=seconds,
    )


def _opened(out: Path | None) -> Artifact | None:
    """The artifact that will be replaced. It stays readable after that."""
    from runtime_min.artifact import open_artifact

    try:
        return open_artifact(out) if out is not None else None
    except (ArtifactError, OSError):
        return None


def _diff(before: Artifact | None, done: Done) -> Diff | None:
    from runtime_min.artifact import open_artifact

    if before is None:
        return None
    with closing(before):
        if done.out is None:
            return None
        with closing(open_artifact(done.out)) as after:
            return diff_artifacts(before, after, impact=False)


def _wakes(job: Job, stop: Event, news: Event) -> Iterator[None]:
    """A turn at the start, whenever something changed, and once after the watched folders became others.

    `news` of servers count as a change; they are looked for once a second.
    """
    import watchfiles

    yield
    while not stop.is_set():
        folders = _identities(job)
        looked = False
        for changes in watchfiles.watch(
            *folders,
            watch_filter=lambda _, path: _counts(path),
            debounce=LONGEST_MS,
            step=QUIET_MS,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
            stop_event=stop,
        ):
            # What changed before the watching began is found by a look in the first quiet moment.
            if changes or not looked or news.is_set():
                looked = looked or not changes
                yield
            if _identities(job) != folders:
                break


def _counts(path: str) -> bool:
    """Whether a change of this path may matter: not our own files, nor what editors leave beside theirs."""
    name = os.path.basename(path)
    ours = name.endswith(OURS)
    return not ours and not is_hidden(name) and not name.endswith(_TEMPORARY)


def _identities(job: Job) -> dict[str, int]:
    """The folders to watch, and which ones they are: a folder that was made again is another one."""
    found: dict[str, int] = {}
    for folder in _folders(job.sources):
        try:
            found[str(folder)] = folder.stat().st_ino
        except OSError:
            continue
    return found


def _folders(sources: Iterable[str]) -> Iterator[Path]:
    """Each source's folder and the one above, where its own going and coming is seen, and all below a folder."""
    for source in sources:
        place = Path(os.path.abspath(source))
        yield from _existing(place.parent)
        whole = place if place.is_dir() else place.parent if place.name in PROJECT_NAMES else None
        if whole is None:
            continue
        for folder, below, _ in os.walk(whole):
            below[:] = [name for name in below if not is_hidden(name)]
            yield Path(folder)


def _existing(folder: Path) -> Iterator[Path]:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    yield folder
