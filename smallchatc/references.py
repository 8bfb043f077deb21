"""References to variables: every client's spelling becomes ${NAME} or ${NAME:-default}, expanded only at a start.

What only an editor can fill in (`${input:token}`, `${workspaceFolder}`) becomes a variable too, and is named:
whoever starts the server sets it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from runtime_min import references
from runtime_min.references import expand

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_SPELLINGS = re.compile(
    r"\$\{\{\s*(?:secrets|env|inputs)\.(?P<secret>[\w.-]+)\s*\}\}"  # Continue
    rf"|\$\{{env[:.](?P<env>{_NAME})(?P<env_default>:-[^}}]*)?\}}"  # VS Code, Cursor
    rf"|\{{env:(?P<curly>{_NAME})\}}"  # OpenCode
    r"|(?P<file>\{file:[^}]*\})"
    rf"|\$\{{(?P<plain>{_NAME})(?P<default>:-[^}}]*)?\}}"
    r"|\$\{(?P<other>[^{}]+)\}"
    r"|(?<![\w$\\])\$(?P<bare>[A-Z_][A-Z0-9_]*)\b"  # Gemini
)
_OF_EDITORS = {
    "workspaceFolder", "workspaceRoot", "workspaceFolderBasename", "userHome", "pathSeparator", "extensionPath",
    "file", "cwd", "__dirname",
}  # fmt: skip


def normalised(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text with one spelling of references; and (as written, variable) of those that only an editor fills in."""
    foreign: list[tuple[str, str]] = []

    def one(match: re.Match[str]) -> str:
        found = {key: value for key, value in match.groupdict().items() if value is not None}
        if "secret" in found:
            return f"${{{variable_of(found['secret'])}}}"
        if "env" in found:
            return f"${{{found['env']}{found.get('env_default', '')}}}"
        for key in ("curly", "bare"):
            if key in found:
                return f"${{{found[key]}}}"
        if "plain" in found and found["plain"] not in _OF_EDITORS:
            return match.group()
        variable = variable_of(found.get("plain") or found.get("other") or found["file"].strip("{}"))
        foreign.append((match.group(), variable))
        return f"${{{variable}}}"

    return _SPELLINGS.sub(one, text), tuple(foreign)


def variable_of(text: str) -> str:
    """A variable's name for what a reference names: `input:docs-token` is DOCS_TOKEN."""
    last = re.split(r"[:/]", text.strip())[-1].removeprefix("user_config.")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last)
    name = re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_").upper() or "VALUE"
    return f"_{name}" if name[0].isdigit() else name


def expanded(text: str, environment: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The text with the variables' values, and the names of those that are not set and have no default."""
    unset: list[str] = []
    return expand(text, environment, unset), tuple(unset)


def references_in(text: str) -> tuple[str, ...]:
    """The variables that a text refers to."""
    return tuple(references.references_in(text))
