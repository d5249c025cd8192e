"""Linking of Python: iteration, subscripts, context managers, types, and the operations of Python's own expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph.languages.python.callbacks import CallbackLinker
from graph.languages.python.calls import as_class, container, opaque
from graph.languages.python.standard import (
    BINARY_METHODS,
    CLOSED_MODULES,
    ITERABLE_CLASSES,
    MAPPING_CLASSES,
    TRANSPARENT_TYPES,
    VALUE_ATTRIBUTES,
)
from graph.link.answers import Resolution
from graph.link.values import (
    BOTTOM,
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
    SUPERS,
    TUPLE,
    TYPE,
    UNKNOWN,
    Value,
    Values,
    gid,
    merge,
)
from graph.link.world import FileInterface
from graph.model import BindingTag, Op, Status

_TYPING = ("typing", "typing_extensions", "collections", "t", "types", "builtins")


class PythonLinker(CallbackLinker):
    """Links Python files."""

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        """One reference. A local variable is nothing that a reference leads to, whatever it holds (`raise error`)."""
        resolution = super().resolve(file, kind, expression, arguments, enclosing)
        if resolution.rule[:5] == "local":
            return Resolution(Status.UNRESOLVED, "", "local-value", (), "", "")
        return resolution

    # -- elements -----------------------------------------------------------------------------------------------------

    def iterated(self, value: Value, file: FileInterface) -> Values:
        tag = value[0]
        if tag == EXTERNAL_INSTANCE:
            name = value[2].rsplit(".", 1)[-1]
            if name in MAPPING_CLASSES or name in ITERABLE_CLASSES:
                return self.elements(value[3][0]) if value[3] else NOTHING
            if name == "str" and value[1] == "builtins":
                return (container("str", NOTHING),)
            return (opaque(value),) if value[1] in CLOSED_MODULES else NOTHING
        if tag == INSTANCE:
            parts = self.parts_of(value, file.number)
            if parts is not None:
                return merge(list(parts))
        if tag == INSTANCE or (tag == PARAMETER and value[3]):
            return self._by_method(value, ("__iter__", "__aiter__", "__getitem__"), file)
        if tag == TYPE and self.is_enum(value[1]):
            return ((INSTANCE, value[1], ()),)
        if tag == EXTERNAL and value[1] in CLOSED_MODULES:
            return (opaque(value),)
        if tag == EXTERNAL_RESULT:
            return (value,)
        return self._of_tuple(value)

    def _of_tuple(self, value: Value) -> Values:
        if value[0] == TUPLE:
            return merge(list(value[1])) if value[1] else NOTHING
        return (BOTTOM,) if value == BOTTOM else NOTHING

    def _by_method(self, value: Value, names: Sequence[str], file: FileInterface) -> Values:
        """What the first of some methods that a value has gives, or the iterator that it gives."""
        for name in names:
            things = self.members(value, name, file)
            for thing in things:
                if thing[0] == FUNCTION:
                    result = self.result(thing[1], thing[2], file.number, ())
                    if name not in ("__iter__", "__aiter__"):
                        return result
                    parts: list[Values] = []
                    for part in result:
                        step = NOTHING
                        if part[0] == INSTANCE or part[0] == PARAMETER:
                            step = self._by_method(part, ("__next__", "__anext__"), file)
                        parts.append(step or (self.iterated(part, file) if part != value else NOTHING))
                    return merge(parts) if parts else NOTHING
            if things:
                # It has the method from somewhere outside, or may have.
                return BOTTOMS if things == BOTTOMS else NOTHING
        return NOTHING

    def indexed(self, value: Value, file: FileInterface) -> Values:
        tag = value[0]
        if tag == TYPE:
            return ((INSTANCE, value[1], ()),) if self.is_enum(value[1]) else (value,)
        if tag == EXTERNAL:
            return (value,)
        if tag == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in MAPPING_CLASSES:
            return self.elements(value[3][1]) if len(value[3]) > 1 else NOTHING
        if tag == INSTANCE and self.parts_of(value, file.number) is not None:
            return self.iterated(value, file)
        if tag == INSTANCE or (tag == PARAMETER and value[3]):
            return self._by_method(value, ("__getitem__",), file)
        return self.iterated(value, file)

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        """A subscript: an element, or a type with arguments (`X = Union[A, B]` as a value)."""
        values = self.evaluate(file, operation[1])
        if any(value[0] == EXTERNAL and value[1] in _TYPING for value in values) or any(
            value[0] == TYPE and not self.is_enum(value[1]) for value in values
        ):
            index = self.evaluate(file, operation[2])
            arguments = index[0][1] if len(index) == 1 and index[0][0] == TUPLE else (index,)
            return merge([
                self.applied(value, arguments) if value[0] in (TYPE, EXTERNAL) else self.indexed(value, file)
                for value in values
            ])  # fmt: skip
        return merge([self.indexed(value, file) for value in values]) if values else NOTHING

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """One part of what is unpacked: by position in tuples and named tuples, any element of anything else."""
        values = self.evaluate(file, operation[1])
        return merge([self._part(value, operation[2], file) for value in values]) if values else NOTHING

    def _part(self, value: Value, position: int, file: FileInterface) -> Values:
        parts = value[1] if value[0] == TUPLE else self.parts_of(value, file.number)
        if parts is None:
            return self.iterated(value, file)
        return parts[position] if -len(parts) <= position < len(parts) else NOTHING

    def evaluate_enter(self, file: FileInterface, operation: list[Any]) -> Values:
        """What `with` binds: the result of `__enter__`, or what a generator function with `contextmanager` yields."""
        values = self.evaluate(file, operation[1])
        parts: list[Values] = []
        for value in values:
            if value[0] == INSTANCE or value[0] == PARAMETER:
                parts.append(self._by_method(value, ("__enter__", "__aenter__"), file))
            elif value[0] == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in ITERABLE_CLASSES:
                parts.append(self.iterated(value, file))
            elif value[0] == EXTERNAL_INSTANCE and "ContextManager" in value[2] and value[3]:
                parts.append(self.elements(value[3][0]))
            elif value[0] in (EXTERNAL_INSTANCE, EXTERNAL_RESULT, BOTTOM[0]):
                parts.append((value,))
            else:
                parts.append(NOTHING)
        return merge(parts) if parts else NOTHING

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        """What an awaitable gives."""
        values = self.evaluate(file, operation[1])
        return merge([self.awaited(value, file) for value in values]) if values else NOTHING

    # -- operations of Python's own -----------------------------------------------------------------------------------

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """The operations that the extraction names by a word; each is described where it is made."""
        word = operation[1]
        if word == "bound":
            return self.values_of(self.denote_special(file, operation).things, file.number)
        if word == "class":
            return ((PARAMETER, gid(file.number, operation[3]), SELF_POSITION, False),)
        if word == "super":
            receiver = (PARAMETER, gid(file.number, operation[3]), SELF_POSITION, True)
            return tuple(
                [(SUPERS, value[1], receiver) for value in self.evaluate(file, operation[2]) if value[0] == TYPE]
            )
        if word == "display":
            elements = merge([self.evaluate(file, part) for part in operation[4]]) if operation[4] else NOTHING
            return (container(operation[3], self.types(elements)),)
        if word == "dictionary":
            keys = merge([self.evaluate(file, part) for part in operation[3]]) if operation[3] else NOTHING
            values = merge([self.evaluate(file, part) for part in operation[4]]) if operation[4] else NOTHING
            return ((EXTERNAL_INSTANCE, "builtins", "dict", (self.types(keys), self.types(values))),)
        if word == "generator":
            elements = merge([self.evaluate(file, part) for part in operation[3]])
            return (container("generator", self.types(elements)),)
        if word == "operator":
            return self._operator(file, self.evaluate(file, operation[2]), operation[3], operation[4])
        if word == "type":
            return self.classes_of(self.evaluate(file, operation[2]))
        if word == "is" or word == "isnot":
            values = self.evaluate(file, operation[2])
            return self.narrowed(values, self.evaluate(file, operation[3]), passes=word == "is")
        if word == "assigned":
            values = self.evaluate(file, operation[2])
            if values and UNKNOWN not in values:
                return values
            known = tuple([value for value in values if value != UNKNOWN])
            declared = self.evaluate(file, operation[3])
            return merge([known, declared]) if known else declared
        if word == "item":
            values = self.evaluate(file, operation[2])
            position = int(operation[3])
            return merge([self._item(value, position, file) for value in values]) if values else NOTHING
        if word == "slice":
            values = self.evaluate(file, operation[2])
            return merge([self._slice(value, file) for value in values]) if values else NOTHING
        if word == "fixture":
            return self.once(
                ("fixture", file.number, operation[3], operation[4]),
                lambda: self.fixture(file, operation[3], operation[4]),
            )
        if word == "callback":
            return self.callback(file, operation)
        if word == "sent":
            return self._sent(self.evaluate(file, operation[2]))
        if word == "typevar":
            return self._type_variable(file, operation)
        return NOTHING

    def _item(self, value: Value, position: int, file: FileInterface) -> Values:
        parts = value[1] if value[0] == TUPLE else self.parts_of(value, file.number)
        if parts is None:
            return self.indexed(value, file)
        return parts[position] if -len(parts) <= position < len(parts) else NOTHING

    def _slice(self, value: Value, file: FileInterface) -> Values:
        """Part of a sequence is a sequence of the same kind."""
        if value[0] == TUPLE:
            return (container("tuple", self.types(merge(list(value[1])))),) if value[1] else (value,)
        if value[0] == EXTERNAL_INSTANCE or value == BOTTOM:
            return (value,)
        return self._by_method(value, ("__getitem__",), file) if value[0] in (INSTANCE, PARAMETER) else NOTHING

    def _sent(self, values: Values) -> Values:
        """What `yield` gives back: the second argument of a declared `Generator` (docs.python.org, typing)."""
        for value in values:
            if value[0] == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in ("Generator", "AsyncGenerator"):
                return self.elements(value[3][1]) if len(value[3]) > 1 else NOTHING
        return NOTHING

    def _type_variable(self, file: FileInterface, operation: list[Any]) -> Values:
        """A name that looks like an imported type variable: one, or whatever else it turns out to be."""
        values = self.evaluate(file, operation[2])
        if len(values) == 1 and values[0][0] == EXTERNAL_RESULT and values[0][2].rsplit(".", 1)[-1] == "TypeVar":
            return ((PARAMETER, gid(file.number, operation[3]), operation[4], False),)
        return values

    def _operator(self, file: FileInterface, left: Values, operator: str, right: int) -> Values:
        """A binary operation: by the method of the left operand; builtin values keep their class."""
        if operator == "|" and left and all(value[0] == TYPE or value[0] == EXTERNAL for value in left):
            return merge([left, self.evaluate(file, right)])
        parts: list[Values] = []
        for value in left:
            tag = value[0]
            if tag == INSTANCE or (tag == PARAMETER and value[3]):
                parts.append(self._by_method(value, (BINARY_METHODS.get(operator, ""),), file))
            elif tag == EXTERNAL_INSTANCE and value[1] == "builtins":
                parts.append(self._builtin_operator(value, operator, self.evaluate(file, right)))
            elif tag == EXTERNAL_INSTANCE and value[1] == "pathlib":
                parts.append((value,))
            elif value == BOTTOM:
                parts.append((value,))
            else:
                parts.append(NOTHING)
        return merge(parts) if parts else NOTHING

    def _builtin_operator(self, left: Value, operator: str, right: Values) -> Values:
        """An operation of a builtin value: numbers give numbers, sequences and sets one of their own kind."""
        if operator == "%" and left[2] in ("str", "bytes"):
            return (left,)
        sets: list[Values] = []
        for value in right:
            if value == BOTTOM:
                sets.append(BOTTOMS)
            elif value[0] != EXTERNAL_INSTANCE or value[1] != "builtins":
                sets.append(NOTHING)
            elif left[2] in _NUMBERS and value[2] in _NUMBERS:
                kind = max(left[2], value[2], key=_NUMBERS.index)
                sets.append((container("float" if operator == "/" and kind in _WHOLE else kind, NOTHING),))
            elif operator == "*" and (left[2] in _WHOLE) != (value[2] in _WHOLE):
                sets.append((value if left[2] in _WHOLE else left,))
            elif left[2] == value[2] and left[3] != value[3] and left[3] and value[3]:
                parts = [merge(list(pair)) for pair in zip(left[3], value[3], strict=False)]
                sets.append(((EXTERNAL_INSTANCE, "builtins", left[2], tuple(parts)),))
            else:
                sets.append((left,) if left[2] == value[2] or left[2] in _SETS else NOTHING)
        return merge(sets) if sets else NOTHING

    # -- types --------------------------------------------------------------------------------------------------------

    def values_of(self, things: Values, asker: int) -> Values:
        if len(things) == 1:
            thing = things[0]
            if thing[0] == TYPE and self.is_alias(thing[1]):
                return self.value_of(thing, asker)
            if thing[0] == EXTERNAL and thing[3:] == ("value",):
                return NOTHING
            if thing[0] == EXTERNAL and len(thing) > 3 and thing[2].rsplit(".", 2)[-2:] in VALUE_ATTRIBUTES:
                return self.elements(thing[3][0]) if thing[3] else NOTHING
        return super().values_of(things, asker)

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        if base[0] == TYPE:
            # Stored in front: a parameter that stands for several arguments (`*Ts`) is not told apart.
            return ((TYPE, base[1], arguments),)
        return super().applied(base, arguments)

    def external_applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """Type arguments of the forms of `typing`; anything else outside keeps its arguments."""
        name = base[2].rsplit(".", 1)[-1]
        if base[1] in _TYPING or not base[2]:
            if name in TRANSPARENT_TYPES:
                return arguments[-1 if name == "Coroutine" else 0] if arguments else NOTHING
            if name == "Union":
                return merge([part or NOTHING for part in arguments]) if arguments else NOTHING
            if name == "Callable":
                return ((CALLABLE, self.elements(arguments[-1]) if arguments else NOTHING),)
            if name in ("Type", "type"):
                return tuple([as_class(type_) for type_ in arguments[0]]) if arguments else NOTHING
            if name in ("tuple", "Tuple") and arguments:
                if len(arguments) == 2 and arguments[1] == (container("ellipsis", NOTHING),):
                    return (container("tuple", arguments[0]),)
                return ((TUPLE, tuple(self.elements(part) for part in arguments)),)
        package = "builtins" if base[1] in ("typing", "collections", "typing_extensions") else base[1]
        return ((EXTERNAL_INSTANCE, package, _BUILTIN_ALIASES.get(name, base[2]), arguments),)

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.elements(self.evaluate(file, operation[1]))

    # -- what is not known --------------------------------------------------------------------------------------------

    def reason(self, file: FileInterface, expression: int) -> str:
        """`dynamic` where a class makes up its members in `__getattr__` (data model, 3.3.2)."""
        operation = file.expressions[expression]
        if operation[0] == Op.NAME and self._is_imported(file, operation[1], operation[2]):
            return "import-not-found"
        if operation[0] == Op.ATTRIBUTE:
            if operation[1] < 0:
                return "receiver-unknown"
            for value in self.evaluate(file, operation[1]):
                if value[0] in (INSTANCE, TYPE, PARAMETER) and self.members(value, "__getattr__", file)[:1]:
                    things = self.members(value, "__getattr__", file)
                    if things[0][0] == FUNCTION:
                        return "dynamic"
        return super().reason(file, expression)

    def _is_imported(self, file: FileInterface, scope: int, name: str) -> bool:
        """Whether an import binds a bare name where it is seen from a scope."""
        while scope >= 0:
            found = file.bindings[scope].get(name)
            if found is not None:
                return any(tag == BindingTag.IMPORT for tag, _ in found)
            scope = file.scopes[scope][0]
        return False


_NUMBERS = ("bool", "int", "float", "complex")
_WHOLE = ("bool", "int")
_SETS = ("set", "frozenset")
_BUILTIN_ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Deque": "deque",
    "DefaultDict": "defaultdict",
}
