"""The operations of expressions other than naming, one method each."""

from __future__ import annotations

from typing import Any

from mypy_extensions import mypyc_attr

from graph.link.evaluation import Evaluation
from graph.link.values import (
    BOTTOM,
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    INSTANCE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
    SUPERS,
    TUPLE,
    TYPE,
    Value,
    Values,
    gid,
    instances,
    merge,
)
from graph.link.world import FileInterface, World
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
class Operations(Evaluation):
    """Values of operations."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._handlers = {
            Op.CALL: self.evaluate_call,
            Op.INDEX: self.evaluate_index,
            Op.AWAIT: self.evaluate_await,
            Op.ITERATE: self.evaluate_iterate,
            Op.INSTANCE: self.evaluate_instance,
            Op.GENERIC: self.evaluate_generic,
            Op.UNION: self.evaluate_union,
            Op.BUILTIN: self.evaluate_builtin,
            Op.SELF: self.evaluate_self,
            Op.SUPER: self.evaluate_super,
            Op.TUPLE: self.evaluate_tuple,
            Op.PICK: self.evaluate_pick,
            Op.FUNCTION_TYPE: self.evaluate_function_type,
            Op.ENTER: self.evaluate_enter,
            Op.SPECIAL: self.evaluate_special,
            Op.CALLBACK: self.evaluate_callback,
            Op.TYPE_PARAMETER: self.evaluate_type_parameter,
        }

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALL."""
        callees = self.evaluate(file, operation[1])
        if not callees:
            return NOTHING
        arguments = tuple([self.evaluate(file, argument) for argument in operation[3]]) if len(operation) > 3 else ()
        return merge([self.called(callee, file.number, arguments) for callee in callees])

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        """INSTANCE."""
        return instances(self.evaluate(file, operation[1]))

    def evaluate_generic(self, file: FileInterface, operation: list[Any]) -> Values:
        """GENERIC."""
        bases = self.evaluate(file, operation[1])
        arguments = tuple([self.evaluate(file, argument) for argument in operation[2]])
        return merge([self.applied(base, arguments) for base in bases]) if bases else NOTHING

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type with type arguments."""
        if base[0] == TYPE:
            return ((TYPE, base[1], arguments),)
        if base[0] == EXTERNAL:
            return self.external_applied(base, arguments)
        return (base,)

    def external_applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type from outside of the repository with type arguments; as a value, since `instances` leaves it so."""
        return ((EXTERNAL_INSTANCE, base[1], base[2], arguments),)

    def evaluate_union(self, file: FileInterface, operation: list[Any]) -> Values:
        """UNION."""
        return merge([self.evaluate(file, part) for part in operation[1]])

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        """BUILTIN."""
        arguments = tuple([self.evaluate(file, part) for part in operation[2]])
        return ((EXTERNAL_INSTANCE, self.builtin_package, operation[1], arguments),)

    def evaluate_self(self, file: FileInterface, operation: list[Any]) -> Values:
        """SELF: an instance of the class, its own type parameters standing for themselves."""
        owner = gid(file.number, operation[1])
        if self.self_types:
            return ((PARAMETER, owner, SELF_POSITION, True),)
        return ((INSTANCE, owner, self.own_arguments(owner)),)

    def evaluate_super(self, file: FileInterface, operation: list[Any]) -> Values:
        """SUPER: the receiver, its members looked up behind the class in its ancestry."""
        owner = gid(file.number, operation[1])
        receiver = (
            (PARAMETER, owner, SELF_POSITION, True) if self.self_types else (INSTANCE, owner, self.own_arguments(owner))
        )
        return ((SUPERS, owner, receiver),)

    def evaluate_tuple(self, file: FileInterface, operation: list[Any]) -> Values:
        """TUPLE."""
        return ((TUPLE, tuple([self.evaluate(file, part) for part in operation[1]])),)

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """PICK."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TUPLE:
                sets.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            elif value[0] == BOTTOM[0]:
                sets.append(BOTTOMS)
            else:
                sets.append(self.iterated(value, file))
        return merge(sets) if sets else NOTHING

    def evaluate_function_type(self, file: FileInterface, operation: list[Any]) -> Values:
        """FUNCTION_TYPE."""
        return ((CALLABLE, self.evaluate(file, operation[1])),)

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        """AWAIT: by default what an asynchronous function gives is written as if it were given at once."""
        return self.evaluate(file, operation[1])

    def evaluate_iterate(self, file: FileInterface, operation: list[Any]) -> Values:
        """ITERATE."""
        values = self.evaluate(file, operation[1])
        return merge([self.iterated(value, file) for value in values]) if values else NOTHING

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by iteration."""
        if value[0] == TUPLE:
            return merge(list(value[1])) if value[1] else NOTHING
        if value[0] == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        """INDEX."""
        values = self.evaluate(file, operation[1])
        return merge([self.indexed(value, file) for value in values]) if values else NOTHING

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript: those of iteration by default."""
        return self.iterated(value, file)

    def evaluate_enter(self, file: FileInterface, operation: list[Any]) -> Values:
        """ENTER: nothing is known by default."""
        return NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """SPECIAL: an operation of one language; nothing is known by default."""
        return NOTHING

    def evaluate_callback(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALLBACK: a parameter of a function that is passed to a call; nothing is known by default."""
        return NOTHING

    def evaluate_type_parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        """TYPE_PARAMETER."""
        return ((PARAMETER, gid(file.number, operation[1]), operation[2], False),)
