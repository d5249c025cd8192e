"""What calls of Rust functions give: declared types with the type arguments put in that receivers and arguments tell.

Source of the rules: the Rust reference, "Call expressions", "Generic parameters", "Closure expressions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graph.languages.rust.members import Members
from graph.languages.rust.names import METHOD
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import ALIAS, PINNED, PROJECTED, PROJECTION, Given, known
from graph.link.answers import Named
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
)
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind, Flag, Op

_RECEIVER: Final = int(Flag.RECEIVER)
_ELEMENT_COLLECTIONS: Final = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "LinkedList"})
_PAIR_COLLECTIONS: Final = frozenset({"HashMap", "BTreeMap"})


class Results(Members):
    """Works out what calls give."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._collect = self._standard_method("iter.Iterator.collect")

    def _standard_method(self, qualified_name: str) -> int:
        for index, definition in enumerate(self.standard.definitions):
            if definition.qualified_name == qualified_name:
                return gid(STANDARD, index)
        raise LookupError(qualified_name)

    def held(self, definition: int, receiver: Any, asker: int) -> Values:
        file = self.world.file(file_of(definition), asker)
        facts = file.definitions[index_of(definition)]
        values = self.evaluate(file, facts.type) if facts.type >= 0 else NOTHING
        if not values and facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        if receiver is None and facts.kind in (DefinitionKind.ENUM_MEMBER, DefinitionKind.STRUCT):
            # A unit variant or struct: nothing tells here what its type parameters stand for.
            owner = definition if facts.kind == DefinitionKind.STRUCT else gid(file.number, facts.parent)
            return self.substituted(values, {owner: []})
        return self.seen_through(values, receiver)

    def seen_through(self, values: Values, receiver: Any) -> Values:
        if not receiver:
            return values
        found = self.substituted(values, {owner: list(arguments) for owner, arguments in receiver})
        return (self.std_value("Pin", found),) if receiver[-1][0] == PINNED and found else found

    def result(self, function: int, receiver: Any, asker: int, arguments: tuple[Values, ...]) -> Values:
        return self.applied_result(function, receiver, asker, lambda: arguments)

    def applied_result(self, function: int, receiver: Any, asker: int, arguments: Any) -> Values:
        """What a call gives: the declared type, type parameters taken from receiver, type arguments and arguments."""
        file = self.world.file(file_of(function), asker)
        facts = file.definitions[index_of(function)]
        if facts.type < 0:
            return NOTHING
        values = self.evaluate(file, facts.type)
        table: Given = {owner: list(given) for owner, given in receiver or ()}
        self._open(function, facts, table)
        if not table:
            return values
        if any(not slot for owner, slots in table.items() for slot in slots if owner != STANDARD):
            self._infer_arguments(file, function, facts, table, arguments())
        found = self.substituted(values, table)
        if function == self._collect:
            found = self._collected(found, table)
        return found

    def _open(self, function: int, facts: Any, table: Given) -> None:
        """Add the owners of type parameters that a call has to find out: the function, the type of a constructor."""
        if facts.type_parameters:
            slots = table.setdefault(function, [])
            slots.extend([NOTHING] * (len(facts.type_parameters) - len(slots)))
        if facts.kind == DefinitionKind.ENUM_MEMBER:
            owner = gid(file_of(function), facts.parent)
            count = len(self.definition(owner).type_parameters)
            if count:
                slots = table.setdefault(owner, [])
                slots.extend([NOTHING] * (count - len(slots)))

    def _infer_arguments(
        self, file: FileInterface, function: int, facts: Any, table: Given, arguments: Sequence[Values]
    ) -> None:
        parameters = facts.parameters
        shift = 1 if facts.flags & _RECEIVER and len(arguments) > len(parameters) else 0
        if shift:
            for owner, slots in table.items():
                if slots and owner >= 0 and self._is_trait(owner) and slots[0] in (NOTHING, (UNKNOWN,)):
                    slots[0] = known(arguments[0])
        for position, parameter in enumerate(parameters):
            at = position + shift
            if at >= len(arguments) or parameter[1] < 0 or not arguments[at]:
                continue
            self.unify(instances(self.evaluate(file, parameter[1])), arguments[at], table, loose=True)

    def _is_trait(self, owner: int) -> bool:
        index = index_of(owner)
        file = self.world.file(file_of(owner), file_of(owner))
        return index < len(file.definitions) and file.definitions[index].kind == DefinitionKind.TRAIT

    def _collected(self, found: Values, table: Given) -> Values:
        """What `collect` gives: the collection that is asked for, filled with the elements."""
        iterator = table.get(self.std("Iterator"), [NOTHING])[0]
        elements = self.project(iterator, "Item", self.std("Iterator"))
        return tuple(self._filled(value, elements) for value in found)

    def _filled(self, value: Value, elements: Values) -> Value:
        if value[0] != INSTANCE or file_of(value[1]) != STANDARD or not elements:
            return value
        name = self.definition(value[1]).name
        arguments = value[2]
        if name in _ELEMENT_COLLECTIONS and not any(arguments):
            return (INSTANCE, value[1], (elements,))
        if name in _PAIR_COLLECTIONS and not any(arguments):
            pairs = [element for element in elements if element[0] == TUPLE and len(element[1]) == 2]
            return (INSTANCE, value[1], pairs[0][1]) if len(pairs) == 1 else value
        if name in ("Result", "Option") and arguments and len(elements) == 1 and elements[0][1] == value[1]:
            inner = elements[0][2]
            if inner:
                first = tuple(self._filled(part, inner[0]) for part in arguments[0])
                rest = tuple(a or b for a, b in zip(arguments[1:], inner[1:], strict=False))
                return (INSTANCE, value[1], (first, *rest))
        if name == "Box" and arguments:
            return (INSTANCE, value[1], (tuple(self._filled(part, elements) for part in arguments[0]),))
        if name == "slice" and not any(arguments):
            return (INSTANCE, value[1], (elements,))
        return value

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        return self.called_with(callee, asker, lambda: arguments)

    def called_with(self, callee: Value, asker: int, arguments: Any) -> Values:
        """The values that a call of one value gives."""
        tag = callee[0]
        if tag == FUNCTION:
            return self.applied_result(callee[1], callee[2], asker, arguments)
        if tag == TYPE:
            return self._constructed(callee, arguments)
        if tag == EXTERNAL or tag == EXTERNAL_RESULT or tag == EXTERNAL_INSTANCE:
            return ((EXTERNAL_RESULT, callee[1], callee[2]),)
        if tag == INSTANCE or tag == PARAMETER:
            for step in self.steps(callee):
                _, result = self.callable(step)
                if result:
                    return result
            return NOTHING
        if tag == PROJECTED:
            return ((PROJECTION, callee[1]),)
        return BOTTOMS if tag == BOTTOM[0] else NOTHING

    def _constructed(self, type_: Value, arguments: Any) -> Values:
        """`Self(..)` and other calls of a type: a tuple struct."""
        file = self.world.file(file_of(type_[1]), file_of(type_[1]))
        facts = file.definitions[index_of(type_[1])]
        if type_[2] or not facts.type_parameters:
            return ((INSTANCE, type_[1], type_[2]),)
        return self.applied_result(type_[1], None, file.number, arguments)

    # -- calls --------------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        callees = self.evaluate(file, operation[1])
        if not callees:
            return NOTHING
        given: list[tuple[Values, ...]] = []

        def arguments() -> tuple[Values, ...]:
            if not given:
                given.append(tuple(self.evaluate(file, argument) for argument in operation[3]))
            return given[0]

        return merge([self.called_with(callee, file.number, arguments) for callee in callees])

    def evaluate_generic(self, file: FileInterface, operation: list[Any]) -> Values:
        bases = self.denote(file, operation[1]).things
        if not bases:
            bases = self.evaluate(file, operation[1])
        arguments = tuple(instances(self.evaluate(file, argument)) for argument in operation[2])
        found = [self._with_arguments(base, arguments, file) for base in bases if base[0] != UNKNOWN[0]]
        found = [values for values in found if values]
        return merge(found) if found else NOTHING

    def _with_arguments(self, base: Value, arguments: tuple[Values, ...], file: FileInterface) -> Values:
        tag = base[0]
        if tag == ALIAS:
            facts = self.definition(base[1])
            if not facts.type_parameters:
                return base[2]
            return self.substituted(base[2], {base[1]: list(arguments)})
        if tag == TYPE:
            if base[1] == self.std("Pin") and arguments:
                # A pinned pointer is seen as what it points to: `Pin<Box<T>>` and `Pin<&mut T>` lead to one method.
                pointers = (self.std("Box"), self.std("Rc"), self.std("Arc"))
                inner = [v[2][0] if v[0] == INSTANCE and v[1] in pointers and v[2] else (v,) for v in arguments[0]]
                arguments = (merge(inner),) if inner else arguments
            trait = self.definition(base[1]).kind == DefinitionKind.TRAIT
            return ((TYPE, base[1], (NOTHING, *arguments) if trait else arguments),)
        if tag == FUNCTION:
            owner = base[1]
            facts = self.definition(owner)
            if facts.kind == DefinitionKind.ENUM_MEMBER:
                owner = gid(file_of(owner), facts.parent)
            return ((FUNCTION, base[1], (*(base[2] or ()), (owner, arguments))),)
        if tag == EXTERNAL:
            if base[2].rsplit(".", 1)[-1] == "Result" and arguments:
                # By convention an alias of the standard type with the error type filled in (`anyhow::Result<T>`).
                return ((TYPE, self.std("Result"), (arguments[0], arguments[1] if len(arguments) > 1 else NOTHING)),)
            return ((EXTERNAL_INSTANCE, base[1], base[2], arguments),)
        return self.value_of(base, file.number)

    def evaluate_callback(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALLBACK: what a closure is given by the function that it is passed to, from that function's bounds."""
        _, callee, position, parameter, before = operation
        found: list[Values] = []
        for thing in self.evaluate(file, callee):
            if thing[0] != FUNCTION:
                continue
            owner = self.world.file(file_of(thing[1]), file.number)
            facts = owner.definitions[index_of(thing[1])]
            table: Given = {key: list(arguments) for key, arguments in thing[2] or ()}
            self._open(thing[1], facts, table)
            method = self._names_method(file, callee)
            shift = 1 if facts.flags & _RECEIVER and not method else 0
            at = position - shift
            if not 0 <= at < len(facts.parameters) or facts.parameters[at][1] < 0:
                continue
            given = [self.evaluate(file, argument) for argument in before]
            if shift and given:
                impl = self.impl_of(thing[1])
                if impl is not None and impl.owner in table:
                    self.unify((impl.target,), given[0], table, loose=True)
            for place, values in enumerate(given):
                inner = place - shift
                if 0 <= inner < len(facts.parameters) and facts.parameters[inner][1] >= 0:
                    self.unify(instances(self.evaluate(owner, facts.parameters[inner][1])), values, table, loose=True)
            for declared in instances(self.evaluate(owner, facts.parameters[at][1])):
                for step in self.steps(declared):
                    takes, _ = self.callable(step)
                    if takes is not None:
                        if parameter < len(takes):
                            found.append(self.substituted(takes[parameter], table))
                        break
        return merge(found) if found else NOTHING

    def _names_method(self, file: FileInterface, callee: int) -> bool:
        operation = file.expressions[callee]
        while operation[0] == Op.GENERIC:
            operation = file.expressions[operation[1]]
        return operation[0] == Op.ATTRIBUTE and operation[2][:1] == METHOD

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        if operation[1] != "applied":
            return super().denote_special(file, operation)
        named = self.denote(file, operation[2])
        if sum(1 for thing in named.things if thing[0] == FUNCTION) < 2 and not any(
            thing[0] == FUNCTION for thing in named.things
        ):
            return named
        things = self._taking(named.things, [self.evaluate(file, argument) for argument in operation[3]])
        return named._replace(things=things)

    def _taking(self, things: Values, arguments: Sequence[Values]) -> Values:
        """Of several impls of one trait function (`From::from`) those whose parameters the arguments may be."""
        fitting: list[Value] = []
        certain: list[Value] = []
        for thing in things:
            if thing[0] != FUNCTION:
                continue
            file = self.world.file(file_of(thing[1]), file_of(thing[1]))
            facts = file.definitions[index_of(thing[1])]
            table: Given = {owner: list(given) for owner, given in thing[2] or ()}
            self._open(thing[1], facts, table)
            fits, sure = True, bool(arguments)
            for parameter, values in zip(facts.parameters, arguments, strict=False):
                declared = self.substituted(instances(self.evaluate(file, parameter[1])), table)
                fits = fits and self.unify(declared, values, table)
                heads = {value[:2] for value in known(values)}
                sure = sure and bool(heads) and heads == {value[:2] for value in declared}
            if fits:
                fitting.append(thing)
                if sure:
                    certain.append(thing)
        if len(certain) == 1:
            return tuple(certain)
        if not fitting:
            return (UNKNOWN,)
        return (*fitting, AMBIGUITY) if len(fitting) > 1 else tuple(fitting)
