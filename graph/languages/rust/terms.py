"""What Rust adds to the values of the linking engine.

Type arguments are kept as values of the types (`Vec<Foo>` is (INSTANCE, Vec, ((INSTANCE, Foo, ()),))): whether a path
or a value stands before a member is told by the namespace in the member's name. The arguments of a trait are its own
type first (the type that implements it), then its parameters, then its associated types in the order of
`Questions.associated`.

The receiver of a FUNCTION or VARIABLE is a tuple of (owner, arguments): what the type parameters of each owner are.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from graph.link.values import (
    BOTTOM,
    EXTERNAL_INSTANCE,
    INSTANCE,
    PARAMETER,
    TUPLE,
    TYPE,
    UNKNOWN,
    Value,
    Values,
)

ALIAS: Final = 101
"""(ALIAS, gid, values): a type alias or associated type as the thing named, and the types that it stands for."""
VARIANT: Final = 102
"""(VARIANT, gid): an enum variant with named fields, as what a struct expression or pattern gives fields of."""
QUALIFIED: Final = 103
"""(QUALIFIED, values, values): `<T as Trait>`."""
HELD: Final = 104
"""(HELD, values): values that no definition holds (a field of a tuple)."""
PROJECTED: Final = 105
"""(PROJECTED, value): the `project` method that pin-project adds; what it gives has the fields of the value."""
PROJECTION: Final = 106
"""(PROJECTION, value): what that method gives; its pinned fields are held in a `Pin`."""
PINNED: Final = -3
"""In place of an owner in a receiver: the field is held in a `Pin`."""
EXTERN_ROOT: Final = "::"
"""Key of the PACKAGE whose members are the crates."""

Given: TypeAlias = dict[int, list[Values]]
"""Owner -> what its type parameters stand for, as far as is known."""


def known(values: Values) -> Values:
    """The values without the marks of what is not known."""
    return tuple(value for value in values if value[0] not in (UNKNOWN[0], BOTTOM[0]))


def combined(values: Values) -> Values:
    """The values, where one of several of one type that says less than another one is left out."""
    if len(values) < 2:
        return values
    full = {value[1] for value in values if value[0] == INSTANCE and any(value[2])}
    return tuple(value for value in values if not (value[0] == INSTANCE and value[1] in full and not any(value[2])))


def replace(values: Values, given: Given) -> Values:
    """The values with type parameters replaced; one that stands for nothing known is left out of its set."""
    result: dict[Value, None] = {}
    for value in values:
        tag = value[0]
        if tag == PARAMETER:
            owner: int = value[1]
            place: int = value[2]
            if owner not in given:
                result[value] = None
            elif 0 <= place < len(given[owner]):
                result.update(dict.fromkeys(given[owner][place]))
        elif tag == INSTANCE or tag == TYPE:
            arguments = value[2]
            result[(tag, value[1], tuple(replace(part, given) for part in arguments)) if arguments else value] = None
        elif tag == EXTERNAL_INSTANCE:
            result[(tag, value[1], value[2], tuple(replace(part, given) for part in value[3]))] = None
        elif tag == TUPLE:
            result[(tag, tuple(replace(part, given) for part in value[1]))] = None
        else:
            result[value] = None
    return tuple(result)


def mentions(values: Values) -> bool:
    """Whether a type parameter occurs anywhere in the values."""
    for value in values:
        tag = value[0]
        if tag == PARAMETER:
            return True
        parts: tuple[Values, ...] = ()
        if tag == INSTANCE or tag == TYPE:
            parts = value[2]
        elif tag == EXTERNAL_INSTANCE:
            parts = value[3]
        elif tag == TUPLE:
            parts = value[1]
        for part in parts:
            if mentions(part):
                return True
    return False
