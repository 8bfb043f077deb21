"""Lock: what an artifact was made of, as a short text that belongs into version control; and what has changed since.

A line for each thing: its kind, its digest or value, its name as JSON. Sources can be compared with it without the
artifact, which then need not be kept. Vectors that another machine might round otherwise (the teacher's) stand in it
too: with them the same sources give the same bytes there.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runtime_min.errors import SmallchatError
from runtime_min.identity import SUFFIX

from . import __version__, embed
from .folders import LOCK_SUFFIX
from .model import Catalog, EncoderId, Hints, Tool
from .replacing import replacing

VERSION = 1
_HEAD = f"# smallchat lock {VERSION}: what its artifact is made of; written by `smallchatc compile`.\n"


class BrokenLock(SmallchatError):
    """A file under a lock's name that is none."""

    code = "broken-lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What went in, by (kind, name); the digest of what came out; and the vectors that are locked, by their key."""

    facts: Mapping[tuple[str, str], str]
    artifact: str = ""
    vectors: Mapping[bytes, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as the lock says; "" where it is not there at all."""

    kind: str
    name: str
    before: str
    after: str


def lock_place(out: Path) -> Path:
    """Where the lock of an artifact lies."""
    return out.with_name(out.name.removesuffix(SUFFIX) + LOCK_SUFFIX)


def lock_of(
    catalog: Catalog,
    settings: Mapping[str, str],
    *,
    student: EncoderId,
    tools_by: EncoderId,
    vectors: Iterable[bytes] = (),
) -> Lock:
    """The lock of a catalogue, of an artifact that is not made yet; `vectors` are the tools', in catalog order."""
    facts = {
        ("compiler", "smallchatc"): __version__,
        ("encoder", "intents"): _named(student),
        ("encoder", "tools"): _named(tools_by),
        **{("protocol", each.name): _digest(_plain(asdict(each))) for each in catalog.protocols},
        **{("category", each.name): _digest(_plain(asdict(each))) for each in catalog.categories},
        **{("setting", name): value for name, value in settings.items()},
        **{("source", each.path): f"{each.kind}:{each.digest}" for each in catalog.sources},
        **{("provider", each.id): _digest(_plain(asdict(each))) for each in catalog.providers},
        **{("tool", each.path): _tool_digest(each) for each in catalog.tools},
    }
    keys = _keys(catalog, tools_by) if tools_by != student else ()
    return Lock(facts=facts, vectors=dict(zip(keys, vectors, strict=False)))


def differences(lock: Lock, now: Lock) -> list[Difference]:
    """What has changed since the lock was written."""
    found = [
        Difference(kind=key[0], name=key[1], before=lock.facts.get(key, ""), after=now.facts.get(key, ""))
        for key in sorted({*lock.facts, *now.facts})
        if lock.facts.get(key) != now.facts.get(key)
    ]
    return sorted(found, key=lambda each: (_ORDER.index(each.kind) if each.kind in _ORDER else 0, each.name))


_ORDER = ("compiler", "encoder", "setting", "provider", "tool", "protocol", "category", "source")


def locked_encoder(lock: Lock, student: EncoderId) -> EncoderId | None:
    """Whose vectors are locked, where they lie in this student's space."""
    name, _, fingerprint = lock.facts.get(("encoder", "tools"), "").rpartition(":")
    if not lock.vectors or not name or lock.facts.get(("encoder", "intents")) != _named(student):
        return None
    return EncoderId(name=name, dim=student.dim, fingerprint=fingerprint)


def write_lock(lock: Lock, place: Path) -> str:
    """Write a lock, whole or not at all; the digest of its bytes."""
    data = lock_text(lock).encode("utf-8", "surrogatepass")
    with replacing(place) as temporary:
        temporary.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def lock_text(lock: Lock) -> str:
    """The text of a lock, the same for equal locks."""
    lines = [f"artifact {lock.artifact}"]
    lines += [f"{kind} {value} {json.dumps(name)}" for (kind, name), value in sorted(lock.facts.items())]
    lines += [f"vector {key.hex()} {b64encode(data).decode()}" for key, data in sorted(lock.vectors.items())]
    return _HEAD + "".join(f"{line}\n" for line in lines)


def read_lock(place: Path) -> Lock | None:
    """The lock at a place; None where there is none. Raises BrokenLock."""
    try:
        text = place.read_text("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as err:
        raise _broken(place, 1) from err
    if not text.startswith(_HEAD):
        raise _broken(place, 1)
    facts: dict[tuple[str, str], str] = {}
    vectors: dict[bytes, bytes] = {}
    artifact = ""
    for number, line in enumerate(text.splitlines()[1:], start=2):
        try:
            kind, value, *rest = line.split(" ", 2)
            if kind == "artifact":
                artifact = value
            elif kind == "vector":
                vectors[bytes.fromhex(value)] = b64decode(rest[0], validate=True)
            else:
                facts[kind, str(json.loads(rest[0]))] = value
        except (ValueError, IndexError, NotBase64) as err:
            raise _broken(place, number) from err
    return Lock(facts=facts, artifact=artifact, vectors=vectors)


def _broken(place: Path, line: int) -> BrokenLock:
    return BrokenLock(f"{place}:{line}: is no lock of version {VERSION}", hint="compile again, which writes a new one")


def _keys(catalog: Catalog, tools_by: EncoderId) -> Iterator[bytes]:
    several = len(catalog.providers) > 1
    return (embed.vector_key(tools_by, embed.tool_views(tool, provider=several)) for tool in catalog.tools)


def _named(encoder: EncoderId) -> str:
    return f"{encoder.name}:{encoder.fingerprint}"


def _tool_digest(tool: Tool) -> str:
    return _digest([tool.definition, tool.call, _hints(tool.hints)])


def _hints(hints: Hints) -> dict[str, Any]:
    return {name: value for name, value in asdict(hints).items() if name != "ignores"}


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """What a part says, without where it stands."""
    kept = {name: item for name, item in value.items() if name not in ("span", "source")}
    if "hints" in kept:
        kept["hints"] = {name: item for name, item in kept["hints"].items() if name != "ignores"}
    return kept


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
