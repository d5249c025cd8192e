"""The linking engine that all languages share: what expressions name, and what they stand for.

A language derives from `Linker` and says how its modules are found, how members are inherited and how its own
operations behave. Two questions are asked of every expression. `denote` gives the *things named* (for `a.b`: the
definitions of `b`); `evaluate` gives the *values* it can stand for (for `a.b`: what that `b` holds). Both are memoised
per expression, and both are the least fixed point where definitions depend on each other in a circle, so that the
order of the questions does not matter.

Invariants: the engine names no language, opens no file, and never ties a name to a definition because the two only
happen to be spelt alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, cast

from mypy_extensions import mypyc_attr

from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FILE_SHIFT,
    FUNCTION,
    INDEX_MASK,
    INSTANCE,
    MODULE,
    NESTING,
    NOTHING,
    PACKAGE,
    PARAMETER,
    SELF_POSITION,
    SUPERS,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    clip,
    file_of,
    gid,
    index_of,
    instances,
    merge,
    replace_self,
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
    Status,
)

DEPTH_LIMIT: Final = 4000
"""Longest chain of questions that depend on each other; beyond it nothing is known."""
NO_TAINT: Final = DEPTH_LIMIT + 1
ROUNDS: Final = 8
"""How often a circle of definitions is worked out again until it is stable."""
TARGET_LIMIT: Final = 32
"""Most targets or candidates that one resolution keeps."""

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_RESOLVED_STATUS, _EXTERNAL_STATUS = Status.RESOLVED, Status.EXTERNAL
# What a NamedTuple does, without its keyword handling.
_new = cast(Callable[..., Any], tuple.__new__)  # pyright: ignore[reportUnknownMemberType]  # generic
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


class Named(NamedTuple):
    """The things that an expression names, and the rule that found them."""

    things: Values
    rule: str


class Resolution(NamedTuple):
    """One syntactic resolution: the answer of the syntactic layer for one reference."""

    status: Status
    rule: str
    """The rule that gave it (`import`, `receiver-type`, ...); '' when there is none."""
    reason: str
    """Why it is not resolved; '' otherwise."""
    targets: tuple[int, ...]
    """Gids: the targets when resolved, the candidates when ambiguous."""
    package: str
    symbol: str
    """Where it leads when it is external."""


NOBODY: Final = Named(NOTHING, "")


class Ancestry(NamedTuple):
    """A class and what it inherits from, in the order in which members are looked up."""

    classes: tuple[tuple[int, tuple[Values, ...]], ...]
    """(gid, type arguments in terms of the first class's parameters) each, the class itself first."""
    outside: Values
    """Bases that are outside of the repository, or `UNKNOWN` where a base could not be found."""


_Declaring: TypeAlias = tuple[int, tuple[Values, ...], tuple[int, ...]]


@mypyc_attr(allow_interpreted_subclasses=True)
class Linker:
    """Links the files of one language family. One instance serves one world; it may be forked, never shared by
    threads.
    """

    class_scopes_visible: ClassVar[bool] = False
    """Whether class members are visible as bare names in everything inside the class (Java)."""
    class_body_visible: ClassVar[bool] = False
    """Whether class members are visible as bare names in the class body itself only (Python)."""
    self_types: ClassVar[bool] = False
    """Whether `self` keeps the type of the receiver when a method is inherited (so that `return self` gives the
    subclass).
    """
    nesting: ClassVar[int] = NESTING
    """Deepest nesting of type arguments that is kept."""
    overloads: ClassVar[bool] = False
    """Whether the number of arguments takes part in finding the target of a call."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._depth = 0
        self._taint: int = NO_TAINT
        self._in_progress: dict[Any, list[Any]] = {}
        self._before: dict[Any, Any] = {}
        self._tentative: dict[Any, tuple[Any, int, Callable[[Any], None], Any]] = {}
        self._ancestry: dict[int, Ancestry] = {}
        self._once: dict[tuple[Any, ...], Values] = {}
        self._members: dict[tuple[int, str], tuple[int, ...]] = {}
        self._declared: dict[tuple[int, str, int], _Declaring] = {}
        self._loaded = world.loaded
        self._handlers: dict[int, Callable[[FileInterface, list[Any]], Values]] = {
            Op.CALL: self.evaluate_call,
            Op.INDEX: self.evaluate_index,
            Op.AWAIT: self.evaluate_await,
            Op.ITERATE: self.evaluate_iterate,
            Op.INSTANCE: self.evaluate_instance,
            Op.GENERIC: self.evaluate_generic,
            Op.UNION: self.evaluate_union,
            Op.BUILTIN: self.evaluate_builtin,
            Op.SELF: self.evaluate_self,
            Op.SUPER: self.evaluate_super,
            Op.TUPLE: self.evaluate_tuple,
            Op.PICK: self.evaluate_pick,
            Op.FUNCTION_TYPE: self.evaluate_function_type,
            Op.ENTER: self.evaluate_enter,
            Op.SPECIAL: self.evaluate_special,
            Op.CALLBACK: self.evaluate_callback,
            Op.TYPE_PARAMETER: self.evaluate_type_parameter,
        }

    # -- the way in ---------------------------------------------------------------------------------------------------

    def link(self, number: int, references: Sequence[Sequence[int]]) -> list[Resolution]:
        """The resolutions of a file's references, one each, in their order.

        A reference is (kind, expression, arguments, enclosing definition), as in `ReferenceFact`.
        """
        file = self.world.file(number, number)
        cache: dict[Any, Resolution] = {}
        result: list[Resolution] = []
        overloads = self.overloads
        for kind, expression, arguments, enclosing in references:
            key = (expression, kind, arguments) if overloads else (expression, kind)
            resolution = cache.get(key)
            if resolution is None:
                resolution = cache[key] = self.resolve(file, kind, expression, arguments, enclosing)
            result.append(resolution)
        return result

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        """The resolution of one reference."""
        if expression < 0:
            return Resolution(Status.UNRESOLVED, "", "dynamic", (), "", "")
        named = self.denote(file, expression)
        if len(named.things) == 1:
            thing = named.things[0]
            tag = thing[0]
            if tag == EXTERNAL:
                return _new(Resolution, (_EXTERNAL_STATUS, named.rule, "", (), thing[1], thing[2]))
            if tag == FUNCTION or tag == TYPE or tag == VARIABLE:
                chosen = self.choose(file, (thing[1],), kind, arguments)
                return _new(Resolution, (_RESOLVED_STATUS, named.rule, "", chosen, "", ""))
        targets: dict[int, None] = {}
        outside: Value | None = None
        partial = ambiguous = local = False
        for thing in named.things:
            tag = thing[0]
            if tag == UNKNOWN[0]:
                partial = True
            elif tag == AMBIGUITY[0]:
                ambiguous = True
            elif tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                outside = outside or thing
            elif tag == BOTTOM[0]:
                continue
            else:
                found = self.targets_of(thing)
                local = local or not found
                for target in found:
                    targets[target] = None
        if targets:
            chosen = self.choose(file, tuple(sorted(targets)), kind, arguments)
            if len(chosen) > TARGET_LIMIT:
                return Resolution(Status.UNRESOLVED, "", "too-many-candidates", (), "", "")
            if ambiguous and len(chosen) > 1:
                return Resolution(Status.AMBIGUOUS, named.rule, "several-definitions", chosen, "", "")
            rule = f"{named.rule}-partial" if partial or outside is not None else named.rule
            return Resolution(Status.RESOLVED, rule, "", chosen, "", "")
        if outside is not None and not partial:
            return Resolution(Status.EXTERNAL, named.rule, "", (), outside[1], outside[2])
        if local:
            return Resolution(Status.UNRESOLVED, "", "local-value", (), "", "")
        return Resolution(Status.UNRESOLVED, "", self.reason(file, expression), (), "", "")

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression that names nothing does so: a stable word."""
        operation = file.expressions[expression]
        if operation[0] == _ATTRIBUTE:
            if operation[1] < 0:
                return "dynamic"
            receiver = self.evaluate(file, operation[1])
            if not receiver:
                return "receiver-unknown"
            tags = {value[0] for value in receiver}
            if tags <= {EXTERNAL_RESULT, UNKNOWN[0], BOTTOM[0]}:
                return "external-result" if EXTERNAL_RESULT in tags else "receiver-unknown"
            if UNKNOWN[0] in tags or EXTERNAL_RESULT in tags:
                return "receiver-partly-unknown"
            return "no-member"
        if operation[0] == _IMPORTED:
            return "import-not-found"
        return "no-candidate"

    def targets_of(self, thing: Value) -> tuple[int, ...]:
        """The definitions (gids) that a thing named stands for; empty when it is no definition."""
        tag = thing[0]
        if tag == TYPE or tag == FUNCTION or tag == VARIABLE:
            return (thing[1],)
        if tag == MODULE:
            return (thing[1] << FILE_SHIFT,)
        if tag == PACKAGE:
            return self.package_targets(thing[1])
        return ()

    # -- things named -------------------------------------------------------------------------------------------------

    def denote(self, file: FileInterface, expression: int) -> Named:
        """The things that an expression of a file names. `NOBODY` when nothing is known."""
        if expression < 0:
            return NOBODY
        known = file.denotations[expression]
        if known is not None:
            return known
        # No guard against circles here: each one passes through `evaluate`, `imported` or `ancestry`, which have one.
        outer_taint = self._taint
        self._taint = NO_TAINT
        operation = file.expressions[expression]
        op = operation[0]
        if op == _NAME:
            result = self.denote_name(file, operation[1], operation[2])
        elif op == _ATTRIBUTE:
            result = self.denote_attribute(file, operation[1], operation[2])
        else:
            result = self._denote(file, operation, op)
        if self._taint == NO_TAINT:
            file.denotations[expression] = result
            self._taint = outer_taint
        elif outer_taint < self._taint:
            self._taint = outer_taint
        return result

    def _denote(self, file: FileInterface, operation: list[Any], op: int) -> Named:
        if op == _IMPORTED:
            return Named(self.imported(file, operation[1]), "import")
        if op == _DEFINITION_OP:
            return Named((self.thing(gid(file.number, operation[1]), None),), "lexical")
        if op == Op.GENERIC or op == Op.INSTANCE:
            return self.denote(file, operation[1])
        return self.denote_special(file, operation)

    def imported(self, file: FileInterface, index: int) -> Values:
        """The things that an import (index) of a file names, worked out once; imports in a circle name nothing."""
        return self.once(("import", file.number, index), lambda: self.import_things(file, index))

    def once(self, key: tuple[Any, ...], work: Callable[[], Values]) -> Values:
        """What `work` gives, worked out once per key and guarded against asking for itself.

        The key's first part is a word that no other use of this method has.
        """
        known = self._once.get(key)
        if known is not None:
            return known
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return NOTHING

        def remember(result: Values) -> None:
            self._once[key] = NOTHING if result == BOTTOMS else result

        return self._settle(key, BOTTOMS, work, NOTHING, remember)

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """The things that an operation other than a name, a member or an import names; none by default."""
        return NOBODY

    def denote_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names, seen from a scope of the file: lexical scopes first, then `outermost`."""
        key = (scope, name)
        known = file.names.get(key)
        if known is not None:
            return known
        first = scope
        place = -1
        names = file.names
        scopes, bindings = file.scopes, file.bindings
        result: Named | None = None
        while scope >= 0 and result is None:
            parent, kind, owner = scopes[scope]
            if scope != first and kind != _CLASS_SCOPE:
                # What is seen from further out was perhaps looked up before, for another reference.
                result = names.get((scope, name))
                if result is not None:
                    break
            if kind != _CLASS_SCOPE or self.class_scopes_visible or (self.class_body_visible and scope == first):
                found = bindings[scope].get(name)
                if found is not None:
                    result = self.bound(file, scope, name, found)
                elif kind == _CLASS_SCOPE and self.class_scopes_visible:
                    inherited = self.member(gid(file.number, owner), name, None, file.number)
                    if inherited and inherited != (UNKNOWN,):
                        result = Named(inherited, "inherited")
                if result is None and file.stars:
                    result = self.starred(file, scope, name)
            place = scope
            scope = parent
        if result is None:
            place = -1
            result = self.outermost(file, first, name)
        if self._taint == NO_TAINT:
            names[key] = result
            if place >= 0 and scopes[place][1] != _CLASS_SCOPE:
                names[place, name] = result
        return result

    def bound(self, file: FileInterface, scope: int, name: str, bindings: Sequence[Sequence[int]]) -> Named:
        """The things that the bindings of one name in one scope stand for.

        Of several definitions the last one counts; where some of them are conditional, all are candidates.
        """
        definitions = [payload for tag, payload in bindings if tag == _DEFINITION]
        imports = [payload for tag, payload in bindings if tag == _IMPORT]
        things: list[Values] = []
        rule = "lexical"
        if imports:
            rule = "import"
            for index in imports:
                found = self.imported(file, index)
                if found:
                    things.append(found)
        if definitions:
            things.append(self.defined(file, definitions))
        if not imports and not definitions:
            values = merge([self.evaluate(file, payload) for _, payload in bindings])
            return Named(values or (UNKNOWN,), "local")
        merged = merge(things) if things else NOTHING
        if imports and definitions:
            merged = self.preferred(merged)
        elif len(imports) > 1:
            merged = self.preferred(merged)
        return Named(merged, rule)

    def defined(self, file: FileInterface, definitions: Sequence[int]) -> Values:
        """The things for several definitions of one name in one scope of a file, in source order."""
        base = file.number << FILE_SHIFT
        if len(definitions) == 1:
            return (self.thing(base | definitions[0], None),)
        if self.overloads:
            return tuple(self.thing(base | index, None) for index in definitions)
        last: list[int] = []
        for index in reversed(definitions):
            last.append(index)
            if not file.definitions[index].flags & _CONDITIONAL:
                break
        things = tuple(self.thing(base | index, None) for index in reversed(last))
        return (*things, AMBIGUITY) if len(things) > 1 else things

    def preferred(self, things: Values) -> Values:
        """Several imports (or imports and definitions) of one name, in a fallback: candidates, unless one is left."""
        inside = tuple(
            dict.fromkeys(thing for thing in things if thing[0] not in (UNKNOWN[0], AMBIGUITY[0], BOTTOM[0]))
        )
        if len(inside) <= 1:
            return inside or things
        return (*inside, AMBIGUITY)

    def starred(self, file: FileInterface, scope: int, name: str) -> Named | None:
        """The things that a star import of this very scope brings in under a name; None when it brings none."""
        found: list[Values] = []
        for star_scope, index in file.stars:
            if star_scope == scope:
                things = self.star_things(file, index, name)
                if things:
                    found.append(things)
        return Named(merge(found), "star-import") if found else None

    def is_alias(self, type_: int) -> bool:
        """Whether a type (gid) stands for another one, so that `values_of` gives something else for it. Never by
        default.
        """
        return False

    def is_plain(self, function: int) -> bool:
        """Whether a function (gid) that is named stands for itself, and not for what it gives (`values_of`)."""
        return not self.definition(function).flags & _PROPERTY

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

    def definition(self, definition: int) -> LinkDefinition:
        """The facts of a definition by gid. The caller has noted the dependency."""
        file = self._loaded.get(definition >> FILE_SHIFT)
        if file is None:
            file = self.world.file(file_of(definition), file_of(definition))
        return file.definitions[definition & INDEX_MASK]

    def denote_attribute(self, file: FileInterface, receiver: int, name: str) -> Named:
        """The things that a member access names."""
        if receiver < 0:
            return NOBODY
        values = self.evaluate(file, receiver)
        if not values:
            return NOBODY
        found: list[Values] = []
        missing = False
        for value in values:
            things = self.members(value, name, file)
            if things:
                found.append(things)
            else:
                missing = True
        if not found:
            return NOBODY
        merged = merge([*found, NOTHING]) if missing else merge(found)
        return Named(merged, self.receiver_rule(file, receiver, values))

    def receiver_rule(self, file: FileInterface, receiver: int, values: Values) -> str:
        """The rule by which the type of a receiver is known."""
        tag = values[0][0]
        if tag == MODULE or tag == PACKAGE or tag == EXTERNAL:
            return "qualified"
        op = file.expressions[receiver][0]
        if op == Op.SELF:
            return "self"
        if op == Op.SUPER:
            return "super"
        if tag == TYPE:
            return "qualified"
        if op == Op.CALL or op == Op.AWAIT:
            return "receiver-result"
        if op == Op.INSTANCE or op == Op.BUILTIN:
            return "receiver-type"
        return "receiver-value"

    # -- members ------------------------------------------------------------------------------------------------------

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

    # -- values -------------------------------------------------------------------------------------------------------

    def evaluate(self, file: FileInterface, expression: int) -> Values:
        """The values that an expression of a file can stand for; () when nothing is known."""
        if expression < 0:
            return NOTHING
        known = file.values[expression]
        if known is not None:
            return known
        op = file.expressions[expression][0]
        if op == _NAME or op == _ATTRIBUTE or op == _IMPORTED or op == _DEFINITION_OP:
            settled = self._plain(file, expression)
            if settled is not None:
                return settled
        key = (~file.number, expression)
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return NOTHING

        def remember(result: Values) -> None:
            file.values[expression] = NOTHING if result == BOTTOMS else result

        return self._settle(key, BOTTOMS, lambda: self._evaluate(file, expression), NOTHING, remember)

    def _plain(self, file: FileInterface, expression: int) -> Values | None:
        """The values of a name that stands for nothing but itself (a class, a function, a module); None when it may
        not.

        These are most of the names there are, and they cannot be part of a circle.
        """
        outer_taint = self._taint
        self._taint = NO_TAINT
        key = (~file.number, expression)
        if key in self._in_progress or key in self._tentative:
            self._taint = outer_taint
            return None
        depth = self._depth
        if depth >= DEPTH_LIMIT:
            self._taint = outer_taint
            return None
        mark = len(self._tentative)
        self._in_progress[key] = [depth, BOTTOMS]
        self._depth = depth + 1
        things = self.denote(file, expression).things
        self._depth = depth
        del self._in_progress[key]
        if self._taint != NO_TAINT:
            self._taint = outer_taint
            self._drop_leaning(mark, depth)
            return None
        self._taint = outer_taint
        for thing in things:
            tag = thing[0]
            if tag == VARIABLE or tag >= UNKNOWN[0] or (tag == EXTERNAL and thing[3:]):
                return None  # what a thing with details of its language stands for is worked out by `values_of`
            if (tag == FUNCTION and not self.is_plain(thing[1])) or (tag == TYPE and self.is_alias(thing[1])):
                return None
        values = file.values[expression] = self.values_of(things, file.number) if len(things) > 1 else things
        return values

    def _drop_leaning(self, mark: int, depth: int) -> None:
        """Forget the answers put aside since `mark` that lean on a question which is given up at this depth."""
        aside = self._tentative
        for key, entry in list(islice(reversed(aside.items()), len(aside) - mark)):
            if entry[1] >= depth:
                del aside[key]
                self._before.pop(key, None)

    def _evaluate(self, file: FileInterface, expression: int) -> Values:
        operation = file.expressions[expression]
        op = operation[0]
        if op == _NAME or op == _ATTRIBUTE or op == _IMPORTED or op == _DEFINITION_OP:
            return self.values_of(self.denote(file, expression).things, file.number)
        return clip(self._handlers[op](file, operation), self.nesting)

    def values_of(self, things: Values, asker: int) -> Values:
        """What things named stand for: definitions that hold a value are replaced by it."""
        if len(things) == 1:
            thing = things[0]
            if thing[0] != VARIABLE and thing[0] != FUNCTION:
                return things
            return self.value_of(thing, asker)
        sets: list[Values] = []
        for thing in things:
            if thing[0] != AMBIGUITY[0]:
                sets.append(self.value_of(thing, asker))
        return merge(sets) if sets else NOTHING

    def value_of(self, thing: Value, asker: int) -> Values:
        """What one thing named stands for."""
        tag = thing[0]
        if tag == VARIABLE:
            return self.held(thing[1], thing[2], asker)
        if tag == FUNCTION and self.definition(thing[1]).flags & _PROPERTY:
            return self.result(thing[1], thing[2], asker, NOTHING)
        return (thing,)

    def held(self, definition: int, receiver: Value | None, asker: int) -> Values:
        """The values that a variable or field (gid) holds: of its declared type, or those assigned to it."""
        file = self.world.file(file_of(definition), asker)
        facts = file.definitions[index_of(definition)]
        if facts.type >= 0:
            values = self.evaluate(file, facts.type)
        elif facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        else:
            return NOTHING
        return self.seen_through(values, receiver)

    def seen_through(self, values: Values, receiver: Value | None) -> Values:
        """Values of a member with the receiver's type arguments put in, and the receiver for its own type.

        `receiver` is (INSTANCE or TYPE, class that declares the member, its type arguments, the receiver as it was).
        """
        if receiver is None or receiver[0] not in (INSTANCE, TYPE):
            return values
        if receiver[2]:
            values = substitute(values, receiver[1], receiver[2])
        if self.self_types and len(receiver) > 3 and receiver[3] is not None:
            values = replace_self(values, receiver[3])
        return values

    def result(self, function: int, receiver: Value | None, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that a call of a function (gid) gives. `arguments` are the value sets of its arguments, if
        known.
        """
        file = self.world.file(file_of(function), asker)
        facts = file.definitions[index_of(function)]
        if facts.type >= 0:
            values = self.evaluate(file, facts.type)
        elif facts.values:
            values = merge([self.evaluate(file, value) for value in facts.values])
        else:
            return NOTHING
        if facts.type_parameters and arguments:
            values = substitute(values, function, self.inferred(file, function, facts, arguments))
        return self.seen_through(values, receiver)

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments for the type parameters of a function, taken from arguments whose declared type is one of
        them.
        """
        given: list[Values] = [NOTHING] * len(facts.type_parameters)
        for position, parameter in enumerate(facts.parameters):
            if position >= len(arguments) or parameter[1] < 0 or not arguments[position]:
                continue
            declared = self.evaluate(file, parameter[1])
            self._infer(declared, arguments[position], owner, given)
        return tuple(given)

    def _infer(self, declared: Values, actual: Values, owner: int, given: list[Values]) -> None:
        if len(declared) != 1 or not actual:
            return
        pattern = declared[0]
        if pattern[0] == PARAMETER and pattern[1] == owner and not given[pattern[2]]:
            given[pattern[2]] = tuple(self.type_of(value) for value in actual)
        elif len(actual) == 1 and pattern[0] == actual[0][0]:
            value = actual[0]
            if pattern[0] in (INSTANCE, TYPE) and pattern[1] == value[1]:
                for inner, outer in zip(pattern[2], value[2], strict=False):
                    self._infer(inner, outer, owner, given)
            elif pattern[0] == EXTERNAL_INSTANCE and pattern[1:3] == value[1:3]:
                for inner, outer in zip(pattern[3], value[3], strict=False):
                    self._infer(inner, outer, owner, given)
            elif pattern[0] == CALLABLE:
                self._infer(pattern[1], value[1], owner, given)

    def type_of(self, value: Value) -> Value:
        """The type of a value: the reverse of `instance`."""
        tag = value[0]
        if tag == INSTANCE:
            return (TYPE, value[1], value[2])
        if tag == EXTERNAL_INSTANCE and not value[3]:
            return (EXTERNAL, value[1], value[2])
        if tag == PARAMETER:
            return (PARAMETER, value[1], value[2], False)
        return value

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that a call of one value gives."""
        tag = callee[0]
        if tag == TYPE:
            return self.constructed(callee, asker, arguments)
        if tag == PARAMETER and not callee[3]:
            return ((PARAMETER, callee[1], callee[2], True),)
        if tag == FUNCTION:
            return self.result(callee[1], callee[2], asker, arguments)
        if tag == CALLABLE:
            return callee[1]
        if tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
            return ((EXTERNAL_RESULT, callee[1], callee[2]),)
        if tag == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """The values that calling (or constructing) a type gives."""
        return ((INSTANCE, type_[1], type_[2]),)

    # -- operations ---------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALL."""
        callees = self.evaluate(file, operation[1])
        if not callees:
            return NOTHING
        arguments = tuple([self.evaluate(file, argument) for argument in operation[3]]) if len(operation) > 3 else ()
        return merge([self.called(callee, file.number, arguments) for callee in callees])

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        """INSTANCE."""
        return instances(self.evaluate(file, operation[1]))

    def evaluate_generic(self, file: FileInterface, operation: list[Any]) -> Values:
        """GENERIC."""
        bases = self.evaluate(file, operation[1])
        arguments = tuple([self.evaluate(file, argument) for argument in operation[2]])
        return merge([self.applied(base, arguments) for base in bases]) if bases else NOTHING

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type with type arguments."""
        if base[0] == TYPE:
            return ((TYPE, base[1], arguments),)
        if base[0] == EXTERNAL:
            return self.external_applied(base, arguments)
        return (base,)

    def external_applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type from outside of the repository with type arguments; as a value, since `instances` leaves it so."""
        return ((EXTERNAL_INSTANCE, base[1], base[2], arguments),)

    def evaluate_union(self, file: FileInterface, operation: list[Any]) -> Values:
        """UNION."""
        return merge([self.evaluate(file, part) for part in operation[1]])

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        """BUILTIN."""
        arguments = tuple([self.evaluate(file, part) for part in operation[2]])
        return ((EXTERNAL_INSTANCE, self.builtin_package, operation[1], arguments),)

    builtin_package: ClassVar[str] = "builtins"
    """The package that external targets of the language's own types and functions are given."""

    def evaluate_self(self, file: FileInterface, operation: list[Any]) -> Values:
        """SELF: an instance of the class, its own type parameters standing for themselves."""
        owner = gid(file.number, operation[1])
        if self.self_types:
            return ((PARAMETER, owner, SELF_POSITION, True),)
        return ((INSTANCE, owner, self.own_arguments(owner)),)

    def own_arguments(self, owner: int) -> tuple[Values, ...]:
        """The type parameters of a class (gid) as type arguments: each stands for itself."""
        count = len(self.definition(owner).type_parameters)
        return tuple(((PARAMETER, owner, position, False),) for position in range(count))

    def evaluate_super(self, file: FileInterface, operation: list[Any]) -> Values:
        """SUPER: the receiver, its members looked up behind the class in its ancestry."""
        owner = gid(file.number, operation[1])
        receiver = (
            (PARAMETER, owner, SELF_POSITION, True) if self.self_types else (INSTANCE, owner, self.own_arguments(owner))
        )
        return ((SUPERS, owner, receiver),)

    def evaluate_tuple(self, file: FileInterface, operation: list[Any]) -> Values:
        """TUPLE."""
        return ((TUPLE, tuple([self.evaluate(file, part) for part in operation[1]])),)

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """PICK."""
        sets: list[Values] = []
        for value in self.evaluate(file, operation[1]):
            if value[0] == TUPLE:
                sets.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            elif value[0] == BOTTOM[0]:
                sets.append(BOTTOMS)
            else:
                sets.append(self.iterated(value, file))
        return merge(sets) if sets else NOTHING

    def evaluate_function_type(self, file: FileInterface, operation: list[Any]) -> Values:
        """FUNCTION_TYPE."""
        return ((CALLABLE, self.evaluate(file, operation[1])),)

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        """AWAIT: by default what an asynchronous function gives is written as if it were given at once."""
        return self.evaluate(file, operation[1])

    def evaluate_iterate(self, file: FileInterface, operation: list[Any]) -> Values:
        """ITERATE."""
        values = self.evaluate(file, operation[1])
        return merge([self.iterated(value, file) for value in values]) if values else NOTHING

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by iteration."""
        if value[0] == TUPLE:
            return merge(list(value[1])) if value[1] else NOTHING
        if value[0] == BOTTOM[0]:
            return BOTTOMS
        return NOTHING

    def evaluate_index(self, file: FileInterface, operation: list[Any]) -> Values:
        """INDEX."""
        values = self.evaluate(file, operation[1])
        return merge([self.indexed(value, file) for value in values]) if values else NOTHING

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value, by subscript: those of iteration by default."""
        return self.iterated(value, file)

    def evaluate_enter(self, file: FileInterface, operation: list[Any]) -> Values:
        """ENTER: nothing is known by default."""
        return NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """SPECIAL: an operation of one language; nothing is known by default."""
        return NOTHING

    def evaluate_callback(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALLBACK: a parameter of a function that is passed to a call; nothing is known by default."""
        return NOTHING

    def evaluate_type_parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        """TYPE_PARAMETER."""
        return ((PARAMETER, gid(file.number, operation[1]), operation[2], False),)

    # -- what a language must say -------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """The things that an import (index) of a file names; () when it cannot be found."""
        raise NotImplementedError

    def star_things(self, file: FileInterface, index: int, name: str) -> Values:
        """The things that a star import (index) brings in under a name; () when it brings none."""
        raise NotImplementedError

    def module_things(self, number: int, name: str, asker: int) -> Values:
        """The things named by member `name` of a module (file number), seen from another file."""
        raise NotImplementedError

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """The things named by member `name` of a package, seen from a file. None by default."""
        return NOTHING

    def package_targets(self, key: str) -> tuple[int, ...]:
        """The definitions that stand for a package itself."""
        return ()

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names when no scope of the file binds it: same package, builtins, prelude."""
        return NOBODY

    def choose(self, file: FileInterface, targets: tuple[int, ...], kind: int, arguments: int) -> tuple[int, ...]:
        """Narrow several targets of one reference: overloads by the number of arguments, where there are any."""
        if not self.overloads or arguments < 0 or len(targets) < 2:
            return targets
        fitting = tuple(target for target in targets if self.accepts(self.definition(target), arguments))
        return fitting or targets

    def accepts(self, definition: LinkDefinition, arguments: int) -> bool:
        """Whether a definition can be called with that many arguments; what is no function always can."""
        if definition.kind not in CALLABLE_KINDS:
            return True
        rest = any(parameter[3] == 1 for parameter in definition.parameters)
        required = sum(1 for parameter in definition.parameters if parameter[3] == 0 and not parameter[2])
        most = sum(1 for parameter in definition.parameters if parameter[3] == 0)
        return required <= arguments and (rest or arguments <= most)

    # -- circles ------------------------------------------------------------------------------------------------------

    def _recall(self, key: Any) -> Any:
        """What is known of a question that is still open, or was answered while one further out still is; else None."""
        progress = self._in_progress.get(key)
        if progress is not None:
            self._taint = min(self._taint, progress[0])
            return progress[1]
        tentative = self._tentative.get(key)
        if tentative is not None:
            self._taint = min(self._taint, tentative[1])
            return tentative[0]
        return None

    def _settle(
        self, key: Any, start: Any, work: Callable[[], Any], unknown: Any, remember: Callable[[Any], None]
    ) -> Any:
        """Answer one question by `work`, which may ask it again and is then told the answer so far.

        The answer is worked out again until it is stable; `unknown` where it is not after `ROUNDS`. Answers to other
        questions that lean on one that is still open further out are kept aside, and are remembered together with it:
        these questions form a circle, and the last round has answered them all from the final values.
        """
        depth = self._depth
        aside, before = self._tentative, self._before
        progress = [depth, before.get(key, start)]
        self._in_progress[key] = progress
        outer_taint = self._taint
        mark = len(aside)
        self._depth = depth + 1
        stable = False
        result = start
        leaning = NO_TAINT
        for turn in range(ROUNDS):
            self._taint = NO_TAINT
            result = work()
            leaning = self._taint
            if leaning != depth:
                stable = True
                break
            stable = result == progress[1]
            progress[1] = result
            if turn + 1 < ROUNDS:
                stable = self._next_round(mark, stable)
            if stable:
                break
        del self._in_progress[key]
        self._depth = depth
        if leaning >= depth:
            if not stable:
                result = unknown
            remember(result)
            while len(aside) > mark:
                other_key, (answer, _, other, nothing) = aside.popitem()
                before.pop(other_key, None)
                other(answer if stable else nothing)
            before.pop(key, None)
            self._taint = outer_taint
        else:
            aside[key] = (result, leaning, remember, unknown)
            self._taint = min(outer_taint, leaning)
        return result

    def _next_round(self, mark: int, stable: bool) -> bool:
        """Whether the answers put aside since `mark` are those of the round before, too; if not, clear them for
        another.
        """
        aside, before = self._tentative, self._before
        fresh = list(islice(reversed(aside.items()), len(aside) - mark))
        if stable and all(before.get(key, NO_TAINT) == entry[0] for key, entry in fresh):
            return True
        for key, entry in fresh:
            before[key] = entry[0]
            del aside[key]
        return False
