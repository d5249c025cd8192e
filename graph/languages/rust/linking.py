"""Linking of Rust: what operations give, how calls infer type arguments, and how builds tell definitions apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graph.languages.rust.conditions import compatible
from graph.languages.rust.members import PINNED, Impl, Members
from graph.languages.rust.names import FIELD, METHOD, VALUE
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import ALIAS, HELD, PROJECTED, PROJECTION, QUALIFIED, VARIANT, Given, combined, known, replace
from graph.link.linker import Ancestry, Named, Resolution
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
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind, Flag, Op, ReferenceKind, Status

_RECEIVER: Final = int(Flag.RECEIVER)
_IMPORTS: Final = frozenset({int(ReferenceKind.IMPORT), int(ReferenceKind.REEXPORT)})
_OPERATORS: Final = {
    "+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Rem", "&": "BitAnd", "|": "BitOr", "^": "BitXor", "<<": "Shl", ">>": "Shr",
}  # fmt: skip
_POINTERS: Final = (
    "Box Rc Arc pointer MutexGuard RwLockReadGuard RwLockWriteGuard Ref RefMut Cow Pin ManuallyDrop Vec String PathBuf OsString "
    "CString LazyLock LazyCell"
).split()
_ELEMENT_COLLECTIONS: Final = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "LinkedList"})
_PAIR_COLLECTIONS: Final = frozenset({"HashMap", "BTreeMap"})


class RustLinker(Members):
    """Links Rust files."""

    builtin_package = "std"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._pointers = frozenset(self.std(name) for name in _POINTERS)
        self._collect = self._standard_method("iter.Iterator.collect")
        self._conditions: dict[int, tuple[str, ...]] = {}

    def _standard_method(self, qualified_name: str) -> int:
        for index, definition in enumerate(self.standard.definitions):
            if definition.qualified_name == qualified_name:
                return gid(STANDARD, index)
        raise LookupError(qualified_name)

    # -- resolutions --------------------------------------------------------------------------------------------------

    def link(self, number: int, references: Sequence[Sequence[int]]) -> list[Resolution]:
        resolutions = super().link(number, references)
        for place, resolution in enumerate(resolutions):
            if len(resolution.targets) > 1 and references[place][0] not in _IMPORTS:
                resolutions[place] = self._one_build(number, references[place][3], resolution)
        return resolutions

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        resolution = super().resolve(file, kind, expression, arguments, enclosing)
        if not resolution.targets:
            if resolution.reason == "local-value" and self.denote(file, expression).things[0][0] == PROJECTED:
                return Resolution(Status.EXTERNAL, "receiver-type", "", (), "pin-project", file.expressions[expression][2][1:])
            return resolution
        inside = tuple(target for target in resolution.targets if file_of(target) != STANDARD)
        if not inside:
            symbol = self.definition(resolution.targets[0]).qualified_name
            return Resolution(Status.EXTERNAL, resolution.rule, "", (), "std", symbol)
        if kind in _IMPORTS:
            return resolution._replace(targets=inside)
        outside = len(inside) < len(resolution.targets) or any(
            thing[0] in (EXTERNAL, EXTERNAL_INSTANCE) for thing in self.denote(file, expression).things
        )
        if len(inside) > 1 or outside or (resolution.rule.endswith("-partial") and resolution.rule.startswith("receiver")):
            return Resolution(Status.AMBIGUOUS, resolution.rule, "several-definitions", inside, "", "")
        return resolution._replace(targets=inside)

    def _one_build(self, number: int, enclosing: int, resolution: Resolution) -> Resolution:
        """Of several targets those that can be in one build with the item that refers to them."""
        own = self.condition(gid(number, enclosing))
        fitting = tuple(target for target in resolution.targets if compatible((*own, *self.condition(target))))
        if len(fitting) == 1:
            return resolution._replace(status=Status.RESOLVED, reason="", targets=fitting, rule=f"{resolution.rule}-cfg")
        return resolution

    def condition(self, definition: int) -> tuple[str, ...]:
        """The `cfg` predicates under which a definition (gid) is compiled: its own and those of everything around it."""
        found = self._conditions.get(definition)
        if found is None:
            file = self.world.file(file_of(definition), file_of(definition))
            index = index_of(definition)
            predicates: list[str] = []
            impl = self.impl_of(definition)
            if impl is not None and impl.condition:
                predicates.append(impl.condition)
            while index >= 0:
                facts = file.definitions[index]
                if facts.condition:
                    predicates.append(facts.condition)
                index = facts.parent
            number = file.number
            for _ in range(64):
                place = self.modules.places.get(number)
                if place is None or place.parent < 0:
                    break
                if place.condition:
                    predicates.append(place.condition)
                number = place.parent
            found = self._conditions[definition] = tuple(dict.fromkeys(predicates))
        return found

    # -- what definitions hold and give -------------------------------------------------------------------------------

    def held(self, definition: int, receiver: Any, asker: int) -> Values:
        file = self.world.file(file_of(definition), asker)
        facts = file.definitions[index_of(definition)]
        values = self.evaluate(file, facts.type) if facts.type >= 0 else NOTHING
        if not values and facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        return self.seen_through(values, receiver)

    def seen_through(self, values: Values, receiver: Any) -> Values:
        if not receiver:
            return values
        found = self.substituted(values, {owner: list(arguments) for owner, arguments in receiver})
        return (self.std_value("Pin", found),) if receiver[-1][0] == PINNED and found else found

    def result(self, function: int, receiver: Any, asker: int, arguments: tuple[Values, ...]) -> Values:
        return self.applied_result(function, receiver, asker, lambda: arguments)

    def applied_result(self, function: int, receiver: Any, asker: int, arguments: Any) -> Values:
        """What a call gives: the declared type, with type parameters taken from receiver, type arguments and arguments."""
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
        """Add the owners of type parameters that a call has to find out: the function, the impl, the type of a constructor."""
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

    # -- operations ---------------------------------------------------------------------------------------------------

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
                # A pinned pointer is seen as what it points to: `Pin<Box<T>>` and `Pin<&mut T>` lead to the same methods.
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

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        if operation[1] != "applied":
            return super().denote_special(file, operation)
        named = self.denote(file, operation[2])
        if sum(1 for thing in named.things if thing[0] == FUNCTION) < 2 and not any(thing[0] == FUNCTION for thing in named.things):
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

    def _names_method(self, file: FileInterface, callee: int) -> bool:
        operation = file.expressions[callee]
        while operation[0] == Op.GENERIC:
            operation = file.expressions[operation[1]]
        return operation[0] == Op.ATTRIBUTE and operation[2][:1] == METHOD

    # -- operations of the language -----------------------------------------------------------------------------------

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
        if value[0] == INSTANCE and file_of(value[1]) == STANDARD and not value[2]:
            if self.definition(value[1]).qualified_name.startswith(("primitive.", "string.")):
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
        """A mutable local: what it is made with and assigned, and what the arguments of its methods tell of its type."""
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

    # -- structs and patterns -----------------------------------------------------------------------------------------

    def shapes(self, file: FileInterface, path: int) -> Values:
        """What a path to a struct or variant gives the fields of: (INSTANCE, ...) or (VARIANT, gid, ())."""
        found: list[Value] = []
        for thing in self.denote(file, path).things:
            if thing[0] in (VARIABLE, FUNCTION) and self.definition(thing[1]).kind == DefinitionKind.ENUM_MEMBER:
                found.append((VARIANT, thing[1], ()))
            elif thing[0] in (VARIABLE, FUNCTION, TYPE) and self.definition(thing[1]).kind in (DefinitionKind.STRUCT, DefinitionKind.UNION):
                found.append((INSTANCE, thing[1], ()))
            elif thing[0] == ALIAS:
                found.extend(instances(thing[2]))
            elif thing[0] in (EXTERNAL, EXTERNAL_INSTANCE):
                found.append((EXTERNAL_INSTANCE, thing[1], thing[2], ()))
        return tuple(found) or instances(self.evaluate(file, path))

    def _special_shape(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.shapes(file, operation[2])

    def _special_struct(self, file: FileInterface, operation: list[Any]) -> Values:
        """A struct expression: a value of the struct, or of the enum of the variant."""
        _, _, path, names, values = operation
        result: list[Value] = []
        written = instances(self.evaluate(file, path))
        for shape in self.shapes(file, path):
            if shape[0] not in (VARIANT, INSTANCE):
                result.append(shape)
                continue
            owner = shape[1]
            if shape[0] == VARIANT:
                owner = gid(file_of(owner), self.definition(owner).parent)
            count = len(self.definition(owner).type_parameters)
            if not count:
                result.append((INSTANCE, owner, ()))
                continue
            given = next((value for value in written if value[0] == INSTANCE and value[1] == owner and any(value[2])), None)
            if given is not None:
                result.append(given)
                continue
            table: Given = {owner: [NOTHING] * count}
            for name, expression in zip(names, values, strict=True):
                for member in self.own(shape[1], FIELD + name):
                    source = self.world.file(file_of(member), file.number)
                    declared = self.evaluate(source, source.definitions[index_of(member)].type)
                    self.unify(declared, self.evaluate(file, expression), table, loose=True)
            result.append((INSTANCE, owner, tuple(table[owner])))
        return tuple(result)

    def _special_part(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a pattern takes out of a value: a field of a struct or variant, by name or by position."""
        _, _, value, path, key, _ = operation
        found: list[Values] = []
        scrutinee = known(self.evaluate(file, value)) if value >= 0 else NOTHING
        for shape in self.shapes(file, path) if path >= 0 else ():
            if shape[0] not in (VARIANT, INSTANCE):
                found.append(((EXTERNAL_RESULT, shape[1], shape[2]),) if shape[0] == EXTERNAL_INSTANCE else NOTHING)
                continue
            owner = shape[1]
            if shape[0] == VARIANT:
                owner = gid(file_of(owner), self.definition(owner).parent)
            arguments: tuple[Values, ...] = ()
            for candidate in scrutinee:
                for step in self.steps(candidate):
                    if step[0] == INSTANCE and step[1] == owner:
                        arguments = step[2]
                        break
                if arguments:
                    break
            table: Given = {owner: list(arguments)} if self.definition(owner).type_parameters else {}
            if key.lstrip("-").isdigit():
                source = self.world.file(file_of(shape[1]), file.number)
                parameters = source.definitions[index_of(shape[1])].parameters
                at = int(key) if int(key) >= 0 else len(parameters) + int(key)
                declared = instances(self.evaluate(source, parameters[at][1])) if 0 <= at < len(parameters) else NOTHING
                found.append(self.substituted(declared, table))
            else:
                for member in self.own(shape[1], FIELD + key):
                    source = self.world.file(file_of(member), file.number)
                    declared = self.evaluate(source, source.definitions[index_of(member)].type)
                    found.append(self.substituted(declared, table))
        return merge(found) if found else NOTHING

    # -- relations ----------------------------------------------------------------------------------------------------

    def inherit(self, owner: int) -> Ancestry:
        """The traits of a type: those it implements and derives, and their supertraits; for a trait its supertraits."""
        classes: dict[int, tuple[Values, ...]] = {owner: ()}
        outside: dict[Value, None] = {}
        traits: list[Value] = []
        if self.definition(owner).kind == DefinitionKind.TRAIT:
            traits.extend(self.supertraits(owner))
        else:
            traits.extend(impl.trait for impl in self.impls(owner) if impl.trait is not None)
            traits.extend(self.derived(owner))
        for trait in traits:
            if trait[0] != TYPE or file_of(trait[1]) == STANDARD:
                outside[trait if trait[0] in (EXTERNAL, EXTERNAL_INSTANCE) else (EXTERNAL, "std", "")] = None
                continue
            classes.setdefault(trait[1], ())
            for above in self.supertraits(trait[1]):
                if file_of(above[1]) != STANDARD:
                    classes.setdefault(above[1], ())
        return Ancestry(tuple(classes.items()), tuple(outside))

    def overridden(self, method: int) -> tuple[int, ...]:
        """The declaration in a trait of the repository that a member of an impl block implements."""
        impl: Impl | None = self.impl_of(method)
        if impl is None or impl.trait is None or impl.trait[0] != TYPE:
            return ()
        facts = self.definition(method)
        key = facts.name if facts.kind == DefinitionKind.TYPE else VALUE + facts.name
        found = self.own(impl.trait[1], key)
        for member in found:
            self.world.note(file_of(method), file_of(member))
        return tuple(member for member in found if file_of(member) != STANDARD)


__all__ = ["HELD", "RustLinker"]
