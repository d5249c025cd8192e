"""Whether a value may stand where a type is wanted (JLS 5.3, 4.10). `None` where a type is not known."""

from __future__ import annotations

from typing import Final

from graph.languages.java.functional import Functional
from graph.languages.java.jdk import ARRAY, OBJECT
from graph.languages.java.values import (
    ANYTHING,
    BOXES,
    UNBOXED,
    WIDER,
    Key,
    arguments_of,
    key_of,
    primitive,
)
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    INSTANCE,
    PARAMETER,
    UNKNOWN,
    Value,
    Values,
    file_of,
    instance,
)
from graph.link.world import FileInterface

_ARRAY_SUPERTYPES: Final = frozenset({OBJECT, "java.lang.Cloneable", "java.io.Serializable"})


class Conversions(Functional):
    """Conversions in invocation contexts."""

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
            return simple == needed or needed in WIDER.get(simple, ())
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
        if given[0] not in (INSTANCE, EXTERNAL_INSTANCE, PARAMETER):
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
        return name == needed or needed in WIDER.get(name, ())

    def _subtype(self, file: FileInterface, value: Value, wanted: Value) -> bool | None:
        """Whether a value's type is a subtype of a reference type; without type arguments it is by JLS 5.1.9."""
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
            return self.arguments_fit(arguments_of(value), arguments_of(wanted))
        if isinstance(key, str) and key not in self.jdk:
            return None
        if target in self.supers(key):
            return self.arguments_fit(self.as_super(value, target) or (), arguments_of(wanted))
        outside = [base for base in self.lineage(key).outside if base[0] != EXTERNAL or base[2] not in self.jdk]
        if not outside:
            return False
        if any(base[0] == UNKNOWN[0] for base in outside):
            return None
        return False if isinstance(target, int) else None

    def arguments_fit(self, given: tuple[Values, ...], wanted: tuple[Values, ...]) -> bool:
        """Whether type arguments may contain each other (JLS 4.5.1): not those of types that have nothing in common."""
        for mine, its in zip(given, wanted, strict=False):
            if len(mine) != 1 or len(its) != 1 or PARAMETER in (mine[0][0], its[0][0]) or mine == its:
                continue
            first, second = key_of(mine[0]), key_of(its[0])
            if mine[0] == ANYTHING:
                if second == OBJECT:
                    return False
            elif self._is_whole(first) and self._is_whole(second) and first is not None and second is not None:
                unrelated = second not in self.supers(first) and first not in self.supers(second)
                if unrelated and ARRAY not in (first, second):
                    return False
        return True

    def _is_whole(self, key: Key | None) -> bool:
        """Whether all supertypes of a type are known."""
        if key is None or (isinstance(key, str) and key not in self.jdk):
            return False
        return all(base[0] == EXTERNAL and base[2] in self.jdk for base in self.lineage(key).outside)

    def _parameter_is(self, file: FileInterface, value: Value, wanted: Value) -> bool | None:
        """Whether a type parameter is a subtype of a type. One of another file lost its argument on the way."""
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
