"""An artifact is a file that somebody made: whatever its rows say, reading it answers or raises an ArtifactError."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from runtime_min import ArtifactError, CorruptArtifact, ToolRuntime

INTENTS = ("find flights to Lisbon on Friday", "files/delete_file", "send an e-mail", "搜索 文件")
VALUES = (None, "x", '{"priority": "x"}', '[["a"]]', -1, 1e308, b"\xff" * 300)
META = ("digest", "encoder", "tools", "longest_name", "unknown_idf", "kind_weights", "cuts", "calibration")


@pytest.fixture(scope="module")
def loose(artifact: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifact with tables that take anything, and of the token table no more than is asked for."""
    path = tmp_path_factory.mktemp("loose") / "loose.smallchat.db"
    path.write_bytes(artifact.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        asked = [word for intent in INTENTS for word in intent.lower().split()]
        connection.execute(f"DELETE FROM piece WHERE piece NOT IN ({', '.join('?' * len(asked))})", asked)
        for table in _tables(path):
            connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"ALTER TABLE loose RENAME TO {table}")
        connection.execute("VACUUM")
    return path


@pytest.fixture
def broken(loose: Path, tmp_path: Path) -> Callable[..., Path]:
    def change(sql: str, *values: object) -> Path:
        path = tmp_path / "broken.smallchat.db"
        path.write_bytes(loose.read_bytes())
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(sql, values)
        return path

    return change


def test_loose_tables_alone_change_no_answer(artifact: Path, loose: Path) -> None:
    assert ToolRuntime.open(loose).resolve(INTENTS[0]).tool == ToolRuntime.open(artifact).resolve(INTENTS[0]).tool


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:12])
def test_any_value_in_any_column_is_an_answer_or_an_artifact_error(
    loose: Path, broken: Callable[..., Path], value: object
) -> None:
    for table, column in _columns(loose):
        _use(broken(f'UPDATE {table} SET "{column}" = ?', value))


@pytest.mark.parametrize("value", [*VALUES, '{"score": [0, 0]}', '{"fit": []}', "9" * 5000], ids=lambda v: repr(v)[:12])
def test_any_fact_is_an_answer_or_an_artifact_error(broken: Callable[..., Path], value: object) -> None:
    for key in META:
        _use(broken("UPDATE meta SET value = ? WHERE key = ?", value, key))


def test_a_missing_or_empty_table_is_an_answer_or_an_artifact_error(loose: Path, broken: Callable[..., Path]) -> None:
    for table in _tables(loose):
        _use(broken(f"DROP TABLE {table}"))
        _use(broken(f"DELETE FROM {table}"))


def test_verify_tells_too(broken: Callable[..., Path]) -> None:
    for sql in ("DROP TABLE tool", "UPDATE tool SET line = 'x'", "UPDATE tool SET definition = NULL"):
        with pytest.raises(CorruptArtifact):
            ToolRuntime.open(broken(sql)).artifact.verify()


def test_a_definition_nested_without_end_is_told(broken: Callable[..., Path]) -> None:
    runtime = ToolRuntime.open(broken("UPDATE tool SET definition = ?", "[" * 100_000))
    with pytest.raises(CorruptArtifact, match="no definition of"):
        _ = runtime.snapshot.proxy("flights/search_flights").definition


def test_an_overlay_does_not_hide_a_tool_that_is_nowhere(broken: Callable[..., Path]) -> None:
    runtime = ToolRuntime.open(broken("UPDATE piece SET points = ?", b"\xfe\xff"))
    runtime.overlay([{"name": "ping", "description": "Say hello"}])
    with pytest.raises(CorruptArtifact, match="has no profile"):
        runtime.resolve("find flights")


def test_a_missing_table_is_told(broken: Callable[..., Path]) -> None:
    path = broken("DROP TABLE piece")
    with pytest.raises(CorruptArtifact, match="no such table: piece") as caught:
        ToolRuntime.open(path).resolve("find flights")
    assert caught.value.hint == "compile it again"
    assert isinstance(caught.value.__cause__, sqlite3.Error)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE profile SET vector = substr(vector, 1, 10)", "the profile of tool"),
        ("UPDATE profile SET shares = x'01'", "the profile of tool"),
        ("UPDATE profile SET priority = 1e308", "the profile of tool"),
        ("UPDATE piece SET points = zeroblob(99)", "the rows of the word 'find'"),
        ("UPDATE piece SET row = x'01'", "the rows of the word 'find'"),
        ("UPDATE piece SET idf = -1", "the rows of the word 'find'"),
        ("UPDATE tool SET hints = 'no JSON'", "the names or hints of tool"),
        ("DELETE FROM profile", "has no profile"),
    ],
)
def test_damage_is_named(broken: Callable[..., Path], sql: str, said: str) -> None:
    with pytest.raises(CorruptArtifact, match=said):
        ToolRuntime.open(broken(sql)).resolve("find flights")


def test_superclasses_in_a_circle_end(broken: Callable[..., Path]) -> None:
    _use(broken("UPDATE provider SET superclass = id"))


def test_a_closed_runtime_is_no_corrupt_artifact(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    connection = runtime.artifact.connection()
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError):
        runtime.artifact.row("SELECT 1")


def _use(path: Path) -> None:
    """Every way of reading; whatever is no ArtifactError fails the test."""
    with suppress(ArtifactError):
        runtime = ToolRuntime.open(path)
        for intent in INTENTS:
            with suppress(ArtifactError):
                runtime.resolve(intent).to_dict()
        with suppress(ArtifactError):
            runtime.resolve("find flights", {"from": "OSL", "x": 1}).to_dict()
        with suppress(ArtifactError):
            runtime.can_handle("drive.read_file")
        with suppress(ArtifactError):
            runtime.generate_header()


def _tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _columns(path: Path) -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        for table in _tables(path):
            yield from ((table, row[1]) for row in connection.execute(f"PRAGMA table_info({table})").fetchall())
