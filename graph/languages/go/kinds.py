"""Node kinds of the Go grammar as the integers that the parser uses; comparing them is cheaper than comparing names."""

from __future__ import annotations

from typing import Final

from graph.extract.sweep import grammar

GRAMMAR: Final = "go"


def kinds(*names: str) -> frozenset[int]:
    """The kind ids of named nodes; a name can have several (aliases). LookupError for a name the grammar has not."""
    language = grammar(GRAMMAR)
    count = language.node_kind_count
    found = frozenset(
        number
        for number in range(count)
        if language.node_kind_is_named(number) and language.node_kind_for_id(number) in names
    )
    missing = set(names) - {language.node_kind_for_id(number) for number in found}
    if missing:
        raise LookupError(f"the Go grammar has no node kind {', '.join(sorted(missing))}")
    return found


def kind(name: str) -> int:
    """The one kind id of a named node."""
    (number,) = kinds(name)
    return number


IDENTIFIERS: Final = kinds("identifier")
ARGUMENT_LISTS: Final = kinds("argument_list")
BLANK: Final = kind("blank_identifier")
BLOCK: Final = kind("block")
CALL: Final = kind("call_expression")
COMMENT: Final = kind("comment")
COMPOSITE: Final = kind("composite_literal")
DEFAULT_CASE: Final = kind("default_case")
DOT: Final = kind("dot")
EXPRESSION_LIST: Final = kind("expression_list")
FIELD_IDENTIFIER: Final = kind("field_identifier")
FIELD_LIST: Final = kind("field_declaration_list")
FIELD: Final = kind("field_declaration")
FUNCTION_LITERAL: Final = kind("func_literal")
FUNCTION_TYPE: Final = kind("function_type")
GENERIC_TYPE: Final = kind("generic_type")
INDEX: Final = kind("index_expression")
INTERFACE: Final = kind("interface_type")
KEYED: Final = kind("keyed_element")
LITERALS: Final = kinds(
    "int_literal", "float_literal", "imaginary_literal", "rune_literal", "raw_string_literal",
    "interpreted_string_literal", "iota",
)  # fmt: skip
LITERAL_ELEMENT: Final = kind("literal_element")
LITERAL_VALUE: Final = kind("literal_value")
METHOD_ELEMENT: Final = kind("method_elem")
PACKAGE_IDENTIFIER: Final = kind("package_identifier")
PARAMETER: Final = kind("parameter_declaration")
PARAMETERS: Final = kind("parameter_list")
PARENTHESIZED: Final = kind("parenthesized_expression")
PARENTHESIZED_TYPE: Final = kind("parenthesized_type")
POINTER_TYPE: Final = kind("pointer_type")
QUALIFIED_TYPE: Final = kind("qualified_type")
SELECTOR: Final = kind("selector_expression")
STRINGS: Final = kinds("raw_string_literal", "interpreted_string_literal")
STRUCT: Final = kind("struct_type")
TYPE_ALIAS: Final = kind("type_alias")
TYPE_ARGUMENTS: Final = kind("type_arguments")
TYPE_ASSERTION: Final = kind("type_assertion_expression")
TYPE_CASE: Final = kind("type_case")
TYPE_ELEMENT: Final = kind("type_elem")
TYPE_IDENTIFIER: Final = kind("type_identifier")
TYPES: Final = kinds(
    "type_identifier", "qualified_type", "generic_type", "pointer_type", "parenthesized_type", "slice_type",
    "array_type", "implicit_length_array_type", "map_type", "channel_type", "function_type", "struct_type",
    "interface_type",
)  # fmt: skip
TYPE_PARAMETERS: Final = kind("type_parameter_list")
UNARY: Final = kind("unary_expression")
VARIADIC_ARGUMENT: Final = kind("variadic_argument")
VARIADIC_PARAMETER: Final = kind("variadic_parameter_declaration")
NOISE: Final = frozenset({COMMENT, 65535})
"""Comments, and ERROR nodes: what can stand between any two parts of a node."""
NAMES: Final = IDENTIFIERS | {FIELD_IDENTIFIER, PACKAGE_IDENTIFIER, TYPE_IDENTIFIER}
NODE_KINDS: Final = grammar(GRAMMAR).node_kind_count
