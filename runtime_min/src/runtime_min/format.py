"""The format: what an artifact is, and with `identity` the only place that knows it.

The DDL, one NamedTuple per table and the byte order of every BLOB; ids, units and the version rule are
in `identity`, which is all that a reader has to load. The compiler writes rows of these types, the runtime
reads them; docs/format.md is the normative page and schemas/artifact.sql is generated from here.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .identity import (
    APPLICATION_ID,
    DIMENSION,
    IDF_UNIT,
    MAX_TERMS,
    POINT,
    SUFFIX,
    USER_VERSION,
    id_code,
    term_key,
)

__all__ = [
    "APPLICATION_ID",
    "DIMENSION",
    "IDF_UNIT",
    "MAX_TERMS",
    "POINT",
    "SUFFIX",
    "TABLES",
    "USER_VERSION",
    "id_code",
    "term_key",
]

Row = tuple[Any, ...]


class Meta(NamedTuple):
    """One fact about the artifact; `value` is text, JSON where it is structured."""

    key: str
    value: str


class Source(NamedTuple):
    """A file that tools were read from; `path` is relative to the source root it was found under."""

    id: int
    path: str
    kind: str
    digest: str


class Provider(NamedTuple):
    """A tool class: where its tools come from and how they are reached."""

    id: int
    name: str
    title: str
    version: str
    description: str
    transport: str  # JSON object; secrets only as ${NAME}
    superclass: int | None  # provider id
    namespace: str  # prefix of its selectors
    source: int
    line: int


class Tool(NamedTuple):
    """An imp. Title, description and schemas are inside `definition`, the tool object verbatim."""

    id: int  # row number in (provider, name) code-point order
    provider: int
    name: str
    portable: str  # its name for model APIs, unique (portable.py)
    definition: str
    call: str  # JSON object: how an operation of an API is called; "" where the provider's transport says all
    fingerprint: str
    schema_fingerprint: str
    hints: str  # JSON object: priority, preferred, pin, aliases, selector, vendorMeta; {} when none
    source: int
    line: int
    column: int


class Selector(NamedTuple):
    """An interned intent; its id between artifacts is `canonical`."""

    id: int
    canonical: str


class Method(NamedTuple):
    """One entry of a dispatch table: this class answers this selector with this tool."""

    provider: int
    selector: int
    tool: int


class Signature(NamedTuple):
    """One way of calling a tool; `params` is JSON: [[name, type code, 1 if required], ...] by name."""

    tool: int
    ordinal: int
    closed: int
    params: str


class Protocol(NamedTuple):
    """A capability interface."""

    id: int
    name: str


class ProtocolMethod(NamedTuple):
    """A tool name that a conforming class must (required = 1) or may answer."""

    protocol: int
    name: str
    required: int


class Conformance(NamedTuple):
    """This class conforms to this protocol."""

    provider: int
    protocol: int


class Category(NamedTuple):
    """Methods added from outside to a class, or to all classes of a protocol."""

    id: int
    name: str
    extends: str


class CategoryMethod(NamedTuple):
    """A tool that a category adds."""

    category: int
    tool: int


class Overload(NamedTuple):
    """A group of tools that are the same operation with different signatures."""

    id: int
    canonical: str
    similarity: float  # of its weakest pair


class OverloadMember(NamedTuple):
    """A tool of an overload group."""

    overload: int
    tool: int


class Duplicate(NamedTuple):
    """Two tools that are the same operation with the same signature."""

    first: int
    second: int
    similarity: float


class Collision(NamedTuple):
    """Two tools whose vectors are close: they may be confused."""

    first: int
    second: int
    similarity: float


class Name(NamedTuple):
    """A literal text that means exactly this tool; `kind` is path, selector, name, alias or pin."""

    key: str  # canonical form of the text
    tool: int
    kind: str


class Profile(NamedTuple):
    """What scoring reads of one tool: its unit vector (int8 times `scale`), terms and cheap signals."""

    tool: int
    scale: float
    vector: bytes
    terms: str  # the keys of its terms, ascending
    shares: bytes  # what each counts, of 255
    verb: int  # families of the verb in its name (runtime_min/verbs.py), 0 for none
    deletes: int  # 1 for a tool whose verb deletes and nothing else
    kinds: int  # kinds of values it takes (runtime_min/values.py)
    priority: float  # factor of its score


class Piece(NamedTuple):
    """A word piece of the student encoder, and all there is to know of a word that is one piece."""

    piece: str
    row: bytes  # `pack_row`
    points: bytes  # `pack_points`
    term: str  # key of its own term in the catalogue, "" for none
    idf: int  # units of 1/IDF_UNIT nat; 0 for a stop word and a piece that is no word
    near: str  # key of the term closest in meaning, its own apart, "" for none
    weight: int  # how much `near` counts, of 255
    owners: bytes  # `pack_owners`
    begins: int  # 1 when a longer term of the catalogue begins with it, so that two words may be one ("argo cd")


class Term(NamedTuple):
    """A stemmed word of the catalogue: its key in profiles, idf weight, and the tools it points to."""

    term: str
    key: str  # one character (`term_key`)
    idf: int
    points: bytes  # `pack_points`
    owners: bytes  # `pack_owners`


class Table(NamedTuple):
    """A table of the format: its name, row type, number of leading key columns and DDL."""

    name: str
    row: type[Any]
    keys: int
    ddl: str


_ID = "id INTEGER PRIMARY KEY"

TABLES: tuple[Table, ...] = (
    Table("meta", Meta, 1, "key TEXT PRIMARY KEY, value TEXT NOT NULL"),
    Table("source", Source, 1, f"{_ID}, path TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL"),
    Table(
        "provider",
        Provider,
        1,
        f"{_ID}, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, version TEXT NOT NULL, description TEXT NOT NULL,"
        " transport TEXT NOT NULL, superclass INTEGER REFERENCES provider(id), namespace TEXT NOT NULL,"
        " source INTEGER NOT NULL REFERENCES source(id), line INTEGER NOT NULL",
    ),
    Table(
        "tool",
        Tool,
        1,
        f"{_ID}, provider INTEGER NOT NULL REFERENCES provider(id), name TEXT NOT NULL, portable TEXT NOT NULL UNIQUE,"
        " definition TEXT NOT NULL, call TEXT NOT NULL, fingerprint TEXT NOT NULL,"
        " schema_fingerprint TEXT NOT NULL, hints TEXT NOT NULL,"
        " source INTEGER NOT NULL REFERENCES source(id), line INTEGER NOT NULL, column INTEGER NOT NULL,"
        " UNIQUE (provider, name)",
    ),
    Table("selector", Selector, 1, f"{_ID}, canonical TEXT NOT NULL UNIQUE"),
    Table(
        "method",
        Method,
        3,
        "provider INTEGER NOT NULL, selector INTEGER NOT NULL, tool INTEGER NOT NULL,"
        " PRIMARY KEY (provider, selector, tool)",
    ),
    Table(
        "signature",
        Signature,
        2,
        "tool INTEGER NOT NULL, ordinal INTEGER NOT NULL, closed INTEGER NOT NULL, params TEXT NOT NULL,"
        " PRIMARY KEY (tool, ordinal)",
    ),
    Table("protocol", Protocol, 1, f"{_ID}, name TEXT NOT NULL UNIQUE"),
    Table(
        "protocol_method",
        ProtocolMethod,
        2,
        "protocol INTEGER NOT NULL, name TEXT NOT NULL, required INTEGER NOT NULL, PRIMARY KEY (protocol, name)",
    ),
    Table(
        "conformance",
        Conformance,
        2,
        "provider INTEGER NOT NULL, protocol INTEGER NOT NULL, PRIMARY KEY (provider, protocol)",
    ),
    Table("category", Category, 1, f"{_ID}, name TEXT NOT NULL UNIQUE, extends TEXT NOT NULL"),
    Table(
        "category_method",
        CategoryMethod,
        2,
        "category INTEGER NOT NULL, tool INTEGER NOT NULL, PRIMARY KEY (category, tool)",
    ),
    Table("overload", Overload, 1, f"{_ID}, canonical TEXT NOT NULL, similarity REAL NOT NULL"),
    Table(
        "overload_member",
        OverloadMember,
        2,
        "overload INTEGER NOT NULL, tool INTEGER NOT NULL, PRIMARY KEY (overload, tool)",
    ),
    Table(
        "duplicate",
        Duplicate,
        2,
        "first INTEGER NOT NULL, second INTEGER NOT NULL, similarity REAL NOT NULL, PRIMARY KEY (first, second)",
    ),
    Table(
        "collision",
        Collision,
        2,
        "first INTEGER NOT NULL, second INTEGER NOT NULL, similarity REAL NOT NULL, PRIMARY KEY (first, second)",
    ),
    Table(
        "name",
        Name,
        3,
        "key TEXT NOT NULL, tool INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (key, tool, kind)",
    ),
    Table(
        "profile",
        Profile,
        1,
        "tool INTEGER PRIMARY KEY, scale REAL NOT NULL, vector BLOB NOT NULL, terms TEXT NOT NULL,"
        " shares BLOB NOT NULL, verb INTEGER NOT NULL, deletes INTEGER NOT NULL, kinds INTEGER NOT NULL,"
        " priority REAL NOT NULL",
    ),
    Table(
        "piece",
        Piece,
        1,
        "piece TEXT PRIMARY KEY, row BLOB NOT NULL, points BLOB NOT NULL, term TEXT NOT NULL,"
        " idf INTEGER NOT NULL, near TEXT NOT NULL, weight INTEGER NOT NULL, owners BLOB NOT NULL,"
        " begins INTEGER NOT NULL",
    ),
    Table(
        "term",
        Term,
        1,
        "term TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, idf INTEGER NOT NULL, points BLOB NOT NULL,"
        " owners BLOB NOT NULL",
    ),
)


def ddl(table: Table) -> str:
    """The CREATE TABLE statement of one table."""
    rowid = "" if "INTEGER PRIMARY KEY" in table.ddl else ", WITHOUT ROWID"
    return f"CREATE TABLE {table.name} ({table.ddl}) STRICT{rowid};"


def schema() -> str:
    """The DDL of the whole file, with its two pragmas."""
    head = [f"PRAGMA application_id = {APPLICATION_ID};", f"PRAGMA user_version = {USER_VERSION};"]
    return "\n".join([*head, *(ddl(table) for table in TABLES), ""])


def digest(tables: Mapping[str, Sequence[Row]]) -> str:
    """sha256 over the canonical rows, as hex.

    Tables in DDL order, rows by key; each value is a type letter, its length and its bytes. The rows
    `digest` and `compiler` of meta are left out, so that the digest says what the artifact means and
    neither SQLite's bytes nor the compiler's version change it.
    """
    state = hashlib.sha256()
    for table in TABLES:
        rows = tables.get(table.name, ())
        state.update(f"T{table.name}\n".encode())
        for row in rows:
            if table.row is Meta and row[0] in ("digest", "compiler"):
                continue
            state.update(b"R" + b"".join(map(_canonical, row)))
    return state.hexdigest()


def _canonical(value: object) -> bytes:
    if value is None:
        return b"n"
    if isinstance(value, str):
        body, letter = value.encode(), b"s"
    elif isinstance(value, bytes):
        body, letter = value, b"b"
    elif isinstance(value, int):
        body, letter = b"%d" % value, b"i"
    elif isinstance(value, float):
        body, letter = struct.pack("<d", value), b"f"
    else:
        raise TypeError(f"no canonical form for {type(value).__name__}")
    return b"%b%d:%b" % (letter, len(body), body)


def pack_row(scale: int, nibbles: bytes) -> bytes:
    """A piece's row: u16 scale, then 128 bytes of 4-bit values.

    Value j (0 <= j < 256) is the low nibble of byte j for j < 128, else the high nibble of byte j - 128, minus 8.
    """
    return struct.pack(f"<H{DIMENSION // 2}s", scale, nibbles)


def pack_points(tools: Sequence[int], points: Sequence[int], code: str) -> bytes:
    """The tools a word speaks for most: all tool ids, then their points as one byte each, best first."""
    return struct.pack(f"<{len(tools)}{code}{len(points)}B", *tools, *points)


def pack_owners(owners: Sequence[tuple[int, int, int]]) -> bytes:
    """The providers a word names: first tool and end as u32, points as one byte, one after the other."""
    return b"".join(struct.pack("<IIB", *owner) for owner in owners)


def rows_by_key(table: Table, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows in key order, as they are written and digested."""
    return tuple(sorted(rows, key=lambda row: row[: table.keys]))
