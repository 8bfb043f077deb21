"""Trust: what an artifact asks for becomes a yes of the host, or NotTrusted.

An artifact is data from somebody else. Nothing that it names is started, contacted or read of the environment
before it passes the gate here: by an `Allow` in code, that names each thing, or by its digest, which the user has
seen and recorded (`smallchatc trust DB`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .access import Access, access_digest, host_of
from .errors import MissingVariable, NotTrusted
from .named import NamedTuple
from .references import expand

if TYPE_CHECKING:
    from pathlib import Path

    from .artifact import Artifact

_INHERITED = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR",
    "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE",
    "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
)  # fmt: skip
"""What a program needs to run at all; everything else a child gets by name only."""


class Allow:
    """What a host allows an artifact, whatever its digest: command lines, hosts and variables, each by name.

    A command is its whole line as `smallchatc trust DB` shows it, a host is a name, with its port where the URL
    has one. `Allow.everything()` is for artifacts of one's own.
    """

    __slots__ = ("_everything", "commands", "env", "hosts")

    def __init__(self, *, commands: Iterable[str] = (), hosts: Iterable[str] = (), env: Iterable[str] = ()) -> None:
        for name, given in (("commands", commands), ("hosts", hosts), ("env", env)):
            if isinstance(given, str):
                raise TypeError(f"{name} is a list of texts, not one text: [{given!r}]")
        self.commands = frozenset(commands)
        self.hosts = frozenset(host.lower() for host in hosts)
        self.env = frozenset(env)
        self._everything = False

    @classmethod
    def everything(cls) -> Allow:
        """Whatever the artifact names: no better than starting it by hand."""
        allow = cls()
        allow._everything = True
        return allow

    def refused(self, access: Access) -> list[str]:
        """What of a provider's needs is not allowed, in words."""
        if self._everything:
            return []
        commands = [access.command] if access.command and access.command not in self.commands else []
        hosts = [host for host in dict.fromkeys(map(host_of, access.urls)) if not self._knows_host(host)]
        variables = [name for name in access.variables if name not in self.env]
        return [
            *(f"run {command}" for command in commands),
            *(f"contact {host}" for host in hosts if host),
            *(f"read ${name}" for name in variables),
        ]

    def admits_host(self, host: str) -> bool:
        """Whether a host may be contacted that only the environment names."""
        return self._everything or self._knows_host(host)

    def _knows_host(self, host: str) -> bool:
        return host in self.hosts or "${" in host


class Passed(NamedTuple):
    """A provider that passed the gate: its record with values, and the environment of a child.

    Security schemes keep their references, as an operation may do with some of them; `variables` has the values."""

    access: Access
    record: Mapping[str, Any]
    variables: Mapping[str, str]
    inherited: Mapping[str, str]
    hosts: frozenset[str]  # that may be contacted


class Gate:
    """Decides for one runtime. Without an Allow, digests that the user has recorded pass."""

    def __init__(self, allow: Allow | None, env: Mapping[str, str]) -> None:
        self._allow = allow
        self._env = env

    def check(self, artifact: Artifact, needed: Iterable[Access]) -> None:
        """Raise NotTrusted with all that is not allowed."""
        asking = [access for access in needed if access.asks]
        if not asking:
            return
        if self._allow is None:
            if not is_trusted(artifact):
                names = ", ".join(access.provider for access in asking[:5]) + (", ..." if len(asking) > 5 else "")
                raise NotTrusted(
                    f"{artifact.path}: nobody has allowed what this artifact (digest {artifact.digest[:12]}) would"
                    f" start, contact and read to reach {names}",
                    hint=f"look at it and allow it: smallchatc trust {artifact.path.name}; or rt.connect(Allow(...))",
                )
            return
        refused = [f"{access.provider}: {what}" for access in asking for what in self._allow.refused(access)]
        if refused:
            raise NotTrusted(
                f"{artifact.path}: not allowed: {'; '.join(refused)}",
                hint="name it in Allow(commands=, hosts=, env=), or connect only some: providers=[...]",
            )

    def open(self, access: Access) -> Passed:
        """The values of a provider that was checked; raises MissingVariable, or NotTrusted for a host that only a
        variable names and nobody allows."""
        missing: list[str] = []
        named = {name: self._env[name] for name in access.variables if name in self._env}
        schemes = access.record.get("security", {})
        record = expand({key: item for key, item in access.record.items() if key != "security"}, named, missing)
        if missing:
            names = ", ".join(sorted(set(missing)))
            raise MissingVariable(f"{access.provider}: not set: {names}", hint="set what is missing and try again")
        hosts = frozenset(host_of(url) for url in expand(list(access.urls), named, missing))
        if self._allow is not None:
            unknown = sorted(host for host in hosts if not self._allow.admits_host(host))
            if unknown:
                raise NotTrusted(f"{access.provider}: not allowed: contact {', '.join(unknown)}")
        return Passed(access, {**record, "security": schemes}, named, inherited(self._env), hosts)


def inherited(env: Mapping[str, str]) -> dict[str, str]:
    """Of an environment, what a program needs to run at all."""
    return {name: env[name] for name in _INHERITED if name in env}


def config_folder() -> Path:
    """The user's own folder: SMALLCHAT_CONFIG_DIR, else that of the system for such things."""
    from pathlib import Path

    said = os.environ.get("SMALLCHAT_CONFIG_DIR")
    if said:
        return Path(said)
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    return (Path(base) if base else Path.home() / ".config") / "smallchat"


def is_trusted(artifact: Artifact) -> bool:
    """Whether the user has recorded this artifact's digest, and what it asks for is still what was shown then."""
    record = _read(_place(artifact.digest))
    return record is not None and record.get("access") == access_digest(artifact)


def trust(artifact: Artifact) -> None:
    """Record an artifact's digest as trusted."""
    place = _place(artifact.digest)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = json.dumps({"name": artifact.path.name, "access": access_digest(artifact)}, ensure_ascii=False)
    beside = place.with_name(f"{place.name}.{os.getpid()}.new")
    try:
        beside.write_text(text + "\n", "utf-8")
        os.replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)


def revoke(digest: str) -> str | None:
    """Take back the trust in a digest, or the one that begins so; the whole digest, or None when there is none."""
    found = [known for known in trusted() if known.startswith(digest)] if digest else []
    if len(found) != 1:
        return None
    _place(found[0]).unlink(missing_ok=True)
    return found[0]


def trusted() -> dict[str, str]:
    """All digests that are trusted, and the name of the file they were seen in."""
    folder = config_folder() / "trusted"
    records = {place.stem: _read(place) for place in sorted(folder.glob("*.json"))}
    return {digest: str(record.get("name", "")) for digest, record in records.items() if record is not None}


def _place(digest: str) -> Path:
    return config_folder() / "trusted" / f"{''.join(char for char in digest if char.isalnum())}.json"


def _read(place: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
