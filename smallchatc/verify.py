"""Verify: an artifact and its sources become the answer whether the ones still give the other.

What it says of itself is recomputed from its rows; its sources are compiled again with what it was made with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from runtime_min import format as fmt
from runtime_min.artifact import Artifact, open_artifact

from .cache import Cache
from .embed import tool_views, vector_key
from .lock import Difference, Lock, differences, lock_place, read_lock
from .model import EncoderId
from .parse import Parsed
from .pipeline import compile_parsed, encoders_of, read_sources
from .settings import settings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was found; an artifact that is not whole is an error and comes to no answer."""

    artifact: Path
    digest: str
    lock: Path | None  # None: there is none beside it
    lock_agrees: bool | None
    sources_give: str | None  # a digest; None where no sources were given
    borrowed: str  # the encoder that is not here, whose vectors were taken from the artifact
    changed: tuple[Difference, ...]  # from the lock, where there is one
    tables: tuple[str, ...]  # that come out otherwise

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against it."""
        return self.lock_agrees is not False and self.sources_give in (None, self.digest)


def verify(path: Path, sources: Sequence[str], *, cache: Cache, teacher_model: Path | None = None) -> Verified:
    """Whether an artifact is whole, its lock is its own, and these sources give it. Asks no server."""
    with closing(open_artifact(path)) as artifact:
        artifact.verify()
        place = lock_place(path)
        lock = read_lock(place)
        said = Verified(
            artifact=path,
            digest=artifact.digest,
            lock=place if lock else None,
            lock_agrees=lock.artifact == artifact.digest if lock else None,
            sources_give=None,
            borrowed="",
            changed=(),
            tables=(),
        )
        return _against(said, artifact, lock, sources, cache, teacher_model) if sources else said


def _against(
    said: Verified,
    artifact: Artifact,
    lock: Lock | None,
    sources: Sequence[str],
    cache: Cache,
    teacher_model: Path | None,
) -> Verified:
    parsed = read_sources(sources, cache=cache)
    settings = settings_of(artifact.meta, teacher_model=teacher_model)
    encoder, student = encoders_of(settings, lock)
    borrowed = "" if str(encoder.id) == artifact.meta["tool_encoder"] else artifact.meta["tool_encoder"]
    if borrowed:
        lock = _borrowed(artifact, parsed, student.id)
    compiled = compile_parsed(parsed, settings=settings, keep_going=True, cache=cache, lock=lock)
    tables = tuple(
        table.name
        for table in fmt.TABLES
        if _meaning(table, artifact.rows(f"SELECT * FROM {table.name}"))
        != _meaning(table, compiled.image.tables[table.name])
    )
    return Verified(
        artifact=said.artifact,
        digest=said.digest,
        lock=said.lock,
        lock_agrees=said.lock_agrees,
        sources_give=compiled.lock.artifact,
        borrowed=borrowed,
        changed=tuple(differences(lock, compiled.lock)) if lock and said.lock and not borrowed else (),
        tables=tables if compiled.lock.artifact != said.digest else (),
    )


def _borrowed(artifact: Artifact, parsed: Parsed, student: EncoderId) -> Lock:
    """The artifact's own vectors as a lock would have them, under the texts that the sources say now."""
    name, _, rest = artifact.meta["tool_encoder"].partition("@")
    made_by = EncoderId(name=name, dim=student.dim, fingerprint=rest.partition("/")[2])
    known = {
        (provider, tool): vector
        for provider, tool, vector in artifact.rows(
            "SELECT p.name, t.name, v.vector FROM profile v JOIN tool t ON t.id = v.tool"
            " JOIN provider p ON p.id = t.provider"
        )
    }
    several = len(parsed.catalog.providers) > 1
    vectors = {
        vector_key(made_by, tool_views(tool, provider=several)): known[tool.provider, tool.name]
        for tool in parsed.catalog.tools
        if (tool.provider, tool.name) in known
    }
    encoders: Mapping[tuple[str, str], str] = {
        ("encoder", "intents"): f"{student.name}:{student.fingerprint}",
        ("encoder", "tools"): f"{made_by.name}:{made_by.fingerprint}",
    }
    return Lock(facts=encoders, vectors=vectors)


def _meaning(table: fmt.Table, rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The rows in their order, without those that say nothing of what an artifact means."""
    kept = [tuple(row) for row in rows if table.row is not fmt.Meta or row[0] not in ("digest", "compiler")]
    return sorted(kept, key=lambda row: row[: table.keys])  # type: ignore[type-var, unused-ignore]
