"""A recording: what one server listed, as a document and as the bytes of the file that `snapshot` writes.

The form of the files that others record, less what changes from one asking to the next; tools in the order of
their names. The same answer gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from .file_names import file_stems
from .model import Configured, Json
from .replacing import replace_text

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def make_recording(
    configured: Configured,
    *,
    protocol: str,
    server_info: Json,
    capabilities: Json,
    instructions: Json,
    pages: int,
    tools: Sequence[Json],
    transport: str = "",
) -> dict[str, Json]:
    """The document; `transport` where another one worked than was configured."""
    server = configured.server
    reached = dict(configured.transport)
    if transport:
        reached["transport"] = transport
    document: dict[str, Json] = {
        "server": server.name,
        "protocolVersion": protocol,
        "serverInfo": server_info,
        "capabilities": capabilities,
        "instructions": instructions,
        "transport": reached,
        "include": list(server.include),
        "exclude": list(server.exclude),
        "pages": pages,
    }
    document = {key: value for key, value in document.items() if value not in ("", None, [], {})}
    document["tools"] = sorted(tools, key=_order)
    return document


def recording_text(recording: Mapping[str, Json]) -> str:
    """The file's text; half a character, which no file may hold, stays the escape that it was."""
    text = json.dumps(recording, ensure_ascii=False, indent=1) + "\n"
    return _HALF_CHARACTER.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def recording_files(recordings: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """Each recording's text by the name of its file, which is the server's as far as a file may be called so."""
    names = []
    for recording in recordings:
        info = recording.get("serverInfo")
        name = recording.get("server") or (info.get("name") if isinstance(info, dict) else "") or "server"
        names.append(str(name))
    texts = map(recording_text, recordings)
    return {f"{stem}.json": text for stem, text in zip(file_stems(names, "server"), texts, strict=True)}


def write_recordings(files: Mapping[str, str], folder: Path) -> None:
    """Write them into the folder; a reader sees the old file or the new one, and nothing else is touched."""
    for name, text in files.items():
        replace_text(folder / name, text)


def without_values(recording: Mapping[str, Json], secrets: Mapping[str, str]) -> dict[str, Json]:
    """The document with `${NAME}` for each value that the server was given and repeats; longest values first."""
    ordered = sorted(secrets.items(), key=lambda item: (-len(item[1]), item[0]))
    cleaned = _replace(recording, ordered)
    assert isinstance(cleaned, dict)
    return cleaned


def _replace(value: Json, secrets: Sequence[tuple[str, str]]) -> Json:
    if isinstance(value, str):
        for name, secret in secrets:
            value = value.replace(secret, f"${{{name}}}")
        return value
    if isinstance(value, list):
        return [_replace(item, secrets) for item in value]
    if isinstance(value, dict):
        return {_replace(key, secrets): _replace(item, secrets) for key, item in value.items()}
    return value


def _order(tool: Json) -> tuple[str, str]:
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else "", json.dumps(tool, ensure_ascii=False, sort_keys=True)
