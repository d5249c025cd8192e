"""Members, and the classes that they are inherited from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mypy_extensions import mypyc_attr

from graph.link.answers import Ancestry
from graph.link.circles import DEPTH_LIMIT
from graph.link.questions import Questions
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FILE_SHIFT,
    FUNCTION,
    INDEX_MASK,
    INSTANCE,
    MODULE,
    NOTHING,
    PACKAGE,
    PARAMETER,
    SELF_POSITION,
    SUPERS,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    BindingTag,
    DefinitionKind,
    Flag,
    Op,
    ScopeKind,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


_Declaring: TypeAlias = tuple[int, tuple[Values, ...], tuple[int, ...]]


@mypyc_attr(allow_interpreted_subclasses=True)
class Hierarchy(Questions):
    """What classes have, and from whom."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._ancestry: dict[int, Ancestry] = {}
        self._members: dict[tuple[int, str], tuple[int, ...]] = {}
        self._declared: dict[tuple[int, str, int], _Declaring] = {}
        self._loaded = world.loaded

    def definition(self, definition: int) -> LinkDefinition:
        """The facts of a definition by gid. The caller has noted the dependency."""
        file = self._loaded.get(definition >> FILE_SHIFT)
        if file is None:
            file = self.world.file(file_of(definition), file_of(definition))
        return file.definitions[definition & INDEX_MASK]

    def thing(self, definition: int, receiver: Value | None) -> Value:
        """A definition (gid) as a thing named, reached through a receiver value or directly."""
        kind = self.definition(definition).kind
        if kind in TYPE_KINDS:
            return (TYPE, definition, ())
        if kind in CALLABLE_KINDS:
            return (FUNCTION, definition, receiver)
        if kind == DefinitionKind.MODULE:
            return (MODULE, file_of(definition))
        if kind == DefinitionKind.NAMESPACE:
            return (TYPE, definition, ())
        return (VARIABLE, definition, receiver)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things named by member `name` of one value, asked from a file; () when nothing is known."""
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            return self.member(value[1], name, value, file.number)
        if tag == MODULE:
            return self.module_things(value[1], name, file.number)
        if tag == PACKAGE:
            return self.package_things(value[1], name, file)
        if tag == EXTERNAL or tag == EXTERNAL_INSTANCE:
            return ((EXTERNAL, value[1], f"{value[2]}.{name}" if value[2] else name),)
        if tag == SUPERS:
            return self.member(value[1], name, value[2], file.number, skip=1)
        if tag == PARAMETER:
            if value[2] == SELF_POSITION:
                return self.member(value[1], name, value, file.number)
            bound = self.parameter_bound(value)
            return merge([self.members(part, name, file) for part in bound]) if bound else NOTHING
        if tag == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def parameter_bound(self, value: Value) -> Values:
        """The bound of a type parameter: types, or values of them when the parameter stands for a value."""
        if value[2] == SELF_POSITION:
            return ((INSTANCE if value[3] else TYPE, value[1], self.own_arguments(value[1])),)
        owner = self.world.file(file_of(value[1]), file_of(value[1]))
        parameters = owner.definitions[index_of(value[1])].type_parameters
        if value[2] >= len(parameters) or parameters[value[2]][1] < 0:
            return NOTHING
        bound = self.evaluate(owner, parameters[value[2]][1])
        bound = tuple(part for part in bound if part[0] != PARAMETER or part[1:3] != value[1:3])
        return instances(bound) if value[3] else bound

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """The things named by a member of a class (gid), its own or inherited; `skip` leaves out the first classes.

        `(EXTERNAL, ...)` when no class of the repository has it and a base outside of the repository must.
        """
        self.world.note(asker, file_of(owner))
        ancestry = self.ancestry(owner)
        arguments: tuple[Values, ...] = ()
        tag = INSTANCE
        if receiver is not None:
            if receiver[0] == PARAMETER:
                tag = INSTANCE if receiver[3] else TYPE
                arguments = self.own_arguments(owner)
            elif receiver[0] in (INSTANCE, TYPE):
                tag, arguments = receiver[0], receiver[2]
        class_, class_arguments, found = self._declaring(owner, ancestry, name, skip)
        if not found:
            return self.outside_member(ancestry.outside, name)
        given = arguments
        if class_ != owner:
            given = tuple([substitute(part, owner, arguments) for part in class_arguments])
        seen = (tag, class_, given, receiver)
        if len(found) == 1:
            return (self.thing(found[0], seen),)
        things = tuple([self.thing(member, seen) for member in found])
        return (*things, AMBIGUITY) if self.twins(found) else things

    def _declaring(self, owner: int, ancestry: Ancestry, name: str, skip: int) -> _Declaring:
        """The first class in the order that declares a member, its type arguments, and the members, if any."""
        key = (owner, name, skip)
        known = self._declared.get(key)
        if known is not None:
            return known
        result: _Declaring = (owner, (), ())
        for class_, arguments in ancestry.classes[skip:] if skip else ancestry.classes:
            found = self.own_members(class_, name)
            if found:
                result = (class_, arguments, found)
                break
        if owner in self._ancestry:
            self._declared[key] = result
        return result

    def twins(self, members: Sequence[int]) -> bool:
        """Whether several members of one name in one class exclude each other, rather than being overloads."""
        return not self.overloads

    def outside_member(self, outside: Values, name: str) -> Values:
        """The things named by a member that only bases outside of the repository can have."""
        if not outside or any(base[0] != EXTERNAL for base in outside):
            return (UNKNOWN,) if outside else NOTHING
        base = outside[0]
        return ((EXTERNAL, base[1], f"{base[2]}.{name}" if base[2] else name),)

    def own_members(self, owner: int, name: str) -> tuple[int, ...]:
        """The gids of the members of that name which a class itself declares: the last one, or all that are
        conditional.
        """
        key = (owner, name)
        known = self._members.get(key)
        if known is not None:
            return known
        file = self.world.file(file_of(owner), file_of(owner))
        scope = file.definitions[index_of(owner)].scope
        found: tuple[int, ...] = ()
        if scope >= 0:
            bindings = file.bindings[scope].get(name, ())
            indices = [payload for tag, payload in bindings if tag == _DEFINITION]
            if indices:
                base = file.number << FILE_SHIFT
                if self.overloads:
                    found = tuple(base | index for index in indices)
                else:
                    last: list[int] = []
                    for index in reversed(indices):
                        last.append(base | index)
                        if not file.definitions[index].flags & _CONDITIONAL:
                            break
                    found = tuple(reversed(last))
        self._members[key] = found
        return found

    def ancestry(self, owner: int) -> Ancestry:
        """A class (gid) with everything that it inherits from, in lookup order."""
        known = self._ancestry.get(owner)
        if known is not None:
            return known
        key = ("ancestry", owner)
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        unknown = Ancestry(((owner, ()),), (UNKNOWN,))
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return unknown

        def remember(result: Ancestry) -> None:
            self._ancestry[owner] = result

        return self._settle(key, Ancestry(((owner, ()),), NOTHING), lambda: self.inherit(owner), unknown, remember)

    def inherit(self, owner: int) -> Ancestry:
        """Work out the ancestry of a class: itself, then each base with its own ancestors, depth first, each once."""
        file = self.world.file(file_of(owner), file_of(owner))
        definition = file.definitions[index_of(owner)]
        classes: dict[int, tuple[Values, ...]] = {owner: ()}
        outside: dict[Value, None] = {}
        for base in definition.bases:
            values = self.evaluate(file, base)
            if not values:
                outside[UNKNOWN] = None
            for value in values:
                if value[0] == TYPE:
                    self.world.note(file.number, file_of(value[1]))
                    above = self.ancestry(value[1])
                    for class_, arguments in above.classes:
                        given = (
                            value[2]
                            if class_ == value[1]
                            else tuple(substitute(part, value[1], value[2]) for part in arguments)
                        )
                        classes.setdefault(class_, given)
                    outside.update(dict.fromkeys(above.outside))
                elif value[0] == EXTERNAL or value[0] == EXTERNAL_INSTANCE:
                    outside[(EXTERNAL, value[1], value[2])] = None
                elif value[0] != BOTTOM[0]:
                    outside[UNKNOWN] = None
        return Ancestry(tuple(classes.items()), tuple(outside))

    def own_arguments(self, owner: int) -> tuple[Values, ...]:
        """The type parameters of a class (gid) as type arguments: each stands for itself."""
        count = len(self.definition(owner).type_parameters)
        return tuple(((PARAMETER, owner, position, False),) for position in range(count))

    def overridden(self, method: int) -> tuple[int, ...]:
        """The definitions (gids) that a method (gid) overrides or implements: those of its name in the nearest
        ancestor.

        () for what is no method of a class, and where no ancestor in the repository has the name.
        """
        file = self.world.file(file_of(method), file_of(method))
        definition = file.definitions[index_of(method)]
        if definition.kind != DefinitionKind.METHOD or definition.parent < 0:
            return ()
        owner = gid(file.number, definition.parent)
        if file.definitions[definition.parent].kind not in TYPE_KINDS:
            return ()
        for class_, _ in self.ancestry(owner).classes[1:]:
            found = self.own_members(class_, definition.name)
            if found:
                self.world.note(file.number, file_of(class_))
                return found
        return ()
