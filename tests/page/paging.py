"""Pages of artifacts, also of one that wants to break out of its page."""

from __future__ import annotations

import json
from pathlib import Path

from running import invoke

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

HOSTILE = (
    '</script><script>alert(1)</script><!--<img src="//evil.example/x" onerror=alert(1)>{{rows}}{{policy}} \u2028\u202e'
)


def hostile_artifact(folder: Path) -> Path:
    """An artifact of which every text is hostile."""
    tool = {
        "name": HOSTILE,
        "title": HOSTILE,
        "description": HOSTILE,
        "inputSchema": {
            "type": "object",
            "properties": {HOSTILE: {"description": HOSTILE, "enum": [HOSTILE, "__proto__"]}},
        },
        "annotations": {HOSTILE: HOSTILE},
    }
    manifest = {
        "id": HOSTILE.replace("/", "|"),
        "title": HOSTILE,
        "description": HOSTILE,
        "tools": [tool, {"name": "constructor"}],
    }
    (folder / "h.json").write_text(json.dumps(manifest))
    out = folder / "h.smallchat.db"
    write_artifact(compile_sources([folder / "h.json"], settings=Settings(encoder="small")).image, out)
    return out


def write_page(artifact: Path, folder: Path) -> Path:
    page = folder / "page.html"
    assert invoke("inspect", artifact, "--html", page).exit_code == 0
    return page
