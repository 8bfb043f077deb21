"""Case text: a request and its tool become the lines of a tests file, as a person would write them."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"\.?[A-Za-z](?:[A-Za-z0-9 ,._/()-]*[A-Za-z0-9._/)])?")
_NOT_TEXT = frozenset("y yes n no on off true false null .nan .inf".split())


def case_text(intent: str, tool: str) -> str:
    """One case; "" is no tool."""
    return f"- intent: {yaml_text(intent)}\n  expect: {yaml_text(tool) if tool else '[]'}"


def yaml_text(text: str) -> str:
    """A text in YAML, bare where nobody could read it as something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    import yaml

    return yaml.safe_dump(text, default_style='"', allow_unicode=True, width=1_000_000).strip()
