"""Java types while names are linked: supertypes, type arguments, members of a type, signatures.

A type is named by its *key*: the gid of a definition, or the full name of a type of the JDK. Types from elsewhere have no
key: of them nothing is known but the name.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from graph.languages.java.jdk import ARRAY, BASE, OBJECT, PRIMITIVES, Signature, jdk
from graph.languages.java.packages import Packages
from graph.link.linker import DEPTH_LIMIT, Ancestry, Linker
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PARAMETER,
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
    mentions_parameter,
)
from graph.link.world import World
from graph.model import DefinitionKind, Flag, Visibility

Key: TypeAlias = "int | str"

CONSTRUCTORS: Final = "<init>()"
INT: Final[Value] = (EXTERNAL_INSTANCE, BASE, "int", ())
BOOLEAN: Final[Value] = (EXTERNAL_INSTANCE, BASE, "boolean", ())
STRING: Final[Value] = (EXTERNAL_INSTANCE, BASE, "java.lang.String", ())
OBJECT_VALUE: Final[Value] = (EXTERNAL_INSTANCE, BASE, OBJECT, ())
_UNKNOWN_SIGNATURE: Final = Signature("", 0, (), True, NOTHING)


class Descriptor(NamedTuple):
    """What the one abstract method of a functional interface takes and gives (JLS 9.9)."""

    parameters: tuple[Values, ...]
    """Types."""
    result: Values
    """Values."""


def key_of(value: Value) -> Key | None:
    """The key of the class of a value or type; None when it has none (an unknown, a type parameter)."""
    tag = value[0]
    if tag == INSTANCE or tag == TYPE:
        return value[1]
    if tag == EXTERNAL or tag == EXTERNAL_INSTANCE:
        return value[2]
    return None


def arguments_of(value: Value) -> tuple[Values, ...]:
    """The type arguments of a value or type; () when none are known."""
    tag = value[0]
    if tag == INSTANCE or tag == TYPE:
        return value[2]
    return value[3] if tag == EXTERNAL_INSTANCE else ()


def primitive(value: Value) -> str:
    """The name of a primitive type (`null` and `void` among them), '' for every other value."""
    return value[2] if value[0] == EXTERNAL_INSTANCE and value[2] in PRIMITIVES else ""


def fill(values: Values, owner: Any, arguments: tuple[Values, ...]) -> Values:
    """The values with the type parameters of one owner replaced; those without an argument become unknown."""
    if not values or not mentions_parameter(values):
        return values
    result: dict[Value, None] = {}
    for value in values:
        tag = value[0]
        if tag == PARAMETER and value[1] == owner:
            given = arguments[value[2]] if value[2] < len(arguments) else NOTHING
            for one in given:
                result[instance(one) if value[3] else one] = None
        elif tag == INSTANCE or tag == TYPE:
            result[(tag, value[1], tuple(fill(part, owner, arguments) for part in value[2]))] = None
        elif tag == EXTERNAL_INSTANCE:
            parts = tuple(fill(part, owner, arguments) for part in value[3])
            result[(tag, value[1], value[2], parts)] = None
        elif tag == CALLABLE:
            result[(tag, fill(value[1], owner, arguments))] = None
        else:
            result[value] = None
    return tuple(result)


class Hierarchy(Linker):
    """Supertypes, members and signatures of Java types."""

    class_scopes_visible = True
    overloads = True
    builtin_package = BASE
    nesting = 6

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.jdk = jdk()
        self.packages = Packages(world)
        self._jdk_ancestry: dict[str, Ancestry] = {}
        self._supers: dict[Key, dict[Key, tuple[Values, ...]]] = {}
        self._own_arguments: dict[Key, tuple[Values, ...]] = {}
        self._type_names: dict[Key, frozenset[str] | None] = {}
        self._raw: dict[Key, tuple[Values, ...]] = {}
        self._signatures: dict[int, Signature] = {}
        self._descriptors: dict[Key, Descriptor | None] = {}
        self._method_lists: dict[tuple[Key, str], tuple[tuple[Values, ...], Values]] = {}
        self._member_cache: dict[tuple[Any, str], Values] = {}

    def settled(self) -> bool:
        """Whether what was just worked out leans on no question that is still open, so that it may be remembered."""
        return self._taint > DEPTH_LIMIT

    # -- supertypes ---------------------------------------------------------------------------------------------------

    def lineage(self, key: Key) -> Ancestry:
        """A type with all its supertypes: subtypes before supertypes, classes before interfaces, `Object` last."""
        return self.ancestry(key) if isinstance(key, int) else self._lineage_of_jdk(key)

    def inherit(self, owner: int) -> Ancestry:
        """The lineage of a type of the repository."""
        file = self.world.file(file_of(owner), file_of(owner))
        definition = file.definitions[index_of(owner)]
        sets = [self.evaluate(file, base) for base in definition.bases]
        implied = {
            "enum": "java.lang.Enum",
            "record": "java.lang.Record",
            "annotation": "java.lang.annotation.Annotation",
        }
        above = implied.get(definition.extra.get("form", ""))
        if above is not None:
            arguments = (((TYPE, owner, ()),),) if above == "java.lang.Enum" else ()
            sets.append(((EXTERNAL_INSTANCE, BASE, above, arguments),))
        lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]] = []
        outside: dict[Value, None] = {}
        for values in sets:
            if not values:
                outside[UNKNOWN] = None
            for value in values:
                key = key_of(value)
                if isinstance(key, int):
                    self.world.note(file.number, file_of(key))
                if key is None or (isinstance(key, str) and key not in self.jdk):
                    if value[0] not in (BOTTOM[0], AMBIGUITY[0]):
                        outside[(EXTERNAL, value[1], value[2]) if key is not None else UNKNOWN] = None
                    continue
                line = self.lineage(key)
                outside.update(dict.fromkeys(line.outside))
                given = arguments_of(value)
                lists.append(
                    tuple(
                        (one, given if one == key else tuple(fill(part, key, given) for part in parts))
                        for one, parts in line.classes
                    )
                )
        return Ancestry(self._merged(owner, lists), tuple(outside))

    def _lineage_of_jdk(self, name: str) -> Ancestry:
        known = self._jdk_ancestry.get(name)
        if known is None:
            described = self.jdk.type(name)
            lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]] = []
            outside: tuple[Value, ...] = ()
            if described is None or not described.whole:
                outside = ((EXTERNAL, self.jdk.module(name) if name in self.jdk else BASE, name),)
            for above in described.supertypes if described is not None else ():
                key, given = above[2], arguments_of(above)
                line = self._lineage_of_jdk(key)
                outside = outside or line.outside
                lists.append(
                    tuple(
                        (one, given if one == key else tuple(fill(part, key, given) for part in parts))
                        for one, parts in line.classes
                    )
                )
            known = self._jdk_ancestry[name] = Ancestry(self._merged(name, lists), outside)
        return known

    def _merged(self, own: Key, lists: list[tuple[tuple[Key, tuple[Values, ...]], ...]]) -> Any:
        """One list of several lineages. Of a type that is in more than one the last place counts: below all its subtypes."""
        merged: dict[Key, tuple[Values, ...]] = {}
        for line in lists:
            for key, arguments in line:
                before = merged.pop(key, ())
                merged[key] = before or arguments
        merged.pop(own, None)
        merged.pop(OBJECT, None)
        classes = [entry for entry in merged.items() if not self.is_interface(entry[0])]
        interfaces = [entry for entry in merged.items() if self.is_interface(entry[0])]
        last = [] if own == OBJECT else [(OBJECT, ())]
        return ((own, ()), *classes, *interfaces, *last)

    def is_interface(self, key: Key) -> bool:
        """Whether a type is an interface."""
        if isinstance(key, int):
            return self.definition(key).kind == DefinitionKind.INTERFACE
        described = self.jdk.type(key)
        return described is not None and described.kind in "I@"

    def own_arguments(self, key: Key) -> tuple[Values, ...]:
        """The type parameters of a type as arguments of itself."""
        known = self._own_arguments.get(key)
        if known is None:
            if isinstance(key, int):
                count = len(self.definition(key).type_parameters)
            else:
                described = self.jdk.type(key)
                count = 0 if described is None else len(described.bounds)
            known = tuple(((PARAMETER, key, position, False),) for position in range(count))
            self._own_arguments[key] = known
        return known

    def raw_arguments(self, key: Key) -> tuple[Values, ...]:
        """What the type parameters of a raw type stand for: the erasure of their bounds (JLS 4.6, 4.8)."""
        known = self._raw.get(key)
        if known is None:
            bounds = [self.parameter_bound(part[0])[:1] for part in self.own_arguments(key)]
            known = tuple(fill(bound, key, ()) or ((EXTERNAL, BASE, OBJECT),) for bound in bounds)
            if self.settled():
                self._raw[key] = known
        return known

    def supers(self, key: Key) -> dict[Key, tuple[Values, ...]]:
        """Every supertype of a type, itself included, with its type arguments in terms of the type's own parameters."""
        known = self._supers.get(key)
        if known is None:
            line = self.lineage(key)
            known = dict(line.classes)
            known[key] = self.own_arguments(key)
            if self.settled():
                self._supers[key] = known
        return known

    def as_super(self, value: Value, target: Key) -> tuple[Values, ...] | None:
        """The type arguments of a value seen as an instance of a supertype; None when it is none, or not known to be."""
        if value[0] == PARAMETER:
            for bound in self.parameter_bound(value):
                found = self.as_super(bound, target)
                if found is not None:
                    return found
            return None
        key = key_of(value)
        if key is None:
            return None
        given = arguments_of(value)
        if key == target:
            return given
        if isinstance(key, str) and key not in self.jdk:
            return None
        arguments = self.supers(key).get(target)
        return None if arguments is None else tuple(fill(part, key, given) for part in arguments)

    def parameter_bound(self, value: Value) -> Values:
        """The bounds of a type parameter: types, or values of them when the parameter stands for a value."""
        owner, position, held = value[1], value[2], value[3]
        if isinstance(owner, int):
            return super().parameter_bound(value)
        bounds: tuple[Values, ...] = ()
        described = self.jdk.type(owner)
        if described is not None:
            bounds = described.bounds
        elif "~" in owner:
            declaring, _, rest = owner.rpartition("~")
            type_name, _, name = declaring.rpartition(".")
            described = self.jdk.type(type_name)
            if described is not None and name in described.methods:
                bounds = described.methods[name][int(rest)].bounds
        found = bounds[position] if position < len(bounds) else NOTHING
        return instances(found) if held else found

    # -- members ------------------------------------------------------------------------------------------------------

    def member_of(self, key: Key, name: str, receiver: Value) -> Values:
        """The things named by a member of a type, its own or inherited: `name()` methods, `#name` a type, else a field.

        `(EXTERNAL, ...)` when only a supertype from elsewhere can have it, `(UNKNOWN,)` when that cannot be told.
        """
        if name == CONSTRUCTORS:
            return self.constructors(key, receiver)
        arguments = arguments_of(receiver)
        if not arguments and receiver[0] in (INSTANCE, EXTERNAL_INSTANCE):
            arguments = self.raw_arguments(key)
        base_arguments, things = self._found(key, name)
        if not things:
            return self._outside(key, name)
        tag = TYPE if receiver[0] in (TYPE, EXTERNAL) else INSTANCE
        result: list[Value] = []
        for thing, given in zip(things, base_arguments, strict=True):
            owner = thing[2]
            seen = arguments if owner == key else tuple(fill(part, key, arguments) for part in given)
            result.append(self._seen(thing, owner, seen, tag))
        return tuple(result)

    def _seen(self, thing: Value, owner: Key, arguments: tuple[Values, ...], tag: int) -> Value:
        if thing[0] == TYPE or (thing[0] == EXTERNAL and len(thing) == 5 and thing[4] is None):
            return (TYPE, thing[1], ()) if thing[0] == TYPE else (EXTERNAL, thing[1], thing[3])
        if thing[0] == EXTERNAL:
            receiver: Value = (EXTERNAL_INSTANCE, thing[1], owner, arguments)
            return (EXTERNAL, thing[1], thing[3], receiver, thing[4])
        return (thing[0], thing[1], (tag, owner, arguments))

    def _found(self, key: Key, name: str) -> tuple[tuple[Any, ...], Values]:
        """The members of that name with, for each, the arguments of the type that declares it; both in lookup order.

        A thing is (tag, gid, declaring key) for the repository, (EXTERNAL, module, declaring key, symbol, detail) for the JDK.
        """
        known = self._method_lists.get((key, name))
        if known is not None:
            return known
        things: list[Value] = []
        given: list[tuple[Values, ...]] = []
        methods = name.endswith("()")
        for owner, arguments in self.lineage(key).classes:
            own = self._own(owner, name, owner == key, key)
            if own:
                things.extend(own)
                given.extend([arguments] * len(own))
                if not methods:
                    break
        if methods and len(things) > 1:
            things, given = self._without_overridden(key, things, given)
        result = (tuple(given), tuple(things))
        if self.settled():
            self._method_lists[key, name] = result
        return result

    def _own(self, owner: Key, name: str, direct: bool, asker: Key) -> list[Value]:
        if isinstance(owner, str):
            return self._own_of_jdk(owner, name)
        found: list[Value] = []
        for member in self.own_members(owner, name):
            facts = self.definition(member)
            if not direct and not self._inherited(facts.visibility, owner, asker):
                continue
            tag = self.thing(member, None)[0]
            found.append((tag, member, owner))
        if name.endswith("()"):
            definition = self.definition(owner)
            if name[:-2] in definition.extra.get("components", ()) and not any(
                not self.definition(member[1]).parameters for member in found
            ):
                found.extend((VARIABLE, member, owner) for member in self.own_members(owner, name[:-2]))
            if definition.kind == DefinitionKind.ENUM and name in ("values()", "valueOf()"):
                found.append((EXTERNAL, BASE, owner, f"java.lang.Enum.{name[:-2]}", ("enum", name[:-2])))
        return found

    def _inherited(self, visibility: int, owner: int, asker: Key) -> bool:
        """Whether members of a supertype are inherited (JLS 8.4.8): not private ones, not those of another package."""
        if visibility == Visibility.PRIVATE:
            return False
        if visibility == Visibility.PACKAGE and isinstance(asker, int):
            records = self.world.records
            return records[file_of(owner)].package == records[file_of(asker)].package
        return True

    def _own_of_jdk(self, owner: str, name: str) -> list[Value]:
        described = self.jdk.type(owner)
        if described is None:
            return []
        module = described.module
        if name[0] == "#":
            nested = f"{owner}.{name[1:]}"
            return [(EXTERNAL, module, owner, nested, None)] if nested in self.jdk else []
        if name.endswith("()"):
            plain = name[:-2]
            symbol = f"{owner}.{plain}"
            count = len(described.methods.get(plain, ()))
            return [(EXTERNAL, module, owner, symbol, (owner, plain, number)) for number in range(count)]
        if name in described.fields:
            return [(EXTERNAL, module, owner, f"{owner}.{name}", ("field", name))]
        return []

    def _outside(self, key: Key, name: str) -> Values:
        """A member that no known type has: of a supertype from elsewhere, or generated, or not there at all."""
        line = self.lineage(key)
        for owner, _ in line.classes:
            if isinstance(owner, int) and self.definition(owner).extra.get("generated"):
                return (UNKNOWN,)
        if not line.outside:
            return NOTHING
        if any(base[0] != EXTERNAL for base in line.outside):
            return (UNKNOWN,)
        base = line.outside[0]
        return ((EXTERNAL, base[1], f"{base[2]}.{name.removesuffix('()').lstrip('#?')}"),)

    def type_names(self, key: Key) -> frozenset[str] | None:
        """The names (`#name`) of a type's member types, inherited ones included; None when there may be others."""
        if key in self._type_names:
            return self._type_names[key]
        line = self.lineage(key)
        found: frozenset[str] | None = None
        if not line.outside:
            names: set[str] = set()
            generated = False
            for owner, _ in line.classes:
                if isinstance(owner, str):
                    names.update(f"#{name}" for name in self.jdk.nested.get(owner, ()))
                    continue
                file = self.world.file(file_of(owner), file_of(owner))
                definition = file.definitions[index_of(owner)]
                generated = generated or bool(definition.extra.get("generated"))
                if definition.scope >= 0:
                    names.update(name for name in file.bindings[definition.scope] if name[0] == "#")
            found = None if generated else frozenset(names)
        if self.settled():
            self._type_names[key] = found
        return found

    def open_ended(self, key: Key) -> bool:
        """Whether a supertype is not known, so that there may be members that nobody sees here."""
        return bool(self.lineage(key).outside)

    def constructors(self, key: Key, receiver: Value) -> Values:
        """The constructors of a class, or the class where it declares none (JLS 8.8.9)."""
        if isinstance(key, str):
            described = self.jdk.type(key)
            module = BASE if described is None else described.module
            count = 0 if described is None else len(described.methods.get("<init>", ()))
            seen: Value = (EXTERNAL_INSTANCE, module, key, arguments_of(receiver))
            found = tuple((EXTERNAL, module, key, seen, (key, "<init>", number)) for number in range(count))
            return found or ((EXTERNAL, module, key),)
        own = self.own_members(key, CONSTRUCTORS)
        definition = self.definition(key)
        seen = (INSTANCE, key, arguments_of(receiver) or self.own_arguments(key))
        found = tuple((FUNCTION, member, seen) for member in own)
        components = definition.extra.get("components")
        canonical = components is not None and not any(
            len(self.definition(member).parameters) == len(components) for member in own
        )
        return (*found, (TYPE, key, ())) if canonical or not found else found

    # -- signatures ---------------------------------------------------------------------------------------------------

    def signature(self, thing: Value) -> Signature:
        """What a callable thing takes and gives, seen through its receiver."""
        tag = thing[0]
        if tag == FUNCTION:
            plain = self._plain_signature(thing[1])
            receiver = thing[2]
            if receiver is None:
                return plain
            return self._through(plain, receiver[1], receiver[2])
        if tag == TYPE:
            return self._through(self._plain_signature(thing[1])._replace(owner=""), thing[1], thing[2])
        if tag == VARIABLE:
            return Signature("", 0, (), False, self.held(thing[1], thing[2], file_of(thing[1])))
        if tag == EXTERNAL and len(thing) == 5:
            return self._jdk_signature(thing)
        return _UNKNOWN_SIGNATURE

    def _through(self, plain: Signature, owner: Key, arguments: tuple[Values, ...]) -> Signature:
        if not arguments:
            return plain
        parameters = tuple([fill(part, owner, arguments) for part in plain.parameters])
        return Signature(
            plain.owner, plain.type_parameters, parameters, plain.variable, fill(plain.result, owner, arguments)
        )

    def _plain_signature(self, method: int) -> Signature:
        known = self._signatures.get(method)
        if known is not None:
            return known
        file = self.world.file(file_of(method), file_of(method))
        facts = file.definitions[index_of(method)]
        parameters = tuple(self.evaluate(file, parameter[1]) for parameter in facts.parameters)
        variable = any(parameter[3] == 1 for parameter in facts.parameters)
        result = self.evaluate(file, facts.type)
        found = Signature(method, len(facts.type_parameters), parameters, variable, result)
        if self.settled():
            self._signatures[method] = found
        return found

    def _jdk_signature(self, thing: Value) -> Signature:
        detail, receiver = thing[4], thing[3]
        if detail[0] == "field":
            return _UNKNOWN_SIGNATURE
        if detail[0] == "array":
            return Signature("", 0, (), False, (receiver,))
        if detail[0] == "enum":
            own: Values = ((TYPE, receiver[2], ()),)
            if detail[1] == "values":
                return Signature("", 0, (), False, ((EXTERNAL_INSTANCE, BASE, ARRAY, (own,)),))
            return Signature("", 0, (((EXTERNAL, BASE, "java.lang.String"),),), False, instances(own))
        declaring, name, number = detail
        described = self.jdk.type(declaring)
        assert described is not None
        plain = described.methods[name][number].signature
        return self._through(plain, declaring, arguments_of(receiver))

    def arity(self, thing: Value) -> tuple[int, bool] | None:
        """How many parameters a callable thing has and whether the last takes any number; None when that is not known."""
        tag = thing[0]
        if tag == FUNCTION:
            parameters = self.definition(thing[1]).parameters
            return len(parameters), any(parameter[3] == 1 for parameter in parameters)
        if tag == VARIABLE:
            return 0, False
        if tag == TYPE:
            components = self.definition(thing[1]).extra.get("components")
            if components is None:
                return None
            return len(components), any(parameter[3] == 1 for parameter in self.definition(thing[1]).parameters)
        if tag == EXTERNAL and len(thing) == 5 and thing[4][0] != "field":
            signature = self._jdk_signature(thing)
            return len(signature.parameters), signature.variable
        return None

    def _without_overridden(
        self, key: Key, things: list[Value], given: list[tuple[Values, ...]]
    ) -> tuple[list[Value], list[tuple[Values, ...]]]:
        """The members without those that an earlier one overrides or hides: same name and same parameter types (JLS 8.4.2)."""
        own = self.own_arguments(key)
        kept: list[int] = []
        seen: dict[int, list[tuple[Key, tuple[Any, ...], int]]] = {}
        counts: dict[int, int] = {}
        shaped: list[tuple[Value, int]] = []
        for thing, arguments in zip(things, given, strict=True):
            full = self._seen(thing, thing[2], own if thing[2] == key else arguments, INSTANCE)
            found = self.arity(full)
            count = -1 if found is None else found[0]
            shaped.append((full, count))
            counts[count] = counts.get(count, 0) + 1
        for position, (full, count) in enumerate(shaped):
            if counts[count] > 1 and count > 0:
                declaring = things[position][2]
                erased = self.erased(full)
                earlier = seen.setdefault(count, [])
                same = next((place for owner, other, place in earlier if owner != declaring and other == erased), None)
                if same is not None:
                    self._prefer_own(kept, same, position, things)
                    continue
                earlier.append((declaring, erased, position))
            elif counts[count] > 1 and count == 0:
                if 0 in seen:
                    self._prefer_own(kept, seen[0][0][2], position, things)
                    continue
                seen[0] = [(things[position][2], (), position)]
            kept.append(position)
        return [things[position] for position in kept], [given[position] for position in kept]

    def _prefer_own(self, kept: list[int], before: int, position: int, things: list[Value]) -> None:
        """Of two abstract methods that are as good as each other (JLS 15.12.2.5), the one in the repository counts."""
        first, second = things[before], things[position]
        if first[0] != EXTERNAL or second[0] != FUNCTION or before not in kept or first[4][0] == "enum":
            return
        if self._is_abstract(first) and self._is_abstract(second) and second[2] not in self.supers(first[2]):
            kept[kept.index(before)] = position

    def erased(self, thing: Value) -> tuple[Any, ...]:
        """The erasure of a callable thing's parameter types (JLS 4.6)."""
        signature = self.signature(thing)
        erasures = [self.erasure(part) for part in signature.parameters]
        if signature.variable and erasures:
            erasures[-1] = (ARRAY, erasures[-1])
        return tuple(erasures)

    def erasure(self, types: Values) -> Any:
        """The erasure of a type: its key, an array of one, or None when it is not known."""
        if len(types) != 1:
            return None
        value = types[0]
        if value[0] == PARAMETER:
            bound = self.parameter_bound(value)
            return self.erasure(bound[:1]) if bound else OBJECT
        key = key_of(value)
        if key == ARRAY:
            arguments = arguments_of(value)
            return (ARRAY, self.erasure(arguments[0]) if arguments else None)
        return key

    # -- functional interfaces ----------------------------------------------------------------------------------------

    def descriptor(self, value: Value) -> Descriptor | None:
        """What a functional interface (a type or a value of it) takes and gives; None when it is none, or not known."""
        key = key_of(value)
        if key is None or (isinstance(key, str) and key not in self.jdk):
            return None
        if key in self._descriptors:
            plain = self._descriptors[key]
        else:
            plain = self._find_descriptor(key)
            if self.settled():
                self._descriptors[key] = plain
        if plain is None:
            return None
        arguments = arguments_of(value)
        parameters = tuple(fill(part, key, arguments) for part in plain.parameters)
        return Descriptor(parameters, fill(plain.result, key, arguments))

    def _find_descriptor(self, key: Key) -> Descriptor | None:
        if not self.is_interface(key) or self.open_ended(key):
            return None
        names: dict[str, None] = {}
        for owner, _ in self.lineage(key).classes:
            if owner != OBJECT:
                names.update(dict.fromkeys(self._abstract_names(owner)))
        found: list[Value] = []
        for name in names:
            if self._own_of_jdk(OBJECT, name) and name not in ("clone()", "finalize()"):
                continue
            for thing in self.member_of(key, name, self._itself(key)):
                if self._is_abstract(thing):
                    found.append(thing)
        distinct = {self.erased(thing) for thing in found}
        if not found or len(distinct) != 1 or len({self._name_of(thing) for thing in found}) != 1:
            return None
        signature = self.signature(found[0])
        return Descriptor(signature.parameters, signature.result)

    def _itself(self, key: Key) -> Value:
        arguments = self.own_arguments(key)
        if isinstance(key, int):
            return (INSTANCE, key, arguments)
        return (EXTERNAL_INSTANCE, self.jdk.module(key), key, arguments)

    def _name_of(self, thing: Value) -> str:
        return self.definition(thing[1]).name if thing[0] == FUNCTION else thing[2].rpartition(".")[2]

    def _abstract_names(self, owner: Key) -> list[str]:
        if isinstance(owner, str):
            described = self.jdk.type(owner)
            methods = {} if described is None else described.methods
            return [f"{name}()" for name, found in methods.items() if any(method.flag == "a" for method in found)]
        file = self.world.file(file_of(owner), file_of(owner))
        scope = file.definitions[index_of(owner)].scope
        names: list[str] = []
        for name in file.bindings[scope] if scope >= 0 else ():
            if name.endswith("()") and any(
                self.definition(member).flags & Flag.ABSTRACT for member in self.own_members(owner, name)
            ):
                names.append(name)
        return names

    def _is_abstract(self, thing: Value) -> bool:
        if thing[0] == FUNCTION:
            return bool(self.definition(thing[1]).flags & Flag.ABSTRACT)
        if thing[0] == EXTERNAL and len(thing) == 5 and thing[4][0] in self.jdk:
            described = self.jdk.type(thing[4][0])
            return described is not None and described.methods[thing[4][1]][thing[4][2]].flag == "a"
        return False

    # -- overriding ---------------------------------------------------------------------------------------------------

    def overridden(self, definition: int) -> tuple[int, ...]:
        """The methods of the repository that a method overrides or implements (JLS 8.4.8.1), nearest first."""
        facts = self.definition(definition)
        if facts.kind != DefinitionKind.METHOD or facts.flags & Flag.STATIC or facts.visibility == Visibility.PRIVATE:
            return ()
        owner = gid(file_of(definition), facts.parent)
        own = self.erased((FUNCTION, definition, None))
        found: list[int] = []
        for key, arguments in self.lineage(owner).classes[1:]:
            if not isinstance(key, int):
                continue
            for member in self.own_members(key, facts.name + "()"):
                other = self.definition(member)
                if other.flags & Flag.STATIC or not self._inherited(other.visibility, key, owner):
                    continue
                if len(other.parameters) != len(facts.parameters):
                    continue
                seen = self.erased((FUNCTION, member, (INSTANCE, key, arguments)))
                if own in (seen, self.erased((FUNCTION, member, None))):
                    found.append(member)
        return tuple(found)
