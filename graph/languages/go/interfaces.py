"""Which interface methods a method implements. Types satisfy interfaces without naming them (Go spec, Method sets).

Looked at are the interfaces of the method's own package and those of the packages of the repository that its file
imports: a type is seldom written for any other.
"""

from __future__ import annotations

from typing import Final

from graph.languages.go.selection import SelectionLinker
from graph.link.values import (
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    PACKAGE,
    Value,
    file_of,
    gid,
    index_of,
    mentions_parameter,
)
from graph.model import DefinitionKind

_MOST_INTERFACES: Final = 300
_MOST_METHODS: Final = 100


def implemented(linker: SelectionLinker, method: int) -> tuple[int, ...]:
    """The interface methods (gids) that a method (gid) implements, in the order of their gids.

    A type counts as implementing an interface when it has all of its methods, each with as many parameters and results,
    and of the same types as far as these are known. Pointers are looked through.
    """
    number = file_of(method)
    file = linker.world.file(number, number)
    definition = file.definitions[index_of(method)]
    receiver = definition.extra.get("receiver")
    if definition.kind != DefinitionKind.METHOD or not receiver:
        return ()
    owners = [
        owner
        for owner in linker.packages.members(linker.packages.key_of(number), number).names.get(receiver, ())
        if linker.packages.visible(owner, number)
    ]
    found: set[int] = set()
    for interface in _interfaces(linker, number)[:_MOST_INTERFACES]:
        required = _method_set(linker, interface, definition.name)
        if required and any(_has_all(linker, owner, required, number) for owner in owners):
            found.add(required[definition.name])
    return tuple(sorted(found))


def _interfaces(linker: SelectionLinker, number: int) -> list[int]:
    """The interfaces of a file's own package, and the exported ones of packages that it imports."""
    file = linker.world.file(number, number)
    own = linker.packages.key_of(number)
    keys = dict.fromkeys([own])
    for index in range(len(file.imports)):
        for thing in linker.imported(file, index):
            if thing[0] == PACKAGE:
                keys[thing[1]] = None
    found: list[int] = []
    for key in keys:
        for name, definitions in linker.packages.members(key, number).names.items():
            for definition in definitions:
                is_interface = linker.definition(definition).kind == DefinitionKind.INTERFACE
                if is_interface and (key == own or name[:1].isupper()) and linker.packages.visible(definition, number):
                    found.append(definition)
    return found


def _method_set(linker: SelectionLinker, interface: int, name: str) -> dict[str, int]:
    """The methods of an interface by name; empty when it has none of that name, or when not all of them are known."""
    methods: dict[str, int] = {}
    for level in linker.levels(interface)[:1]:
        if any(outside[0] != EXTERNAL or outside[2] != "error" for outside in level.outside):
            return {}
        for entry in level.entries:
            file = linker.world.file(file_of(entry.type), file_of(interface))
            scope = file.definitions[index_of(entry.type)].scope
            if scope < 0:
                return {}
            for member, bindings in file.bindings[scope].items():
                methods.setdefault(member, gid(file.number, bindings[-1][1]))
    return methods if name in methods and len(methods) <= _MOST_METHODS else {}


def _has_all(linker: SelectionLinker, owner: int, required: dict[str, int], asker: int) -> bool:
    return all(_has(linker, owner, name, method, asker) for name, method in required.items())


def _has(linker: SelectionLinker, owner: int, name: str, wanted: int, asker: int) -> bool:
    if not name[:1].isupper() and linker.packages.key_of(file_of(owner)) != linker.packages.key_of(file_of(wanted)):
        return False
    receiver: Value = (INSTANCE, owner, linker.own_arguments(owner))
    things = linker.member(owner, name, receiver, asker)
    functions = [thing[1] for thing in things if thing[0] == FUNCTION]
    return bool(functions) and all(_same_signature(linker, function, wanted) for function in functions)


def _same_signature(linker: SelectionLinker, first: int, second: int) -> bool:
    one, other = linker.definition(first), linker.definition(second)
    if len(one.parameters) != len(other.parameters) or one.extra.get("results") != other.extra.get("results"):
        return False
    pairs = [(mine[1], theirs[1]) for mine, theirs in zip(one.parameters, other.parameters, strict=True)]
    if any(mine[3] != theirs[3] for mine, theirs in zip(one.parameters, other.parameters, strict=True)):
        return False
    return all(_same_type(linker, first, mine, second, theirs) for mine, theirs in [*pairs, (one.type, other.type)])


def _same_type(linker: SelectionLinker, first: int, mine: int, second: int, theirs: int) -> bool:
    """Whether two type expressions of two definitions' files mean one type, as far as is known."""
    one = linker.evaluate(linker.world.file(file_of(first), file_of(first)), mine)
    other = linker.evaluate(linker.world.file(file_of(second), file_of(second)), theirs)
    if not one or not other or mentions_parameter(one) or mentions_parameter(other):
        return True
    return bool(set(one) & set(other))
