"""One entry of a tool list becomes what it says, wherever it stands: a tool without a place, and remarks.

Nothing here knows the source, so that what was read once is known again by its text alone (cache).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..build import build_digest
from ..cache import Cache, cache_key
from ..canonical import schema_fingerprint
from ..fingerprint import compact_json, tool_fingerprint
from ..model import Arg, Json, Param, Signature
from ..quirks import output_quirk, schema_quirks
from ..rules import WARNING
from ..schema import read_arguments, read_signatures
from ..wording import description_quirks, name_quirks, shown
from .definition import Definition, definition_of
from .documents import Pointer
from .keys import TOOL_KEYS, misspelt_keys
from .own_secrets import Replaced, without_own_secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something worth saying about a tool, and where below it."""

    slug: str
    message: str
    below: Pointer = ()
    more: Mapping[str, str]  # hint, severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What an entry says."""

    name: str | None  # None: it has none, and is no tool
    title: str = ""
    description: str = ""
    definition: str = ""
    call: str = ""
    fingerprint: str = ""
    schema_fingerprint: str = ""
    args: tuple[Arg, ...] = ()
    signatures: tuple[Signature, ...] = ()
    annotations: Mapping[str, Json]
    hints: Json = None  # as written
    input_at: Pointer = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The object of an entry, without its wrapping, as its form has it."""

    value: Mapping[str, Json]
    is_function: bool
    call: str


def read_entries(entries: Sequence[Raw], cache: Cache | None) -> list[Said]:
    """What each entry says, known or read."""
    if cache is None:
        return [_read(entry)[0] for entry in entries]
    keys = [
        cache_key("reading", build_digest(), compact_json(entry.value), str(entry.is_function), entry.call)
        for entry in entries
    ]
    known = cache.recall(keys)
    new: dict[bytes, bytes] = {}
    out = []
    for entry, key in zip(entries, keys, strict=True):
        if key in known:
            out.append(_unpacked(json.loads(known[key]), entry))
            continue
        said, secrets = _read(entry)
        if said.name is not None and not secrets:  # what had a secret is not kept anywhere
            new[key] = json.dumps(_packed(said)).encode()
        out.append(said)
    cache.keep("reading", new)
    return out


def _read(entry: Raw) -> tuple[Said, tuple[Replaced, ...]]:
    (raw, call), secrets = without_own_secrets((entry.value, entry.call))
    name = _name_of(raw)
    if name is None:
        return Said(name=None, annotations={}), secrets
    remarks: list[Remark] = []

    def say(slug: str, message: str, below: Pointer = (), **more: str) -> None:
        remarks.append(Remark(slug=slug, message=message, below=below, more=more))

    if secrets:
        say("secret-value", secrets_words(secrets), secrets[0].pointer[1:])
    for key, hint in misspelt_keys(raw, TOOL_KEYS):
        say("unknown-key", f"unknown key '{shown(key)}'; it has no effect", (key,), hint=hint, severity=WARNING)
    definition = definition_of(raw, name, is_function=entry.is_function)
    texts = {key: _text_field(raw, key, say) for key in ("title", "description")}
    if raw.get("annotations") is not None and not isinstance(raw["annotations"], dict):
        say("bad-field", "annotations is not an object", ("annotations",))
    annotations = _annotations(raw)
    schema = _schema(definition, say)
    _read_output(definition, say)
    for quirk in (*name_quirks(name, annotations), *description_quirks(texts["description"], raw)):
        say(quirk.slug, quirk.message, quirk.pointer)
    args, cut = read_arguments(schema)
    if cut:
        say("schema-large", "inputSchema is too large to be indexed whole", definition.input_at)
    said = Said(
        name=name,
        title=texts["title"] or (annotations["title"] if isinstance(annotations.get("title"), str) else ""),
        description=texts["description"],
        definition=compact_json(definition.value),
        call=call,
        fingerprint=tool_fingerprint(definition.value),
        schema_fingerprint=schema_fingerprint(schema),
        args=args,
        signatures=read_signatures(schema),
        annotations=annotations,
        hints=raw.get("compilerHints"),
        input_at=definition.input_at,
        remarks=tuple(remarks),
    )
    return said, secrets


def secrets_words(found: Sequence[Replaced]) -> str:
    """What is said of credentials that became references."""
    first, more = found[0], f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"what looks like a credential ({first.kind}) became {first.reference}{more}"


_TEXTS = ("name", "title", "description", "definition", "fingerprint", "schema_fingerprint")


def _packed(said: Said) -> list[Any]:
    """What has to be kept: the rest stands in the entry itself."""
    return [
        *(getattr(said, field) for field in _TEXTS),
        [[arg.name, arg.code, arg.required, arg.description, arg.enum, arg.format] for arg in said.args],
        [[[[p.name, p.code, p.required] for p in each.params], each.closed] for each in said.signatures],
        said.input_at,
        [[remark.slug, remark.message, remark.below, remark.more] for remark in said.remarks],
    ]


def _unpacked(kept: Sequence[Any], entry: Raw) -> Said:
    *texts, args, signatures, input_at, remarks = kept
    return Said(
        **dict(zip(_TEXTS, texts, strict=True)),
        call=entry.call,
        args=tuple(
            Arg(name=name, code=code, required=required, description=text, enum=tuple(enum), format=form)
            for name, code, required, text, enum, form in args
        ),
        signatures=tuple(Signature(params=_params(params), closed=closed) for params, closed in signatures),
        annotations=_annotations(entry.value),
        hints=entry.value.get("compilerHints"),
        input_at=tuple(input_at),
        remarks=tuple(
            Remark(slug=slug, message=message, below=tuple(below), more=more) for slug, message, below, more in remarks
        ),
    )


def _params(params: Iterable[tuple[str, str, bool]]) -> tuple[Param, ...]:
    return tuple(Param(name=name, code=code, required=required) for name, code, required in params)


def _annotations(raw: Mapping[str, Json]) -> Mapping[str, Json]:
    value = raw.get("annotations")
    return value if isinstance(value, dict) else {}


def _name_of(raw: Mapping[str, Json]) -> str | None:
    name = raw.get("name")
    if isinstance(name, str):
        return name if name.strip() else None
    if isinstance(name, int | float) and not isinstance(name, bool):
        return str(getattr(name, "text", name))
    return None


def _schema(definition: Definition, say: Callable[..., None]) -> Json:
    """The input schema to work with; a missing or unusable one accepts any object."""
    if "inputSchema" not in definition.value:
        say("missing-schema", "it has no inputSchema")
        return {}
    schema = definition.value["inputSchema"]
    if definition.retyped:
        say("gemini-types", "its types are written as Gemini writes them; read as JSON Schema", definition.input_at)
    for quirk in schema_quirks(schema):
        below = () if definition.input_is_ours else quirk.pointer
        say(quirk.slug, quirk.message, (*definition.input_at, *below))
    if not isinstance(schema, dict):
        return {}
    declared = schema.get("type")
    if declared is None or declared == "object" or (isinstance(declared, list) and "object" in declared):
        return schema
    return {} if isinstance(declared, str) and "properties" not in schema else schema


def _read_output(definition: Definition, say: Callable[..., None]) -> None:
    schema = definition.value.get("outputSchema")
    quirk = output_quirk(schema) if schema is not None else None
    if quirk is not None:
        say(quirk.slug, quirk.message, (*definition.output_at, *quirk.pointer))


def _text_field(raw: Mapping[str, Json], key: str, say: Callable[..., None]) -> str:
    value = raw.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(getattr(value, "text", value))
    say("bad-field", f"{key} is not a text", (key,))
    return ""
