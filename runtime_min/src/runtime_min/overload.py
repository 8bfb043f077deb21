"""Overloads: the arguments of a message pick one of several signatures.

Each argument matches a parameter's type exactly, through a superclass, through a union, or because any is
taken. A signature wins when it is better in some argument and worse in none; among equals the one with more
parameters does. What is left after that is ambiguous, and is reported as such: chance never decides, and no
sum of weak matches outweighs a strong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from .errors import DuplicateSignature, Violation
from .named import NamedTuple
from .objects import SCArray, SCData, SCDictionary, SCObject

_SHOWN = 300  # characters of signatures in a message


class Rank(IntEnum):
    """How well an argument matches a type, best first."""

    EXACT = 0
    SUPERCLASS = 1
    UNION = 2
    ANY = 3
    NONE = 4


class Type(NamedTuple):
    """A type descriptor. `isa` is the class of an object slot (None: a plain JSON object), `of` the members of a union
    or the items of an array."""

    kind: str  # string number boolean null object array union any
    isa: type[SCObject] | None = None
    of: tuple[Type, ...] = ()

    def __str__(self) -> str:
        if self.kind == "union":
            return "|".join(map(str, self.of)) or "never"
        if self.kind == "array" and self.of:
            return f"array<{self.of[0]}>"
        return self.isa.__name__ if self.isa else self.kind


STRING, NUMBER, BOOLEAN, NULL, ANY = map(Type, ("string", "number", "boolean", "null", "any"))
OBJECT, ARRAY = Type("object"), Type("array")
_LETTERS = {"s": STRING, "n": NUMBER, "b": BOOLEAN, "z": NULL, "o": OBJECT, "a": ARRAY}


def object_of(cls: type[SCObject]) -> Type:
    """The type of objects of `cls`."""
    return Type("object", cls)


def array_of(item: Type) -> Type:
    """The type of arrays whose items are all `item`."""
    return Type("array", None, (item,))


def union(*members: Type) -> Type:
    """The type of what is any of these."""
    return members[0] if len(members) == 1 else Type("union", None, members)


def from_code(code: str) -> Type:
    """The type that a code of the artifact's signatures says (`format.Signature`)."""
    return ANY if "*" in code else union(*(_LETTERS[letter] for letter in code))


class Param(NamedTuple):
    """A parameter: its name, type, and whether it must be given."""

    name: str
    type: Type
    required: bool = True

    def __str__(self) -> str:
        return f"{self.name}{'' if self.required else '?'}: {self.type}"


class Signature(NamedTuple):
    """One way of calling, its parameters in order. One that is open and names none takes any arguments."""

    params: tuple[Param, ...]
    closed: bool = True

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.params))})"


class Choice(NamedTuple):
    """The outcome: the number of the signature that won, or those that cannot be told apart, or why none fits."""

    chosen: int | None
    ranks: tuple[Rank, ...]
    ambiguous: tuple[int, ...]
    violations: tuple[tuple[Violation, ...], ...]  # one a signature; () for one that fits


Arguments = Mapping[str, Any] | Sequence[Any]
"""Named arguments, or positional ones in the order of the parameters."""


class OverloadTable:
    """The signatures of one selector, in the order in which they were registered."""

    def __init__(self, signatures: Sequence[Signature] = ()) -> None:
        self.signatures: list[Signature] = []
        for signature in signatures:
            self.register(signature)

    def register(self, signature: Signature) -> int:
        """Add a signature and return its index; raises DuplicateSignature when one takes the same names and types."""
        shape = _shape(signature)
        if any(_shape(other) == shape for other in self.signatures):
            raise DuplicateSignature(
                f"a signature {signature} is registered already", hint="change a type, a name or the arity"
            )
        self.signatures.append(signature)
        return len(self.signatures) - 1

    def choose(self, args: Arguments) -> Choice:
        """The signature that these arguments pick."""
        return choose(self.signatures, args)


def choose(signatures: Sequence[Signature], args: Arguments) -> Choice:
    """The one of `signatures` that `args` pick."""
    violations = tuple(violations_of(signature, args) for signature in signatures)
    fitting = {index: ranks_of(signatures[index], args) for index, found in enumerate(violations) if not found}
    best = [
        index
        for index, ranks in fitting.items()
        if not any(
            _beats(other, len(signatures[rival].params), ranks, len(signatures[index].params))
            for rival, other in fitting.items()
            if rival != index
        )
    ]
    if len(best) == 1:
        return Choice(best[0], fitting[best[0]], (), violations)
    return Choice(None, (), tuple(best), violations)


def violations_of(signature: Signature, args: Arguments) -> tuple[Violation, ...]:
    """Everything about the arguments that does not fit, in the order of the parameters, then what is in excess."""
    found = []
    named = _named(signature, args)
    known = set()
    for param in signature.params:
        known.add(param.name)
        if param.name not in named:
            if param.required:
                found.append(Violation(pointer(param.name), "missing", str(param.type), "nothing"))
        elif match(param.type, value := named[param.name]) is Rank.NONE:
            wants_object = _wants_class(param.type)
            kind = "isa" if wants_object and isinstance(value, SCObject) else "mismatch"
            found.append(Violation(pointer(param.name), kind, str(param.type), describe(value)))
    if signature.params or signature.closed:
        for name, value in named.items():
            if name not in known:
                found.append(Violation(pointer(name), "excess", "no such argument", describe(value)))
    return tuple(found)


def ranks_of(signature: Signature, args: Arguments) -> tuple[Rank, ...]:
    """How well each given argument matches, in an order that all signatures share."""
    named = _named(signature, args)
    types = {param.name: param.type for param in signature.params}
    return tuple(match(types.get(name, ANY), named[name]) for name in _in_order(named, args))


def match(type_: Type, value: Any) -> Rank:
    """How well a value matches a type."""
    kind = type_.kind
    if kind == "any":
        return Rank.ANY
    if kind == "union":
        return Rank.UNION if any(match(member, value) is not Rank.NONE for member in type_.of) else Rank.NONE
    if kind == "object":
        return _match_object(type_.isa, value)
    if kind == "array":
        return _match_array(type_, value)
    return Rank.EXACT if _primitive(value) == kind else Rank.NONE


def pointer(name: str) -> str:
    """The JSON pointer of a top-level argument."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def it_takes(signatures: Iterable[Signature]) -> str:
    """The ways of calling a tool, as the next move of whoever called it otherwise."""
    text = f"it takes {' or '.join(map(str, signatures))}"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def describe(value: Any) -> str:
    """What a value is, in a word; never the value itself, which may be a secret."""
    if isinstance(value, SCObject):
        return type(value).__name__
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "array"
    return _primitive(value) or type(value).__name__


def _match_object(isa: type[SCObject] | None, value: Any) -> Rank:
    if isinstance(value, Mapping):  # it travels as SCData; a dictionary or any object slot takes it too
        if isa is None or isa is SCData:
            return Rank.EXACT
        return Rank.SUPERCLASS if isa in (SCObject, SCDictionary) else Rank.NONE
    if not isinstance(value, SCObject):
        return Rank.SUPERCLASS if isa is SCObject and isinstance(value, (list, tuple)) else Rank.NONE
    if isa is None:
        return Rank.EXACT if isinstance(value, (SCData, SCDictionary)) else Rank.NONE
    if value.is_member_of(isa):
        return Rank.EXACT
    return Rank.SUPERCLASS if value.is_kind_of(isa) else Rank.NONE


def _match_array(type_: Type, value: Any) -> Rank:
    if not isinstance(value, (list, tuple, SCArray)):
        return Rank.NONE
    if not type_.of:
        return Rank.EXACT
    return max((match(type_.of[0], item) for item in value), default=Rank.EXACT)


def _primitive(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else ""


def _beats(one: tuple[Rank, ...], arity: int, other: tuple[Rank, ...], other_arity: int) -> bool:
    """Better in some argument and worse in none; or equal, and with more parameters."""
    if one == other:
        return arity > other_arity
    return all(a <= b for a, b in zip(one, other, strict=True))


def _named(signature: Signature, args: Arguments) -> Mapping[str, Any]:
    if isinstance(args, Mapping):
        return args
    names = [param.name for param in signature.params]
    names += [f"[{index}]" for index in range(len(names), len(args))]
    return dict(zip(names, args, strict=False))


def _in_order(named: Mapping[str, Any], args: Arguments) -> Sequence[str]:
    return sorted(named) if isinstance(args, Mapping) else list(named)


def _shape(signature: Signature) -> tuple[tuple[str, Type], ...]:
    return tuple((param.name, _sorted(param.type)) for param in signature.params)


def _sorted(type_: Type) -> Type:
    """A type in which the order of a union's members does not matter."""
    members = tuple(map(_sorted, type_.of))
    return type_._replace(of=tuple(sorted(members, key=str)) if type_.kind == "union" else members)


def _wants_class(type_: Type) -> bool:
    return type_.kind == "object" or (type_.kind == "union" and any(map(_wants_class, type_.of)))
