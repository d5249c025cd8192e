"""Functional interfaces (JLS 9.8, 9.9)."""

from __future__ import annotations

from graph.languages.java.jdk import OBJECT
from graph.languages.java.members import Members
from graph.languages.java.values import (
    Descriptor,
    Key,
    arguments_of,
    fill,
    key_of,
)
from graph.link.values import (
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    Value,
    file_of,
    index_of,
)
from graph.model import Flag


class Functional(Members):
    """What functional interfaces take and give."""

    def descriptor(self, value: Value) -> Descriptor | None:
        """What a functional interface (a type or a value of it) takes and gives; None when it is none, or not known."""
        key = key_of(value)
        if key is None or (isinstance(key, str) and key not in self.jdk):
            return None
        if key in self._descriptors:
            plain = self._descriptors[key]
        else:
            plain = self._find_descriptor(key)
            if self.settled():
                self._descriptors[key] = plain
        if plain is None:
            return None
        arguments = arguments_of(value)
        parameters = tuple(fill(part, key, arguments) for part in plain.parameters)
        return Descriptor(parameters, fill(plain.result, key, arguments))

    def _find_descriptor(self, key: Key) -> Descriptor | None:
        if not self.is_interface(key) or self.open_ended(key):
            return None
        names: dict[str, None] = {}
        for owner, _ in self.lineage(key).classes:
            if owner != OBJECT:
                names.update(dict.fromkeys(self._abstract_names(owner)))
        found: list[Value] = []
        for name in names:
            if self._own_of_jdk(OBJECT, name) and name not in ("clone()", "finalize()"):
                continue
            for thing in self.member_of(key, name, self._itself(key)):
                if self._is_abstract(thing):
                    found.append(thing)
        distinct = {self.erased(thing) for thing in found}
        if not found or len(distinct) != 1 or len({self._name_of(thing) for thing in found}) != 1:
            return None
        signature = self.signature(found[0])
        return Descriptor(signature.parameters, signature.result)

    def _itself(self, key: Key) -> Value:
        arguments = self.own_arguments(key)
        if isinstance(key, int):
            return (INSTANCE, key, arguments)
        return (EXTERNAL_INSTANCE, self.jdk.module(key), key, arguments)

    def _name_of(self, thing: Value) -> str:
        return self.definition(thing[1]).name if thing[0] == FUNCTION else thing[2].rpartition(".")[2]

    def _abstract_names(self, owner: Key) -> list[str]:
        if isinstance(owner, str):
            described = self.jdk.type(owner)
            methods = {} if described is None else described.methods
            return [f"{name}()" for name, found in methods.items() if any(method.flag == "a" for method in found)]
        file = self.world.file(file_of(owner), file_of(owner))
        scope = file.definitions[index_of(owner)].scope
        names: list[str] = []
        for name in file.bindings[scope] if scope >= 0 else ():
            if name.endswith("()") and any(
                self.definition(member).flags & Flag.ABSTRACT for member in self.own_members(owner, name)
            ):
                names.append(name)
        return names
