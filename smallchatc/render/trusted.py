"""Trust as text: what an artifact asks for, line by line, and what is trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from . import bold, dim, plain, table
from .document import print_json

if TYPE_CHECKING:
    from runtime_min.access import Access
    from runtime_min.artifact import Artifact


def show_access(artifact: Artifact, needed: Sequence[Access], *, trusted: bool, as_json: bool) -> None:
    """Print every command, URL and variable."""
    if as_json:
        asks = [access.to_dict() for access in needed]
        print_json({"artifact": artifact.path.name, "digest": artifact.digest, "trusted": trusted, "asks": asks})
        return
    click.echo(f"{bold(plain(artifact.path.name))}  {dim(f'digest {artifact.digest[:12]}')}")
    if not needed:
        click.echo("It starts nothing, contacts nobody and reads no variable.")
    for access in needed:
        click.echo(f"{bold(plain(access.provider))}  {dim(plain(access.kind))}")
        lines = [("run", access.command)] if access.command else []
        lines += [("contact", url) for url in access.urls]
        lines += [("read", f"${name}") for name in access.variables]
        click.echo(table([(dim(what), plain(text)) for what, text in lines]))


def show_trusted(artifact: Artifact, *, as_json: bool) -> None:
    """Say that it is recorded."""
    if not as_json:
        click.echo(f"trusted: {artifact.digest[:12]}; take it back: smallchatc trust --revoke {artifact.digest[:12]}")


def show_list(known: Mapping[str, str], *, as_json: bool) -> None:
    """Print the digests that are trusted."""
    if as_json:
        print_json({"trusted": [{"digest": digest, "artifact": name} for digest, name in known.items()]})
    elif known:
        click.echo(table([(digest[:12], plain(name)) for digest, name in known.items()], indent=0))
    else:
        click.echo("nothing is trusted", err=True)


def show_revoked(said: str, digest: str | None) -> None:
    """Say whether there was trust to take back."""
    if digest is None:
        click.echo(f"{plain(said)} is not trusted, or stands for several digests", err=True)
    else:
        click.echo(f"no longer trusted: {digest[:12]}")
