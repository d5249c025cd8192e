"""What the readers of expressions and statements share: the class and the function that are open, and the local names.

A local variable can only be used after its declaration and inside its block (JLS 6.3), and no other local of the same
function may have its name (JLS 6.4), so one table of the names in force answers every use inside the function at once.
What such a table does not answer - members, imports, locals around an inner class - is left to linking.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.java.types import ANNOTATIONS, COMMENTS, Types
from graph.model import BindingTag, Op, ReferenceKind, ScopeKind


@dataclass(slots=True)
class ClassFrame:
    """A class whose body is read, or will be."""

    definition: int
    scope: int
    """The scope of its members."""
    name: str
    """Its simple name; '' for an anonymous class."""
    outer: ClassFrame | None
    """The class around it."""
    end: int = 0
    """Byte offset at which its body ends."""
    is_interface: bool = False
    is_annotation: bool = False
    components: list[list[Any]] = field(default_factory=list[list[Any]])
    """Parameters of a record's header, as in `DefinitionFact.parameters`."""


@dataclass(slots=True)
class Function:
    """A function body (of a method, constructor, initializer or field initializer) that is read."""

    locals: dict[str, tuple[int, Node]] = field(default_factory=dict[str, tuple[int, Node]])
    """Local names in force: name -> (expression of its value, node that declares it)."""
    types: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Local types and type parameters in force: `#name` -> binding."""
    log: list[tuple[str, tuple[int, Node] | None]] = field(default_factory=list[tuple[str, tuple[int, Node] | None]])
    """What each name declared so far stood for before, to be put back at the end of a block."""
    bound: set[str] = field(default_factory=set[str])
    """Every local name bound so far, whether still in force or not."""
    used: set[str] = field(default_factory=set[str])
    """Every name left to linking so far."""
    returns: list[int] = field(default_factory=list[int])
    """Values returned so far by the innermost method or lambda."""
    yields: list[int] = field(default_factory=list[int])
    """Values yielded so far by the innermost `switch`."""
    return_target: int = -1
    """Expression of the value that a `return` is expected to give."""
    yield_target: int = -1
    negated: bool = False
    """Whether the condition that is read stands under a `!`."""
    negative_pattern: bool = False
    """Whether a pattern variable was bound under a `!` in the statement that is read."""


class Bodies(Types):
    """The state of reading one file."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.scope = builder.module_scope
        """The innermost scope of variables."""
        self.frame = ClassFrame(0, builder.module_scope, "", None)
        """The innermost class; the module itself outside of every class."""
        self.idle = Function()
        """Stands for no function: what is read is a declaration."""
        self.function = self.idle
        self.prepared: dict[int, ClassFrame] = {}
        """Start of a class body -> its class, for bodies that are still to be read."""
        self.declared: set[int] = set()
        """Starts of the type declarations that have been read already."""
        self.damaged: set[int] = set()
        """Starts of the damaged regions that have been read already."""

    # -- local names --------------------------------------------------------------------------------------------------

    def bind_local(self, name_node: Node, value: int, *, parameter: bool = False) -> None:
        """Bring a local variable or parameter into force."""
        builder, function = self.builder, self.function
        name = builder.text(name_node)
        if not name or name == "_":
            return
        if self.scope == self.frame.scope or name in function.used or name in builder.bindings[self.scope]:
            self.scope = builder.scope(self.scope, ScopeKind.BLOCK, self.definition)
        function.log.append((name, function.locals.get(name)))
        function.locals[name] = (value, name_node)
        function.bound.add(name)
        builder.bind_local(self.scope, name, value, name_node, self.definition, parameter=parameter)

    def mark(self) -> int:
        """A point to which `release` takes the local names back."""
        return len(self.function.log)

    def release(self, mark: int) -> None:
        """Put the local names back to what they were at a `mark`."""
        function = self.function
        while len(function.log) > mark:
            name, before = function.log.pop()
            if before is None:
                del function.locals[name]
            else:
                function.locals[name] = before

    def variable(self, name: str) -> int:
        """The expression of a bare variable name that no local name in force answers."""
        function = self.function
        if name in function.bound:
            return self.builder.name(self.frame.scope, name)
        function.used.add(name)
        return self.builder.name(self.scope, name)

    def snapshot(self) -> int:
        """A scope for a class inside of a function: it sees the local names in force here, then the class around."""
        function, builder = self.function, self.builder
        if not function.locals and not function.types:
            return self.frame.scope
        scope = builder.scope(self.frame.scope, ScopeKind.BLOCK, self.definition)
        for name, (value, node) in function.locals.items():
            builder.bind_local(scope, name, value, node, self.definition)
        for name, binding in function.types.items():
            builder.bindings[scope][name] = [list(binding)]
        return scope

    # -- declarations that bodies and classes share -------------------------------------------------------------------

    def read_modifiers(self, node: Node | None) -> tuple[set[str], list[int], list[str]]:
        """Words, annotation expressions and annotation names of a modifier list."""
        words: set[str] = set()
        expressions: list[int] = []
        names: list[str] = []
        if node is not None:
            for child in node.children:
                if child.type in ANNOTATIONS:
                    expressions.append(self.visit(child))
                    name = child.child_by_field_name("name")
                    names.append("" if name is None else self.builder.text(name).rsplit(".", 1)[-1])
                else:
                    words.add(child.type)
        return words, expressions, names

    def read_parameters(self, node: Node | None) -> list[list[Any]]:
        """Bind the parameters of a method, constructor, lambda or record header and give them as facts."""
        found: list[list[Any]] = []
        for child in [] if node is None else node.named_children:
            kind = child.type
            if kind == "formal_parameter":
                name = child.child_by_field_name("name")
                type_node = child.child_by_field_name("type")
                self._annotations(child)
                type_ = self.array(self.read_type(type_node), self.extra_dimensions(child))
                if name is None or name.type == "this" or self.builder.text(name) == "this":
                    continue
                self.bind_local(name, self.builder.instance(type_), parameter=True)
                found.append([self.builder.text(name), type_, 0, 0])
            elif kind == "receiver_parameter":
                self._receiver(child)
            elif kind == "spread_parameter":
                self._annotations(child)
                type_, name = -1, None
                for part in child.named_children:
                    if part.type == "variable_declarator":
                        name = part.child_by_field_name("name")
                    elif part.type in ANNOTATIONS:
                        self.visit(part)
                    elif part.type != "modifiers" and part.type not in COMMENTS:
                        type_ = self.read_type(part)
                if name is not None:
                    self.bind_local(name, self.builder.instance(self.array(type_, 1)), parameter=True)
                    found.append([self.builder.text(name), type_, 0, 1])
        return found

    def _receiver(self, node: Node) -> None:
        """A receiver parameter (`Foo this`): only its type and annotations are of interest (JLS 8.4)."""
        for child in node.named_children:
            if child.type in ANNOTATIONS:
                self.visit(child)
            elif child.type not in ("this", "identifier"):
                self.read_type(child)

    def _annotations(self, node: Node) -> None:
        children = node.named_children
        if children and children[0].type == "modifiers":
            self.read_modifiers(children[0])

    def read_type_parameters(self, node: Node | None, definition: int, scope: int) -> dict[str, list[int]]:
        """Record the type parameters of a class, method or constructor; they are bound in the scope given."""
        builder = self.builder
        bound: dict[str, list[int]] = {}
        parameters = [] if node is None else [child for child in node.named_children if child.type == "type_parameter"]
        draft = builder.definitions[definition]
        names: list[Node] = []
        for position, child in enumerate(parameters):
            name = next((part for part in child.named_children if part.type in ("type_identifier", "identifier")), None)
            if name is None:
                continue
            names.append(child)
            expression = builder.expression(Op.TYPE_PARAMETER, definition, position)
            key = "#" + builder.text(name)
            builder.bind_local(scope, key, expression, name, definition)
            bound[key] = [int(BindingTag.VALUE), expression]
            draft.type_parameters.append([builder.text(name), -1])
        outer, self.type_scope = self.type_scope, scope
        for entry, child in zip(draft.type_parameters, names, strict=True):
            bounds: list[int] = []
            for part in child.named_children:
                if part.type == "type_bound":
                    bounds.extend(self.read_type(one) for one in part.named_children if one.type not in COMMENTS)
                elif part.type in ANNOTATIONS:
                    self.visit(part)
            entry[1] = builder.union(bounds)
        self.type_scope = outer
        return bound

    def reference(self, kind: ReferenceKind, node: Node, expression: int, qualifier_start: int = -1) -> None:
        """A reference from the definition that is read at the moment."""
        self.builder.reference(kind, node, expression, self.definition, qualifier_start=qualifier_start)
