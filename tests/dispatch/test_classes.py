"""Tool classes: inheritance, protocols, categories (CONCEPTS: behaviours 9, 12), and what an artifact declares."""

from __future__ import annotations

import pytest

from runtime_min import ToolRuntime, UnknownTool
from runtime_min.classes import Category, ClassTable, NotConforming, Protocol, ToolClass
from runtime_min.proxy import ProxyTable, ToolProxy


def test_a_superclass_answers_what_its_subclass_does_not() -> None:
    base = ToolClass("base")
    base.add_method("list", "base/list")
    base.add_method("read", "base/read")
    sub = ToolClass("sub", superclass=base)
    sub.add_method("read", "sub/read")
    assert sub.methods("read") == ("sub/read",)
    assert sub.methods("list") == ("base/list",)
    assert sub.can_handle("list")
    assert not sub.can_handle("write")
    assert sub.is_kind_of(base)
    assert not base.is_kind_of(sub)


def test_a_cycle_of_superclasses_ends() -> None:
    one = ToolClass("one")
    one.superclass = two = ToolClass("two", superclass=one)
    assert not one.can_handle("x")
    assert two.methods("x") == ()


def test_a_protocol_names_everything_that_is_missing() -> None:
    cls = ToolClass("mailer")
    cls.add_method("send", "mailer/send")
    messaging = Protocol("messaging", frozenset({"send", "search", "archive"}), frozenset({"list"}))
    with pytest.raises(
        NotConforming, match="class 'mailer' does not conform to protocol 'messaging': no archive, search"
    ):
        cls.adopt(messaging)
    cls.add_method("search", "mailer/search")
    cls.add_method("archive", "mailer/archive")
    cls.adopt(messaging)
    assert cls.conforms("messaging")


def test_a_category_adds_methods_only_to_classes_that_conform() -> None:
    extra = Category("extra", "messaging", (("shout", "x/shout"),))
    mailer, other = ToolClass("mailer"), ToolClass("other")
    mailer.adopt(Protocol("messaging", frozenset(), frozenset()))
    assert mailer.extend(extra)
    assert not other.extend(extra)
    assert mailer.methods("shout") == ("x/shout",)
    assert not other.can_handle("shout")


def test_a_removed_method_uncovers_the_superclass() -> None:
    base = ToolClass("base")
    base.add_method("read", "base/read")
    sub = ToolClass("sub", superclass=base)
    sub.add_method("read", "sub/read")
    sub.remove_method("read")
    assert sub.methods("read") == ("base/read",)


@pytest.fixture
def classes(runtime: ToolRuntime) -> ClassTable:
    return ClassTable(runtime.artifact)


def test_the_artifacts_classes_inherit_conform_and_are_extended(classes: ClassTable) -> None:
    drive = classes.get("drive")
    assert drive.is_kind_of(classes.get("files"))
    assert drive.methods("delete_file") == ("files/delete_file",)
    assert [cls.name for cls in classes.responders("send_message", protocol="messaging")] == ["matrix", "slack"]
    assert classes.get("calendar").methods("create_note") == ("notes/create_note",)
    assert not classes.get("files").can_handle("create_note")


def test_a_class_answers_tool_names_and_selectors(classes: ClassTable) -> None:
    assert classes.get("slack").can_handle("send_message")
    assert classes.get("slack").can_handle("slack.send_message")


def test_an_unknown_class_is_an_error_with_its_name(classes: ClassTable) -> None:
    with pytest.raises(UnknownTool, match="no tool class 'nobody'"):
        classes.get("nobody")


def test_a_proxy_reads_the_schema_when_first_needed(runtime: ToolRuntime) -> None:
    proxy = ProxyTable(runtime.artifact, runtime.catalogue).get("slack/send_message")
    assert isinstance(proxy, ToolProxy)
    assert proxy._definition is None
    assert "properties" in proxy.input_schema
    assert proxy._definition is not None
    assert proxy.selector == "slack.send_message"
    assert len(proxy.fingerprint) == len(proxy.schema_fingerprint) == 64
    assert proxy.signatures[0].params


def test_an_unknown_tool_has_no_proxy(runtime: ToolRuntime) -> None:
    with pytest.raises(UnknownTool, match="no tool 'slack/nothing' in this artifact"):
        ProxyTable(runtime.artifact, runtime.catalogue).get("slack/nothing")
