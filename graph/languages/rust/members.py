"""Members of Rust values and types: implementations joined to their types, method lookup, associated types, inference.

Source of the rules: the Rust reference, "Implementations", "Method-call expressions" (the candidate steps by
dereferencing), "Traits", "Associated items", "Paths" ("Qualified paths").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from graph.languages.rust.names import FIELD, METHOD, PREFIXES, VALUE
from graph.languages.rust.paths import IMPL_BASE
from graph.languages.rust.scopes import Scopes, Viewpoint
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import (
    ALIAS,
    EXTERN_ROOT,
    HELD,
    PROJECTED,
    PROJECTION,
    QUALIFIED,
    VARIANT,
    Given,
    combined,
    known,
    mentions,
    replace,
)
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
    MODULE,
    NOTHING,
    PACKAGE,
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
from graph.model import CALLABLE_KINDS, DefinitionKind, Flag, Op

_STEPS: Final = 10
"""Most dereferencing steps of one method call."""
_NESTING: Final = 40
"""Deepest nesting of questions about associated types and bounds inside each other."""
_ABSTRACT_KINDS: Final = frozenset({DefinitionKind.TRAIT, DefinitionKind.TYPE})
PINNED: Final = -3
"""In place of an owner in a receiver: the field is held in a `Pin`."""
_WRAPPERS: Final = frozenset({"Pin", "Box", "Rc", "Arc"})
"""Smart pointers that a method can take its receiver in."""
_PROJECTIONS: Final = frozenset({"project", "project_ref", "project_replace"})
"""Methods that pin-project adds to a struct."""
_RECEIVER: Final = int(Flag.RECEIVER)


class Impl(NamedTuple):
    """One impl block."""

    file: int
    number: int
    owner: int
    """What its type parameters belong to."""
    target: Value
    """The type it is for, as a value."""
    trait: Value | None
    """(TYPE, gid, arguments), (EXTERNAL, ...), `UNKNOWN` when it could not be found, or None for an inherent impl."""
    members: dict[str, list[int]]
    parameters: int
    condition: str


class _Step(NamedTuple):
    """Where a method lookup stands."""

    strict: bool
    """Whether only traits count that the file brings in."""
    depth: int = 0
    wrapper: str = ""
    """The smart pointer that was dereferenced last."""
    inside: bool = False
    """Whether a type of the repository was dereferenced."""


class Members(Scopes):
    """Finds members of values and types."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._impls: dict[Any, list[Impl]] | None = None
        self._blanket: list[Impl] = []
        self._building = False
        self._methods: dict[int, dict[int, Impl]] = {}
        self._associated: dict[int, tuple[str, ...]] = {}
        self._derived: dict[int, tuple[Value, ...]] = {}
        self._extra_bounds: dict[int, dict[Any, list[int]]] = {}
        self._nesting = 0
        self._traits_seen: dict[tuple[int, int], bool] = {}
        by_name = {d.name: i for i, d in enumerate(self.standard.definitions) if d.kind not in CALLABLE_KINDS and d.parent >= 0}
        by_name.update(
            {
                d.name: i
                for i, d in enumerate(self.standard.definitions)
                if d.kind in (DefinitionKind.STRUCT, DefinitionKind.ENUM, DefinitionKind.TRAIT, DefinitionKind.UNION)
                and not d.qualified_name.startswith(("sync.atomic", "sync.Weak", "fmt.", "io.Error"))
            }
        )
        self._standard_names = by_name
        self.fn_traits = frozenset(self.std(name) for name in ("Fn", "FnMut", "FnOnce", "AsyncFn"))

    def std(self, name: str) -> int:
        """The gid of a type or trait of the standard library's declarations."""
        return gid(STANDARD, self._standard_names[name])

    def std_value(self, name: str, *arguments: Values) -> Value:
        """A value of a type of the standard library."""
        return (INSTANCE, self.std(name), arguments)

    # -- implementations ----------------------------------------------------------------------------------------------

    def impls(self, head: Any) -> list[Impl]:
        """The impl blocks for the type with that head."""
        if self._impls is None:
            if self._building:
                return []
            self._building = True
            table: dict[Any, list[Impl]] = {}
            for number in (STANDARD, *sorted(self.world.records)):
                file = self.world.file(number, number)
                for place in range(len(file.extra.get("impls", ()))):
                    self._enter_impl(file, place, table)
            self._impls = table
            self._building = False
        return self._impls.get(head, [])

    def _enter_impl(self, file: FileInterface, place: int, table: dict[Any, list[Impl]]) -> None:
        type_, trait_expression, parameters, members, condition = file.extra["impls"][place]
        targets = known(instances(self.evaluate(file, type_)))
        trait: Value | None = None
        if trait_expression >= 0:
            found = known(self.evaluate(file, trait_expression))
            trait = found[0] if found else UNKNOWN
        for target in targets:
            impl = Impl(
                file.number, place, gid(file.number, IMPL_BASE + place), target, trait, members, len(parameters), condition
            )
            head = self.head_of(target)
            if trait is None and file.number != STANDARD and target[0] == INSTANCE and file_of(target[1]) == STANDARD:
                # Only the crate of a type can give it inherent members (E0116, E0390): this is some other `core`.
                continue
            if head == "parameter":
                if trait is not None and not self._circular(impl):
                    self._blanket.append(impl)
            elif head is not None:
                table.setdefault(head, []).append(impl)

    def _circular(self, impl: Impl) -> bool:
        """Whether an impl for every type says no more than the bound that it asks for (`impl<T: Tr> Tr for &T`)."""
        return any(bound[0] == TYPE and impl.trait is not None and bound[1] == impl.trait[1] for bound in self.bounds(impl.target))

    def head_of(self, value: Value) -> Any:
        """What impl blocks are kept under: the definition of a type, or a word; None for what has none."""
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            return value[1]
        if tag in (EXTERNAL, EXTERNAL_INSTANCE):
            return value[1:3]
        if tag == PARAMETER:
            return "parameter"
        return "tuple" if tag == TUPLE else None

    def impl_of(self, member: int) -> Impl | None:
        """The impl block in which a member (gid) stands."""
        number = file_of(member)
        table = self._methods.get(number)
        if table is None:
            self.impls(None)
            table = {}
            file = self.world.file(number, number)
            places = {index: place for place, impl in enumerate(file.extra.get("impls", ())) for group in impl[3].values() for index in group}
            wanted = set(places.values())
            found: dict[int, Impl] = {}
            for impl in [entry for group in (self._impls or {}).values() for entry in group if entry.file == number] + self._blanket:
                if impl.file == number and impl.number in wanted:
                    found.setdefault(impl.number, impl)
            for index, place in places.items():
                if place in found:
                    table[gid(number, index)] = found[place]
            self._methods[number] = table
        return table.get(member)

    def matching(self, value: Value, wanted: Callable[[Impl], bool]) -> list[tuple[Impl, Given]]:
        """The impl blocks that are for a value's type, with what their type parameters stand for then."""
        result: list[tuple[Impl, Given]] = []
        for impl in self.impls(self.head_of(value)):
            if wanted(impl):
                given: Given = {impl.owner: [NOTHING] * impl.parameters}
                if self.unify((impl.target,), (value,), given):
                    result.append((impl, given))
        return result

    def blanket(self, value: Value, wanted: Callable[[Impl], bool]) -> list[tuple[Impl, Given]]:
        """The impl blocks for every type within bounds that do not rule the value's type out."""
        result: list[tuple[Impl, Given]] = []
        self.impls(None)
        for impl in self._blanket:
            if wanted(impl) and all(self.holds(value, bound) for bound in self.bounds(impl.target)):
                given: Given = {impl.owner: [NOTHING] * impl.parameters}
                self.unify((impl.target,), (value,), given)
                result.append((impl, given))
        return result

    def holds(self, value: Value, bound: Value) -> bool:
        """Whether a type may satisfy a bound: false only where no impl of the repository or the standard library says so."""
        if bound[0] != TYPE:
            return True
        trait = bound[1]
        if value[0] not in (INSTANCE, TYPE, PARAMETER, TUPLE):
            return file_of(trait) == STANDARD or self.implemented(value, trait)
        if value[0] == PARAMETER or self.definition(value[1]).kind in _ABSTRACT_KINDS if value[0] != TUPLE else False:
            return any(self.is_below(found[1], trait) for found in self.bounds(value) if found[0] == TYPE)
        if self.implemented(value, trait):
            return True
        inside = file_of(trait) != STANDARD
        if self._nesting > _NESTING:
            return False
        self._nesting += 1
        through = any(
            self.blanket(value, lambda impl: impl.trait is not None and impl.trait[0] == TYPE and impl.trait[1] == trait)
        ) if inside or self.definition(trait).name in ("IntoIterator",) else False
        self._nesting -= 1
        if through:
            return True
        if inside or trait in self.fn_traits:
            return False
        name = self.definition(trait).name
        if name in ("Iterator", "Future", "Read", "Write", "BufRead", "IntoIterator", "Error", "Deref", "DerefMut", "Seek"):
            return False
        return value[0] == TUPLE or file_of(value[1]) == STANDARD or name not in ("Clone", "Copy", "Default", "Display", "Hash")

    def implemented(self, value: Value, trait: int) -> bool:
        """Whether a type has an impl or a derive of a trait."""
        if value[0] in (INSTANCE, TYPE) and any(found[0] == TYPE and found[1] == trait for found in self.derived(value[1])):
            return True
        return any(
            impl.trait is not None and impl.trait[0] == TYPE and self.is_below(impl.trait[1], trait)
            for impl in self.impls(self.head_of(value))
        )

    def is_below(self, trait: int, above: int) -> bool:
        """Whether a trait is another one, or has it among its supertraits."""
        return trait == above or any(found[1] == above for found in self.supertraits(trait))

    def derived(self, definition: int) -> tuple[Value, ...]:
        """The traits that a type derives."""
        found = self._derived.get(definition)
        if found is None:
            file = self.world.file(file_of(definition), file_of(definition))
            expressions = file.definitions[index_of(definition)].extra.get("derive", ())
            found = tuple(value for expression in expressions for value in self.evaluate(file, expression))
            self._derived[definition] = found
        return found

    # -- traits -------------------------------------------------------------------------------------------------------

    def supertraits(self, trait: int) -> list[Value]:
        """The traits (TYPE, gid, arguments) that a trait asks for, near ones first, in terms of its own parameters."""
        found: dict[int, Value] = {}
        pending: list[tuple[int, Given | None]] = [(trait, None)]
        while pending and len(found) < 64:
            current, given = pending.pop(0)
            file = self.world.file(file_of(current), file_of(current))
            facts = file.definitions[index_of(current)]
            bases = [value for base in facts.bases for value in self.evaluate(file, base)]
            extra = self.extra_bounds(file).get((current, 0), ())
            bases.extend(value for expression in extra for value in self.evaluate(file, expression))
            for base in bases:
                if base[0] == TYPE and base[1] not in found and base[1] != trait:
                    arguments = self.trait_arguments(base, ((PARAMETER, current, 0, True),))
                    if given is not None:
                        arguments = tuple(replace(part, given) for part in arguments)
                    found[base[1]] = (TYPE, base[1], arguments)
                    pending.append((base[1], {base[1]: list(arguments)}))
        return list(found.values())

    def associated(self, trait: int) -> tuple[str, ...]:
        """The names of the associated types of a trait: its own, then those of its supertraits."""
        found = self._associated.get(trait)
        if found is None:
            self._associated[trait] = tuple(self.definition(trait).extra.get("associated", ()))
            names = dict.fromkeys(self._associated[trait])
            for above in self.supertraits(trait):
                names.update(dict.fromkeys(self.definition(above[1]).extra.get("associated", ())))
            found = self._associated[trait] = tuple(names)
        return found

    def place_of(self, trait: int, name: str) -> int:
        """The position of an associated type among the arguments of a trait; -1 when it has none of that name."""
        names = self.associated(trait)
        return 1 + len(self.definition(trait).type_parameters) + names.index(name) if name in names else -1

    def trait_arguments(self, trait: Value, self_values: Values) -> tuple[Values, ...]:
        """The arguments of a trait with the type itself put in first."""
        arguments = trait[2]
        return (self_values, *arguments[1:]) if arguments else (self_values,)

    def trait_member(self, trait: Value, key: str, self_value: Value) -> Values:
        """The things of a trait, or of its supertraits, under a name, for a type."""
        arguments = self.trait_arguments(trait, (self_value,))
        found = self.own(trait[1], key)
        if found:
            return tuple(self.member_thing(member, ((trait[1], arguments),)) for member in found)
        for above in self.supertraits(trait[1]):
            found = self.own(above[1], key)
            if found:
                given: Given = {trait[1]: list(arguments)}
                inner = [replace(part, given) for part in self.trait_arguments(above, (self_value,))]
                for position, name in enumerate(self.associated(above[1]), 1 + len(self.definition(above[1]).type_parameters)):
                    at = self.place_of(trait[1], name)
                    if 0 <= at < len(arguments) and arguments[at]:
                        inner.extend([NOTHING] * (position + 1 - len(inner)))
                        inner[position] = arguments[at]
                return tuple(self.member_thing(member, ((above[1], tuple(inner)),)) for member in found)
        return NOTHING

    def own(self, owner: int, key: str) -> tuple[int, ...]:
        """The gids of what the scope of a type or trait binds a key to."""
        return self.own_members(owner, key)

    def member_thing(self, member: int, given: tuple[Any, ...]) -> Value:
        """A member as the thing named, with what the type parameters of its owners stand for."""
        facts = self.definition(member)
        if facts.kind == DefinitionKind.TYPE:
            return self.associated_thing(member, given)
        return (FUNCTION if facts.kind in CALLABLE_KINDS else VARIABLE, member, given or None)

    def associated_thing(self, member: int, given: tuple[Any, ...]) -> Value:
        """An associated type of a trait or an impl as the thing named, with the types it stands for."""
        facts = self.definition(member)
        table: Given = {owner: list(arguments) for owner, arguments in given}
        if facts.extra.get("associated"):
            trait = gid(file_of(member), facts.parent)
            self_values = table.get(trait, [NOTHING])[0]
            values = self.project(self_values, facts.name, trait)
            return (ALIAS, member, tuple(self.type_of(value) for value in values))
        file = self.world.file(file_of(member), file_of(member))
        values = self.substituted(self.evaluate(file, facts.type), table)
        return (ALIAS, member, tuple(self.type_of(value) for value in values))

    # -- bounds -------------------------------------------------------------------------------------------------------

    def extra_bounds(self, file: FileInterface) -> dict[Any, list[int]]:
        """Bounds from where clauses on what is no type parameter of the item: (owner, position[, name]) -> types."""
        table = self._extra_bounds.get(file.number)
        if table is None:
            table = self._extra_bounds[file.number] = {}
            for target, bound in file.extra.get("bounds", ()):
                operation = file.expressions[target]
                name: tuple[str, ...] = ()
                if operation[0] == Op.ATTRIBUTE:
                    name = (operation[2],)
                    operation = file.expressions[operation[1]] if operation[1] >= 0 else [-1]
                if operation[0] == Op.TYPE_PARAMETER:
                    table.setdefault((gid(file.number, operation[1]), operation[2], *name), []).append(bound)
        return table

    def bounds(self, value: Value) -> Values:
        """The traits (TYPE, gid, arguments) that a type parameter, a trait object or an associated type offers."""
        if value[0] == PARAMETER:
            return self._parameter_bounds(value)
        if value[0] not in (INSTANCE, TYPE):
            return NOTHING
        facts = self.definition(value[1])
        if facts.kind == DefinitionKind.TRAIT:
            return ((TYPE, value[1], self.trait_arguments(value, (value,))),)
        if facts.kind == DefinitionKind.TYPE and facts.extra.get("associated"):
            file = self.world.file(file_of(value[1]), file_of(value[1]))
            found = [self.evaluate(file, base) for base in facts.bases]
            trait = gid(file.number, facts.parent)
            self_values = value[2][0] if value[2] else NOTHING
            for part in self_values:
                if part[0] == PARAMETER:
                    owner = self.world.file(file_of(part[1]), file.number)
                    extra = self.extra_bounds(owner).get((part[1], part[2], facts.name), ())
                    found.extend(self.evaluate(owner, expression) for expression in extra)
            given: Given = {trait: [self_values]}
            return tuple(
                bound for values in found for bound in (replace(values, given) if self_values else values) if bound[0] == TYPE
            )
        return NOTHING

    def _parameter_bounds(self, value: Value) -> Values:
        number, index, position = file_of(value[1]), index_of(value[1]), value[2]
        file = self.world.file(number, number)
        found: list[Values] = []
        if index >= IMPL_BASE:
            parameters = file.extra["impls"][index - IMPL_BASE][2] if index - IMPL_BASE < len(file.extra["impls"]) else []
        else:
            facts = file.definitions[index]
            parameters = facts.type_parameters
            if facts.kind == DefinitionKind.TRAIT:
                if position == 0:
                    own = tuple(((PARAMETER, value[1], place, True),) for place in range(1 + len(parameters)))
                    found.append(((TYPE, value[1], own),))
                position -= 1
        if 0 <= position < len(parameters) and parameters[position][1] >= 0:
            found.append(self.evaluate(file, parameters[position][1]))
        found.extend(self.evaluate(file, bound) for bound in self.extra_bounds(file).get((value[1], value[2]), ()))
        return tuple(dict.fromkeys(bound for values in found for bound in values if bound[0] in (TYPE, EXTERNAL, EXTERNAL_INSTANCE)))

    # -- associated types ---------------------------------------------------------------------------------------------

    def substituted(self, values: Values, given: Given) -> Values:
        """The values with type parameters replaced, and associated types of what they now stand for looked up."""
        if not given or not mentions(values):
            return values
        return self.normal(replace(values, given))

    def normal(self, values: Values) -> Values:
        """The values with associated types replaced by what they are, wherever that is known."""
        result: dict[Value, None] = {}
        for value in values:
            tag = value[0]
            if tag in (INSTANCE, TYPE) and value[2]:
                arguments = tuple(self.normal(part) for part in value[2])
                value = (tag, value[1], arguments)
                facts = self.definition(value[1])
                if facts.kind == DefinitionKind.TYPE and facts.extra.get("associated"):
                    found = self.project(arguments[0], facts.name, gid(file_of(value[1]), facts.parent))
                    result.update(dict.fromkeys(found if tag == INSTANCE else tuple(self.type_of(part) for part in found)))
                    continue
            elif tag == TUPLE:
                value = (tag, tuple(self.normal(part) for part in value[1]))
            result[value] = None
        return tuple(result)

    def project(self, values: Values, name: str, trait: int | None) -> Values:
        """What an associated type is for values of a type; the associated type itself where it stays open."""
        if self._nesting > _NESTING:
            return NOTHING
        self._nesting += 1
        found: dict[Value, None] = {}
        for value in values:
            found.update(dict.fromkeys(self._project(value, name, trait)))
        self._nesting -= 1
        return tuple(found)

    def _project(self, value: Value, name: str, trait: int | None) -> Values:
        tag = value[0]
        if tag == BOTTOM[0]:
            return BOTTOMS
        if tag == EXTERNAL or tag == EXTERNAL_INSTANCE:
            return NOTHING
        if tag == FUNCTION or (tag == INSTANCE and value[1] in self.fn_traits):
            return self.callable(value)[1] if name == "Output" else NOTHING
        if tag not in (INSTANCE, TYPE, PARAMETER, TUPLE):
            return NOTHING
        abstract = tag == PARAMETER or (tag != TUPLE and self.definition(value[1]).kind in _ABSTRACT_KINDS)
        if abstract:
            found = self._projected_bound(value, name, trait)
            if found:
                return found
        key = name

        def wanted(impl: Impl) -> bool:
            return (
                key in impl.members
                and impl.trait is not None
                and (trait is None or (impl.trait[0] == TYPE and impl.trait[1] == trait))
            )

        candidates = [] if tag == PARAMETER else self.matching(value, wanted)
        if not candidates:
            candidates = self.blanket(value, wanted)
        results: list[Values] = []
        for impl, given in candidates:
            file = self.world.file(impl.file, impl.file)
            facts = file.definitions[impl.members[key][-1]]
            results.append(self.substituted(self.evaluate(file, facts.type), given))
        if not results:
            return NOTHING
        return results[0] if len(set(results)) == 1 else NOTHING

    def _projected_bound(self, value: Value, name: str, trait: int | None) -> Values:
        for bound in self.bounds(value):
            if bound[0] != TYPE or self.definition(bound[1]).kind != DefinitionKind.TRAIT:
                continue
            if trait is not None and not self.is_below(bound[1], trait):
                continue
            at = self.place_of(bound[1], name)
            if at < 0:
                continue
            if at < len(bound[2]) and bound[2][at]:
                return bound[2][at]
            for above in self.supertraits(bound[1]):
                inner = self.place_of(above[1], name)
                if 0 <= inner < len(above[2]) and above[2][inner]:
                    return replace(above[2][inner], {bound[1]: list(self.trait_arguments(bound, (value,)))})
            owner = next((t for t in (bound[1], *(a[1] for a in self.supertraits(bound[1]))) if self.own(t, name)), None)
            if owner is not None:
                return ((INSTANCE, self.own(owner, name)[0], ((value,),)),)
        return NOTHING

    # -- unification --------------------------------------------------------------------------------------------------

    def unify(self, pattern: Values, actual: Values, given: Given, *, loose: bool = False) -> bool:
        """Match a declared type against a value, noting what the owners' type parameters stand for; false on a clash.

        `loose` allows what the compiler converts on the way into a parameter: dereferencing, an impl of a trait.
        """
        actual = known(actual)
        if not actual or len(pattern) != 1:
            return True
        wanted = pattern[0]
        if wanted[0] == PARAMETER and wanted[1] in given:
            slots = given[wanted[1]]
            if wanted[2] < len(slots):
                if not slots[wanted[2]]:
                    slots[wanted[2]] = actual
                self._from_bounds(wanted, actual, given)
            return True
        return any([self._match(wanted, value, given, loose) for value in actual])

    def _match(self, wanted: Value, value: Value, given: Given, loose: bool) -> bool:
        tag, other = wanted[0], value[0]
        if tag in (INSTANCE, TYPE):
            if other in (INSTANCE, TYPE) and wanted[1] == value[1]:
                return all([self.unify(a, b, given, loose=loose) for a, b in zip(wanted[2], value[2], strict=False)])
            if wanted[1] in self.fn_traits:
                self._unify_callable(wanted, value, given)
                return True
            facts = self.definition(wanted[1])
            if facts.kind == DefinitionKind.TRAIT:
                self._from_bound((TYPE, wanted[1], wanted[2]), (value,), given)
                return loose
            if facts.kind == DefinitionKind.TYPE or other not in (INSTANCE, TYPE, TUPLE, EXTERNAL_INSTANCE):
                return True
            if loose:
                for step in self.steps(value)[1:]:
                    if step[0] == INSTANCE and step[1] == wanted[1]:
                        return self._match(wanted, step, given, False)
            return False
        if tag == TUPLE:
            if other != TUPLE:
                return other == PARAMETER
            return len(wanted[1]) == len(value[1]) and all(
                [self.unify(a, b, given, loose=loose) for a, b in zip(wanted[1], value[1], strict=True)]
            )
        if tag == EXTERNAL_INSTANCE and other == EXTERNAL_INSTANCE:
            if wanted[1:3] != value[1:3]:
                return False
            return all([self.unify(a, b, given) for a, b in zip(wanted[3], value[3], strict=False)])
        return True

    def _from_bounds(self, parameter: Value, actual: Values, given: Given) -> None:
        for bound in self.bounds(parameter):
            self._from_bound(bound, actual, given)

    def _from_bound(self, bound: Value, actual: Values, given: Given) -> None:
        """Learn from what a value gives for the associated types that a bound names (`F: Fn(A) -> B`, `I: Iterator<Item = T>`)."""
        if bound[0] != TYPE or not bound[2]:
            return
        if bound[1] in self.fn_traits:
            for value in actual:
                self._unify_callable((INSTANCE, *bound[1:]), value, given)
            return
        first = 1 + len(self.definition(bound[1]).type_parameters)
        names = self.associated(bound[1])
        for position, part in enumerate(bound[2][first:]):
            if part and position < len(names) and mentions(part):
                self.unify(part, self.project(actual, names[position], None), given)

    def _unify_callable(self, wanted: Value, value: Value, given: Given) -> None:
        parameters, result = self.callable(value)
        arguments = wanted[2]
        if len(arguments) > 1 and arguments[1] and arguments[1][0][0] == TUPLE and parameters is not None:
            for a, b in zip(arguments[1][0][1], parameters, strict=False):
                self.unify(a, b, given)
        if len(arguments) > 2:
            self.unify(arguments[2], result, given, loose=True)

    def callable(self, value: Value) -> tuple[tuple[Values, ...] | None, Values]:
        """What a value takes and gives when it is called."""
        tag = value[0]
        if tag == FUNCTION:
            file = self.world.file(file_of(value[1]), file_of(value[1]))
            facts = file.definitions[index_of(value[1])]
            table: Given = {owner: list(arguments) for owner, arguments in value[2] or ()}
            parameters = [self.substituted(instances(self.evaluate(file, p[1])), table) for p in facts.parameters]
            if facts.flags & _RECEIVER:
                parameters.insert(0, NOTHING)
            return tuple(parameters), self.result(value[1], value[2], file.number, ())
        if tag in (INSTANCE, PARAMETER, TYPE):
            if tag == INSTANCE and value[1] in self.fn_traits:
                parts = value[2]
                takes = parts[1][0][1] if len(parts) > 1 and parts[1] and parts[1][0][0] == TUPLE else None
                return takes, parts[2] if len(parts) > 2 else NOTHING
            for bound in self.bounds(value) if tag != INSTANCE or self.definition(value[1]).kind in _ABSTRACT_KINDS else ():
                if bound[0] == TYPE and bound[1] in self.fn_traits:
                    return self.callable((INSTANCE, bound[1], bound[2]))
        return None, NOTHING

    # -- methods and fields -------------------------------------------------------------------------------------------

    def steps(self, value: Value) -> list[Value]:
        """A value, and what it gives by dereferencing again and again (Rust reference, "Method-call expressions")."""
        found = [value]
        deref = self.std("Deref")
        for _ in range(_STEPS):
            current = found[-1]
            if current[0] not in (INSTANCE, PARAMETER):
                break
            below = known(self.project((current,), "Target", deref))
            if len(below) != 1 or below[0] in found:
                break
            found.append(below[0])
        return found

    def method(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things that a method call on a value names; () when nothing is known.

        Traits that the file does not bring in are asked only after the whole chain has given nothing.
        """
        return self._lookup(value, name, file, _Step(strict=True)) or self._lookup(value, name, file, _Step(strict=False))

    def _lookup(self, value: Value, name: str, file: FileInterface, step: _Step) -> Values:
        if value[0] == BOTTOM[0]:
            return BOTTOMS
        tag = value[0]
        below = NOTHING
        outer = self.definition(value[1]).name if tag == INSTANCE and file_of(value[1]) == STANDARD else ""
        if outer in _WRAPPERS and name in self._wrapped_names():
            below = known(self.project((value,), "Target", self.std("Deref")))
            wrapped = [self.methods_on(part, name, file, outer, step.strict, by_value=True) for part in below]
            if any(wrapped):
                return merge([things for things in wrapped if things])
        found = self.methods_on(value, name, file, step.wrapper, step.strict)
        if found:
            return found
        if tag not in (INSTANCE, PARAMETER):
            return NOTHING if step.strict else self._outside_method(value, name, step.inside)
        if tag == INSTANCE and name in _PROJECTIONS and "projected" in self.definition(value[1]).extra:
            return ((PROJECTED, value),)
        if step.depth < _STEPS:
            below = below or known(self.project((value,), "Target", self.std("Deref")))
        if below:
            inside = step.inside or (tag == INSTANCE and file_of(value[1]) != STANDARD)
            inner = _Step(step.strict, step.depth + 1, outer, inside)
            sets = [self._lookup(part, name, file, inner) for part in below if part != value]
            merged = merge(sets) if any(sets) else NOTHING
            if len({thing[:2] for thing in merged if thing[0] != AMBIGUITY[0]}) > 1 and AMBIGUITY not in merged:
                return (*merged, AMBIGUITY)
            return merged
        if step.strict or self.dereferences(value):
            return NOTHING
        return self._outside_method(value, name, step.inside)

    def _wrapped_names(self) -> set[str]:
        """Names of the methods that take their receiver in a smart pointer."""
        if self._wrapped is None:
            self._wrapped = {
                definition.name
                for number in (STANDARD, *self.world.records)
                for definition in self.world.file(number, number).definitions
                if "receiver" in definition.extra
            }
        return self._wrapped

    _wrapped: set[str] | None = None

    def dereferences(self, value: Value) -> bool:
        """Whether a value dereferences to something, known or not."""
        deref = self.std("Deref")
        if value[0] == PARAMETER:
            return any(bound[0] == TYPE and self.is_below(bound[1], deref) for bound in self.bounds(value))
        return any(impl.trait is not None and impl.trait[:2] == (TYPE, deref) for impl in self.impls(self.head_of(value)))

    def methods_on(
        self, value: Value, name: str, file: FileInterface, wrapper: str, strict: bool, *, by_value: bool = False
    ) -> Values:
        """The methods of that name at one step of the lookup: inherent ones before those of traits.

        `wrapper` is the smart pointer that the value was reached through; with `by_value` only methods that take it count.
        """
        key = VALUE + name
        tag = value[0]
        wanted = (wrapper, by_value)
        if tag in (INSTANCE, PARAMETER, TYPE):
            for bound in self.bounds(value):
                if bound[0] == TYPE and self.definition(bound[1]).kind == DefinitionKind.TRAIT:
                    found = self._receiving(self.trait_member(bound, key, value), wanted)
                    if found:
                        return found
        if tag not in (INSTANCE, TYPE, TUPLE, EXTERNAL, EXTERNAL_INSTANCE, PARAMETER):
            return NOTHING
        if tag != PARAMETER:
            inherent = self._receiving(self._inherent(value, key, file), wanted)
            if inherent:
                return inherent
        return self._of_traits(value, key, file, wanted, strict)

    def _of_traits(
        self, value: Value, key: str, file: FileInterface, wanted: tuple[str, bool] | None, strict: bool
    ) -> Values:
        """The members that traits give a value's type: of traits that the file brings in, before any others.

        `wanted` as in `_receiving`; None for a path, which takes no receiver.
        """
        direct = [] if value[0] == PARAMETER else self._usable(self._through_traits(value, key, file), wanted)
        seen = [entry for entry in direct if self.brings_in(file, entry[0])]
        if not seen:
            general = self._usable(self._through_blanket(value, key), wanted)
            seen = [entry for entry in general if self.brings_in(file, entry[0])]
            if not seen and not strict:
                seen = direct or (general if value[0] not in (EXTERNAL, EXTERNAL_INSTANCE) else [])
        things = tuple(dict.fromkeys(thing for _, found in seen for thing in found))
        return (*things, AMBIGUITY) if len({thing[:2] for thing in things}) > 1 else things[:1]

    def _usable(
        self, candidates: Sequence[tuple[Any, Values]], wanted: tuple[str, bool] | None
    ) -> list[tuple[Any, Values]]:
        if wanted is None:
            return list(candidates)
        kept = [(trait, self._receiving(things, wanted)) for trait, things in candidates]
        return [entry for entry in kept if entry[1]]

    def _receiving(self, things: Values, wanted: tuple[str, bool]) -> Values:
        """The methods that can be called on a receiver reached through a smart pointer, or on that pointer by value."""
        wrapper, by_value = wanted
        kept: list[Value] = []
        for thing in things:
            if thing[0] == FUNCTION:
                facts = self.definition(thing[1])
                pointer = facts.extra.get("receiver")
                if not facts.flags & _RECEIVER or (pointer != wrapper if pointer is not None or by_value else False):
                    continue
            kept.append(thing)
        return tuple(kept) if any(thing[0] != AMBIGUITY[0] for thing in kept) else NOTHING

    def _inherent(self, value: Value, key: str, file: FileInterface) -> Values:
        found: list[Value] = []
        for impl, given in self.matching(value, lambda impl: impl.trait is None and key in impl.members):
            self.world.note(file.number, impl.file)
            found.extend(self.impl_things(impl, key, given))
        return (*found, AMBIGUITY) if len(found) > 1 else tuple(found)

    def impl_things(self, impl: Impl, key: str, given: Given) -> Values:
        """The members of an impl block under a key."""
        pairs = tuple((owner, tuple(arguments)) for owner, arguments in given.items() if arguments)
        return tuple(self.member_thing(gid(impl.file, index), pairs) for index in impl.members[key])

    def _through_traits(self, value: Value, key: str, file: FileInterface) -> list[tuple[Any, Values]]:
        """(trait, things) of the traits that are implemented for a value's type and have a member of that key."""
        found: dict[Any, Values] = {}
        for impl, given in self.matching(value, lambda impl: impl.trait is not None):
            if impl.trait is not None:
                things = self._of_impl(impl, given, key, value)
                if things:
                    self.world.note(file.number, impl.file)
                    trait = impl.trait[1] if impl.trait[0] == TYPE else impl.trait[:3]
                    if key not in impl.members:
                        trait = next((t for t in (trait, *(a[1] for a in self.supertraits(trait))) if self.own(t, key)), trait)
                    if trait in found and key in impl.members:
                        found[trait] = tuple(dict.fromkeys((*found[trait], *things)))
                    else:
                        found.setdefault(trait, things)
        if value[0] in (INSTANCE, TYPE):
            for trait in self.derived(value[1]):
                if trait[0] == TYPE and trait[1] not in found:
                    things = self.trait_member(trait, key, value)
                    if things:
                        found[trait[1]] = things
        return list(found.items())

    def _of_impl(self, impl: Impl, given: Given, key: str, value: Value) -> Values:
        if key in impl.members:
            return self.impl_things(impl, key, given)
        trait = impl.trait
        if trait is None or trait[0] != TYPE or self.definition(trait[1]).kind != DefinitionKind.TRAIT:
            return NOTHING
        if not self.own(trait[1], key):
            return NOTHING
        arguments = tuple(replace(part, given) for part in trait[2])
        return self.trait_member((TYPE, trait[1], arguments), key, value)

    def _through_blanket(self, value: Value, key: str) -> list[tuple[Any, Values]]:
        found: dict[int, Values] = {}

        def wanted(impl: Impl) -> bool:
            trait = impl.trait
            return trait is not None and trait[0] == TYPE and (key in impl.members or bool(self.own(trait[1], key)))

        if self._nesting > _NESTING:
            return []
        self._nesting += 1
        for impl, given in self.blanket(value, wanted):
            if impl.trait is not None:
                things = self._of_impl(impl, given, key, value)
                if things:
                    found.setdefault(impl.trait[1], things)
        self._nesting -= 1
        return list(found.items())

    def brings_in(self, file: FileInterface, trait: Any) -> bool:
        """Whether some scope of a file names a trait, so that its methods can be called there."""
        if isinstance(trait, tuple):
            return any(thing[:3] == trait for index in range(len(file.imports)) for thing in self.imported(file, index))
        key = (file.number, trait)
        known_ = self._traits_seen.get(key)
        if known_ is None:
            name = self.definition(trait).name
            target = (TYPE, trait)
            known_ = any(
                thing[:2] == target
                for scope, (_, kind, _) in enumerate(file.scopes)
                if kind != 1
                for thing in (*self.explicit(file, scope, name).things, *self.globs(file, scope, name))
            )
            if not known_:
                known_ = any(
                    details[1] == name and any(thing[:2] == target for thing in self.imported(file, index))
                    for index, details in enumerate(file.imports)
                )
            if not known_:
                known_ = any(thing[:2] == target for thing in self.outermost(file, 0, name).things)
            self._traits_seen[key] = known_
        return known_

    def _outside_method(self, value: Value, name: str, inside: bool) -> Values:
        """The method as one from outside, where the last type that the lookup came to is from there."""
        tag = value[0]
        if inside and self._declared_somewhere(name):
            return NOTHING
        if tag == EXTERNAL or tag == EXTERNAL_INSTANCE:
            return ((EXTERNAL, value[1], f"{value[2]}.{name}" if value[2] else name),)
        if tag == PARAMETER or (tag == INSTANCE and self.definition(value[1]).kind in _ABSTRACT_KINDS):
            for bound in self.bounds(value):
                if bound[0] in (EXTERNAL, EXTERNAL_INSTANCE):
                    return ((EXTERNAL, bound[1], f"{bound[2]}.{name}" if bound[2] else name),)
        if tag == INSTANCE and file_of(value[1]) == STANDARD and not self._declared_somewhere(name):
            return ((EXTERNAL, "std", f"{self.definition(value[1]).qualified_name}.{name}"),)
        return NOTHING

    def _declared_somewhere(self, name: str) -> bool:
        """Whether the repository declares a method of that name: it may be given to a type by a macro, unseen here."""
        table = self._method_names
        if table is None:
            table = self._method_names = {
                definition.name
                for number in self.world.records
                for definition in self.world.file(number, number).definitions
                if definition.kind == DefinitionKind.METHOD
            }
        return name in table

    _method_names: set[str] | None = None

    def field(self, value: Value, name: str, file: FileInterface, depth: int = 0) -> Values:
        """The things that a field access on a value names."""
        tag = value[0]
        if tag == TUPLE and name.isdigit():
            return ((HELD, value[1][int(name)]),) if int(name) < len(value[1]) else NOTHING
        if tag == BOTTOM[0]:
            return BOTTOMS
        if tag in (EXTERNAL, EXTERNAL_INSTANCE):
            return ((EXTERNAL, value[1], f"{value[2]}.{name}" if value[2] else name),)
        if tag == PROJECTION:
            return self._projected_field(value[1], name, file)
        if tag == VARIANT or tag == INSTANCE:
            self.world.note(file.number, file_of(value[1]))
            if name.isdigit():
                held = self.positional(value, int(name))
                if held:
                    return ((HELD, held),)
            members = self.own(value[1], FIELD + name)
            if members:
                pairs = ((value[1], value[2]),) if tag == INSTANCE and value[2] else None
                things = tuple((VARIABLE, member, pairs) for member in members)
                return (*things, AMBIGUITY) if len(things) > 1 else things
        if tag in (INSTANCE, PARAMETER) and depth < _STEPS:
            below = known(self.project((value,), "Target", self.std("Deref")))
            sets = [self.field(part, name, file, depth + 1) for part in below if part != value]
            if any(sets):
                return merge(sets)
        return NOTHING

    def _projected_field(self, value: Value, name: str, file: FileInterface) -> Values:
        """A field of what `project` gives: the field of the struct, held in a `Pin` where it is pinned."""
        things = self.field(value, name, file)
        pinned = [
            thing for thing in things if thing[0] == VARIABLE and self.definition(thing[1]).extra.get("pin")
        ]
        if not pinned or len(things) != 1:
            return things
        return ((VARIABLE, things[0][1], (*(things[0][2] or ()), (PINNED, ()))),)

    def positional(self, owner: Value, position: int) -> Values:
        """What a field of a tuple struct or variant holds, by position."""
        file = self.world.file(file_of(owner[1]), file_of(owner[1]))
        facts = file.definitions[index_of(owner[1])]
        count = len(facts.parameters)
        position = position if position >= 0 else count + position
        if not 0 <= position < count or facts.kind in CALLABLE_KINDS:
            return NOTHING
        values = instances(self.evaluate(file, facts.parameters[position][1]))
        if facts.kind == DefinitionKind.ENUM_MEMBER:
            return values
        return self.substituted(values, {owner[1]: list(owner[2]) if owner[2] else []})

    # -- paths --------------------------------------------------------------------------------------------------------

    def denote_attribute(self, file: FileInterface, receiver: int, name: str) -> Named:
        if receiver < 0:
            return NOBODY
        values = self.evaluate(file, receiver)
        if not values:
            return NOBODY
        found: list[Values] = []
        missing = False
        for value in values:
            things = self.members(value, name, file)
            if things:
                found.append(things)
            elif value[0] != BOTTOM[0]:
                missing = True
        if not found:
            return NOBODY
        merged = merge(found)
        if missing and not all(value[0] == INSTANCE and self.definition(value[1]).kind == DefinitionKind.TRAIT for value in values):
            merged = merge([merged, NOTHING])
        return Named(merged, self.receiver_rule(file, receiver, values))

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        prefix, base = (name[:1], name[1:]) if name[:1] in PREFIXES else ("", name)
        if prefix == METHOD:
            return self.method(value, base, file)
        if prefix == FIELD:
            return self.field(value, base, file)
        tag = value[0]
        if tag == MODULE:
            found = self.in_module(Viewpoint(value[1], 0), name, file.number)
            if not found and value[1] == STANDARD:
                return ((EXTERNAL, "std", base),)
            return found
        if tag == PACKAGE and value[1] == EXTERN_ROOT:
            return self.package_things(EXTERN_ROOT, name, file)
        if tag == EXTERNAL:
            return ((EXTERNAL, value[1], f"{value[2]}.{base}" if value[2] else base),)
        if tag == EXTERNAL_INSTANCE:
            found = self._associated_item(value, prefix, base, file)
            return found or ((EXTERNAL, value[1], f"{value[2]}.{base}" if value[2] else base),)
        if tag == QUALIFIED:
            return self._qualified(value, prefix, base, file)
        if tag in (INSTANCE, TYPE):
            facts = self.definition(value[1])
            self.world.note(file.number, file_of(value[1]))
            if facts.kind == DefinitionKind.NAMESPACE:
                found = self.in_module(Viewpoint(file_of(value[1]), facts.scope), name, file.number)
                if not found and file_of(value[1]) == STANDARD:
                    return ((EXTERNAL, "std", f"{facts.qualified_name}.{base}"),)
                return found
            if facts.kind == DefinitionKind.ENUM:
                found = self.variant(value, name, file)
                if found:
                    return found
            return self._associated_item(value, prefix, base, file)
        if tag == PARAMETER or tag == TUPLE:
            return self._associated_item(value, prefix, base, file)
        if tag == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def _associated_item(self, value: Value, prefix: str, base: str, file: FileInterface) -> Values:
        """An associated function, constant or type of a type (Rust reference, "Associated items")."""
        key = base if prefix == "" else VALUE + base
        instance = (INSTANCE, *value[1:]) if value[0] == TYPE else (*value[:3], True) if value[0] == PARAMETER else value
        if prefix == "":
            return self._associated_type(instance, base, file)
        for bound in self.bounds(instance):
            if bound[0] == TYPE and self.definition(bound[1]).kind == DefinitionKind.TRAIT:
                found = self.trait_member(bound, key, instance)
                if found:
                    # `Trait::f` names the declaration for a type that is yet to be found out.
                    if value[0] == TYPE and self.definition(value[1]).kind == DefinitionKind.TRAIT:
                        found = self.trait_member((TYPE, bound[1], bound[2]), key, UNKNOWN)
                    return found
        inherent = self._inherent(instance, key, file)
        if inherent:
            return inherent
        return self._of_traits(instance, key, file, None, strict=False) or self._outside_method(instance, base, False)

    def _associated_type(self, value: Value, name: str, file: FileInterface) -> Values:
        if value[0] != PARAMETER and value[0] != TUPLE:
            for impl, given in self.matching(value, lambda impl: name in impl.members):
                self.world.note(file.number, impl.file)
                return self.impl_things(impl, name, given)
        for bound in self.bounds(value):
            if bound[0] == TYPE:
                for trait in (bound[1], *(above[1] for above in self.supertraits(bound[1]))):
                    found = self.own(trait, name)
                    if found:
                        values = self.project((value,), name, trait)
                        return ((ALIAS, found[0], tuple(self.type_of(part) for part in values)),)
            elif bound[0] in (EXTERNAL, EXTERNAL_INSTANCE):
                return ((EXTERNAL, bound[1], f"{bound[2]}.{name}"),)
        for impl, given in self.blanket(value, lambda impl: name in impl.members):
            return self.impl_things(impl, name, given)
        return NOTHING

    def _qualified(self, value: Value, prefix: str, base: str, file: FileInterface) -> Values:
        """`<T as Trait>::name`: the member of T's impl of that trait, or the trait's own."""
        key = base if prefix == "" else VALUE + base
        found: list[Values] = []
        for trait in value[2]:
            if trait[0] in (EXTERNAL, EXTERNAL_INSTANCE):
                return ((EXTERNAL, trait[1], f"{trait[2]}.{base}" if trait[2] else base),)
            if trait[0] != TYPE:
                continue
            for type_ in instances(value[1]) or (UNKNOWN,):
                things: Values = NOTHING
                if type_[0] in (INSTANCE, TUPLE, EXTERNAL_INSTANCE):
                    for impl, given in self.matching(
                        type_, lambda impl: impl.trait is not None and impl.trait[:2] == trait[:2] and key in impl.members
                    ):
                        things = self.impl_things(impl, key, given)
                        self.world.note(file.number, impl.file)
                if not things:
                    things = self.trait_member(trait, key, type_)
                if things:
                    found.append(things)
        return merge(found) if found else NOTHING


__all__ = ["EXTERNAL_RESULT", "Impl", "Members", "combined"]
