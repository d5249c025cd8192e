"""Method calls and field accesses of Rust.

Source of the rules: the Rust reference, "Method-call expressions", "Methods" (the types of `self`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from graph.languages.rust.inference import Inference
from graph.languages.rust.names import VALUE
from graph.languages.rust.questions import NESTING, Impl
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import PROJECTED, Given, known, replace
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    TUPLE,
    TYPE,
    Value,
    Values,
    file_of,
    merge,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind, Flag, ScopeKind

_RECEIVER: Final = int(Flag.RECEIVER)
_STEPS: Final = 10
"""Most dereferencing steps of one method call."""
_ABSTRACT_KINDS: Final = frozenset({DefinitionKind.TRAIT, DefinitionKind.TYPE})
_WRAPPERS: Final = frozenset({"Pin", "Box", "Rc", "Arc"})
"""Smart pointers that a method can take its receiver in."""
_PROJECTIONS: Final = frozenset({"project", "project_ref", "project_replace"})
"""Methods that pin-project adds to a struct."""
_CLASS: Final = int(ScopeKind.CLASS)


class _Step(NamedTuple):
    """Where a method lookup stands."""

    strict: bool
    """Whether only traits count that the file brings in."""
    depth: int = 0
    wrapper: str = ""
    """The smart pointer that was dereferenced last."""
    inside: bool = False
    """Whether a type of the repository was dereferenced."""


class Methods(Inference):
    """Finds methods and fields of values."""

    def method(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things that a method call on a value names; () when nothing is known.

        Traits that the file does not bring in are asked only after the whole chain has given nothing.
        """
        return self._lookup(value, name, file, _Step(strict=True)) or self._lookup(
            value, name, file, _Step(strict=False)
        )

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
        return any(
            impl.trait is not None and impl.trait[:2] == (TYPE, deref) for impl in self.impls(self.head_of(value))
        )

    def methods_on(
        self, value: Value, name: str, file: FileInterface, wrapper: str, strict: bool, *, by_value: bool = False
    ) -> Values:
        """The methods of that name at one step of the lookup: inherent ones before those of traits.

        `wrapper` is the smart pointer that the value was reached through; `by_value` asks for methods that take it.
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
            general = self._usable(self._through_blanket(value, key, file), wanted)
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
        wanted = self._seen_from(file, lambda impl: impl.trait is None and key in impl.members)
        for impl, given in self.matching(value, wanted):
            self.world.note(file.number, impl.file)
            found.extend(self.impl_things(impl, key, given))
        return (*found, AMBIGUITY) if len(found) > 1 else tuple(found)

    def _through_traits(self, value: Value, key: str, file: FileInterface) -> list[tuple[Any, Values]]:
        """(trait, things) of the traits that are implemented for a value's type and have a member of that key."""
        found: dict[Any, Values] = {}
        for impl, given in self.matching(value, self._seen_from(file, lambda impl: self._gives(impl, key))):
            if impl.trait is not None:
                things = self._of_impl(impl, given, key, value)
                if things:
                    self.world.note(file.number, impl.file)
                    trait: Any = impl.trait[1] if impl.trait[0] == TYPE else impl.trait[:3]
                    if key not in impl.members and impl.trait[0] == TYPE:
                        trait = next(
                            (t for t in (trait, *(a[1] for a in self.supertraits(trait))) if self.own(t, key)), trait
                        )
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

    def _gives(self, impl: Impl, key: str) -> bool:
        """Whether an impl of a trait gives a type a member of that key: its own or the trait's default."""
        trait = impl.trait
        if trait is None or key in impl.members:
            return trait is not None
        return trait[0] == TYPE and bool(self.own(trait[1], key))

    def _seen_from(self, file: FileInterface, wanted: Callable[[Impl], bool]) -> Callable[[Impl], bool]:
        """The condition, and that the impl stands in a crate that the file's crate depends on."""
        return lambda impl: wanted(impl) and self.reaches(file.number, impl.file)

    def _through_blanket(self, value: Value, key: str, file: FileInterface) -> list[tuple[Any, Values]]:
        found: dict[int, Values] = {}
        wanted = self._seen_from(
            file, lambda impl: self._gives(impl, key) and impl.trait is not None and impl.trait[0] == TYPE
        )
        if self._nesting > NESTING:
            self._taint = min(self._taint, 0)
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
            # A glob of something outside may bring it, too.
            named = [thing for index in range(len(file.imports)) for thing in self.imported(file, index)]
            globs = [target for _, index in file.stars for target in self.evaluate(file, file.imports[index][4])]
            return any(thing[:3] == trait for thing in named) or any(target[0] == EXTERNAL for target in globs)
        return self.kept(self._traits_seen, (file.number, trait), lambda: self._brought_in(file, trait))

    def _brought_in(self, file: FileInterface, trait: int) -> bool:
        name = self.definition(trait).name
        target = (TYPE, trait)
        for scope, (_, kind, _) in enumerate(file.scopes):
            if kind != _CLASS:
                named = (*self.explicit(file, scope, name).things, *self.globs(file, scope, name))
                if any(thing[:2] == target for thing in named):
                    return True
        for index, details in enumerate(file.imports):
            if details[1] == name and any(thing[:2] == target for thing in self.imported(file, index)):
                return True
        return any(thing[:2] == target for thing in self.outermost(file, 0, name).things)

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
