"""Reading statements: what they declare, and where their blocks end. Everything inside of them is an expression."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.go.expressions import argument_count, called, is_two_valued, target
from graph.languages.go.kinds import (
    ARGUMENT_LISTS,
    CALL,
    DEFAULT_CASE,
    EXPRESSION_LIST,
    IDENTIFIERS,
    NOISE,
    TYPE_CASE,
    TYPES,
)
from graph.languages.go.walk import HANDLERS, Local, Walk, declare, handler, parts, visit, visit_children
from graph.model import DefinitionKind, Op


@handler(
    "block", "if_statement", "for_statement", "expression_switch_statement", "expression_case", "default_case",
    "select_statement", "communication_case", "type_case",
)  # fmt: skip
def _scope(walk: Walk, node: Node) -> int:
    """Statements that are a block of their own (Go spec, Blocks)."""
    walk.frames.append({})
    handlers = HANDLERS
    for child in node.named_children:
        handlers[child.kind_id](walk, child)
    walk.frames.pop()
    return -1


@handler("expression_statement", "go_statement", "defer_statement")
def _expression_statement(walk: Walk, node: Node) -> int:
    """What the call gives is not used: no expression is made of it."""
    for child in node.named_children:
        inner = child.named_children if child.kind_id == CALL else []
        if len(inner) == 2 and inner[1].kind_id in ARGUMENT_LISTS:
            called(walk, inner[0], argument_count(inner[1]))
            for argument in inner[1].named_children:
                HANDLERS[argument.kind_id](walk, argument)
        else:
            visit(walk, child)
    return -1


@handler("inc_statement", "dec_statement")
def _increment(walk: Walk, node: Node) -> int:
    for child in parts(node):
        target(walk, child)
    return -1


@handler("assignment_statement")
def _assignment(walk: Walk, node: Node) -> int:
    sides = parts(node)
    if len(sides) != 2:
        return visit_children(walk, node)
    visit(walk, sides[1])
    _targets(walk, sides[0])
    return -1


def _targets(walk: Walk, node: Node) -> None:
    for child in parts(node) if node.kind_id == EXPRESSION_LIST else [node]:
        target(walk, child)


@handler("short_var_declaration")
def _short_declaration(walk: Walk, node: Node) -> int:
    """`a, b := x, y`: the names are in scope after the statement (Go spec, Declarations and scope)."""
    sides = node.named_children
    if len(sides) != 2:
        sides = parts(node)
        if len(sides) != 2:
            return visit_children(walk, node)
    names = [child for child in sides[0].named_children if child.kind_id not in NOISE]
    _declare_all(walk, names, assigned(walk, sides[1], len(names)))
    return -1


def _declare_all(walk: Walk, names: list[Node], values: list[int]) -> None:
    if not walk.frames:
        return
    for name, value in zip(names, values, strict=True):
        if name.kind_id in IDENTIFIERS:
            declare(walk, name, value)
        else:
            target(walk, name)


def assigned(walk: Walk, node: Node, count: int) -> list[int]:
    """Read the right-hand side for `count` names: what each of them is given."""
    nodes = node.named_children if node.kind_id == EXPRESSION_LIST else [node]
    nodes = [child for child in nodes if child.kind_id not in NOISE]
    values = [HANDLERS[child.kind_id](walk, child) for child in nodes]
    if len(values) == count:
        return values
    if len(values) == 1 and values[0] >= 0 and count > 1:
        if is_two_valued(nodes[0]):
            return [values[0], walk.builder.builtin("bool"), *[-1] * (count - 2)]
        return [walk.builder.expression(Op.PICK, values[0], position) for position in range(count)]
    return [-1] * count


@handler("receive_statement")
def _receive(walk: Walk, node: Node) -> int:
    """`v, ok := <-ch` or `v, ok = <-ch` as a case of a select statement."""
    sides = parts(node)
    if len(sides) != 2 or sides[0].kind_id != EXPRESSION_LIST:
        return visit_children(walk, node)
    names = parts(sides[0])
    values = assigned(walk, sides[1], len(names))
    if _declares(walk, sides[0], sides[1]):
        _declare_all(walk, names, values)
    else:
        _targets(walk, sides[0])
    return -1


def _declares(walk: Walk, left: Node, right: Node) -> bool:
    return b":=" in walk.source[left.end_byte : right.start_byte]


@handler("range_clause")
def _range(walk: Walk, node: Node) -> int:
    """`k, v := range x`: what k and v hold follows from the type of x (Go spec, For statements with range clause)."""
    sides = parts(node)
    if len(sides) != 2 or sides[0].kind_id != EXPRESSION_LIST:
        return visit_children(walk, node)
    names = parts(sides[0])
    over = visit(walk, sides[1])
    if _declares(walk, sides[0], sides[1]):
        values = [
            walk.builder.expression(Op.SPECIAL, "range", over, position) if over >= 0 else -1
            for position in range(len(names))
        ]
        _declare_all(walk, names, values)
    else:
        _targets(walk, sides[0])
    return -1


@handler("type_switch_statement")
def _type_switch(walk: Walk, node: Node) -> int:
    """`switch v := x.(type)`: v has the type of the case, or that of x where a case lists several or none."""
    walk.frames.append({})
    alias: Node | None = None
    value = -1
    for child in parts(node):
        number = child.kind_id
        if number == EXPRESSION_LIST and alias is None:
            alias = child
        elif number == TYPE_CASE or number == DEFAULT_CASE:
            _type_case(walk, child, alias, value)
        else:
            value = visit(walk, child)
    walk.frames.pop()
    return -1


def _type_case(walk: Walk, node: Node, alias: Node | None, value: int) -> None:
    frame: dict[str, Local] = {}
    walk.frames.append(frame)
    types: list[int] = []
    listed = node.kind_id == TYPE_CASE
    body: list[Node] = []
    for child in node.named_children:
        number = child.kind_id
        if listed and not body and number in TYPES:
            types.append(visit(walk, child))
        elif number not in NOISE:
            body.append(child)
    if alias is not None:
        held = walk.builder.instance(types[0]) if len(types) == 1 and types[0] >= 0 else value
        for name in parts(alias):
            walk.bind(frame, walk.builder.text(name), Local(held, name, DefinitionKind.VARIABLE))
    for child in body:
        visit(walk, child)
    walk.frames.pop()
