"""An artifact becomes one self-contained HTML page: its tools, a map of them, and a search that resolves in the page.

`template.html` is the page; what an artifact says goes into it as JSON that no parser of HTML can see the end of, and
its script makes text nodes of it, never markup. The page fetches nothing, and forbids itself to.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from pathlib import Path

from runtime_min.artifact import Artifact

from .. import describe, measured
from ..model import Json
from ..sheets import Sheet, read_sheets, type_words
from .rows import resolver_rows
from .rules import resolver_rules
from .tool_map import tool_places

_TEMPLATE = Path(__file__).with_name("template.html")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_MARK = re.compile(r"\{\{(policy|catalogue|rules|rows)\}\}")
_STYLE = re.compile(r"<style>(.*?)</style>", re.S)


def html_page(artifact: Artifact) -> str:
    """The page of an artifact; the same artifact gives the same page."""
    template = _TEMPLATE.read_text(encoding="utf-8")
    # Nothing but this script and this style runs, and nothing is fetched, whatever else came into the page.
    policy = (
        f"default-src 'none'; img-src data:; script-src {_digest(_SCRIPT, template)};"
        f" style-src {_digest(_STYLE, template)}"
    )
    parts = {
        "policy": policy,
        "catalogue": _embedded(_catalogue(artifact)),
        "rules": _embedded(resolver_rules()),
        "rows": _embedded(resolver_rows(artifact)),
    }
    # At once: what is put in may hold the mark of another part.
    return _MARK.sub(lambda match: parts[match[1]], template)


def _digest(pattern: re.Pattern[str], template: str) -> str:
    [text] = pattern.findall(template)
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(value: Json) -> str:
    """JSON of ASCII letters without a character that HTML knows."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _catalogue(artifact: Artifact) -> dict[str, Json]:
    """What the page shows."""
    overview = describe.overview(artifact)
    numbers = {path: number for number, path in enumerate(describe.tool_paths(artifact))}
    return {
        "name": artifact.path.name,
        "digest": artifact.digest,
        "facts": _facts(artifact),
        "counts": {
            key: overview[key] for key in ("tools", "providers", "selectors", "overloads", "collisions", "duplicates")
        },
        "sources": overview["sources"],
        "providers": [_provider(each) for each in describe.providers(artifact)],
        "tools": [
            {**_tool(sheet, numbers), "at": place}
            for sheet, place in zip(read_sheets(artifact), tool_places(artifact), strict=True)
        ],
        "groups": [
            {"name": group["overload"], "tools": [numbers[member["tool"]] for member in group["members"]]}
            for group in describe.overloads(artifact)
        ],
        "pairs": [
            [*(numbers[path] for path in pair["tools"]), pair["similarity"], kind]
            for kind, pairs in (
                ("may be confused", describe.collisions(artifact)),
                ("the same operation", describe.duplicates(artifact)),
            )
            for pair in pairs
        ],
    }


def _facts(artifact: Artifact) -> list[list[str]]:
    """What made the artifact, and what the compiler measured, as names and texts."""
    told = measured.calibration(artifact)
    cuts = ", ".join(f"{name} {value:g}" for name, value in told["cuts"].items())
    talk = ", ".join(f"{name} {each['mean']:g} ± {each['deviation']:g}" for name, each in told["talk"].items())
    own = told["self"]
    return [
        ["Tools' vectors by", told["encoders"]["tools"]],
        ["Requests' vectors by", told["encoders"]["intents"]],
        ["Cuts", cuts],
        ["Generic talk reaches", talk],
        *(
            [["Found by half of their own words", f"{own['right']:.1%} of {own['asked']} tools"]]
            if own["asked"]
            else []
        ),
        ["Compiler", artifact.meta.get("compiler", "")],
    ]


def _provider(told: dict[str, Json]) -> dict[str, Json]:
    return {
        "name": told["provider"],
        **{key: told[key] for key in ("title", "version", "description", "tools", "superclass", "protocols")},
        "place": f"{told['file']}:{told['line']}",
        "transport": told["transport"],
    }


def _tool(sheet: Sheet, numbers: dict[str, int]) -> dict[str, Json]:
    return {
        "path": sheet.path,
        "provider": sheet.provider,
        "name": sheet.name,
        "title": sheet.title,
        "description": sheet.description,
        "arguments": [
            [arg.name, type_words(arg.code), arg.required, arg.description, list(arg.enum), arg.format]
            for arg in sheet.arguments
        ],
        "returns": [
            [arg.name, type_words(arg.code), arg.required, arg.description, list(arg.enum), arg.format]
            for arg in sheet.returns
        ],
        "selectors": sheet.selectors,
        "aliases": sheet.aliases,
        "annotations": sheet.annotations,
        "preferred": bool(sheet.hints.get("preferred")),
        "hints": sheet.hints,
        "alike": [[numbers[path], similarity] for path, similarity in sheet.alike],
        "group": sheet.group,
        "place": sheet.place,
        "kind": sheet.kind,
        "fingerprint": sheet.fingerprint,
        "portable": sheet.portable,
        "call": sheet.call,
        "definition": sheet.written,
    }
