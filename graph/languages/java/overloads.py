"""Which method a call means: overload resolution after JLS 15.12.2, with what is known of the arguments.

Every test has three answers: `True`, `False`, and `None` where a type is not known. A method is only chosen when it is
the answer whatever the unknown types are; otherwise all that are left are candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graph.languages.java.conversions import Conversions
from graph.languages.java.invocations import Shape
from graph.languages.java.jdk import ARRAY, OBJECT, Signature
from graph.languages.java.values import (
    Argument,
    Descriptor,
    arguments_of,
    key_of,
    primitive,
)
from graph.link.values import (
    EXTERNAL_INSTANCE,
    NOTHING,
    PARAMETER,
    Value,
    Values,
    instance,
)
from graph.link.world import FileInterface

_LIMIT: Final = 64
"""Most overloads that are compared by type."""


class Overloads(Conversions):
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
            if not self.arguments_fit(arguments_of(argument.values[0]), arguments_of(wanted[0])):
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
        if argument.arity != len(found.parameters):
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
        """Whether a parameter type is a subtype of another, whose own type parameters stand for all in their bounds."""
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
