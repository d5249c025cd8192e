"""The frames that are open while a Python file is read: the module, and the classes and functions around a node."""

from __future__ import annotations

from collections.abc import Mapping, Set

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.python.flow import Flow
from graph.languages.python.names import mangled
from graph.model import Flag, Op, ScopeKind

_GENERATOR = int(Flag.GENERATOR)
_NO_NAMES: frozenset[str] = frozenset()
_NO_PARAMETERS: Mapping[str, int] = {}
_DEFINITION = int(Op.DEFINITION)
_NO_VALUES: dict[int, int] = {}
"""Of a frame without a flow: never written to."""


class Frame:
    """An open class or function (or the module) while the statements inside are read."""

    __slots__ = (
        "body_names", "class_definition", "conditional_end", "definition", "end", "flow", "globals", "is_class",
        "is_function", "is_generator", "nonlocals", "returns", "scope", "self_is_class", "self_name", "self_value",
        "type_parameters", "uncertain_end", "unsteady", "yields",
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
        self.self_value = -1
        """What that parameter is declared to hold, -1 where it is the class around or an instance of it."""
        self.is_function = False
        self.flow: Flow | None = None
        """What the names of a function or of the module hold; None for classes."""
        self.globals: Set[str] = _NO_NAMES
        """Names that a `global` statement sends to the module."""
        self.body_names: set[str] | None = set() if is_class else None
        """Of a class: the names that its body has bound so far (instance attributes are none of them)."""
        self.nonlocals: Set[str] = _NO_NAMES
        """Names that a `nonlocal` statement sends to a function around."""
        self.type_parameters: Mapping[str, int] = _NO_PARAMETERS
        """Name -> expression of the type parameters in force here."""
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.is_generator = False
        self.conditional_end = -1
        """Byte offset up to which definitions in this frame are conditional."""
        self.unsteady: Set[str] = _NO_NAMES
        """Names of this frame that functions inside of it bind, too."""
        self.uncertain_end = -1
        """Byte offset up to which it is not certain that the statements of this frame run, or run once."""


class Frames:
    """The state of reading one file; what reads expressions, types and targets derives from it."""

    def __init__(self, builder: FactBuilder) -> None:
        self.builder = builder
        module = Frame(len(builder.source), builder.module_scope, 0)
        module.flow = Flow(builder.expressions)
        self.frames: list[Frame] = [module]
        self.scope = builder.module_scope
        self.definition = 0
        self.anchors: list[tuple[int, int, str, Node]] = []
        """Every statement and clause of the file: see `graph.extract.sweep.anchors`."""
        self._own_name = ""
        self.own_value = -1
        self.own_class = -1
        """The class whose method's receiver that is."""
        self._body_names: set[str] | None = None
        self._body_scope = -1
        self.known = module.flow.values
        """What names and members hold at the place that is read, where that is known: the flow's values."""
        self.type_variables: dict[str, int] = {}
        """Module-level names that are assigned a `TypeVar` -> its bound as a type expression, or -1."""
        self.type_variables_elsewhere: set[str] = set()
        """Imported names that look like type variables."""

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

    def seen(self, text: str) -> int:
        """The expression of a bare name: of a local class or function that definition, where it is known to be meant.

        A class body sees its own names once they are bound (reference, 4.2.2).
        """
        scope = self.scope
        names = self._body_names
        if names is not None and text[:2] == "__" and scope == self._body_scope:
            text = self.private(text)
        if names is not None and text not in names and scope == self._body_scope:
            scopes = self.builder.scopes
            while scopes[scope][1] == ScopeKind.CLASS:
                scope = scopes[scope][0]
        key = self.builder.name(scope, text)
        if self.known:
            value = self.known.get(key, -1)
            if value >= 0 and self.builder.expressions[value][0] == _DEFINITION:
                return value
        return key

    def forget(self, key: int) -> None:
        """Nothing in particular is known from here on of what a name (its expression) holds."""
        flow = self.frames[-1].flow
        if flow is not None:
            flow.forget(key)

    def private(self, text: str) -> str:
        """A name that starts with two underscores as the class around turns it."""
        for frame in reversed(self.frames):
            if frame.is_class:
                return mangled(text, self.builder.definitions[frame.definition].name)
        return text

    def own_name(self, text: str) -> int:
        """The expression of `self` or `cls`, where the name is that of the receiver of a method around, else -1."""
        return self.own_value if text == self._own_name else -1

    def _refresh(self, frame: Frame) -> None:
        """Find out anew what holds in the innermost frame, and which name is the receiver there."""
        self.known = _NO_VALUES if frame.flow is None else frame.flow.values
        self._body_names = frame.body_names
        self._body_scope = frame.scope
        self._own_name, self.own_value, self.own_class = "", -1, -1
        for frame in reversed(self.frames):
            if frame.is_class:
                return
            if frame.self_name:
                self._own_name, self.own_class = frame.self_name, frame.class_definition
                if frame.self_value >= 0:
                    self.own_value = frame.self_value
                elif frame.self_is_class:
                    self.own_value = self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
                else:
                    self.own_value = self.builder.expression(Op.SELF, frame.class_definition)
                return

    def open_frame(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.scope = frame.scope
        self.definition = frame.definition
        self._refresh(frame)

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
        frame = self.frames[-1]
        self.scope = frame.scope
        self.definition = frame.definition
        self._refresh(frame)

    def is_conditional(self, node: Node) -> bool:
        return node.start_byte < self.frames[-1].conditional_end
