"""`smallchatc verify`: is this artifact whole, and do its sources still give it?"""

from __future__ import annotations

from pathlib import Path

import click

from .params import ARTIFACT, cache_option, open_cache


@click.command(name="verify")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@click.option(
    "--teacher-model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the teacher's weights.",
)
@cache_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify_command(
    artifact: Path, sources: tuple[str, ...], teacher_model: Path | None, no_cache: bool, as_json: bool
) -> int:
    """Recompute an artifact's digest, compare it with its lock, and say whether SOURCE... still give it.

    The sources are compiled in memory with the artifact's own settings and encoder; servers are not asked. Where
    the teacher made the vectors and is not here, those of the lock are taken, or of the artifact itself, and it
    says so. Exit 1 when the lock or the sources say otherwise, 2 when the artifact is not whole.
    """
    from smallchatc.render import locked as render
    from smallchatc.render.compiled import show_notes
    from smallchatc.verify import verify

    with open_cache(off=no_cache) as cache:
        verified = verify(artifact, sources, cache=cache, teacher_model=teacher_model)
    show_notes(cache.notes)
    render.show_verified(verified, as_json=as_json)
    return 0 if verified.ok else 1
