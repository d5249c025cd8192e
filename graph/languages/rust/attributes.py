"""Attributes and doc comments: what they say about the item that follows them.

Source of the rules: the Rust reference, "Attributes" and "Conditional compilation".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

_TEST_NAMES: Final = frozenset("test rstest bench test_case quickcheck wasm_bindgen_test proptest".split())
BUILTIN: Final = frozenset(
    "cfg cfg_attr test ignore should_panic derive automatically_derived macro_export macro_use proc_macro "
    "proc_macro_derive proc_macro_attribute allow warn deny forbid expect deprecated must_use link link_name "
    "link_section no_link repr crate_type no_main export_name no_mangle used crate_name inline cold no_builtins "
    "target_feature track_caller doc no_std no_implicit_prelude path recursion_limit type_length_limit "
    "panic_handler global_allocator windows_subsystem feature non_exhaustive debugger_visualizer bench unsafe "
    "default rustfmt clippy diagnostic rustc_const_stable".split()
)
"""Attributes of the language and its tools (Rust reference, "Built-in attributes index"): they name no item."""
_SPACE: Final = b" \t\r\n"
_INDENT: Final = (b" ", b"\t")
_WHITE: Final = re.compile(r"\s+")


@dataclass(slots=True)
class Attributes:
    """What the attributes and doc comments of one item say."""

    start: int
    """Where the first of them begins; the start of the item when there is none."""
    conditions: list[str] = field(default_factory=list[str])
    test: bool = False
    deprecated: bool = False
    path: str = ""
    macro_export: bool = False
    macro_use: bool = False
    derive_macro: str = ""
    """The derive that a procedural macro function defines."""
    procedural: bool = False
    doc: str = ""
    nodes: list[Node] = field(default_factory=list[Node])

    @property
    def condition(self) -> str:
        """All `cfg` predicates as one."""
        return (
            self.conditions[0]
            if len(self.conditions) == 1
            else f"all({', '.join(self.conditions)})"
            if self.conditions
            else ""
        )


def gather(source: bytes, start: int, attributes: Mapping[int, Node], text: Callable[[int, int], str]) -> Attributes:
    """The attributes and doc comments that stand directly before an item.

    `attributes` maps the end of each attribute node to the node; `text` decodes a byte range.
    """
    result = Attributes(start)
    docs: list[tuple[int, int]] = []
    position = start
    while position > 0:
        end = position - _blank_before(source, position)
        node = attributes.get(end)
        if node is not None:
            result.nodes.append(node)
            position = result.start = node.start_byte
            continue
        line = source.rfind(b"\n", 0, end) + 1
        while source[line : line + 1] in _INDENT:
            line += 1
        if source.startswith(b"//", line) and line < end:
            if source.startswith(b"//!", line):
                break
            position = line
            if source.startswith(b"///", line) and not source.startswith(b"////", line):
                result.start = line
                docs.append((line + 3, end))
        elif source.endswith(b"*/", 0, end) and (opening := source.rfind(b"/*", 0, end)) >= 0:
            position = opening
            if source.startswith(b"/**", opening) and not source.startswith(b"/***", opening):
                result.start = opening
                docs.append((opening + 3, end - 2))
        else:
            break
    result.nodes.reverse()
    lines: list[str] = []
    for begin, end in reversed(docs):
        written = text(begin, end)
        found = (
            [written.strip()]
            if "\n" not in written
            else [part.strip().lstrip("*").strip() for part in written.split("\n")]
        )
        if lines and not all(found):
            lines.extend(found[: found.index("")])
            break
        lines.extend(found if lines else found[next((at for at, part in enumerate(found) if part), len(found)) :])
    for node in result.nodes:
        interpret(node, result, lines, text)
    result.doc = summary(lines)
    return result


def _blank_before(source: bytes, position: int) -> int:
    """How many bytes of white space stand before a position."""
    start = position
    while position > 0 and source[position - 1] in _SPACE:
        position -= 1
    return start - position


def summary(lines: list[str]) -> str:
    """The first paragraph of a documentation text."""
    taken: list[str] = []
    for line in lines:
        if line:
            taken.append(line)
        elif taken:
            break
    return " ".join(taken)


def interpret(node: Node, into: Attributes, docs: list[str], text: Callable[[int, int], str]) -> None:
    """Read one attribute."""
    attribute = next((child for child in node.named_children if child.type == "attribute"), None)
    if attribute is None or not attribute.named_children:
        return
    head = attribute.named_children[0]
    name = text(head.start_byte, head.end_byte)
    arguments = attribute.child_by_field_name("arguments")
    inner = (
        ""
        if arguments is None
        else text(arguments.start_byte + 1, max(arguments.end_byte - 1, arguments.start_byte + 1))
    )
    if name == "cfg":
        into.conditions.append(_WHITE.sub(" ", inner).strip())
    elif name == "deprecated":
        into.deprecated = True
    elif name == "path" or name == "doc":
        value = attribute.child_by_field_name("value")
        content = _string(value, text)
        if name == "path":
            into.path = content
        elif content:
            docs.extend(line.strip() for line in content.split("\n"))
    elif name == "macro_export":
        into.macro_export = True
    elif name == "macro_use":
        into.macro_use = True
    elif name == "proc_macro_derive":
        into.procedural = True
        into.derive_macro = inner.split(",", 1)[0].strip()
    elif name in ("proc_macro", "proc_macro_attribute"):
        into.procedural = True
    if name.rsplit("::", 1)[-1].strip() in _TEST_NAMES:
        into.test = True


def _string(node: Node | None, text: Callable[[int, int], str]) -> str:
    for child in node.named_children if node is not None else ():
        if child.type == "string_content":
            return text(child.start_byte, child.end_byte)
    return ""


def condition_is_test(condition: str) -> bool:
    """Whether a `cfg` predicate asks for a test build as such."""
    return condition == "test" or condition.startswith("all(test")
