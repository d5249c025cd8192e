"""Members of Rust types, modules and values: fields, and what stands after `::`.

Source of the rules: the Rust reference, "Field access expressions", "Qualified paths", "Associated items".
"""

from __future__ import annotations

from typing import Final

from graph.languages.rust.methods import Methods
from graph.languages.rust.names import FIELD, METHOD, PREFIXES, VALUE
from graph.languages.rust.places import Viewpoint
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import ALIAS, EXTERN_ROOT, HELD, PINNED, PROJECTION, QUALIFIED, VARIANT, known
from graph.link.answers import NOBODY, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
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
    index_of,
    instances,
    merge,
)
from graph.link.world import FileInterface
from graph.model import CALLABLE_KINDS, DefinitionKind

_STEPS: Final = 10
"""Most dereferencing steps of one method call."""


class Members(Methods):
    """Finds members."""

    # -- fields -------------------------------------------------------------------------------------------------------

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
        pinned = [thing for thing in things if thing[0] == VARIABLE and self.definition(thing[1]).extra.get("pin")]
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
        if missing and not all(
            value[0] == INSTANCE and self.definition(value[1]).kind == DefinitionKind.TRAIT for value in values
        ):
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
        instance = (
            (INSTANCE, *value[1:]) if value[0] == TYPE else (*value[:3], True) if value[0] == PARAMETER else value
        )
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
                things = self._of_trait_impls(type_, trait, key, file)
                if not things:
                    things = self.trait_member(trait, key, type_)
                if things:
                    found.append(things)
        return merge(found) if found else NOTHING

    def _of_trait_impls(self, type_: Value, trait: Value, key: str, file: FileInterface) -> Values:
        """The members of the impls of one trait for a type; those of several impls are candidates.

        An impl of other trait arguments than those that are given is none of them (`Index<usize>` and `Index<Key>`).
        """
        if type_[0] not in (INSTANCE, TUPLE, EXTERNAL_INSTANCE):
            return NOTHING
        found: list[Value] = []
        for impl, given in self.matching(type_, lambda impl: impl.trait is not None and key in impl.members):
            if impl.trait is None or impl.trait[:2] != trait[:2] or not self.reaches(file.number, impl.file):
                continue
            if all(self.unify(own, asked, given) for own, asked in zip(impl.trait[2][1:], trait[2][1:], strict=False)):
                self.world.note(file.number, impl.file)
                found.extend(self.impl_things(impl, key, given))
        return (*found, AMBIGUITY) if len(found) > 1 else tuple(found)
