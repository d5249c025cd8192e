"""Extraction of one Python file: its statements in source order, with the frames (module, classes, functions) they stand in.

Scoping follows the Python language reference, section 4.2 (naming and binding); comprehensions section 6.2.4; `global`
section 7.12; type parameters section 8.10.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, query
from graph.languages.base import ParsedFile
from graph.languages.python.expressions import Expressions, Frame
from graph.model import (
    BindingTag,
    DefinitionKind,
    FileFacts,
    Flag,
    Op,
    ReferenceKind,
    ScopeKind,
    Visibility,
)

# Plain integers: combining flag members runs Python code, and every definition does it.
_ASYNC, _PROPERTY, _STATIC = int(Flag.ASYNC), int(Flag.PROPERTY), int(Flag.STATIC)
_CLASSMETHOD, _ABSTRACT, _OVERLOAD = int(Flag.CLASSMETHOD), int(Flag.ABSTRACT), int(Flag.OVERLOAD)
_DEPRECATED, _TEST, _CONDITIONAL, _GENERATOR = (
    int(Flag.DEPRECATED),
    int(Flag.TEST),
    int(Flag.CONDITIONAL),
    int(Flag.GENERATOR),
)
_PUBLIC, _PRIVATE = int(Visibility.PUBLIC), int(Visibility.PRIVATE)
_SIGNATURE_LIMIT = 240
_PROPERTY_DECORATORS = frozenset({"property", "cached_property", "abstractproperty", "classproperty", "lazy_property"})
_ACCESSORS = frozenset({"setter", "deleter", "getter"})


def extract(file: ParsedFile) -> FileFacts:
    """The facts of a parsed Python file."""
    stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if stem == "__init__" and "/" in file.path:
        stem = file.path.rsplit("/", 2)[-2]
    builder = FactBuilder(file.source, stem, ClassScope.OWN)
    root = file.tree.root_node
    builder.damage, builder.conflict_markers = damage(file.source, root, file.grammar)
    Reader(builder, test_file=_is_test_file(file.path)).run(root)
    return builder.finish()


def _is_test_file(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.startswith("test_") or name.endswith("_test.py") or name in ("conftest.py", "tests.py")


class Reader(Expressions):
    """Reads the statements of one file."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder)
        self._test_file = test_file
        self._decorators: list[tuple[str, int]] = []
        self._match_subjects: list[tuple[int, int]] = []
        self._statements: dict[str, Callable[[Node], None]] = {
            "class_definition": self._class,
            "function_definition": self._function,
            "import_statement": self._import,
            "import_from_statement": self._import_from,
            "future_import_statement": self._import_from,
            "if_statement": self._if,
            "while_statement": self._while,
            "try_statement": self._conditional,
            "with_statement": self._nothing,
            "for_statement": self._for,
            "match_statement": self._match,
            "assignment": self._assignment,
            "augmented_assignment": self._augmented,
            "return_statement": self._return,
            "raise_statement": self._raise,
            "delete_statement": self._delete,
            "type_alias_statement": self._type_alias,
            "global_statement": self._global,
            "nonlocal_statement": self._nothing,
            "decorated_definition": self._nothing,
            "pass_statement": self._nothing,
            "break_statement": self._nothing,
            "continue_statement": self._nothing,
            "comment": self._nothing,
            "block": self._nothing,
            "string": self._string_statement,
            "expression_statement": self._expression_statement,
        }
        self._clauses: dict[str, Callable[[Node], None]] = {
            "decorator": self._decorator,
            "elif": self._elif,
            "except": self._except,
            "with_item": self._with_item,
            "case": self._case,
        }

    def run(self, root: Node) -> None:
        """Read the whole file."""
        frames = self.frames
        for start, minus_end, capture, node in anchors(query("graph.languages.python", "structure.scm", "python"), root):
            while start >= frames[-1].end and len(frames) > 1:
                self._close()
            if minus_end == -start:
                continue
            if capture == "statement":
                handler = self._statements.get(node.type)
                if handler is not None:
                    handler(node)
                else:
                    self.read(node)
            else:
                self._clauses[capture](node)
        while len(frames) > 1:
            self._close()

    # -- frames -------------------------------------------------------------------------------------------------------

    def _open(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.scope = frame.scope
        self.definition = frame.definition
        self.refresh_own()

    def _close(self) -> None:
        frame = self.frames.pop()
        builder = self.builder
        draft = builder.definitions[frame.definition]
        if not frame.is_class:
            if frame.is_generator:
                draft.flags |= _GENERATOR
                draft.values = [builder.expression(Op.SPECIAL, "generator", -1, list(dict.fromkeys(frame.yields)))]
            elif frame.returns:
                draft.values = list(dict.fromkeys(frame.returns))
            else:
                draft.values = [builder.builtin("None")]
        self.scope = self.frames[-1].scope
        self.definition = self.frames[-1].definition
        self.refresh_own()

    def _is_conditional(self, node: Node) -> bool:
        return node.start_byte < self.frames[-1].conditional_end

    # -- definitions --------------------------------------------------------------------------------------------------

    def _decorator(self, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            return
        target = children[0]
        name_node = target.named_children[0] if target.type == "call" and target.named_children else target
        text = self.builder.text(name_node)
        if name_node.type == "identifier":
            expression = self.builder.name(self.scope, text)
            self.builder.reference(ReferenceKind.DECORATE, name_node, expression, self.definition)
        elif name_node.type == "attribute":
            expression = self.read_attribute(name_node, ReferenceKind.DECORATE)
        else:
            expression = self.read(name_node)
        if target.type == "call":
            for argument in target.named_children[1:]:
                for child in argument.named_children:
                    self.read(child)
        self._decorators.append((text, expression))

    def _take_decorators(self) -> list[tuple[str, int]]:
        taken, self._decorators = self._decorators, []
        return taken

    def _class(self, node: Node) -> None:
        builder = self.builder
        decorators = self._take_decorators()
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return
        name = builder.text(name_node)
        flags = _CONDITIONAL if self._is_conditional(node) else 0
        if name.startswith("Test") and self._test_file:
            flags |= _TEST
        index = builder.define(
            DefinitionKind.CLASS, name, self.definition, (node.start_byte, node.end_byte),
            (name_node.start_byte, name_node.end_byte), flags=flags, visibility=_visibility(name),
        )  # fmt: skip
        draft = builder.definitions[index]
        self._bind_definition(name, index)
        parameters = self._type_parameters(node.child_by_field_name("type_parameters"), index)
        frame = Frame(node.end_byte, -1, index, is_class=True, class_definition=index)
        frame.type_parameters = parameters
        superclasses = node.child_by_field_name("superclasses")
        bases = [] if superclasses is None else superclasses.named_children
        if not parameters:
            self._old_style_parameters(bases, index, frame)
        self.frames.append(frame)
        for base in bases:
            if base.type == "keyword_argument":
                self.read(base)
            elif base.type in ("identifier", "attribute", "subscript"):
                draft.bases.append(self._read_base(base))
            elif base.type != "comment":
                draft.bases.append(self.read(base))
        self.frames.pop()
        draft.decorators = [expression for _, expression in decorators]
        draft.scope = frame.scope = builder.scope(self.scope, ScopeKind.CLASS, index)
        header_end = superclasses.end_byte if superclasses is not None else name_node.end_byte
        draft.signature = _one_line(builder.slice(node.start_byte, header_end))
        draft.doc = self._doc(body)
        if any(text.rsplit(".", 1)[-1] == "deprecated" for text, _ in decorators):
            draft.flags |= _DEPRECATED
        self._open(frame)

    def _read_base(self, node: Node) -> int:
        """A base class: its name is a BASE reference, type arguments are TYPE references."""
        builder = self.builder
        if node.type == "identifier":
            expression = builder.name(self.scope, builder.text(node))
            builder.reference(ReferenceKind.BASE, node, expression, self.frames[-1].definition)
            return expression
        if node.type == "attribute":
            definition, self.definition = self.definition, self.frames[-1].definition
            expression = self.read_attribute(node, ReferenceKind.BASE)
            self.definition = definition
            return expression
        children = node.named_children
        if not children:
            return -1
        base = self._read_base(children[0]) if children[0].type in ("identifier", "attribute") else self.read(children[0])
        return builder.expression(Op.GENERIC, base, [self.read_type(child) for child in children[1:]])

    def _old_style_parameters(self, bases: list[Node], index: int, frame: Frame) -> None:
        """Type parameters that a class takes from `Generic[T]`, `Protocol[T]` or, without these, from its bases' arguments."""
        builder = self.builder
        names: list[str] = []
        explicit: list[str] | None = None
        for base in bases:
            if base.type != "subscript":
                continue
            children = base.named_children
            head = builder.text(children[0]).rsplit(".", 1)[-1]
            found = [builder.text(child) for child in children[1:] if child.type == "identifier"]
            known = [name for name in found if name in self.type_variables]
            if head in ("Generic", "Protocol"):
                explicit = found
            names.extend(name for name in known if name not in names)
        for position, name in enumerate(explicit if explicit is not None else names):
            builder.definitions[index].type_parameters.append([name, -1])
            own = builder.expression(Op.TYPE_PARAMETER, index, position)
            frame.type_parameters = {**frame.type_parameters, name: own}

    def _type_parameters(self, node: Node | None, index: int) -> dict[str, int]:
        """Type parameters in brackets (PEP 695)."""
        result: dict[str, int] = {}
        for position, child in enumerate([] if node is None else node.named_children):
            inner = child.named_children[0] if child.type == "type" and child.named_children else child
            bound = -1
            if inner.type == "constrained_type" and len(inner.named_children) > 1:
                bound = self.read_type(inner.named_children[1])
                inner = inner.named_children[0]
            name = self.builder.text(inner).lstrip("*").strip()
            self.builder.definitions[index].type_parameters.append([name, bound])
            result[name] = self.builder.expression(Op.TYPE_PARAMETER, index, position)
        return result

    def _function(self, node: Node) -> None:
        builder = self.builder
        decorators = self._take_decorators()
        name_node = node.child_by_field_name("name")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return
        name = builder.text(name_node)
        outer = self.frames[-1]
        words = {text.rsplit(".", 1)[-1] for text, _ in decorators}
        flags = self._function_flags(node, name, words)
        kind = DefinitionKind.METHOD if outer.is_class else DefinitionKind.FUNCTION
        index = builder.define(
            kind, name, self.definition, (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte),
            flags=flags, visibility=_visibility(name),
        )  # fmt: skip
        draft = builder.definitions[index]
        draft.decorators = [expression for _, expression in decorators]
        draft.extra = {"decorators": sorted(words)} if words else {}
        if not words & _ACCESSORS:
            self._bind_definition(name, index)
        frame = Frame(node.end_byte, -1, index)
        frame.type_parameters = self._type_parameters(node.child_by_field_name("type_parameters"), index)
        frame.scope = draft.scope = builder.scope(self.scope, ScopeKind.FUNCTION, index)
        if outer.is_class:
            frame.class_definition = outer.definition
            if not flags & _STATIC:
                frame.self_is_class = bool(flags & _CLASSMETHOD)
        self.frames.append(frame)
        parameters = node.child_by_field_name("parameters")
        returns = node.child_by_field_name("return_type")
        self._old_style_function_parameters(parameters, returns, index, frame)
        self._parameters(parameters, frame, method=outer.is_class and not flags & _STATIC)
        if returns is not None:
            type_ = self.read_type(returns)
            draft.type = builder.instance(type_)
        self.frames.pop()
        header = returns or parameters
        header_end = header.end_byte if header is not None else name_node.end_byte
        draft.signature = _one_line(builder.slice(node.start_byte, header_end))
        draft.doc = self._doc(node.child_by_field_name("body"))
        self._open(frame)

    def _function_flags(self, node: Node, name: str, words: set[str]) -> int:
        flags = 0
        if self.builder.source.startswith(b"async", node.start_byte):
            flags |= _ASYNC
        if words & _PROPERTY_DECORATORS:
            flags |= _PROPERTY
        if "staticmethod" in words:
            flags |= _STATIC
        if "classmethod" in words or (self.frames[-1].is_class and name in ("__new__", "__init_subclass__", "__class_getitem__")):
            flags |= _CLASSMETHOD
        if "abstractmethod" in words or "abstractproperty" in words:
            flags |= _ABSTRACT
        if "overload" in words:
            flags |= _OVERLOAD
        if "deprecated" in words:
            flags |= _DEPRECATED
        if name.startswith("test") and self._test_file:
            flags |= _TEST
        if self._is_conditional(node):
            flags |= _CONDITIONAL
        return flags

    def _old_style_function_parameters(self, parameters: Node | None, returns: Node | None, index: int, frame: Frame) -> None:
        """Module-level type variables in a function's annotations are its type parameters, unless the class owns them."""
        if not self.type_variables or parameters is None or frame.type_parameters:
            return
        end = returns.end_byte if returns is not None else parameters.end_byte
        text = self.builder.slice(parameters.start_byte, end)
        for name in sorted(self.type_variables):
            if name in text and not any(name in outer.type_parameters for outer in self.frames[:-1]):
                position = len(self.builder.definitions[index].type_parameters)
                self.builder.definitions[index].type_parameters.append([name, -1])
                own = self.builder.expression(Op.TYPE_PARAMETER, index, position)
                frame.type_parameters = {**frame.type_parameters, name: own}

    def _parameters(self, node: Node | None, frame: Frame, *, method: bool) -> None:
        draft = self.builder.definitions[frame.definition]
        keyword_only = False
        first = True
        for child in [] if node is None else node.named_children:
            kind = child.type
            if kind == "keyword_separator":
                keyword_only = True
                continue
            if kind in ("positional_separator", "comment"):
                continue
            name_node, type_node, default_node, form = _parameter_parts(child)
            if name_node is None or name_node.type != "identifier":
                continue
            name = self.builder.text(name_node)
            type_ = self.read_type(type_node) if type_node is not None else -1
            default = self.read(default_node) if default_node is not None else -1
            if form == 0 and keyword_only:
                form = 2
            keyword_only = keyword_only or form == 1
            if method and first and form == 0:
                frame.self_name = name
                value = (
                    self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
                    if frame.self_is_class
                    else self.builder.expression(Op.SELF, frame.class_definition)
                )
            else:
                value = self._parameter_value(form, type_, default)
                draft.parameters.append([name, type_, int(default_node is not None), form])
            first = False
            self.builder.bind_local(frame.scope, name, value, name_node, frame.definition, parameter=True)

    def _parameter_value(self, form: int, type_: int, default: int) -> int:
        builder = self.builder
        if form == 1:
            return builder.builtin("tuple", [type_])
        if form == 3:
            return builder.builtin("dict", [builder.name(builder.module_scope, "str"), type_])
        if type_ >= 0:
            return builder.instance(type_)
        if default >= 0:
            return builder.union([default, -1])
        return -1

    def _bind_definition(self, name: str, index: int) -> None:
        frame = self.frames[-1]
        scope = self.builder.module_scope if name in frame.globals else self.scope
        self.builder.bind(scope, name, BindingTag.DEFINITION, index)

    def _doc(self, body: Node | None) -> str:
        """First line of a docstring."""
        if body is None:
            return ""
        for child in body.named_children:
            if child.type == "expression_statement" and child.named_children:
                child = child.named_children[0]
            if child.type == "string":
                text = self.builder.text(child).lstrip("rRbBuUfF").strip("\"'").strip()
                return text.split("\n", 1)[0].strip()[:200]
            if child.type != "comment":
                break
        return ""

    # -- imports ------------------------------------------------------------------------------------------------------

    def _import(self, node: Node) -> None:
        builder = self.builder
        for child in node.named_children:
            name, alias = child, None
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None or name.type != "dotted_name":
                continue
            parts = [part for part in name.named_children if part.type == "identifier"]
            words = [builder.text(part) for part in parts]
            index = -1
            for position, part in enumerate(parts):
                index = builder.imported(".".join(words[: position + 1]), "")
                expression = builder.expression(Op.IMPORTED, index)
                start = name.start_byte if position else -1
                builder.reference(ReferenceKind.IMPORT, part, expression, self.definition, qualifier_start=start)
                if position == 0 and alias is None:
                    self._bind_import(words[0], index)
            if alias is not None and index >= 0:
                self._bind_import(builder.text(alias), index)

    def _import_from(self, node: Node) -> None:
        builder = self.builder
        module = node.child_by_field_name("module_name")
        specifier = "__future__" if node.type == "future_import_statement" else ""
        if module is not None:
            specifier = "".join(builder.text(module).split())
            self._module_references(module)
        for child in node.named_children:
            if module is not None and child.start_byte == module.start_byte:
                continue
            if child.type == "wildcard_import":
                index = builder.imported(specifier, "*")
                builder.stars.append([self.scope, index])
                continue
            name, alias = child, None
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None or name.type != "dotted_name":
                continue
            word = builder.text(name)
            index = builder.imported(specifier, word)
            target = name.named_children[-1] if name.named_children else name
            builder.reference(ReferenceKind.IMPORT, target, builder.expression(Op.IMPORTED, index), self.definition)
            self._bind_import(builder.text(alias) if alias is not None else word, index)

    def _module_references(self, module: Node) -> None:
        """References for the parts of the module name of a from-import."""
        builder = self.builder
        prefix = ""
        dotted: Node | None = module
        if module.type == "relative_import":
            dotted = None
            for child in module.named_children:
                if child.type == "import_prefix":
                    prefix = "".join(builder.text(child).split())
                elif child.type == "dotted_name":
                    dotted = child
        if dotted is None:
            return
        words: list[str] = []
        for part in dotted.named_children:
            if part.type != "identifier":
                continue
            words.append(builder.text(part))
            index = builder.imported(prefix + ".".join(words), "")
            start = module.start_byte if prefix or len(words) > 1 else -1
            expression = builder.expression(Op.IMPORTED, index)
            builder.reference(ReferenceKind.IMPORT, part, expression, self.definition, qualifier_start=start)

    def _bind_import(self, name: str, index: int) -> None:
        frame = self.frames[-1]
        scope = self.builder.module_scope if name in frame.globals else self.scope
        self.builder.bind(scope, name, BindingTag.IMPORT, index)

    # -- assignments --------------------------------------------------------------------------------------------------

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
        value = self.read(current) if current is not None else -1
        declared = -1
        if declared_node is not None:
            declared = self._declared(declared_node)
        if len(targets) == 1 and targets[0].type == "identifier" and current is not None:
            self._special_names(self.builder.text(targets[0]), current, augmented=False)
        for target in targets:
            self.bind_target(target, value, declared=declared)

    def _declared(self, node: Node) -> int:
        """The value of a declared type; `ClassVar[X]` and `Final[X]` declare X, a bare one declares nothing."""
        inner = node.named_children[0] if node.named_children else node
        text = self.builder.text(inner)
        type_ = self.read_type(node)
        if text.rsplit(".", 1)[-1] in ("Final", "ClassVar", "TypeAlias"):
            return -1
        return self.builder.instance(type_)

    def _special_names(self, name: str, value: Node, *, augmented: bool) -> None:
        """`__all__` and type variables at module level."""
        if len(self.frames) > 1:
            return
        builder = self.builder
        if name == "__all__":
            words: list[str] | None = []
            if value.type in ("list", "tuple"):
                for child in value.named_children:
                    if child.type == "string" and words is not None:
                        words.append(builder.text(child).strip("\"'"))
                    elif child.type != "comment":
                        words = None
            else:
                words = None
            if words is None or (augmented and builder.all is None):
                builder.all = None
            else:
                builder.all = [*(builder.all or []), *words]
        elif value.type == "call" and value.named_children:
            if builder.text(value.named_children[0]).rsplit(".", 1)[-1] in ("TypeVar", "ParamSpec", "TypeVarTuple"):
                self.type_variables.add(name)

    def _augmented(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.read(right)
        if left is None:
            return
        if left.type == "identifier" and right is not None:
            self._special_names(self.builder.text(left), right, augmented=True)
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
            for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
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
        if name in frame.globals:
            scope = builder.module_scope
        elif local or (len(self.frames) > 1 and not frame.is_class) or scope != frame.scope:
            if augmented:
                value = -1
            builder.bind_local(scope, name, declared if declared >= 0 else value, node, self.definition)
            return
        for tag, payload in builder.bindings[scope].get(name, ()):
            if tag == BindingTag.DEFINITION:
                draft = builder.definitions[payload]
                if draft.kind in (DefinitionKind.VARIABLE, DefinitionKind.CONSTANT, DefinitionKind.FIELD):
                    if not augmented:
                        draft.values.append(value)
                    if declared >= 0 and draft.type < 0:
                        draft.type = declared
                    builder.reference(ReferenceKind.WRITE, node, builder.name(scope, name), self.definition)
                    return
        if frame.is_class:
            kind = DefinitionKind.FIELD
        else:
            kind = DefinitionKind.CONSTANT if name.isupper() else DefinitionKind.VARIABLE
        parent = frame.definition if scope == frame.scope else 0
        index = builder.define(
            kind, name, parent, (node.start_byte, node.end_byte), (node.start_byte, node.end_byte),
            visibility=_visibility(name), flags=_CONDITIONAL if self._is_conditional(node) else 0,
        )  # fmt: skip
        draft = builder.definitions[index]
        draft.values = [] if augmented else [value]
        draft.type = declared
        builder.bind(scope, name, BindingTag.DEFINITION, index)

    def _bind_attribute(self, node: Node, value: int, declared: int, augmented: bool) -> None:
        """`self.x = ...` declares a field of the class at its first assignment; everything else is a write."""
        builder = self.builder
        children = node.named_children
        if len(children) == 2 and children[0].type == "identifier" and children[1].type == "identifier":
            own = self.own_name(builder.text(children[0]))
            if own >= 0:
                name = builder.text(children[1])
                owner = builder.expressions[own][-1]
                if self._assign_field(children[1], owner, name, value, declared, augmented):
                    return
        self.read_attribute(node, ReferenceKind.WRITE)

    def _assign_field(self, node: Node, owner: int, name: str, value: int, declared: int, augmented: bool) -> bool:
        """Whether this assignment declares the field; otherwise its value is added to the field there is."""
        builder = self.builder
        scope = builder.definitions[owner].scope
        for tag, payload in builder.bindings[scope].get(name, ()):
            if tag == BindingTag.DEFINITION:
                draft = builder.definitions[payload]
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
            visibility=_visibility(name),
        )  # fmt: skip
        builder.definitions[index].values = [value]
        builder.definitions[index].type = declared
        builder.bind(scope, name, BindingTag.DEFINITION, index)
        return True

    # -- other statements ---------------------------------------------------------------------------------------------

    def _nothing(self, node: Node) -> None:
        """A statement whose parts are read on their own."""

    def _string_statement(self, node: Node) -> None:
        self.read(node)

    def _expression_statement(self, node: Node) -> None:
        for child in node.named_children:
            handler = self._statements.get(child.type)
            if handler is not None:
                handler(child)
            else:
                self.read(child)

    def _if(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        self.read(condition)
        if condition is None or "TYPE_CHECKING" not in self.builder.text(condition):
            self._conditional(node)

    def _conditional(self, node: Node) -> None:
        frame = self.frames[-1]
        frame.conditional_end = max(frame.conditional_end, node.end_byte)

    def _elif(self, node: Node) -> None:
        self.read(node.child_by_field_name("condition"))

    def _while(self, node: Node) -> None:
        self.read(node.child_by_field_name("condition"))

    def _for(self, node: Node) -> None:
        right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
        value = self.read(right)
        if left is not None:
            self.bind_target(left, self.builder.expression(Op.ITERATE, value) if value >= 0 else -1)

    def _with_item(self, node: Node) -> None:
        for child in node.named_children:
            self._with_value(child)

    def _with_value(self, node: Node) -> None:
        if node.type == "parenthesized_expression" or node.type == "tuple":
            for child in node.named_children:
                self._with_value(child)
        elif node.type == "as_pattern" and len(node.named_children) > 1:
            children = node.named_children
            value = self.read(children[0])
            self.bind_target(children[-1], self.builder.expression(Op.ENTER, value) if value >= 0 else -1)
        else:
            self.read(node)

    def _except(self, node: Node) -> None:
        value = node.child_by_field_name("value")
        if value is None:
            return
        alias = None
        if value.type == "as_pattern" and len(value.named_children) > 1:
            alias = value.named_children[-1]
            value = value.named_children[0]
        parts = value.named_children if value.type == "tuple" else [value]
        types: list[int] = []
        for part in parts:
            types.append(self.read_type(part) if part.type in ("identifier", "attribute") else self.read(part))
        if alias is not None:
            self.bind_target(alias, self.builder.instance(self.builder.union(types)))

    def _return(self, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        value = self.read(children[0]) if children else self.builder.builtin("None")
        self.frames[-1].returns.append(value)

    def _raise(self, node: Node) -> None:
        """The class that is raised is a RAISE reference; in `raise E(...)` its construction is that reference."""
        for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
            if position:
                self.read(child)
                continue
            target = child.named_children[0] if child.type == "call" and child.named_children else child
            before = target.type
            if before == "identifier":
                expression = self.builder.name(self.scope, self.builder.text(target))
                self.builder.reference(ReferenceKind.RAISE, target, expression, self.definition)
            elif before == "attribute":
                self.read_attribute(target, ReferenceKind.RAISE)
            else:
                self.read(target)
            if child.type == "call":
                for argument in child.named_children[1:]:
                    for part in argument.named_children:
                        self.read(part)

    def _delete(self, node: Node) -> None:
        for child in node.named_children:
            for part in child.named_children if child.type == "expression_list" else [child]:
                if part.type == "attribute":
                    self.read_attribute(part, ReferenceKind.DELETE)
                else:
                    self.read(part)

    def _type_alias(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None:
            return
        name_node = left
        while name_node.type in ("type", "generic_type") and name_node.named_children:
            name_node = name_node.named_children[0]
        name = self.builder.text(name_node)
        place = (name_node.start_byte, name_node.end_byte)
        index = self.builder.define(DefinitionKind.TYPE, name, self.definition, (node.start_byte, node.end_byte), place)
        self._bind_definition(name, index)
        generic = left.named_children[0] if left.named_children else left
        parameters = generic.named_children[1] if generic.type == "generic_type" and generic.named_child_count > 1 else None
        names = self._type_parameters(parameters, index)
        frame = Frame(node.end_byte, self.scope, index)
        frame.type_parameters = names
        self.frames.append(frame)
        self.builder.definitions[index].type = self.read_type(right)
        self.frames.pop()

    def _global(self, node: Node) -> None:
        names = {self.builder.text(child) for child in node.named_children}
        self.frames[-1].globals = self.frames[-1].globals | names

    # -- match --------------------------------------------------------------------------------------------------------

    def _match(self, node: Node) -> None:
        parts = [child for child in node.named_children if child.type not in ("comment", "block", "case_clause")]
        values = [self.read(part) for part in parts]
        self._match_subjects.append((node.end_byte, values[0] if len(values) == 1 else -1))

    def _case(self, node: Node) -> None:
        while self._match_subjects and self._match_subjects[-1][0] <= node.start_byte:
            self._match_subjects.pop()
        subject = self._match_subjects[-1][1] if self._match_subjects else -1
        for child in node.named_children:
            if child.type == "case_pattern":
                self._pattern(child, subject)
            elif child.type == "if_clause":
                for part in child.named_children:
                    self.read(part)

    def _pattern(self, node: Node, subject: int) -> None:
        """A pattern: capture names are bound, class and value patterns are references (Python reference, 8.6.4)."""
        builder = self.builder
        kind = node.type
        children = node.named_children
        if kind == "case_pattern":
            for child in children:
                self._pattern(child, subject)
        elif kind == "dotted_name":
            if len(children) == 1:
                if builder.text(children[0]) != "_":
                    self._bind_name(children[0], subject, -1, False, False)
                return
            expression = builder.name(self.scope, builder.text(children[0]))
            builder.reference(ReferenceKind.READ, children[0], expression, self.definition)
            for part in children[1:]:
                expression = builder.attribute(expression, builder.text(part))
                builder.reference(
                    ReferenceKind.READ, part, expression, self.definition, qualifier_start=node.start_byte
                )
        elif kind == "class_pattern":
            self._class_pattern(node)
        elif kind == "as_pattern":
            if len(children) > 1:
                self._pattern(children[0], subject)
                inner = children[0].named_children[0] if children[0].named_children else children[0]
                value = self._class_of_pattern(inner) if inner.type == "class_pattern" else subject
                self._bind_name(children[-1], value, -1, False, False)
        elif kind in ("list_pattern", "tuple_pattern", "union_pattern", "dict_pattern"):
            for child in children:
                self._pattern(child, subject if kind == "union_pattern" else -1)
        elif kind == "splat_pattern":
            for child in children:
                if child.type == "identifier" and builder.text(child) != "_":
                    self._bind_name(child, builder.builtin("list"), -1, False, False)
        elif kind == "identifier":
            if builder.text(node) != "_":
                self._bind_name(node, subject, -1, False, False)
        else:
            self.read(node)

    def _class_of_pattern(self, node: Node) -> int:
        names = node.named_children[0].named_children if node.named_children else []
        if not names:
            return -1
        expression = self.builder.name(self.scope, self.builder.text(names[0]))
        for part in names[1:]:
            expression = self.builder.attribute(expression, self.builder.text(part))
        return self.builder.instance(expression)

    def _class_pattern(self, node: Node) -> None:
        builder = self.builder
        instance = self._class_of_pattern(node)
        for position, child in enumerate(node.named_children):
            if position == 0:
                parts = child.named_children or [child]
                expression = -1
                for depth, part in enumerate(parts):
                    text = builder.text(part)
                    expression = builder.attribute(expression, text) if depth else builder.name(self.scope, text)
                    start = child.start_byte if depth else -1
                    builder.reference(ReferenceKind.TYPE, part, expression, self.definition, qualifier_start=start)
                continue
            inner = child.named_children[0] if child.type == "case_pattern" and child.named_children else child
            if inner.type == "keyword_pattern" and inner.named_children:
                name, *rest = inner.named_children
                expression = builder.attribute(instance, builder.text(name)) if instance >= 0 else -1
                builder.reference(ReferenceKind.READ, name, expression, self.definition)
                for part in rest:
                    self._pattern(part, expression)
            else:
                self._pattern(child, -1)


def _parameter_parts(node: Node) -> tuple[Node | None, Node | None, Node | None, int]:
    """Name, type, default and form (0 positional, 1 rest, 3 keyword rest) of one parameter."""
    kind = node.type
    if kind == "identifier":
        return node, None, None, 0
    type_ = node.child_by_field_name("type") if kind in ("typed_parameter", "typed_default_parameter") else None
    default = node.child_by_field_name("value") if kind in ("default_parameter", "typed_default_parameter") else None
    inner: Node | None = node
    if kind in ("typed_parameter", "default_parameter", "typed_default_parameter"):
        inner = node.named_children[0] if node.named_children else None
    form = 0
    if inner is not None and inner.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        form = 1 if inner.type == "list_splat_pattern" else 3
        inner = inner.named_children[0] if inner.named_children else None
    return inner, type_, default, form


def _visibility(name: str) -> int:
    """Public unless the name starts with an underscore and is no dunder (PEP 8)."""
    if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
        return _PRIVATE
    return _PUBLIC


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_SIGNATURE_LIMIT]
