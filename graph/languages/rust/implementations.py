"""Impl blocks of Rust joined to their types.

Source of the rules: the Rust reference, "Implementations" (inherent, trait and generic ones).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from graph.languages.rust.questions import NESTING, Impl, Questions
from graph.languages.rust.reading import IMPL_BASE
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import Given, known
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
from graph.link.world import FileInterface
from graph.model import DefinitionKind

_ABSTRACT_KINDS: Final = frozenset({DefinitionKind.TRAIT, DefinitionKind.TYPE})


class Implementations(Questions):
    """Finds the impl blocks for a type."""

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
                file.number,
                place,
                gid(file.number, IMPL_BASE + place),
                target,
                trait,
                members,
                len(parameters),
                condition,
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
        return any(
            bound[0] == TYPE and impl.trait is not None and bound[1] == impl.trait[1]
            for bound in self.bounds(impl.target)
        )

    def impl_of(self, member: int) -> Impl | None:
        """The impl block in which a member (gid) stands."""
        number = file_of(member)
        table = self._methods.get(number)
        if table is None:
            self.impls(None)
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
                entry for group in (self._impls or {}).values() for entry in group if entry.file == number
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
        found = self._derived.get(definition)
        if found is None:
            file = self.world.file(file_of(definition), file_of(definition))
            expressions = file.definitions[index_of(definition)].extra.get("derive", ())
            found = tuple(value for expression in expressions for value in self.evaluate(file, expression))
            self._derived[definition] = found
        return found

    def impl_things(self, impl: Impl, key: str, given: Given) -> Values:
        """The members of an impl block under a key."""
        pairs = tuple((owner, tuple(arguments)) for owner, arguments in given.items() if arguments)
        return tuple(self.member_thing(gid(impl.file, index), pairs) for index in impl.members[key])
