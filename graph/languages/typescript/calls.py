"""What calls and constructions give, what functions that are passed get, and what generics infer.

Sources of the rules: the TypeScript handbook, "More on Functions", "Generics".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph.languages.typescript.declared import OPEN_LIMIT
from graph.languages.typescript.library import INTERSECTION, LAMBDA, LIBRARY, SIGNATURE, is_declared, is_named
from graph.languages.typescript.members import Members
from graph.link.values import (
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
    TUPLE,
    TYPE,
    Value,
    Values,
    file_of,
    index_of,
    instance,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface, LinkDefinition
from graph.model import Flag


class Calls(Members):
    """Calls, constructions and inference."""

    # -- functions that are passed ------------------------------------------------------------------------------------

    def _parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a function gets for a parameter, by what its context expects of it."""
        found = [self.parameter_values(value, operation[3], file) for value in self.evaluate(file, operation[2])]
        known = [values for values in found if values]
        return merge(known) if known else NOTHING

    def _argument(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a call expects for one of its arguments, with what the other arguments tell of its type parameters."""
        _, _, callee, position, others = operation
        found: list[Values] = []
        for value in self.fitting(self.evaluate(file, callee), len(others)):
            expected = self.parameter_values(value, position, file)
            if expected and value[0] == FUNCTION:
                expected = self._with_inferred(value, expected, file, others)
            if expected:
                found.append(expected)
        return merge(found) if found else NOTHING

    def _with_inferred(self, function: Value, expected: Values, file: FileInterface, others: list[int]) -> Values:
        declaring = self.world.file(file_of(function[1]), file.number)
        definition = declaring.definitions[index_of(function[1])]
        if not definition.type_parameters:
            return expected
        for explicit in function[3:]:
            return substitute(expected, function[1], explicit)
        arguments = tuple(self.evaluate(file, other) for other in others)
        return substitute(expected, function[1], self.inferred(declaring, function[1], definition, arguments))

    def parameter_values(self, value: Value, position: int, file: FileInterface) -> Values:
        """The values that a function value is given at a position, as it declares them."""
        found: list[Values] = []
        for opened in self.opened(value):
            tag = opened[0]
            if tag == FUNCTION:
                declaring = self.world.file(file_of(opened[1]), file.number)
                type_ = self._parameter_type(declaring, declaring.definitions[index_of(opened[1])].parameters, position)
                found.append(self.seen_through(instances(type_), opened[2]))
            elif tag == LAMBDA:
                declaring = self.world.file(opened[1], file.number)
                types = declaring.extra["lambdas"][opened[2]][2]
                if position < len(types):
                    found.append(instances(self.evaluate(declaring, types[position])))
            elif tag == INSTANCE and opened[1] == SIGNATURE:
                if position + 1 < len(opened[2]):
                    found.append(instances(opened[2][position + 1]))
            elif tag == INSTANCE and opened[1] == INTERSECTION:
                for part in opened[2]:
                    found.extend(self.parameter_values(one, position, file) for one in instances(part))
            elif tag == INSTANCE:
                for signature in self.call_signatures(opened):
                    if position + 1 < len(signature[2]):
                        found.append(instances(signature[2][position + 1]))
        known = [values for values in found if values]
        return merge(known) if known else NOTHING

    def _parameter_type(self, file: FileInterface, parameters: Sequence[Sequence[Any]], position: int) -> Values:
        if position >= len(parameters):
            if not parameters or parameters[-1][3] != 1:
                return NOTHING
            row = parameters[-1]
        else:
            row = parameters[position]
        types = self.evaluate(file, row[1])
        if row[3] == 1:
            elements = [self.indexed(value, file) for value in instances(types)]
            return self.types_of(merge(elements)) if elements else NOTHING
        return types

    def call_signatures(self, value: Value) -> list[Value]:
        """The call signatures of an instance, as (TYPE, SIGNATURE, ...)."""
        owner = value[1]
        if not is_declared(owner):
            return []
        found: list[Value] = []
        for class_, arguments in self.ancestry(owner).classes:
            given = value[2] if class_ == owner else tuple(substitute(part, owner, value[2]) for part in arguments)
            for one in self.group(class_):
                file, shape = self.shape_of(one)
                for signature in shape.get("call", ()):
                    found.extend(substitute(self.evaluate(file, signature), class_, given))
        return [signature for signature in found if signature[:2] == (TYPE, SIGNATURE)]

    # -- calls --------------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALL."""
        callees = self.evaluate(file, operation[1])
        if not callees:
            return NOTHING
        arguments = tuple(self.evaluate(file, argument) for argument in operation[3])
        return merge([self.called(callee, file.number, arguments) for callee in self.fitting(callees, operation[2])])

    def fitting(self, callees: Values, count: int) -> Values:
        """Without the overloads that a call of that many arguments cannot mean."""
        functions = [callee for callee in callees if callee[0] == FUNCTION]
        if len(functions) < 2:
            return callees
        kept = [one[1] for one in functions]
        kept = self.implementations(kept)
        accepted = [one for one in kept if self.accepts(self.definition(one), count)] or kept
        signatures = [one for one in (one[1] for one in functions) if self.definition(one).flags & Flag.OVERLOAD]
        if len(kept) < len(functions) and signatures:
            # The implementation's signature is not seen from outside: results are those of the declared ones.
            accepted = [one for one in signatures if self.accepts(self.definition(one), count)] or signatures
        return tuple(callee for callee in callees if callee[0] != FUNCTION or callee[1] in accepted)

    def implementations(self, targets: list[int]) -> list[int]:
        """Without the signatures that one of the others implements."""
        return targets

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What a call of one value gives."""
        found: list[Values] = []
        for value in self.opened(callee):
            tag = value[0]
            if tag == FUNCTION and value[3:]:
                found.append(substitute(self.result(value[1], value[2], asker, ()), value[1], value[3:][0]))
            elif tag == LAMBDA:
                found.append(self._lambda_result(value, asker))
            elif tag == INSTANCE and value[1] == SIGNATURE:
                found.append(instances(value[2][0]))
            elif tag == INSTANCE and value[1] == INTERSECTION:
                results = [self.called(one, asker, arguments) for part in value[2] for one in instances(part)]
                found.append(merge([one for one in results if one]) if any(results) else NOTHING)
            elif tag == INSTANCE:
                signatures = self.call_signatures(value)
                found.append(merge([instances(one[2][0]) for one in signatures]) if signatures else NOTHING)
            elif tag == TYPE:
                found.append(NOTHING)
            else:
                found.append(super().called(value, asker, arguments))
        return merge(found) if found else NOTHING

    def _lambda_result(self, value: Value, asker: int) -> Values:
        file = self.world.file(value[1], asker)
        declared, results, _, _ = file.extra["lambdas"][value[2]]
        if declared >= 0:
            return self.evaluate(file, declared)
        return merge([self.evaluate(file, one) for one in results]) if results else NOTHING

    def _constructor(self, file: FileInterface, operation: list[Any]) -> Values:
        """The constructors of a class, as functions."""
        found: list[Value] = []
        for value in self.opened_all(self.evaluate(file, operation[2])):
            if value[0] == TYPE and value[1] >= 0:
                found.extend(
                    (FUNCTION, member, (INSTANCE, value[1], value[2], None))
                    for member in self.constructors_of(value[1])
                )
            elif value[0] == INSTANCE and is_declared(value[1]):
                where, shape = self.shape_of(value[1])
                for signature in shape.get("construct", ()):
                    found.extend(instances(self.evaluate(where, signature)))
        return tuple(found)

    def constructors_of(self, owner: int) -> tuple[int, ...]:
        """The constructors that `new` of a class calls: its own, else the nearest inherited ones."""
        for class_, _ in self.ancestry(owner).classes:
            found = self.own_members(class_, "constructor")
            if found:
                return found
        return ()

    def _new(self, file: FileInterface, operation: list[Any]) -> Values:
        """`new` of a value with arguments."""
        arguments = tuple(self.evaluate(file, part) for part in operation[3])
        values = self.evaluate(file, operation[2])
        return merge([self.made(value, file.number, arguments) for value in values]) if values else NOTHING

    def made(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What `new` of one value gives."""
        found: list[Values] = []
        for value in self.opened(callee):
            tag = value[0]
            if tag == TYPE:
                found.append(self._class_made(value, asker, arguments))
            elif tag == FUNCTION:
                found.append(((INSTANCE, value[1], ()),))
            elif tag == INSTANCE and is_declared(value[1]):
                found.append(self._made_by_signature(value, arguments))
            elif tag == INSTANCE and value[1] == SIGNATURE:
                found.append(instances(value[2][0]))
            elif tag == EXTERNAL:
                found.append(((EXTERNAL_INSTANCE, value[1], value[2], ()),))
            elif tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                found.append(((EXTERNAL_RESULT, value[1], value[2]),))
            elif tag == PARAMETER and value[2] == SELF_POSITION:
                found.append((instance(value),))
            else:
                found.append(BOTTOMS if value == BOTTOM else NOTHING)
        return merge(found) if found else NOTHING

    def _class_made(self, value: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        owner = value[1]
        given = value[2]
        definition = self.definition(owner) if is_named(owner) else None
        if definition is not None and definition.type_parameters and not given and arguments:
            file = self.world.file(file_of(owner), asker)
            for member in self.own_members(owner, "constructor"):
                facts = file.definitions[index_of(member)]
                given = self._inferred_for(file, owner, len(definition.type_parameters), facts.parameters, arguments)
        return ((INSTANCE, owner, given),)

    def _made_by_signature(self, value: Value, arguments: tuple[Values, ...]) -> Values:
        file, shape = self.shape_of(value[1])
        explicit: tuple[Values, ...] = next(iter(value[3:]), ())
        found: list[Values] = []
        for expression in shape.get("construct", ()):
            for signature in self.evaluate(file, expression):
                results = substitute(signature[2][0], value[1], value[2])
                if explicit:
                    results = tuple(
                        (TYPE, one[1], explicit) if one[0] == TYPE and file_of(one[1]) == LIBRARY else one
                        for one in results
                    )
                elif file.number == LIBRARY:
                    results = self._library_made(results, arguments)
                found.append(instances(results))
        return merge(found) if found else NOTHING

    def _library_made(self, results: Values, arguments: tuple[Values, ...]) -> Values:
        """`new Set(items)`: the element type, from what is iterated."""
        made: list[Value] = []
        for one in results:
            name = self.definition(one[1]).name if one[0] == TYPE and file_of(one[1]) == LIBRARY else ""
            given: tuple[Values, ...] = ()
            if name in ("Set", "Map", "WeakSet", "WeakMap") and arguments and arguments[0]:
                file = self.world.file(LIBRARY, LIBRARY)
                elements = merge([self.iterated(value, file) for value in arguments[0]])
                if name in ("Set", "WeakSet"):
                    given = (self.types_of(elements),)
                elif elements and all(element[0] == TUPLE and len(element[1]) == 2 for element in elements):
                    given = tuple(self.types_of(merge([element[1][side] for element in elements])) for side in (0, 1))
            made.append((TYPE, one[1], given) if one[0] == TYPE else one)
        return tuple(made)

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """Calling a class gives nothing: it is constructed with `new`."""
        return NOTHING

    # -- inference ----------------------------------------------------------------------------------------------------

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments for a generic function, from the arguments of a call."""
        return self._inferred_for(file, owner, len(facts.type_parameters), facts.parameters, arguments)

    def _inferred_for(
        self,
        file: FileInterface,
        owner: int,
        count: int,
        parameters: Sequence[Sequence[Any]],
        arguments: tuple[Values, ...],
    ) -> tuple[Values, ...]:
        given: list[Values] = [NOTHING] * count
        for position, actual in enumerate(arguments):
            if actual:
                pattern = self._parameter_type(file, parameters, position)
                if pattern:
                    self.infer(pattern, actual, owner, given, file, 0)
        return tuple(given)

    def infer(
        self, pattern: Values, actual: Values, owner: int, given: list[Values], file: FileInterface, depth: int
    ) -> None:
        """Match the types of a pattern against values; what a type parameter meets first is what it stands for."""
        if depth > OPEN_LIMIT or not actual:
            return
        direct: list[int] = []
        matched = False
        for part in pattern:
            if part[0] == PARAMETER and part[1] == owner:
                if part[2] >= 0:
                    direct.append(part[2])
            elif part[0] == TYPE:
                matched = self._infer_structure(part, actual, owner, given, file, depth) or matched
            elif part[0] == TUPLE:
                for value in actual:
                    if value[0] == TUPLE:
                        for inner, outer in zip(part[1], value[1], strict=False):
                            self.infer(self.types_of(inner), outer, owner, given, file, depth + 1)
                        matched = True
        if direct and not matched:
            for position in direct:
                if position < len(given) and not given[position]:
                    given[position] = self.types_of(actual)

    def _infer_structure(
        self, part: Value, actual: Values, owner: int, given: list[Values], file: FileInterface, depth: int
    ) -> bool:
        matched = False
        if part[1] == SIGNATURE:
            results = [self.called(value, file.number, ()) for value in actual]
            known = [values for values in results if values]
            if known:
                self.infer(part[2][0], merge(known), owner, given, file, depth + 1)
            return bool(known)
        if not part[2] and is_named(part[1]):
            return False
        for value in self.opened_all(actual):
            if value[0] == INSTANCE and is_declared(value[1]):
                for class_, arguments in self.ancestry(value[1]).classes:
                    if class_ == part[1]:
                        seen = (
                            value[2]
                            if class_ == value[1]
                            else tuple(substitute(one, value[1], value[2]) for one in arguments)
                        )
                        for inner, outer in zip(part[2], seen, strict=False):
                            self.infer(inner, instances(outer), owner, given, file, depth + 1)
                        matched = True
            elif value[0] == TUPLE and file_of(part[1]) == LIBRARY and part[2]:
                elements = [one for one in value[1] if one]
                if elements:
                    self.infer(part[2][0], merge(elements), owner, given, file, depth + 1)
                    matched = True
        if not matched and self._index_pattern(part):
            where, shape = self.shape_of(part[1])
            pattern = self.evaluate(where, shape["index"])
            for value in actual:
                element = self.indexed(value, file)
                if element:
                    self.infer(pattern, element, owner, given, file, depth + 1)
        return matched

    def _index_pattern(self, part: Value) -> bool:
        return is_declared(part[1]) and "index" in self.shape_of(part[1])[1]
