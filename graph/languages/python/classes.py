"""Classes: the method resolution order, what attribute access gives, descriptors, enumerations, metaclasses."""

from __future__ import annotations

from collections.abc import Callable

from graph.languages.python.bases import BaseLinker, is_empty_base
from graph.languages.python.standard import CLASS_MEMBERS, MODULES, OBJECT_MEMBERS
from graph.link.circles import NO_TAINT
from graph.link.values import (
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
    SUPERS,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instance,
    instances,
    merge,
)
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import BindingTag, DefinitionKind, Flag, Op

_PROPERTY = int(Flag.PROPERTY)
_OF_EVERYTHING = frozenset({"__bases__", "__class__", "__dict__", "__mro__", "__name__", "__qualname__"})
_MADE_MEMBERS = {
    "cache_clear": "lru_cache",
    "cache_info": "lru_cache",
    "cache_parameters": "lru_cache",
    "dispatch": "singledispatch",
    "register": "singledispatch",
    "registry": "singledispatch",
}
"""Members that functions get from decorators of the standard library."""
_MAKING = frozenset("__init__ __new__ __post_init__ asyncSetUp setUp setUpClass setUpTestData setup_method".split())
"""Methods that run when an object is made, those of base classes before."""
_ENUM_VALUE = frozenset({"value", "_value_"})
_NONE = (EXTERNAL_INSTANCE, "builtins", "None")
_TUPLE = (EXTERNAL, "builtins", "tuple")
_FUNCTION_MEMBERS = OBJECT_MEMBERS | {
    "__call__", "__closure__", "__code__", "__defaults__", "__func__", "__get__", "__globals__", "__kwdefaults__",
    "__self__", "__wrapped__",
}  # fmt: skip


_INHERITED = frozenset({FUNCTION, VARIABLE})


class ClassLinker(BaseLinker):
    """Looks members up as Python does (data model, 3.3.2)."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._descriptors: dict[int, bool] = {}
        self._made_over: dict[int, bool] = {}

    # -- members ------------------------------------------------------------------------------------------------------

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """A member of a class: of its order, or for the class itself of its metaclass (data model, 3.3.3).

        A property of a class or its bases comes before what is assigned to instances (data model, 3.3.2.2).
        """
        things = super().member(owner, name, receiver, asker, skip)
        if things and things[0][0] in _INHERITED and self.ancestry_of(owner).outside:
            things = self.behind_outside(owner, name, things, skip)
        if len(things) == 1 and things[0][0] == VARIABLE:
            if "instance" in self.definition(things[0][1]).extra:
                for class_, _ in self.ancestry(owner).classes[skip:]:
                    for member in self.own_members(class_, name):
                        facts = self.definition(member)
                        if facts.flags & _PROPERTY and "cached_property" not in facts.extra.get("decorators", ()):
                            return (self.thing(member, things[0][2]),)
            return things
        if name in _ENUM_VALUE and things and things[0][:2] == (EXTERNAL, "enum"):
            # What it is depends on the member, which is not told apart.
            return ((*things[0], "value"),)
        missing = not things or things[0][0] in (UNKNOWN[0], EXTERNAL)
        if missing and not skip and receiver is not None and name not in OBJECT_MEMBERS:
            of_class = receiver[0] == TYPE or (receiver[0] == PARAMETER and not receiver[3])
            return (self.of_metaclass(owner, name, asker) if of_class else NOTHING) or things
        return things

    def own_members(self, owner: int, name: str) -> tuple[int, ...]:
        """What a class body itself declares and does not delete again."""
        found = super().own_members(owner, name)
        if len(found) == 1:
            file = self._loaded[file_of(owner)]
            bindings = file.bindings[file.definitions[index_of(owner)].scope][name]
            if len(bindings) > 1 and bindings[-1][0] == BindingTag.VALUE:
                return ()
        return found

    def of_metaclass(self, owner: int, name: str, asker: int) -> Values:
        """The things named by a member of the metaclass of a class (gid), if that is one of the repository."""
        for class_, _ in self.ancestry(owner).classes:
            metaclass = self.definition(class_).extra.get("metaclass", -1)
            if metaclass >= 0:
                for value in self.evaluate(self.world.file(file_of(class_), asker), metaclass):
                    if value[0] == TYPE:
                        found = self.member(value[1], name, None, asker)
                        if found and found[0][0] not in (UNKNOWN[0], EXTERNAL):
                            return found
        return NOTHING

    def outside_member(self, outside: Values, name: str) -> Values:
        """A member that only bases outside of the repository can have; where their members are known, only these."""
        real = tuple(base for base in outside if not (base[0] == EXTERNAL and is_empty_base(base)))
        if name in OBJECT_MEMBERS and not real:
            return ((EXTERNAL, "builtins", f"object.{name}"),)
        if real and all(base[0] == EXTERNAL for base in real):
            for base in real:
                members = CLASS_MEMBERS.get(f"{base[1]}.{base[2]}")
                if members is None or name in members or name[:2] == "__":
                    return super().outside_member((base,), name)
            return NOTHING
        return super().outside_member(real, name)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        tag = value[0]
        if tag == EXTERNAL_INSTANCE or tag == EXTERNAL:
            if value[:3] == _NONE or _has_not(value, name):
                return BOTTOMS  # of several values, another one is meant
            if tag == EXTERNAL:
                return super().members(value, name, file)
            return ((EXTERNAL, value[1], f"{value[2]}.{name}", value[3]),)
        if tag == FUNCTION:
            if name in _FUNCTION_MEMBERS:
                # What is behind these may well be of the repository.
                known: tuple[str, ...] = ("value",) if name in ("__func__", "__self__", "__wrapped__") else ()
                return ((EXTERNAL, "builtins", f"function.{name}", *known),)
            words = self.definition(value[1]).extra.get("decorators", ())
            word = _MADE_MEMBERS.get(name, "")
            return ((EXTERNAL, "functools", f"{word}.{name}"),) if word and word in words else NOTHING
        if tag == SUPERS and value[2][1] != value[1]:
            # `super(Other, self)`: what comes behind `Other` in the order of the class around.
            order = [class_ for class_, _ in self.ancestry(value[2][1]).classes]
            if value[1] in order:
                return self.member(value[2][1], name, value[2], file.number, skip=order.index(value[1]) + 1)
        if tag == CALLABLE and len(value) > 2:
            return self.members(value[2], name, file)
        if tag == TUPLE:
            return BOTTOMS if _has_not(_TUPLE, name) else ((EXTERNAL, "builtins", f"tuple.{name}"),)
        if value == UNKNOWN and name in _OF_EVERYTHING:
            return ((EXTERNAL, "builtins", f"object.{name}"),)
        return super().members(value, name, file)

    # -- what members hold --------------------------------------------------------------------------------------------

    def value_of(self, thing: Value, asker: int) -> Values:
        tag = thing[0]
        if tag == VARIABLE:
            definition = self.definition(thing[1])
            if definition.kind == DefinitionKind.FIELD:
                return self._value_of_field(thing, definition, asker)
            return super().value_of(thing, asker)
        if tag == TYPE and self.definition(thing[1]).kind == DefinitionKind.TYPE:
            file = self.world.file(file_of(thing[1]), asker)
            return self.evaluate(file, self.definition(thing[1]).type)
        return super().value_of(thing, asker)

    def _value_of_field(self, thing: Value, definition: LinkDefinition, asker: int) -> Values:
        """A class attribute: a member of an enumeration, a descriptor, or what it holds."""
        owner = gid(file_of(thing[1]), definition.parent)
        on_instance = "instance" in definition.extra
        if definition.type < 0 and not on_instance and not definition.name.startswith("_") and self.is_enum(owner):
            return ((INSTANCE, owner, ()),)
        values = super().value_of(thing, asker)
        if definition.type < 0 and (not values or UNKNOWN in values or self._holds_nothing(thing[1], definition)):
            declared = self._declared_above(thing, definition, owner, asker)
            if declared:
                known = tuple([value for value in values if value != UNKNOWN])
                values = merge([known, declared]) if known else declared
        if on_instance:
            return values if definition.type >= 0 else merge([values, *self._assigned_above(thing, owner, asker)])
        receiver = thing[2]
        if definition.type < 0 and receiver is not None and receiver[0] == INSTANCE and self._is_made_over(owner):
            values = tuple(dict.fromkeys([UNKNOWN if value[0] == INSTANCE else value for value in values]))
        for value in values:
            tag = value[0]
            if tag == INSTANCE or tag == EXTERNAL_INSTANCE:
                return self.through_descriptors(values, thing[2], asker)
        return values

    def _holds_nothing(self, field: int, definition: LinkDefinition) -> bool:
        """Whether a field (gid) is assigned nothing but `None`."""
        file = self.world.file(file_of(field), file_of(field))
        return all(value >= 0 and file.expressions[value][:2] == [Op.BUILTIN, "None"] for value in definition.values)

    def _declared_above(self, thing: Value, definition: LinkDefinition, owner: int, asker: int) -> Values:
        """What a base class declares a field to hold that this class only gives another value."""
        for class_, _ in self.ancestry(owner).classes[1:]:
            for member in self.own_members(class_, definition.name):
                facts = self.definition(member)
                if facts.kind == DefinitionKind.FIELD and facts.type >= 0:
                    return self.held(member, thing[2], asker)
        return NOTHING

    def _assigned_above(self, thing: Value, owner: int, asker: int) -> list[Values]:
        """What the nearest base class whose methods assign the same attribute of instances assigns to it.

        Nothing where the class assigns it while it is made, or in a method that it overrides: that comes last.
        """
        name, method = self.definition(thing[1]).name, self.definition(thing[1]).extra["instance"]
        if method in _MAKING:
            return []
        for class_, _ in self.ancestry(owner).classes[1:]:
            for member in self.own_members(class_, name):
                facts = self.definition(member)
                if facts.kind == DefinitionKind.FIELD and facts.extra.get("instance", method) != method:
                    return [self.value_of((VARIABLE, member, thing[2]), asker)]
        return []

    def through_descriptors(self, values: Values, receiver: Value | None, asker: int) -> Values:
        """What access to a class attribute gives: of a descriptor, what its `__get__` gives (data model, 3.3.2.2)."""
        sets: list[Values] = []
        file = self.world.file(asker, asker)
        through_instance = receiver is not None and receiver[0] == INSTANCE
        for value in values:
            if value[0] == INSTANCE and self._is_descriptor(value[1]):
                found = [thing for thing in self.members(value, "__get__", file) if thing[0] == FUNCTION]
                sets.append(merge([self.result(thing[1], thing[2], asker, ()) for thing in found] or [NOTHING]))
            elif value[0] == EXTERNAL_INSTANCE and through_instance and value[1:3] == ("builtins", "property"):
                getters = value[3][0] if value[3] else NOTHING
                sets.append(merge([self._bound_result(getter, receiver, asker) for getter in getters] or [NOTHING]))
            elif value[0] == EXTERNAL_INSTANCE and through_instance and value[1] not in MODULES:
                # A field of somebody else's framework: what an instance has there is the framework's affair.
                sets.append(NOTHING)
            else:
                sets.append((value,))
        return merge(sets)

    def _bound_result(self, getter: Value, receiver: Value | None, asker: int) -> Values:
        if getter[0] != FUNCTION:
            return NOTHING
        return self.result(getter[1], receiver if getter[2] is None else getter[2], asker, ())

    def _is_made_over(self, class_: int) -> bool:
        """Whether a metaclass of the repository makes a class: it may replace what the class body assigns.

        Fields of models are the example: an instance has there what the field stands for.
        """

        def look() -> bool:
            for above, _ in self.ancestry(class_).classes:
                metaclass = self.definition(above).extra.get("metaclass", -1)
                if metaclass >= 0:
                    file = self.world.file(file_of(above), file_of(above))
                    if any(value[0] == TYPE for value in self.evaluate(file, metaclass)):
                        return True
            return False

        return self._remembered(self._made_over, class_, look)

    def _is_descriptor(self, class_: int) -> bool:
        def look() -> bool:
            return any(self.own_members(above, "__get__") for above, _ in self.ancestry(class_).classes)

        return self._remembered(self._descriptors, class_, look)

    def _remembered(self, table: dict[int, bool], class_: int, look: Callable[[], bool]) -> bool:
        """What `look` finds about a class; remembered unless it leans on a question that is still open."""
        known = table.get(class_)
        if known is None:
            outer, self._taint = self._taint, NO_TAINT
            known = look()
            if self._taint == NO_TAINT:
                table[class_] = known
            self._taint = min(outer, self._taint)
        return known

    # -- kinds of classes ---------------------------------------------------------------------------------------------

    def is_enum(self, class_: int) -> bool:
        """Whether a class derives from one of the standard enumerations."""
        return any(base[0] == EXTERNAL and base[1] == "enum" for base in self.ancestry(class_).outside)

    def parts_of(self, value: Value, asker: int) -> tuple[Values, ...] | None:
        """The parts of an instance of a `NamedTuple`, in order; None for anything else."""
        if value[0] != INSTANCE:
            return None
        for class_, _ in self.ancestry(value[1]).classes:
            fields = self.definition(class_).extra.get("fields")
            if fields:
                self.world.note(asker, file_of(class_))
                found = [self.member(class_, name, value, asker) for name in fields]
                return tuple([self.values_of(things, asker) if things else NOTHING for things in found])
        return None

    def is_subclass(self, value: Value, class_: Value) -> bool:
        """Whether a value is certainly an instance of a class (TYPE or EXTERNAL)."""
        tag = value[0]
        if class_[0] == PARAMETER:
            return value == instance(class_)
        if tag == INSTANCE or tag == PARAMETER:
            if tag == PARAMETER and (value[2] >= 0 or not value[3]):
                return False
            ancestry = self.ancestry(value[1])
            if class_[0] == TYPE:
                return any(above == class_[1] for above, _ in ancestry.classes)
            return class_ in ancestry.outside
        if tag == EXTERNAL_INSTANCE and class_[0] == EXTERNAL:
            return value[1:3] == class_[1:3]
        return tag == TUPLE and class_ == (EXTERNAL, "builtins", "tuple")

    def narrowed(self, values: Values, classes: Values, *, passes: bool) -> Values:
        """The values that an `isinstance` test lets pass (`passes`), or that it does not."""
        kinds: list[Value] = []
        for class_ in classes:
            kinds.extend([kind for part in class_[1] for kind in part] if class_[0] == TUPLE else [class_])
        known = [kind for kind in kinds if kind[0] in (TYPE, EXTERNAL) or (kind[0] == PARAMETER and not kind[3])]
        if values == BOTTOMS:
            return values
        if not passes:
            rest = tuple([value for value in values if not any(self.is_subclass(value, kind) for kind in known)])
            return rest if rest or not values else BOTTOMS
        if len(known) < len(kinds) or not known:
            return values
        # Each value for itself, so that more values never give less: circles of definitions settle by that.
        result: dict[Value, None] = {}
        for value in values or (UNKNOWN,):
            kept = [kind for kind in known if self.is_subclass(value, kind)]
            if kept:
                result[value] = None
            elif value[0] != EXTERNAL_INSTANCE or value[1] != "builtins":
                result.update(dict.fromkeys(instances(tuple(known))))
        return tuple(result) or BOTTOMS


def _has_not(value: Value, name: str) -> bool:
    """Whether it is certain that a class from outside, or an instance of it, has no member of that name."""
    members = CLASS_MEMBERS.get(f"{value[1]}.{value[2]}")
    return members is not None and name not in members and name[:2] != "__" and name not in ("mro", "register")
