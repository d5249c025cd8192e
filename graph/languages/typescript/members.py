"""Members of values, elements of what is iterated or subscripted, and what promises give.

Sources of the rules: ECMA-262 ("Property Accessors"), the TypeScript handbook ("Object Types", "Classes").
"""

from __future__ import annotations

from typing import Any, Final

from graph.languages.typescript.declared import OPEN_LIMIT, Declared
from graph.languages.typescript.library import (
    INTERSECTION,
    LAMBDA,
    LIBRARY,
    OBJECT_BIT,
    SIGNATURE,
    TYPEOF,
    complete_types,
    is_declared,
    library_names,
    library_type,
)
from graph.link.answers import Ancestry
from graph.link.values import (
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    PARAMETER,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind, Flag

_ITERABLES: Final = frozenset({"Iterable", "AsyncIterable"})
_PROMISES: Final = frozenset({"PromiseLike"})


class Members(Declared):
    """Members, elements and promises."""

    # -- members ------------------------------------------------------------------------------------------------------

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things named by a member of one value."""
        found: list[Values] = []
        for opened in self.opened(value):
            found.append(self._members_of_value(opened, name, file))
        return merge([things for things in found if things]) if any(found) else NOTHING

    def _members_of_value(self, value: Value, name: str, file: FileInterface) -> Values:
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            owner = value[1]
            if owner == INTERSECTION:
                return self._intersection_member(value, name, file)
            if owner == SIGNATURE:
                return self._function_member(name, file)
            if owner == TYPEOF:
                return NOTHING
            if tag == TYPE and name == "prototype":
                return ((INSTANCE, owner, value[2]),)
            return self.member(owner, name, value, file.number)
        if tag == FUNCTION:
            return self._member_of_function(value, name, file)
        if tag == LAMBDA:
            return self._function_member(name, file)
        if tag == TUPLE:
            elements = merge(list(value[1])) if value[1] else NOTHING
            array = (INSTANCE, library_type("Array"), (self.types_of(elements),))
            return self.member(array[1], name, array, file.number)
        return super().members(value, name, file)

    def _function_member(self, name: str, file: FileInterface) -> Values:
        function = (INSTANCE, library_type("Function"), ())
        return self.member(function[1], name, function, file.number)

    def _member_of_function(self, value: Value, name: str, file: FileInterface) -> Values:
        """A member that was assigned to a function, or that a namespace of its name has."""
        owner = value[1]
        self.world.note(file.number, file_of(owner))
        if name == "prototype":
            return ((INSTANCE, owner, ()),)
        receiver = (TYPE, owner, (), None)
        found = [
            one for one in self.own_members(owner, name) if self.definition(one).flags & Flag.STATIC or self._loose(one)
        ]
        if found:
            return self.with_ambiguity(tuple(self.thing(one, receiver) for one in found))
        return self.property_of_export(owner, name, file) or self._function_member(name, file)

    def _loose(self, member: int) -> bool:
        """Whether a member is one of a namespace, where there is no difference between static and not."""
        parent = self.definition(member).parent
        return self.definition(gid(file_of(member), parent)).kind == DefinitionKind.NAMESPACE if parent >= 0 else False

    def _intersection_member(self, value: Value, name: str, file: FileInterface) -> Values:
        found: list[Values] = []
        known = True
        for part in value[2]:
            known = known and bool(part)
            for one in instances(part) if value[0] == INSTANCE else part:
                things = self.members(one, name, file)
                if things and things != (UNKNOWN,):
                    if self._is_own(things):
                        return things
                    found.append(things)
                known = known and things != (UNKNOWN,)
        if found and known:
            return merge(found)
        return NOTHING if known else (UNKNOWN,)

    def _is_own(self, things: Values) -> bool:
        """Whether things are definitions of the repository."""
        return any(thing[0] in (VARIABLE, FUNCTION, TYPE) and file_of(thing[1]) >= 0 for thing in things)

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """A member of a class, interface, namespace, enumeration or object, of the side (static or not) asked for."""
        self.world.note(asker, file_of(owner))
        ancestry = self.ancestry(owner)
        arguments: tuple[Values, ...] = ()
        tag = INSTANCE
        if receiver is not None:
            if receiver[0] == PARAMETER:
                tag = INSTANCE if receiver[3] else TYPE
                arguments = self.own_arguments(owner)
            elif receiver[0] in (INSTANCE, TYPE):
                tag, arguments = receiver[0], receiver[2]
        for class_, class_arguments in ancestry.classes[skip:] if skip else ancestry.classes:
            found = self._on_side(class_, name, tag == TYPE)
            if found:
                given = arguments
                if class_ != owner:
                    given = tuple(substitute(part, owner, arguments) for part in class_arguments)
                self.world.note(asker, file_of(class_))
                seen = (tag, class_, given, receiver)
                return self.with_ambiguity(tuple(self.thing(member, seen) for member in found))
        spread = self._spread_module(ancestry, name, asker)
        return spread or self._missing(owner, name, tag, receiver, ancestry, asker)

    def _spread_module(self, ancestry: Ancestry, name: str, asker: int) -> Values:
        """A member that an object literal has because a module is spread into it."""
        for class_, _ in ancestry.classes:
            if class_ >= 0 and index_of(class_) & OBJECT_BIT:
                file, shape = self.shape_of(class_)
                for spread in shape.get("spread", ()):
                    for value in self.evaluate(file, spread):
                        if value[0] == MODULE:
                            found = self.module_things(value[1], name, asker)
                            if found:
                                return found
        return NOTHING

    def _on_side(self, class_: int, name: str, static: bool) -> tuple[int, ...]:
        found = self.own_members(class_, name)
        if not found:
            return ()
        if index_of(class_) & OBJECT_BIT:
            return found
        definition = self.definition(class_)
        if definition.kind == DefinitionKind.NAMESPACE:
            return found
        if static:
            return tuple(one for one in found if self.definition(one).flags & Flag.STATIC or self._loose(one))
        return tuple(one for one in found if not self.definition(one).flags & Flag.STATIC and not self._loose(one))

    def _missing(
        self, owner: int, name: str, tag: int, receiver: Value | None, ancestry: Ancestry, asker: int
    ) -> Values:
        """A member that nothing in the repository declares."""
        if any(value == UNKNOWN for value in ancestry.outside):
            return (UNKNOWN,)
        if ancestry.outside:
            return self.outside_member(ancestry.outside, name)
        file = self.world.file(file_of(owner), asker)
        if tag == TYPE:
            return self.property_of_export(owner, name, file)
        if self.has_index(owner):
            return self._by_index(receiver) if receiver is not None and receiver[0] == INSTANCE else NOTHING
        library = [class_ for class_, _ in ancestry.classes if file_of(class_) == LIBRARY]
        for class_ in library:
            added = self.augmented(class_, name, receiver, asker)
            if added:
                return added
        if library and not self._is_no_member(library, name):
            nearest = library[0]
            prefix = "" if index_of(nearest) & OBJECT_BIT else f"{self.definition(nearest).name}."
            return ((EXTERNAL, "lib", f"{prefix}{name}"),)
        inherited = self._members_of(library_names()["Object"][0], name)
        if inherited:
            return tuple(self.thing(one, None) for one in inherited)
        if not index_of(owner) & OBJECT_BIT and self.definition(owner).kind == DefinitionKind.ENUM:
            return ((EXTERNAL, "lib", f"Number.{name}"),)
        return NOTHING

    def augmented(self, class_: int, name: str, receiver: Value | None, asker: int) -> Values:
        """A member that the repository adds to a type of the library (`declare global`)."""
        return NOTHING

    def _is_no_member(self, library: list[int], name: str) -> bool:
        """Whether types of the library are known in full, and have no member of a name."""
        known = complete_types()
        names = [None if index_of(class_) & OBJECT_BIT else self.definition(class_).name for class_ in library]
        return all(one in known and name not in known[one] for one in names)

    def property_of_export(self, owner: int, name: str, file: FileInterface) -> Values:
        """`module.exports = X; module.exports.name = ...`: a member of X, where X is what its module is."""
        declaring = self.world.file(file_of(owner), file.number)
        expression = declaring.extra.get("properties", {}).get(name, -1)
        whole = declaring.exports.get("export=")
        if expression < 0 or whole is None or whole[1] < 0:
            return NOTHING
        targets = {thing[1] for thing in self.denote(declaring, whole[1]).things if thing[0] in (TYPE, FUNCTION)}
        return self.denote(declaring, expression).things if owner in targets else NOTHING

    # -- elements and promises ----------------------------------------------------------------------------------------

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value by iteration: the argument of the `Iterable` that it is or gives."""
        found: list[Values] = []
        for opened in self.opened(value):
            if opened[0] == TUPLE:
                found.append(merge(list(opened[1])) if opened[1] else NOTHING)
            elif opened[0] == BOTTOM[0]:
                found.append(BOTTOMS)
            elif opened[0] == INSTANCE and is_declared(opened[1]):
                found.append(self._elements(opened, file))
            elif opened[0] == INSTANCE and opened[1] == INTERSECTION:
                parts = [self.iterated(one, file) for part in opened[2] for one in instances(part)]
                known = [values for values in parts if values]
                found.append(merge(known) if known else NOTHING)
            else:
                found.append(NOTHING)
        return merge(found) if found else NOTHING

    def _elements(self, value: Value, file: FileInterface) -> Values:
        argument = self._argument_of(value, _ITERABLES)
        if argument is not None:
            return instances(argument)
        for symbol in ("[Symbol.iterator]", "[Symbol.asyncIterator]"):
            things = self.members(value, symbol, file)
            if things and things != (UNKNOWN,):
                results = [self.called(one, file.number, ()) for one in self.values_of(things, file.number)]
                found = [
                    instances(argument)
                    for one in merge(results)
                    if one[0] == INSTANCE and (argument := self._argument_of(one, _ITERABLES)) is not None
                ]
                if found:
                    return merge(found)
        return NOTHING

    def _argument_of(self, value: Value, names: frozenset[str]) -> Values | None:
        """The first type argument that a value has as one of the library's interfaces, None when it is none of them."""
        if not is_declared(value[1]):
            return None
        for class_, arguments in self.ancestry(value[1]).classes:
            if (
                file_of(class_) == LIBRARY
                and not index_of(class_) & OBJECT_BIT
                and self.definition(class_).name in names
            ):
                given = (
                    value[2] if class_ == value[1] else tuple(substitute(one, value[1], value[2]) for one in arguments)
                )
                return given[0] if given else NOTHING
        return None

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value by subscript: by its index signature, else as by iteration."""
        found: list[Values] = []
        for opened in self.opened(value):
            if opened[0] == INSTANCE and is_declared(opened[1]):
                found.append(self._by_index(opened))
            else:
                found.append(self.iterated(opened, file))
        return merge(found) if found else NOTHING

    def has_index(self, owner: int) -> bool:
        """Whether a type has an index signature: any name is a member of it then, and nothing declares it."""
        shapes = (self.shape_of(class_)[1] for class_, _ in self.ancestry(owner).classes)
        return any("index" in shape and "numeric" not in shape for shape in shapes)

    def _by_index(self, value: Value) -> Values:
        owner = value[1]
        for class_, arguments in self.ancestry(owner).classes:
            file, shape = self.shape_of(class_)
            if "index" in shape:
                given = value[2] if class_ == owner else tuple(substitute(one, owner, value[2]) for one in arguments)
                return instances(substitute(self.evaluate(file, shape["index"]), class_, given))
        return NOTHING

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        """AWAIT."""
        return self.awaited(self.evaluate(file, operation[1]))

    def awaited(self, values: Values, depth: int = 0) -> Values:
        """What is awaited: what promises give, other values as they are."""
        if not values:
            return NOTHING
        found: list[Values] = []
        for value in self.opened_all(values):
            argument = None
            if value[0] == INSTANCE and is_declared(value[1]):
                argument = self._argument_of(value, _PROMISES)
            if argument is None:
                found.append((value,))
            else:
                inner = instances(argument)
                found.append(self.awaited(inner, depth + 1) if depth < OPEN_LIMIT else NOTHING)
        return merge(found) if found else NOTHING
