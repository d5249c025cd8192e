"""What calls, constructions, lambdas and method references name and give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graph.languages.java.expressions import Shape
from graph.languages.java.hierarchy import (
    BOOLEAN,
    CONSTRUCTORS,
    INT,
    OBJECT_VALUE,
    STRING,
    Descriptor,
    arguments_of,
    fill,
    key_of,
    primitive,
)
from graph.languages.java.jdk import ARRAY, BASE, OBJECT, PRIMITIVES, Signature
from graph.languages.java.overloads import BOXES, UNBOXED, Argument, Overloads
from graph.link.linker import NOBODY, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
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
    gid,
    instances,
    mentions_parameter,
    merge,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind, Flag, Op

_NUMERIC: Final = ("double", "float", "long", "int")
_FUNCTIONS: Final = frozenset({"lambda", "method-reference", "constructor-reference"})
_NO_ARGUMENT: Final = Argument(NOTHING, "", 0, 0, False, NOTHING, None)


class Calls(Overloads):
    """Calls and everything that takes part in them."""

    # -- what is named ------------------------------------------------------------------------------------------------

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
            elif found[0] == count or (found[1] and count >= found[0] - 1):
                callable_.append(thing)
        hidden = self._hidden_overloads(things)
        if len(callable_) == 1 and not (hidden and count):
            return Named((callable_[0],), named.rule)
        if not callable_:
            return Named(tuple(opaque) or hidden, named.rule) if opaque or hidden else NOBODY
        left = self.select(file, callable_, [self.argument(file, argument) for argument in arguments])
        if hidden and not left:
            return Named(hidden, named.rule)
        if len(left) == 1:
            if len(callable_) == 1:
                return Named(left, named.rule)
            return Named(left, f"{named.rule}-overload")
        return Named((*(left or callable_), AMBIGUITY), named.rule)

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
        if operation[0] == Op.SPECIAL and operation[1] in _FUNCTIONS:
            if operation[1] != "lambda":
                return self._reference_argument(file, operation)
            explicit = bool(operation[5])
            result = self.evaluate(file, operation[2]) if explicit else NOTHING
            return Argument(NOTHING, "lambda", operation[3], operation[4], explicit, result, None)
        return _NO_ARGUMENT._replace(values=self.evaluate(file, expression))

    def _reference_argument(self, file: FileInterface, operation: list[Any]) -> Argument:
        """A method or constructor reference as an argument: how many parameters it can take, and whether it gives a value."""
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

    # -- functions as values ------------------------------------------------------------------------------------------

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
            return described is not None and described.methods[thing[4][1]][thing[4][2]].flag == "s"
        return thing[0] == EXTERNAL and len(thing) == 5 and thing[4][0] == "enum"

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

    # -- what is given ------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALL: what the chosen method gives; where several are left, what all of them give."""
        named = self.denote(file, operation[5])
        results: list[Values] = []
        for thing in named.things:
            tag = thing[0]
            if tag == AMBIGUITY[0]:
                continue
            if tag == BOTTOM[0]:
                return BOTTOMS
            if tag == FUNCTION or tag == VARIABLE or (tag == EXTERNAL and len(thing) == 5):
                results.append(self._call_result(file, thing, operation))
            elif tag == EXTERNAL:
                results.append(((EXTERNAL_RESULT, thing[1], thing[2]),))
            else:
                results.append(NOTHING)
        if not results:
            return NOTHING
        distinct = set(results)
        if len(distinct) == 1:
            return results[0]
        keys = {tuple(key_of(value) for value in values) for values in distinct}
        return results[0] if len(keys) == 1 and () not in keys and (None,) not in keys else NOTHING

    def _call_result(self, file: FileInterface, thing: Value, operation: list[Any]) -> Values:
        if thing[0] == EXTERNAL and thing[2] == "java.lang.Object.getClass":
            return self._class_of_receiver(file, operation[1])
        if thing[0] == VARIABLE:
            return self.held(thing[1], thing[2], file.number)
        if thing[0] == FUNCTION:
            self.world.note(file.number, thing[1] >> 24)
        signature = self.signature(thing)
        if not signature.type_parameters or not mentions_parameter(signature.result):
            return signature.result
        if len(operation) > 6:
            explicit = tuple(self.evaluate(file, part) for part in operation[6])
            return fill(signature.result, signature.owner, explicit)
        given = self._inferred(file, signature, operation[3], len(operation[3]))
        if self._misses(signature.result, signature.owner, given):
            if operation[4] >= 0:
                self._from_target(signature.result, self.evaluate(file, operation[4]), signature.owner, given)
            else:
                self._from_bounds(file, signature, operation[3], given)
        return self._substituted(signature, given)

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

    def _class_of_receiver(self, file: FileInterface, callee: int) -> Values:
        """`x.getClass()` gives a `Class` of the static type of `x` (JLS 4.3.2)."""
        operation = file.expressions[callee]
        values = self.evaluate(file, operation[1]) if operation[0] == Op.ATTRIBUTE else NOTHING
        return ((EXTERNAL_INSTANCE, BASE, "java.lang.Class", (tuple(self.type_of(value) for value in values),)),)

    def _substituted(self, signature: Signature, given: dict[int, Values]) -> Values:
        arguments = tuple(given.get(position, NOTHING) for position in range(signature.type_parameters))
        return fill(signature.result, signature.owner, arguments)

    def _misses(self, values: Values, owner: object, given: dict[int, Values]) -> bool:
        """Whether a type parameter without an argument occurs in values."""
        for value in values:
            if value[0] == PARAMETER and value[1] == owner and not given.get(value[2]):
                return True
            if any(self._misses(part, owner, given) for part in arguments_of(value)):
                return True
        return False

    def _inferred(
        self, file: FileInterface, signature: Signature, arguments: Sequence[int], upto: int, skip: int = -1
    ) -> dict[int, Values]:
        """Type arguments of a method from the arguments of a call: values first, then functions before position `upto`."""
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
            if operation[0] == Op.SPECIAL and operation[1] in _FUNCTIONS:
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

    def _filled(self, signature: Signature, given: dict[int, Values]) -> tuple[Values, ...]:
        return tuple(given.get(position, NOTHING) for position in range(signature.type_parameters))

    def _passes_array(self, file: FileInterface, arguments: Sequence[int], types: Sequence[Values]) -> bool:
        values = self.evaluate(file, arguments[-1]) if arguments else NOTHING
        return bool(values) and all(key_of(value) == ARRAY for value in values)

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

    # -- operations ---------------------------------------------------------------------------------------------------

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """SPECIAL."""
        word = operation[1]
        if word == "new":
            return self._creation(file, operation)
        if word == "argument":
            return self._wanted(file, operation[2], operation[3])
        if word == "parameter":
            found = self._expected(file, operation[2])
            if found is None or operation[3] >= len(found.parameters):
                return NOTHING
            return instances(found.parameters[operation[3]])
        if word == "result":
            found = self._expected(file, operation[2])
            return NOTHING if found is None else found.result
        if word == "plus":
            return self._plus(file, operation[2], operation[3])
        if word == "arithmetic":
            return self._arithmetic(self.evaluate(file, operation[2]), self.evaluate(file, operation[3]))
        if word == "case":
            return self.values_of(self._case(file, operation).things, file.number)
        if word == "component":
            return self._component(file, operation[2], operation[3])
        return NOTHING

    def _creation(self, file: FileInterface, operation: list[Any]) -> Values:
        """What `new` gives; the arguments of `<>` come from those of the constructor, or from what is expected."""
        if operation[7] >= 0:
            return ((INSTANCE, gid(file.number, operation[7]), ()),)
        values = instances(self.evaluate(file, operation[2]))
        if not operation[6] or len(values) != 1:
            return values
        key = key_of(values[0])
        if key is None or (isinstance(key, str) and key not in self.jdk):
            return values
        own = self.own_arguments(key)
        whole: Value = (INSTANCE, key, own) if isinstance(key, int) else (EXTERNAL_INSTANCE, values[0][1], key, own)
        given: dict[int, Values] = {}
        chosen = self.denote(file, operation[5]).things
        if len(chosen) == 1 and (chosen[0][0] == FUNCTION or len(chosen[0]) == 5):
            plain = self._unapplied(chosen[0], whole)
            signature = self.signature(plain)._replace(owner=key, type_parameters=len(own))
            given = self._inferred(file, signature, operation[3], len(operation[3]))
        result: Values = (whole,)
        if operation[4] >= 0 and self._misses(result, key, given):
            self._from_target(result, self.evaluate(file, operation[4]), key, given)
        return fill(result, key, tuple(given.get(position, NOTHING) for position in range(len(own))))

    def _unapplied(self, thing: Value, whole: Value) -> Value:
        """A constructor seen from a class whose type arguments are its own parameters."""
        if thing[0] == FUNCTION:
            return (FUNCTION, thing[1], whole)
        return (*thing[:3], whole, thing[4])

    def _wanted(self, file: FileInterface, call: int, position: int) -> Values:
        """The value that the method chosen by a call expects at a position."""
        operation = file.expressions[call]
        creation = operation[0] == Op.SPECIAL
        things = tuple(thing for thing in self.denote(file, call).things if thing[0] not in (UNKNOWN[0], BOTTOM[0]))
        if AMBIGUITY in things:
            return self._agreeing(file, things, len(operation[3]), position)
        if len(things) != 1:
            return NOTHING
        thing = things[0]
        if thing[0] != FUNCTION and len(thing) != 5:
            return NOTHING
        owner: Any = None
        if creation and operation[6]:
            key = key_of(thing[2] if thing[0] == FUNCTION else thing[3])
            if key is not None:
                own = self.own_arguments(key)
                whole: Value = (INSTANCE, key, own) if isinstance(key, int) else (EXTERNAL_INSTANCE, BASE, key, own)
                signature = self.signature(self._unapplied(thing, whole))._replace(owner=key, type_parameters=len(own))
                owner, result = key, (whole,)
            else:
                return NOTHING
        else:
            if creation:
                thing = self._applied_constructor(file, thing, operation[2])
            signature = self.signature(thing)
            owner, result = signature.owner, signature.result
        types = self.expanded(signature, len(operation[3]), 1) or self.expanded(signature, len(operation[3]), 3)
        if signature.variable and types is not None and position >= len(signature.parameters) - 1:
            types = self.expanded(signature, len(operation[3]), 3) or types
        if types is None or position >= len(types):
            return NOTHING
        wanted = types[position]
        if not mentions_parameter(wanted):
            return instances(wanted)
        given = self._inferred(file, signature, operation[3], position, position)
        if not creation and len(operation) > 6:
            given = {place: self.evaluate(file, part) for place, part in enumerate(operation[6])}
        if operation[4] >= 0 and self._misses(wanted, owner, given):
            self._from_target(result, self.evaluate(file, operation[4]), owner, given)
        return instances(fill(wanted, owner, self._filled(signature, given)))

    def _applied_constructor(self, file: FileInterface, thing: Value, type_: int) -> Value:
        """A constructor seen from the class with the type arguments that are written."""
        for value in self.evaluate(file, type_):
            if arguments_of(value):
                if thing[0] == FUNCTION:
                    return (FUNCTION, thing[1], (INSTANCE, value[1], arguments_of(value)))
                return (*thing[:3], value, thing[4])
        return thing

    def _agreeing(self, file: FileInterface, things: Values, count: int, position: int) -> Values:
        """What several candidates all expect at a position: only when they agree, type parameters aside."""
        found: list[Values] = []
        for thing in things:
            if thing[0] == AMBIGUITY[0]:
                continue
            signature = self.signature(thing)
            types = self.expanded(signature, count, 1) or self.expanded(signature, count, 3)
            if types is None or position >= len(types):
                return NOTHING
            found.append(fill(types[position], signature.owner, ()))
        return instances(found[0]) if found and all(part == found[0] for part in found) else NOTHING

    def _plus(self, file: FileInterface, left: int, right: int) -> Values:
        first, second = self.evaluate(file, left), self.evaluate(file, right)
        if first == (STRING,) or second == (STRING,):
            return (STRING,)
        return self._arithmetic(first, second)

    def _arithmetic(self, first: Values, second: Values) -> Values:
        """Binary numeric promotion (JLS 5.6); of two booleans a boolean."""
        names: list[str] = []
        for values in (first, second):
            if len(values) != 1 or values[0][0] != EXTERNAL_INSTANCE:
                return NOTHING
            name = UNBOXED.get(values[0][2], values[0][2])
            if name not in BOXES:
                return NOTHING
            names.append(name)
        if names == ["boolean", "boolean"]:
            return (BOOLEAN,)
        return ((EXTERNAL_INSTANCE, BASE, next((name for name in _NUMERIC if name in names), "int"), ()),)

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

    def _component(self, file: FileInterface, type_: int, position: int) -> Values:
        """What a component of a record holds."""
        for value in self.evaluate(file, type_):
            key = key_of(value)
            if isinstance(key, int):
                names = self.definition(key).extra.get("components", ())
                if position < len(names):
                    own = self.own_members(key, names[position])
                    held = self.held(own[0], None, file.number) if own else NOTHING
                    return fill(held, key, arguments_of(value))
        return NOTHING

    def evaluate_union(self, file: FileInterface, operation: list[Any]) -> Values:
        """UNION: values of one type where one of them is a supertype of all, `null` apart (JLS 15.25, simplified)."""
        found = tuple(value for value in super().evaluate_union(file, operation) if primitive(value) != "null")
        names = [primitive(value) for value in found]
        if len(found) > 1 and all(name in PRIMITIVES and name not in ("void", "boolean") for name in names):
            return ((EXTERNAL_INSTANCE, BASE, next((name for name in _NUMERIC if name in names), names[0]), ()),)
        if len(found) > 1 and UNKNOWN not in found:
            for value in found:
                key = key_of(value)
                if key is not None and all(self.as_super(other, key) is not None for other in found):
                    return (value,)
        return found

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of an array or of an `Iterable` (JLS 14.14.2)."""
        if value[0] == BOTTOM[0]:
            return BOTTOMS
        if key_of(value) == ARRAY:
            return instances(arguments_of(value)[0]) if arguments_of(value) else NOTHING
        found = self.as_super(value, "java.lang.Iterable")
        return instances(found[0]) if found else NOTHING

    def evaluate_super(self, file: FileInterface, operation: list[Any]) -> Values:
        """SUPER: an instance of the superclass (JLS 15.11.2)."""
        definition = file.definitions[operation[1]]
        form = definition.extra.get("form", "")
        values = (
            instances(merge([self.evaluate(file, base) for base in definition.bases[:1]]))
            if definition.bases
            else NOTHING
        )
        if form == "enum" or form == "record":
            name = "java.lang.Enum" if form == "enum" else "java.lang.Record"
            return ((EXTERNAL_INSTANCE, BASE, name, ()),)
        if definition.extra.get("superclass"):
            return values
        if form == "anonymous":
            key = key_of(values[0]) if len(values) == 1 else None
            known = isinstance(key, int) or (key is not None and key in self.jdk)
            return (OBJECT_VALUE,) if key is not None and known and self.is_interface(key) else values
        return (OBJECT_VALUE,)

    def array_member(self, value: Value, name: str) -> Values:
        """A member of an array (JLS 10.7)."""
        if name == "length":
            return ((EXTERNAL, BASE, "array.length", value, ("field", INT)),)
        if name == "clone()":
            return ((EXTERNAL, BASE, "java.lang.Object.clone", value, ("array", "clone")),)
        return NOTHING


__all__ = ["CONSTRUCTORS", "Calls"]
