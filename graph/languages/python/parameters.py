"""Parameters of functions, and type parameters of functions and classes."""

from __future__ import annotations

import re
from collections.abc import Set

from tree_sitter import Node

from graph.languages.python.frames import Frame
from graph.languages.python.imports import Imports
from graph.model import Op

_WORD = re.compile(r"\w+")


class Parameters(Imports):
    """Reads parameter lists."""

    def _old_style_parameters(self, bases: list[Node], index: int, frame: Frame) -> None:
        """Type parameters of a class: those of `Generic[T]` or `Protocol[T]`, else of its bases' arguments."""
        builder = self.builder
        names: list[str] = []
        explicit: list[str] | None = None
        for base in bases:
            if base.type != "subscript":
                continue
            children = base.named_children
            head = builder.text(children[0]).rsplit(".", 1)[-1]
            found = [builder.text(child) for child in children[1:] if child.type == "identifier"]
            known = [name for name in found if name in self.type_variables or name in self.type_variables_elsewhere]
            if head in ("Generic", "Protocol"):
                explicit = found
            names.extend(name for name in known if name not in names)
        for position, name in enumerate(explicit if explicit is not None else names):
            own = self._own_parameter(name, index, position)
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

    def _old_style_function_parameters(
        self, parameters: Node | None, returns: Node | None, index: int, frame: Frame
    ) -> None:
        """Module-level type variables in a function's annotations are its own, unless the class has them."""
        if parameters is None or not (self.type_variables or self.type_variables_elsewhere):
            return
        end = returns.end_byte if returns is not None else parameters.end_byte
        words = set(_WORD.findall(self.builder.slice(parameters.start_byte, end)))
        for name in sorted(words & (self.type_variables.keys() | self.type_variables_elsewhere)):
            if not any(name in outer.type_parameters for outer in self.frames):
                position = len(self.builder.definitions[index].type_parameters)
                frame.type_parameters = {**frame.type_parameters, name: self._own_parameter(name, index, position)}

    def _own_parameter(self, name: str, index: int, position: int) -> int:
        """A type variable as a type parameter of a definition; of an imported name the linker sees whether it is."""
        builder = self.builder
        builder.definitions[index].type_parameters.append([name, self.type_variables.get(name, -1)])
        if name in self.type_variables_elsewhere:
            return builder.expression(Op.SPECIAL, "typevar", self.seen(name), index, position)
        return builder.expression(Op.TYPE_PARAMETER, index, position)

    def _receiver_variable(self, parameters: Node | None, frame: Frame) -> None:
        """A type variable that annotates the receiver (`self: T`, `cls: type[T]`) stands for its own type."""
        first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
        if first is None or first.type != "typed_parameter" or len(first.named_children) < 2:
            return
        inner = first.named_children[-1]
        inner = inner.named_children[0] if inner.named_children else inner
        if inner.type == "generic_type" and len(inner.named_children) == 2:
            inner = inner.named_children[1].named_children[0] if inner.named_children[1].named_children else inner
            inner = inner.named_children[0] if inner.named_children else inner
        name = self.builder.text(inner)
        if name in self.type_variables or name in self.type_variables_elsewhere or name in frame.type_parameters:
            own = self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
            frame.type_parameters = {**frame.type_parameters, name: own}

    def _parameters(
        self, node: Node | None, frame: Frame, *, method: bool, fixtures: bool, parametrized: Set[str]
    ) -> None:
        """The parameters of a function. With `fixtures`, pytest gives those that are not `parametrized`."""
        draft = self.builder.definitions[frame.definition]
        # What a decorator does with the function that it is given is followed.
        nested = self.builder.source.find(b"def ", draft.start + 10, draft.end) >= 0
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
                if frame.self_is_class:
                    value = self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
                else:
                    value = self.builder.expression(Op.SELF, frame.class_definition)
                    if type_ >= 0 and not self._is_own_class(type_, frame):
                        # A mixin says whose methods it uses: `def f(self: Other)`.
                        value = frame.self_value = self.builder.instance(type_)
            else:
                value = self._parameter_value(form, type_, default)
                if fixtures and value < 0 and form == 0 and name not in parametrized:
                    value = self.builder.expression(Op.SPECIAL, "fixture", -1, name, frame.definition)
                draft.parameters.append([name, type_, int(default_node is not None), form])
            first = False
            self.builder.bind_local(frame.scope, name, value, name_node, frame.definition, parameter=True)
            if frame.flow is not None:
                key = self.builder.name(frame.scope, name)
                if value < 0 and nested and len(draft.parameters) == 1:
                    value = self.builder.expression(Op.SPECIAL, "parameter", -1, frame.definition)
                frame.flow.assign(key, value)
                if type_ >= 0:
                    frame.flow.declared[key] = value

    def _is_own_class(self, type_: int, frame: Frame) -> bool:
        """Whether the declared type of a receiver says no more than that it is one."""
        expressions = self.builder.expressions
        operation = expressions[type_]
        if operation[0] == Op.GENERIC and operation[1] >= 0:
            operation = expressions[operation[1]]
        if operation[0] != Op.NAME:
            return operation[0] != Op.ATTRIBUTE
        return operation[2] == self.builder.definitions[frame.class_definition].name

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
