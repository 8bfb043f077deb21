"""`smallchatc cache`: what earlier compiles left for later ones."""

from __future__ import annotations

import click


@click.group(name="cache")
def cache_command() -> None:
    """What compiles keep for the next one: readings, words and vectors, by content.

    It lies in $SMALLCHAT_CACHE_DIR, else in smallchat of the user's cache folder ($XDG_CACHE_HOME). It may be
    deleted at any time, and holds at most 256 MB: what was not asked for longest goes first.
    """


@cache_command.command(name="info")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def info_command(as_json: bool) -> int:
    """Show where the cache is and what it holds."""
    from smallchatc.cache import MAX_BYTES, Cache, cache_folder
    from smallchatc.render import cached as render

    with Cache(cache_folder()) as cache:
        render.show(cache.path, cache.kinds(), limit=MAX_BYTES, notes=cache.notes, as_json=as_json)
    return 0


@cache_command.command(name="clear")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def clear_command(as_json: bool) -> int:
    """Delete the cache."""
    from smallchatc.cache import cache_folder, clear
    from smallchatc.render import cached as render

    render.show_cleared(cache_folder(), clear(cache_folder()), as_json=as_json)
    return 0
