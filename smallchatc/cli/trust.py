"""`smallchatc trust`: what would this artifact start, contact and read, and may it?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .params import ARTIFACT


@click.command(name="trust")
@click.argument("artifact", type=ARTIFACT, metavar="DB", required=False)
@click.option("-y", "--yes", is_flag=True, help="Trust it without being asked.")
@click.option("--list", "listing", is_flag=True, help="Show what is trusted.")
@click.option("--revoke", metavar="DB|DIGEST", help="Take trust back.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document; trusts nothing without --yes.")
def trust_command(artifact: Path | None, yes: bool, listing: bool, revoke: str | None, as_json: bool) -> int:
    """Show every command, URL and variable that an artifact names, and record that it may have them.

    What is recorded is the artifact's digest, in your own configuration folder: another artifact, or the same one
    compiled from something else, asks again. Nothing is started here. Exit 1 when it is not trusted afterwards.
    """
    from runtime_min.access import access_of
    from runtime_min.artifact import open_artifact
    from runtime_min.trust import is_trusted, trust, trusted
    from runtime_min.trust import revoke as take_back
    from smallchatc.render import trusted as render

    if (artifact is not None) + listing + (revoke is not None) != 1:
        raise click.UsageError("give a DB, --list or --revoke")
    if listing:
        known = trusted()
        render.show_list(known, as_json=as_json)
        return 0 if known else 1
    if revoke is not None:
        digest = open_artifact(revoke).digest if Path(revoke).exists() else revoke
        gone = take_back(digest)
        render.show_revoked(revoke, gone)
        return 0 if gone else 1
    assert artifact is not None
    opened = open_artifact(artifact)
    needed = [access for access in access_of(opened).values() if access.asks]
    known_already = is_trusted(opened)
    render.show_access(opened, needed, trusted=known_already or yes, as_json=as_json)
    if known_already or not needed:
        return 0
    if not yes:
        if as_json:
            return 1
        if not sys.stdin.isatty():
            raise click.UsageError("there is nobody to ask; give --yes once you have read the above")
        if not click.confirm("Trust it?", default=False, err=True):
            return 1
    trust(opened)
    render.show_trusted(opened, as_json=as_json)
    return 0
