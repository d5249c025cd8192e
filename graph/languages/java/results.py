"""What the expressions of Java give: calls, constructions, operators, and what calls expect of their arguments."""

from __future__ import annotations

from typing import Any

from graph.languages.java.inference import Inference
from graph.languages.java.jdk import ARRAY, BASE, PRIMITIVES
from graph.languages.java.values import (
    BOOLEAN,
    BOXES,
    INT,
    NUMERIC,
    OBJECT_VALUE,
    STRING,
    UNBOXED,
    arguments_of,
    fill,
    key_of,
    primitive,
)
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
from graph.model import Op


class Results(Inference):
    """The values that expressions give."""

    # -- calls --------------------------------------------------------------------------------------------------------

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

    def _class_of_receiver(self, file: FileInterface, callee: int) -> Values:
        """`x.getClass()` gives a `Class` of the static type of `x` (JLS 4.3.2)."""
        operation = file.expressions[callee]
        values = self.evaluate(file, operation[1]) if operation[0] == Op.ATTRIBUTE else NOTHING
        return ((EXTERNAL_INSTANCE, BASE, "java.lang.Class", (tuple(self.type_of(value) for value in values),)),)

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

    # -- what is expected of an argument ------------------------------------------------------------------------------

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
        result: Values
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
        return ((EXTERNAL_INSTANCE, BASE, next((name for name in NUMERIC if name in names), "int"), ()),)

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
            return ((EXTERNAL_INSTANCE, BASE, next((name for name in NUMERIC if name in names), names[0]), ()),)
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
        index: int = operation[1]
        definition = file.definitions[index]
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
