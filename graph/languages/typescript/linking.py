"""Linking of JavaScript and TypeScript: names in their value and type meaning, modules, and what a reference leads to.

Sources of the rules: ECMA-262 (scopes, modules), the TypeScript handbook ("Declaration Merging", "Modules - Reference",
"More on Functions"), the Node.js manual on CommonJS.
"""

from __future__ import annotations

from typing import Any

from graph.languages.typescript.adapter import GLOBAL_PACKAGE
from graph.languages.typescript.configurations import read_manifests
from graph.languages.typescript.library import LIBRARY, LibraryWorld, globals_, is_declared, is_named, library_names
from graph.languages.typescript.modules import ModuleFinder, Outside
from graph.languages.typescript.type_rules import TYPE_MEANING, TYPE_ONLY, TypeRules
from graph.link.answers import NOBODY, Named, Resolution
from graph.link.values import (
    AMBIGUITY,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import (
    CALLABLE_KINDS,
    BindingTag,
    DefinitionKind,
    Flag,
    Op,
    ReferenceKind,
    Status,
)

_IMPORT, _VALUE, _DEFINITION = int(BindingTag.IMPORT), int(BindingTag.VALUE), int(BindingTag.DEFINITION)
_BOTH_MEANINGS = frozenset({ReferenceKind.IMPORT, ReferenceKind.REEXPORT, ReferenceKind.BASE})
_TYPE_REFERENCES = frozenset({ReferenceKind.TYPE, ReferenceKind.IMPLEMENT})
_CALLS = frozenset({ReferenceKind.CALL, ReferenceKind.CONSTRUCT, ReferenceKind.JSX, ReferenceKind.RAISE})


class EcmascriptLinker(TypeRules):
    """The linker of the family."""

    def __init__(self, world: World) -> None:
        super().__init__(LibraryWorld(world))
        self._finder = ModuleFinder(world.paths, read_manifests(world.manifests), globals_().builtin_modules)
        self._globals: dict[str, list[tuple[int, int]]] | None = None
        self._global_files: list[int] = []
        self._ambient_modules: dict[str, list[tuple[int, int]]] = {}

    # -- what a reference leads to ------------------------------------------------------------------------------------

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        """The resolution of one reference; what leads into the standard library is external."""
        found = super().resolve(file, kind, expression, arguments, enclosing)
        if found.targets and file.expressions[expression][0] == Op.NAME:
            found = self._with_meaning(file, kind, expression, arguments, found)
        if not found.targets:
            if found.reason == "local-value" and file.expressions[expression][-1] == "prototype":
                return Resolution(Status.EXTERNAL, "builtin", "", (), "lib", "Function.prototype")
            if found.reason == "local-value" and file.expressions[expression][0] == Op.ATTRIBUTE:
                return found._replace(reason="index-signature")
            return found
        # A type that several make together is itself declared nowhere.
        named = tuple(target for target in found.targets if is_declared(target))
        if not named:
            return Resolution(Status.UNRESOLVED, "", "receiver-unknown", (), "", "")
        if len(named) != len(found.targets):
            found = found._replace(targets=named)
        inside = tuple(target for target in named if file_of(target) != LIBRARY)
        if not inside:
            symbol = self.definition(found.targets[0]).qualified_name
            return Resolution(Status.EXTERNAL, found.rule, "", (), "lib", symbol)
        if len(inside) != len(found.targets):
            # What the repository adds to a type of the library is known in full.
            rule = found.rule if found.rule == "global" else f"{found.rule.removesuffix('-partial')}-partial"
            return found._replace(targets=inside, rule=rule)
        return found

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression names nothing."""
        operation = file.expressions[expression]
        if operation[0] == Op.NAME:
            scope: int = operation[1]
            while scope >= 0:
                found = file.bindings[scope].get(operation[2])
                if found:
                    return "import-not-found" if found[-1][0] == _IMPORT else "local-value"
                scope = file.scopes[scope][0]
        word = super().reason(file, expression)
        if word == "no-member" and any(
            value[0] == INSTANCE and is_declared(value[1]) and self.has_index(value[1])
            for value in self.opened_all(self.evaluate(file, operation[1]))
        ):
            return "index-signature"
        return word

    def _with_meaning(
        self, file: FileInterface, kind: int, expression: int, arguments: int, found: Resolution
    ) -> Resolution:
        """The resolution of a bare name, by declarations further out where the nearest ones do not have the meaning.

        Scopes bind types and values apart (handbook, "Declaration Merging"): `const Array` hides no type of that name.
        """
        is_type = kind in _TYPE_REFERENCES
        if kind in _BOTH_MEANINGS or (is_type and file.language == "javascript"):
            return found
        if any(self._has_meaning(target, is_type) for target in found.targets):
            return found
        named = self.further_out(file, expression, is_type)
        targets = tuple(sorted({thing[1] for thing in named.things if thing[0] in (TYPE, VARIABLE, FUNCTION)}))
        if targets:
            return Resolution(Status.RESOLVED, named.rule, "", self.choose(file, targets, kind, arguments), "", "")
        for thing in named.things:
            if thing[0] == EXTERNAL:
                return Resolution(Status.EXTERNAL, named.rule, "", (), thing[1], thing[2])
        return found

    def choose(self, file: FileInterface, targets: tuple[int, ...], kind: int, arguments: int) -> tuple[int, ...]:
        """Of merged declarations those that have the meaning asked for; of overloads those that take the arguments."""
        if len(targets) < 2:
            return targets
        kinds = {target: self.definition(target) for target in targets}
        chosen = list(targets)
        if kind in _TYPE_REFERENCES:
            chosen = [t for t in chosen if kinds[t].kind in TYPE_MEANING] or chosen
            chosen = [t for t in chosen if not kinds[t].extra.get("value")] or chosen
        elif kind == ReferenceKind.BASE:
            chosen = [t for t in chosen if kinds[t].kind in (DefinitionKind.CLASS, DefinitionKind.INTERFACE)] or chosen
        elif kind not in (ReferenceKind.IMPORT, ReferenceKind.REEXPORT):
            chosen = [t for t in chosen if kinds[t].kind not in TYPE_ONLY] or chosen
        if kind in _CALLS:
            chosen = (
                [t for t in chosen if kinds[t].kind in CALLABLE_KINDS or kinds[t].kind == DefinitionKind.CLASS]
                or [t for t in chosen if kinds[t].kind != DefinitionKind.NAMESPACE]
                or chosen
            )
        chosen = self.implementations(chosen)
        accessors = [t for t in chosen if kinds[t].flags & Flag.PROPERTY]
        if len(accessors) > 1:
            write = kind == ReferenceKind.WRITE
            chosen = [t for t in chosen if t not in accessors or bool(kinds[t].extra.get("set")) == write] or chosen
        if kind in _CALLS and arguments >= 0 and len(chosen) > 1:
            chosen = [t for t in chosen if self.accepts(kinds[t], arguments)] or chosen
        return tuple(chosen)

    def implementations(self, targets: list[int]) -> list[int]:
        """Without the signatures that one of the others implements."""
        overloads = [t for t in targets if self.definition(t).flags & Flag.OVERLOAD]
        if not overloads or len(overloads) == len(targets):
            return targets
        bodies = {
            (file_of(t), self.definition(t).qualified_name)
            for t in targets
            if t not in overloads and self.definition(t).kind in CALLABLE_KINDS
        }
        return [
            t for t in targets if t not in overloads or (file_of(t), self.definition(t).qualified_name) not in bodies
        ]

    # -- names --------------------------------------------------------------------------------------------------------

    def defined(self, file: FileInterface, definitions: Any) -> Values:
        """All declarations of one name: they are merged, or each other's overloads."""
        things = tuple(self.thing(gid(file.number, index), None) for index in dict.fromkeys(definitions))
        return self.with_ambiguity(things)

    def preferred(self, things: Values) -> Values:
        """An import and declarations of one name: a type and a value can share it."""
        return things

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """Global names: those that files of the repository declare for everybody, then those that exist undeclared."""
        declared = self.declared_globally(file, name)
        if declared and all(thing[0] == TYPE and self._adds_to_type(thing[1]) for thing in declared):
            # `interface Array<T>` in the repository adds to that of the library, and is no value.
            declared = (*declared, *(thing for thing in self.undeclared(name) if thing[0] != EXTERNAL))
        if declared:
            return Named(declared, "global")
        if file.number == LIBRARY:
            return NOBODY
        things = self.undeclared(name)
        return Named(things, "builtin") if things else NOBODY

    def _adds_to_type(self, definition: int) -> bool:
        return is_named(definition) and self.definition(definition).kind == DefinitionKind.INTERFACE

    def undeclared(self, name: str) -> Values:
        """What exists without being declared in the repository."""
        known = library_names().get(name)
        if known is not None:
            return tuple(self.thing(definition, None) for definition in known)
        provider = globals_().provider(name)
        return ((EXTERNAL, provider, name),) if provider is not None else NOTHING

    def declared_globally(self, file: FileInterface, name: str) -> Values:
        """What files of the repository declare for every file."""
        if self._globals is None:
            self._read_globals()
        assert self._globals is not None
        if file.number < 0:
            return NOTHING
        for number in self._global_files:
            self.world.note(file.number, number)
        found = self._globals.get(name)
        if not found:
            return NOTHING
        script = file.package == GLOBAL_PACKAGE
        things: list[Value] = []
        for number, scope in found:
            other = self.world.file(number, file.number)
            if other.language == "javascript" and not script and other.extra.get("script"):
                # A script in JavaScript is seen by the scripts of its page, not by modules.
                continue
            named = self.bound(other, scope, name, other.bindings[scope][name])
            things.extend(named.things)
        return tuple(dict.fromkeys(things))

    def augmented(self, class_: int, name: str, receiver: Value | None, asker: int) -> Values:
        """A member that the repository adds to a type of the library (`declare global`)."""
        if asker < 0 or not is_named(class_):
            return NOTHING
        things = self.declared_globally(self.world.file(asker, asker), self.definition(class_).name)
        tag, arguments = (receiver[0], receiver[2]) if receiver and receiver[0] in (INSTANCE, TYPE) else (INSTANCE, ())
        found: dict[Value, None] = {}
        for thing in things:
            if thing[0] == TYPE and is_named(thing[1]):
                seen = (tag, thing[1], arguments, receiver)
                found.update({self.thing(member, seen): None for member in self._members_of(thing[1], name)})
        return self.with_ambiguity(tuple(found))

    def _read_globals(self) -> None:
        self._globals = {}
        for number in sorted(self.world.records):
            record = self.world.records[number]
            if record.package != GLOBAL_PACKAGE:
                continue
            self._global_files.append(number)
            file = self.world.file(number, number)
            scopes: list[int] = []
            if file.extra.get("script"):
                scopes.append(0)
            if "global_scope" in file.extra:
                scopes.append(file.extra["global_scope"])
            for scope in scopes:
                for name in file.bindings[scope]:
                    self._globals.setdefault(name, []).append((number, scope))
            for specifier, scope in file.extra.get("ambient_modules", {}).items():
                self._ambient_modules.setdefault(specifier, []).append((number, scope))

    # -- modules ------------------------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """What an import names, followed through re-exports to the definition."""
        specifier, name, form, *rest = file.imports[index]
        if form == "alias":
            return self.denote(file, rest[0]).things
        target = self._target(file, specifier)
        if isinstance(target, Outside):
            return self._outside(target, name)
        if target is None:
            return self._ambient(file, specifier, name)
        augmented = self._ambient(file, specifier, name) if name not in ("", "export=", "*") else NOTHING
        if name == "":
            return ((MODULE, target),)
        if name == "export=":
            found = self.exported(target, "export=", file.number)
            return found or ((MODULE, target),)
        return tuple(dict.fromkeys((*self.imported_name(target, name, file.number), *augmented)))

    def _target(self, file: FileInterface, specifier: str) -> int | Outside | None:
        target = self._finder.find(specifier, file.path)
        if isinstance(target, int):
            self.world.note(file.number, target)
        elif target is not None and specifier in self._ambient_declared():
            return None
        return target

    def _ambient_declared(self) -> dict[str, list[tuple[int, int]]]:
        if self._globals is None:
            self._read_globals()
        return self._ambient_modules

    def _outside(self, target: Outside, name: str) -> Values:
        symbol = name if name not in ("", "export=", "*") else ""
        parts = [part for part in (target.subpath.replace("/", "."), symbol) if part]
        return ((EXTERNAL, target.package, ".".join(parts)),)

    def _ambient(self, file: FileInterface, specifier: str, name: str) -> Values:
        """`declare module "x"`: what it declares of a module that has no file, or adds to one."""
        things: list[Value] = []
        for number, scope in self._ambient_declared().get(specifier, ()):
            if file.number == number:
                continue
            other = self.world.file(number, file.number)
            if name in ("", "export=", "*"):
                return (UNKNOWN,)
            bindings = other.bindings[scope].get(name)
            if bindings:
                things.extend(self.bound(other, scope, name, bindings).things)
            elif name == "default" and "default" in other.exports:
                things.extend(self.exported(number, "default", file.number))
        return tuple(dict.fromkeys(things))

    def imported_name(self, target: int, name: str, asker: int) -> Values:
        """A named or default import of a module."""
        found = self.exported(target, name, asker)
        if found:
            return found
        whole = self.exported(target, "export=", asker)
        if name == "default":
            # A CommonJS module has what it is for its default export.
            if whole:
                return whole
            return ((MODULE, target),) if self.world.file(target, asker).extra.get("commonjs") else NOTHING
        if whole:
            file = self.world.file(target, asker)
            values = self.values_of(whole, asker)
            members = [self.members(value, name, file) for value in values]
            return merge([things for things in members if things]) if any(members) else NOTHING
        return NOTHING

    def exported(self, number: int, name: str, asker: int) -> Values:
        """The things that a module exports under a name; () when it has none."""
        self.world.file(number, asker)
        return self.once(("export", number, name), lambda: self._exported(number, name))

    def _exported(self, number: int, name: str) -> Values:
        file = self.world.file(number, number)
        binding = file.exports.get(name)
        if binding is not None:
            tag, payload = binding
            if tag == _IMPORT:
                return self.imported(file, payload)
            if payload < 0:
                return NOTHING
            named = self.denote(file, payload).things
            return named or self.evaluate(file, payload)
        if name in ("default", "export="):
            return NOTHING
        if file.language == "javascript":
            # Types that documentation comments declare are exported with the module.
            for tag, payload in file.bindings[0].get(name, ()):
                if tag == _DEFINITION and file.definitions[payload].kind == DefinitionKind.TYPE:
                    return (self.thing(gid(number, payload), None),)
        outside: list[Outside] = []
        missing = False
        for index in file.star_exports:
            specifier = file.imports[index][0]
            target = self._target(file, specifier)
            if isinstance(target, Outside):
                outside.append(target)
            elif target is None:
                missing = True
            else:
                found = self.imported_name(target, name, number)
                if found:
                    return found
        for value in file.extra.get("spread_exports", ()):
            for part in self.evaluate(file, value):
                found = self.members(part, name, file)
                if found:
                    return found
        if len(outside) == 1 and not missing:
            # Nobody else can provide it.
            return self._outside(outside[0], name)
        return NOTHING

    def module_things(self, number: int, name: str, asker: int) -> Values:
        """A member of a module's namespace."""
        found = self.imported_name(number, name, asker)
        if found:
            return found
        file = self.world.file(number, asker)
        if file.star_exports and any(
            not isinstance(self._target(file, file.imports[index][0]), int) for index in file.star_exports
        ):
            return (UNKNOWN,)
        return NOTHING

    # -- meanings -----------------------------------------------------------------------------------------------------

    def values_of(self, things: Values, asker: int) -> Values:
        """What names stand for as values: declarations that are types alone leave the others alone."""
        if len(things) > 1:
            things = self.value_meaning(things)
        return super().values_of(things, asker)

    def value_meaning(self, things: Values) -> Values:
        """Of merged declarations, those that make a value; one stands for all parts of a class or namespace."""
        kinds: dict[Value, int] = {}
        for thing in things:
            kinds[thing] = self.definition(thing[1]).kind if thing[0] == TYPE and is_named(thing[1]) else -1
        values = [thing for thing in things if kinds[thing] not in TYPE_ONLY and thing != AMBIGUITY]
        solid = [thing for thing in values if kinds[thing] != DefinitionKind.NAMESPACE]
        if not values:
            values = [thing for thing in things if thing != AMBIGUITY]
        elif solid and all(thing[0] != VARIABLE for thing in solid):
            values = solid
        return tuple(
            dict.fromkeys(
                (TYPE, self.canonical(thing[1]), thing[2]) if thing[0] == TYPE and not thing[2] else thing
                for thing in values
            )
        )

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """`super(...)`, and the type meaning of a name."""
        if operation[0] == Op.SUPER:
            owner = gid(file.number, operation[1])
            bases = self.base_types(self.base_values(owner))
            return Named(bases, "super") if bases else NOBODY
        if operation[0] == Op.SPECIAL and operation[1] == "type":
            return self.denote(file, operation[2])
        return NOBODY
