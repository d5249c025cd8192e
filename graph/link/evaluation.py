"""What expressions stand for: the values of names, and of calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mypy_extensions import mypyc_attr

from graph.link.circles import DEPTH_LIMIT, NO_TAINT
from graph.link.hierarchy import Hierarchy
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
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
    VARIABLE,
    Value,
    Values,
    clip,
    file_of,
    index_of,
    merge,
    replace_self,
    substitute,
)
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import (
    BindingTag,
    Flag,
    Op,
    ScopeKind,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


@mypyc_attr(allow_interpreted_subclasses=True)
class Evaluation(Hierarchy):
    """Values of things named."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._handlers: dict[int, Callable[[FileInterface, list[Any]], Values]] = {}

    def evaluate(self, file: FileInterface, expression: int) -> Values:
        """The values that an expression of a file can stand for; () when nothing is known."""
        if expression < 0:
            return NOTHING
        known = file.values[expression]
        if known is not None:
            return known
        op = file.expressions[expression][0]
        if op == _NAME or op == _ATTRIBUTE or op == _IMPORTED or op == _DEFINITION_OP:
            settled = self._plain(file, expression)
            if settled is not None:
                return settled
        key = (~file.number, expression)
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return NOTHING

        def remember(result: Values) -> None:
            file.values[expression] = NOTHING if result == BOTTOMS else result

        return self._settle(key, BOTTOMS, lambda: self._evaluate(file, expression), NOTHING, remember)

    def _plain(self, file: FileInterface, expression: int) -> Values | None:
        """The values of a name that stands for nothing but itself (a class, a function, a module); None when it may
        not.

        These are most of the names there are, and they cannot be part of a circle.
        """
        outer_taint = self._taint
        self._taint = NO_TAINT
        key = (~file.number, expression)
        if key in self._in_progress or key in self._tentative:
            self._taint = outer_taint
            return None
        depth = self._depth
        if depth >= DEPTH_LIMIT:
            self._taint = outer_taint
            return None
        mark = len(self._tentative)
        self._in_progress[key] = [depth, BOTTOMS]
        self._depth = depth + 1
        things = self.denote(file, expression).things
        self._depth = depth
        del self._in_progress[key]
        if self._taint != NO_TAINT:
            self._taint = outer_taint
            self._drop_leaning(mark, depth)
            return None
        self._taint = outer_taint
        for thing in things:
            tag = thing[0]
            if tag == VARIABLE or tag >= UNKNOWN[0] or (tag == EXTERNAL and thing[3:]):
                return None  # what a thing with details of its language stands for is worked out by `values_of`
            if (tag == FUNCTION and not self.is_plain(thing[1])) or (tag == TYPE and self.is_alias(thing[1])):
                return None
        values = file.values[expression] = self.values_of(things, file.number) if len(things) > 1 else things
        return values

    def _evaluate(self, file: FileInterface, expression: int) -> Values:
        operation = file.expressions[expression]
        op = operation[0]
        if op == _NAME or op == _ATTRIBUTE or op == _IMPORTED or op == _DEFINITION_OP:
            return self.values_of(self.denote(file, expression).things, file.number)
        return clip(self._handlers[op](file, operation), self.nesting)

    def is_plain(self, function: int) -> bool:
        """Whether a function (gid) that is named stands for itself, and not for what it gives (`values_of`)."""
        return not self.definition(function).flags & _PROPERTY

    def is_alias(self, type_: int) -> bool:
        """Whether a type (gid) stands for another one, so that `values_of` gives something else for it. Never by
        default.
        """
        return False

    def values_of(self, things: Values, asker: int) -> Values:
        """What things named stand for: definitions that hold a value are replaced by it."""
        if len(things) == 1:
            thing = things[0]
            if thing[0] != VARIABLE and thing[0] != FUNCTION:
                return things
            return self.value_of(thing, asker)
        sets: list[Values] = []
        for thing in things:
            if thing[0] != AMBIGUITY[0]:
                sets.append(self.value_of(thing, asker))
        return merge(sets) if sets else NOTHING

    def value_of(self, thing: Value, asker: int) -> Values:
        """What one thing named stands for."""
        tag = thing[0]
        if tag == VARIABLE:
            return self.held(thing[1], thing[2], asker)
        if tag == FUNCTION and self.definition(thing[1]).flags & _PROPERTY:
            return self.result(thing[1], thing[2], asker, NOTHING)
        return (thing,)

    def held(self, definition: int, receiver: Value | None, asker: int) -> Values:
        """The values that a variable or field (gid) holds: of its declared type, or those assigned to it."""
        file = self.world.file(file_of(definition), asker)
        facts = file.definitions[index_of(definition)]
        if facts.type >= 0:
            values = self.evaluate(file, facts.type)
        elif facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        else:
            return NOTHING
        return self.seen_through(values, receiver)

    def seen_through(self, values: Values, receiver: Value | None) -> Values:
        """Values of a member with the receiver's type arguments put in, and the receiver for its own type.

        `receiver` is (INSTANCE or TYPE, class that declares the member, its type arguments, the receiver as it was).
        """
        if receiver is None or receiver[0] not in (INSTANCE, TYPE):
            return values
        if receiver[2]:
            values = substitute(values, receiver[1], receiver[2])
        if self.self_types and len(receiver) > 3 and receiver[3] is not None:
            values = replace_self(values, receiver[3])
        return values

    def result(self, function: int, receiver: Value | None, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that a call of a function (gid) gives. `arguments` are the value sets of its arguments, if
        known.
        """
        file = self.world.file(file_of(function), asker)
        facts = file.definitions[index_of(function)]
        if facts.type >= 0:
            values = self.evaluate(file, facts.type)
        elif facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        else:
            return NOTHING
        if facts.type_parameters and arguments:
            values = substitute(values, function, self.inferred(file, function, facts, arguments))
        return self.seen_through(values, receiver)

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments for the type parameters of a function, taken from arguments whose declared type is one of
        them.
        """
        given: list[Values] = [NOTHING] * len(facts.type_parameters)
        for position, parameter in enumerate(facts.parameters):
            if position >= len(arguments) or parameter[1] < 0 or not arguments[position]:
                continue
            declared = self.evaluate(file, parameter[1])
            self._infer(declared, arguments[position], owner, given)
        return tuple(given)

    def _infer(self, declared: Values, actual: Values, owner: int, given: list[Values]) -> None:
        if len(declared) != 1 or not actual:
            return
        pattern = declared[0]
        if pattern[0] == PARAMETER and pattern[1] == owner and not given[pattern[2]]:
            given[pattern[2]] = tuple(self.type_of(value) for value in actual)
        elif len(actual) == 1 and pattern[0] == actual[0][0]:
            value = actual[0]
            if pattern[0] in (INSTANCE, TYPE) and pattern[1] == value[1]:
                for inner, outer in zip(pattern[2], value[2], strict=False):
                    self._infer(inner, outer, owner, given)
            elif pattern[0] == EXTERNAL_INSTANCE and pattern[1:3] == value[1:3]:
                for inner, outer in zip(pattern[3], value[3], strict=False):
                    self._infer(inner, outer, owner, given)
            elif pattern[0] == CALLABLE:
                self._infer(pattern[1], value[1], owner, given)

    def type_of(self, value: Value) -> Value:
        """The type of a value: the reverse of `instance`."""
        tag = value[0]
        if tag == INSTANCE:
            return (TYPE, value[1], value[2])
        if tag == EXTERNAL_INSTANCE and not value[3]:
            return (EXTERNAL, value[1], value[2])
        if tag == PARAMETER:
            return (PARAMETER, value[1], value[2], False)
        return value

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that a call of one value gives."""
        tag = callee[0]
        if tag == TYPE:
            return self.constructed(callee, asker, arguments)
        if tag == PARAMETER and not callee[3]:
            return ((PARAMETER, callee[1], callee[2], True),)
        if tag == FUNCTION:
            return self.result(callee[1], callee[2], asker, arguments)
        if tag == CALLABLE:
            return callee[1]
        if tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
            return ((EXTERNAL_RESULT, callee[1], callee[2]),)
        if tag == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that calling (or constructing) a type gives."""
        return ((INSTANCE, type_[1], type_[2]),)
