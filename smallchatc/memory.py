"""Memory: the rows of an image as an artifact that is asked before, or without, being written."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from runtime_min import format as fmt
from runtime_min.artifact import Artifact


def open_rows(tables: Mapping[str, Sequence[fmt.Row]], meta: Mapping[str, str]) -> Artifact:
    """An artifact in memory; whoever opened it closes it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(fmt.schema())
    insert_rows(connection, tables)
    return Artifact(":memory:", dict(meta), connection)


def insert_rows(connection: sqlite3.Connection, tables: Mapping[str, Sequence[fmt.Row]]) -> None:
    """All rows, table by table."""
    for table in fmt.TABLES:
        marks = ", ".join("?" * len(table.row._fields))
        connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", tables.get(table.name, ()))
