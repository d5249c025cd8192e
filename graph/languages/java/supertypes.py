"""Supertypes and type arguments of Java types (JLS 4.10, 8.1.4, 9.1.3)."""

from __future__ import annotations

from typing import Any, cast

from graph.languages.java.jdk import BASE, OBJECT, Signature, jdk
from graph.languages.java.packages import Packages
from graph.languages.java.values import (
    Descriptor,
    Key,
    Lineage,
    arguments_of,
    fill,
    key_of,
)
from graph.link.answers import Ancestry
from graph.link.circles import DEPTH_LIMIT
from graph.link.linker import Linker
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    NOTHING,
    PARAMETER,
    TYPE,
    UNKNOWN,
    Value,
    Values,
    file_of,
    index_of,
    instances,
)
from graph.link.world import World
from graph.model import DefinitionKind


class Supertypes(Linker):
    """Supertypes of Java types."""

    class_scopes_visible = True
    overloads = True
    builtin_package = BASE
    nesting = 6

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.jdk = jdk()
        self.packages = Packages(world)
        self._jdk_ancestry: dict[str, Lineage] = {}
        self._supers: dict[Key, dict[Key, tuple[Values, ...]]] = {}
        self._own_arguments: dict[Key, tuple[Values, ...]] = {}
        self._type_names: dict[Key, frozenset[str] | None] = {}
        self._raw: dict[Key, tuple[Values, ...]] = {}
        self._signatures: dict[int, Signature] = {}
        self._descriptors: dict[Key, Descriptor | None] = {}
        self._method_lists: dict[tuple[Key, str], tuple[tuple[Values, ...], Values]] = {}
        self._member_cache: dict[tuple[Any, str], Values] = {}

    def settled(self) -> bool:
        """Whether what was just worked out leans on no question that is still open, so that it may be remembered."""
        return self._taint > DEPTH_LIMIT

    def lineage(self, key: Key) -> Lineage:
        """A type with all its supertypes: subtypes before supertypes, classes before interfaces, `Object` last."""
        return cast(Lineage, self.ancestry(key)) if isinstance(key, int) else self._lineage_of_jdk(key)

    def inherit(self, owner: int) -> Ancestry:
        """The `Lineage` of a type of the repository, in the place of an ancestry: its types are of the JDK, too."""
        file = self.world.file(file_of(owner), file_of(owner))
        definition = file.definitions[index_of(owner)]
        sets = [self.evaluate(file, base) for base in definition.bases]
        implied = {
            "enum": "java.lang.Enum",
            "record": "java.lang.Record",
            "annotation": "java.lang.annotation.Annotation",
        }
        above = implied.get(definition.extra.get("form", ""))
        if above is not None:
            arguments = (((TYPE, owner, ()),),) if above == "java.lang.Enum" else ()
            sets.append(((EXTERNAL_INSTANCE, BASE, above, arguments),))
        lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]] = []
        outside: dict[Value, None] = {}
        for values in sets:
            if not values:
                outside[UNKNOWN] = None
            for value in values:
                key = key_of(value)
                if isinstance(key, int):
                    self.world.note(file.number, file_of(key))
                if key is None or (isinstance(key, str) and key not in self.jdk):
                    if value[0] not in (BOTTOM[0], AMBIGUITY[0]):
                        outside[(EXTERNAL, value[1], value[2]) if key is not None else UNKNOWN] = None
                    continue
                line = self.lineage(key)
                outside.update(dict.fromkeys(line.outside))
                given = arguments_of(value)
                lists.append(
                    tuple(
                        (one, given if one == key else tuple(fill(part, key, given) for part in parts))
                        for one, parts in line.classes
                    )
                )
        return cast(Ancestry, Lineage(self._merged(owner, lists), tuple(outside)))

    def _lineage_of_jdk(self, name: str) -> Lineage:
        known = self._jdk_ancestry.get(name)
        if known is None:
            described = self.jdk.type(name)
            lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]] = []
            outside: tuple[Value, ...] = ()
            if described is None or not described.whole:
                outside = ((EXTERNAL, self.jdk.module(name) if name in self.jdk else BASE, name),)
            for above in described.supertypes if described is not None else ():
                key, given = above[2], arguments_of(above)
                line = self._lineage_of_jdk(key)
                outside = outside or line.outside
                lists.append(
                    tuple(
                        (one, given if one == key else tuple(fill(part, key, given) for part in parts))
                        for one, parts in line.classes
                    )
                )
            known = self._jdk_ancestry[name] = Lineage(self._merged(name, lists), outside)
        return known

    def _merged(
        self, own: Key, lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]]
    ) -> tuple[tuple[Key, tuple[Values, ...]], ...]:
        """One list of several lineages. A type in more than one stands at its last place: after its subtypes."""
        merged: dict[Key, tuple[Values, ...]] = {}
        for line in lists:
            for key, arguments in line:
                before = merged.pop(key, ())
                merged[key] = before or arguments
        merged.pop(own, None)
        merged.pop(OBJECT, None)
        classes = [entry for entry in merged.items() if not self.is_interface(entry[0])]
        interfaces = [entry for entry in merged.items() if self.is_interface(entry[0])]
        last: list[tuple[Key, tuple[Values, ...]]] = [] if own == OBJECT else [(OBJECT, ())]
        return ((own, ()), *classes, *interfaces, *last)

    def is_interface(self, key: Key) -> bool:
        """Whether a type is an interface."""
        if isinstance(key, int):
            return self.definition(key).kind == DefinitionKind.INTERFACE
        described = self.jdk.type(key)
        return described is not None and described.kind in "I@"

    def own_arguments(self, owner: Key) -> tuple[Values, ...]:
        """The type parameters of a type as arguments of itself."""
        known = self._own_arguments.get(owner)
        if known is None:
            if isinstance(owner, int):
                count = len(self.definition(owner).type_parameters)
            else:
                described = self.jdk.type(owner)
                count = 0 if described is None else len(described.bounds)
            known = tuple(((PARAMETER, owner, position, False),) for position in range(count))
            self._own_arguments[owner] = known
        return known

    def raw_arguments(self, key: Key) -> tuple[Values, ...]:
        """What the type parameters of a raw type stand for: the erasure of their bounds (JLS 4.6, 4.8)."""
        known = self._raw.get(key)
        if known is None:
            bounds = [self.parameter_bound(part[0])[:1] for part in self.own_arguments(key)]
            known = tuple(fill(bound, key, ()) or ((EXTERNAL, BASE, OBJECT),) for bound in bounds)
            if self.settled():
                self._raw[key] = known
        return known

    def supers(self, key: Key) -> dict[Key, tuple[Values, ...]]:
        """Every supertype of a type, itself included, with its type arguments in terms of the type's own parameters."""
        known = self._supers.get(key)
        if known is None:
            line = self.lineage(key)
            known = dict(line.classes)
            known[key] = self.own_arguments(key)
            if self.settled():
                self._supers[key] = known
        return known

    def as_super(self, value: Value, target: Key) -> tuple[Values, ...] | None:
        """The type arguments of a value seen as an instance of a supertype; None when it is not known to be one."""
        if value[0] == PARAMETER:
            for bound in self.parameter_bound(value):
                found = self.as_super(bound, target)
                if found is not None:
                    return found
            return None
        key = key_of(value)
        if key is None:
            return None
        given = arguments_of(value)
        if key == target:
            return given
        if isinstance(key, str) and key not in self.jdk:
            return None
        arguments = self.supers(key).get(target)
        return None if arguments is None else tuple(fill(part, key, given) for part in arguments)

    def parameter_bound(self, value: Value) -> Values:
        """The bounds of a type parameter: types, or values of them when the parameter stands for a value."""
        owner, position, held = value[1], value[2], value[3]
        if isinstance(owner, int):
            return super().parameter_bound(value)
        bounds: tuple[Values, ...] = ()
        described = self.jdk.type(owner)
        if described is not None:
            bounds = described.bounds
        elif "~" in owner:
            declaring, _, rest = owner.rpartition("~")
            type_name, _, name = declaring.rpartition(".")
            described = self.jdk.type(type_name)
            if described is not None and name in described.methods:
                bounds = described.methods[name][int(rest)].bounds
        found = bounds[position] if position < len(bounds) else NOTHING
        return instances(found) if held else found
