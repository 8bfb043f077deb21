"""One JSON document on stdout."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click


def print_json(document: Any) -> None:
    """Print a value as JSON: indented, any script readable, nothing that JSON does not know."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    # A lone surrogate is legal in JSON's escapes and nowhere else.
    click.echo(text if _encodable(text) else json.dumps(document, indent=2, allow_nan=False))


def write_json(path: Path, document: Any) -> None:
    """Write a value as JSON into a file."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except UnicodeEncodeError:
        path.write_text(f"{json.dumps(document, indent=2, allow_nan=False)}\n", encoding="utf-8")


def _encodable(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeError:
        return False
    return True
