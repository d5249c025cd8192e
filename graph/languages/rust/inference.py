"""Type arguments and associated types of Rust, as far as they are evident.

Source of the rules: the Rust reference, "Associated items", "Qualified paths", "Type coercions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graph.languages.rust.questions import NESTING, Impl
from graph.languages.rust.terms import Given, combined, known, mentions, replace
from graph.languages.rust.traits import Traits
from graph.link.values import (
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
    gid,
    index_of,
    instances,
)
from graph.model import DefinitionKind, Flag

_RECEIVER: Final = int(Flag.RECEIVER)
_STEPS: Final = 10
"""Most dereferencing steps of one method call."""
_ABSTRACT_KINDS: Final = frozenset({DefinitionKind.TRAIT, DefinitionKind.TYPE})


class Inference(Traits):
    """Works out associated types and type arguments."""

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
                    result.update(
                        dict.fromkeys(found if tag == INSTANCE else tuple(self.type_of(part) for part in found))
                    )
                    continue
            elif tag == TUPLE:
                value = (tag, tuple(self.normal(part) for part in value[1]))
            result[value] = None
        return tuple(result)

    def project(self, values: Values, name: str, trait: int | None) -> Values:
        """What an associated type is for values of a type; the associated type itself where it stays open."""
        if self._nesting > NESTING:
            self._taint = min(self._taint, 0)
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
            owner = next(
                (t for t in (bound[1], *(a[1] for a in self.supertraits(bound[1]))) if self.own(t, name)), None
            )
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
            place: int = wanted[2]
            if place < len(slots):
                said = slots[place]
                both = combined(tuple(dict.fromkeys((*said, *actual))))
                told = both if not said or len(both) == 1 else said
                if told != said:
                    slots[place] = told
                    self._from_bounds(wanted, actual, given)
            return True
        # Every value is matched, whatever the others give: matching learns.
        matched = False
        for value in actual:
            matched = self._match(wanted, value, given, loose) or matched
        return matched

    def _unify_each(self, patterns: Sequence[Values], actual: Sequence[Values], given: Given, loose: bool) -> bool:
        """Match type arguments one by one; every one of them is matched, whatever the others give."""
        matched = True
        for pattern, values in zip(patterns, actual, strict=False):
            matched = self.unify(pattern, values, given, loose=loose) and matched
        return matched

    def _match(self, wanted: Value, value: Value, given: Given, loose: bool) -> bool:
        tag, other = wanted[0], value[0]
        if tag in (INSTANCE, TYPE):
            if other in (INSTANCE, TYPE) and wanted[1] == value[1]:
                return self._unify_each(wanted[2], value[2], given, loose)
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
            return len(wanted[1]) == len(value[1]) and self._unify_each(wanted[1], value[1], given, loose)
        if tag == EXTERNAL_INSTANCE and other == EXTERNAL_INSTANCE:
            if wanted[1:3] != value[1:3]:
                return False
            return self._unify_each(wanted[3], value[3], given, False)
        return True

    def _from_bounds(self, parameter: Value, actual: Values, given: Given) -> None:
        if self._nesting > NESTING:
            self._taint = min(self._taint, 0)
            return
        self._nesting += 1
        for bound in self.bounds(parameter):
            self._from_bound(bound, actual, given)
        self._nesting -= 1

    def _from_bound(self, bound: Value, actual: Values, given: Given) -> None:
        """Learn from the associated types that a bound names (`F: Fn(A) -> B`, `I: Iterator<Item = T>`)."""
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
            for bound in (
                self.bounds(value) if tag != INSTANCE or self.definition(value[1]).kind in _ABSTRACT_KINDS else ()
            ):
                if bound[0] == TYPE and bound[1] in self.fn_traits:
                    return self.callable((INSTANCE, bound[1], bound[2]))
        return None, NOTHING

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
