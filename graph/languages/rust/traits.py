"""Traits of Rust: what they ask for, what they declare, and what bounds offer.

Source of the rules: the Rust reference, "Traits", "Trait and lifetime bounds", "Associated items".
"""

from __future__ import annotations

from typing import Any

from graph.languages.rust.implementations import Implementations
from graph.languages.rust.reading import IMPL_BASE
from graph.languages.rust.terms import ALIAS, Given, replace
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
)
from graph.link.world import FileInterface
from graph.model import CALLABLE_KINDS, DefinitionKind, Op


class Traits(Implementations):
    """Finds supertraits, members of traits, and bounds."""

    def supertraits(self, trait: int) -> list[Value]:
        """The traits (TYPE, gid, arguments) that a trait asks for, near ones first, in terms of its own parameters."""
        return self.kept(self._supertraits, trait, lambda: self._supertraits_of(trait))

    def _supertraits_of(self, trait: int) -> list[Value]:
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
        return self.kept(self._associated, trait, lambda: self._associated_of(trait))

    def _associated_of(self, trait: int) -> tuple[str, ...]:
        # By what the bounds name, not by what they stand for: their arguments may ask for the associated types.
        names: dict[str, None] = {}
        pending, seen = [trait], {trait}
        while pending:
            current = pending.pop(0)
            file = self.world.file(file_of(current), file_of(current))
            facts = file.definitions[index_of(current)]
            names.update(dict.fromkeys(facts.extra.get("associated", ())))
            for base in (*facts.bases, *self.extra_bounds(file).get((current, 0), ())):
                for thing in self.denote(file, base).things:
                    if (
                        thing[0] == TYPE
                        and thing[1] not in seen
                        and self.definition(thing[1]).kind == DefinitionKind.TRAIT
                    ):
                        seen.add(thing[1])
                        pending.append(thing[1])
        return tuple(names)

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
                for position, name in enumerate(
                    self.associated(above[1]), 1 + len(self.definition(above[1]).type_parameters)
                ):
                    at = self.place_of(trait[1], name)
                    if 0 <= at < len(arguments) and arguments[at]:
                        inner.extend([NOTHING] * (position + 1 - len(inner)))
                        inner[position] = arguments[at]
                return tuple(self.member_thing(member, ((above[1], tuple(inner)),)) for member in found)
        return NOTHING

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
            if not values and any(value[0] == PARAMETER for value in self_values):
                values = ((INSTANCE, member, (self_values,)),)
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
                elif operation[:2] == [Op.SPECIAL, "parameter"]:
                    table.setdefault((gid(file.number, operation[2]), operation[3], *name), []).append(bound)
        return table

    def bounds(self, value: Value) -> Values:
        """The traits (TYPE, gid, arguments) that a type parameter, a trait object or an associated type offers."""
        if value[0] == PARAMETER:
            key = (value[1], value[2])
            return self.kept(self._bounds, key, lambda: self._parameter_bounds(value))
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
                bound
                for values in found
                for bound in (replace(values, given) if self_values else values)
                if bound[0] == TYPE
            )
        return NOTHING

    def _parameter_bounds(self, value: Value) -> Values:
        number, index, position = file_of(value[1]), index_of(value[1]), value[2]
        file = self.world.file(number, number)
        found: list[Values] = []
        if index >= IMPL_BASE:
            parameters: list[list[Any]] = file.extra["impls"][index - IMPL_BASE][2]
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
        return tuple(
            dict.fromkeys(
                bound for values in found for bound in values if bound[0] in (TYPE, EXTERNAL, EXTERNAL_INSTANCE)
            )
        )
