"""What diff is given becomes an artifact: a file, one of a git revision (`REV:PATH`), or sources compiled in memory."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from runtime_min.artifact import Artifact, open_artifact
from runtime_min.errors import ArtifactMissing
from runtime_min.identity import SUFFIX

from ..memory import open_rows
from ..pipeline import compile_sources
from ..settings import Wanted

_ENCODERS = ("small", "base")


@contextmanager
def open_given(name: str, *, like: Artifact | None = None) -> Iterator[Artifact]:
    """The artifact, verified; sources are compiled with the encoder of `like`, so that only they are compared.

    Raises what opening an artifact, reading sources and asking git raise.
    """
    path = Path(name)
    if path.exists():
        with _open_path(path, like) as artifact:
            yield artifact
        return
    revision, colon, inside = name.partition(":")
    if not colon or not revision or revision.startswith("-"):
        raise ArtifactMissing(
            f"{name}: no such file", hint="name an artifact, a source, or REV:PATH of a git repository"
        )
    with TemporaryDirectory(prefix="smallchat-") as folder:
        copy = Path(folder) / PurePosixPath(inside).name
        copy.write_bytes(_of_revision(revision, inside))
        with _open_path(copy, like) as artifact:
            yield artifact


@contextmanager
def _open_path(path: Path, like: Artifact | None) -> Iterator[Artifact]:
    if path.is_file() and path.name.endswith(SUFFIX):
        with closing(open_artifact(path)) as artifact:
            artifact.verify()
            yield artifact
        return
    maker = like.meta.get("tool_encoder", "").partition("@")[0] if like is not None else ""
    wanted = Wanted(encoder=maker if maker in _ENCODERS else None)
    tables = compile_sources([path], settings=wanted).image.tables
    with closing(open_rows(tables, dict(map(tuple, tables["meta"])))) as artifact:
        yield artifact


def _of_revision(revision: str, inside: str) -> bytes:
    """The bytes of a file in a revision; `./` is this folder, as git says it."""
    asked = f"{revision}:{inside}"
    try:
        run = subprocess.run(["git", "show", "--no-textconv", asked], capture_output=True, check=False)
    except FileNotFoundError as err:
        raise ArtifactMissing(f"{asked}: git is not installed", hint="name a file instead") from err
    if run.returncode:
        said = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ").partition("\n")[0]
        raise ArtifactMissing(f"{asked}: git says: {said}", hint="name a revision that has it")
    return run.stdout
