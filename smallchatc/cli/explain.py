"""`smallchatc explain`: what does this rule mean?"""

from __future__ import annotations

import click


@click.command(name="explain")
@click.argument("rule", metavar="RULE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def explain_command(rule: str, as_json: bool) -> int:
    """Explain a rule of docs/rules.md, with a bad and a good example.

    RULE is what stands in brackets after a finding, or after a change that diff names.
    """
    from smallchatc.diagnostics import nearest_name
    from smallchatc.diff.kinds import KINDS
    from smallchatc.render.document import print_json
    from smallchatc.render.explained import explained_dict, explained_text
    from smallchatc.rules import RULES

    slug = rule.strip().strip("[]")
    if slug in KINDS:
        kind = KINDS[slug]
        if as_json:
            print_json({"slug": slug, "level": kind.level, "meaning": kind.meaning, "hint": kind.hint})
        else:
            click.echo("\n\n".join(filter(None, [f"{slug}  diff: {kind.level}", kind.meaning.capitalize(), kind.hint])))
        return 0
    if slug not in RULES:
        near = nearest_name(slug, [*RULES, *KINDS]) or "docs/rules.md and docs/diff.md list them"
        raise click.UsageError(f"there is no rule '{slug}'; {near}")
    if as_json:
        print_json(explained_dict(RULES[slug]))
    else:
        click.echo(explained_text(RULES[slug]))
    return 0
