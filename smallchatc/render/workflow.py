"""Workflow commands: what GitHub Actions and its kin read from a log and show beside the lines of a change."""

from __future__ import annotations

import os
from pathlib import Path


def workflow_command(level: str, text: str, *, title: str, place: tuple[str, int, int] | None = None) -> str:
    """One command, on one line; `level` is error, warning or notice, `place` a file as checkouts have it."""
    where = f"file={_property(_in_checkout(place[0]))},line={place[1]},col={place[2]}," if place else ""
    return f"::{level} {where}title={_property(title)}::{_data(text)}"


def _in_checkout(file: str) -> str:
    """A file that is called from the current folder, from the root of the checkout: runners know no other place."""
    root, here = os.environ.get("GITHUB_WORKSPACE"), Path.cwd()
    if not root or not here.is_relative_to(Path(root).resolve()) or Path(file).is_absolute():
        return file
    return (here.relative_to(Path(root).resolve()) / file).as_posix()


def called(path: Path) -> str:
    """A file as it is called from the current folder, which is what checkouts show."""
    place, here = path.resolve(), Path.cwd()
    return place.relative_to(here).as_posix() if place.is_relative_to(here) else path.as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
