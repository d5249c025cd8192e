"""Impl blocks of Rust joined to their types.

Source of the rules: the Rust reference, "Implementations" (inherent, trait and generic ones).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from graph.languages.rust.questions import NESTING, Impl, Questions
from graph.languages.rust.reading import IMPL_BASE
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import Given, known
from graph.link.circles import NO_TAINT
from graph.link.values import (
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
)
from graph.model import DefinitionKind

_ABSTRACT_KINDS: Final = frozenset({DefinitionKind.TRAIT, DefinitionKind.TYPE})


class Implementations(Questions):
    """Finds the impl blocks for a type."""

    def impls(self, head: Any) -> list[Impl]:
        """The impl blocks for the type with that head."""
        if self._building:
            # Whatever leans on this is worked out again when the table is there.
            self._taint = -1
        return self._impls.get(head, [])

    def prepare(self) -> None:
        """Join all impl blocks to their types, before anything is asked that could lean on a part of them only."""
        if self._prepared:
            return
        self._prepared = self._building = True
        numbers = (STANDARD, *sorted(self.world.records))
        blocks = [(n, place) for n in numbers for place in range(len(self.world.file(n, n).extra.get("impls", ())))]
        leaning: list[tuple[int, int]] = []
        for number, place in blocks:
            self._taint = NO_TAINT
            found = self._read_impl(number, place)
            if self._taint != NO_TAINT:
                leaning.append((number, place))
                self._forget_open_questions()
            else:
                self._enter_impls(found)
        self._building = False
        for number, place in leaning:
            self._enter_impls(self._read_impl(number, place))
        self._taint = NO_TAINT

    def _forget_open_questions(self) -> None:
        """Drop answers that lean on a part of the impl blocks: they would be taken for whole ones later."""
        self._tentative.clear()
        self._before.clear()

    def _enter_impls(self, impls: Sequence[Impl]) -> None:
        for impl in impls:
            head = self.head_of(impl.target)
            if head == "parameter":
                if impl.trait is not None and not self._circular(impl):
                    self._blanket.append(impl)
            elif head is not None:
                self._impls.setdefault(head, []).append(impl)

    def _read_impl(self, number: int, place: int) -> list[Impl]:
        """One impl block, once for each type that its target may be (types of different builds)."""
        file = self.world.file(number, number)
        type_, trait_expression, parameters, members, condition = file.extra["impls"][place]
        targets = known(instances(self.evaluate(file, type_)))
        trait: Value | None = None
        if trait_expression >= 0:
            found = known(self.evaluate(file, trait_expression))
            trait = found[0] if found else UNKNOWN
        owner = gid(number, IMPL_BASE + place)
        result: list[Impl] = []
        for target in targets:
            if trait is None and number != STANDARD and target[0] == INSTANCE and file_of(target[1]) == STANDARD:
                # Only the crate of a type can give it inherent members (E0116, E0390): this is some other `core`.
                continue
            result.append(Impl(number, place, owner, target, trait, members, len(parameters), condition))
        return result

    def _circular(self, impl: Impl) -> bool:
        """Whether an impl for every type says no more than the bound that it asks for (`impl<T: Tr> Tr for &T`)."""
        return any(
            bound[0] == TYPE and impl.trait is not None and bound[1] == impl.trait[1]
            for bound in self.bounds(impl.target)
        )

    def impl_of(self, member: int) -> Impl | None:
        """The impl block in which a member (gid) stands."""
        number = file_of(member)
        table = self._methods.get(number)
        if table is None:
            table = {}
            file = self.world.file(number, number)
            places = {
                index: place
                for place, impl in enumerate(file.extra.get("impls", ()))
                for group in impl[3].values()
                for index in group
            }
            wanted = set(places.values())
            found: dict[int, Impl] = {}
            for impl in [
                entry for group in self._impls.values() for entry in group if entry.file == number
            ] + self._blanket:
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
                if self.unify((impl.target,), (value,), given) and self._within_bounds(impl, given):
                    result.append((impl, given))
        return result

    def _within_bounds(self, impl: Impl, given: Given) -> bool:
        """Whether the type arguments found may satisfy the bounds that an impl sets in traits of the repository.

        Only a trait object can be told not to: other types may be given an impl by a macro, unseen here.
        """
        if not impl.parameters or self._nesting > NESTING:
            return True
        for position, values in enumerate(given[impl.owner]):
            if len(values) != 1 or values[0][0] != INSTANCE or values[0][1] in self.fn_traits:
                continue
            if self.definition(values[0][1]).kind != DefinitionKind.TRAIT:
                continue
            for bound in self.bounds((PARAMETER, impl.owner, position, True)):
                if bound[0] != TYPE or file_of(bound[1]) == STANDARD or self.holds(values[0], bound):
                    continue
                if not any(other.trait is not None and other.trait[:2] == bound[:2] for other in self._blanket):
                    return False
        return True

    def blanket(self, value: Value, wanted: Callable[[Impl], bool]) -> list[tuple[Impl, Given]]:
        """The impl blocks for every type within bounds that do not rule the value's type out."""
        result: list[tuple[Impl, Given]] = []
        if self._building:
            self._taint = -1
        for impl in self._blanket:
            if wanted(impl) and all(self.holds(value, bound) for bound in self.bounds(impl.target)):
                given: Given = {impl.owner: [NOTHING] * impl.parameters}
                self.unify((impl.target,), (value,), given)
                result.append((impl, given))
        return result

    def holds(self, value: Value, bound: Value) -> bool:
        """Whether a type may satisfy a bound: false only where no impl that is known says so."""
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
        if self._nesting > NESTING:
            self._taint = min(self._taint, 0)
            return False
        through = False
        if inside or self.definition(trait).name == "IntoIterator":
            self._nesting += 1
            through = bool(self.blanket(value, lambda impl: impl.trait is not None and impl.trait[:2] == (TYPE, trait)))
            self._nesting -= 1
        if through:
            return True
        if inside or trait in self.fn_traits:
            return False
        name = self.definition(trait).name
        if name in (
            "Iterator",
            "Future",
            "Read",
            "Write",
            "BufRead",
            "IntoIterator",
            "Error",
            "Deref",
            "DerefMut",
            "Seek",
        ):
            return False
        return (
            value[0] == TUPLE
            or file_of(value[1]) == STANDARD
            or name not in ("Clone", "Copy", "Default", "Display", "Hash")
        )

    def implemented(self, value: Value, trait: int) -> bool:
        """Whether a type has an impl or a derive of a trait."""
        if value[0] in (INSTANCE, TYPE) and any(
            found[0] == TYPE and found[1] == trait for found in self.derived(value[1])
        ):
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
        return self.kept(self._derived, definition, lambda: self._derives_of(definition))

    def _derives_of(self, definition: int) -> tuple[Value, ...]:
        file = self.world.file(file_of(definition), file_of(definition))
        expressions = file.definitions[index_of(definition)].extra.get("derive", ())
        return tuple(value for expression in expressions for value in self.evaluate(file, expression))

    def impl_things(self, impl: Impl, key: str, given: Given) -> Values:
        """The members of an impl block under a key."""
        pairs = tuple((owner, tuple(arguments)) for owner, arguments in given.items() if arguments)
        return tuple(self.member_thing(gid(impl.file, index), pairs) for index in impl.members[key])
