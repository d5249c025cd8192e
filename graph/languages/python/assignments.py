"""Assignments: what names, fields and parts of tuples are bound to."""

from __future__ import annotations

from tree_sitter import Node

from graph.extract.builder import Draft
from graph.languages.python.names import mangled, visibility
from graph.languages.python.rebinding import Rebinding
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind

_CONDITIONAL = int(Flag.CONDITIONAL)
_CALLABLE_OR_CLASS = frozenset(map(int, (DefinitionKind.FUNCTION, DefinitionKind.METHOD, DefinitionKind.CLASS)))
_MADE_BY = {
    "property": int(Flag.PROPERTY),
    "classmethod": int(Flag.CLASSMETHOD),
    "staticmethod": int(Flag.STATIC),
}

_NAMING = (int(Op.NAME), int(Op.ATTRIBUTE))
_VARIABLE_MAKERS = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
_ALIAS_HEADS = frozenset(
    """
    Union Optional List Dict Set FrozenSet Tuple Type Callable Sequence Iterable Iterator Mapping MutableMapping
    Annotated Literal Awaitable Coroutine Generator AsyncIterator AsyncIterable AsyncGenerator Collection Deque
    DefaultDict list dict set frozenset tuple type
    """.split()
)
"""What a subscript of these gives is a type: an alias where it is assigned at the top level."""

_COPIES = frozenset({"list", "tuple", "sorted", "set"})
_DISPLAYS = frozenset({"list", "tuple", "set", "expression_list", "parenthesized_expression"})


class Assignments(Rebinding):
    """Reads assignments and binds their targets."""

    def _assignment(self, node: Node) -> None:
        """An assignment; `a = b = value` nests to the right and is read in a loop."""
        targets: list[Node] = []
        declared_node: Node | None = None
        current: Node | None = node
        while current is not None and current.type == "assignment":
            left = current.child_by_field_name("left")
            if left is not None:
                targets.append(left)
            declared_node = current.child_by_field_name("type") or declared_node
            current = current.child_by_field_name("right")
        value = self._assigned_value(targets, current, declared_node)
        declared = -1
        if declared_node is not None:
            declared = self._declared(declared_node)
        public = len(self.frames) == 1 and len(targets) == 1 and self.builder.text(targets[0]) == "__all__"
        if public and current is not None:
            self._public_names(current, added=False)
        for target in targets:
            self.bind_target(target, value, declared=declared)

    def _assigned_value(self, targets: list[Node], node: Node | None, declared: Node | None) -> int:
        """What is assigned; at the top level of modules and classes that may be a type alias or a type variable."""
        if node is None:
            return -1
        if not self.frames[-1].is_function and len(targets) == 1:
            children = node.named_children
            if declared is not None and "TypeAlias" in self.builder.text(declared):
                return self.read_type(node)
            if node.type == "subscript" and children:
                head = self.builder.text(children[0]).rsplit(".", 1)[-1]
                if head in _ALIAS_HEADS:
                    return self.read_type(node)
            elif node.type == "call" and len(children) == 2:
                maker = self.builder.text(children[0]).rsplit(".", 1)[-1]
                if maker in _VARIABLE_MAKERS and len(self.frames) == 1:
                    return self._type_variable(self.builder.text(targets[0]), children[0], children[1])
        return self.read(node)

    def _type_variable(self, name: str, maker: Node, arguments: Node) -> int:
        """`T = TypeVar("T", bound=X)`, `T = TypeVar("T", X, Y)`: types, whose names may be quoted."""
        bound = -1
        constraints: list[int] = []
        for position, child in enumerate(arguments.named_children):
            parts = child.named_children
            if child.type == "keyword_argument" and len(parts) == 2 and self.builder.text(parts[0]) == "bound":
                bound = self.read_type(parts[1])
            elif child.type == "keyword_argument":
                self.read(child)
            elif position and child.type != "comment":
                constraints.append(self.read_type(child))
        if constraints:
            bound = self.builder.union(constraints)
        self.type_variables[name] = bound
        return self.builder.call(self.read(maker), [])

    def _declared(self, node: Node) -> int:
        """The value of a declared type; `ClassVar[X]` and `Final[X]` declare X, a bare one declares nothing."""
        inner = node.named_children[0] if node.named_children else node
        text = self.builder.text(inner)
        type_ = self.read_type(node)
        if text.rsplit(".", 1)[-1] in ("Final", "ClassVar", "TypeAlias"):
            return -1
        return self.builder.instance(type_)

    def _public_names(self, value: Node, *, added: bool) -> None:
        """`__all__ = value`, or its extension by it. Where a part of it cannot be read, it says nothing."""
        builder = self.builder
        words: list[str] = []
        modules: list[int] = []
        known = self._words_of(value, words, modules)
        before = builder.all if added else []
        builder.all = None if before is None or not known else [*before, *words]
        builder.extra["all_of"] = [*builder.extra.get("all_of", ()), *modules] if added else modules

    def _words_of(self, node: Node, words: list[str], modules: list[int]) -> bool:
        """Collect the strings of displays that are added up, and the modules whose `__all__` is among them."""
        pending = [node]
        while pending:
            part = pending.pop()
            kind = part.type
            children = [child for child in part.named_children if child.type != "comment"]
            if kind in _DISPLAYS or (kind == "binary_operator" and part.children[1].type == "+"):
                pending.extend(reversed(children))
            elif kind == "string":
                words.append(self.builder.text(part).strip("\"'"))
            elif kind == "attribute" and len(children) == 2 and self.builder.text(children[1]) == "__all__":
                modules.append(self.key_of(children[0])[0])
            elif kind == "list_splat" and children:
                pending.extend(children)
            elif kind == "call" and len(children) == 2 and self.builder.text(children[0]) in _COPIES:
                pending.extend(children[1].named_children)
            else:
                return False
        return True

    def call_on_public_names(self, node: Node) -> None:
        """`__all__.extend(...)`, `__all__.append(...)` at the top level of a module."""
        children = node.named_children
        if len(children) != 2 or not self.builder.text(children[0]).startswith("__all__."):
            return
        method = self.builder.text(children[0])[8:]
        arguments = children[1].named_children
        if method in ("extend", "append") and len(arguments) == 1:
            self._public_names(arguments[0], added=True)
        elif method == "remove" and len(arguments) == 1 and arguments[0].type == "string":
            word = self.builder.text(arguments[0]).strip("\"'")
            if self.builder.all is not None:
                self.builder.all = [name for name in self.builder.all if name != word]
        elif method not in ("sort", "reverse", "index", "count"):
            self.builder.all = None

    def _augmented(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.read(right)
        if left is None:
            return
        if len(self.frames) == 1 and right is not None and self.builder.text(left) == "__all__":
            self._public_names(right, added=True)
        self.bind_target(left, -1, augmented=True)

    def bind_target(
        self, node: Node, value: int, *, declared: int = -1, local: bool = False, augmented: bool = False
    ) -> None:
        kind = node.type
        builder = self.builder
        if kind == "identifier":
            self._bind_name(node, value, declared, local, augmented)
        elif kind == "attribute":
            self._bind_attribute(node, value, declared, augmented)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            targets = [child for child in node.named_children if child.type != "comment"]
            starred = False
            for position, child in enumerate(targets):
                if starred:
                    position -= len(targets)  # behind `*rest` the parts are counted from the end
                starred = starred or child.type in ("list_splat_pattern", "list_splat")
                part = builder.expression(Op.PICK, value, position) if value >= 0 else -1
                self.bind_target(child, part, local=local)
        elif kind in ("list_splat_pattern", "list_splat"):
            for child in node.named_children:
                self.bind_target(child, builder.builtin("list"), local=local)
        elif kind in ("parenthesized_expression", "as_pattern_target"):
            for child in node.named_children:
                self.bind_target(child, value, local=local)
        else:
            self.read(node)

    def _bind_name(self, node: Node, value: int, declared: int, local: bool, augmented: bool) -> None:
        builder = self.builder
        name = builder.text(node)
        frame = self.frames[-1]
        scope = self.scope
        if frame.is_class and name[:2] == "__":
            name = self.private(name)
        if name in frame.globals:
            scope = builder.module_scope
        elif local or (len(self.frames) > 1 and not frame.is_class) or scope != frame.scope:
            self._bind_local(scope, name, node, value, declared, augmented)
            return
        if frame.body_names is not None and scope == frame.scope:
            frame.body_names.add(name)
            fields = builder.definitions[frame.definition].extra.get("fields")
            if fields is not None and declared >= 0 and name not in fields:
                fields.append(name)
        bindings = builder.bindings[scope].get(name, ())
        for position, (tag, payload) in enumerate(bindings):
            if tag == BindingTag.DEFINITION:
                draft = builder.definitions[payload]
                own = builder.expression(Op.DEFINITION, payload)
                if draft.kind in _CALLABLE_OR_CLASS and self._decorates(value, scope, name, draft):
                    builder.reference(ReferenceKind.WRITE, node, own, self.definition)
                    return
                if draft.kind in (DefinitionKind.VARIABLE, DefinitionKind.CONSTANT, DefinitionKind.FIELD):
                    if position < len(bindings) - 1 or scope != frame.scope:
                        self.rebind(scope, name, node.start_byte, clause=self.in_clause, existing=position)
                        if scope == frame.scope:
                            builder.bind(scope, name, BindingTag.DEFINITION, payload)
                    if not augmented:
                        draft.values.append(value)
                    if declared >= 0 and draft.type < 0:
                        draft.type = declared
                    builder.reference(ReferenceKind.WRITE, node, own, self.definition)
                    self._hold(scope, name, value, declared, augmented)
                    return
        if frame.is_class:
            kind = DefinitionKind.FIELD
        else:
            kind = DefinitionKind.CONSTANT if name.isupper() else DefinitionKind.VARIABLE
        self.rebind(scope, name, node.start_byte, clause=self.in_clause)
        parent = frame.definition if scope == frame.scope else 0
        index = builder.define(
            kind, builder.text(node), parent, (node.start_byte, node.end_byte), (node.start_byte, node.end_byte),
            visibility=visibility(builder.text(node)), flags=_CONDITIONAL if self.is_conditional(node) else 0,
        )  # fmt: skip
        draft = builder.definitions[index]
        draft.values = [] if augmented else [value]
        draft.type = declared
        builder.bind(scope, name, BindingTag.DEFINITION, index)
        self._hold(scope, name, value, declared, augmented)

    def _hold(self, scope: int, name: str, value: int, declared: int, augmented: bool) -> None:
        """A name holds a value from here on, as far as the order of statements says."""
        frame = self.frames[-1]
        flow = frame.flow
        if flow is None or scope != frame.scope or augmented or name in frame.unsteady:
            return
        key = self.builder.name(scope, name)
        if declared >= 0:
            flow.declared[key] = value = declared
        elif key in flow.declared:
            value = self.builder.expression(Op.SPECIAL, "assigned", value, flow.declared[key])
        flow.assign(key, value)

    def _decorates(self, value: int, scope: int, name: str, draft: Draft) -> bool:
        """Whether `name = f(name)` does by hand what a decorator does: the definition stays what the name means."""
        expressions = self.builder.expressions
        if value < 0 or expressions[value][0] != Op.CALL:
            return False
        own = [Op.NAME, scope, name]
        callee, arguments = expressions[value][1], expressions[value][3]
        inner = [expressions[argument] for argument in arguments if argument >= 0]
        made_by = [callee if inner and inner[0] == own else -1]
        if own not in inner:
            calls = [call for call in inner if call[0] == Op.CALL]
            if own not in [expressions[part] for call in calls for part in call[3] if part >= 0]:
                return False
            made_by = [callee, calls[0][1]] if inner == calls and len(calls) == 1 else [-1]
        if callee >= 0 and expressions[callee][0] == Op.NAME:
            draft.flags |= _MADE_BY.get(expressions[callee][2], 0)
        draft.decorators = [*made_by, *draft.decorators]
        names = [expressions[one][2] if one >= 0 and expressions[one][0] in _NAMING else "" for one in made_by]
        draft.extra["decorators"] = sorted({*draft.extra.get("decorators", ()), *names})
        return True

    def _bind_local(self, scope: int, name: str, node: Node, value: int, declared: int, augmented: bool) -> None:
        builder = self.builder
        frame = self.frames[-1]
        if name in frame.nonlocals:
            # The name is one of a function around: it is bound there, and holds this as well.
            outer = builder.local_binding(builder.scopes[scope][0], name)
            scope = outer[0] if outer is not None and outer[0] != builder.module_scope else scope
            self.forget_outer(scope, name)
        if augmented and name in builder.bindings[scope]:
            # `x += y` is taken to leave the type of x as it is: in-place operators give their left operand's type.
            return
        builder.bind_local(scope, name, declared if declared >= 0 else value, node, self.definition)
        self._hold(scope, name, value, declared, False)

    def _bind_attribute(self, node: Node, value: int, declared: int, augmented: bool) -> None:
        """`self.x = ...` declares a field of the class at its first assignment; everything else is a write."""
        builder = self.builder
        children = node.named_children
        if len(children) == 2 and self.known:
            self._forget_member(children)
        if len(children) == 2 and children[0].type == "identifier" and children[1].type == "identifier":
            owner = builder.text(children[0])
            if self.own_name(owner) >= 0:
                name = builder.text(children[1])
                if self._assign_field(children[1], self.own_class, name, value, declared, augmented):
                    return
            elif len(self.frames) == 1:
                self._replace_method(owner, builder.text(children[1]), value)
        self.read_attribute(node, ReferenceKind.WRITE)

    def _replace_method(self, class_name: str, name: str, value: int) -> None:
        """`C.method = value` in the module of a class: from then on instances have that."""
        builder = self.builder
        for tag, index in builder.bindings[builder.module_scope].get(class_name, ()):
            if tag == BindingTag.DEFINITION and builder.definitions[index].kind == DefinitionKind.CLASS:
                for inner, payload in builder.bindings[builder.definitions[index].scope].get(name, ()):
                    if inner == BindingTag.DEFINITION and builder.definitions[payload].kind == DefinitionKind.METHOD:
                        builder.definitions[payload].extra.setdefault("replaced", []).append(value)

    def _forget_member(self, children: list[Node]) -> None:
        """What is assigned to a member ends what a test has said about it."""
        key, _ = self.key_of(children[0])
        if key >= 0:
            name = self.private(self.builder.text(children[1]))
            self.forget(self.builder.attribute(self.known.get(key, key), name))

    def _assign_field(self, node: Node, owner: int, name: str, value: int, declared: int, augmented: bool) -> bool:
        """Whether this assignment declares the field; otherwise its value is added to the field there is."""
        builder = self.builder
        scope = builder.definitions[owner].scope
        bound = mangled(name, builder.definitions[owner].name)
        for tag, payload in builder.bindings[scope].get(bound, ()):
            if tag == BindingTag.DEFINITION:
                draft = builder.definitions[payload]
                if draft.kind == DefinitionKind.METHOD and not augmented:
                    draft.extra.setdefault("replaced", []).append(value)
                if draft.kind == DefinitionKind.FIELD:
                    if not augmented:
                        draft.values.append(value)
                    if declared >= 0 and draft.type < 0:
                        draft.type = declared
                return False
        if augmented:
            return False
        index = builder.define(
            DefinitionKind.FIELD, name, owner, (node.start_byte, node.end_byte), (node.start_byte, node.end_byte),
            visibility=visibility(name),
        )  # fmt: skip
        builder.definitions[index].values = [value]
        builder.definitions[index].type = declared
        builder.definitions[index].extra = {"instance": builder.definitions[self.definition].name}
        builder.bind(scope, bound, BindingTag.DEFINITION, index)
        return True
