"""What calls give: of the repository's classes and functions, and of what Python brings along."""

from __future__ import annotations

from collections.abc import Sequence

from graph.languages.python.decorators import DecoratorLinker
from graph.languages.python.standard import (
    ARGUMENT_CLASSES,
    BUILTIN_CLASSES,
    CLASS_CALLS,
    CLOSED_MODULES,
    CONTAINER_METHODS,
    ELEMENT_CALLS,
    FIRST_ARGUMENT_CALLS,
    ITERABLE_CLASSES,
    MAPPING_CLASSES,
    MODULES,
    OPEN_TYPES,
    RESULT_CLASSES,
    RESULT_TYPES,
    STRING_METHODS,
    TASK_CALLS,
    VALUE_METHODS,
)
from graph.link.values import (
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    TUPLE,
    TYPE,
    UNKNOWN,
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
from graph.model import BindingTag, Flag

_OVERLOAD = int(Flag.OVERLOAD)
_ASYNC, _ASYNC_GENERATOR = int(Flag.ASYNC), int(Flag.ASYNC | Flag.GENERATOR)


class CallLinker(DecoratorLinker):
    """Evaluates calls."""

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        tag = callee[0]
        if tag == EXTERNAL:
            return self._external_call(callee, asker, arguments)
        if tag == EXTERNAL_RESULT and callee[1:] == ("functools", "wraps") and arguments:
            return arguments[0]
        if tag == EXTERNAL_INSTANCE and callee[2] in ("ref", "ReferenceType") and callee[3]:
            return self.elements(callee[3][0])
        if tag == EXTERNAL_INSTANCE and callee[1] in MODULES and callee[1] != "typing":
            return (opaque(callee),) if callee[1] in CLOSED_MODULES else super().called(callee, asker, arguments)
        if tag == INSTANCE or (tag == PARAMETER and callee[3]):
            file = self.world.file(asker, asker)
            things = self.members(callee, "__call__", file)
            return merge(
                [self.called(thing, asker, arguments) for thing in things if thing[0] == FUNCTION] or [NOTHING]
            )
        values = super().called(callee, asker, arguments)
        if tag == FUNCTION and values != BOTTOMS and self._is_coroutine(callee):
            return (container("coroutine", self.types(values)),)
        return values

    def _is_coroutine(self, function: Value) -> bool:
        return self.definition(function[1]).flags & _ASYNC_GENERATOR == _ASYNC

    def result(self, function: int, receiver: Value | None, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What a function gives: as it declares or returns; where that is open, as its overloads declare."""
        overloads = self._overloads(function)
        if not overloads:
            return super().result(function, receiver, asker, arguments)
        if self.definition(function).type >= 0:
            values = super().result(function, receiver, asker, arguments)
            if values and values != (UNKNOWN,):
                return values
        given: list[Values] = []
        for overload in overloads:
            if not self._takes(overload, arguments):
                continue
            found = super().result(overload, receiver, asker, arguments)
            if not any(value[0] == PARAMETER and value[1] == overload for value in found):
                given.append(found)
        return merge(given) if given else NOTHING

    def _takes(self, function: int, arguments: tuple[Values, ...]) -> bool:
        """Whether a signature may take arguments: none of them is of another builtin class than it declares."""
        file = self.world.file(file_of(function), file_of(function))
        for parameter, actual in zip(self.definition(function).parameters, arguments, strict=False):
            if parameter[3] or parameter[1] < 0 or not actual:
                continue
            declared = self.elements(self.evaluate(file, parameter[1]))
            if all(_is_builtin(value) for value in (*declared, *actual)) and not any(
                one[2] == other[2] or (one[2], other[2]) in _PROMOTIONS for one in actual for other in declared
            ):
                return False
        return True

    def _overloads(self, function: int) -> list[int]:
        """The `@overload` signatures (gids) that a function implements."""
        file = self.world.file(file_of(function), file_of(function))
        definition = self.definition(function)
        scope = file.definitions[definition.parent].scope if definition.parent > 0 else 0
        found: list[int] = []
        for tag, index in file.bindings[scope].get(definition.name, ()) if scope >= 0 else ():
            if tag == BindingTag.DEFINITION and file.definitions[index].flags & _OVERLOAD:
                found.append(gid(file.number, index))
        return [one for one in found if one != function]

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """A class that is called gives an instance; its type arguments come from `__init__` where they are evident."""
        made = self._made_otherwise(type_, asker, arguments)
        if made:
            return made
        definition = self.definition(type_[1])
        if definition.type_parameters and not type_[2]:
            file = self.world.file(asker, asker)
            given: list[Values] = [NOTHING] * len(definition.type_parameters)
            for thing in self.member(type_[1], "__init__", None, asker):
                if thing[0] == FUNCTION and file_of(thing[1]) in self.world.records:
                    where = self.world.file(file_of(thing[1]), file.number)
                    parameters = where.definitions[index_of(thing[1])].parameters
                    for parameter, argument in zip(parameters, arguments, strict=False):
                        if parameter[1] >= 0:
                            self._infer(self.evaluate(where, parameter[1]), argument, type_[1], given)
            if any(given):
                return ((INSTANCE, type_[1], tuple(given)),)
        return ((INSTANCE, type_[1], type_[2]),)

    def _made_otherwise(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What `__call__` of the metaclass, or `__new__`, gives, where that is known (data model, 3.3.1 and 3.3.3)."""
        owner = type_[1]
        makers = self.of_metaclass(owner, "__call__", asker)
        if not makers and self.ancestry(owner).classes:
            makers = self.member(owner, "__new__", type_, asker)
        if len(makers) != 1 or makers[0][0] != FUNCTION:
            return NOTHING
        values = self.result(makers[0][1], makers[0][2], asker, arguments)
        sure = values and all(value[0] in (INSTANCE, TYPE, PARAMETER) for value in values)
        return values if sure else NOTHING

    def _infer(self, declared: Values, actual: Values, owner: int, given: list[Values]) -> None:
        """Type arguments of `owner` from what a parameter declares and what it is given; both values, or both types."""
        if len(declared) > 1:
            # `T | None`: `None` takes no part.
            declared = tuple([value for value in declared if value[:3] != _NONE])
            actual = tuple([value for value in actual if value[:3] != _NONE])
        if len(declared) != 1 or not actual:
            return
        pattern = declared[0]
        if pattern[0] == PARAMETER:
            if pattern[1] == owner and 0 <= pattern[2] < len(given) and not given[pattern[2]]:
                given[pattern[2]] = self.types(actual) if pattern[3] else actual
        elif pattern[0] == CALLABLE:
            results = [self.called(value, file_of(owner), ()) for value in actual if value[0] in _CALLED]
            if len(results) == len(actual):
                self._infer(pattern[1], merge(results), owner, given)
        elif len(actual) == 1:
            for inner, outer in zip(*self._parts(pattern, actual[0], file_of(owner)), strict=False):
                self._infer(inner, outer, owner, given)

    def _parts(self, pattern: Value, value: Value, asker: int) -> tuple[Sequence[Values], Sequence[Values]]:
        """The parts of a declared type and of a value that stand for the same."""
        if pattern[0] == INSTANCE and value[0] == INSTANCE:
            for class_, arguments in self.ancestry(value[1]).classes:
                if class_ == pattern[1]:
                    own = class_ == value[1]
                    return pattern[2], value[2] if own else [substitute(part, value[1], value[2]) for part in arguments]
        elif pattern[0] == TUPLE and value[0] == TUPLE:
            return pattern[1], value[1]
        elif pattern[0] == EXTERNAL_INSTANCE and pattern[3]:
            if value[:3] == pattern[:3]:
                return pattern[3], value[3]
            name = pattern[2].rsplit(".", 1)[-1]
            if name in ITERABLE_CLASSES and name != "tuple":
                return pattern[3][:1], [self.types(self.iterated(value, self.world.file(asker, asker)))]
            if name in MAPPING_CLASSES and value[0] == EXTERNAL_INSTANCE:
                return pattern[3], value[3]
        return (), ()

    def _external_call(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        package, symbol = callee[1], callee[2]
        given: tuple[Values, ...] = callee[3] if len(callee) > 3 else ()
        name = f"{package}.{symbol}"
        file = self.world.file(asker, asker)
        if name in ELEMENT_CALLS:
            source = arguments[-1] if arguments and symbol == "filter" else arguments[0] if arguments else NOTHING
            elements = merge([self.iterated(value, file) for value in source]) if source else NOTHING
            return (container(ELEMENT_CALLS[name], self.types(elements)),)
        if name in TASK_CALLS and arguments:
            given = merge([self.awaited(value, file) for value in arguments[0]] or [NOTHING])
            return given if symbol == "run" else ((EXTERNAL_INSTANCE, package, "Task", (self.types(given),)),)
        if name in FIRST_ARGUMENT_CALLS or symbol == "cast":
            first = arguments[0] if arguments else NOTHING
            return self.elements(first) if symbol == "cast" else first
        if name == "itertools.zip_longest":
            return self._builtin_call("zip", (), arguments, file)
        if name == "functools.partial" and arguments and arguments[0]:
            return ((CALLABLE, merge([self.called(value, asker, ()) for value in arguments[0]])),)
        if name in CLASS_CALLS:
            owner, _, class_ = CLASS_CALLS[name].partition(".")
            return ((EXTERNAL_INSTANCE, owner, class_, ()),)
        if package == "builtins":
            return self._builtin_call(symbol, given, arguments, file)
        last = symbol.rsplit(".", 1)[-1]
        if name == "pytest.raises" or symbol.endswith((".assertRaises", ".assertRaisesRegex")):
            return self._expected(package, arguments)
        if name in ARGUMENT_CLASSES:
            owner, _, class_ = ARGUMENT_CLASSES[name].partition(".")
            return ((EXTERNAL_INSTANCE, owner, class_, (self.types(arguments[0]),) if arguments else ()),)
        if symbol in VALUE_METHODS and given:
            return self.elements(given[VALUE_METHODS[symbol]])
        if last == "TypeVar":
            return ((EXTERNAL_RESULT, package, symbol),)
        if last in OPEN_TYPES or name == "threading.local":
            return NOTHING
        if last[:1].isupper() and not last.isupper() and package not in ("typing", "typing_extensions"):
            # By the naming rule of PEP 8 a class, whose call gives an instance of it.
            return ((EXTERNAL_INSTANCE, package, symbol, ()),)
        if package in CLOSED_MODULES:
            return (opaque(callee),)
        return ((EXTERNAL_RESULT, package, symbol),)

    def _expected(self, package: str, arguments: tuple[Values, ...]) -> Values:
        """`with pytest.raises(E) as info` and its like in unittest: `info` holds an `E`."""
        class_ = "ExceptionInfo" if package == "pytest" else "_AssertRaisesContext"
        types = arguments[0] if arguments else NOTHING
        if len(types) == 1 and types[0][0] == TUPLE:
            types = merge(list(types[0][1])) if types[0][1] else NOTHING
        caught = (EXTERNAL_INSTANCE, package, class_, (types,) if types else ())
        if len(arguments) > 1:
            return (caught,)
        return ((EXTERNAL_INSTANCE, "contextlib", "AbstractContextManager", ((caught,),)),)

    def _builtin_call(
        self, symbol: str, given: tuple[Values, ...], arguments: tuple[Values, ...], file: FileInterface
    ) -> Values:
        first = arguments[0] if arguments else NOTHING
        if symbol in BUILTIN_CLASSES:
            return (container(symbol, NOTHING),)
        if symbol == "next" and arguments:
            return merge([self.iterated(value, file) for value in first] or [NOTHING])
        if symbol == "enumerate" and arguments:
            elements = merge([self.iterated(value, file) for value in first] or [NOTHING])
            return (container("enumerate", ((TUPLE, ((container("int", NOTHING),), elements)),)),)
        if symbol == "zip":
            parts = tuple(merge([self.iterated(value, file) for value in part] or [NOTHING]) for part in arguments)
            return (container("zip", ((TUPLE, parts),)),)
        if symbol == "map" and first:
            results = merge([self.called(value, file.number, ()) for value in first])
            return (container("map", self.types(results)),)
        if symbol in ("min", "max") and arguments:
            return (
                merge([self.iterated(value, file) for value in first] or [NOTHING])
                if len(arguments) == 1
                else merge(list(arguments))
            )
        if symbol == "type" and len(arguments) == 1:
            return self.classes_of(first)
        if symbol == "property":
            return ((EXTERNAL_INSTANCE, "builtins", "property", (first,) if first else ()),)
        if symbol in ("classmethod", "staticmethod"):
            return first
        if symbol == "super":
            return NOTHING
        if symbol in VALUE_METHODS:
            position = VALUE_METHODS[symbol]
            return self.elements(given[position]) if position < len(given) else NOTHING
        if symbol in CONTAINER_METHODS:
            class_, positions = CONTAINER_METHODS[symbol]
            parts = tuple(given[position] if position < len(given) else NOTHING for position in positions)
            return ((EXTERNAL_INSTANCE, "builtins", class_, parts),)
        if symbol == "dict.items":
            pair = (TUPLE, tuple(self.elements(part) for part in given)) if len(given) == 2 else UNKNOWN
            return (container("dict_items", (pair,)),)
        owner, _, method = symbol.partition(".")
        if owner == "str" and method in STRING_METHODS:
            return (container("str", NOTHING),)
        if symbol in RESULT_CLASSES:
            class_ = RESULT_CLASSES[symbol]
            return (container(class_, ((EXTERNAL, "builtins", "str"),) if class_ == "list" else NOTHING),)
        return ((EXTERNAL_RESULT, "builtins", symbol),)

    # -- types and their values ---------------------------------------------------------------------------------------

    def types(self, values: Values) -> Values:
        """The types of values, to be the type arguments of a container; the reverse of `elements`."""
        return tuple([self.type_of(value) for value in values])

    def elements(self, types: Values) -> Values:
        """Values of the types that are a container's type arguments, or that something is declared to be."""
        for type_ in types:
            if type_[0] == EXTERNAL and type_[2].rsplit(".", 1)[-1] in OPEN_TYPES:
                types = (*[part for part in types if part[0] != EXTERNAL], UNKNOWN)
                break
        return tuple([class_itself(value) for value in instances(types)])

    def classes_of(self, values: Values) -> Values:
        """The classes of values, as `type(x)` gives them."""
        known = [value for value in values if value[:3] != _NONE] or values
        return tuple([value if value == UNKNOWN else super(CallLinker, self).type_of(value) for value in known])

    def type_of(self, value: Value) -> Value:
        if value[0] == EXTERNAL_INSTANCE and value[1] == "builtins" and not value[3]:
            return (EXTERNAL, "builtins", value[2])
        if value[0] == TYPE or (value[0] == PARAMETER and not value[3]):
            return as_class(value)
        return super().type_of(value)

    def awaited(self, value: Value, file: FileInterface) -> Values:
        """What awaiting a value gives."""
        if value[0] == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in RESULT_TYPES:
            return self.elements(value[3][0]) if value[3] else NOTHING
        if value[0] == INSTANCE and self.members(value, "__await__", file):
            return NOTHING
        return (value,)

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by iteration; the linker says which."""
        raise NotImplementedError


_PROMOTIONS = frozenset(
    {("bool", "int"), ("int", "float"), ("bool", "float"), ("int", "complex"), ("float", "complex")}
)
"""(class, class that its values are taken for): typing specification, "Special cases for float and complex"."""


def _is_builtin(value: Value) -> bool:
    simple = "bool", "bytes", "complex", "float", "int", "None", "str"
    return value[0] == EXTERNAL_INSTANCE and value[1] == "builtins" and value[2] in simple


_CALLED = frozenset({TYPE, FUNCTION, CALLABLE})
_NONE = (EXTERNAL_INSTANCE, "builtins", "None")


def as_class(type_: Value) -> Value:
    """`type[X]`, as a type: a value of it is the class X itself."""
    return (CALLABLE, instances((type_,)), type_)


def class_itself(value: Value) -> Value:
    """Of a value of `type[X]` the class X; any other value as it is."""
    return value[2] if value[0] == CALLABLE and len(value) > 2 else value


def container(name: str, elements: Values) -> Value:
    """A value of a builtin class with its first type argument."""
    return (EXTERNAL_INSTANCE, "builtins", name, (elements,) if elements else ())


def opaque(value: Value) -> Value:
    """Something that something outside gave: not known in detail, but certainly nothing of this repository."""
    symbol = value[2] if value[2].endswith("()") else f"{value[2]}()"
    return (EXTERNAL_INSTANCE, value[1], symbol, ())
