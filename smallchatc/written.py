"""Pages become the pages of a folder: old ones are replaced, left over ones removed, those of others left alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .replacing import replace_text


def replace_pages(folder: Path, pages: Mapping[str, str], *, mark: str, check: bool) -> tuple[list[Path], list[Path]]:
    """What was (with `check`: would be) written or removed, and what stands in the way; then nothing is written.

    A page is ours when it begins with the mark.
    """
    there = {path.name: path for path in sorted(folder.glob("*.md"))} if folder.is_dir() else {}
    texts = {name: _text(path) for name, path in there.items()}
    ours = {name for name, text in texts.items() if text.startswith(mark)}
    in_the_way = [folder / name for name in pages if name in there and name not in ours]
    if in_the_way:
        return [], in_the_way
    new = [name for name, text in pages.items() if texts.get(name) != text]
    old = sorted(ours - pages.keys())
    if not check:
        for name in new:
            replace_text(folder / name, pages[name])
        for name in old:
            there[name].unlink()
    return [folder / name for name in sorted({*new, *old})], []


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
