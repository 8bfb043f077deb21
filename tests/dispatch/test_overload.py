"""Overloads: type and arity pick, or nobody does (CONCEPTS: behaviour 6); a slow twin agrees."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min.errors import DuplicateSignature
from runtime_min.objects import SCArray, SCData, SCDictionary, SCObject, SCSelector, SCToolReference
from runtime_min.overload import (
    ANY,
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    OverloadTable,
    Param,
    Rank,
    Signature,
    Type,
    array_of,
    choose,
    from_code,
    match,
    object_of,
    ranks_of,
    union,
    violations_of,
)


def sig(*, closed: bool = True, optional: tuple[str, ...] = (), **types: Type) -> Signature:
    return Signature(tuple(Param(name, type_, name not in optional) for name, type_ in types.items()), closed)


def test_arity_picks() -> None:
    table = OverloadTable([sig(a=STRING), sig(a=STRING, b=STRING)])
    assert table.choose({"a": "x"}).chosen == 0
    assert table.choose({"a": "x", "b": "y"}).chosen == 1


def test_type_picks() -> None:
    table = OverloadTable([sig(a=STRING), sig(a=NUMBER)])
    assert table.choose({"a": "3"}).chosen == 0
    assert table.choose({"a": 3}).chosen == 1


def test_nothing_fits() -> None:
    choice = OverloadTable([sig(a=STRING), sig(a=NUMBER)]).choose({"a": True})
    assert choice.chosen is None
    assert choice.ambiguous == ()
    assert [str(found[0]) for found in choice.violations] == [
        "/a: mismatch: expected string, got boolean",
        "/a: mismatch: expected number, got boolean",
    ]


def test_a_duplicate_signature_is_refused() -> None:
    table = OverloadTable([sig(a=union(STRING, NUMBER))])
    with pytest.raises(DuplicateSignature, match=r"a signature \(a\?: number\|string\) is registered already"):
        table.register(sig(a=union(NUMBER, STRING), optional=("a",)))


def test_positional_and_named_arguments() -> None:
    table = OverloadTable([sig(to=STRING, count=NUMBER), sig(count=NUMBER, to=STRING)])
    assert table.choose(["paris", 2]).chosen == 0
    assert table.choose([2, "paris"]).chosen == 1
    assert OverloadTable([sig(to=STRING)]).choose({"to": "paris"}).chosen == 0


def test_data_fits_an_object_slot_and_an_exact_slot_beats_it() -> None:
    table = OverloadTable([sig(a=object_of(SCObject))])
    assert table.choose({"a": SCData({})}).ranks == (Rank.SUPERCLASS,)
    table.register(sig(a=object_of(SCData)))
    assert table.choose({"a": SCData({})}).chosen == 1
    assert table.choose({"a": SCSelector("x")}).chosen == 0


def test_a_union_takes_its_members_and_no_other() -> None:
    wide = union(STRING, NUMBER)
    assert match(wide, "hello") is Rank.UNION
    assert match(wide, 42) is Rank.UNION
    assert match(wide, True) is Rank.NONE


@pytest.mark.parametrize("value", ["x", 1, True, None, {}, [], SCObject(), SCToolReference("p/t")])
def test_any_takes_all(value: Any) -> None:
    assert match(ANY, value) is Rank.ANY


def test_a_trailing_optional_may_be_absent() -> None:
    table = OverloadTable([sig(a=STRING, b=NUMBER, optional=("b",))])
    assert table.choose({"a": "x"}).chosen == 0
    assert table.choose(["x"]).chosen == 0


def test_violations_name_their_kind_all_at_once() -> None:
    signature = sig(name=STRING, data=object_of(SCData), size=NUMBER)
    found = violations_of(signature, {"name": 3, "data": SCSelector("x"), "extra": 1})
    assert [(violation.path, violation.kind) for violation in found] == [
        ("/name", "mismatch"),
        ("/data", "isa"),
        ("/size", "missing"),
        ("/extra", "excess"),
    ]


def test_too_many_positional_arguments_are_in_excess() -> None:
    assert [v.kind for v in violations_of(sig(a=STRING), ["x", "y"])] == ["excess"]


def test_many_weak_matches_do_not_outweigh_a_strong_one() -> None:
    table = OverloadTable([sig(a=STRING), sig(a=ANY, b=ANY, c=ANY, d=ANY, optional=("b", "c", "d"))])
    assert table.choose({"a": "x"}).chosen == 0


def test_higher_arity_breaks_a_tie_of_ranks() -> None:
    table = OverloadTable([sig(a=STRING), sig(a=STRING, b=STRING, optional=("b",))])
    assert table.choose({"a": "x"}).chosen == 1


def test_a_tie_that_remains_is_ambiguous() -> None:
    choice = OverloadTable([sig(a=STRING, b=NUMBER, optional=("b",)), sig(a=STRING, c=NUMBER, optional=("c",))]).choose(
        {"a": "x"}
    )
    assert choice.chosen is None
    assert choice.ambiguous == (0, 1)


def test_better_here_and_worse_there_is_ambiguous() -> None:
    choice = OverloadTable([sig(a=STRING, b=ANY), sig(a=ANY, b=NUMBER)]).choose({"a": "x", "b": 1})
    assert choice.ambiguous == (0, 1)


def test_integers_are_numbers_and_booleans_are_not() -> None:
    assert match(NUMBER, 1) is match(NUMBER, 1.5) is Rank.EXACT
    assert match(NUMBER, True) is Rank.NONE
    assert match(BOOLEAN, 1) is Rank.NONE


def test_plain_json_fits_object_and_array_slots() -> None:
    for slot in (OBJECT, object_of(SCData)):
        assert match(slot, {"a": 1}) is Rank.EXACT
    assert match(object_of(SCObject), {"a": 1}) is Rank.SUPERCLASS
    assert match(object_of(SCToolReference), {"a": 1}) is Rank.NONE
    assert match(ARRAY, [1]) is match(ARRAY, SCArray([1])) is Rank.EXACT
    assert match(array_of(NUMBER), [1, "x"]) is Rank.NONE
    assert match(array_of(NUMBER), [1, 2]) is Rank.EXACT


@pytest.mark.parametrize(
    ("code", "value", "rank"),
    [
        ("s", "x", Rank.EXACT),
        ("ns", "x", Rank.UNION),
        ("*", {}, Rank.ANY),
        ("", "x", Rank.NONE),
        ("z", None, Rank.EXACT),
        ("o", {}, Rank.EXACT),
        ("a", [], Rank.EXACT),
        ("s", {}, Rank.NONE),
    ],
)
def test_codes_of_the_artifact_are_types(code: str, value: Any, rank: Rank) -> None:
    assert match(from_code(code), value) is rank


TYPES = st.sampled_from(
    [
        STRING,
        NUMBER,
        BOOLEAN,
        NULL,
        ANY,
        OBJECT,
        ARRAY,
        union(STRING, NUMBER),
        union(NUMBER, NULL),
        object_of(SCObject),
        object_of(SCData),
        object_of(SCDictionary),
        array_of(STRING),
    ]
)
VALUES = st.sampled_from(
    ["x", 1, True, None, {}, {"a": 1}, [], ["x"], [1], SCData({}), SCDictionary(), SCSelector("x")]
)
SIGNATURES = st.builds(
    lambda params, closed: Signature(tuple(Param(n, t, r) for n, (t, r) in params.items()), closed),
    st.dictionaries(st.sampled_from("abc"), st.tuples(TYPES, st.booleans())),
    st.booleans(),
)


def _slow(signatures: list[Signature], args: dict[str, Any]) -> set[int]:
    """The signatures that nobody beats, by comparing every pair argument by argument."""

    def fits(signature: Signature) -> bool:
        names = [param.name for param in signature.params]
        if any(param.required and param.name not in args for param in signature.params):
            return False
        if (names or signature.closed) and any(name not in names for name in args):
            return False
        return all(match(p.type, args[p.name]) != Rank.NONE for p in signature.params if p.name in args)

    def rank(signature: Signature, name: str) -> Rank:
        return next((match(p.type, args[name]) for p in signature.params if p.name == name), Rank.ANY)

    def beats(one: Signature, other: Signature) -> bool:
        pairs = [(rank(one, name), rank(other, name)) for name in args]
        if all(a == b for a, b in pairs):
            return len(one.params) > len(other.params)
        return not any(a > b for a, b in pairs)

    fitting = [i for i, signature in enumerate(signatures) if fits(signature)]
    return {i for i in fitting if not any(beats(signatures[j], signatures[i]) for j in fitting if j != i)}


@settings(max_examples=500, deadline=None)
@given(st.lists(SIGNATURES, max_size=5), st.dictionaries(st.sampled_from("abcd"), VALUES))
def test_the_choice_is_that_of_a_slow_twin(signatures: list[Signature], args: dict[str, Any]) -> None:
    choice = choose(signatures, args)
    best = _slow(signatures, args)
    assert ({choice.chosen} if choice.chosen is not None else set(choice.ambiguous)) == best
    if choice.chosen is not None:
        assert choice.ranks == ranks_of(signatures[choice.chosen], args)


@given(st.lists(SIGNATURES, max_size=5), st.dictionaries(st.sampled_from("abcd"), VALUES), st.randoms())
def test_the_choice_does_not_depend_on_the_order(
    signatures: list[Signature], args: dict[str, Any], random: Any
) -> None:
    shuffled = random.sample(signatures, len(signatures))
    one, other = choose(signatures, args), choose(shuffled, args)
    chosen = None if one.chosen is None else signatures[one.chosen]
    assert chosen == (None if other.chosen is None else shuffled[other.chosen])
