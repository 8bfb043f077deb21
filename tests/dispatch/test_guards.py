"""Pins, namespaces, rate limit (CONCEPTS: behaviours 3, 4, 5): the rules by themselves."""

from __future__ import annotations

import pytest

from runtime_min.classes import Category, Protocol, ToolClass
from runtime_min.errors import NamespaceViolation, RateLimited
from runtime_min.namespaces import SelectorNamespaces
from runtime_min.pins import IntentPins
from runtime_min.ratelimit import RateLimit


def unlike(one: str, other: str) -> float:
    raise AssertionError("an exact pin asks for no similarity")


def test_an_exact_pin_takes_its_names_and_nothing_else() -> None:
    pins = IntentPins()
    pins.pin("db/delete_record", ["db.delete_record", "erase the record"])
    for intent in ("db.delete_record", "DB delete-record", "Erase the record!"):
        assert pins.admits("db/delete_record", intent, unlike)
    for intent in ("archive record safely", "delete a record", "do not erase the record", ""):
        assert not pins.admits("db/delete_record", intent, unlike)


def test_an_elevated_pin_takes_a_similarity_of_098() -> None:
    pins = IntentPins()
    pins.pin("db/delete_record", ["delete record"], elevated=True)
    assert pins.admits("db/delete_record", "delete records", lambda a, b: 0.98)
    assert not pins.admits("db/delete_record", "delete records", lambda a, b: 0.979)
    assert not pins.admits("db/delete_record", "never delete record", lambda a, b: 0.99)
    with pytest.raises(ValueError, match=r"at least 0\.98, not 0\.5"):
        pins.pin("db/delete_record", [], elevated=True, threshold=0.5)


def test_an_unpinned_tool_is_free() -> None:
    pins = IntentPins()
    pins.pin("db/delete_record", [])
    pins.unpin("db/delete_record")
    assert not pins
    assert pins.admits("db/delete_record", "anything", unlike)


@pytest.fixture
def spaces() -> SelectorNamespaces:
    spaces = SelectorNamespaces()
    spaces.protect("core", ["core.read", "core.run"])
    spaces.protect("plugins", ["plugins.hook"], swizzlable=True)
    return spaces


def test_another_class_may_not_register_a_protected_selector(spaces: SelectorNamespaces) -> None:
    with pytest.raises(NamespaceViolation) as caught:
        ToolClass("evil").add_method("core.read", "evil/read", spaces)
    assert (
        str(caught.value) == "selector 'core.read' is protected: it belongs to 'core', and 'evil' may not answer to it"
    )
    assert (caught.value.selector, caught.value.owner, caught.value.offender) == ("core.read", "core", "evil")


def test_the_owner_may(spaces: SelectorNamespaces) -> None:
    core = ToolClass("core")
    core.add_method("core.read", "core/read", spaces)
    assert core.can_handle("core.read")


def test_only_a_swizzlable_selector_may_be_swizzled(spaces: SelectorNamespaces) -> None:
    spaces.check_swizzle("plugins.hook", "anyone")
    spaces.check_swizzle("free.selector", "anyone")
    with pytest.raises(NamespaceViolation, match=r"'core.run' is protected"):
        spaces.check_swizzle("core.run", "core")


def test_unregistering_lifts_the_guard(spaces: SelectorNamespaces) -> None:
    assert spaces.unregister("core") == 2
    ToolClass("evil").add_method("core.read", "evil/read", spaces)
    assert spaces.owner("core.read") is None


def test_a_reservation_that_meets_another_owner_changes_nothing(spaces: SelectorNamespaces) -> None:
    with pytest.raises(NamespaceViolation):
        spaces.protect("evil", ["evil.fine", "core.read"])
    assert spaces.owner("evil.fine") is None


def test_categories_obey(spaces: SelectorNamespaces) -> None:
    cls = ToolClass("notes")
    cls.add_method("list", "notes/list")
    cls.adopt(Protocol("listing", frozenset({"list"}), frozenset()))
    with pytest.raises(NamespaceViolation, match="'category extra' may not answer to it"):
        cls.extend(Category("extra", "listing", (("core.read", "x/read"), ("fine", "x/fine"))), spaces)
    assert not cls.can_handle("fine"), "a refused category adds nothing"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_volume_cap_blocks_at_its_maximum_and_recovers_after_the_window() -> None:
    clock = Clock()
    limit = RateLimit(maximum=3, window=10, clock=clock)
    for clock.now in (0.0, 1.0, 2.0):
        limit.check("a")
    with pytest.raises(RateLimited) as caught:
        limit.check("a")
    assert caught.value.retry_after == 8.0
    assert (str(caught.value), caught.value.hint) == ("client 'a' asked 3 times within 10 s", "ask again in 8.0 s")
    clock.now = 10.0
    limit.check("a")
    with pytest.raises(RateLimited):
        limit.check("a")


def test_one_clients_flood_does_not_block_another() -> None:
    limit = RateLimit(maximum=1, window=10, clock=Clock())
    limit.check("a")
    with pytest.raises(RateLimited):
        limit.check("a")
    limit.check("b")


def test_the_clients_remembered_are_bounded() -> None:
    limit = RateLimit(maximum=1, clock=Clock())
    for number in range(10_050):
        limit.check(str(number))
    assert len(limit._asked) == 10_000
