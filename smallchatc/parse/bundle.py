"""An MCP bundle, `.mcpb` or `.dxt`: a zip archive whose manifest.json describes one server, and maybe names its tools.

Only that one file is read, in memory, within limits; nothing is ever extracted. The tools have names and descriptions
and no schemas: the server knows those.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..diagnostics import diagnostic
from ..model import Json, Span
from ..wording import shown
from .described import dicts, no_tools_yet, stdio, with_references
from .documents import Pointer
from .listing import Listing, entries_of, text_at

MANIFEST = "manifest.json"
MAX_MANIFEST = 4 * 1024 * 1024
MAX_RATIO = 200
MAX_FILES = 50_000
_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_ENTRY = b"PK\x01\x02"  # one in the directory of the archive for each file


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """The manifest of a bundle, or why there is none; and what is odd about the archive around it."""

    manifest: bytes | None
    said: tuple[tuple[str, str], ...] = ()  # slug and message


def is_archive(data: bytes) -> bool:
    """Whether this is a zip archive."""
    return data.startswith(_SIGNATURES)


def unpack(data: bytes) -> Unpacked:
    """The manifest.json at the root of an archive that does not ask for more than a manifest needs."""
    if data.count(_ENTRY) > MAX_FILES:
        return _refused(f"the archive lists more than {MAX_FILES} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read_manifest(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError) as err:
        return _refused(f"the archive cannot be read: {str(err) or type(err).__name__}")


def _read_manifest(archive: zipfile.ZipFile) -> Unpacked:
    files = archive.infolist()
    found = [file for file in files if file.filename == MANIFEST]
    if not found:
        return Unpacked(manifest=None, said=(("unrecognised", f"this archive holds no {MANIFEST} at its root"),))
    file = found[0]
    if len(found) > 1:
        return _refused(f"the archive holds {len(found)} files called {MANIFEST}")
    if file.flag_bits & 1:
        return _refused(f"{MANIFEST} is encrypted")
    if stat.S_ISLNK(file.external_attr >> 16):
        return _refused(f"{MANIFEST} is a link")
    if file.file_size > MAX_MANIFEST or file.file_size > MAX_RATIO * max(file.compress_size, 1):
        return _refused(f"{MANIFEST} unpacks to {file.file_size} bytes from {file.compress_size}")
    with archive.open(file) as stream:
        manifest = stream.read(MAX_MANIFEST + 1)  # what the directory says of its size may be untrue
    if len(manifest) > MAX_MANIFEST:
        return _refused(f"{MANIFEST} unpacks to more than {MAX_MANIFEST} bytes")
    leading_out = [each.filename for each in files if _leads_out(each)]
    if not leading_out:
        return Unpacked(manifest=manifest)
    more = f" (and {len(leading_out) - 1} more)" if len(leading_out) > 1 else ""
    message = f"the archive holds '{shown(leading_out[0])}'{more}, which would be unpacked outside its folder"
    return Unpacked(manifest=manifest, said=(("bundle-leads-out", message),))


def _refused(message: str) -> Unpacked:
    return Unpacked(manifest=None, said=(("bad-bundle", message),))


def _leads_out(file: zipfile.ZipInfo) -> bool:
    """A path or a link that an installer would follow to somewhere else."""
    path = PurePosixPath(file.filename.replace("\\", "/"))
    absolute = path.is_absolute() or file.filename[1:2] == ":"
    return absolute or ".." in path.parts or stat.S_ISLNK(file.external_attr >> 16)


def is_bundle(value: Json) -> bool:
    """The manifest of a bundle."""
    marked = isinstance(value, dict) and ("manifest_version" in value or "dxt_version" in value)
    return marked and isinstance(value.get("server"), dict)


def read_bundle(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    """The bundle as a provider, with the tools that it names."""
    name = text_at(value, "name") or "bundle"
    tools = dicts(value.get("tools"))
    said = [] if tools else [no_tools_yet(name, locate(pointer))]
    if tools and value.get("tools_generated") is True:
        message = f"server '{name}' makes more tools than its bundle names when it runs"
        said.append(diagnostic("list-incomplete", message, span=locate((*pointer, "tools_generated"))))
    return Listing(
        kind="bundle",
        id=text_at(value, "name") or None,
        title=text_at(value, "display_name", "name"),
        version=text_at(value, "version"),
        description=text_at(value, "description"),
        transport=_transport(value["server"]),
        entries=entries_of(value["tools"], (*pointer, "tools")) if tools else (),
        pointer=pointer,
        said=tuple(said),
    )


def _transport(server: dict[str, Json]) -> dict[str, Json]:
    """How the unpacked bundle is started; ${__dirname} is the folder it was unpacked to."""
    config = server.get("mcp_config")
    command = text_at(config, "command")
    if not isinstance(config, dict) or not command:
        return {"type": "mcp"}
    args = config["args"] if isinstance(config.get("args"), list) else []
    env = config["env"] if isinstance(config.get("env"), dict) else {}
    words = [with_references(word).replace("${/}", "/") if isinstance(word, str) else word for word in args]
    transport = stdio(with_references(command), words, ())
    asked = {key: f"${{{key}}}" if "${user_config." in str(text) else text for key, text in env.items()}
    return {**transport, "env": asked} if asked else transport
