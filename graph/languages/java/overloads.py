"""Which method a call means: overload resolution after JLS 15.12.2, with what is known of the arguments.

Every test has three answers: `True`, `False`, and `None` where a type is not known. A method is only chosen when it is the
answer whatever the unknown types are; otherwise all that are left are candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from graph.languages.java.expressions import Shape
from graph.languages.java.hierarchy import Descriptor, Hierarchy, Key, arguments_of, key_of, primitive
from graph.languages.java.jdk import ARRAY, OBJECT, Signature
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    INSTANCE,
    NOTHING,
    PARAMETER,
    UNKNOWN,
    Value,
    Values,
    file_of,
    instance,
    instances,
)
from graph.link.world import FileInterface

_WIDER: Final = {
    "byte": frozenset({"short", "int", "long", "float", "double"}),
    "short": frozenset({"int", "long", "float", "double"}),
    "char": frozenset({"int", "long", "float", "double"}),
    "int": frozenset({"long", "float", "double"}),
    "long": frozenset({"float", "double"}),
    "float": frozenset({"double"}),
}
"""Widening primitive conversions (JLS 5.1.2)."""
BOXES: Final = {
    "boolean": "java.lang.Boolean", "byte": "java.lang.Byte", "short": "java.lang.Short", "char": "java.lang.Character",
    "int": "java.lang.Integer", "long": "java.lang.Long", "float": "java.lang.Float", "double": "java.lang.Double",
}  # fmt: skip
UNBOXED: Final = {box: name for name, box in BOXES.items()}
_ARRAY_SUPERTYPES: Final = frozenset({OBJECT, "java.lang.Cloneable", "java.io.Serializable"})
_LIMIT: Final = 64
"""Most overloads that are compared by type."""


class Argument(NamedTuple):
    """One argument of a call: a function that is written there, or a value."""

    values: Values
    """What is known of its value; nothing for a function."""
    form: str
    """`lambda`, `method-reference`, or '' for a value."""
    count: int
    """Number of parameters of a lambda."""
    shape: int
    """What the body of a lambda can be used for."""
    explicit: bool
    """Whether the types of a lambda's parameters are written, or a method reference can only mean one method."""
    result: Values
    """What the body of a lambda gives, where its parameters' types are written; of a method reference that can only mean
    one method, what that gives."""
    counts: frozenset[int] | None
    """Numbers of parameters that a method reference can take; None when they are not known."""


class Overloads(Hierarchy):
    """Choosing among methods of one name."""

    def select(self, file: FileInterface, things: Sequence[Value], arguments: Sequence[Argument]) -> tuple[Value, ...]:
        """The one method that the arguments choose; several when what is known does not decide; none when none fits."""
        if len(things) > _LIMIT:
            return tuple(things)
        signatures = [self.signature(thing) for thing in things]
        possible = list(range(len(things)))
        agreed = self._agreed(signatures, len(arguments))
        exact = [place for place in possible if self._exact(signatures[place], arguments, agreed)]
        if len(exact) == 1:
            return (things[exact[0]],)
        for phase in (1, 2, 3):
            sure: list[int] = []
            unsure: list[int] = []
            for position in possible:
                fits = self._applicable(file, signatures[position], arguments, phase, agreed)
                if fits is not False:
                    (sure if fits else unsure).append(position)
            pool = sorted([*sure, *unsure])
            if not pool:
                continue
            later = self._possible_later(file, signatures, arguments, phase, pool, agreed) if not sure else []
            best = self._most_specific(file, signatures, pool, arguments, phase)
            if best is not None and (best in sure or (len(pool) == 1 and not later)):
                return (things[best],)
            return tuple(things[position] for position in sorted({*pool, *later}))
        return ()

    def _possible_later(
        self,
        file: FileInterface,
        signatures: Sequence[Signature],
        arguments: Sequence[Argument],
        phase: int,
        pool: Sequence[int],
        agreed: frozenset[int],
    ) -> list[int]:
        return [
            position
            for position in range(len(signatures))
            if position not in pool
            and any(
                self._applicable(file, signatures[position], arguments, later, agreed) is not False
                for later in range(phase + 1, 4)
            )
        ]

    def _agreed(self, signatures: Sequence[Signature], count: int) -> frozenset[int]:
        """Positions at which all candidates want the same: there, since the code compiles, the argument fits."""
        if any(len(signature.parameters) != count or signature.variable for signature in signatures):
            return frozenset()
        return frozenset(
            position
            for position in range(count)
            if len({signature.parameters[position] for signature in signatures}) == 1
            and signatures[0].parameters[position]
        )

    def _exact(self, signature: Signature, arguments: Sequence[Argument], agreed: frozenset[int]) -> bool:
        """Whether a method wants just the types that the arguments have: then nothing is more specific."""
        types = self.expanded(signature, len(arguments), 1)
        if types is None or not arguments:
            return False
        for position, (argument, wanted) in enumerate(zip(arguments, types, strict=True)):
            if position in agreed:
                continue
            if len(argument.values) != 1 or len(wanted) != 1 or wanted[0][0] == PARAMETER:
                return False
            mine = self.erasure((self.type_of(argument.values[0]),))
            if mine is None or argument.values[0][0] == PARAMETER or mine != self.erasure(wanted):
                return False
        return True

    # -- applicability ------------------------------------------------------------------------------------------------

    def _applicable(
        self,
        file: FileInterface,
        signature: Signature,
        arguments: Sequence[Argument],
        phase: int,
        agreed: frozenset[int],
    ) -> bool | None:
        """Whether a method is applicable by subtyping (1), by method conversion (2), by variable arity (3)."""
        types = self.expanded(signature, len(arguments), phase)
        if types is None:
            return False
        result: bool | None = True
        for position, (argument, wanted) in enumerate(zip(arguments, types, strict=True)):
            if position in agreed:
                continue
            fits = self._fits(file, argument, wanted, signature, phase)
            if fits is False:
                return False
            if fits is None:
                result = None
        return result

    def expanded(self, signature: Signature, count: int, phase: int) -> list[Values] | None:
        """The type that each of so many arguments meets; None when the number does not fit in the phase."""
        types = list(signature.parameters)
        if not types and signature.variable:
            return [NOTHING] * count
        if phase == 3:
            if not signature.variable or count < len(types) - 1:
                return None
            return [*types[:-1], *([types[-1]] * (count - len(types) + 1))]
        if count != len(types):
            return None
        if signature.variable:
            types[-1] = ((EXTERNAL_INSTANCE, "java.base", ARRAY, (types[-1],)),)
        return types

    def _fits(
        self, file: FileInterface, argument: Argument, wanted: Values, signature: Signature, phase: int
    ) -> bool | None:
        if argument.form:
            return self._function_fits(file, argument, wanted, signature)
        if not argument.values or len(wanted) != 1:
            return None
        result: bool | None = True
        for value in argument.values:
            fits = self.compatible(file, value, wanted[0], signature.owner, phase)
            if fits is False:
                return False
            if fits is None:
                result = None
        return result

    def _function_fits(
        self, file: FileInterface, argument: Argument, wanted: Values, signature: Signature
    ) -> bool | None:
        """Whether a lambda or method reference is potentially compatible with a type (JLS 15.12.2.1)."""
        if len(wanted) != 1:
            return None
        target = wanted[0]
        if target[0] == PARAMETER:
            return None
        key = key_of(target)
        if key is None or (
            isinstance(key, str) and key not in self.jdk and key != ARRAY and not primitive(instance(target))
        ):
            return None
        if key == ARRAY or primitive(instance(target)) or not self.is_interface(key):
            return False
        found = self.descriptor(target)
        if found is None:
            return None if self.open_ended(key) else False
        if argument.form == "lambda":
            return self._lambda_fits(file, argument, found, signature)
        if argument.counts is None:
            return None
        if len(found.parameters) not in argument.counts:
            return False
        if argument.shape == Shape.VOID and len(found.result) == 1 and primitive(found.result[0]) != "void":
            return False
        return True if argument.explicit or len(argument.counts) == 1 else None

    def _lambda_fits(
        self, file: FileInterface, argument: Argument, found: Descriptor, signature: Signature
    ) -> bool | None:
        if argument.count != len(found.parameters):
            return False
        if not found.result:
            return True if argument.shape == Shape.EITHER else None
        nothing = primitive(found.result[0]) == "void"
        if argument.shape == (Shape.VALUE if nothing else Shape.VOID):
            return False
        if nothing or not argument.explicit or not argument.result or len(found.result) != 1:
            return True
        fits = [
            self.compatible(file, value, self.type_of(found.result[0]), signature.owner, 2) for value in argument.result
        ]
        return False not in fits

    # -- conversions --------------------------------------------------------------------------------------------------

    def compatible(self, file: FileInterface, value: Value, wanted: Value, owner: object, phase: int) -> bool | None:
        """Whether a value may stand where a type is wanted, in a strict (1) or loose (2, 3) context (JLS 5.3).

        `owner` is what the type parameters that are still to be inferred belong to.
        """
        if wanted[0] == PARAMETER:
            return self._fits_parameter(file, value, wanted, owner, phase)
        simple, needed = primitive(value), primitive(instance(wanted))
        if simple == "null":
            return not needed
        if simple and needed:
            return simple == needed or needed in _WIDER.get(simple, ())
        if simple == "void":
            return False
        if simple:
            return (
                False
                if phase == 1
                else self._subtype(file, (EXTERNAL_INSTANCE, "java.base", BOXES[simple], ()), wanted)
            )
        if needed:
            return self._unboxes(value, needed, phase)
        return self._subtype(file, value, wanted)

    def _fits_parameter(
        self, file: FileInterface, value: Value, wanted: Value, owner: object, phase: int
    ) -> bool | None:
        if value[0] == PARAMETER and value[1:3] == wanted[1:3]:
            return True
        simple = primitive(value)
        if simple == "null":
            return True
        if simple == "void":
            return False
        if wanted[1] != owner:
            # A type variable in force where the call stands: only its own values fit (JLS 4.10).
            known = value[0] == INSTANCE or (
                value[0] == EXTERNAL_INSTANCE and (simple or value[2] in self.jdk or value[2] == ARRAY)
            )
            return False if known and isinstance(wanted[1], int) and file_of(wanted[1]) == file.number else None
        if simple and phase == 1:
            return False
        given: Value = (EXTERNAL_INSTANCE, "java.base", BOXES[simple], ()) if simple else value
        if given[0] == UNKNOWN[0]:
            return None
        result: bool | None = True
        for bound in self.parameter_bound(wanted):
            if bound[0] == PARAMETER:
                result = None
                continue
            fits = self._subtype(file, given, bound)
            if fits is not True:
                return fits
        return result

    def _unboxes(self, value: Value, needed: str, phase: int) -> bool | None:
        if value[0] == INSTANCE:
            return False
        if value[0] == PARAMETER:
            return None if any(key_of(bound) in UNBOXED for bound in self.parameter_bound(value)) else False
        if value[0] != EXTERNAL_INSTANCE:
            return None
        name = UNBOXED.get(value[2])
        if name is None:
            return False if value[2] in self.jdk or value[2] == ARRAY else None
        if phase == 1:
            return False
        return name == needed or needed in _WIDER.get(name, ())

    def _subtype(self, file: FileInterface, value: Value, wanted: Value) -> bool | None:
        """Whether a value's type is a subtype of a reference type; type arguments do not count (unchecked conversion)."""
        target = key_of(wanted)
        if target is None:
            return None
        if target == OBJECT:
            return True if value[0] in (INSTANCE, EXTERNAL_INSTANCE, PARAMETER) else None
        if value[0] == PARAMETER:
            return self._parameter_is(file, value, wanted)
        key = key_of(value)
        if key is None or value[0] not in (INSTANCE, EXTERNAL_INSTANCE):
            return None
        if key == ARRAY or target == ARRAY:
            return self._array_is(file, value, wanted, key, target)
        if key == target:
            return True
        if isinstance(key, str) and key not in self.jdk:
            return None
        if target in self.supers(key):
            return True
        outside = [base for base in self.lineage(key).outside if base[0] != EXTERNAL or base[2] not in self.jdk]
        if not outside:
            return False
        if any(base[0] == UNKNOWN[0] for base in outside):
            return None
        return False if isinstance(target, int) else None

    def _parameter_is(self, file: FileInterface, value: Value, wanted: Value) -> bool | None:
        """Whether a type parameter is a subtype of a type. One of another file was left without an argument on the way."""
        if not isinstance(value[1], int) or file_of(value[1]) != file.number:
            return None
        answers = [self._subtype(file, bound, wanted) for bound in self.parameter_bound(value)]
        if True in answers:
            return True
        return None if None in answers else False

    def _array_is(self, file: FileInterface, value: Value, wanted: Value, key: Key, target: Key) -> bool | None:
        if target != ARRAY:
            return target in _ARRAY_SUPERTYPES or (
                None if isinstance(target, str) and target not in self.jdk else False
            )
        if key != ARRAY:
            return False
        own, needed = arguments_of(value), arguments_of(wanted)
        if not own or not needed or len(own[0]) != 1 or len(needed[0]) != 1:
            return None
        element, want = instance(own[0][0]), needed[0][0]
        if want[0] == PARAMETER:
            return not primitive(element)
        if primitive(element) or primitive(instance(want)):
            return primitive(element) == primitive(instance(want))
        return self._subtype(file, element, want)

    # -- the most specific one ----------------------------------------------------------------------------------------

    def _most_specific(
        self,
        file: FileInterface,
        signatures: Sequence[Signature],
        pool: Sequence[int],
        arguments: Sequence[Argument],
        phase: int,
    ) -> int | None:
        """The method that is more specific than every other (JLS 15.12.2.5), None when there is none."""
        if len(pool) == 1:
            return pool[0]
        for one in pool:
            if all(
                one == other or self._more_specific(file, signatures[one], signatures[other], arguments, phase)
                for other in pool
            ):
                return one
        return None

    def _more_specific(
        self, file: FileInterface, one: Signature, other: Signature, arguments: Sequence[Argument], phase: int
    ) -> bool:
        count = len(arguments)
        if phase == 3:
            count = max(count, len(one.parameters), len(other.parameters))
        first, second = self.expanded(one, count, phase), self.expanded(other, count, phase)
        if first is None or second is None:
            return False
        for position, (left, right) in enumerate(zip(first, second, strict=True)):
            if len(left) != 1 or len(right) != 1:
                return False
            if left == right or self._is_specific(file, left[0], right[0], other.owner):
                continue
            argument = arguments[position] if position < len(arguments) else None
            if argument is None or not argument.form or not self._function_specific(file, argument, left[0], right[0]):
                return False
        return True

    def _is_specific(self, file: FileInterface, left: Value, right: Value, owner: object) -> bool:
        """Whether one parameter type is a subtype of another, whose own type parameters stand for anything in bounds."""
        value = instance(left)
        if value[0] == PARAMETER:
            if right[0] == PARAMETER and right[1] == owner:
                bounds = self.parameter_bound(right)
                return not bounds or any(
                    self._is_specific(file, mine, bound, owner)
                    for mine in self.parameter_bound(left)
                    for bound in bounds
                )
            if key_of(right) == OBJECT:
                return True
            return any(self._is_specific(file, bound, right, owner) for bound in self.parameter_bound(left))
        return self.compatible(file, value, right, owner, 1) is True

    def _function_specific(self, file: FileInterface, argument: Argument, left: Value, right: Value) -> bool:
        """Whether a functional interface is more specific than another for a function that is written there."""
        first, second = self.descriptor(left), self.descriptor(right)
        if first is None or second is None or len(first.parameters) != len(second.parameters):
            return False
        if argument.form == "lambda" and not argument.explicit:
            return False
        if len(first.result) != 1 or len(second.result) != 1:
            return False
        mine, other = primitive(first.result[0]), primitive(second.result[0])
        if other == "void":
            return True
        if mine == "void":
            return False
        if mine and not other:
            return bool(argument.result) and all(primitive(value) for value in argument.result)
        if other and not mine:
            return bool(argument.result) and not any(primitive(value) for value in argument.result)
        return self._is_specific(file, self.type_of(first.result[0]), self.type_of(second.result[0]), "")

    # -- inference ----------------------------------------------------------------------------------------------------

    def unify(
        self, pattern: Values, actual: Values, owner: object, given: dict[int, Values], *, top: bool = True
    ) -> None:
        """Take type arguments for the type parameters of `owner` from values that meet a pattern of types."""
        if len(pattern) != 1:
            return
        wanted = pattern[0]
        if wanted[0] == PARAMETER:
            if wanted[1] == owner:
                self._take(wanted[2], actual, given, top)
            return
        inner = arguments_of(wanted)
        key = key_of(wanted)
        if not inner or key is None:
            return
        for value in actual:
            found = self.as_super(value, key)
            for mine, its in zip(inner, found or (), strict=False):
                self.unify(mine, instances(its), owner, given, top=False)

    def _take(self, position: int, actual: Values, given: dict[int, Values], top: bool) -> None:
        types: list[Value] = []
        for value in actual:
            simple = primitive(value)
            if simple in ("null", "void") or value[0] not in (INSTANCE, EXTERNAL_INSTANCE, PARAMETER):
                continue
            types.append(self.type_of((EXTERNAL_INSTANCE, "java.base", BOXES[simple], ()) if simple else value))
        if not types:
            return
        before = given.get(position)
        if before is None:
            given[position] = tuple(dict.fromkeys(types))
        elif top and before != tuple(types):
            given[position] = self._common(before, tuple(types))

    def _common(self, first: Values, second: Values) -> Values:
        """The one of two types that is a supertype of the other; unknown when neither is."""
        if len(first) == 1 and len(second) == 1:
            one, other = key_of(first[0]), key_of(second[0])
            if one is not None and self.as_super(instance(second[0]), one) is not None:
                return first
            if other is not None and self.as_super(instance(first[0]), other) is not None:
                return second
        return NOTHING
