"""What calls, constructions and method references name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graph.languages.java.invocations import Shape
from graph.languages.java.jdk import ARRAY, PRIMITIVES
from graph.languages.java.overloads import Overloads
from graph.languages.java.values import (
    Argument,
    Descriptor,
    key_of,
    primitive,
)
from graph.link.answers import NOBODY, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    TYPE,
    UNKNOWN,
    Value,
    Values,
    file_of,
    instances,
    merge,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind, Flag, Op, Visibility

FUNCTIONS: Final = frozenset({"lambda", "method-reference", "constructor-reference"})
"""The words of operations that stand for a function which is written there."""
_NO_ARGUMENT: Final = Argument(NOTHING, "", 0, 0, False, NOTHING, None)


class Calls(Overloads):
    """The things that calls name."""

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """The things that an operation of Java names."""
        op = operation[0]
        if op == Op.CALL:
            return self._chosen(file, self.denote(file, operation[1]), operation[3])
        if op != Op.SPECIAL:
            return NOBODY
        word = operation[1]
        if word == "new":
            return self._constructed(file, operation)
        if word == "method-reference":
            return self._referred(file, operation)
        if word == "constructor-reference":
            return self._constructor_referred(file, operation)
        if word == "case":
            return self._case(file, operation)
        if word == "statics":
            sets = [things for index in operation[2] if (things := self.imported(file, index))]
            return Named(self._without_repeats(merge(sets)) if sets else NOTHING, "import")
        return NOBODY

    def _without_repeats(self, things: Values) -> Values:
        """Static imports of one name: what is outside is one thing, however many kinds of member it may be."""
        inside = tuple(thing for thing in things if thing[0] != EXTERNAL)
        return inside or things[:1]

    def _chosen(self, file: FileInterface, named: Named, arguments: Sequence[int]) -> Named:
        """Of the methods that a callee names, the one that the arguments choose."""
        things = named.things
        if not things or (len(things) == 1 and things[0][0] in (UNKNOWN[0], BOTTOM[0])):
            return named
        count = len(arguments)
        callable_: list[Value] = []
        opaque: list[Value] = []
        for thing in things:
            tag = thing[0]
            if tag == AMBIGUITY[0]:
                continue
            found = self.arity(thing)
            if found is None:
                opaque.append(thing)
            elif not self._accessible(file, thing):
                continue
            elif found[0] == count or (found[1] and count >= found[0] - 1):
                callable_.append(thing)
        hidden = self._hidden_overloads(things)
        if len(callable_) == 1 and not (hidden and count):
            return Named((callable_[0],), named.rule)
        if not callable_:
            return Named(tuple(opaque) or hidden, named.rule) if opaque or hidden else NOBODY
        if AMBIGUITY in things:
            return Named((*callable_, AMBIGUITY), named.rule)
        left = self.select(file, callable_, [self.argument(file, argument) for argument in arguments])
        if hidden and not left:
            return Named(hidden, named.rule)
        if len(left) == 1:
            if len(callable_) == 1:
                return Named(left, named.rule)
            return Named(left, f"{named.rule}-overload")
        return Named((*(left or callable_), AMBIGUITY), named.rule)

    def _accessible(self, file: FileInterface, thing: Value) -> bool:
        """Whether a method may be called from a file at all (JLS 6.6.1); `protected` is taken to allow it."""
        if thing[0] != FUNCTION or file_of(thing[1]) == file.number:
            return True
        visibility = self.definition(thing[1]).visibility
        if visibility == Visibility.PACKAGE:
            return self.world.records[file_of(thing[1])].package == file.package
        return visibility != Visibility.PRIVATE

    def _hidden_overloads(self, things: Values) -> Values:
        """What a supertype from elsewhere may add to methods of one name."""
        for thing in things:
            if thing[0] == FUNCTION and thing[2] is not None and self.open_ended(thing[2][1]):
                name = self.definition(thing[1]).name
                return (
                    NOTHING
                    if self.definition(thing[1]).kind == DefinitionKind.CONSTRUCTOR
                    else self._outside(thing[2][1], f"{name}()")
                )
        return NOTHING

    def argument(self, file: FileInterface, expression: int) -> Argument:
        """What overload resolution looks at in one argument."""
        if expression < 0:
            return _NO_ARGUMENT
        operation = file.expressions[expression]
        if operation[0] == Op.SPECIAL and operation[1] in FUNCTIONS:
            if operation[1] != "lambda":
                return self._reference_argument(file, operation)
            explicit = bool(operation[5])
            result = self.evaluate(file, operation[2]) if explicit else NOTHING
            return Argument(NOTHING, "lambda", operation[3], operation[4], explicit, result, None)
        return _NO_ARGUMENT._replace(values=self.evaluate(file, expression))

    def _reference_argument(self, file: FileInterface, operation: list[Any]) -> Argument:
        """A method or constructor reference as an argument: how many parameters it takes, whether it gives a value."""
        counts: set[int] = set()
        if operation[1] == "constructor-reference":
            for value in self.evaluate(file, operation[2]):
                key = key_of(value)
                if key == ARRAY:
                    counts.add(1)
                elif isinstance(key, int) or (key is not None and key in self.jdk):
                    for thing in self.constructors(key, value):
                        found = (0, False) if thing[0] == TYPE and self.arity(thing) is None else self.arity(thing)
                        counts.update([-1] if found is None or found[1] else [found[0]])
            exact = frozenset(counts) if counts and -1 not in counts else None
            return Argument(NOTHING, "method-reference", 0, Shape.EITHER, False, NOTHING, exact)
        things = [thing for thing in self.denote(file, operation[2]).things if thing[0] != AMBIGUITY[0]]
        of_type = self._of_type(file, operation[4])
        for thing in things:
            found = self.arity(thing)
            if found is None or found[1]:
                counts.add(-1)
            else:
                counts.add(found[0] + int(of_type and not self._static(thing)))
        result = self.signature(things[0]).result if len(things) == 1 and -1 not in counts else NOTHING
        nothing = len(result) == 1 and primitive(result[0]) == "void"
        shape = Shape.VOID if nothing else Shape.EITHER
        exact = frozenset(counts) if counts and -1 not in counts else None
        return Argument(NOTHING, "method-reference", 0, shape, len(things) == 1, NOTHING if nothing else result, exact)

    def _constructed(self, file: FileInterface, operation: list[Any]) -> Named:
        """The constructor that a creation calls; the class where it has none or where that cannot be told."""
        found = self.denote(file, operation[2])
        types = [thing for thing in found.things if thing[0] != AMBIGUITY[0]]
        if len(types) != 1 or AMBIGUITY in found.things:
            return found
        type_ = types[0]
        key = key_of(type_)
        if type_[0] not in (TYPE, EXTERNAL) or key is None or (isinstance(key, str) and key not in self.jdk):
            return found
        things = self.constructors(key, (INSTANCE, key, ()) if isinstance(key, int) else type_)
        if things == (type_,):
            return found
        chosen = self._chosen(file, Named(things, found.rule), operation[3])
        if AMBIGUITY in chosen.things or not chosen.things:
            return found
        return chosen

    def _case(self, file: FileInterface, operation: list[Any]) -> Named:
        """The constant that a `case` label names: of the selector's enum, or as it is seen there (JLS 14.11.1)."""
        values = self.evaluate(file, operation[2])
        if len(values) != 1 or key_of(values[0]) is None:
            return NOBODY
        key = key_of(values[0])
        if isinstance(key, int):
            enum = self.definition(key).kind == DefinitionKind.ENUM
        else:
            described = self.jdk.type(str(key))
            enum = described.kind == "E" if described is not None else key not in PRIMITIVES
        if enum and values[0][0] in (INSTANCE, EXTERNAL_INSTANCE):
            return Named(self.members(values[0], operation[4], file), "receiver-value")
        return self.denote(file, operation[3])

    # -- method references --------------------------------------------------------------------------------------------

    def _expected(self, file: FileInterface, target: int) -> Descriptor | None:
        """The descriptor of the functional interface that is expected."""
        for value in self.evaluate(file, target) if target >= 0 else ():
            found = self.descriptor(value)
            if found is not None:
                return found
        return None

    def _referred(self, file: FileInterface, operation: list[Any]) -> Named:
        """The method that a method reference names (JLS 15.13.1)."""
        named = self.denote(file, operation[2])
        things = tuple(thing for thing in named.things if thing[0] != AMBIGUITY[0])
        if len(things) < 2:
            return named
        found = self._expected(file, operation[3])
        if found is None:
            return Named((*things, AMBIGUITY), named.rule)
        left = self._fitting(file, things, found, self._of_type(file, operation[4]))
        if len(left) == 1:
            return Named(left, f"{named.rule}-overload")
        return Named((*(left or things), AMBIGUITY), named.rule)

    def _constructor_referred(self, file: FileInterface, operation: list[Any]) -> Named:
        found = self.denote(file, operation[2])
        if len(found.things) != 1 or found.things[0][0] != TYPE:
            return found
        key = found.things[0][1]
        things = self.constructors(key, (INSTANCE, key, ()))
        if len(things) == 1:
            return Named(things, found.rule)
        expected = self._expected(file, operation[3])
        if expected is None:
            return found
        left = self._fitting(file, [thing for thing in things if thing[0] == FUNCTION], expected, False)
        return Named(left, found.rule) if len(left) == 1 else found

    def _of_type(self, file: FileInterface, qualifier: int) -> bool:
        """Whether the qualifier of a method reference is a type."""
        values = self.evaluate(file, qualifier)
        return bool(values) and all(
            value[0] in (TYPE, EXTERNAL) or self._applied_type(file, qualifier) for value in values
        )

    def _applied_type(self, file: FileInterface, qualifier: int) -> bool:
        return qualifier >= 0 and file.expressions[qualifier][0] in (Op.GENERIC, Op.BUILTIN)

    def _fitting(
        self, file: FileInterface, things: Sequence[Value], found: Descriptor, of_type: bool
    ) -> tuple[Value, ...]:
        """The methods that a functional interface's parameters choose; of a type, the first may be the receiver."""
        values = [instances(part) for part in found.parameters]
        arguments = [_NO_ARGUMENT._replace(values=part) for part in values]
        whole = [
            thing
            for thing in things
            if self._takes(thing, len(arguments)) and not (of_type and not self._static(thing))
        ]
        first = [
            thing
            for thing in things
            if of_type and arguments and self._takes(thing, len(arguments) - 1) and not self._static(thing)
        ]
        left = self.select(file, whole, arguments) if len(whole) > 1 else tuple(whole)
        other = self.select(file, first, arguments[1:]) if len(first) > 1 else tuple(first)
        return (*left, *other)

    def _takes(self, thing: Value, count: int) -> bool:
        found = self.arity(thing)
        return found is not None and (found[0] == count or (found[1] and count >= found[0] - 1))

    def _static(self, thing: Value) -> bool:
        if thing[0] == FUNCTION:
            return bool(self.definition(thing[1]).flags & Flag.STATIC)
        if thing[0] == EXTERNAL and len(thing) == 5 and thing[4][0] not in ("field", "enum", "array"):
            described = self.jdk.type(thing[4][0])
            return described is not None and self.jdk_method(thing).flag == "s"
        return thing[0] == EXTERNAL and len(thing) == 5 and thing[4][0] == "enum"
