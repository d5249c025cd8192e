"""What decorated functions and classes stand for (Python reference, 8.7): what their decorators give for them."""

from __future__ import annotations

from typing import Any, Final

from graph.languages.python.classes import ClassLinker
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
    TYPE,
    UNKNOWN,
    Value,
    Values,
    file_of,
    index_of,
    merge,
)
from graph.link.world import FileInterface, LinkDefinition
from graph.model import Binding, BindingTag, DefinitionKind, Expression, Flag, Op

_PROPERTY, _GENERATOR = int(Flag.PROPERTY), int(Flag.GENERATOR)
_BUILTIN_DECORATORS: Final = frozenset({"classmethod", "property", "staticmethod"})
_ACCESSORS: Final = frozenset({"deleter", "getter", "setter"})
_TRANSPARENT: Final = frozenset(
    """
    abstractclassmethod abstractmethod abstractproperty abstractstaticmethod asynccontextmanager cache cached_property
    classmethod contextmanager coroutine deleter deprecated expectedFailure final fixture getter lru_cache no_type_check
    override overload parametrize patch property setter singledispatch singledispatchmethod skip skipIf skipUnless
    staticmethod type_check_only usefixtures wraps xfail
    """.split()
)
"""Names of decorators from outside that leave what a call gives as it was, or are known by name to the extraction."""
_CLASS_DECORATORS: Final = frozenset(
    "dataclass dataclass_transform final runtime_checkable total_ordering unique".split()
)
_DEPTH: Final = 4
"""Deepest nesting of what a wrapper returns that is looked into."""
_NO_EXPRESSION: Final[Expression] = [-1]
_KEPT: Final = ("kept",)
"""Among the values that a wrapper gives: whatever the function that it wraps gives."""


class DecoratorLinker(ClassLinker):
    """Applies decorators."""

    def is_plain(self, function: int) -> bool:
        definition = self.definition(function)
        if definition.flags & _PROPERTY or "replaced" in definition.extra:
            return False
        return not definition.decorators or _BUILTIN_DECORATORS.issuperset(definition.extra.get("decorators", ()))

    def is_alias(self, type_: int) -> bool:
        definition = self.definition(type_)
        if definition.decorators and definition.kind == DefinitionKind.CLASS:
            return not _CLASS_DECORATORS.issuperset(definition.extra.get("decorators", ()))
        return definition.kind == DefinitionKind.TYPE

    def value_of(self, thing: Value, asker: int) -> Values:
        tag = thing[0]
        if tag == FUNCTION:
            definition = self.definition(thing[1])
            if definition.flags & _PROPERTY:
                return self._property(thing, definition, asker)
            values: Values = (thing,)
            if definition.decorators:
                values = self._decorated(thing, definition, asker)
                values = values if values == (thing,) else self.through_descriptors(values, thing[2], asker)
            if "replaced" in definition.extra:
                # Assigned to an instance, or to the class from outside, something else stands in for the method.
                file = self.world.file(file_of(thing[1]), asker)
                others = [self.evaluate(file, expression) for expression in definition.extra["replaced"]]
                values = merge([values, *others])
            return values
        if tag == TYPE:
            definition = self.definition(thing[1])
            if definition.kind == DefinitionKind.CLASS and definition.decorators:
                values = self._decorated(thing, definition, asker)
                # A class is taken to stay what it is unless its decorator is known to give something else.
                known = values and all(value[0] in (TYPE, INSTANCE, EXTERNAL) for value in values)
                return values if known or values == BOTTOMS else (thing,)
        return super().value_of(thing, asker)

    def _property(self, thing: Value, definition: LinkDefinition, asker: int) -> Values:
        """What a property gives to an instance; the class has the property itself (library, `property`)."""
        receiver = thing[2]
        words = definition.extra.get("decorators", ())
        if receiver is not None and receiver[0] == INSTANCE:
            return self.result(thing[1], receiver, asker, NOTHING)
        if "property" in words or "abstractproperty" in words:
            return ((EXTERNAL_INSTANCE, "builtins", "property", ((thing,),)),)
        if "cached_property" in words:
            return NOTHING
        return self.result(thing[1], receiver, asker, NOTHING)

    def _decorated(self, thing: Value, definition: LinkDefinition, asker: int) -> Values:
        words = definition.extra.get("decorators", ())
        if _BUILTIN_DECORATORS.issuperset(words):
            return (thing,)
        file = self.world.file(file_of(thing[1]), asker)
        values: Values = (thing,)
        for expression in reversed(definition.decorators):
            if not values or UNKNOWN in values:
                return NOTHING
            values = self._applied(file, expression, values)
        return values

    def _applied(self, file: FileInterface, expression: int, values: Values) -> Values:
        """What a decorator (an expression) gives for some values."""
        word = self._word(file, expression)
        if word in _ACCESSORS:
            return values
        found = self.evaluate(file, expression)
        if not found:
            return values if word in _TRANSPARENT else NOTHING
        sets: list[Values] = []
        for decorator in found:
            tag = decorator[0]
            if tag == TYPE:
                sets.append(((INSTANCE, decorator[1], decorator[2]),))
            elif tag == FUNCTION:
                sets.append(self._decorated_by(decorator, values, file.number))
            elif tag == INSTANCE or (tag == PARAMETER and decorator[3]):
                calls = [thing for thing in self.members(decorator, "__call__", file) if thing[0] == FUNCTION]
                sets.append(merge([self._decorated_by(call, values, file.number) for call in calls] or [NOTHING]))
            elif tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                kept = word in _TRANSPARENT or "mark." in decorator[2] or "patch" in decorator[2]
                sets.append(values if kept else NOTHING)
            elif decorator == BOTTOMS[0]:
                sets.append(BOTTOMS)
            else:
                sets.append(values if word in _TRANSPARENT else NOTHING)
        result = merge(sets)
        return NOTHING if UNKNOWN in result else result

    def _word(self, file: FileInterface, expression: int) -> str:
        """The last name of a decorator, or of what is called to make it."""
        operation = file.expressions[expression] if expression >= 0 else _NO_EXPRESSION
        if operation[0] == Op.CALL:
            operation = file.expressions[operation[1]]
        return operation[2] if operation[0] in (Op.NAME, Op.ATTRIBUTE) else ""

    def _decorated_by(self, decorator: Value, values: Values, asker: int) -> Values:
        """What a function of the repository gives as a decorator: as it declares, else as its body shows."""
        file = self.world.file(file_of(decorator[1]), asker)
        facts = file.definitions[index_of(decorator[1])]
        if facts.type >= 0:
            declared = self.result(decorator[1], decorator[2], asker, (values,))
            return NOTHING if any(_is_open(value) for value in declared) else declared
        if facts.flags & _GENERATOR or not facts.parameters:
            return NOTHING
        index = index_of(decorator[1])
        sets: list[Values] = []
        applied: set[int] = set()
        for expression in self._alternatives(file, facts.values):
            if self._is_first_parameter(file, expression, index):
                sets.append(values)
                continue
            operation = file.expressions[expression] if expression >= 0 else _NO_EXPRESSION
            if operation[0] == Op.CALL and self._is_first_parameter(file, operation[1], index):
                sets.append(merge([self.called(value, asker, ()) for value in values]))
                continue
            inner = self._applied_inside(file, expression, index)
            if inner is not None:
                applied.add(inner[1])
                sets.append(self._decorated_by(inner, values, asker) if inner != decorator else NOTHING)
                continue
            sets.append(self.evaluate(file, expression) or (UNKNOWN,))
        given: list[Values] = []
        for found in sets:
            for value in found or (UNKNOWN,):
                if value[0] != FUNCTION or value[1] not in applied:
                    # What is applied here is given by itself only to those who call the decorator with options.
                    given.append((value,) if value in values else self._wrapper(file, value, index, values))
        return merge(given) if given else NOTHING

    def _alternatives(self, file: FileInterface, expressions: list[int]) -> list[int]:
        """Expressions, those that are one of several (`a if c else b`) taken apart."""
        found: list[int] = []
        for expression in expressions:
            union = expression >= 0 and file.expressions[expression][0] == Op.UNION
            found.extend(file.expressions[expression][1] if union else [expression])
        return found

    def _applied_inside(self, file: FileInterface, expression: int, decorator: int) -> Value | None:
        """The function inside of a decorator which that applies to its first parameter in this expression."""
        operation = file.expressions[expression] if expression >= 0 else _NO_EXPRESSION
        if operation[0] != Op.CALL or len(operation[3]) != 1:
            return None
        if not self._is_first_parameter(file, operation[3][0], decorator):
            return None
        for value in self.evaluate(file, operation[1]):
            here = value[0] == FUNCTION and file_of(value[1]) == file.number
            if here and file.definitions[index_of(value[1])].parent == decorator:
                return value
        return None

    def _wrapper(self, file: FileInterface, value: Value, decorator: int, values: Values) -> Values:
        """What a decorator returns: a function inside of it that calls the one decorated gives what that one gives."""
        if value[0] != FUNCTION or file_of(value[1]) != file.number:
            return NOTHING if value == UNKNOWN else (value,)
        inner = file.definitions[index_of(value[1])]
        if inner.parent != decorator or inner.type >= 0:
            return (value,)
        if inner.flags & _GENERATOR or not _TRANSPARENT.issuperset(inner.extra.get("decorators", ())):
            return NOTHING
        sets: list[Values] = []
        for expression in inner.values:
            sets.extend(self._results(file, expression, decorator, _DEPTH))
        results = merge(sets) if sets else NOTHING
        if results == (_KEPT,):
            return values
        if _KEPT in results:
            kept = [self.called(one, file.number, ()) for one in values]
            rest = tuple([one for one in results if one != _KEPT])
            return ((CALLABLE, merge([*kept, rest])),)
        return NOTHING if not results or UNKNOWN in results else (value,)

    def _results(self, file: FileInterface, expression: int, decorator: int, depth: int) -> list[Values]:
        """What an expression in a wrapper gives, `_KEPT` where it is what a call of the decorated function gives."""
        if expression < 0 or depth < 0:
            return [NOTHING]
        operation = file.expressions[expression]
        op = operation[0]
        if op == Op.CALL and self._is_first_parameter(file, operation[1], decorator):
            return [(_KEPT,)]
        if op == Op.AWAIT:
            return self._results(file, operation[1], decorator, depth - 1)
        if op == Op.UNION:
            return [part for one in operation[1] for part in self._results(file, one, decorator, depth - 1)]
        if op == Op.NAME:
            bindings = self._local(file, operation)
            if bindings and all(tag == BindingTag.VALUE for tag, _ in bindings):
                return [part for _, one in bindings for part in self._results(file, one, decorator, depth - 1)]
        return [self.evaluate(file, expression)]

    def _is_first_parameter(self, file: FileInterface, expression: int, function: int) -> bool:
        """Whether an expression is the first parameter of a function (index), which nothing else is assigned to."""
        operation = file.expressions[expression] if expression >= 0 else _NO_EXPRESSION
        if operation[0] == Op.SPECIAL:
            return operation[1] == "parameter" and operation[3] == function
        if operation[0] != Op.NAME:
            return False
        scope: int = operation[1]
        while scope >= 0:
            bindings: list[Binding] | None = file.bindings[scope].get(operation[2])
            if bindings is not None:
                values = [payload for tag, payload in bindings if tag == BindingTag.VALUE]
                if len(values) != 1 or file.definitions[function].scope != scope:
                    return False
                alias = file.expressions[values[0]] if values[0] >= 0 else _NO_EXPRESSION
                parameters = file.definitions[function].parameters
                named = bool(parameters) and operation[2] == parameters[0][0]
                return named or (alias[:2] == [Op.SPECIAL, "parameter"] and alias[3] == function)
            scope = file.scopes[scope][0]
        return False

    def _local(self, file: FileInterface, operation: list[Any]) -> list[Binding] | None:
        """The bindings of a bare name in the very scope from which it is seen."""
        scope: int = operation[1]
        name: str = operation[2]
        return file.bindings[scope].get(name)


def _is_open(value: Value) -> bool:
    """Whether a declared result says nothing about what calls give."""
    return value == UNKNOWN or (value[0] == EXTERNAL_INSTANCE and value[1] in ("typing", "collections"))
