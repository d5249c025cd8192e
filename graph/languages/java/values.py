"""Java types and values while names are linked: what they are made of.

A type is named by its *key*: the gid of a definition, or the full name of a type from outside. Of those outside of the
JDK nothing is known but the name.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from graph.languages.java.jdk import BASE, OBJECT, PRIMITIVES
from graph.link.values import (
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    INSTANCE,
    NOTHING,
    PARAMETER,
    TYPE,
    Value,
    Values,
    instance,
    mentions_parameter,
)

Key: TypeAlias = "int | str"

CONSTRUCTORS: Final = "<init>()"
"""The name under which constructors are bound in the scope of their class."""
INT: Final[Value] = (EXTERNAL_INSTANCE, BASE, "int", ())
BOOLEAN: Final[Value] = (EXTERNAL_INSTANCE, BASE, "boolean", ())
STRING: Final[Value] = (EXTERNAL_INSTANCE, BASE, "java.lang.String", ())
OBJECT_VALUE: Final[Value] = (EXTERNAL_INSTANCE, BASE, OBJECT, ())
ANYTHING: Final[Value] = (EXTERNAL, BASE, OBJECT, "?")
"""What a wildcard without a bound holds: `Object`, and no other type argument is the same."""
WILDCARD: Final[Values] = ((EXTERNAL_INSTANCE, BASE, "?", ()),)
"""A wildcard without a bound, as a type argument."""
WIDER: Final = {
    "byte": frozenset({"short", "int", "long", "float", "double"}),
    "short": frozenset({"int", "long", "float", "double"}),
    "char": frozenset({"int", "long", "float", "double"}),
    "int": frozenset({"long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
}
"""Widening primitive conversions (JLS 5.1.2)."""
BOXES: Final = {
    "boolean": "java.lang.Boolean", "byte": "java.lang.Byte", "short": "java.lang.Short", "char": "java.lang.Character",
    "int": "java.lang.Integer", "long": "java.lang.Long", "float": "java.lang.Float", "double": "java.lang.Double",
}  # fmt: skip
UNBOXED: Final = {box: name for name, box in BOXES.items()}
NUMERIC: Final = ("double", "float", "long", "int")
"""The types that binary numeric promotion gives, the strongest first (JLS 5.6)."""


class Lineage(NamedTuple):
    """A type and its supertypes, in the order in which members are looked up."""

    classes: tuple[tuple[Key, tuple[Values, ...]], ...]
    """(key, type arguments in terms of the first type's parameters) each, the type itself first."""
    outside: Values
    """Supertypes whose members are not known; `UNKNOWN` where a supertype could not be found."""


class Descriptor(NamedTuple):
    """What the one abstract method of a functional interface takes and gives (JLS 9.9)."""

    parameters: tuple[Values, ...]
    """Types."""
    result: Values
    """Values."""


class Argument(NamedTuple):
    """One argument of a call: a function that is written there, or a value."""

    values: Values
    """What is known of its value; nothing for a function."""
    form: str
    """`lambda`, `method-reference`, or '' for a value."""
    arity: int
    """Number of parameters of a lambda."""
    shape: int
    """What the body of a lambda can be used for."""
    explicit: bool
    """Whether the types of a lambda's parameters are written, or a method reference can only mean one method."""
    result: Values
    """What the body of a lambda gives, where its parameters' types are written; of a method reference that can only
    mean one method, what that gives."""
    counts: frozenset[int] | None
    """Numbers of parameters that a method reference can take; None when they are not known."""


def key_of(value: Value) -> Key | None:
    """The key of the class of a value or type; None when it has none (an unknown, a type parameter)."""
    tag = value[0]
    if tag == INSTANCE or tag == TYPE:
        return value[1]
    if tag == EXTERNAL or tag == EXTERNAL_INSTANCE:
        return value[2]
    return None


def arguments_of(value: Value) -> tuple[Values, ...]:
    """The type arguments of a value or type; () when none are known."""
    tag = value[0]
    if tag == INSTANCE or tag == TYPE:
        return value[2]
    return value[3] if tag == EXTERNAL_INSTANCE else ()


def primitive(value: Value) -> str:
    """The name of a primitive type (`null` and `void` among them), '' for every other value."""
    return value[2] if value[0] == EXTERNAL_INSTANCE and value[2] in PRIMITIVES else ""


def fill(values: Values, owner: Any, arguments: tuple[Values, ...]) -> Values:
    """The values with the type parameters of one owner replaced; those without an argument become unknown."""
    if not values or not mentions_parameter(values):
        return values
    result: dict[Value, None] = {}
    for value in values:
        tag = value[0]
        if tag == PARAMETER and value[1] == owner:
            given = arguments[value[2]] if value[2] < len(arguments) else NOTHING
            for one in given:
                result[instance(one) if value[3] else one] = None
        elif tag == INSTANCE or tag == TYPE:
            result[(tag, value[1], tuple(fill(part, owner, arguments) for part in value[2]))] = None
        elif tag == EXTERNAL_INSTANCE:
            parts = tuple(fill(part, owner, arguments) for part in value[3])
            result[(tag, value[1], value[2], parts)] = None
        elif tag == CALLABLE:
            result[(tag, fill(value[1], owner, arguments))] = None
        else:
            result[value] = None
    return tuple(result)
