"""What the operators and special forms of Rust give.

Source of the rules: the Rust reference, "Expressions"; the documentation of std for what its traits give.
"""

from __future__ import annotations

from typing import Any, Final

from graph.languages.rust.names import METHOD
from graph.languages.rust.shapes import Shapes
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import QUALIFIED, Given, combined, known, replace
from graph.link.values import (
    BOTTOM,
    BOTTOMS,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    TUPLE,
    TYPE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind, Op

_OPERATORS: Final = {
    "+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Rem",
    "&": "BitAnd", "|": "BitOr", "^": "BitXor", "<<": "Shl", ">>": "Shr",
}  # fmt: skip
_POINTERS: Final = (
    "Box Rc Arc pointer MutexGuard RwLockReadGuard RwLockWriteGuard Ref RefMut Cow Pin ManuallyDrop Vec String PathBuf "
    "OsString "
    "CString LazyLock LazyCell"
).split()


class Operations(Shapes):
    """Works out operations."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._pointers = frozenset(self.std(name) for name in _POINTERS)

    def evaluate_union(self, file: FileInterface, operation: list[Any]) -> Values:
        """UNION: branches of one expression have one type, so that those that are known tell it."""
        return combined(known(merge([self.evaluate(file, part) for part in operation[1]])))

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        name = operation[1]
        if name == "!":
            return BOTTOMS
        index = self._standard_names.get("unit" if name == "()" else name)
        if index is None:
            return NOTHING
        return ((INSTANCE, gid(STANDARD, index), tuple(instances(self.evaluate(file, part)) for part in operation[2])),)

    def evaluate_type_parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((PARAMETER, gid(file.number, operation[1]), operation[2], False),)

    def _special_parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((PARAMETER, gid(file.number, operation[2]), operation[3], False),)

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        position = operation[2]
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == BOTTOM[0]:
                continue
            parts: tuple[Values, ...] = ()
            for step in self.steps(value):
                if step[0] == TUPLE:
                    parts = step[1]
                    break
            place = position if position >= 0 else len(parts) + position
            sets.append(parts[place] if 0 <= place < len(parts) else NOTHING)
        return merge(sets) if sets else NOTHING

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        values = self.evaluate(file, operation[1])
        found: list[Values] = []
        for value in known(values):
            if value[0] == EXTERNAL_RESULT:
                found.append((value,))
                continue
            given = self.project((value,), "Output", self.std("Future"))
            if not given:
                given = self.project((value,), "Output", self.std("IntoFuture"))
            found.append(given)
        return merge(found) if found else NOTHING

    def evaluate_iterate(self, file: FileInterface, operation: list[Any]) -> Values:
        found: list[Values] = []
        for value in known(self.evaluate(file, operation[1])):
            if value[0] in (EXTERNAL_RESULT, EXTERNAL_INSTANCE):
                found.append(((EXTERNAL_RESULT, value[1], value[2]),))
                continue
            given: Values = NOTHING
            for step in self.steps(value):
                for trait in ("IntoIterator", "Iterator"):
                    given = given or self.project((step,), "Item", self.std(trait))
                if given:
                    break
            found.append(given)
        return merge(found) if found else NOTHING

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        found: list[Values] = []
        for value in known(self.evaluate(file, operation[1])):
            given: Values = NOTHING
            for step in self.steps(value):
                given = self.project((step,), "Output", self.std("Index"))
                if given:
                    break
            found.append(given)
        return merge(found) if found else NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        word = operation[1]
        modules = self.path_word(file, operation)
        if modules is not None:
            return modules
        if word == "applied":
            return self.values_of(self.denote_special(file, operation).things, file.number)
        if word == "head":
            return self.values_of(self._head(file, operation[2], operation[3], operation[4]).things, file.number)
        handler = getattr(self, f"_special_{word}", None)
        return handler(file, operation) if handler is not None else NOTHING

    # -- operations of the language -----------------------------------------------------------------------------------

    def _special_try(self, file: FileInterface, operation: list[Any]) -> Values:
        """`?` (Rust reference, "The question mark operator")."""
        found: list[Values] = []
        for value in known(self.evaluate(file, operation[2])):
            if value[0] == INSTANCE and value[1] in (self.std("Option"), self.std("Result")):
                found.append(value[2][0] if value[2] else NOTHING)
            elif value[0] == INSTANCE and value[1] == self.std("Poll"):
                found.append(NOTHING)
            elif value[0] == EXTERNAL_RESULT:
                found.append((value,))
            else:
                found.append(NOTHING)
        return merge(found) if found else NOTHING

    def _special_poll(self, file: FileInterface, operation: list[Any]) -> Values:
        found = [
            value[2][0] if value[0] == INSTANCE and value[1] == self.std("Poll") and value[2] else NOTHING
            for value in known(self.evaluate(file, operation[2]))
        ]
        return merge(found) if found else NOTHING

    def _special_written(self, file: FileInterface, operation: list[Any]) -> Values:
        return (self.std_value("Result", (self.std_value("unit"),), NOTHING),)

    def _special_vec(self, file: FileInterface, operation: list[Any]) -> Values:
        element = self.evaluate(file, operation[2])
        return (self.std_value("Vec", element) if element else self.std_value("Vec"),)

    def _special_array(self, file: FileInterface, operation: list[Any]) -> Values:
        element = self.evaluate(file, operation[2])
        return (self.std_value("slice", element) if element else self.std_value("slice"),)

    def _special_range(self, file: FileInterface, operation: list[Any]) -> Values:
        return (self.std_value("Range", self.evaluate(file, operation[2])),)

    def _special_slice(self, file: FileInterface, operation: list[Any]) -> Values:
        found: list[Values] = []
        for value in known(self.evaluate(file, operation[2])):
            given: Values = NOTHING
            for step in self.steps(value):
                if step[0] == INSTANCE and step[1] in (self.std("slice"), self.std("str")):
                    given = (step,)
                    break
                if step[0] == INSTANCE and file_of(step[1]) != STANDARD:
                    given = self.project((step,), "Output", self.std("Index"))
                    if given:
                        break
            found.append(given)
        return merge(found) if found else NOTHING

    def _special_operator(self, file: FileInterface, operation: list[Any]) -> Values:
        left, right = known(self.evaluate(file, operation[2])), known(self.evaluate(file, operation[3]))
        if len(left) != 1:
            return NOTHING
        value = left[0]
        if value[0] == INSTANCE and value[1] in (self.std("integer"), self.std("float")):
            return right or left
        plain = value[0] == INSTANCE and file_of(value[1]) == STANDARD and not value[2]
        if plain and self.definition(value[1]).qualified_name.startswith(("primitive.", "string.")):
            return left
        trait = _OPERATORS.get(operation[4])
        return self.project(left, "Output", self.std(trait)) if trait else NOTHING

    def _special_dereference(self, file: FileInterface, operation: list[Any]) -> Values:
        """`*x`: what a smart pointer holds. References are transparent here, so that anything else stays itself."""
        found: list[Values] = []
        for value in self.evaluate(file, operation[2]):
            if value[0] == INSTANCE and value[1] in self._pointers:
                below = self.project((value,), "Target", self.std("Deref"))
                found.append(below or (value,))
            else:
                found.append((value,))
        return merge(found) if found else NOTHING

    def _special_future(self, file: FileInterface, operation: list[Any]) -> Values:
        return (self.std_value("Future", NOTHING, self.evaluate(file, operation[2])),)

    def _special_fn(self, file: FileInterface, operation: list[Any]) -> Values:
        trait = known(self.evaluate(file, operation[2])) if operation[2] >= 0 else NOTHING
        head = trait[0][1] if trait and trait[0][0] == TYPE and trait[0][1] in self.fn_traits else self.std("FnOnce")
        parameters = tuple(self.evaluate(file, part) for part in operation[3])
        tag = TYPE if operation[2] >= 0 else INSTANCE
        return ((tag, head, (NOTHING, ((TUPLE, parameters),), self.evaluate(file, operation[4]))),)

    def _special_bind(self, file: FileInterface, operation: list[Any]) -> Values:
        """`Trait<Name = Type>`: a trait with associated types given."""
        _, _, base, names, bound = operation
        result: list[Value] = []
        for value in self.evaluate(file, base):
            if value[0] == TYPE and self.definition(value[1]).kind == DefinitionKind.TRAIT:
                arguments = list(value[2]) or [NOTHING]
                for name, expression in zip(names, bound, strict=True):
                    at = self.place_of(value[1], name)
                    if at >= 0:
                        arguments.extend([NOTHING] * (at + 1 - len(arguments)))
                        arguments[at] = instances(self.evaluate(file, expression))
                value = (TYPE, value[1], tuple(arguments))
            result.append(value)
        return tuple(result)

    def _special_bounds(self, file: FileInterface, operation: list[Any]) -> Values:
        return merge([self.evaluate(file, part) for part in operation[2]])

    def _special_qualified(self, file: FileInterface, operation: list[Any]) -> Values:
        type_, trait = self.evaluate(file, operation[2]), self.evaluate(file, operation[3])
        return ((QUALIFIED, type_, trait),) if trait else NOTHING

    def _special_hole(self, file: FileInterface, operation: list[Any]) -> Values:
        """A declared type with holes (`Vec<_>`): filled from the value that it is given."""
        declared, given = self.evaluate(file, operation[2]), known(self.evaluate(file, operation[3]))
        value = file.expressions[operation[3]]
        if value[0] == Op.SPECIAL and value[1] == "try":
            value = file.expressions[value[2]]
        if value[0] == Op.CALL:
            callee = file.expressions[value[1]]
            if callee[0] == Op.ATTRIBUTE and callee[2] == f"{METHOD}collect":
                elements = self.project(self.evaluate(file, callee[1]), "Item", self.std("Iterator"))
                if value is not file.expressions[operation[3]]:
                    elements = tuple(part for e in elements if e[0] == INSTANCE and e[2] for part in e[2][0])
                return tuple(self._filled(part, elements) for part in declared)
        heads = {part[1] for part in declared if part[0] == INSTANCE}
        fuller = tuple(part for part in given if part[0] == INSTANCE and part[1] in heads and any(part[2]))
        return fuller or declared

    def _special_local(self, file: FileInterface, operation: list[Any]) -> Values:
        """A mutable local: what it is made with and assigned, and what arguments of its methods tell of it."""
        sets = [values for values in (self.evaluate(file, operation[2]),) if values]
        for entry in operation[3]:
            if len(entry) == 1:
                values = known(self.evaluate(file, entry[0]))
                if values:
                    sets.append(values)
        if not sets:
            return NOTHING
        merged = combined(tuple(dict.fromkeys(value for values in sets for value in values)))
        merged = tuple(value for value in merged if value[0] != BOTTOM[0]) or merged
        return tuple(self._told_by_methods(file, value, operation[3]) for value in merged)

    def _told_by_methods(self, file: FileInterface, value: Value, evidence: list[list[Any]]) -> Value:
        if value[0] != INSTANCE or any(value[2]) or not self.definition(value[1]).type_parameters:
            return value
        for entry in evidence:
            if len(entry) < 3:
                continue
            for thing in self.method(value, entry[1], file):
                impl = self.impl_of(thing[1]) if thing[0] == FUNCTION else None
                if impl is None or impl.target[1] != value[1]:
                    continue
                owner = self.world.file(impl.file, file.number)
                facts = owner.definitions[index_of(thing[1])]
                table: Given = {impl.owner: [NOTHING] * impl.parameters}
                self._open(thing[1], facts, table)
                self._infer_arguments(owner, thing[1], facts, table, [self.evaluate(file, a) for a in entry[2:]])
                told = replace((impl.target,), table)[0]
                if any(told[2]):
                    return told
        return value
