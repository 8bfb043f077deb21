"""Known forms that are not compiled: named, so that a reader knows what was seen."""

from __future__ import annotations

from ..model import Json


def name_other_form(value: Json) -> str | None:
    """What a document is, for a message; None when it is unknown."""
    if not isinstance(value, dict):
        return None
    if value.get("swaggerVersion") is not None or ("swagger" in value and isinstance(value.get("apis"), list)):
        return "a Swagger 1 description"
    return None
