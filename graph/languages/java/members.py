"""Members of Java types, their own and inherited (JLS 8.2, 8.4.8, 9.2)."""

from __future__ import annotations

from typing import Any

from graph.languages.java.jdk import BASE
from graph.languages.java.signatures import Signatures
from graph.languages.java.values import (
    CONSTRUCTORS,
    Key,
    arguments_of,
    fill,
)
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    NOTHING,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
)
from graph.model import DefinitionKind, Flag, Visibility


class Members(Signatures):
    """Members of types."""

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

    def constructors(self, key: Key, receiver: Value) -> Values:
        """The constructors of a class, or the class where it declares none (JLS 8.8.9)."""
        if isinstance(key, str):
            described = self.jdk.type(key)
            module = BASE if described is None else described.module
            count = 0 if described is None else len(described.methods.get("<init>", ()))
            seen: Value = (EXTERNAL_INSTANCE, module, key, arguments_of(receiver))
            known: Values = tuple((EXTERNAL, module, key, seen, (key, "<init>", number)) for number in range(count))
            return known or ((EXTERNAL, module, key),)
        own = self.own_members(key, CONSTRUCTORS)
        definition = self.definition(key)
        seen = (INSTANCE, key, arguments_of(receiver) or self.own_arguments(key))
        found: Values = tuple((FUNCTION, member, seen) for member in own)
        components = definition.extra.get("components")
        canonical = components is not None and not any(
            len(self.definition(member).parameters) == len(components) for member in own
        )
        return (*found, (TYPE, key, ())) if canonical or not found else found

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

    def overridden(self, method: int) -> tuple[int, ...]:
        """The methods of the repository that a method overrides or implements (JLS 8.4.8.1), nearest first."""
        facts = self.definition(method)
        if facts.kind != DefinitionKind.METHOD or facts.flags & Flag.STATIC or facts.visibility == Visibility.PRIVATE:
            return ()
        owner = gid(file_of(method), facts.parent)
        own = self.erased((FUNCTION, method, None))
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

    def _seen(self, thing: Value, owner: Key, arguments: tuple[Values, ...], tag: int) -> Value:
        if thing[0] == TYPE or (thing[0] == EXTERNAL and len(thing) == 5 and thing[4] is None):
            return (TYPE, thing[1], ()) if thing[0] == TYPE else (EXTERNAL, thing[1], thing[3])
        if thing[0] == EXTERNAL:
            receiver: Value = (EXTERNAL_INSTANCE, thing[1], owner, arguments)
            return (EXTERNAL, thing[1], thing[3], receiver, thing[4])
        return (thing[0], thing[1], (tag, owner, arguments))

    def _found(self, key: Key, name: str) -> tuple[tuple[Any, ...], Values]:
        """The members of that name with, for each, the arguments of the type that declares it; both in lookup order.

        A thing is (tag, gid, declaring key) for the repository, (EXTERNAL, module, declaring key, symbol, detail) for
        the JDK.
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

    def _without_overridden(
        self, key: Key, things: list[Value], given: list[tuple[Values, ...]]
    ) -> tuple[list[Value], list[tuple[Values, ...]]]:
        """The members without those that an earlier one overrides or hides: same parameter types (JLS 8.4.2)."""
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
