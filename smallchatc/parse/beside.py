"""The files beside a source: what it may refer to, read once each, and nothing outside its folder.

A reference is a path relative to the file it stands in. What has a scheme or a host is never fetched; what leads
out of the source root, through `..`, an absolute path or a link, is not opened.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

from .documents import MAX_BYTES, Documents, read_documents
from .text import NotText, decode

MAX_FILES = 2000
"""Files that the sources of one compile may bring in by reference."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why a file is not read: a slug of the rules, and the reason in words."""

    slug: str
    reason: str


class Files:
    """Files by their place, shared by all sources of a compile."""

    def __init__(self) -> None:
        self._read: dict[str, Documents | Refused] = {}
        self._bytes = 0
        self.digests: dict[str, str] = {}  # by real place; "" where nothing could be read

    def documents(self, root: Path | None, path: str) -> Documents | Refused:
        """The documents of the file at `path`, relative to `root`."""
        if root is None:
            return Refused(slug="ref-outside", reason="standard input has no folder")
        place = root / path
        real = os.path.realpath(place)
        known = self._read.get(real)
        if known is None:
            known = self._read[real] = self._open(Path(real), root)
        return known

    def has_read(self, place: Path | None) -> bool:
        """Whether a source referred to this file."""
        return place is not None and isinstance(self._read.get(os.path.realpath(place)), Documents)

    def _open(self, place: Path, root: Path) -> Documents | Refused:
        if not place.is_relative_to(os.path.realpath(root)):
            return Refused(slug="ref-outside", reason="it leads out of the folder")
        self.digests[str(place)] = ""
        if not place.is_file():
            return Refused(slug="unresolved-ref", reason="there is no such file")
        if len(self._read) >= MAX_FILES or self._bytes > MAX_BYTES:
            return Refused(slug="unresolved-ref", reason="too many files are referred to")
        try:
            with place.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError:
            return Refused(slug="unresolved-ref", reason="it cannot be read")
        self._bytes += len(data)
        self.digests[str(place)] = hashlib.sha256(data).hexdigest()
        text = decode(data) if len(data) <= MAX_BYTES else None
        if text is None or isinstance(text, NotText):
            return Refused(slug="unresolved-ref", reason="it is no text that can be read")
        documents = read_documents(text)
        if not documents.documents:
            return Refused(slug="unresolved-ref", reason=documents.faults[0].message)
        return documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A source's own place: its path below a root, and the files there."""

    path: str
    root: Path | None
    files: Files

    def documents(self, path: str) -> Documents | Refused:
        """The documents of another file below the root."""
        return self.files.documents(self.root, path)


def beside_path(base: str, reference: str) -> str | Refused:
    """The path, relative to the root, that a reference in the file `base` means."""
    if _SCHEME.match(reference):
        return Refused(slug="ref-remote", reason="it is never fetched")
    if "\0" in reference:
        return Refused(slug="unresolved-ref", reason="there is no such file")
    plain = reference.replace("\\", "/")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), plain))
    if plain.startswith("/") or path == ".." or path.startswith("../"):
        return Refused(slug="ref-outside", reason="it leads out of the folder")
    return path
