"""Linking of Go: package scope, imports, selectors with promotion, types that follow from declarations, build variants.

Sections named in comments are those of the Go Programming Language Specification.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from graph.languages.go import standard
from graph.languages.go.modules import Modules, Place
from graph.languages.go.naming import likely_name, may_be_named
from graph.languages.go.packages import Packages
from graph.languages.go.walk import PREDECLARED_FUNCTIONS, PREDECLARED_TYPES
from graph.link.linker import NO_TAINT, NOBODY, Linker, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
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
    instance,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import DefinitionKind, Op

BUILTIN: Final = "builtin"
_MOST_LEVELS: Final = 12
_MOST_STEPS: Final = 12
_MOST_EMBEDDED: Final = 500
_INSIDE: Final = frozenset((TYPE, FUNCTION, VARIABLE, PACKAGE))


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


class GoLinker(Linker):
    """Links Go files."""

    builtin_package = BUILTIN
    nesting = 8

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.modules = Modules(world)
        self.packages = Packages(world, self.modules)
        self._levels: dict[int, tuple[Level, ...]] = {}
        self._import_names: dict[int, dict[str, Values]] = {}
        self._aliased: dict[str, dict[int, list[str]]] = {}
        self._joined: dict[tuple[int, str], tuple[int, ...]] = {}

    # -- imports and packages -----------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """The package that an import names."""
        path = file.imports[index][0]
        if path == "C":
            return ((EXTERNAL, "C", ""),)
        place = self.modules.find(file.path.rpartition("/")[0], path)
        if place is Place.MISSING:
            return NOTHING
        if isinstance(place, Place):
            return ((EXTERNAL, path, ""),)
        key = self.packages.imported(place, file.number)
        return ((PACKAGE, key),) if key is not None else NOTHING

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """An exported name of a package."""
        return self.package_level(key, name, file) if name[:1].isupper() else NOTHING

    def package_level(self, key: str, name: str, file: FileInterface) -> Values:
        """The definitions of a package-level name that can be in one build with a file."""
        found = self.packages.members(key, file.number).names.get(name, ())
        return self.candidates([member for member in found if self.packages.visible(member, file.number)])

    def candidates(self, definitions: list[int]) -> Values:
        """Definitions as things named: several are variants of which each build has one."""
        things = tuple(self.thing(definition, None) for definition in definitions)
        return (*things, AMBIGUITY) if len(things) > 1 else things

    def package_targets(self, key: str) -> tuple[int, ...]:
        """One file stands for its package: doc.go, else the file named like it, else the first that is no test."""
        package = self.packages.package(key)
        ranked: list[tuple[bool, bool, bool, str, int]] = []
        for number in package.files:
            path = self.world.records[number].path
            base = path.rpartition("/")[2]
            ranked.append((self.packages.is_test(number), base != "doc.go", base != f"{package.name}.go", path, number))
        return (gid(min(ranked)[-1], 0),) if ranked else ()

    # -- bare names ---------------------------------------------------------------------------------------------------

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """File scope (imports), package scope, dot imports, universe (Declarations and scope)."""
        imported = self.import_names(file).get(name)
        if imported is not None:
            return Named(imported, "import")
        things = self.package_level(self.packages.key_of(file.number), name, file)
        if things:
            return Named(things, "package")
        outside: list[Values] = []
        for index in file.extra["dot_imports"]:
            for thing in self.imported(file, index):
                found = self.members(thing, name, file)
                if found and thing[0] == PACKAGE:
                    return Named(found, "dot-import")
                outside.append(found)
        if name in PREDECLARED_FUNCTIONS or name in PREDECLARED_TYPES:
            return Named(((EXTERNAL, BUILTIN, name),), "builtin")
        if len(outside) == 1 and name[:1].isupper():
            return Named(outside[0], "dot-import")
        return self._guessed_import(file, name)

    def import_names(self, file: FileInterface) -> dict[str, Values]:
        """The names under which imports without an alias are known: those of the package clauses over there."""
        known = self._import_names.get(file.number)
        if known is not None:
            return known
        names: dict[str, Values] = {}
        for index in file.extra["plain_imports"]:
            for thing in self.imported(file, index):
                if thing[0] == PACKAGE:
                    names[self.packages.package(thing[1]).name] = (thing,)
                elif thing[0] == EXTERNAL:
                    names.setdefault(likely_name(thing[1]), (thing,))
        self._import_names[file.number] = names
        return names

    def _guessed_import(self, file: FileInterface, name: str) -> Named:
        """A name that nothing else declares is that of an import whose package is not at hand, where only one fits."""
        found = [
            thing
            for index in file.extra["plain_imports"]
            for thing in self.imported(file, index)
            if thing[0] == EXTERNAL and may_be_named(thing[1], name)
        ]
        return Named((found[0],), "import") if len(found) == 1 else NOBODY

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

    def core(self, values: Values, steps: int = _MOST_STEPS) -> Values:
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
        """A selector. Where the type of the operand is not known, an unexported name can only be one of this package."""
        named = super().denote_attribute(file, receiver, name) if receiver >= 0 else NOBODY
        things = tuple(thing for thing in named.things if thing[0] not in _INSIDE or self._seen(thing, file))
        inside = [thing for thing in things if thing[0] in _INSIDE]
        if not inside and not any(thing[0] in (EXTERNAL, BOTTOM[0]) for thing in things):
            return self._closed(file, receiver, name)
        if len({thing[1] for thing in inside}) > 1 and AMBIGUITY not in things:
            things = (*things, AMBIGUITY)
        return Named(things, named.rule) if things != named.things else named

    def _seen(self, thing: Value, file: FileInterface) -> bool:
        return thing[0] == PACKAGE or self.packages.visible(thing[1], file.number)

    def _closed(self, file: FileInterface, receiver: int, name: str) -> Named:
        """The fields and methods of an unexported name in this package: no others can be selected here (Exported identifiers)."""
        if name[:1].isupper():
            return NOBODY
        values = self.evaluate(file, receiver)
        if any(value[0] in (PACKAGE, EXTERNAL) for value in values):
            return NOBODY
        members = self.packages.members(self.packages.key_of(file.number), file.number)
        found = [member for member in members.selectors.get(name, ()) if self.packages.visible(member, file.number)]
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
            known = {}
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

    # -- calls --------------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """A call or a conversion. Arguments are looked at only where the result depends on them."""
        callees = self.evaluate(file, operation[1])
        sets: list[Values] = []
        for callee in callees:
            arguments: tuple[Values, ...] = ()
            if self._depends_on_arguments(callee):
                arguments = tuple(self.evaluate(file, argument) for argument in operation[3])
            sets.append(self.called(callee, file.number, arguments))
        return merge(sets) if sets else NOTHING

    def _depends_on_arguments(self, callee: Value) -> bool:
        if callee[0] == FUNCTION:
            return bool(self.definition(callee[1]).type_parameters)
        return callee[0] == EXTERNAL

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What a call of one value gives."""
        tag = callee[0]
        if tag == FUNCTION:
            return self.result(callee[1], callee[2], asker, arguments)
        if tag == TYPE:
            return (instance(callee),)
        if tag == INSTANCE or tag == PARAMETER:
            if tag == PARAMETER and not callee[3]:
                return (instance(callee),)
            shapes = [shape for shape in self.core((callee,)) if shape[0] not in (INSTANCE, PARAMETER)]
            return merge([self.called(shape, asker, arguments) for shape in shapes]) if shapes else NOTHING
        if tag == EXTERNAL_INSTANCE:
            if callee[1] != BUILTIN:
                return (callee,) if self.is_outside(callee[3]) else ((EXTERNAL_RESULT, callee[1], callee[2]),)
            return callee[3][0] if callee[2] == "func" and callee[3] else (callee,) if callee[2] != "func" else NOTHING
        if tag == EXTERNAL:
            return self._called_outside(callee, arguments)
        return super().called(callee, asker, arguments)

    def _called_outside(self, callee: Value, arguments: tuple[Values, ...]) -> Values:
        """What a function outside of the repository gives.

        Packages import each other without circles, so it is of a type from outside, unless the function is generic: then
        arguments from the repository, or unknown ones, may make it one of the repository.
        """
        package, symbol = callee[1], callee[2]
        if package == BUILTIN:
            if symbol in ("append", "min", "max"):
                return arguments[0] if arguments else NOTHING
            return ((EXTERNAL_INSTANCE, BUILTIN, "int", ()),) if symbol in ("len", "cap", "copy") else NOTHING
        name = f"{package}.{symbol}"
        if len(callee) > 3 and name in standard.METHODS:
            return instances(callee[3][0]) if callee[3] else NOTHING
        if name in standard.FUNCTIONS:
            return self._standard(standard.FUNCTIONS[name], arguments[0]) if arguments else NOTHING
        if len(callee) > 3:
            certain = self.is_outside(callee[3])
        elif "." in symbol or package.partition("/")[0].isalpha():
            certain = package not in standard.GENERIC_PACKAGES and name not in standard.GENERIC_FUNCTIONS
        else:
            certain = self.is_outside(arguments)
        return ((EXTERNAL_INSTANCE if certain else EXTERNAL_RESULT, package, symbol, ()),) if certain else (
            (EXTERNAL_RESULT, package, symbol),
        )

    def is_outside(self, sets: tuple[Values, ...]) -> bool:
        """Whether values are known, all of them, and none has to do with a type of the repository."""
        for values in sets:
            if not values:
                return False
            for value in values:
                tag = value[0]
                if tag == EXTERNAL_INSTANCE:
                    if not self.is_outside(value[3]):
                        return False
                elif tag == TUPLE:
                    if not self.is_outside(value[1]):
                        return False
                elif tag != EXTERNAL:
                    return False
        return True

    def _standard(self, word: str, argument: Values) -> Values:
        """What a generic function of the standard library makes of its first argument."""
        if word == "same" or word == "function":
            return self.core(argument) if word == "function" else argument
        if word == "element":
            return self.ranged(argument, 1)
        if word == "collected":
            return ((EXTERNAL_INSTANCE, BUILTIN, "slice", (self.ranged(argument, 0),)),)
        if word == "pairs":
            return ((EXTERNAL_INSTANCE, "iter", "Seq2", (self.ranged(argument, 0), self.ranged(argument, 1))),)
        over = argument if word == "chunks" else self.ranged(argument, 0 if word == "keys" else 1)
        return ((EXTERNAL_INSTANCE, "iter", "Seq", (over,)),)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """A selector on one value; a method of a generic type from outside keeps the type arguments."""
        if value[0] == EXTERNAL_INSTANCE:
            if value[1] == BUILTIN and not (value[2] == "error" and name == "Error"):
                return NOTHING
            if value[3]:
                return ((EXTERNAL, value[1], f"{value[2]}.{name}", value[3]),)
        if value[0] == PARAMETER:
            bound = self.parameter_bound(value)
            found = [things for part in bound if (things := self.members(part, name, file))]
            return merge(found) if found else NOTHING
        return super().members(value, name, file)

    # -- inference ----------------------------------------------------------------------------------------------------

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments from the types of the arguments, then from constraints with a core type (Type inference)."""
        given: list[Values] = [NOTHING] * len(facts.type_parameters)
        parameters = facts.parameters
        for position, argument in enumerate(arguments):
            parameter = parameters[min(position, len(parameters) - 1)] if parameters else None
            if parameter is not None and parameter[1] >= 0 and (position < len(parameters) or parameter[3]):
                self._unify(instances(self.evaluate(file, parameter[1])), argument, owner, given, _MOST_STEPS)
        for position, (_, bound) in enumerate(facts.type_parameters):
            if bound >= 0 and given[position]:
                self._unify(instances(self.evaluate(file, bound)), instances(given[position]), owner, given, _MOST_STEPS)
        return tuple(given)

    def _unify(self, declared: Values, actual: Values, owner: int, given: list[Values], steps: int) -> None:
        if len(declared) != 1 or not actual or not steps:
            return
        pattern = declared[0]
        if pattern[0] == PARAMETER and pattern[1] == owner:
            if not given[pattern[2]] and UNKNOWN not in actual:
                given[pattern[2]] = tuple(self.type_of(value) for value in actual)
            return
        if len(actual) != 1:
            return
        value = actual[0]
        if pattern[0] == INSTANCE and value[0] == INSTANCE and pattern[1] == value[1]:
            parts = zip(pattern[2], value[2], strict=False)
        elif pattern[0] == EXTERNAL_INSTANCE:
            if pattern[1] == BUILTIN and value[0] in (EXTERNAL, EXTERNAL_INSTANCE) and value[1] != BUILTIN:
                # A container from outside, seen through one of its members: its elements are from outside, too.
                for inner in pattern[3]:
                    self._unify(instances(inner), self.ranged(actual, 1), owner, given, steps - 1)
                return
            shapes = (value,) if value[0] == EXTERNAL_INSTANCE else self.core((value,))
            if len(shapes) != 1 or shapes[0][:3] != pattern[:3]:
                return
            parts = zip(pattern[3], shapes[0][3], strict=False)
        elif pattern[0] == TUPLE and value[0] == TUPLE:
            parts = zip(pattern[1], value[1], strict=False)
        else:
            return
        for inner, outer in parts:
            self._unify(instances(inner), instances(outer), owner, given, steps - 1)

    # -- operations ---------------------------------------------------------------------------------------------------

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript or receive, or a part of what something outside gave."""
        return self.ranged((value,), 1)

    def ranged(self, values: Values, position: int) -> Values:
        """What the first (0) or second (1) variable of a range clause holds (For statements with range clause)."""
        sets: list[Values] = []
        for value in self.core(values):
            tag = value[0]
            if tag == EXTERNAL_INSTANCE and value[1] == BUILTIN:
                sets.append(self._ranged_builtin(value, position))
            elif tag == EXTERNAL_INSTANCE and value[1] == "iter" and value[2] in ("Seq", "Seq2") and value[3]:
                sets.append(instances(value[3][position]) if position < len(value[3]) else NOTHING)
            elif tag == EXTERNAL_INSTANCE or tag == EXTERNAL:
                outside = tag == EXTERNAL or self.is_outside(value[3])
                sets.append(((EXTERNAL_INSTANCE, value[1], value[2], ()),) if outside else NOTHING)
            elif tag == BOTTOM[0] or tag == EXTERNAL_RESULT:
                sets.append((value,))
        return merge(sets) if sets else NOTHING

    def _ranged_builtin(self, value: Value, position: int) -> Values:
        shape, arguments = value[2], value[3]
        if shape == "slice":
            return instances(arguments[0]) if position and arguments else INTEGER
        if shape == "map":
            return instances(arguments[position]) if len(arguments) == 2 else NOTHING
        if shape == "chan":
            return instances(arguments[0]) if arguments else NOTHING
        if shape == "func":
            yielded = arguments[1] if len(arguments) > 1 else NOTHING
            taken = yielded[0][3] if len(yielded) == 1 and yielded[0][:3] == (EXTERNAL_INSTANCE, BUILTIN, "func") else ()
            return taken[position + 1] if position + 1 < len(taken) else NOTHING
        return INTEGER

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript."""
        return self.iterated(value, file)

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        """`x[i]`, or a generic type or function with one type argument."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TYPE or value[0] == FUNCTION:
                sets.append(self.applied(value, (self.evaluate(file, operation[2]),)))
            else:
                sets.append(self.ranged((value,), 1))
        return merge(sets) if sets else NOTHING

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """One of several results."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TUPLE:
                sets.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            elif value[0] in (EXTERNAL_INSTANCE, EXTERNAL_RESULT, BOTTOM[0]):
                sets.append((value,))
        return merge(sets) if sets else NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """Operations of Go alone."""
        word = operation[1]
        if word == "range":
            return self.ranged(self.evaluate(file, operation[2]), operation[3])
        if word == "receive":
            return self.ranged(self.evaluate(file, operation[2]), 0)
        if word == "arithmetic":
            left = self.evaluate(file, operation[2])
            return left if left and left != _UNTYPED else self.evaluate(file, operation[3])
        if word == "part":
            return self._part(self.evaluate(file, operation[2]), operation[3])
        if word == "receiver-parameter":
            return tuple(
                (PARAMETER, value[1], operation[3], False)
                for value in self.evaluate(file, operation[2])
                if value[0] == TYPE
            )
        return NOTHING

    def _part(self, types: Values, position: int) -> Values:
        """The types of the keys (0) or the elements (-1) of a container type."""
        sets: list[Values] = []
        for shape in self.core(instances(types)):
            if shape[0] == EXTERNAL_INSTANCE and shape[1] == BUILTIN and shape[3]:
                sets.append(shape[3][position])
            elif shape[0] == EXTERNAL_INSTANCE and self.is_outside(shape[3]):
                sets.append(((EXTERNAL, shape[1], shape[2]),))
        return merge(sets) if sets else NOTHING

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression that names nothing does so."""
        operation = file.expressions[expression]
        if operation[0] == Op.SPECIAL and operation[1] == "key":
            return "local-value" if operation[4] < 0 else "receiver-unknown"
        return super().reason(file, expression)

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """`name:` in a composite literal: a field of a struct type, an expression where the type is another one."""
        if operation[1] != "key":
            return NOBODY
        _, _, type_, name, bare = operation
        sets: list[Values] = []
        for value in self.core(instances(self.evaluate(file, type_))):
            if value[0] == INSTANCE:
                found = [member for member in self.own_members(value[1], name) if self.packages.visible(member, file.number)]
                sets.append(tuple(self.thing(member, value) for member in found))
            elif value[0] == EXTERNAL_INSTANCE and value[1] == BUILTIN:
                return self.denote(file, bare)
            elif value[0] == EXTERNAL_INSTANCE:
                if name[:1].islower():
                    return self.denote(file, bare)
                if any(thing[0] == VARIABLE for thing in self.denote(file, bare).things):
                    return NOBODY
                sets.append(((EXTERNAL, value[1], f"{value[2]}.{name}"),))
        things = merge(sets) if sets else NOTHING
        if len({thing[1] for thing in things if thing[0] in _INSIDE}) > 1:
            things = (*things, AMBIGUITY)
        return Named(things, "field-key")


INTEGER: Final[Values] = ((EXTERNAL_INSTANCE, BUILTIN, "int", ()),)
_UNTYPED: Final[Values] = ((EXTERNAL_INSTANCE, BUILTIN, "untyped", ()),)
