"""Classes and functions, with their decorators."""

from __future__ import annotations

import re

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.python.flow import Flow
from graph.languages.python.frames import Frame
from graph.languages.python.names import visibility
from graph.languages.python.parameters import Parameters
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

# Plain integers: combining flag members runs Python code, and every definition does it.
_ASYNC, _PROPERTY, _STATIC = int(Flag.ASYNC), int(Flag.PROPERTY), int(Flag.STATIC)
_CLASSMETHOD, _ABSTRACT, _OVERLOAD = int(Flag.CLASSMETHOD), int(Flag.ABSTRACT), int(Flag.OVERLOAD)
_DEPRECATED, _TEST, _CONDITIONAL, _GENERATOR = (
    int(Flag.DEPRECATED),
    int(Flag.TEST),
    int(Flag.CONDITIONAL),
    int(Flag.GENERATOR),
)
_WORD = re.compile(r"\w+")
_SIGNATURE_LIMIT = 240
_PROPERTY_DECORATORS = frozenset({"property", "cached_property", "abstractproperty", "classproperty", "lazy_property"})
_ACCESSORS = frozenset({"setter", "deleter", "getter"})


class Definitions(Parameters):
    """Reads classes and functions."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder)
        self._test_file = test_file
        self._decorators: list[tuple[str, int]] = []
        self._parametrized: set[str] = set()

    def _decorator(self, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            return
        target = children[0]
        name_node = target.named_children[0] if target.type == "call" and target.named_children else target
        text = self.builder.text(name_node)
        if name_node.type == "identifier":
            expression = self.seen(text)
            self.builder.reference(ReferenceKind.DECORATE, name_node, expression, self.definition)
        elif name_node.type == "attribute":
            expression = self.read_attribute(name_node, ReferenceKind.DECORATE)
        else:
            expression = self.read(name_node)
        if target.type == "call":
            for argument in target.named_children[1:]:
                for child in argument.named_children:
                    self.read(child)
            expression = self.builder.call(expression, [])
            if text.endswith("parametrize") and len(target.named_children) > 1:
                self._parametrize(target.named_children[1])
        self._decorators.append((text, expression))

    def _parametrize(self, arguments: Node) -> None:
        """The parameters that `pytest.mark.parametrize` gives, unless they pass through fixtures (`indirect`)."""
        first = arguments.named_children[0] if arguments.named_children else None
        if first is not None and "indirect" not in self.builder.text(arguments):
            self._parametrized.update(_WORD.findall(self.builder.text(first)))

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
        flags = _CONDITIONAL if self.is_conditional(node) else 0
        if name.startswith("Test") and self._test_file:
            flags |= _TEST
        index = builder.define(
            DefinitionKind.CLASS, name, self.definition, (node.start_byte, node.end_byte),
            (name_node.start_byte, name_node.end_byte), flags=flags, visibility=visibility(name),
        )  # fmt: skip
        draft = builder.definitions[index]
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
                value = self.read(base)
                if self.builder.text(base).startswith("metaclass") and value >= 0:
                    draft.extra["metaclass"] = value
            elif base.type in ("identifier", "attribute", "subscript"):
                draft.bases.append(self._read_base(base))
            elif base.type != "comment":
                draft.bases.append(self.read(base))
        self.frames.pop()
        if any(self.builder.text(base).rsplit(".", 1)[-1] == "NamedTuple" for base in bases):
            draft.extra["fields"] = []
        if decorators:
            draft.decorators = [expression for _, expression in decorators]
            draft.extra["decorators"] = sorted({text.rsplit(".", 1)[-1] for text, _ in decorators})
        draft.scope = frame.scope = builder.scope(self.scope, ScopeKind.CLASS, index)
        header_end = superclasses.end_byte if superclasses is not None else name_node.end_byte
        draft.signature = _one_line(builder.slice(node.start_byte, header_end))
        draft.doc = self._doc(body)
        if any(text.rsplit(".", 1)[-1] == "deprecated" for text, _ in decorators):
            draft.flags |= _DEPRECATED
        self._bind_definition(name, index)
        self.open_frame(frame)

    def _read_base(self, node: Node) -> int:
        """A base class: its name is a BASE reference, type arguments are TYPE references."""
        builder = self.builder
        if node.type == "identifier":
            expression = self.seen(builder.text(node))
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
        base = (
            self._read_base(children[0]) if children[0].type in ("identifier", "attribute") else self.read(children[0])
        )
        return builder.expression(Op.GENERIC, base, [self.read_type(child) for child in children[1:]])

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
            flags=flags, visibility=visibility(name),
        )  # fmt: skip
        draft = builder.definitions[index]
        draft.decorators = [expression for _, expression in decorators]
        draft.extra = {"decorators": sorted(words)} if words else {}
        frame = Frame(node.end_byte, -1, index)
        frame.is_function = True
        parameters = node.child_by_field_name("parameters")
        frame.type_parameters = self._type_parameters(node.child_by_field_name("type_parameters"), index)
        frame.scope = draft.scope = builder.scope(self.scope, ScopeKind.FUNCTION, index)
        frame.flow = Flow(builder.expressions)
        if outer.is_class:
            frame.class_definition = outer.definition
            if not flags & _STATIC:
                frame.self_is_class = bool(flags & _CLASSMETHOD)
        self.frames.append(frame)
        if outer.is_class and not flags & _STATIC:
            self._receiver_variable(parameters, frame)
        returns = node.child_by_field_name("return_type")
        self._old_style_function_parameters(parameters, returns, index, frame)
        fixtures = "fixture" in words or (self._test_file and name.startswith("test"))
        given, self._parametrized = self._parametrized, set()
        method = outer.is_class and not flags & _STATIC
        self._parameters(parameters, frame, method=method, fixtures=fixtures, parametrized=given)
        if returns is not None:
            type_ = self.read_type(returns)
            draft.type = builder.instance(type_)
        self.frames.pop()
        header = returns or parameters
        header_end = header.end_byte if header is not None else name_node.end_byte
        draft.signature = _one_line(builder.slice(node.start_byte, header_end))
        draft.doc = self._doc(node.child_by_field_name("body"))
        if not words & _ACCESSORS:
            self._bind_definition(name, index)
        self.open_frame(frame)

    def _function_flags(self, node: Node, name: str, words: set[str]) -> int:
        flags = 0
        if self.builder.source.startswith(b"async", node.start_byte):
            flags |= _ASYNC
        if words & _PROPERTY_DECORATORS:
            flags |= _PROPERTY
        if "staticmethod" in words:
            flags |= _STATIC
        if "classmethod" in words or (
            self.frames[-1].is_class and name in ("__new__", "__init_subclass__", "__class_getitem__")
        ):
            flags |= _CLASSMETHOD
        if "abstractmethod" in words or "abstractproperty" in words:
            flags |= _ABSTRACT
        if "overload" in words:
            flags |= _OVERLOAD
        if "deprecated" in words:
            flags |= _DEPRECATED
        if name.startswith("test") and self._test_file:
            flags |= _TEST
        if self.is_conditional(node):
            flags |= _CONDITIONAL
        return flags

    def _bind_definition(self, name: str, index: int) -> None:
        frame = self.frames[-1]
        scope = self.builder.module_scope if name in frame.globals else self.scope
        if frame.is_class and name[:2] == "__":
            name = self.private(name)
        self.rebind(scope, name, self.builder.definitions[index].start)
        self.builder.bind(scope, name, BindingTag.DEFINITION, index)
        if frame.body_names is not None:
            frame.body_names.add(name)
        if frame.flow is not None and scope == frame.scope:
            key = self.builder.name(scope, name)
            if frame.is_function:
                frame.flow.assign(key, self.builder.expression(Op.DEFINITION, index))
            elif key in frame.flow.values:
                frame.flow.forget(key)

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


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_SIGNATURE_LIMIT]
