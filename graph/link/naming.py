"""What names mean: by scope, import and package, and through a receiver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from graph.link.answers import NOBODY, Named
from graph.link.circles import NO_TAINT
from graph.link.operations import Operations
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    FILE_SHIFT,
    MODULE,
    NOTHING,
    PACKAGE,
    TYPE,
    UNKNOWN,
    Values,
    gid,
    merge,
)
from graph.link.world import FileInterface
from graph.model import (
    BindingTag,
    Flag,
    Op,
    ScopeKind,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


@mypyc_attr(allow_interpreted_subclasses=True)
class Naming(Operations):
    """Things named."""

    def denote(self, file: FileInterface, expression: int) -> Named:
        """The things that an expression of a file names. `NOBODY` when nothing is known."""
        if expression < 0:
            return NOBODY
        known = file.denotations[expression]
        if known is not None:
            return known
        # No guard against circles here: each one passes through `evaluate`, `imported` or `ancestry`, which have one.
        outer_taint = self._taint
        self._taint = NO_TAINT
        operation = file.expressions[expression]
        op = operation[0]
        if op == _NAME:
            result = self.denote_name(file, operation[1], operation[2])
        elif op == _ATTRIBUTE:
            result = self.denote_attribute(file, operation[1], operation[2])
        else:
            result = self._denote(file, operation, op)
        if self._taint == NO_TAINT:
            file.denotations[expression] = result
            self._taint = outer_taint
        elif outer_taint < self._taint:
            self._taint = outer_taint
        return result

    def _denote(self, file: FileInterface, operation: list[Any], op: int) -> Named:
        if op == _IMPORTED:
            return Named(self.imported(file, operation[1]), "import")
        if op == _DEFINITION_OP:
            return Named((self.thing(gid(file.number, operation[1]), None),), "lexical")
        if op == Op.GENERIC or op == Op.INSTANCE:
            return self.denote(file, operation[1])
        return self.denote_special(file, operation)

    def imported(self, file: FileInterface, index: int) -> Values:
        """The things that an import (index) of a file names, worked out once; imports in a circle name nothing."""
        return self.once(("import", file.number, index), lambda: self.import_things(file, index))

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """The things that an operation other than a name, a member or an import names; none by default."""
        return NOBODY

    def denote_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names, seen from a scope of the file: lexical scopes first, then `outermost`."""
        key = (scope, name)
        known = file.names.get(key)
        if known is not None:
            return known
        first = scope
        place = -1
        names = file.names
        scopes, bindings = file.scopes, file.bindings
        result: Named | None = None
        while scope >= 0 and result is None:
            parent, kind, owner = scopes[scope]
            if scope != first and kind != _CLASS_SCOPE:
                # What is seen from further out was perhaps looked up before, for another reference.
                result = names.get((scope, name))
                if result is not None:
                    break
            if kind != _CLASS_SCOPE or self.class_scopes_visible or (self.class_body_visible and scope == first):
                found = bindings[scope].get(name)
                if found is not None:
                    result = self.bound(file, scope, name, found)
                elif kind == _CLASS_SCOPE and self.class_scopes_visible:
                    inherited = self.member(gid(file.number, owner), name, None, file.number)
                    if inherited and inherited != (UNKNOWN,):
                        result = Named(inherited, "inherited")
                if result is None and file.stars:
                    result = self.starred(file, scope, name)
            place = scope
            scope = parent
        if result is None:
            place = -1
            result = self.outermost(file, first, name)
        if self._taint == NO_TAINT:
            names[key] = result
            if place >= 0 and scopes[place][1] != _CLASS_SCOPE:
                names[place, name] = result
        return result

    def bound(self, file: FileInterface, scope: int, name: str, bindings: Sequence[Sequence[int]]) -> Named:
        """The things that the bindings of one name in one scope stand for.

        Of several definitions the last one counts; where some of them are conditional, all are candidates.
        """
        definitions = [payload for tag, payload in bindings if tag == _DEFINITION]
        imports = [payload for tag, payload in bindings if tag == _IMPORT]
        things: list[Values] = []
        rule = "lexical"
        if imports:
            rule = "import"
            for index in imports:
                found = self.imported(file, index)
                if found:
                    things.append(found)
        if definitions:
            things.append(self.defined(file, definitions))
        if not imports and not definitions:
            values = merge([self.evaluate(file, payload) for _, payload in bindings])
            return Named(values or (UNKNOWN,), "local")
        merged = merge(things) if things else NOTHING
        if imports and definitions:
            merged = self.preferred(merged)
        elif len(imports) > 1:
            merged = self.preferred(merged)
        return Named(merged, rule)

    def defined(self, file: FileInterface, definitions: Sequence[int]) -> Values:
        """The things for several definitions of one name in one scope of a file, in source order."""
        base = file.number << FILE_SHIFT
        if len(definitions) == 1:
            return (self.thing(base | definitions[0], None),)
        if self.overloads:
            return tuple(self.thing(base | index, None) for index in definitions)
        last: list[int] = []
        for index in reversed(definitions):
            last.append(index)
            if not file.definitions[index].flags & _CONDITIONAL:
                break
        things = tuple(self.thing(base | index, None) for index in reversed(last))
        return (*things, AMBIGUITY) if len(things) > 1 else things

    def preferred(self, things: Values) -> Values:
        """Several imports (or imports and definitions) of one name, in a fallback: candidates, unless one is left."""
        inside = tuple(
            dict.fromkeys(thing for thing in things if thing[0] not in (UNKNOWN[0], AMBIGUITY[0], BOTTOM[0]))
        )
        if len(inside) <= 1:
            return inside or things
        return (*inside, AMBIGUITY)

    def starred(self, file: FileInterface, scope: int, name: str) -> Named | None:
        """The things that a star import of this very scope brings in under a name; None when it brings none."""
        found: list[Values] = []
        for star_scope, index in file.stars:
            if star_scope == scope:
                things = self.star_things(file, index, name)
                if things:
                    found.append(things)
        return Named(merge(found), "star-import") if found else None

    def denote_attribute(self, file: FileInterface, receiver: int, name: str) -> Named:
        """The things that a member access names."""
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
            else:
                missing = True
        if not found:
            return NOBODY
        merged = merge([*found, NOTHING]) if missing else merge(found)
        return Named(merged, self.receiver_rule(file, receiver, values))

    def receiver_rule(self, file: FileInterface, receiver: int, values: Values) -> str:
        """The rule by which the type of a receiver is known."""
        tag = values[0][0]
        if tag == MODULE or tag == PACKAGE or tag == EXTERNAL:
            return "qualified"
        op = file.expressions[receiver][0]
        if op == Op.SELF:
            return "self"
        if op == Op.SUPER:
            return "super"
        if tag == TYPE:
            return "qualified"
        if op == Op.CALL or op == Op.AWAIT:
            return "receiver-result"
        if op == Op.INSTANCE or op == Op.BUILTIN:
            return "receiver-type"
        return "receiver-value"
