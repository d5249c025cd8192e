"""What an expression can stand for while names are linked.

A value is a tuple whose first element is a tag; a set of possible values is a tuple of values. `()` means that nothing
is known; a set that holds `UNKNOWN` is known in part only. A definition is named by its *gid*: file number shifted left
by `FILE_SHIFT`, plus its index in the file.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Value: TypeAlias = tuple[Any, ...]
Values: TypeAlias = tuple[Value, ...]

FILE_SHIFT: Final = 24
INDEX_MASK: Final = (1 << FILE_SHIFT) - 1

INSTANCE: Final = 0
"""(INSTANCE, gid, arguments): a value of the class; arguments is a tuple of value sets (types), () when not given."""
TYPE: Final = 1
"""(TYPE, gid, arguments): the class itself."""
FUNCTION: Final = 2
"""(FUNCTION, gid, receiver value or None): a function or method; the receiver gives its type parameters their
meaning.
"""
MODULE: Final = 3
"""(MODULE, file number): a file as a unit whose names are its members."""
PACKAGE: Final = 4
"""(PACKAGE, key): a group of files whose meaning the language's linker knows (a Go or Java package, a folder)."""
EXTERNAL: Final = 5
"""(EXTERNAL, package, symbol): something outside of the repository; symbol is '' for the package itself."""
EXTERNAL_INSTANCE: Final = 6
"""(EXTERNAL_INSTANCE, package, symbol, arguments): a value whose type is outside of the repository."""
EXTERNAL_RESULT: Final = 7
"""(EXTERNAL_RESULT, package, symbol): what something outside gave; its type is not known."""
TUPLE: Final = 8
"""(TUPLE, (value set, ...)): values side by side."""
CALLABLE: Final = 9
"""(CALLABLE, value set): gives that when called."""
PARAMETER: Final = 10
"""(PARAMETER, gid, position, is instance): a type parameter of a definition, as a type or as a value of that type."""
VARIABLE: Final = 11
"""(VARIABLE, gid, receiver value or None): a variable, field or parameter, as the thing named; never from `evaluate`.
"""
UNKNOWN: Final[Value] = (12,)
SUPERS: Final = 15
"""(SUPERS, gid, receiver value): the receiver seen as what the class inherits from (`super()`)."""
SELF_POSITION: Final = -1
"""Position of a PARAMETER that stands for the type of the receiver itself: the class in which it is used, or any
below.
"""

NOTHING: Final[Values] = ()

WIDTH: Final = 32
"""Most alternatives of one value set; beyond it nothing is known."""
PART_WIDTH: Final = 6
"""Most alternatives of a type argument."""
NESTING: Final = 3
"""Deepest nesting of type arguments."""


def gid(file: int, index: int) -> int:
    """The gid of definition `index` of file number `file`."""
    return file << FILE_SHIFT | index


def file_of(definition: int) -> int:
    """The file number of a gid."""
    return definition >> FILE_SHIFT


def index_of(definition: int) -> int:
    """The index in its file of a gid."""
    return definition & (1 << FILE_SHIFT) - 1


def instances(types: Values) -> Values:
    """Values of the given types: what a declaration with that type holds."""
    return tuple(instance(value) for value in types)


def instance(value: Value) -> Value:
    """A value of one type; what is not a type stays as it is (a function type, an unknown)."""
    tag = value[0]
    if tag == TYPE:
        return (INSTANCE, value[1], value[2])
    if tag == EXTERNAL:
        return (EXTERNAL_INSTANCE, value[1], value[2], ())
    if tag == PARAMETER:
        return (PARAMETER, value[1], value[2], True)
    return value


def merge(sets: list[Values]) -> Values:
    """The union of several value sets, in order, each value once; an empty set makes the union known in part only."""
    if len(sets) == 1:
        return sets[0]
    seen: dict[Value, None] = {}
    for values in sets:
        if values:
            for value in values:
                seen[value] = None
        else:
            seen[UNKNOWN] = None
    if len(seen) > 1:
        seen.pop(BOTTOM, None)
    if (len(seen) == 1 and UNKNOWN in seen) or len(seen) > WIDTH:
        return NOTHING
    return tuple(seen)


BOTTOM: Final[Value] = (13,)
"""Stands for a value that is being worked out at the moment; it leaves no trace in a union."""
AMBIGUITY: Final[Value] = (14,)
"""Among the things named: the others are candidates, of which the language picks one by something that is not known
here.
"""
BOTTOMS: Final[Values] = (BOTTOM,)


def mentions_parameter(values: Values) -> bool:
    """Whether a type parameter occurs anywhere in the values."""
    for value in values:
        tag = value[0]
        if tag == PARAMETER:
            return True
        if (tag in (INSTANCE, TYPE) and value[2] and any(mentions_parameter(part) for part in value[2])) or (
            tag == EXTERNAL_INSTANCE and value[3] and any(mentions_parameter(part) for part in value[3])
        ):
            return True
        if tag == TUPLE and any(mentions_parameter(part) for part in value[1]):
            return True
        if tag == CALLABLE and mentions_parameter(value[1]):
            return True
    return False


def substitute(values: Values, owner: int, arguments: tuple[Values, ...]) -> Values:
    """The values with the type parameters of definition `owner` replaced by the type arguments given for them."""
    if not arguments or not mentions_parameter(values):
        return values
    result: list[Value] = []
    for value in values:
        tag = value[0]
        if tag == PARAMETER:
            if value[1] == owner and 0 <= value[2] < len(arguments) and arguments[value[2]]:
                given = arguments[value[2]]
                result.extend(instances(given) if value[3] else given)
            else:
                result.append(value)
        elif tag in (INSTANCE, TYPE):
            result.append((tag, value[1], tuple(substitute(part, owner, arguments) for part in value[2])))
        elif tag == EXTERNAL_INSTANCE:
            parts = tuple(substitute(part, owner, arguments) for part in value[3])
            result.append((tag, value[1], value[2], parts))
        elif tag == TUPLE:
            result.append((tag, tuple(substitute(part, owner, arguments) for part in value[1])))
        elif tag == CALLABLE:
            result.append((tag, substitute(value[1], owner, arguments)))
        else:
            result.append(value)
    return tuple(dict.fromkeys(result))


def replace_self(values: Values, receiver: Value) -> Values:
    """The values with the receiver's own type (`SELF_POSITION`) replaced by the receiver; one level deep."""
    if not any(value[0] == PARAMETER and value[2] == SELF_POSITION for value in values):
        return values
    type_: Value = receiver
    if receiver[0] == INSTANCE:
        type_ = (TYPE, receiver[1], receiver[2])
    elif receiver[0] == PARAMETER:
        type_ = (PARAMETER, receiver[1], receiver[2], False)
    result: list[Value] = []
    for value in values:
        if value[0] == PARAMETER and value[2] == SELF_POSITION:
            result.append(instance(type_) if value[3] else type_)
        else:
            result.append(value)
    return tuple(dict.fromkeys(result))


def clip(values: Values, depth: int = NESTING) -> Values:
    """The values with type arguments nested deeper than `depth`, or of more than `PART_WIDTH` alternatives, left out.

    Types of recursive code would otherwise grow without end. Values without type arguments come back as they are.
    """
    for value in values:
        tag = value[0]
        if tag == TUPLE or tag == CALLABLE or (tag <= TYPE and value[2]) or (tag == EXTERNAL_INSTANCE and value[3]):
            break
    else:
        return values
    result: dict[Value, None] = {}
    for value in values:
        tag = value[0]
        if tag <= TYPE and value[2]:
            value = (tag, value[1], _clip_parts(value[2], depth) if depth > 0 else ())
        elif tag == EXTERNAL_INSTANCE and value[3]:
            value = (tag, value[1], value[2], _clip_parts(value[3], depth) if depth > 0 else ())
        elif tag == TUPLE:
            value = (TUPLE, _clip_parts(value[1], depth)) if depth > 0 else UNKNOWN
        elif tag == CALLABLE:
            value = (CALLABLE, *_clip_parts((value[1],), depth), *value[2:]) if depth > 0 else UNKNOWN
        result[value] = None
    return tuple(result)


def _clip_parts(parts: tuple[Values, ...], depth: int) -> tuple[Values, ...]:
    return tuple([clip(part, depth - 1) if len(part) <= PART_WIDTH else NOTHING for part in parts])
