"""Reading variable and constant declarations, of the package or of a block."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.go.defining import define_name, is_single
from graph.languages.go.documentation import describe
from graph.languages.go.kinds import EXPRESSION_LIST, FUNCTION_LITERAL, IDENTIFIERS, NOISE
from graph.languages.go.statements import assigned
from graph.languages.go.walk import Walk, declare, handler, instance, parts, visit
from graph.model import DefinitionKind


@handler("var_declaration")
def _variables(walk: Walk, node: Node) -> int:
    for child in parts(node):
        for spec in parts(child) if child.type == "var_spec_list" else [child]:
            start = node.start_byte if spec is child and is_single(walk, node, spec) else spec.start_byte
            names, type_node, values = _spec(spec)
            if names:
                _variable(walk, spec, start, names, type_node, values)
            else:
                visit(walk, spec)
    return -1


def _spec(node: Node) -> tuple[list[Node], Node | None, Node | None]:
    """Names, type and values of a variable or constant spec."""
    names: list[Node] = []
    type_node: Node | None = None
    values: Node | None = None
    if node.type not in ("var_spec", "const_spec"):
        return names, None, None
    for child in node.named_children:
        number = child.kind_id
        if number in IDENTIFIERS:
            names.append(child)
        elif number == EXPRESSION_LIST:
            values = child
        elif number not in NOISE:
            type_node = child
    return names, type_node, values


def _variable(
    walk: Walk, node: Node, start: int, names: list[Node], type_node: Node | None, values: Node | None
) -> None:
    builder = walk.builder
    if walk.frames:
        type_ = instance(walk, visit(walk, type_node)) if type_node is not None else -1
        given = assigned(walk, values, len(names)) if values is not None else [-1] * len(names)
        for name, value in zip(names, given, strict=True):
            declare(walk, name, value if type_node is None else type_)
        return
    literal = None
    if len(names) == 1 and type_node is None and values is not None:
        only = parts(values)
        literal = only[0] if len(only) == 1 and only[0].kind_id == FUNCTION_LITERAL else None
    kind = DefinitionKind.VARIABLE if literal is None else DefinitionKind.FUNCTION
    indices = _define_all(walk, kind, names, (node.start_byte, node.end_byte))
    outer = (walk.enclosing, walk.owner)
    walk.enclosing = walk.owner = indices[0]
    type_ = instance(walk, visit(walk, type_node)) if type_node is not None else -1
    given = assigned(walk, values, len(names)) if values is not None else [-1] * len(names)
    walk.enclosing, walk.owner = outer
    for index, value in zip(indices, given, strict=True):
        draft = builder.definitions[index]
        if type_node is not None:
            draft.type = type_
        elif literal is not None and value >= 0:
            draft.type = builder.expressions[value][2][0]
        elif value >= 0:
            draft.values = [value]
        describe(builder, index, start, (node.start_byte, values.start_byte if values is not None else node.end_byte))
        draft.signature = f"var {draft.signature.removesuffix('=').rstrip()}"


def _define_all(walk: Walk, kind: DefinitionKind, names: list[Node], extent: tuple[int, int]) -> list[int]:
    return [define_name(walk, kind, name, extent) for name in names]


@handler("const_declaration")
def _constants(walk: Walk, node: Node) -> int:
    """Constants; a spec without values repeats the type and values before it (Go spec, Constant declarations)."""
    type_ = -1
    given: list[int] = []
    for spec in parts(node):
        names, type_node, values = _spec(spec)
        if not names:
            visit(walk, spec)
            continue
        indices: list[int] = []
        if not walk.frames:
            indices = _define_all(walk, DefinitionKind.CONSTANT, names, (spec.start_byte, spec.end_byte))
        outer = (walk.enclosing, walk.owner)
        if indices:
            walk.enclosing = walk.owner = indices[0]
        if values is not None:
            type_ = instance(walk, visit(walk, type_node)) if type_node is not None else -1
            given = assigned(walk, values, len(names))
        walk.enclosing, walk.owner = outer
        held = [type_ if type_ >= 0 else value for value in given] + [-1] * len(names)
        start = node.start_byte if is_single(walk, node, spec) else spec.start_byte
        for position, name in enumerate(names):
            if indices:
                draft = walk.builder.definitions[indices[position]]
                draft.values = [held[position]] if held[position] >= 0 else []
                describe(walk.builder, indices[position], start, (spec.start_byte, spec.end_byte))
                draft.signature = f"const {draft.signature}"
            else:
                declare(walk, name, held[position], DefinitionKind.CONSTANT)
    return -1
