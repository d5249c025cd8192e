"""Type arguments of generic methods and constructors (JLS 18, simplified): from arguments, then from what is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from graph.languages.java.calls import FUNCTIONS, Calls
from graph.languages.java.jdk import ARRAY, BASE, OBJECT, Signature
from graph.languages.java.values import (
    BOXES,
    Descriptor,
    arguments_of,
    fill,
    key_of,
    primitive,
)
from graph.link.values import (
    AMBIGUITY,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    Value,
    Values,
    instance,
    instances,
    mentions_parameter,
)
from graph.link.world import FileInterface
from graph.model import Op


class Inference(Calls):
    """Inferring type arguments."""

    def unify(
        self, pattern: Values, actual: Values, owner: object, given: dict[int, Values], *, top: bool = True
    ) -> None:
        """Take type arguments for the type parameters of `owner` from values that meet a pattern of types."""
        if len(pattern) != 1:
            return
        wanted = pattern[0]
        if wanted[0] == PARAMETER:
            if wanted[1] == owner:
                self._take(wanted[2], actual, given, top)
            return
        inner = arguments_of(wanted)
        key = key_of(wanted)
        if not inner or key is None:
            return
        for value in actual:
            found = self.as_super(value, key)
            for mine, its in zip(inner, found or (), strict=False):
                self.unify(mine, instances(its), owner, given, top=False)

    def _take(self, position: int, actual: Values, given: dict[int, Values], top: bool) -> None:
        types: list[Value] = []
        for value in actual:
            simple = primitive(value)
            if simple in ("null", "void") or value[0] not in (INSTANCE, EXTERNAL_INSTANCE, PARAMETER):
                continue
            types.append(self.type_of((EXTERNAL_INSTANCE, "java.base", BOXES[simple], ()) if simple else value))
        if not types:
            return
        before = given.get(position)
        if before is None:
            given[position] = tuple(dict.fromkeys(types))
        elif top and before != tuple(types):
            given[position] = self._common(before, tuple(types))

    def _common(self, first: Values, second: Values) -> Values:
        """The one of two types that is a supertype of the other; unknown when neither is."""
        if len(first) == 1 and len(second) == 1:
            one, other = key_of(first[0]), key_of(second[0])
            if one is not None and self.as_super(instance(second[0]), one) is not None:
                return first
            if other is not None and self.as_super(instance(first[0]), other) is not None:
                return second
        return NOTHING

    def _inferred(
        self, file: FileInterface, signature: Signature, arguments: Sequence[int], upto: int, skip: int = -1
    ) -> dict[int, Values]:
        """Type arguments of a method from those of a call: values first, then functions before position `upto`."""
        given: dict[int, Values] = {}
        count = len(arguments)
        types = self.expanded(signature, count, 1)
        if types is None or (signature.variable and not self._passes_array(file, arguments, types)):
            types = self.expanded(signature, count, 3) or []
        functions: list[tuple[int, Values]] = []
        for position, (expression, wanted) in enumerate(zip(arguments, types, strict=False)):
            if position == skip or expression < 0 or not mentions_parameter(wanted):
                continue
            operation = file.expressions[expression]
            if operation[0] == Op.SPECIAL and operation[1] in FUNCTIONS:
                functions.append((position, wanted))
                if operation[1] == "lambda" and operation[6]:
                    self._from_written_types(file, operation[6], wanted, signature.owner, given)
            else:
                self.unify(wanted, self.evaluate(file, expression), signature.owner, given)
        for position, wanted in functions:
            if position < upto and len(wanted) == 1:
                filled = fill(wanted, signature.owner, self._filled(signature, given))
                plain, full = self.descriptor(wanted[0]), self.descriptor(filled[0]) if filled else None
                if plain is not None and full is not None:
                    result = self._function_result(file, arguments[position], full)
                    self.unify(tuple(self.type_of(value) for value in plain.result), result, signature.owner, given)
        return given

    def _from_written_types(
        self, file: FileInterface, types: Sequence[int], wanted: Values, owner: object, given: dict[int, Values]
    ) -> None:
        """The types written for a lambda's parameters are those of the functional interface, exactly (JLS 18.2.1)."""
        found = self.descriptor(wanted[0]) if len(wanted) == 1 else None
        for mine, its in zip(found.parameters if found is not None else (), types, strict=False):
            self.unify(mine, instances(self.evaluate(file, its)), owner, given, top=False)

    def _from_bounds(
        self, file: FileInterface, signature: Signature, arguments: Sequence[int], given: dict[int, Values]
    ) -> None:
        """Type parameters that neither an argument nor the surroundings say anything of are their bounds (JLS 18.4)."""
        null: Values = ((EXTERNAL_INSTANCE, BASE, "null", ()),)
        types = self.expanded(signature, len(arguments), 1) or self.expanded(signature, len(arguments), 3) or []
        for position in range(signature.type_parameters):
            silent = [
                expression
                for expression, wanted in zip(arguments, types, strict=False)
                if self._misses(
                    instances(wanted), signature.owner, {place: NOTHING for place in given if place != position}
                )
            ]
            if position not in given and all(self.evaluate(file, expression) == null for expression in silent):
                bound = self.parameter_bound((PARAMETER, signature.owner, position, False))[:1]
                given[position] = fill(bound, signature.owner, ()) or ((EXTERNAL, BASE, OBJECT),)

    def _from_target(self, result: Values, target: Values, owner: object, given: dict[int, Values]) -> None:
        """Type arguments from what a call is expected to give (JLS 18.5.2.1)."""
        if len(result) != 1 or len(target) != 1:
            return
        value, wanted = result[0], target[0]
        if value[0] == PARAMETER:
            if value[1] == owner and not given.get(value[2]) and not mentions_parameter(target):
                self._take(value[2], target, given, True)
            return
        key = key_of(wanted)
        found = self.as_super(value, key) if key is not None else None
        for mine, its in zip(found or (), arguments_of(wanted), strict=False):
            if len(mine) == 1 and mine[0][0] == PARAMETER and mine[0][1] == owner and not given.get(mine[0][2]) and its:
                given[mine[0][2]] = its

    def _misses(self, values: Values, owner: object, given: dict[int, Values]) -> bool:
        """Whether a type parameter without an argument occurs in values."""
        for value in values:
            if value[0] == PARAMETER and value[1] == owner and not given.get(value[2]):
                return True
            if any(self._misses(part, owner, given) for part in arguments_of(value)):
                return True
        return False

    def _substituted(self, signature: Signature, given: dict[int, Values]) -> Values:
        arguments = tuple(given.get(position, NOTHING) for position in range(signature.type_parameters))
        return fill(signature.result, signature.owner, arguments)

    def _filled(self, signature: Signature, given: dict[int, Values]) -> tuple[Values, ...]:
        return tuple(given.get(position, NOTHING) for position in range(signature.type_parameters))

    def _passes_array(self, file: FileInterface, arguments: Sequence[int], types: Sequence[Values]) -> bool:
        values = self.evaluate(file, arguments[-1]) if arguments else NOTHING
        return bool(values) and all(key_of(value) == ARRAY for value in values)

    def _function_result(self, file: FileInterface, expression: int, found: Descriptor) -> Values:
        """What a lambda or method reference gives when it is called as a functional interface says."""
        operation = file.expressions[expression]
        word = operation[1]
        if word == "lambda":
            return self.evaluate(file, operation[2])
        if word == "constructor-reference":
            return instances(self.evaluate(file, operation[2]))
        things = tuple(thing for thing in self.denote(file, operation[2]).things if thing[0] != AMBIGUITY[0])
        of_type = self._of_type(file, operation[4])
        left = self._fitting(file, things, found, of_type)
        if len(left) != 1:
            return NOTHING
        thing = left[0]
        values = [instances(part) for part in found.parameters]
        unbound = of_type and not self._static(thing)
        if unbound and values:
            thing = self._received(thing, values[0])
            values = values[1:]
        signature = self.signature(thing)
        given: dict[int, Values] = {}
        types = self.expanded(signature, len(values), 1) or self.expanded(signature, len(values), 3) or []
        for wanted, value in zip(types, values, strict=False):
            self.unify(wanted, value, signature.owner, given)
        return self._substituted(signature, given)

    def _received(self, thing: Value, values: Values) -> Value:
        """A method of a type, with the receiver that a call through a method reference passes."""
        for value in values:
            receiver = (
                thing[2] if thing[0] == FUNCTION else thing[3] if thing[0] == EXTERNAL and len(thing) == 5 else None
            )
            key = key_of(receiver) if receiver is not None else None
            arguments = self.as_super(value, key) if key is not None else None
            if arguments and receiver is not None:
                if thing[0] == FUNCTION:
                    return (FUNCTION, thing[1], (INSTANCE, receiver[1], arguments))
                return (*thing[:3], (EXTERNAL_INSTANCE, receiver[1], receiver[2], arguments), thing[4])
        return thing
