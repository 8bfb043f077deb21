"""The cache: what it keeps, what it refuses to believe, and that it never stands in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from smallchatc.cache import Cache, cache_key

KEYS = [cache_key("test", str(number)) for number in range(8)]


def filled(folder: Path) -> Path:
    with Cache(folder) as cache:
        cache.keep("test", dict.fromkeys(KEYS, b"value"))
        assert cache.path is not None
        return cache.path


def held(folder: Path) -> tuple[int, list[str]]:
    with Cache(folder) as cache:
        return len(cache.recall(KEYS)), [note.replace(str(folder), "CACHE") for note in cache.notes]


def test_what_is_kept_is_there_for_the_next_one(tmp_path: Path) -> None:
    filled(tmp_path)
    assert held(tmp_path) == (8, [])


def test_keys_of_parts_that_read_the_same_together_differ() -> None:
    assert len({cache_key("k", "ab", "c"), cache_key("k", "a", "bc"), cache_key("ka", "b", "c")}) == 3


def test_one_that_is_no_database_is_thrown_away(tmp_path: Path) -> None:
    filled(tmp_path).write_bytes(b"not a database at all" * 1000)
    assert held(tmp_path) == (0, ["the cache CACHE/compile.cache was thrown away and begun anew: it was damaged"])
    filled(tmp_path)
    assert held(tmp_path) == (8, [])


@pytest.mark.parametrize("length", [0, 1, 100, 5000])
def test_one_that_was_cut_off_is_begun_anew(tmp_path: Path, length: int) -> None:
    path = filled(tmp_path)
    path.write_bytes(path.read_bytes()[:length])
    held(tmp_path)
    filled(tmp_path)
    assert held(tmp_path) == (8, [])


def test_one_of_another_version_is_thrown_away(tmp_path: Path) -> None:
    with closing(sqlite3.connect(filled(tmp_path))) as connection:
        connection.execute("PRAGMA user_version = 999")
    assert held(tmp_path) == (
        0,
        ["the cache CACHE/compile.cache was thrown away and begun anew: another version of smallchatc wrote it"],
    )


def test_a_value_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(filled(tmp_path))) as connection:
        other = "CAST(substr(value, 1, 8) || x'00' AS BLOB)"
        connection.execute(f"UPDATE entry SET value = {other} WHERE key = ?", (KEYS[0],))
        connection.commit()
    assert held(tmp_path) == (7, [])


def test_a_place_where_none_can_be_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    number, (note,) = held(tmp_path / "file")
    assert number == 0
    assert note == "the cache CACHE/compile.cache cannot be used: file exists; compiled without it"


def test_what_was_not_asked_for_longest_goes_first(tmp_path: Path) -> None:
    old, asked, new = KEYS[:3]
    with Cache(tmp_path) as cache:
        cache.keep("test", {old: b"x" * 40_000, asked: b"x" * 40_000})
    with Cache(tmp_path, max_bytes=120_000) as cache:
        cache.recall([asked])
        cache.keep("test", {new: b"x" * 40_000})
    with Cache(tmp_path) as cache:
        assert set(cache.recall([old, asked, new])) == {asked, new}
