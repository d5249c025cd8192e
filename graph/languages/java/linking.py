"""Linking of Java: resolutions of references, members of values (Java Language Specification, chapters 6 and 15)."""

from __future__ import annotations

from typing import Any, Final

from graph.languages.java.jdk import ARRAY, BASE, OBJECT
from graph.languages.java.names import Names
from graph.languages.java.values import (
    ANYTHING,
    OBJECT_VALUE,
    WILDCARD,
    Key,
    fill,
    key_of,
)
from graph.link.answers import NOBODY, Named, Resolution
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
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
    gid,
    merge,
)
from graph.link.world import FileInterface
from graph.model import BindingTag, Op, ScopeKind, Status

_IMPORT: Final = int(BindingTag.IMPORT)
_CLASS: Final = int(ScopeKind.CLASS)


class JavaLinker(Names):
    """Links Java files."""

    # -- resolutions --------------------------------------------------------------------------------------------------

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        """The resolution of one reference. Overloads have been chosen among already, by the types of the arguments."""
        if expression < 0:
            return Resolution(Status.UNRESOLVED, "", "dynamic", (), "", "")
        named = self.denote(file, expression)
        targets: dict[int, None] = {}
        outside: Value | None = None
        package = False
        ambiguous = AMBIGUITY in named.things
        unknown = UNKNOWN in named.things
        for thing in named.things:
            tag = thing[0]
            if tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                outside = outside or thing
            elif tag == PACKAGE:
                package = True
                if not self.packages.is_prefix(thing[1]):
                    outside = outside or (EXTERNAL, self.jdk.packages.get(thing[1], thing[1]), thing[1])
            elif tag in (TYPE, FUNCTION, VARIABLE):
                targets[thing[1]] = None
        if targets:
            chosen = tuple(sorted(targets))
            if unknown or (ambiguous and (len(chosen) > 1 or outside is not None)):
                return Resolution(Status.AMBIGUOUS, named.rule, "several-definitions", chosen, "", "")
            return Resolution(Status.RESOLVED, named.rule, "", chosen, "", "")
        if outside is not None and not unknown:
            return Resolution(Status.EXTERNAL, named.rule, "", (), outside[1], outside[2])
        if package:
            return Resolution(Status.UNRESOLVED, "", "package-name", (), "", "")
        return Resolution(Status.UNRESOLVED, "", self.reason(file, expression), (), "", "")

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression names nothing."""
        operation = file.expressions[expression]
        op = operation[0]
        if op == Op.CALL:
            callee = self.denote(file, operation[1])
            if callee.things and UNKNOWN not in callee.things:
                return "no-fitting-overload"
            return self.reason(file, operation[1])
        if op == Op.SPECIAL and operation[1] in ("new", "method-reference", "constructor-reference"):
            return self.reason(file, operation[2]) if operation[2] >= 0 else "dynamic"
        if op == Op.SPECIAL:
            return "import-not-found" if operation[1] == "statics" else "no-candidate"
        if op == Op.ATTRIBUTE:
            if operation[1] < 0:
                return "receiver-unknown"
            if any(self._generated(value) for value in self.evaluate(file, operation[1])):
                return "generated-member"
        if op == Op.NAME:
            return self._bare_reason(file, operation[1], operation[2])
        return super().reason(file, expression)

    def _bare_reason(self, file: FileInterface, scope: int, name: str) -> str:
        while scope >= 0:
            parent, kind, owner = file.scopes[scope]
            if kind == _CLASS and self._generated((INSTANCE, gid(file.number, owner), ())):
                return "generated-member"
            scope = parent
        imports = [payload for tag, payload in file.bindings[0].get(name, ()) if tag == _IMPORT]
        return "import-not-found" if imports else "no-candidate"

    def _generated(self, value: Value) -> bool:
        """Whether a processor adds members to the class of a value that stand nowhere in the source."""
        if value[0] not in (INSTANCE, TYPE):
            return False
        return any(
            isinstance(key, int) and bool(self.definition(key).extra.get("generated"))
            for key, _ in self.lineage(value[1]).classes
        )

    # -- members ------------------------------------------------------------------------------------------------------

    def denote_attribute(self, file: FileInterface, receiver: int, name: str) -> Named:
        """The things that a member access names. A receiver has one static type: several are what is known of it."""
        values = tuple(value for value in self.evaluate(file, receiver) if value[0] != AMBIGUITY[0])
        if not values or UNKNOWN in values:
            return NOBODY
        rule = self.receiver_rule(file, receiver, values)
        if len(values) == 1:
            return Named(self.members(values[0], name, file), rule)
        sets = [self.members(value, name, file) for value in values]
        if not all(sets):
            return NOBODY
        distinct = {tuple(thing[1] for thing in things) for things in sets}
        if len(distinct) == 1:
            return Named(sets[0], rule)
        return Named((*merge(sets), AMBIGUITY), rule)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things named by member `name` of one value or type, asked from a file; () when nothing is known."""
        tag = value[0]
        if tag == PACKAGE:
            return self.package_things(value[1], name, file)
        if tag == BOTTOM[0]:
            return BOTTOMS
        if tag == PARAMETER:
            return self._parameter_member(value, name, file)
        key = key_of(value)
        if key is None:
            return NOTHING
        if name[0] == "?":
            name = "#" + name[1:]
        if isinstance(key, int):
            self.world.note(file.number, file_of(key))
        elif key == ARRAY:
            return self.array_member(value, name) or self.member_of(OBJECT, name, OBJECT_VALUE)
        elif key not in self.jdk:
            if tag == EXTERNAL_INSTANCE and "." not in key:
                return NOTHING
            return (
                (EXTERNAL, value[1], f"{key}.{name.removesuffix('()').lstrip('#')}" if name != "<init>()" else key),
            )
        found = self.member_of(key, name, value)
        if name[0] == "#" or name.endswith("()"):
            return found
        if not found or found == (UNKNOWN,) or (found[0][0] == EXTERNAL and len(found[0]) != 5):
            return self.member_of(key, "#" + name, value) or found
        return found

    def _parameter_member(self, value: Value, name: str, file: FileInterface) -> Values:
        """A member of a type parameter: of its first bound that has it, or of `Object` (JLS 4.4)."""
        for bound in self.parameter_bound(value):
            found = self.members(bound, name, file)
            if found:
                return found
        return self.member_of(OBJECT, name, (EXTERNAL, BASE, OBJECT))

    def value_of(self, thing: Value, asker: int) -> Values:
        """What one thing named stands for."""
        if thing[0] == EXTERNAL and len(thing) == 5 and thing[4] is not None and thing[4][0] == "field":
            return self._jdk_field(thing)
        return super().value_of(thing, asker)

    def values_of(self, things: Values, asker: int) -> Values:
        """What things named stand for."""
        if len(things) == 1 and things[0][0] == EXTERNAL:
            return self.value_of(things[0], asker)
        return super().values_of(things, asker)

    def _jdk_field(self, thing: Value) -> Values:
        _, _, symbol, _, detail = thing
        if not isinstance(detail[1], str):
            return (detail[1],)
        described = self.jdk.type(symbol.rpartition(".")[0])
        return NOTHING if described is None else described.fields.get(detail[1], NOTHING)

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type with type arguments. A wildcard without a bound counts as the bound of its parameter (JLS 5.1.10)."""
        key = key_of(base)
        if WILDCARD in arguments and key is not None:
            known = isinstance(key, int) or key in self.jdk
            arguments = tuple(
                (self._wildcard(key, position) if known else NOTHING) if argument == WILDCARD else argument
                for position, argument in enumerate(arguments)
            )
        if base[0] == EXTERNAL and len(base) == 3:
            return ((EXTERNAL_INSTANCE, base[1], base[2], arguments),)
        return super().applied(base, arguments)

    def _wildcard(self, key: Key, position: int) -> Values:
        bound = self.parameter_bound((PARAMETER, key, position, False))
        return fill(bound[:1], key, ()) if bound else (ANYTHING,)

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        """BUILTIN: primitive types, arrays, and the types of literals."""
        arguments = tuple(self.evaluate(file, part) for part in operation[2])
        return ((EXTERNAL_INSTANCE, BASE, operation[1], arguments),)

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """Bare names are looked up by `denote_name` alone."""
        return NOBODY

    def module_things(self, number: int, name: str, asker: int) -> Values:
        """Files have no members in Java."""
        return NOTHING

    def star_things(self, file: FileInterface, index: int, name: str) -> Values:
        """Imports on demand are followed by `denote_name` alone."""
        return NOTHING
