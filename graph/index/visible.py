"""What other files can see of a file: a key that changes whenever they could be linked differently.

The key is a walk over the facts from what is reachable from outside: module and class scopes, every definition that
is not inside a function, exports, and the expressions that those lead to. Indices are replaced by the order of the
walk, so that code that only moved, and the locals of functions, leave the key alone. Where the meaning of a number
is known to one language only (`extra`, `SPECIAL`), everything that it may be an index of is walked: the key may
change too often, never too rarely.
"""

from __future__ import annotations

from typing import Any, cast

import orjson
import xxhash

from graph.model import CALLABLE_KINDS, BindingTag, Flag, Op, ScopeKind

_EXPRESSION, _DEFINITION, _SCOPE, _IMPORT = range(4)
_OPEN_SCOPES = frozenset({int(ScopeKind.MODULE), int(ScopeKind.CLASS)})
_PAYLOADS = {
    int(BindingTag.DEFINITION): _DEFINITION,
    int(BindingTag.IMPORT): _IMPORT,
    int(BindingTag.VALUE): _EXPRESSION,
}
_OPERANDS: dict[int, str] = {
    Op.ATTRIBUTE: "er", Op.CALL: "ere", Op.INDEX: "ee", Op.AWAIT: "e", Op.ITERATE: "e", Op.INSTANCE: "e",
    Op.GENERIC: "ee",
    Op.UNION: "e", Op.BUILTIN: "re", Op.SELF: "d", Op.SUPER: "d", Op.TUPLE: "e", Op.PICK: "er", Op.FUNCTION_TYPE: "e",
    Op.DEFINITION: "d", Op.IMPORTED: "i", Op.ENTER: "e", Op.CALLBACK: "err", Op.TYPE_PARAMETER: "dr",
}  # fmt: skip
"""What the operands are: e expression or list of them, d definition, i import, r as it stands."""
_KINDS = {"e": _EXPRESSION, "d": _DEFINITION, "i": _IMPORT}


def visible_key(interface: bytes) -> bytes:
    """The key of a file's interface, given as the JSON of `graph.languages.facts.interface`."""
    return xxhash.xxh3_128_digest(orjson.dumps(_Walk(orjson.loads(interface)).tokens))


class _Walk:
    """One walk; `tokens` says what it met, in order."""

    def __init__(self, facts: list[Any]) -> None:
        (
            self._scopes, self._bindings, self._stars, self._definitions, self._expressions, self._imports, exports,
            star_exports, public, extra,
        ) = facts  # fmt: skip
        self.tokens: list[Any] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._queue: list[tuple[int, int]] = []
        self._sizes = (len(self._expressions), len(self._definitions), len(self._scopes), len(self._imports))
        self._stars_of: dict[int, list[int]] = {}
        for scope, index in self._stars:
            self._stars_of.setdefault(scope, []).append(index)
        self._start(exports, star_exports, public, extra)
        emit = (self._expression, self._definition, self._scope, self._import)
        for kind, index in self._queue:  # grows while it is walked
            emit[kind](index)

    def _start(self, exports: dict[str, Any], star_exports: list[int], public: Any, extra: Any) -> None:
        add = self.tokens.append
        add(self._number(_SCOPE, 0))
        add(public)
        add([[name, self._binding(exports[name])] for name in sorted(exports)])
        add([self._number(_IMPORT, index) for index in star_exports])
        add(self._opaque(extra))
        inside: set[int] = set()
        for index, row in enumerate(self._definitions):
            parent, flags = row[2], row[4]
            if (
                parent in inside
                or (parent >= 0 and self._definitions[parent][0] in CALLABLE_KINDS)
                or flags & Flag.LOCAL
            ):
                inside.add(index)
            else:
                add(self._number(_DEFINITION, index))

    def _number(self, kind: int, index: int) -> int:
        if index < 0:
            return -1
        key = (kind, index)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._queue)
            self._queue.append(key)
        return number

    def _binding(self, binding: list[int]) -> list[int]:
        return [binding[0], self._number(_PAYLOADS[binding[0]], binding[1])]

    def _opaque(self, value: Any) -> Any:
        """A value of which only the language knows what its numbers mean."""
        if isinstance(value, bool) or value is None or isinstance(value, str | float):
            return value
        if isinstance(value, int):
            met = [self._number(kind, value) for kind, size in enumerate(self._sizes) if 0 <= value < size]
            return met or value
        if isinstance(value, dict):
            table = cast("dict[str, Any]", value)
            return [[key, self._opaque(table[key])] for key in sorted(table)]
        return [self._opaque(part) for part in value]

    def _scope(self, index: int) -> None:
        parent, kind, owner = self._scopes[index]
        token: list[Any] = [kind, self._number(_SCOPE, parent), self._number(_DEFINITION, owner)]
        if kind in _OPEN_SCOPES:
            bindings = self._bindings[index]
            token.extend([name, [self._binding(part) for part in bindings[name]]] for name in sorted(bindings))
        token.append([self._number(_IMPORT, star) for star in self._stars_of.get(index, ())])
        self.tokens.append(token)

    def _definition(self, index: int) -> None:
        (
            kind, name, parent, scope, flags, visibility, bases, type_, values, parameters, type_parameters, decorators,
            condition, extra, qualified_name,
        ) = self._definitions[index]  # fmt: skip
        expressions = self._many
        self.tokens.append([
            kind, name, self._number(_DEFINITION, parent), self._number(_SCOPE, scope), flags, visibility,
            expressions(bases),
            self._number(_EXPRESSION, type_), expressions(values),
            [[part[0], self._number(_EXPRESSION, part[1]), part[2:]] for part in parameters],
            [[part[0], self._number(_EXPRESSION, part[1]), part[2:]] for part in type_parameters],
            expressions(decorators), condition, self._opaque(extra), qualified_name,
        ])  # fmt: skip

    def _many(self, indices: list[int]) -> list[int]:
        return [self._number(_EXPRESSION, index) for index in indices]

    def _import(self, index: int) -> None:
        self.tokens.append(self._imports[index])

    def _expression(self, index: int) -> None:
        operation = self._expressions[index]
        op = operation[0]
        if op == Op.NAME:
            self.tokens.append([op, operation[2], *self._seen_from(operation[1], operation[2]), *operation[3:]])
            return
        layout = _OPERANDS.get(op)
        if layout is None:
            self.tokens.append([op, self._opaque(operation[1:])])
            return
        token: list[Any] = [op]
        for letter, operand in zip(layout, operation[1:], strict=False):
            if letter == "r":
                token.append(operand)
            elif isinstance(operand, list):
                token.append([self._number(_KINDS[letter], part) for part in cast("list[int]", operand)])
            else:
                token.append(self._number(_KINDS[letter], operand))
        token.append(self._opaque(operation[1 + len(layout) :]))
        self.tokens.append(token)

    def _seen_from(self, scope: int, name: str) -> list[Any]:
        """What a bare name may be bound to, from the inside out: of functions only what bears that name."""
        token: list[Any] = []
        while scope >= 0:
            parent, kind, _ = self._scopes[scope]
            if kind in _OPEN_SCOPES:
                token.append(self._number(_SCOPE, scope))
            else:
                found = self._bindings[scope].get(name)
                if found is not None:
                    token.append([self._binding(part) for part in found])
                token.extend(self._number(_IMPORT, star) for star in self._stars_of.get(scope, ()))
            scope = parent
        return token
