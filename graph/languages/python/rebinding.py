"""Names of modules and class bodies that are bound more than once: which of the bindings a use can see.

What stands in the module (or class body) itself sees what has been bound up to there. Functions run later and may see
any binding of the module, and other modules see what is left at its end (reference, 4.2 and 7.12).
"""

from __future__ import annotations

from graph.extract.builder import FactBuilder
from graph.languages.python.expressions import Expressions
from graph.model import BindingTag, Flag, Op

_OVERLOAD = int(Flag.OVERLOAD)
_DEFINITION, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.VALUE)
_SPECIAL, _NAME = int(Op.SPECIAL), int(Op.NAME)
ANY = ""
"""In place of a range of bindings: any of them."""


class Rebinding(Expressions):
    """Keeps account of names that are bound again.

    An expression `[SPECIAL, "bound", -1, scope, name, "START:STOP"]` is the name with the bindings in that range;
    `ANY` in place of the range stands for whichever of them holds when a function runs. `extra["rebound"]` of the
    file has, per name of the module, the first binding that may be left at the end and the indices of those that
    functions make (`global`).
    """

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.in_clause = False
        """Whether the target that is bound is that of a loop, a handler or a pattern."""
        self._starts: dict[tuple[int, str], int] = {}
        self._rebound: set[str] = set()
        self._loose: dict[str, list[int]] = {}

    def rebind(self, scope: int, name: str, place: int, *, clause: bool = False, existing: int = -1) -> None:
        """A name is about to be bound at a byte offset: what has been read of it so far means what it is bound to now.

        With `clause`, by the target of a loop, a handler or a pattern, which may not be reached. `existing` is the
        index of a binding that the new one repeats.
        """
        builder, frame = self.builder, self.frames[-1]
        bindings = builder.bindings[scope].get(name, ())
        module = builder.module_scope
        start, count = self._starts.get((scope, name), 0), len(bindings)
        if scope != frame.scope:
            if scope == module:
                if bindings:
                    builder.settle_name(scope, name, self._bound(scope, name, start, count))
                self._loose.setdefault(name, []).append(existing if existing >= 0 else count)
                self.forget_outer(module, name)
            return
        if not bindings or frame.is_function:
            return
        tag, last = bindings[-1]
        if tag == _DEFINITION and builder.definitions[last].flags & _OVERLOAD:
            return
        builder.settle_name(scope, name, self._bound(scope, name, start, count))
        certain = not clause and place >= max(frame.conditional_end, frame.uncertain_end)
        if certain:
            self._starts[scope, name] = count
        if scope == module and (certain or clause):
            self._rebound.add(name)

    def forget_outer(self, scope: int, name: str) -> None:
        """A function binds a name of a scope around: what it holds there is not known from the order of statements."""
        for frame in self.frames:
            if frame.scope == scope and frame.flow is not None:
                frame.unsteady = frame.unsteady | {name}
                frame.flow.forget(self.builder.name(scope, name))

    def settle_rebound(self) -> None:
        """At the end of the file: what functions and other modules see."""
        builder = self.builder
        module = builder.module_scope
        bound = builder.bindings[module]
        names = self._rebound | {name for name in self._loose if len(bound.get(name, ())) > 1}
        if not names:
            return
        table: dict[str, list[int]] = {}
        for name in sorted(names):
            table[name] = [self._starts.get((module, name), 0), *dict.fromkeys(self._loose.get(name, ()))]
        builder.extra["rebound"] = table
        for index, operation in enumerate(builder.expressions):
            if operation[0] == _NAME and operation[2] in names and operation[1] != module:
                found = builder.local_binding(operation[1], operation[2])
                if found is not None and found[0] == module:
                    builder.expressions[index] = [_SPECIAL, "bound", -1, module, operation[2], ANY]

    def delete_name(self, scope: int, name: str, place: int) -> None:
        """`del name`: from here on it is bound to nothing."""
        frame = self.frames[-1]
        if scope == frame.scope and not frame.is_function and name in self.builder.bindings[scope]:
            self.rebind(scope, name, place)
            self.builder.bindings[scope][name].append([_VALUE, -1])

    def _bound(self, scope: int, name: str, start: int, stop: int) -> list[object]:
        return [_SPECIAL, "bound", -1, scope, name, f"{start}:{stop}"]
