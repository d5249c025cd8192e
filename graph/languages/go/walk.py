"""The state of reading one file, and the table that says which function reads which kind of node.

Inside functions Go declares before it uses, so that one pass in source order knows which declaration a name means:
`frames` holds what is declared so far, the innermost block last. A name that no frame has belongs to the file or to the
package; it becomes a NAME expression of the module scope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.go.kinds import NODE_KINDS, NOISE, kinds
from graph.model import DefinitionKind, Flag, Op, ReferenceKind

_CALL: Final = int(ReferenceKind.CALL)

PREDECLARED_TYPES: Final = frozenset(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint "
    "uint8 uint16 uint32 uint64 uintptr".split()
)
PREDECLARED_FUNCTIONS: Final = frozenset(
    "append cap clear close complex copy delete imag len make max min new panic print println real recover".split()
)
PREDECLARED_VALUES: Final = frozenset(("true", "false", "nil", "iota"))


class Local:
    """A name that a function, a block or a type parameter list declares."""

    __slots__ = ("definition", "end", "is_type", "kind", "start", "value")

    def __init__(self, value: int, node: Node, kind: DefinitionKind, is_type: bool = False) -> None:
        self.value = value
        """The expression of what it holds, or of the type that it is; -1 unknown."""
        self.start = node.start_byte
        self.end = node.end_byte
        self.kind = kind
        self.definition = -1
        """Index of its definition: a local type has one, a variable gets one when it is called."""
        self.is_type = is_type


class Walk:
    """The reading of one file."""

    __slots__ = (
        "builder", "enclosing", "frames", "in_body", "in_test", "locals", "owner", "plain", "source",
        "untyped",
    )  # fmt: skip

    def __init__(self, builder: FactBuilder, in_test: bool) -> None:
        self.builder = builder
        self.source = builder.source
        self.frames: list[dict[str, Local]] = []
        self.locals: set[str] = set()
        """Every name that any frame of the file has had so far: a name that is not among them needs no search."""
        self.enclosing = 0
        """The definition that references stand in."""
        self.owner = 0
        """The definition whose type is being read: anonymous structs and interfaces belong to it."""
        self.plain = PREDECLARED_TYPES | PREDECLARED_VALUES
        """Predeclared names that are no references, less those that this file declares anew."""
        self.in_test = in_test
        """Whether the file is compiled for tests only."""
        self.in_body = False
        """Whether a function body is being read: types declared there are not seen outside of it."""
        self.untyped = builder.builtin("untyped")

    def bind(self, frame: dict[str, Local], name: str, local: Local) -> None:
        """Declare a name in a frame; the blank identifier declares nothing."""
        if name and name != "_":
            frame[name] = local
            self.locals.add(name)


Handler: TypeAlias = Callable[[Walk, Node], int]
"""Reads a node, records what it uses and declares, gives its expression: a value, for type nodes a type; -1: none."""


def visit_children(walk: Walk, node: Node) -> int:
    """Read every part of a node, in order."""
    handlers = HANDLERS
    for child in node.named_children:
        handlers[child.kind_id](walk, child)
    return -1


def skip(walk: Walk, node: Node) -> int:
    """Read nothing of a node."""
    return -1


HANDLERS: Final[dict[int, Handler]] = dict.fromkeys([*range(NODE_KINDS), 65535], visit_children)
"""Handler by kind id; kinds that no module has claimed are read part by part."""


def handler(*names: str) -> Callable[[Handler], Handler]:
    """Register the function that reads nodes of these kinds."""

    def register(function: Handler) -> Handler:
        for number in kinds(*names):
            HANDLERS[number] = function
        return function

    return register


def visit(walk: Walk, node: Node) -> int:
    """Read a node by its kind."""
    return HANDLERS[node.kind_id](walk, node)


def parts(node: Node) -> list[Node]:
    """The named children of a node without comments and unreadable pieces."""
    return [child for child in node.named_children if child.kind_id not in NOISE]


def use(walk: Walk, node: Node, kind: int, arguments: int = -1) -> int:
    """A bare name is used: its expression. Uses of package-level names are recorded, those of locals when called."""
    builder = walk.builder
    name = builder.text(node)
    if name in walk.locals:
        for frame in reversed(walk.frames):
            local = frame.get(name)
            if local is not None:
                if local.definition >= 0 or kind == _CALL:
                    _use_local(walk, node, local, kind, arguments)
                return local.value
    if name in walk.plain:
        return builder.builtin(name) if name in PREDECLARED_TYPES else -1
    if not name or name == "_":
        return -1
    expression = builder.name(0, name)
    builder.reference(kind, node, expression, walk.enclosing, arguments=arguments, name=name)
    return expression


def _use_local(walk: Walk, node: Node, local: Local, kind: int, arguments: int) -> None:
    builder = walk.builder
    if local.is_type:
        if local.definition >= 0:
            builder.reference(kind, node, local.value, walk.enclosing, arguments=arguments)
        return
    if kind != _CALL:
        return
    if local.definition < 0:
        extent = (local.start, local.end)
        local.definition = builder.define(
            local.kind, builder.text(node), walk.enclosing, extent, extent, flags=Flag.LOCAL
        )
        if local.value >= 0:
            builder.definitions[local.definition].values = [local.value]
    expression = builder.expression(Op.DEFINITION, local.definition)
    builder.reference(kind, node, expression, walk.enclosing, arguments=arguments)


def declare(walk: Walk, node: Node, value: int, kind: DefinitionKind = DefinitionKind.VARIABLE) -> None:
    """Declare a local variable, constant or parameter in the innermost block, unless that block has the name already.

    A second `:=` of a name in one block assigns to the same variable (Go spec, Short variable declarations).
    """
    name = walk.builder.text(node)
    frame = walk.frames[-1]
    if name not in frame:
        walk.bind(frame, name, Local(value, node, kind))


def instance(walk: Walk, type_expression: int) -> int:
    """A value of a type; types built into the language are written as their values already."""
    if type_expression < 0 or walk.builder.expressions[type_expression][0] == Op.BUILTIN:
        return type_expression
    return walk.builder.expression(Op.INSTANCE, type_expression)
