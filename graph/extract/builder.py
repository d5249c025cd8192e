"""Collects the facts of one file while a language adapter reads its tree.

The builder interns expressions (one index per distinct expression), keeps scopes and bindings, and at the end settles
what only the whole file can tell: which names are local. Everything is in UTF-8 byte offsets, 0-based, half-open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from operator import itemgetter
from typing import Any, cast

from tree_sitter import Node

from graph.model import (
    CALL_KINDS,
    Binding,
    BindingTag,
    DefinitionFact,
    DefinitionKind,
    Expression,
    FileFacts,
    Flag,
    Op,
    ReferenceFact,
    ReferenceKind,
    ScopeKind,
    Visibility,
)

_NOT_LOCAL = (-1, False)
QUALIFIER_LIMIT = 80
"""Longest qualifier text that is kept, in code points."""

# Plain integers: hashing or combining enumeration members runs Python code, and this is the hot path.
_LOCAL_DROPPED = frozenset(
    map(int, (ReferenceKind.READ, ReferenceKind.WRITE, ReferenceKind.DELETE, ReferenceKind.TYPE))
)
_CALLS = frozenset(map(int, CALL_KINDS))
_ORDER = itemgetter(1, 0, 2)
_DAMAGED = int(Flag.DAMAGED)
_CALL, _BUILTIN, _ATTRIBUTE = int(Op.CALL), int(Op.BUILTIN), int(Op.ATTRIBUTE)
_DEFINITION = int(BindingTag.DEFINITION)
_IMPORT = int(BindingTag.IMPORT)
_VALUE = int(BindingTag.VALUE)
_NAME = int(Op.NAME)
_CLASS_SCOPE = int(ScopeKind.CLASS)


class ClassScope(Enum):
    """How far the names declared directly in a class body are visible as bare names."""

    OWN = "own"
    """In the class body itself, not in the functions inside it (Python)."""
    NONE = "none"
    """Nowhere: members are reached through a receiver or a path (ECMAScript, Go, Rust)."""
    FULL = "full"
    """In the class body and everything inside it (Java)."""


class Draft:
    """A definition in the making; the attributes are the fields of `DefinitionFact`."""

    __slots__ = (
        "bases", "condition", "decorators", "doc", "end", "extra", "flags", "kind", "name", "name_end", "name_start",
        "parameters", "parent", "qualified_name", "scope", "signature", "start", "type", "type_parameters", "values",
        "visibility",
    )  # fmt: skip

    # Written out rather than a dataclass: default factories cost more than the rest of a definition together.
    def __init__(
        self,
        kind: int,
        name: str,
        parent: int,
        qualified_name: str,
        extent: tuple[int, int],
        name_extent: tuple[int, int],
        scope: int,
        flags: int,
        visibility: int,
    ) -> None:
        self.kind = kind
        self.name = name
        self.parent = parent
        self.qualified_name = qualified_name
        self.start, self.end = extent
        self.name_start, self.name_end = name_extent
        self.scope = scope
        self.flags = flags
        self.visibility = visibility
        self.type = -1
        self.condition = ""
        self.signature = ""
        self.doc = ""
        self.bases: list[int] = []
        self.values: list[int] = []
        self.parameters: list[list[Any]] = []
        self.type_parameters: list[list[Any]] = []
        self.decorators: list[int] = []
        self.extra: dict[str, Any] = {}


class FactBuilder:
    """One file's facts in the making.

    `scope`, `define`, `bind` and the expression methods return indices that later calls take. An expression index of -1
    stands for "nothing is known" everywhere, and every method that takes an expression accepts it.
    """

    def __init__(self, source: bytes, module_name: str, class_scope: ClassScope) -> None:
        self.source = source
        self._is_ascii = source.isascii()
        # One character per byte, so that slices need no decoding; a slice beyond ASCII is decoded on its own.
        self._latin = source.decode("latin-1")
        self._class_scope = class_scope
        self.scopes: list[list[int]] = []
        self.bindings: list[dict[str, list[Binding]]] = []
        self.stars: list[list[int]] = []
        self.definitions: list[Draft] = []
        self.expressions: list[Expression] = []
        self.imports: list[list[Any]] = []
        self.exports: dict[str, Binding] = {}
        self.star_exports: list[int] = []
        self.all: list[str] | None = None
        self.package = ""
        self.extra: dict[str, Any] = {}
        self.damage: list[tuple[int, int]] = []
        self.conflict_markers = False
        self._interned: dict[Any, int] = {}
        self._references: list[tuple[int, int, int, int, int, int, str, int]] = []
        self._locals: dict[tuple[int, str], tuple[DefinitionKind, int, int, int]] = {}
        self.module_scope = self.scope(-1, ScopeKind.MODULE, 0)
        self.define(DefinitionKind.MODULE, module_name, -1, (0, len(source)), (0, 0), scope=self.module_scope)

    # -- text ---------------------------------------------------------------------------------------------------------

    def text(self, node: Node) -> str:
        """The source text of a node; bytes that are not UTF-8 come out as U+FFFD."""
        found = self._latin[node.start_byte : node.end_byte]
        if self._is_ascii or found.isascii():
            return found
        return found.encode("latin-1").decode("utf-8", "replace")

    def slice(self, start: int, end: int) -> str:
        """The source text of a byte range."""
        found = self._latin[start:end]
        if self._is_ascii or found.isascii():
            return found
        return found.encode("latin-1").decode("utf-8", "replace")

    # -- scopes, definitions, bindings --------------------------------------------------------------------------------

    def scope(self, parent: int, kind: ScopeKind, definition: int) -> int:
        """Open a scope inside `parent` that belongs to `definition`."""
        self.scopes.append([parent, int(kind), definition])
        self.bindings.append({})
        return len(self.scopes) - 1

    def define(
        self,
        kind: DefinitionKind,
        name: str,
        parent: int,
        extent: tuple[int, int],
        name_extent: tuple[int, int],
        *,
        scope: int = -1,
        flags: int = 0,
        visibility: int = Visibility.PUBLIC,
        qualified_name: str | None = None,
    ) -> int:
        """Record a definition and give its index; what else is known of it is set on `definitions[index]`.

        `parent` is the enclosing definition (0: the module). The qualified name is the parent's and this name joined by
        a dot, unless one is given. The name is not bound in any scope: that is `bind`.
        """
        if qualified_name is None:
            outer = self.definitions[parent].qualified_name if parent > 0 else ""
            qualified_name = f"{outer}.{name}" if outer else name
        self.definitions.append(
            Draft(int(kind), name, parent, qualified_name, extent, name_extent, scope, int(flags), int(visibility))
        )
        return len(self.definitions) - 1

    def bind(self, scope: int, name: str, tag: BindingTag, payload: int) -> None:
        """Bind a name in a scope, after what it is bound to there already."""
        self.bindings[scope].setdefault(name, []).append([int(tag), payload])

    def bind_local(
        self, scope: int, name: str, value: int, node: Node, enclosing: int, *, parameter: bool = False
    ) -> None:
        """Bind a local variable or a parameter to the expression it holds (-1: unknown).

        References to it are not kept, except calls: a local that is called becomes a definition of its own, at its
        first binding.
        """
        self.bindings[scope].setdefault(name, []).append([_VALUE, value])
        key = (scope, name)
        if key not in self._locals:
            kind = DefinitionKind.PARAMETER if parameter else DefinitionKind.VARIABLE
            self._locals[key] = (kind, node.start_byte, node.end_byte, enclosing)

    def imported(self, specifier: str, name: str, *details: Any) -> int:
        """Record an import and give its index. `name` is '' for the module itself and '*' for every name."""
        self.imports.append([specifier, name, *details])
        return len(self.imports) - 1

    # -- expressions --------------------------------------------------------------------------------------------------

    def expression(self, op: Op, *operands: Any) -> int:
        """The index of an expression; equal expressions have one index. Lists among the operands are copied."""
        number = int(op)
        key = (number, *[tuple(operand) if type(operand) is list else operand for operand in operands])  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        index = self._interned.get(key)
        if index is None:
            index = self._interned[key] = len(self.expressions)
            self.expressions.append([number, *operands])
        return index

    def name(self, scope: int, name: str) -> int:
        """The bare name as seen from the scope."""
        key = (scope, name)
        index = self._interned.get(key)
        if index is None:
            index = self._interned[key] = len(self.expressions)
            self.expressions.append([_NAME, scope, name])
        return index

    def settle_name(self, scope: int, name: str, operation: Expression) -> None:
        """What has been read of a bare name from the scope becomes `operation`; what is read from now on is new."""
        index = self._interned.pop((scope, name), None)
        if index is not None:
            self.expressions[index] = operation

    def attribute(self, expression: int, name: str) -> int:
        """The member of that name of a value, type, module or namespace. Its receiver may be unknown (-1)."""
        key = (expression, name, None)
        index = self._interned.get(key)
        if index is None:
            index = self._interned[key] = len(self.expressions)
            self.expressions.append([_ATTRIBUTE, expression, name])
        return index

    def call(self, callee: int, arguments: Sequence[int]) -> int:
        """What a call gives; -1 when the callee is unknown."""
        if callee < 0:
            return -1
        key = (_CALL, callee, tuple(arguments))
        index = self._interned.get(key)
        if index is None:
            index = self._interned[key] = len(self.expressions)
            self.expressions.append([_CALL, callee, len(arguments), list(arguments)])
        return index

    def instance(self, type_expression: int) -> int:
        """A value of the type; -1 when the type is unknown."""
        return -1 if type_expression < 0 else self.expression(Op.INSTANCE, type_expression)

    def builtin(self, name: str, arguments: Sequence[int] = ()) -> int:
        """A value of a type that is built into the language."""
        if arguments:
            return self.expression(Op.BUILTIN, name, list(arguments))
        index = self._interned.get(name)
        if index is None:
            index = self._interned[name] = len(self.expressions)
            self.expressions.append([_BUILTIN, name, []])
        return index

    def union(self, expressions: Sequence[int]) -> int:
        """One of several values; unknown ones stay in it, so that the whole is known to be partly unknown."""
        distinct = list(dict.fromkeys(expressions))
        if not distinct:
            return -1
        return distinct[0] if len(distinct) == 1 else self.expression(Op.UNION, distinct)

    # -- references ---------------------------------------------------------------------------------------------------

    def reference(
        self,
        kind: int,
        node: Node,
        expression: int,
        enclosing: int,
        *,
        arguments: int = -1,
        qualifier_start: int = -1,
        name: str | None = None,
        start: int = -1,
    ) -> None:
        """Record that the name at `node` uses what `expression` names.

        `arguments` is the number of arguments of a call (-1: no call, or not known). `qualifier_start` is the byte
        offset at which the text that selects the name begins, -1 for a bare name. `name` is the text of the node, where
        the caller has it already. With `start` (a byte offset) the name is only the rest of the node from there.
        """
        if start < 0:
            start = node.start_byte
        end = node.end_byte
        self._references.append(
            (
                int(kind),
                start,
                end,
                expression,
                enclosing,
                arguments,
                self.slice(start, end) if name is None else name,
                qualifier_start,
            )
        )

    # -- the end ------------------------------------------------------------------------------------------------------

    def finish(self) -> FileFacts:
        """Drop references to locals, turn called locals into definitions, and give the facts in source order."""
        references = self._settle_locals()
        references.sort(key=_ORDER)
        damage = self.damage
        definitions: list[DefinitionFact] = []
        for draft in self.definitions:
            flags = int(draft.flags)
            if damage and draft.kind != DefinitionKind.MODULE:
                flags |= _DAMAGED if any(a < draft.end and draft.start < b for a, b in damage) else 0
            definitions.append(
                DefinitionFact(
                    draft.kind, draft.name, draft.parent, draft.scope, flags, draft.visibility, draft.bases,
                    draft.type, draft.values, draft.parameters, draft.type_parameters, draft.decorators,
                    draft.condition, draft.extra, draft.qualified_name, draft.start, draft.end, draft.name_start,
                    draft.name_end, draft.signature, draft.doc,
                )
            )  # fmt: skip
        return FileFacts(
            self.scopes, self.bindings, self.stars, definitions, self.expressions, self.imports, self.exports,
            self.star_exports, self.all, self.package, references, damage, self.conflict_markers, self.extra,
        )  # fmt: skip

    def local_binding(self, scope: int, name: str) -> tuple[int, list[Binding]] | None:
        """The scope and bindings that a bare name has inside this file by the lexical rule, or None.

        Members that a `FULL` class inherits are not known here; the linker looks there before it goes further out.
        """
        first = scope
        while scope >= 0:
            parent, kind, _ = self.scopes[scope]
            found = self.bindings[scope].get(name)
            if found is not None and (
                kind != _CLASS_SCOPE
                or self._class_scope is ClassScope.FULL
                or (self._class_scope is ClassScope.OWN and scope == first)
            ):
                return scope, found
            scope = parent
        return None

    def _settle_locals(self) -> list[ReferenceFact]:
        kept: list[ReferenceFact] = []
        # What NamedTuple does, without its keyword handling.
        new = cast(Callable[..., ReferenceFact], tuple.__new__)  # pyright: ignore[reportUnknownMemberType]  # generic
        cache: dict[int, tuple[int, bool]] = {}
        for kind, start, end, expression, enclosing, arguments, name, qualifier_start in self._references:
            if expression >= 0 and self.expressions[expression][0] == _NAME:
                local_scope, is_local = cache.get(expression) or self._locality(expression, cache)
                if is_local:
                    if kind in _LOCAL_DROPPED:
                        continue
                    if kind in _CALLS:
                        self._define_local(local_scope, name)
            qualifier = ""
            if qualifier_start >= 0:
                qualifier = self.slice(qualifier_start, start).rstrip(" \t\r\n.:?!-&>")[:QUALIFIER_LIMIT]
            kept.append(new(ReferenceFact, (kind, start, end, expression, enclosing, arguments, name, qualifier)))
        return kept

    def _locality(self, expression: int, cache: dict[int, tuple[int, bool]]) -> tuple[int, bool]:
        _, scope, name = self.expressions[expression]
        found = self.local_binding(scope, name)
        result = _NOT_LOCAL
        if found is not None:
            result = (found[0], found[1][0][0] == _VALUE and all(tag == _VALUE for tag, _ in found[1]))
        cache[expression] = result
        return result

    def _define_local(self, scope: int, name: str) -> None:
        place = self._locals.pop((scope, name), None)
        if place is None:
            return
        kind, start, end, enclosing = place
        index = self.define(kind, name, enclosing, (start, end), (start, end), flags=Flag.LOCAL)
        bindings = self.bindings[scope][name]
        self.definitions[index].values = [value for _, value in bindings]
        bindings.append([_DEFINITION, index])
