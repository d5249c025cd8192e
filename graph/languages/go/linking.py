"""Linking of Go: what calls give, type arguments that are inferred, and the operations that Go alone has.

Sections named in comments are those of the Go Programming Language Specification.
"""

from __future__ import annotations

from typing import Any, Final

from graph.languages.go import standard
from graph.languages.go.interfaces import implemented
from graph.languages.go.modules import is_standard
from graph.languages.go.scopes import BUILTIN
from graph.languages.go.selection import INSIDE, MOST_STEPS, POINTER, SelectionLinker
from graph.link.answers import NOBODY, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
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
    VARIABLE,
    Value,
    Values,
    instance,
    instances,
    merge,
)
from graph.link.world import FileInterface, LinkDefinition
from graph.model import Op

INTEGER: Final[Values] = ((EXTERNAL_INSTANCE, BUILTIN, "int", ()),)
_UNTYPED: Final[Values] = ((EXTERNAL_INSTANCE, BUILTIN, "untyped", ()),)


class GoLinker(SelectionLinker):
    """Links Go files."""

    def overridden(self, method: int) -> tuple[int, ...]:
        """The interface methods (gids) that a method (gid) implements; see `implemented`."""
        return implemented(self, method)

    # -- calls --------------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """A call or a conversion. Arguments are looked at only where the result depends on them."""
        callees = self.evaluate(file, operation[1])
        sets: list[Values] = []
        for callee in callees:
            arguments: tuple[Values, ...] = ()
            if self._depends_on_arguments(callee):
                arguments = tuple(self.evaluate(file, argument) for argument in operation[3])
            sets.append(self.called(callee, file.number, arguments))
        return merge(sets) if sets else NOTHING

    def _depends_on_arguments(self, callee: Value) -> bool:
        if callee[0] == FUNCTION:
            return bool(self.definition(callee[1]).type_parameters)
        return callee[0] == EXTERNAL

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What a call of one value gives."""
        tag = callee[0]
        if tag == FUNCTION:
            return self.result(callee[1], callee[2], asker, arguments)
        if tag == TYPE:
            return (instance(callee),)
        if tag == INSTANCE or tag == PARAMETER:
            if tag == PARAMETER and not callee[3]:
                return (instance(callee),)
            shapes = [shape for shape in self.core((callee,)) if shape[0] not in (INSTANCE, PARAMETER)]
            return merge([self.called(shape, asker, arguments) for shape in shapes]) if shapes else NOTHING
        if tag == EXTERNAL_INSTANCE:
            if callee[1] != BUILTIN:
                certain = self.is_outside(callee[3])
                return ((EXTERNAL if certain else EXTERNAL_RESULT, callee[1], callee[2]),)
            return callee[3][0] if callee[2] == "func" and callee[3] else (callee,) if callee[2] != "func" else NOTHING
        if tag == EXTERNAL:
            return self._called_outside(callee, arguments)
        return super().called(callee, asker, arguments)

    def _called_outside(self, callee: Value, arguments: tuple[Values, ...]) -> Values:
        """What a function outside of the repository gives.

        Packages import each other without circles, so it is of a type from outside, unless the function is generic:
        then arguments from the repository, or unknown ones, may make it one of the repository.
        """
        package, symbol = callee[1], callee[2]
        if package == BUILTIN:
            if symbol in ("append", "min", "max"):
                return arguments[0] if arguments else NOTHING
            return ((EXTERNAL_INSTANCE, BUILTIN, "int", ()),) if symbol in ("len", "cap", "copy") else NOTHING
        name = f"{package}.{symbol}"
        if len(callee) > 3 and name in standard.METHODS:
            return instances(callee[3][0]) if callee[3] else NOTHING
        if name in standard.FUNCTIONS:
            return self._standard(standard.FUNCTIONS[name], arguments[0]) if arguments else NOTHING
        if len(callee) > 3:
            certain = self.is_outside(callee[3])
        elif is_standard(package):
            certain = package not in standard.GENERIC_PACKAGES and name not in standard.GENERIC_FUNCTIONS
        elif "." in symbol:
            certain = True
        else:
            certain = self.is_outside(arguments)
        return ((EXTERNAL, package, symbol),) if certain else ((EXTERNAL_RESULT, package, symbol),)

    def is_outside(self, sets: tuple[Values, ...]) -> bool:
        """Whether values are known, all of them, and none has to do with a type of the repository."""
        for values in sets:
            if not values:
                return False
            for value in values:
                tag = value[0]
                if tag == EXTERNAL_INSTANCE:
                    if not self.is_outside(value[3]):
                        return False
                elif tag == TUPLE:
                    if not self.is_outside(value[1]):
                        return False
                elif tag != EXTERNAL:
                    return False
        return True

    def keeps_outside(self, package: str, file: FileInterface) -> bool:
        """Whether a package outside has nothing to do with types of the repository, seen from the build of a file."""
        return package == "C" or is_standard(package) or not self.modules.are_joined(file.path.rpartition("/")[0])

    def _standard(self, word: str, argument: Values) -> Values:
        """What a generic function of the standard library makes of its first argument."""
        if word == "same" or word == "function":
            return self.core(argument) if word == "function" else argument
        if word == "element":
            return self.ranged(argument, 1)
        if word == "collected":
            return ((EXTERNAL_INSTANCE, BUILTIN, "slice", (self.ranged(argument, 0),)),)
        if word == "pairs":
            return ((EXTERNAL_INSTANCE, "iter", "Seq2", (self.ranged(argument, 0), self.ranged(argument, 1))),)
        over = argument if word == "chunks" else self.ranged(argument, 0 if word == "keys" else 1)
        return ((EXTERNAL_INSTANCE, "iter", "Seq", (over,)),)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """A selector on one value; a method of a generic type from outside keeps the type arguments.

        What a function or variable from outside holds is of a type from outside, unless the package that declares it
        may import one of this repository.
        """
        if value[0] == EXTERNAL and value[2] and not self.keeps_outside(value[1], file):
            return NOTHING
        if value[0] == EXTERNAL_INSTANCE:
            if value[1] == BUILTIN and not (value[2] == "error" and name == "Error"):
                return NOTHING
            if value[3]:
                return ((EXTERNAL, value[1], f"{value[2]}.{name}", value[3]),)
        if value[0] == PARAMETER:
            bound = self.parameter_bound(value)
            found = [things for part in bound if (things := self.members(part, name, file))]
            return merge(found) if found else NOTHING
        return super().members(value, name, file)

    # -- inference ----------------------------------------------------------------------------------------------------

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments from the types of the arguments, then from constraints with a core type (Type inference)."""
        given: list[Values] = [NOTHING] * len(facts.type_parameters)
        parameters = facts.parameters
        if len(arguments) == 1 and len(arguments[0]) == 1 and arguments[0][0][0] == TUPLE:
            arguments = arguments[0][0][1]  # f(g()) where g gives several values
        for position, argument in enumerate(arguments):
            parameter = parameters[min(position, len(parameters) - 1)] if parameters else None
            if parameter is not None and parameter[1] >= 0 and (position < len(parameters) or parameter[3]):
                self._unify(instances(self.evaluate(file, parameter[1])), argument, owner, given, MOST_STEPS)
        for position, (_, bound) in enumerate(facts.type_parameters):
            if bound >= 0 and given[position]:
                self._unify(instances(self.evaluate(file, bound)), instances(given[position]), owner, given, MOST_STEPS)
        return tuple(given)

    def _unify(self, declared: Values, actual: Values, owner: int, given: list[Values], steps: int) -> None:
        if len(declared) != 1 or not actual or not steps:
            return
        pattern = declared[0]
        if pattern[0] == PARAMETER and pattern[1] == owner:
            if not given[pattern[2]] and UNKNOWN not in actual:
                given[pattern[2]] = tuple(self.type_of(value) for value in actual)
            return
        if len(actual) != 1:
            return
        value = actual[0]
        if pattern[0] == INSTANCE and value[0] == INSTANCE and pattern[1] == value[1]:
            parts = zip(pattern[2], value[2], strict=False)
        elif pattern[0] == EXTERNAL_INSTANCE:
            if pattern[1] == BUILTIN and value[0] in (EXTERNAL, EXTERNAL_INSTANCE) and value[1] != BUILTIN:
                # A container from outside, seen through one of its members: its elements are from outside, too.
                for inner in pattern[3]:
                    self._unify(instances(inner), self.ranged(actual, 1), owner, given, steps - 1)
                return
            shapes = (value,) if value[0] == EXTERNAL_INSTANCE else self.core((value,))
            if len(shapes) != 1 or shapes[0][:3] != pattern[:3]:
                return
            parts = zip(pattern[3], shapes[0][3], strict=False)
        elif pattern[0] == TUPLE and value[0] == TUPLE:
            parts = zip(pattern[1], value[1], strict=False)
        else:
            return
        for inner, outer in parts:
            self._unify(instances(inner), instances(outer), owner, given, steps - 1)

    # -- operations ---------------------------------------------------------------------------------------------------

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript or receive, or a part of what something outside gave."""
        return self.ranged((value,), 1)

    def ranged(self, values: Values, position: int) -> Values:
        """What the first (0) or second (1) variable of a range clause holds (For statements with range clause)."""
        sets: list[Values] = []
        for value in self.core(values):
            tag = value[0]
            if tag == EXTERNAL_INSTANCE and value[1] == BUILTIN:
                sets.append(self._ranged_builtin(value, position))
            elif tag == EXTERNAL_INSTANCE and value[1] == "iter" and value[2] in ("Seq", "Seq2") and value[3]:
                sets.append(instances(value[3][position]) if position < len(value[3]) else NOTHING)
            elif tag == EXTERNAL_INSTANCE or tag == EXTERNAL:
                outside = tag == EXTERNAL or self.is_outside(value[3])
                sets.append(((EXTERNAL, value[1], value[2]),) if outside else NOTHING)
            elif tag == BOTTOM[0] or tag == EXTERNAL_RESULT:
                sets.append((value,))
        return merge(sets) if sets else NOTHING

    def _ranged_builtin(self, value: Value, position: int) -> Values:
        shape, arguments = value[2], value[3]
        if shape == "slice":
            return instances(arguments[0]) if position and arguments else INTEGER
        if shape == "map":
            return instances(arguments[position]) if len(arguments) == 2 else NOTHING
        if shape == "chan":
            return instances(arguments[0]) if arguments else NOTHING
        if shape == "func":
            yielded = arguments[1] if len(arguments) > 1 else NOTHING
            is_function = len(yielded) == 1 and yielded[0][:3] == (EXTERNAL_INSTANCE, BUILTIN, "func")
            taken = yielded[0][3] if is_function else ()
            return taken[position + 1] if position + 1 < len(taken) else NOTHING
        return INTEGER

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript."""
        return self.iterated(value, file)

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        """`x[i]`, or a generic type or function with one type argument."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TYPE or value[0] == FUNCTION:
                sets.append(self.applied(value, (self.evaluate(file, operation[2]),)))
            else:
                sets.append(self.ranged((value,), 1))
        return merge(sets) if sets else NOTHING

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """One of several results."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TUPLE:
                sets.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            elif value[0] in (EXTERNAL, EXTERNAL_INSTANCE, EXTERNAL_RESULT, BOTTOM[0]):
                sets.append((value,))
        return merge(sets) if sets else NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """Operations of Go alone."""
        word = operation[1]
        if word == "range":
            return self.ranged(self.evaluate(file, operation[2]), operation[3])
        if word == "receive":
            return self.ranged(self.evaluate(file, operation[2]), 0)
        if word == "pointed":
            sets = [self._pointed(value) for value in self.evaluate(file, operation[2])]
            return merge(sets) if sets else NOTHING
        if word == "arithmetic":
            left = self.evaluate(file, operation[2])
            return left if left and left != _UNTYPED else self.evaluate(file, operation[3])
        if word == "part":
            return self._part(self.evaluate(file, operation[2]), operation[3])
        if word == "receiver-parameter":
            return tuple(
                (PARAMETER, value[1], operation[3], False)
                for value in self.evaluate(file, operation[2])
                if value[0] == TYPE
            )
        return NOTHING

    def _pointed(self, value: Value) -> Values:
        """What a value points to; of `*T` that is the value itself, since such pointers are looked through."""
        if value[:3] == POINTER:
            return instances(value[3][0])
        return (value,)

    def _part(self, types: Values, position: int) -> Values:
        """The types of the keys (0) or the elements (-1) of a container type."""
        sets: list[Values] = []
        for shape in self.core(instances(types)):
            if shape[0] == EXTERNAL_INSTANCE and shape[1] == BUILTIN and shape[3]:
                sets.append(shape[3][position])
            elif shape[0] == EXTERNAL_INSTANCE and self.is_outside(shape[3]):
                sets.append(((EXTERNAL, shape[1], shape[2]),))
        return merge(sets) if sets else NOTHING

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression that names nothing does so."""
        operation = file.expressions[expression]
        if operation[0] == Op.SPECIAL and operation[1] == "key":
            return "local-value" if operation[4] < 0 else "receiver-unknown"
        if operation[0] == Op.ATTRIBUTE:
            values = self.evaluate(file, operation[1])
            if any(value[0] == EXTERNAL for value in values):
                return "external-result"
        return super().reason(file, expression)

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """`name:` in a composite literal: a field of a struct type, an expression where the type is another one."""
        if operation[1] == "pointed":
            return self.denote(file, operation[2])
        if operation[1] != "key":
            return NOBODY
        _, _, type_, name, bare = operation
        sets: list[Values] = []
        for value in self.core(instances(self.evaluate(file, type_))):
            if value[0] == INSTANCE:
                found = self.own_members(value[1], name)
                seen = [member for member in found if self.packages.visible(member, file.number)]
                sets.append(tuple(self.thing(member, value) for member in seen))
            elif value[0] == EXTERNAL_INSTANCE and value[1] == BUILTIN:
                return self.denote(file, bare)
            elif value[0] == EXTERNAL_INSTANCE:
                if name[:1].islower():
                    return self.denote(file, bare)
                if any(thing[0] == VARIABLE for thing in self.denote(file, bare).things):
                    return NOBODY
                sets.append(((EXTERNAL, value[1], f"{value[2]}.{name}"),))
        things = merge(sets) if sets else NOTHING
        if len({thing[1] for thing in things if thing[0] in INSIDE}) > 1:
            things = (*things, AMBIGUITY)
        return Named(things, "field-key")
