"""Macro calls: the reference to the macro, and the arguments of macros that are known to take expressions."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.rust.expressions import Expressions
from graph.languages.rust.names import MACRO
from graph.languages.rust.reparse import parsed, reparse
from graph.model import ReferenceKind

_EXPRESSIONS: Final = frozenset(
    "print println eprint eprintln format format_args write writeln panic assert assert_eq assert_ne debug_assert "
    "debug_assert_eq debug_assert_ne unreachable todo unimplemented dbg vec ready pin try trace debug info warn "
    "error log anyhow bail ensure join try_join addr_of addr_of_mut assert_ok assert_err assert_pending "
    "assert_ready assert_ready_ok".split()
)
"""Macros of std, core and the log, tracing, anyhow and futures crates whose arguments are expressions, `name = value`
pairs among them. What does not parse as such is left alone."""
_NEVER: Final = frozenset({"panic", "unreachable", "todo", "unimplemented", "bail"})
_TEXT: Final = frozenset({"concat", "stringify", "env", "file", "include_str", "module_path", "line", "column"})
_UNWRAPPING: Final = {
    "ready": ("poll",), "assert_ready": ("poll",), "assert_ok": ("try",), "assert_ready_ok": ("poll", "try"),
}  # fmt: skip
"""Macros (std, futures, tokio-test) that give what is inside of their argument, and how to get at it."""
_NESTING: Final = 16
"""Deepest nesting of macro calls inside each other that is read: each level is parsed once more."""
_BRACKETS: Final = {b"(": b")", b"[": b"]", b"{": b"}"}


class Macros(Expressions):
    """Reading of macro calls."""

    _nested = 0

    def read_macro(self, node: Node) -> int:
        """A macro call: recorded, and its arguments read where the macro is known to take expressions."""
        macro = node.child_by_field_name("macro")
        self.path(macro, MACRO, int(ReferenceKind.MACRO))
        if macro is None:
            return -1
        name = self.builder.text(macro).rsplit(":", 1)[-1]
        tokens = next((child for child in node.named_children if child.type == "token_tree"), None)
        if tokens is None:
            return -1
        matches = name == "matches" or name == "assert_matches"
        if not matches and name not in _EXPRESSIONS:
            return self.builder.builtin("str") if name in _TEXT else -1
        if self._nested >= _NESTING:
            return -1
        self._nested += 1
        if matches:
            self._matches(tokens)
            result = self.boolean
        else:
            result = self._given(name, self._expressions(tokens, name))
        self._nested -= 1
        return result

    def _given(self, name: str, values: list[int]) -> int:
        if name in _NEVER:
            return self.never
        if name == "format":
            return self.builder.builtin("String")
        if name == "vec":
            return self.special("vec", values[0] if values else -1)
        if name == "dbg" or name == "pin":
            return values[0] if len(values) == 1 else -1
        if name == "try":
            return self.special("try", values[0]) if values and values[0] >= 0 else -1
        if name in _UNWRAPPING and values and values[0] >= 0:
            value = values[0]
            for word in _UNWRAPPING[name]:
                value = self.special(word, value)
            return value
        if name in ("write", "writeln"):
            return self.special("written")
        if name == "anyhow":
            return -1
        return self.unit if name.startswith(("assert", "debug_assert", "print", "eprint")) else -1

    def _expressions(self, tokens: Node, name: str) -> list[int]:
        """Read the tokens of a call as a list of expressions; what each of them gives."""
        source = self.builder.source
        start, end = tokens.start_byte + 1, tokens.end_byte - 1
        opening = source[start - 1 : start]
        if _BRACKETS.get(opening) != source[end : end + 1] or not source[start:end].strip():
            return []
        if name == "vec":
            root = reparse(source, start, end, b"[", b"];")
        else:
            root = reparse(source, start, end, b"(", b");") or reparse(source, start, end, b"[", b"];")
        if root is None or not root.named_children:
            return []
        statement = root.named_children[0]
        whole = statement.named_children[0] if statement.type == "expression_statement" else statement
        values: list[int] = []
        for child in whole.named_children:
            if child.type == "assignment_expression" and name != "vec":
                value = child.child_by_field_name("right")
                if value is not None:
                    self.read(value)
            elif child.type not in ("line_comment", "block_comment"):
                values.append(self.read(child))
        return values

    def _matches(self, tokens: Node) -> None:
        """`matches!(value, pattern if guard)`, read as the one arm of a `match`."""
        source = self.builder.source
        comma = next((child for child in tokens.children if child.type == ","), None)
        if comma is None:
            return
        start, end = tokens.start_byte + 1, tokens.end_byte - 1
        pattern = source[comma.end_byte : end]
        stripped = pattern.rstrip()
        if stripped.endswith(b","):
            pattern = stripped[:-1].ljust(len(pattern))
        text = b"match " + source[start : comma.start_byte] + b"{" + pattern + b"=>0}"
        root = parsed(text, start - 6)
        if root is None or not root.named_children:
            return
        statement = root.named_children[0]
        match = statement.named_children[0] if statement.type == "expression_statement" else statement
        if match.type == "match_expression":
            self._match(match)
