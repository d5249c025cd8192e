"""The frames that are open while a Python file is read: the module, and the classes and functions around a node."""

from __future__ import annotations

from collections.abc import Mapping, Set

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.model import Flag, Op

_GENERATOR = int(Flag.GENERATOR)
_NO_NAMES: frozenset[str] = frozenset()
_NO_PARAMETERS: Mapping[str, int] = {}


class Frame:
    """An open class or function (or the module) while the statements inside are read."""

    __slots__ = (
        "class_definition", "conditional_end", "definition", "end", "globals", "is_class", "is_generator", "returns",
        "scope", "self_is_class", "self_name", "type_parameters", "yields",
    )  # fmt: skip

    def __init__(
        self, end: int, scope: int, definition: int, *, class_definition: int = -1, is_class: bool = False
    ) -> None:
        self.end = end
        """Byte offset at which it ends."""
        self.scope = scope
        self.definition = definition
        self.is_class = is_class
        self.class_definition = class_definition
        """The class whose method this is, or the class itself; -1 outside of classes."""
        self.self_name = ""
        """Name of the parameter that holds the instance, '' when there is none."""
        self.self_is_class = False
        """Whether that parameter holds the class (a classmethod)."""
        self.globals: Set[str] = _NO_NAMES
        """Names that a `global` statement sends to the module."""
        self.type_parameters: Mapping[str, int] = _NO_PARAMETERS
        """Name -> expression of the type parameters in force here."""
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.is_generator = False
        self.conditional_end = -1
        """Byte offset up to which definitions in this frame are conditional."""


class Frames:
    """The state of reading one file; what reads expressions, types and targets derives from it."""

    def __init__(self, builder: FactBuilder) -> None:
        self.builder = builder
        self.frames: list[Frame] = [Frame(len(builder.source), builder.module_scope, 0)]
        self.scope = builder.module_scope
        self.definition = 0
        self._own_name = ""
        self._own = -1
        self.type_variables: set[str] = set()
        """Module-level names that are assigned a `TypeVar`."""

    def read(self, node: Node | None) -> int:
        """Any expression: record the references in it and give its index (-1: nothing known)."""
        raise NotImplementedError

    def read_type(self, node: Node | None) -> int:
        """A type expression: an annotation, a base class, an argument of a generic type."""
        raise NotImplementedError

    def bind_target(
        self, node: Node, value: int, *, declared: int = -1, local: bool = False, augmented: bool = False
    ) -> None:
        """Bind what stands on the left of an assignment. `declared` is the value of its declared type."""
        raise NotImplementedError

    def own_name(self, text: str) -> int:
        """The expression of `self` or `cls`, where the name is that of the receiver of a method around, else -1."""
        return self._own if text == self._own_name else -1

    def refresh_own(self) -> None:
        """Find out anew which name is the receiver here, after a frame was opened or closed."""
        self._own_name, self._own = "", -1
        for frame in reversed(self.frames):
            if frame.is_class:
                return
            if frame.self_name:
                self._own_name = frame.self_name
                if frame.self_is_class:
                    self._own = self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
                else:
                    self._own = self.builder.expression(Op.SELF, frame.class_definition)
                return

    def open_frame(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.scope = frame.scope
        self.definition = frame.definition
        self.refresh_own()

    def close_frame(self) -> None:
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

    def is_conditional(self, node: Node) -> bool:
        return node.start_byte < self.frames[-1].conditional_end
