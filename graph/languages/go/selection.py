"""Types and selectors of Go: aliases, underlying types, and members with promotion through embedded types.

Sections named in comments are those of the Go Programming Language Specification.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from graph.languages.go.scopes import BUILTIN, ScopeLinker
from graph.link.answers import NOBODY, Named
from graph.link.circles import NO_TAINT
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PACKAGE,
    PARAMETER,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    index_of,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind

MOST_STEPS: Final = 12
"""How often a type is replaced by its underlying type."""
_MOST_LEVELS: Final = 12
_MOST_EMBEDDED: Final = 500
POINTER: Final = (EXTERNAL_INSTANCE, BUILTIN, "pointer")
"""How a pointer to a pointer begins: it has no members (Selectors)."""
INSIDE: Final = frozenset((TYPE, FUNCTION, VARIABLE, PACKAGE))
"""Tags of things of the repository."""


class Entry(NamedTuple):
    """A type whose members can be selected at one depth."""

    type: int
    arguments: tuple[Values, ...]
    """Its type arguments, in terms of the type parameters of the type that was asked about."""
    slot: int
    """Which embedded field it comes from; alternatives of one field share it."""
    fields_only: bool
    """It is only the underlying type of another one, which has its fields but not its methods."""


class Level(NamedTuple):
    """Everything whose members can be selected at one depth."""

    entries: tuple[Entry, ...]
    outside: Values
    """Embedded types outside of the repository, or `UNKNOWN`."""


class SelectionLinker(ScopeLinker):
    """Types, and the members that selectors name."""

    nesting = 8

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._levels: dict[int, tuple[Level, ...]] = {}
        self._aliased: dict[str, dict[int, list[str]]] = {}
        self._joined: dict[tuple[int, str], tuple[int, ...]] = {}

    # -- types --------------------------------------------------------------------------------------------------------

    def values_of(self, things: Values, asker: int) -> Values:
        """What things stand for; an alias stands for the type that it names (Alias declarations)."""
        values = super().values_of(things, asker)
        if any(value[0] == TYPE and self.is_alias(value[1]) for value in values):
            return merge([self.dealiased(value) for value in values])
        return values

    def is_alias(self, type_: int) -> bool:
        """Whether a type (gid) is an alias."""
        return "alias" in self.definition(type_).extra

    def dealiased(self, value: Value) -> Values:
        """The type that a type value is, aliases looked through."""
        if value[0] != TYPE or not self.is_alias(value[1]):
            return (value,)
        file = self.world.file(file_of(value[1]), file_of(value[1]))
        return substitute(self.evaluate(file, self.definition(value[1]).type), value[1], value[2])

    def evaluate_generic(self, file: FileInterface, operation: list[Any]) -> Values:
        """A type or function with type arguments (Instantiations)."""
        arguments = tuple(self.evaluate(file, argument) for argument in operation[2])
        sets: list[Values] = []
        for thing in self.denote(file, operation[1]).things:
            if thing[0] == TYPE and self.is_alias(thing[1]):
                sets.append(self.dealiased((TYPE, thing[1], arguments)))
            elif thing[0] != AMBIGUITY[0]:
                sets.extend([self.applied(value, arguments) for value in self.value_of(thing, file.number)])
        return merge(sets) if sets else NOTHING

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A generic type or function with type arguments."""
        if base[0] == FUNCTION:
            shape = self.function_shape(base)
            return tuple(
                (EXTERNAL_INSTANCE, BUILTIN, "func", tuple(substitute(part, base[1], arguments) for part in value[3]))
                for value in shape
            )
        return super().applied(base, arguments)

    def function_shape(self, value: Value) -> Values:
        """A function as a value of its type: `func` of what it gives and of what it takes."""
        file = self.world.file(file_of(value[1]), file_of(value[1]))
        facts = file.definitions[index_of(value[1])]
        given = self.result(value[1], value[2], file.number, ())
        taken: list[Values] = []
        for parameter in facts.parameters:
            held = instances(self.evaluate(file, parameter[1]))
            held = ((EXTERNAL_INSTANCE, BUILTIN, "slice", (held,)),) if parameter[3] else held
            taken.append(self.seen_through(held, value[2]))
        return ((EXTERNAL_INSTANCE, BUILTIN, "func", (given, *taken)),)

    def core(self, values: Values, steps: int = MOST_STEPS) -> Values:
        """Values seen as their underlying types: what can be called, indexed and ranged over (Core types)."""
        sets: list[Values] = []
        for value in values:
            tag = value[0]
            if tag == FUNCTION:
                sets.append(self.function_shape(value))
            elif tag == INSTANCE and steps:
                sets.append(self._underlying(value, steps))
            elif tag == PARAMETER and value[3] and steps:
                sets.append(self.core(self.parameter_bound(value), steps - 1))
            else:
                sets.append((value,))
        return merge(sets) if sets else NOTHING

    def _underlying(self, value: Value, steps: int) -> Values:
        file = self.world.file(file_of(value[1]), file_of(value[1]))
        facts = file.definitions[index_of(value[1])]
        if facts.kind == DefinitionKind.TYPE:
            held = substitute(instances(self.evaluate(file, facts.type)), value[1], value[2])
            return self.core(held, steps - 1)
        if facts.kind == DefinitionKind.INTERFACE and len(facts.bases) == 1:
            # A constraint such as `interface{ ~[]E }`.
            base = substitute(instances(self.evaluate(file, facts.bases[0])), value[1], value[2])
            if base and base[0][0] == EXTERNAL_INSTANCE:
                return base
        return (value,)

    # -- members ------------------------------------------------------------------------------------------------------

    def denote_attribute(self, file: FileInterface, receiver: int, name: str) -> Named:
        """A selector. Where nothing is known of the operand, an unexported name can only be one of this package."""
        named = super().denote_attribute(file, receiver, name) if receiver >= 0 else NOBODY
        if len(named.things) == 1:
            (only,) = named.things
            if only[0] == EXTERNAL or (only[0] in INSIDE and self._seen(only, file)):
                return named
        things = tuple(thing for thing in named.things if thing[0] not in INSIDE or self._seen(thing, file))
        inside = [thing for thing in things if thing[0] in INSIDE]
        if not inside and not any(thing[0] in (EXTERNAL, BOTTOM[0]) for thing in things):
            return self._closed(file, receiver, name)
        if len({thing[1] for thing in inside}) > 1 and AMBIGUITY not in things:
            things = (*things, AMBIGUITY)
        return Named(things, named.rule) if things != named.things else named

    def _seen(self, thing: Value, file: FileInterface) -> bool:
        return thing[0] == PACKAGE or self.packages.visible(thing[1], file.number)

    def _closed(self, file: FileInterface, receiver: int, name: str) -> Named:
        """Fields and methods of an unexported name in this package: no others can be meant (Exported identifiers)."""
        if name[:1].isupper():
            return NOBODY
        values = self.evaluate(file, receiver)
        if any(value[0] in (PACKAGE, EXTERNAL) or value[:3] == POINTER for value in values):
            return NOBODY
        found = self.packages.selectors(file.number, name)
        found = [member for member in found if self.packages.visible(member, file.number)]
        return Named(self.candidates(found), "only-unexported") if found else NOBODY

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """The field or method at the shallowest depth where there is one (Selectors); two at one depth are none."""
        self.world.note(asker, file_of(owner))
        arguments: tuple[Values, ...] = ()
        tag = INSTANCE
        if receiver is not None and receiver[0] in (INSTANCE, TYPE):
            tag, arguments = receiver[0], receiver[2]
        outside: list[Value] = []
        for level in self.levels(owner):
            things: dict[Value, int] = {}
            for entry in level.entries:
                for found in self.declared(entry, name, asker):
                    given = arguments
                    if entry.type != owner:
                        given = tuple(substitute(part, owner, arguments) for part in entry.arguments)
                    things[self.thing(found, (tag, entry.type, given, receiver))] = entry.slot
            if things:
                return self._selected(owner, things, outside)
            outside.extend([value for value in level.outside if value[:2] != (EXTERNAL, BUILTIN) or name == "Error"])
        return self.outside_member(tuple(outside), name)

    def _selected(self, owner: int, things: dict[Value, int], outside: list[Value]) -> Values:
        if len({thing[1] for thing in things}) == 1:
            return (*list(things)[:1], UNKNOWN) if outside else tuple(things)[:1]
        return (*things, AMBIGUITY) if len(set(things.values())) == 1 else NOTHING

    def declared(self, entry: Entry, name: str, asker: int) -> tuple[int, ...]:
        """The members of a name that one type itself declares, seen from a file."""
        found = self.own_members(entry.type, name)
        if entry.fields_only:
            found = tuple(member for member in found if self.definition(member).kind != DefinitionKind.METHOD)
        if len(found) == 1 and file_of(found[0]) == file_of(entry.type):
            return found
        return tuple(member for member in found if self.packages.visible(member, asker))

    def own_members(self, owner: int, name: str) -> tuple[int, ...]:
        """Fields and interface methods of a type, and its methods in whatever file of the package they are."""
        key = (owner, name)
        known = self._joined.get(key)
        if known is not None:
            return known
        found = super().own_members(owner, name)
        definition = self.definition(owner)
        if definition.parent == 0 and "anonymous" not in definition.extra:
            number = file_of(owner)
            key_ = self.packages.key_of(number)
            members = self.packages.members(key_, number)
            here = self.packages.constraint(number, number)
            for receiver in (definition.name, *self.receiver_aliases(key_, owner)):
                methods = members.methods.get(receiver, {}).get(name, ())
                found += tuple(method for method in methods if not here or self.packages.visible_from(here, method))
        if self._taint == NO_TAINT:
            self._joined[key] = found
        return found

    def receiver_aliases(self, key: str, owner: int) -> list[str]:
        """The aliases of a type (gid) under which its package declares methods on it."""
        known = self._aliased.get(key)
        if known is None:
            known = dict[int, list[str]]()
            members = self.packages.members(key, file_of(owner))
            for name in members.methods:
                for alias in members.names.get(name, ()):
                    definition = self.definition(alias)
                    if "alias" in definition.extra:
                        file = self.world.file(file_of(alias), file_of(alias))
                        for value in self.evaluate(file, definition.type):
                            if value[0] == TYPE:
                                known.setdefault(value[1], []).append(name)
            if self._taint == NO_TAINT:
                self._aliased[key] = known
        return known.get(owner, [])

    def levels(self, owner: int) -> tuple[Level, ...]:
        """What a type (gid) has members from, by depth: itself, its embedded types, theirs, ..."""
        known = self._levels.get(owner)
        if known is not None:
            return known
        levels: list[Level] = []
        seen: set[int] = set()
        identity = self.own_arguments(owner)
        level = self._level([((TYPE, owner, identity), 0)], seen)
        while (level.entries or level.outside) and len(levels) < _MOST_LEVELS:
            levels.append(level)
            level = self._level(self._embedded(level), seen)
        result = tuple(levels)
        if self._taint == NO_TAINT:
            self._levels[owner] = result
        return result

    def _embedded(self, level: Level) -> list[tuple[Value, int]]:
        """The types that the types of a level embed, with a number for each embedding."""
        found: list[tuple[Value, int]] = []
        slot = 0
        for entry in level.entries:
            file = self.world.file(file_of(entry.type), file_of(entry.type))
            definition = file.definitions[index_of(entry.type)]
            for base in definition.bases if definition.kind == DefinitionKind.STRUCT else ():
                slot += 1
                values = self.evaluate(file, base) or (UNKNOWN,)
                found.extend([(value, slot) for value in substitute(values, entry.type, entry.arguments)])
        return found

    def _level(self, types: list[tuple[Value, int]], seen: set[int]) -> Level:
        entries: list[Entry] = []
        outside: dict[Value, None] = {}
        for value, slot in types:
            steps = _MOST_EMBEDDED
            fields_only = False
            pending: list[Value] = [value]
            while pending and steps:
                steps -= 1
                current = pending.pop()
                if current[0] == TYPE and current[1] not in seen:
                    seen.add(current[1])
                    file = self.world.file(file_of(current[1]), file_of(current[1]))
                    definition = file.definitions[index_of(current[1])]
                    is_interface = definition.kind == DefinitionKind.INTERFACE
                    entries.append(Entry(current[1], current[2], slot, fields_only and not is_interface))
                    if is_interface:
                        # The methods of embedded interfaces are as deep as its own (Embedded interfaces).
                        for base in definition.bases:
                            under = self.evaluate(file, base) or (UNKNOWN,)
                            pending.extend(substitute(under, current[1], current[2]))
                    elif definition.kind == DefinitionKind.TYPE:
                        # A defined type has the fields of its underlying type, and the methods if that is an interface.
                        under = self.evaluate(file, definition.type)
                        pending.extend(substitute(under, current[1], current[2]))
                        fields_only = True
                elif current[0] == EXTERNAL:
                    outside[current] = None
                elif current[0] == EXTERNAL_INSTANCE:
                    if current[1] != BUILTIN:
                        outside[(EXTERNAL, current[1], current[2])] = None
                    elif current[2] == "error":
                        outside[(EXTERNAL, BUILTIN, "error")] = None
                elif current[0] not in (TYPE, BOTTOM[0]):
                    outside[UNKNOWN] = None
        return Level(tuple(entries), tuple(outside))
