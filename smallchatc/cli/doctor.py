"""`smallchatc doctor`: is everything here, and what would each extra add?"""

from __future__ import annotations

import click


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def doctor_command(as_json: bool) -> int:
    """Show what is installed, what each extra would add and what SQLite can do here. Exit 1 when a need is unmet."""
    from smallchatc.doctor import examine
    from smallchatc.render.document import print_json
    from smallchatc.render.examined import show

    told = examine()
    if as_json:
        print_json(told)
    else:
        show(told)
    return 0 if told["ok"] else 1
