"""The operations of this language's own: what each word of a SPECIAL expression means.

Values beside the engine's: the synthetic owners `INTERSECTION`, `SIGNATURE` and `TYPEOF`, gids of anonymous objects
(`OBJECT_BIT`), and `LAMBDA`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graph.languages.typescript.calls import Calls
from graph.languages.typescript.library import (
    INTERSECTION,
    LAMBDA,
    LIBRARY,
    OBJECT_BIT,
    SIGNATURE,
    is_declared,
    is_named,
    library_type,
)
from graph.link.answers import Named
from graph.link.values import (
    BOTTOM,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    gid,
    instances,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind, Op, ScopeKind

TYPE_ONLY = frozenset({DefinitionKind.INTERFACE, DefinitionKind.TYPE})
"""Kinds of definitions that are no values."""
TYPE_MEANING = frozenset({DefinitionKind.CLASS, DefinitionKind.INTERFACE, DefinitionKind.ENUM, DefinitionKind.TYPE})
"""Kinds of definitions that can be types."""


class TypeRules(Calls):
    """The rules of types, for the linker of the family."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._special: dict[str, Callable[[FileInterface, list[Any]], Values]] = {
            "nothing": self._nothing,
            "type": self._type,
            "lib": self._lib,
            "shape": self._shape,
            "object": self._object,
            "signature": self._signature,
            "intersection": self._intersection,
            "typeof": self._typeof,
            "lookup": self._lookup,
            "element": self._element,
            "polymorphic": self._polymorphic,
            "promise": self._promise,
            "lambda": self._lambda,
            "parameter": self._parameter,
            "argument": self._argument,
            "constructor": self._constructor,
            "new": self._new,
            "array": self._array,
            "at": self._at,
            "either": self._either,
            "otherwise": self._otherwise,
            "superclass": self._superclass,
        }

    # -- operations ---------------------------------------------------------------------------------------------------

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """SPECIAL, by its word."""
        return self._special[operation[1]](file, operation)

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        """BUILTIN: a value of a type of the library."""
        return ((INSTANCE, library_type(operation[1]), ()),)

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        """INSTANCE: values of a type; a constructor of a repository that stands for a type gives what it constructs."""
        return instances(self.evaluate(file, operation[1]))

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type or a generic function with type arguments; the utility types that compute are worked out."""
        if base[0] == TYPE:
            return ((TYPE, base[1], arguments),)
        if base[0] == FUNCTION:
            return ((FUNCTION, base[1], base[2], arguments),)
        if base[0] == EXTERNAL:
            if base[1] == "es" and arguments:
                return self._utility(base, arguments)
            return self.external_applied(base, arguments)
        if base[0] == INSTANCE and is_declared(base[1]):
            return ((INSTANCE, base[1], base[2], arguments),)
        return (base,)

    def _utility(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        name, given = base[2], arguments[0]
        if name == "Awaited":
            return self.types_of(self.awaited(instances(given)))
        if name == "ReturnType":
            results = [self.called(value, LIBRARY, ()) for value in instances(given)]
            return self.types_of(merge(results)) if results else NOTHING
        if name == "InstanceType":
            results = [self.made(value, LIBRARY, ()) for value in instances(given)]
            return self.types_of(merge(results)) if results else NOTHING
        if name == "Extract" and len(arguments) > 1:
            return arguments[1]
        return self.external_applied(base, arguments)

    def _nothing(self, file: FileInterface, operation: list[Any]) -> Values:
        return NOTHING

    def _type(self, file: FileInterface, operation: list[Any]) -> Values:
        """The type meaning of a name."""
        things = self.denote(file, operation[2]).things
        is_name = file.expressions[operation[2]][0] == Op.NAME
        if is_name and file.language != "javascript" and things and not any(map(self.may_be_type, things)):
            things = self.further_out(file, operation[2], True).things or things
        found: dict[Value, None] = {}
        loose: list[Value] = []
        only_value = [thing for thing in things if thing[0] == TYPE and self._is_value_alone(thing[1])]
        for thing in things:
            tag = thing[0]
            if tag == TYPE:
                if thing in only_value and len(things) > 1:
                    continue
                if not is_named(thing[1]):
                    found[thing] = None
                elif self.definition(thing[1]).kind != DefinitionKind.NAMESPACE:
                    found[(TYPE, self.canonical(thing[1]), thing[2])] = None
            elif tag in (PARAMETER, EXTERNAL, UNKNOWN[0], BOTTOM[0]):
                found[thing] = None
            elif tag == FUNCTION or tag == VARIABLE:
                loose.append(thing)
            elif tag == INSTANCE and thing[1] < 0:
                found[thing] = None
        if found or not loose:
            return tuple(found)
        for thing in loose:
            # In JavaScript a constructor function, or a variable that holds a class, is used as a type.
            if thing[0] == FUNCTION:
                found[(TYPE, thing[1], ())] = None
            else:
                for value in self.values_of((thing,), file.number):
                    found[value if value[0] in (TYPE, EXTERNAL) else UNKNOWN] = None
        return tuple(found)

    def may_be_type(self, thing: Value) -> bool:
        """Whether a thing has, or for all that is known could have, a meaning as a type."""
        if thing[0] == TYPE and is_named(thing[1]):
            return self._has_meaning(thing[1], True)
        return thing[0] not in (FUNCTION, VARIABLE, MODULE)

    def may_be_value(self, thing: Value) -> bool:
        """Whether a thing has, or for all that is known could have, a meaning as a value."""
        return thing[0] != TYPE or not is_named(thing[1]) or self._has_meaning(thing[1], False)

    def _has_meaning(self, definition: int, is_type: bool) -> bool:
        facts = self.definition(definition)
        if is_type:
            return facts.kind in TYPE_MEANING and not facts.extra.get("value")
        return facts.kind not in TYPE_ONLY

    def _is_value_alone(self, definition: int) -> bool:
        return is_named(definition) and bool(self.definition(definition).extra.get("value"))

    def further_out(self, file: FileInterface, expression: int, is_type: bool) -> Named:
        """What a name (NAME) means as a type or as a value, past the scopes where it has only the other meaning."""
        operation = file.expressions[expression]
        scope: int = operation[1]
        name: str = operation[2]
        has_meaning = self.may_be_type if is_type else self.may_be_value
        while scope >= 0:
            bindings = file.bindings[scope].get(name) if file.scopes[scope][1] != ScopeKind.CLASS else None
            if bindings:
                named = self.bound(file, scope, name, bindings)
                things = tuple(thing for thing in named.things if has_meaning(thing))
                if things:
                    return Named(things, named.rule)
            scope = file.scopes[scope][0]
        things = tuple(thing for thing in self.declared_globally(file, name) if has_meaning(thing))
        if things:
            return Named(things, "global")
        return Named(tuple(thing for thing in self.undeclared(name) if has_meaning(thing)), "builtin")

    def declared_globally(self, file: FileInterface, name: str) -> Values:
        """What files of the repository declare for every file."""
        return NOTHING

    def undeclared(self, name: str) -> Values:
        """What exists without being declared in the repository."""
        return NOTHING

    def _lib(self, file: FileInterface, operation: list[Any]) -> Values:
        arguments = tuple(self.evaluate(file, part) for part in operation[3])
        return ((TYPE, library_type(operation[2]), arguments),)

    def _shape(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((TYPE, gid(file.number, operation[2] | OBJECT_BIT), ()),)

    def _object(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((INSTANCE, gid(file.number, operation[2] | OBJECT_BIT), ()),)

    def _signature(self, file: FileInterface, operation: list[Any]) -> Values:
        parts = tuple(self.evaluate(file, part) for part in (operation[2], *operation[3]))
        return ((TYPE, SIGNATURE, parts),)

    def _intersection(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((TYPE, INTERSECTION, tuple(self.evaluate(file, part) for part in operation[2])),)

    def _typeof(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.types_of(self.evaluate(file, operation[2]))

    def _lookup(self, file: FileInterface, operation: list[Any]) -> Values:
        found: list[Values] = []
        for value in instances(self.evaluate(file, operation[2])):
            things = self.members(value, operation[3], file)
            if things:
                found.append(self.types_of(self.values_of(things, file.number)))
        return merge(found) if found else NOTHING

    def _element(self, file: FileInterface, operation: list[Any]) -> Values:
        found = [self.indexed(value, file) for value in instances(self.evaluate(file, operation[2]))]
        return self.types_of(merge(found)) if found else NOTHING

    def _polymorphic(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((PARAMETER, gid(file.number, operation[2]), SELF_POSITION, False),)

    def _promise(self, file: FileInterface, operation: list[Any]) -> Values:
        values = self.awaited(self.evaluate(file, operation[2]))
        return ((INSTANCE, library_type("Promise"), (self.types_of(values),)),)

    def _lambda(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((LAMBDA, file.number, operation[2]),)

    def _array(self, file: FileInterface, operation: list[Any]) -> Values:
        elements = merge([self.evaluate(file, part) for part in operation[2]]) if operation[2] else NOTHING
        return ((INSTANCE, library_type("Array"), (self.types_of(elements),)),)

    def _at(self, file: FileInterface, operation: list[Any]) -> Values:
        """A subscript that is a number."""
        found: list[Values] = []
        for value in self.opened_all(self.evaluate(file, operation[2])):
            if value[0] == TUPLE:
                found.append(value[1][operation[3]] if operation[3] < len(value[1]) else NOTHING)
            else:
                found.append(self.indexed(value, file))
        return merge(found) if found else NOTHING

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """PICK: destructuring takes what iteration gives, and the parts of a tuple one by one."""
        found: list[Values] = []
        for value in self.opened_all(self.evaluate(file, operation[1])):
            if value[0] == TUPLE:
                found.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            else:
                found.append(self.iterated(value, file))
        return merge(found) if found else NOTHING

    def _either(self, file: FileInterface, operation: list[Any]) -> Values:
        """`a ?? b`, `c ? a : b`: a value of a subclass adds nothing to one of its base (subtype reduction)."""
        values = merge([self.evaluate(file, part) for part in operation[2]])
        owners = {value[1] for value in values if value[0] == INSTANCE and is_named(value[1])}
        if len(owners) < 2:
            return values
        return tuple(
            value
            for value in values
            if value[0] != INSTANCE
            or not is_named(value[1])
            or not any(class_ in owners for class_, _ in self.ancestry(value[1]).classes[1:])
        )

    def _otherwise(self, file: FileInterface, operation: list[Any]) -> Values:
        """A destructured value with a default, which counts only where nothing is known of the value itself."""
        values = self.evaluate(file, operation[2])
        if values and UNKNOWN not in values:
            return values
        return merge([values, self.evaluate(file, operation[3])])

    def _superclass(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.base_values(gid(file.number, operation[2]))
