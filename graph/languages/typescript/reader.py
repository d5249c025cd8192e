"""The state of reading one file: the open scopes, and the tables through which the readers call each other.

Expression readers give the index of the expression that they read; type readers give a type expression. Both emit the
references that stand in what they read. An index of -1 says that nothing is known of the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.languages.typescript.comments import comments
from graph.model import Op, ScopeKind

ExpressionReader: TypeAlias = Callable[["Reader", Node, int], int]
"""(reader, node, expression of the value that the context expects or -1) -> expression of the node's value."""
TypeReader: TypeAlias = Callable[["Reader", Node], int]
StatementReader: TypeAlias = Callable[["Reader", Node], None]

EXPRESSIONS: Final[dict[str, ExpressionReader]] = {}
"""Node type -> reader of an expression. Statements are not in it: they are anchors of their own."""
TYPES: Final[dict[str, TypeReader]] = {}
"""Node type -> reader of a type."""

PLAIN: Final = 0
ASYNCHRONOUS: Final = 1
GENERATOR: Final = 2
NAMESPACE: Final = 3
"""Flavour of a frame that is a namespace's: what is declared in it is seen from outside."""

_SPECIAL = int(Op.SPECIAL)


class Frame(NamedTuple):
    """What holds between two braces."""

    end: int
    """Byte offset at which it is left."""
    scope: int
    function_scope: int
    """The scope in which `var` declares."""
    definition: int
    """The definition that encloses the references."""
    this: int
    """The expression of `this`, or -1."""
    owner: int
    """The definition whose members `this` has, or -1."""
    static: bool
    """Whether `this` is the owner itself rather than an instance of it."""
    results: list[int] | None
    """Where the values that a `return` gives are collected; None when they are not wanted."""
    expected: int
    """The expression of the value that a `return` is declared to give, or -1."""
    flavour: int
    """`PLAIN`, `ASYNCHRONOUS` or `GENERATOR`: the function that a `return` leaves; or `NAMESPACE`."""


class Reader:
    """One file being read."""

    __slots__ = (
        "ambient", "assignments", "bodies", "builder", "comments", "definition", "documents", "exported", "frame",
        "imports",
        "lambdas", "nothing", "opaque", "owned", "path", "scope", "seen_errors", "stack", "typed", "unassigned",
    )  # fmt: skip

    def __init__(self, source: bytes, path: str, module_name: str, *, typed: bool) -> None:
        self.builder = FactBuilder(source, module_name, ClassScope.NONE)
        self.path = path
        self.typed = typed
        """Whether the file is TypeScript."""
        self.ambient = path.endswith((".d.ts", ".d.mts", ".d.cts"))
        self.nothing = self.builder.expression(Op.SPECIAL, "nothing", -1)
        """The expression of `null` and `undefined`."""
        self.opaque = self.builder.instance(self.nothing)
        """What is declared to be something that says nothing (`any`): the value that it is given does not count."""
        self.owned: dict[int, tuple[int, int, str]] = {}
        """Start byte of an object literal that a call hands on -> (expected type, owner, prefix) of its members."""
        self.lambdas: list[list[Any]] = []
        """Per function without a definition: [declared result or -1, [results], [parameter types], flavour]."""
        self.bodies: dict[int, Frame] = {}
        """Start byte of a block that a function, class or namespace owns -> its frame."""
        self.exported: dict[int, tuple[str, int]] = {}
        """Start byte of a declaration -> ('named' or 'default', start byte of its `export`)."""
        self.assignments: list[tuple[int, str, int]] = []
        """(scope, name, value) of each assignment to a bare name."""
        self.imports: dict[tuple[str, str, str], int] = {}
        """(specifier, name, form) -> import."""
        self.unassigned: set[tuple[int, str]] = set()
        """(scope, name) of each local that is declared without a value."""
        self.comments = comments(source)
        """Byte offset of a declaration -> byte range of the documentation before it."""
        self.documents: Any = None
        """The types in the documentation comments of a JavaScript file."""
        self.seen_errors: set[int] = set()
        scope = self.builder.module_scope
        module = Frame(len(source) + 1, scope, scope, 0, -1, -1, False, None, -1, PLAIN)
        self.stack = [module]
        self.frame = module
        self.scope = scope
        self.definition = 0

    def enter(self, frame: Frame) -> None:
        """Make a frame the current one; the caller keeps the one before."""
        self.frame = frame
        self.scope = frame.scope
        self.definition = frame.definition

    def push(self, frame: Frame) -> None:
        """Make a frame the current one until its end."""
        self.stack.append(frame)
        self.enter(frame)

    def push_block(self, end: int) -> None:
        """Open a block scope until its end."""
        scope = self.builder.scope(self.scope, ScopeKind.BLOCK, self.definition)
        _, _, function_scope, definition, this, owner, static, results, expected, flavour = self.frame
        self.push(Frame(end, scope, function_scope, definition, this, owner, static, results, expected, flavour))

    def special(self, word: str, *operands: Any) -> int:
        """An operation of this language's own."""
        return self.builder.expression(Op.SPECIAL, word, *operands)

    def fresh(self, word: str, *operands: Any) -> int:
        """An operation of this language's own that no other expression of the file is equal to."""
        expressions = self.builder.expressions
        expressions.append([_SPECIAL, word, *operands])
        return len(expressions) - 1

    def merged(self, values: list[int]) -> int:
        """One of several values, leaving out those that are `null` or `undefined`."""
        distinct = list(dict.fromkeys(value for value in values if value != self.nothing))
        if len(distinct) < 2:
            return distinct[0] if distinct else -1
        return self.special("either", distinct)


def read(reader: Reader, node: Node, expected: int = -1) -> int:
    """Read an expression, whatever it is; statements inside it are left to their own anchors."""
    handler = EXPRESSIONS.get(node.type)
    return -1 if handler is None else handler(reader, node, expected)


def read_type(reader: Reader, node: Node) -> int:
    """Read a type; -1 where nothing is known of it."""
    handler = TYPES.get(node.type)
    return -1 if handler is None else handler(reader, node)


def read_children(reader: Reader, node: Node, expected: int = -1) -> int:
    """Read every expression directly inside a node."""
    for child in node.named_children:
        handler = EXPRESSIONS.get(child.type)
        if handler is not None:
            handler(reader, child, -1)
    return -1


def read_error(reader: Reader, node: Node, expected: int = -1) -> int:
    """Read what is left of an expression in a damaged region."""
    reader.seen_errors.add(node.id)
    return read_children(reader, node)
