"""Extraction of one Rust file: its declarations in source order, with the modules, traits and impls they stand in.

Source of the rules: the Rust reference, "Items", "Modules".
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable
from typing import Any, Final

from tree_sitter import Node, Parser
from xxhash import xxh3_64

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, grammar, query
from graph.languages.base import ParsedFile
from graph.languages.rust.attributes import Attributes, interpret, summary
from graph.languages.rust.frames import Frame
from graph.languages.rust.names import MACRO
from graph.languages.rust.reparse import reparse
from graph.languages.rust.structures import Structures
from graph.model import BindingTag, DefinitionKind, FileFacts, Flag, Op, ReferenceKind, ScopeKind

_SPACES: Final = re.compile(r"\s+")
_MARKER: Final = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?: [^\n]*)?$", re.MULTILINE)
_CFG: Final = re.compile(r"\[\s*cfg\s*\((.*)\)\s*\]$", re.DOTALL)
_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT
_ITEM_MACROS: Final = re.compile(r"(cfg_\w+|(\w+::)?(pin_project|thread_local|lazy_static|task_local))$")
"""Macros that declare the items that they are given: by convention (tokio, mio, hyper) `cfg_...` puts `cfg` attributes
on them, pin-project-lite adds projections to a struct, std, lazy_static and tokio wrap the statics."""


def extract(file: ParsedFile) -> FileFacts:
    """The facts of a parsed Rust file."""
    stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if stem in ("mod", "lib", "main") and "/" in file.path:
        parent = file.path.rsplit("/", 2)[-2]
        stem = parent if stem == "mod" else stem
    builder = FactBuilder(file.source, stem, ClassScope.NONE)
    root = file.tree.root_node
    builder.damage, builder.conflict_markers = damage(file.source, root, file.grammar)
    if builder.conflict_markers:
        # Without the lines of the markers both sides can be read; they stay damaged all the same.
        blank = _MARKER.sub(lambda match: b" " * len(match.group()), file.source)
        root = Parser(grammar(file.grammar)).parse(blank).root_node
        builder.damage, _ = damage(file.source, root, file.grammar)
    reader = Reader(builder)
    reader.run(root)
    # It holds methods of itself: without this the tree would live until cycles are collected, which workers put off.
    vars(reader).clear()
    return builder.finish()


class Reader(Structures):
    """Reads the declarations of one file."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.modules: list[list[Any]] = []
        self.macro_crates = []
        self._handlers: dict[str, Callable[[Node, Attributes], None]] = {
            "function": self._function,
            "struct": self._struct_item,
            "enum": self._enum,
            "trait": self._trait,
            "impl": self._impl,
            "module": self._module,
            "foreign": self._foreign,
            "use": self._use,
            "extern_crate": self._extern_crate,
            "constant": self._constant,
            "alias": self._alias,
            "macro": self._macro,
            "invocation": self._invocation,
        }

    def run(self, root: Node) -> None:
        """Read the whole file."""
        builder = self.builder
        builder.definitions[0].doc = self._module_doc()
        self.sweep(root)
        if b"macro_rules !" in builder.source:
            self._spaced_macros()
        for definition, scope, name in self.adopted:
            for tag, payload in builder.bindings[scope].get(name, ()):
                if tag == _DEFINITION:
                    builder.definitions[definition].parent = payload
                    break
        builder.package = self._shape()
        builder.extra = {
            "impls": self.impls,
            "modules": self.modules,
            "macros": self.exported_macros,
            "bounds": self.associated_bounds,
            "macro_crates": self.macro_crates,
        }

    def _shape(self) -> str:
        """A digest of all that is declared, bodies and values apart.

        Impl blocks reach types without being imported, so that a change to what a file declares can concern every other
        file; it stands in the place of the package, a change of which links all files again.
        """
        digest = xxh3_64()
        for header in self.headers:
            digest.update(header + b"\0")
        for draft in self.builder.definitions:
            digest.update(f"{draft.qualified_name}\0{draft.condition}\0".encode())
        for details in self.builder.imports:
            digest.update(repr((details[:4], details[5:])).encode())
        digest.update(repr((self.modules, sorted(self.exported_macros))).encode())
        return digest.hexdigest()

    def sweep(self, root: Node) -> None:
        """Read the declarations below a node, inside the innermost frame."""
        floor = len(self.frames)
        frames = self.frames
        for start, minus_end, capture, node in anchors(query("graph.languages.rust", "structure.scm", "rust"), root):
            while self.blocks and self.blocks[0][0] <= start:
                begin, end, scope, definition = heapq.heappop(self.blocks)
                self._close(begin, floor)
                if end > start:
                    test = frames[-1].test
                    frames.append(Frame(end, "block", scope, definition, test=test, inline=frames[-1].inline))
            self._close(start, floor)
            if capture == "attribute":
                self.pending[-minus_end] = node
            elif capture == "inner":
                self._inner_attribute(node)
            elif capture == "stray":
                if node.type in self._readers and node.type not in ("identifier", "macro_invocation"):
                    self._enter(frames[-1])
                    self.read(node)
            else:
                self._enter(frames[-1])
                attributes = self._attributes(start)
                self._decorate(attributes.nodes, capture == "struct" or capture == "enum")
                self._handlers[capture](node, attributes)
        self._close(1 << 62, floor)
        self.blocks.clear()

    def _close(self, position: int, floor: int) -> None:
        frames = self.frames
        while len(frames) > floor and position >= frames[-1].end:
            frames.pop()

    def _enter(self, frame: Frame) -> None:
        self.scope = frame.scope
        self.definition = frame.definition
        self.self_type = frame.self_type
        self.generics = frame.generics
        self.lifted = frame.parameters
        self.locals = {}
        self.trail.clear()
        self._alternatives = None

    def _module_doc(self) -> str:
        lines: list[str] = []
        for line in self.builder.slice(0, min(len(self.builder.source), 4000)).split("\n"):
            stripped = line.strip()
            if stripped.startswith("//!"):
                lines.append(stripped[3:].strip())
            elif lines or (stripped and not stripped.startswith(("//", "#!"))):
                break
        return summary(lines)

    def _inner_attribute(self, node: Node) -> None:
        found = Attributes(node.start_byte)
        interpret(node, found, [], self.builder.slice)
        if found.condition:
            self.builder.definitions[0].condition = found.condition
            self.builder.definitions[0].flags |= Flag.CONDITIONAL

    def _module(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        frame, builder, text = self.frames[-1], self.builder, self.text(name)
        if body is None:
            visibility = int(self._visibility(node))
            index = builder.imported(attributes.path, text, "module", frame.scope, -1, visibility, attributes.condition)
            builder.bind(frame.scope, text, _IMPORT, index)
            self.modules.append(
                [
                    index,
                    text,
                    attributes.path,
                    frame.scope,
                    list(frame.inline),
                    attributes.condition,
                    attributes.macro_use,
                ]
            )
            self.refer(int(ReferenceKind.IMPORT), name, builder.expression(Op.IMPORTED, index), text)
            return
        index = self._define(DefinitionKind.NAMESPACE, node, name, attributes, body=body)
        draft = builder.definitions[index]
        draft.scope = builder.scope(-1, ScopeKind.MODULE, index)
        draft.extra["outer"] = frame.scope
        draft.extra["macro_use"] = attributes.macro_use
        self._bind(text, index)
        self.frames.append(
            Frame(
                node.end_byte,
                "module",
                draft.scope,
                index,
                test=bool(draft.flags & Flag.TEST),
                inline=(*frame.inline, attributes.path or text),
            )
        )

    def _foreign(self, node: Node, attributes: Attributes) -> None:
        frame = self.frames[-1]
        self.frames.append(
            Frame(
                node.end_byte, "foreign", frame.scope, frame.definition, test=frame.test, condition=attributes.condition
            )
        )

    def _invocation(self, node: Node, attributes: Attributes) -> None:
        """A macro call in the place of an item. Where the macro is one that passes its items on, they are read."""
        macro = node.child_by_field_name("macro")
        name = self.builder.text(macro) if macro is not None else ""
        tokens = next((child for child in node.named_children if child.type == "token_tree"), None)
        source = self.builder.source
        if tokens is not None and source[tokens.start_byte : tokens.start_byte + 1] == b"{":
            if name.rsplit("::", 1)[-1] == "cfg_if":
                self.path(macro, MACRO, int(ReferenceKind.MACRO))
                self._cfg_if(tokens, attributes.condition)
                return
            if _ITEM_MACROS.match(name):
                self.path(macro, MACRO, int(ReferenceKind.MACRO))
                self._items(tokens, name)
                return
        known, self.blocks = self.blocks, []
        self.read_macro(node)
        self.blocks = known

    def _items(self, tokens: Node, name: str, condition: str = "") -> None:
        """Read the tokens of a macro call as items of the surrounding frame."""
        root = reparse(self.builder.source, tokens.start_byte + 1, tokens.end_byte - 1, b"", b"")
        if root is None:
            return
        frame = self.frames[-1]
        outer = frame.condition
        word = name.rsplit("::", 1)[-1]
        frame.condition = f"all({outer}, {condition})" if outer and condition else condition or outer
        known, self.blocks = self.blocks, []
        before = len(self.builder.definitions)
        self.sweep(root)
        self.blocks = known
        frame.condition = outer
        for draft in self.builder.definitions[before:]:
            if draft.parent != frame.definition or draft.flags & Flag.LOCAL:
                continue
            if word.startswith("cfg_") and not condition:
                draft.flags |= Flag.CONDITIONAL
                draft.condition = f"all({word}!, {draft.condition})" if draft.condition else f"{word}!"
            elif word == "pin_project":
                draft.extra["projected"] = 1
            elif word == "thread_local" and draft.type >= 0:
                held = self.builder.expressions[draft.type][1]
                draft.type = self.builder.builtin("LocalKey", [held])
            elif word == "task_local":
                draft.type = -1

    def _cfg_if(self, tokens: Node, condition: str) -> None:
        """`cfg_if! { if #[cfg(a)] { .. } else if #[cfg(b)] { .. } else { .. } }`: each branch under its condition."""
        earlier: list[str] = [condition] if condition else []
        current = ""
        for child in tokens.children:
            if child.type != "token_tree":
                continue
            text = self.builder.text(child)
            if text.startswith("["):
                match = _CFG.match(text)
                current = _SPACES.sub(" ", match.group(1)).strip() if match is not None else ""
            elif text.startswith("{"):
                parts = [*earlier, *([current] if current else [])]
                self._items(child, "cfg_if", parts[0] if len(parts) == 1 else f"all({', '.join(parts)})")
                if current:
                    earlier.append(f"not({current})")
                current = ""
