"""What is declared together, what a type is behind its aliases, and what a class inherits.

Sources of the rules: the TypeScript handbook, "Declaration Merging", "Classes", "Object Types".
"""

from __future__ import annotations

from typing import Any, Final

from graph.languages.typescript.library import (
    INTERSECTION,
    LAMBDA,
    OBJECT_BIT,
    SIGNATURE,
    TYPEOF,
    is_declared,
    is_named,
)
from graph.link.answers import Ancestry
from graph.link.linker import Linker
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
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
    substitute,
)
from graph.link.world import FileInterface
from graph.model import CALLABLE_KINDS, BindingTag, DefinitionKind, Flag

_DEFINITION = int(BindingTag.DEFINITION)
OPEN_LIMIT: Final = 12
"""Longest chain of aliases that is followed."""
_VALUE_LIMIT: Final = 24
"""Most values of a union that are looked at."""
_NO_MEMBERS: Final = frozenset({DefinitionKind.FIELD, DefinitionKind.VARIABLE, DefinitionKind.CONSTANT})


class Declared(Linker):
    """Merged declarations, aliases and ancestry."""

    overloads = True
    self_types = True
    builtin_package = "lib"

    # -- declarations that belong together ----------------------------------------------------------------------------

    def group(self, owner: int) -> list[int]:
        """The declarations (gids) that are merged with one, itself among them."""
        if not is_named(owner):
            return [owner]
        file = self.world.file(file_of(owner), file_of(owner))
        found = file.extra.get("merged", {}).get(str(index_of(owner)))
        return [owner] if found is None else [gid(file.number, index) for index in found]

    def canonical(self, owner: int) -> int:
        """The declaration that stands for all that are merged with one: the class, else the first."""
        group = self.group(owner)
        if len(group) == 1:
            return owner
        kind = self.definition(owner).kind
        if kind == DefinitionKind.NAMESPACE:
            return next((one for one in group if self.definition(one).kind == kind), owner)
        for one in group:
            if self.definition(one).kind == DefinitionKind.CLASS:
                return one
        return next((one for one in group if self.definition(one).kind == kind), owner)

    def _members_of(self, owner: int, name: str) -> tuple[int, ...]:
        """The gids of the members of one declaration that have a name."""
        file = self.world.file(file_of(owner), file_of(owner))
        index = index_of(owner)
        if index & OBJECT_BIT:
            scope = index & ~OBJECT_BIT
        else:
            definition = file.definitions[index]
            scope = definition.extra.get("members", -1) if definition.kind in CALLABLE_KINDS else definition.scope
            if definition.kind in _NO_MEMBERS:
                return ()
        if scope < 0:
            return ()
        return tuple(
            gid(file.number, payload) for tag, payload in file.bindings[scope].get(name, ()) if tag == _DEFINITION
        )

    def own_members(self, owner: int, name: str) -> tuple[int, ...]:
        """The members that a class and everything merged with it declare under a name."""
        key = (owner, name)
        known = self._members.get(key)
        if known is None:
            found = [member for one in self.group(owner) for member in self._members_of(one, name)]
            known = self._members[key] = tuple(dict.fromkeys(found))
        return known

    def shape_of(self, owner: int) -> tuple[FileInterface, dict[str, Any]]:
        """Call, construct and index signatures and spreads of a type, with the file that they are expressions of."""
        file = self.world.file(file_of(owner), file_of(owner))
        index = index_of(owner)
        scope = index & ~OBJECT_BIT if index & OBJECT_BIT else file.definitions[index].scope
        return file, file.extra.get("shapes", {}).get(str(scope), {})

    def inherit(self, owner: int) -> Ancestry:
        """A class with its bases, depth first; what an object literal spreads counts as its base."""
        classes: dict[int, tuple[Values, ...]] = {owner: ()}
        outside: dict[Value, None] = {}
        bases: list[Values] = []
        for one in self.group(owner):
            if not is_declared(one):
                continue
            file, shape = self.shape_of(one)
            if not index_of(one) & OBJECT_BIT:
                definition = file.definitions[index_of(one)]
                bases.extend(self.base_types(self.evaluate(file, base)) for base in definition.bases)
            for base in (*shape.get("spread", ()), *shape.get("mapped", ())):
                bases.append(self.flat(self.evaluate(file, base)))
        for values in bases:
            if not values:
                outside[UNKNOWN] = None
            for value in values:
                if value[0] in (TYPE, INSTANCE) and is_declared(value[1]):
                    self.world.note(file_of(owner), file_of(value[1]))
                    above = self.ancestry(value[1])
                    for class_, arguments in above.classes:
                        given = (
                            value[2]
                            if class_ == value[1]
                            else tuple(substitute(part, value[1], value[2]) for part in arguments)
                        )
                        classes.setdefault(class_, given)
                    outside.update(dict.fromkeys(above.outside))
                elif value[0] == EXTERNAL:
                    outside[value] = None
                elif value[0] == EXTERNAL_INSTANCE:
                    outside[(EXTERNAL, value[1], value[2])] = None
                elif value[0] == TUPLE or value[0] == MODULE:
                    continue
                elif value[0] != BOTTOM[0]:
                    outside[UNKNOWN] = None
        return Ancestry(tuple(classes.items()), tuple(outside))

    def base_types(self, values: Values) -> Values:
        """The types that the values of an `extends` stand for: classes themselves, else what they construct."""
        result: list[Value] = []
        for value in self.flat(values):
            if value[0] == INSTANCE and value[1] not in (INTERSECTION, SIGNATURE) and not self._is_type_position(value):
                made = self._constructs(value)
                result.extend(made or (UNKNOWN,))
            elif value[0] == FUNCTION:
                result.append((TYPE, value[1], ()))
            else:
                result.append(value)
        return tuple(result)

    def _is_type_position(self, value: Value) -> bool:
        return value[0] == TYPE

    def _constructs(self, value: Value) -> Values:
        """The types that `new` of a value gives, by its construct signatures."""
        file, shape = self.shape_of(value[1])
        found = [self.evaluate(file, signature) for signature in shape.get("construct", ())]
        results = [
            substitute(one[2][0], value[1], value[2]) for values in found for one in values if one[1] == SIGNATURE
        ]
        return merge(results) if results else NOTHING

    def flat(self, values: Values) -> Values:
        """Values or types with aliases opened and intersections taken apart."""
        result: list[Value] = []
        for value in values:
            for opened in self.opened(value):
                if opened[0] in (INSTANCE, TYPE) and opened[1] == INTERSECTION:
                    for part in opened[2]:
                        flat = self.flat(part)
                        result.extend(flat if opened[0] == TYPE else instances(flat))
                        if not part:
                            result.append(UNKNOWN)
                else:
                    result.append(opened)
        return tuple(dict.fromkeys(result))

    def base_values(self, owner: int) -> Values:
        """The classes that a class extends, as values."""
        file = self.world.file(file_of(owner), file_of(owner))
        bases = [self.evaluate(file, base) for base in file.definitions[index_of(owner)].bases]
        return merge(bases) if bases else NOTHING

    # -- opening ------------------------------------------------------------------------------------------------------

    def opened(self, value: Value, depth: int = 0) -> Values:
        """What a value is behind aliases, `typeof` and the bounds of type parameters."""
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            owner = value[1]
            if owner == TYPEOF:
                return value[2][0] if tag == INSTANCE else (value,)
            if not is_named(owner):
                return (value,)
            definition = self.definition(owner)
            if definition.kind != DefinitionKind.TYPE or definition.scope >= 0:
                return (value,)
            if depth > OPEN_LIMIT:
                return NOTHING
            file = self.world.file(file_of(owner), file_of(owner))
            aliased = self.evaluate(file, definition.type)
            if definition.type_parameters:
                aliased = substitute(aliased, owner, value[2])
            found = [self.opened(part, depth + 1) for part in aliased[:_VALUE_LIMIT]]
            values = merge(found) if found else NOTHING
            return values if tag == INSTANCE else tuple(self.type_of(part) for part in values)
        if tag == PARAMETER and value[2] != SELF_POSITION:
            if depth > OPEN_LIMIT:
                return NOTHING
            bound = self.parameter_bound(value)
            found = [self.opened(part, depth + 1) for part in bound]
            return merge(found) if found else NOTHING
        return (value,)

    def opened_all(self, values: Values) -> Values:
        """`opened` of every value."""
        if not values:
            return NOTHING
        return merge([self.opened(value) for value in values[:_VALUE_LIMIT]])

    def type_of(self, value: Value) -> Value:
        """The type of a value; values that are no instances are wrapped, so that `instance` gives them back."""
        tag = value[0]
        if tag in (TYPE, FUNCTION, MODULE, LAMBDA, EXTERNAL, EXTERNAL_RESULT, VARIABLE):
            return (TYPE, TYPEOF, ((value,),))
        return super().type_of(value)

    def types_of(self, values: Values) -> Values:
        """`type_of` of every value."""
        return tuple(self.type_of(value) for value in values)

    def with_ambiguity(self, things: Values) -> Values:
        """Several overloads of which none is the implementation are candidates; merged declarations are not."""
        if len(things) < 2:
            return things
        signatures = 0
        for thing in things:
            if thing[0] == FUNCTION:
                flags = self.definition(thing[1]).flags
                if not flags & Flag.PROPERTY:
                    if not flags & Flag.OVERLOAD:
                        return things
                    signatures += 1
        return (*things, AMBIGUITY) if signatures > 1 else things
