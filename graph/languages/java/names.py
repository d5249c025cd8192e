"""Bare and qualified names of Java: what they name, seen from a scope (JLS 6.4.1, 6.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graph.languages.java.adapter import ImportForm
from graph.languages.java.packages import HIDDEN
from graph.languages.java.results import Results
from graph.link.answers import NOBODY, Named
from graph.link.values import (
    AMBIGUITY,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    NOTHING,
    PACKAGE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    merge,
)
from graph.link.world import FileInterface
from graph.model import BindingTag, ScopeKind

_DEFINITION, _IMPORT = int(BindingTag.DEFINITION), int(BindingTag.IMPORT)
_CLASS: Final = int(ScopeKind.CLASS)


class Names(Results):
    """Looking names up."""

    # -- bare names ---------------------------------------------------------------------------------------------------

    def denote_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names, seen from a scope: by scope, import, package (JLS 6.4.1, 6.5)."""
        key = (scope, name)
        known = file.names.get(key)
        if known is not None:
            return known
        if name.endswith("()"):
            result = self._method_name(file, scope, name)
        elif name[0] == "#":
            result = self._type_name(file, scope, name)
        elif name[0] == "?":
            result = self.denote_name(file, scope, "#" + name[1:])
            if not result.things:
                result = Named(((PACKAGE, name[1:]),), "qualified")
        else:
            result = self._variable_name(file, scope, name)
            if not result.things:
                result = self._other_name(file, scope, name)
        if self.settled():
            file.names[key] = result
        return result

    def _other_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """A name that is no variable: a type, or else a package that there is (JLS 6.5.2)."""
        found = self.denote_name(file, scope, "#" + name)
        if found.things:
            return found
        if self.packages.is_prefix(name) or any(package.startswith(f"{name}.") for package in self.jdk.packages):
            return Named(((PACKAGE, name),), "qualified")
        return NOBODY

    def _variable_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """A variable: locals and parameters, then fields of the classes around with what they inherit, then imports."""
        pending: Values = NOTHING
        first = scope
        while scope >= 0:
            parent, kind, owner = file.scopes[scope]
            found = file.bindings[scope].get(name)
            if found is not None:
                return self._bound(file, found, "past-external-base" if pending else "lexical")
            if kind == _CLASS:
                things = self._inherited_name(file, owner, name)
                if things:
                    if things[0][0] == VARIABLE or (things[0][0] == EXTERNAL and len(things[0]) == 5):
                        return Named(things, "inherited")
                    pending = pending or things
            scope = parent
        found_static = self._static_star(file, name)
        if found_static.things:
            return found_static
        if pending and not self._is_known_type(self.denote_name(file, first, "#" + name)):
            return Named(pending, "inherited")
        return NOBODY

    def _is_known_type(self, named: Named) -> bool:
        """Whether a name is that of a type which is declared in the repository or the JDK, or imported by its name."""
        things = named.things
        return bool(things) and (things[0][0] == TYPE or self._known_type(things[0]) or named.rule == "import")

    def _inherited_name(self, file: FileInterface, owner: int, name: str) -> Values:
        definition = gid(file.number, owner)
        return self.member_of(definition, name, (INSTANCE, definition, self.own_arguments(definition)))

    def _bound(self, file: FileInterface, bindings: Sequence[Sequence[int]], rule: str) -> Named:
        definitions = [payload for tag, payload in bindings if tag == _DEFINITION]
        if definitions:
            base = gid(file.number, 0)
            things = tuple(dict.fromkeys(self.thing(base | payload, None) for payload in definitions))
            return Named((*things, AMBIGUITY) if len(things) > 1 else things, rule)
        imports = [payload for tag, payload in bindings if tag == _IMPORT]
        if imports:
            sets = [things for payload in imports if (things := self.imported(file, payload))]
            return Named(merge(sets), "import") if sets else NOBODY
        values = merge([self.evaluate(file, payload) for _, payload in bindings])
        return Named(values or (UNKNOWN,), "local")

    def _method_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """A method: of the innermost class around that has one of that name, inherited ones included (JLS 15.12.1)."""
        pending: Values = NOTHING
        first = True
        while scope >= 0:
            parent, kind, owner = file.scopes[scope]
            if kind == _CLASS:
                definition = gid(file.number, owner)
                receiver: Value = (INSTANCE, definition, self.own_arguments(definition))
                things = self.member_of(definition, name, receiver)
                if things and (things[0][0] != EXTERNAL or len(things[0]) == 5) and things[0] != UNKNOWN:
                    own = any(thing[0] == FUNCTION and thing[2][1] == definition for thing in things)
                    rule = "past-external-base" if pending else "lexical" if own else "inherited"
                    return Named(things, rule)
                if things:
                    pending = pending or things
                first = False
            elif scope == 0 and first:
                found = file.bindings[0].get(name)
                if found is not None and any(tag == _DEFINITION for tag, _ in found):
                    return self._bound(file, found, "lexical")
            scope = parent
        rule = "past-external-base" if pending else "import"
        imports = [payload for tag, payload in file.bindings[0].get(name, ()) if tag == _IMPORT]
        sets = [things for payload in imports if (things := self.imported(file, payload))]
        if sets:
            return Named(self._of_one_kind(merge(sets)), rule)
        if imports:
            return Named(pending, "inherited") if pending else NOBODY
        stars = self._static_star(file, name)
        if stars.things and not (pending and stars.things[0][0] == EXTERNAL and len(stars.things[0]) != 5):
            return Named(stars.things, "past-external-base" if pending else stars.rule)
        if pending:
            return Named(pending, "inherited")
        return stars

    def _of_one_kind(self, things: Values) -> Values:
        """Methods of several static imports: those that are known, if any are."""
        known = tuple(thing for thing in things if thing[0] == FUNCTION or len(thing) == 5)
        return known or things[:1]

    def _static_star(self, file: FileInterface, name: str) -> Named:
        """What the static imports on demand bring in under a name."""
        found: list[Values] = []
        opaque: list[Values] = []
        for _, index in file.stars:
            if file.imports[index][2] == ImportForm.STATIC_ON_DEMAND:
                things = self._static_member(file, file.imports[index][0], name)
                if things and things[0][0] == EXTERNAL and len(things[0]) != 5 and not self._known_type(things[0]):
                    opaque.append(things)
                elif things:
                    found.append(things)
        if found:
            return Named(tuple(dict.fromkeys(thing for things in found for thing in things)), "star-import")
        return Named(opaque[0], "star-import") if len(opaque) == 1 else NOBODY

    def _known_type(self, thing: Value) -> bool:
        return thing[0] == EXTERNAL and thing[2] in self.jdk

    # -- types --------------------------------------------------------------------------------------------------------

    def _type_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """A type: local, type parameter, member of a class around (inherited too), then of the file, the package."""
        pending: Values = NOTHING
        while scope >= 0:
            parent, kind, owner = file.scopes[scope]
            found = file.bindings[scope].get(name)
            if found is not None:
                named = self._bound(file, found, "lexical")
                if scope == 0 and named.rule == "import":
                    return self._ruled(file, named)
                return named
            if kind == _CLASS:
                names = self.type_names(gid(file.number, owner))
                things = NOTHING if names is not None and name not in names else self._inherited_name(file, owner, name)
                if things and things != (UNKNOWN,):
                    if things[0][0] == TYPE or self._known_type(things[0]):
                        return Named(things, "inherited")
                    pending = pending or things
            scope = parent
        plain = name[1:]
        own = self.packages.types(file.package, plain, file.number)
        if own:
            return self._ruled(file, Named(self._several(own), "same-package"))
        stars = self._star_type(file, plain, bool(pending))
        if stars.things:
            return stars
        full = f"java.lang.{plain}"
        if full in self.jdk:
            return Named((self.jdk.named(full),), "java.lang")
        return Named(pending, "inherited") if pending else NOBODY

    def _several(self, definitions: tuple[int, ...]) -> Values:
        things: Values = tuple((TYPE, definition, ()) for definition in definitions)
        return (*things, AMBIGUITY) if len(things) > 1 else things

    def _ruled(self, file: FileInterface, named: Named) -> Named:
        """A type that no build description makes visible is named only by being the one of its full name."""
        if len(named.things) == 1 and named.things[0][0] == TYPE:
            other = file_of(named.things[0][1])
            if self.packages.distance(file.number, other) >= HIDDEN:
                return Named(named.things, "unique-qualified-name")
        return named

    def _star_type(self, file: FileInterface, name: str, inherited: bool) -> Named:
        """What the imports on demand bring in under a type's name (JLS 7.5.2, 7.5.4)."""
        found: list[Values] = []
        opaque: list[Value] = []
        for _, index in file.stars:
            specifier, _, form = file.imports[index][:3]
            if form == ImportForm.STATIC_ON_DEMAND:
                things = self._static_member(file, specifier, "#" + name)
                if things and (things[0][0] == TYPE or self._known_type(things[0])):
                    found.append(things)
                continue
            own = self.packages.types(specifier, name, file.number)
            if own:
                found.append(self._several(own))
            elif f"{specifier}.{name}" in self.jdk:
                found.append((self.jdk.named(f"{specifier}.{name}"),))
            elif specifier not in self.jdk.packages and not self.packages.declares(specifier):
                outer = self._qualified(specifier, file)
                if outer and outer[0][0] == TYPE:
                    things = self.member_of(outer[0][1], "#" + name, outer[0])
                    if things and things[0][0] == TYPE:
                        found.append(things)
                else:
                    opaque.append((EXTERNAL, specifier, f"{specifier}.{name}"))
        if found:
            merged = merge(found)
            return self._ruled(file, Named((*merged, AMBIGUITY) if len(merged) > 1 else merged, "star-import"))
        if f"java.lang.{name}" in self.jdk or inherited or not opaque:
            return NOBODY
        return Named((opaque[0],), "star-import") if len(opaque) == 1 else Named((UNKNOWN,), "star-import")

    # -- imports and qualified names ----------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """The things that a single import names."""
        specifier, name, form = file.imports[index][:3]
        if form in (ImportForm.TYPE, ImportForm.QUALIFIER):
            return self._qualified(f"{specifier}.{name}" if specifier else name, file)
        if form in (ImportForm.ON_DEMAND, ImportForm.STATIC_ON_DEMAND):
            return NOTHING
        key = {ImportForm.STATIC_METHOD: f"{name}()", ImportForm.STATIC_FIELD: name}.get(form, f"#{name}")
        return self._static_member(file, specifier, key)

    def _static_member(self, file: FileInterface, class_name: str, key: str) -> Values:
        """A member of the class that a static import names."""
        for value in self._qualified(class_name, file):
            if value[0] == TYPE:
                return self.member_of(value[1], key, value)
            if value[0] == EXTERNAL:
                return self.members(value, key, file)
        return NOTHING

    def _qualified(self, name: str, file: FileInterface) -> Values:
        """The type that a canonical name names: of the repository, of the JDK, or from elsewhere (JLS 6.7)."""
        parts = name.split(".")
        for length in range(len(parts)):
            package = ".".join(parts[:length])
            found = self.packages.types(package, parts[length], file.number)
            if found:
                return self._nested(self._several(found), parts[length + 1 :])
        if name in self.jdk:
            return (self.jdk.named(name),)
        owner = ".".join(parts[:-1])
        if self.packages.declares(owner) or not owner:
            return NOTHING
        length = next((place for place, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        package = ".".join(parts[:length])
        if self.packages.declares(package):
            return NOTHING
        return ((EXTERNAL, self.jdk.packages.get(package, package), name),)

    def _nested(self, things: Values, names: list[str]) -> Values:
        for name in names:
            found: list[Values] = []
            for thing in things:
                if thing[0] == TYPE:
                    found.append(self.member_of(thing[1], "#" + name, thing))
            if not found or not any(found):
                return NOTHING
            things = merge([part for part in found if part])
            if len(things) > 1 and AMBIGUITY not in things:
                things = (*things, AMBIGUITY)
        return things

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """A member of a package: a type, or a package below it."""
        plain = name.lstrip("#?").removesuffix("()")
        found = self.packages.types(key, plain, file.number)
        if found:
            return self._several(found)
        full = f"{key}.{plain}"
        if full in self.jdk:
            return (self.jdk.named(full),)
        if name.endswith("()"):
            return NOTHING
        if name[0] == "?" or (name[0] != "#" and (self.packages.is_prefix(full) or not plain[:1].isupper())):
            return ((PACKAGE, full),)
        if self.packages.declares(key):
            return NOTHING
        return ((EXTERNAL, self.jdk.packages.get(key, key), full),)
