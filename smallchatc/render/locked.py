"""What `compile --check` and `verify` print: what is not as it was compiled, a line each."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from . import bold, count, plain
from .document import print_json

if TYPE_CHECKING:
    from smallchatc.job import Checked
    from smallchatc.lock import Difference
    from smallchatc.verify import Verified

_SHORT = 12


def show_check(checked: Checked, *, as_json: bool) -> None:
    """Print whether a lock is stale, or that there is none."""
    place, changed = checked.lock, checked.changed
    if as_json:
        stale = changed is None or bool(changed)
        print_json({"lock": str(place), "stale": stale, "differences": [asdict(each) for each in changed or ()]})
        return
    if changed is None:
        click.echo(f"{plain(str(place))}: there is no lock; compile writes one")
    elif not changed:
        click.echo(f"{bold(plain(str(place)), 'green')}  up to date")
    else:
        click.echo("\n".join(map(difference_text, changed)))
        click.echo(f"{plain(str(place))} is stale: {count(len(changed), 'difference')}; compile again")
        if checked.unapplied is not None:
            name = plain(str(checked.unapplied))
            click.echo(f"{name} was not read: what it says does not hold where a SOURCE is named", err=True)


def show_verified(verified: Verified, *, as_json: bool) -> None:
    """Print whether an artifact is whole, and whether its lock and its sources say the same."""
    if as_json:
        print_json(_verified_dict(verified))
        return
    lines = [f"{bold(plain(str(verified.artifact)))}  digest {verified.digest[:_SHORT]}: whole"]
    if verified.lock is not None:
        says = "is of this artifact" if verified.lock_agrees else "is of another artifact"
        lines.append(f"{plain(str(verified.lock))} {says}")
    if verified.borrowed:
        lines.append(f"the vectors are its own: {plain(verified.borrowed)} is not here to make them again")
    if verified.sources_give is not None:
        lines += [difference_text(each) for each in verified.changed]
        lines += [f"table {name} differs" for name in verified.tables]
        lines.append(
            "the sources give this artifact"
            if verified.sources_give == verified.digest
            else f"the sources give another artifact, digest {verified.sources_give[:_SHORT]}"
        )
    click.echo("\n".join(lines))


def difference_text(each: Difference) -> str:
    """One difference in words."""
    name = f"{each.kind} {plain(each.name)}"
    if not each.before:
        return f"{name} is new"
    if not each.after:
        return f"{name} is gone"
    if each.kind in ("compiler", "setting", "encoder"):
        return f"{name} is {_told(each.after)}, was {_told(each.before)}"
    return f"{name} has changed"


def _told(value: str) -> str:
    name, colon, digest = value.partition(":")
    return plain(f"{name} {digest[:_SHORT]}" if colon else value)


def _verified_dict(verified: Verified) -> dict[str, Any]:
    return {
        "artifact": str(verified.artifact),
        "digest": verified.digest,
        "whole": True,
        "lock": str(verified.lock) if verified.lock else None,
        "lock_agrees": verified.lock_agrees,
        "sources_give": verified.sources_give,
        "vectors_borrowed_from": verified.borrowed or None,
        "differences": [asdict(each) for each in verified.changed],
        "tables": list(verified.tables),
        "ok": verified.ok,
    }
