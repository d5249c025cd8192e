"""Names of Rust: scopes, imports, glob imports, preludes.

Source of the rules: the Rust reference, "Namespaces", "Scopes", "Preludes", "Name resolution", "Use declarations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graph.languages.rust.names import ANY, MACRO, PREFIXES, VALUE, plain
from graph.languages.rust.places import Places, Viewpoint
from graph.languages.rust.standard import STANDARD, STANDARD_MACROS
from graph.languages.rust.terms import ALIAS, HELD
from graph.link.answers import NOBODY, Named
from graph.link.circles import DEPTH_LIMIT
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    FILE_SHIFT,
    FUNCTION,
    MODULE,
    NOTHING,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    index_of,
    merge,
)
from graph.link.world import FileInterface
from graph.model import BindingTag, DefinitionKind, Flag, ScopeKind

_DEFINITION, _IMPORT = int(BindingTag.DEFINITION), int(BindingTag.IMPORT)
_CLASS, _MODULE_SCOPE = int(ScopeKind.CLASS), int(ScopeKind.MODULE)
_SPEC, _NAME, _KIND, _SCOPE, _PATH, _VISIBILITY, _CONDITION, _NUMBER = range(8)
_CONDITIONAL: Final = int(Flag.CONDITIONAL)


class Scopes(Places):
    """Finds what names name."""

    # -- things -------------------------------------------------------------------------------------------------------

    def things(self, file: FileInterface, definitions: Sequence[int], key: str) -> Values:
        """The things for definitions bound under one name of one namespace in a scope."""
        base = file.number << FILE_SHIFT
        last: list[int] = []
        for index in reversed(definitions):
            last.append(index)
            if not file.definitions[index].flags & _CONDITIONAL:
                break
        found = tuple(self.thing_in(base | index, key) for index in reversed(last))
        return (*found, AMBIGUITY) if len(found) > 1 else found

    def thing_in(self, definition: int, key: str) -> Value:
        """A definition as what it is in the namespace that the key says."""
        facts = self.definition(definition)
        kind = facts.kind
        if kind == DefinitionKind.TYPE:
            return (ALIAS, definition, self.alias_types(definition))
        if key[:1] == VALUE and kind in (DefinitionKind.STRUCT, DefinitionKind.ENUM_MEMBER):
            return (FUNCTION if facts.extra.get("shape") == "tuple" else VARIABLE, definition, None)
        return self.thing(definition, None)

    def alias_types(self, definition: int) -> Values:
        """The types that a type alias stands for."""
        file = self.world.file(file_of(definition), file_of(definition))
        facts = file.definitions[index_of(definition)]
        return tuple(self.type_of(value) for value in self.evaluate(file, facts.type))

    def type_of(self, value: Value) -> Value:
        tag = value[0]
        if tag == 0:
            return (TYPE, value[1], value[2])
        return super().type_of(value)

    def in_namespace(self, things: Values, namespace: str) -> Values:
        """The things that lie in a namespace, of those that an import brings in."""
        if namespace == ANY:
            return things
        kept: list[Value] = []
        for thing in things:
            tag = thing[0]
            if tag in (EXTERNAL, BOTTOM[0], AMBIGUITY[0]):
                kept.append(thing)
            elif tag == FUNCTION or tag == VARIABLE:
                kind = self.definition(thing[1]).kind
                if namespace == MACRO:
                    wanted = kind == DefinitionKind.MACRO or "macro" in self.definition(thing[1]).extra
                elif namespace == "":
                    wanted = kind == DefinitionKind.ENUM_MEMBER
                else:
                    wanted = kind != DefinitionKind.MACRO
                if wanted:
                    kept.append(thing)
            elif namespace == "":
                kept.append(thing)
        return tuple(kept) if any(thing[0] != AMBIGUITY[0] for thing in kept) else NOTHING

    def targets_of(self, thing: Value) -> tuple[int, ...]:
        if thing[0] == ALIAS:
            return (thing[1],)
        return super().targets_of(thing)

    def values_of(self, things: Values, asker: int) -> Values:
        if len(things) == 1 and things[0][0] not in (VARIABLE, ALIAS, HELD):
            return things
        sets = [self.value_of(thing, asker) for thing in things if thing[0] != AMBIGUITY[0]]
        return merge(sets) if sets else NOTHING

    def value_of(self, thing: Value, asker: int) -> Values:
        tag = thing[0]
        if tag == ALIAS:
            return thing[2]
        if tag == HELD:
            return thing[1]
        if tag == VARIABLE:
            return self.held(thing[1], thing[2], asker)
        return (thing,)

    # -- one scope ----------------------------------------------------------------------------------------------------

    def explicit(
        self, file: FileInterface, scope: int, name: str, viewer: Viewpoint | None = None, skip: int = -2
    ) -> Named:
        """What the items and named imports of one scope give for a name; `skip` leaves out one `use` declaration."""
        namespace, base = (name[:1], name[1:]) if name[:1] in PREFIXES else ("", name)
        bindings = file.bindings[scope]
        keys = (base, VALUE + base, MACRO + base) if namespace == ANY else (name,)
        found: list[Values] = []
        rule = "lexical"
        for key in keys:
            indices = [payload for tag, payload in bindings.get(key, ()) if tag == _DEFINITION]
            if viewer is not None:
                here = Viewpoint(file.number, scope)
                indices = [i for i in indices if self.visible(file.definitions[i].visibility, here, viewer)]
            if indices:
                found.append(self.things(file, indices, key))
        if not found or namespace == ANY:
            brought: list[Values] = []
            for payload in self._importing(file, bindings.get(base, ()), namespace):
                details = file.imports[payload]
                if details[_NUMBER:][:1] == [skip]:
                    continue
                if viewer is not None and not self.visible(details[_VISIBILITY], Viewpoint(file.number, scope), viewer):
                    continue
                things = self.in_namespace(self.imported(file, payload), namespace)
                if things:
                    brought.append(things)
            if brought:
                rule = "import"
                merged = merge(brought)
                if len(brought) > 1 and namespace != ANY and len([t for t in merged if t[0] != BOTTOM[0]]) > 1:
                    merged = (*merged, AMBIGUITY) if AMBIGUITY not in merged else merged
                found.append(merged)
        return Named(merge(found), rule) if found else NOBODY

    def _importing(self, file: FileInterface, bindings: Sequence[Sequence[int]], namespace: str) -> list[int]:
        """The imports among the bindings of a name. A module declared under it leaves no room for another type."""
        imports = [payload for tag, payload in bindings if tag == _IMPORT]
        if len(imports) > 1 and namespace == "":
            return [index for index in imports if file.imports[index][_KIND] == "module"] or imports
        return imports

    def globs(
        self, file: FileInterface, scope: int, name: str, viewer: Viewpoint | None = None, skip: int = -2
    ) -> Values:
        """What the glob imports of one scope give for a name; `skip` leaves out one `use` declaration."""
        found: list[Values] = []
        for star_scope, index in file.stars:
            details = file.imports[index]
            if star_scope != scope or details[_NUMBER] == skip:
                continue
            if viewer is not None and not self.visible(details[_VISIBILITY], Viewpoint(file.number, scope), viewer):
                continue
            things = self.star_things(file, index, name)
            if things:
                found.append(things)
        if not found:
            return NOTHING
        merged = merge(found)
        distinct = {thing[:2] for thing in merged if thing[0] not in (BOTTOM[0], AMBIGUITY[0])}
        if len(found) > 1 and len(distinct) > 1 and AMBIGUITY not in merged:
            return (*merged, AMBIGUITY)
        return merged

    def in_module(self, at: Viewpoint, name: str, asker: int, viewer: Viewpoint | None = None) -> Values:
        """What a module has under a name: its items and named imports before its glob imports."""
        file = self.world.file(at.file, asker)
        key = ("module", at, name, viewer)
        return self.remembered(self._looked_up, key, lambda: self._in_module(file, at, name, viewer))

    def _in_module(self, file: FileInterface, at: Viewpoint, name: str, viewer: Viewpoint | None) -> Values:
        found = self.explicit(file, at.scope, name, viewer).things
        if name[:1] in (ANY, MACRO) and at.scope == 0 and self.root(at.file) == at.file:
            exported = self.exported_macro(at.file, name[1:])
            if exported:
                found = merge([found, exported]) if found else exported
        settled = tuple(thing for thing in found if thing[0] != BOTTOM[0])
        if settled and name[:1] != ANY:
            return found
        brought = self.globs(file, at.scope, name, viewer or at) if file.stars else NOTHING
        if not settled:
            return merge([found, brought]) if found and brought else brought or found
        return self._with_other_namespaces(found, brought) if brought else found

    def _with_other_namespaces(self, found: Values, brought: Values) -> Values:
        """Explicit things, and those of globs that lie in namespaces in which there is no explicit one."""
        extra: list[Value] = []
        for namespace in ("", VALUE, MACRO):
            if not self.in_namespace(found, namespace):
                extra.extend(self.in_namespace(brought, namespace))
        return merge([found, tuple(extra)]) if extra else found

    # -- imports ------------------------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        details = file.imports[index]
        kind = details[_KIND]
        if kind == "module":
            child = self.modules.children.get((file.number, index))
            if child is None:
                return NOTHING
            self.world.note(file.number, child)
            return ((MODULE, child),)
        if kind == "crate":
            if details[_SPEC] == "self":
                return ((MODULE, self.root(file.number)),)
            return self.extern_crate(file, details[_SPEC]) or ((EXTERNAL, details[_SPEC], ""),)
        if details[_NAME] == "*":
            return NOTHING
        return self.denote(file, details[_PATH]).things

    def star_things(self, file: FileInterface, index: int, name: str) -> Values:
        details = file.imports[index]
        viewer = Viewpoint(file.number, self.module_scope(file, details[_SCOPE]))
        found: list[Values] = []
        for target in self.evaluate(file, details[_PATH]):
            at = self.place(target)
            if at is not None:
                found.append(self.in_module(at, name, file.number, viewer))
            elif target[0] == TYPE and self.definition(target[1]).kind == DefinitionKind.ENUM:
                found.append(self.variant(target, name, file))
            elif target[0] == BOTTOM[0]:
                found.append(BOTTOMS)
        found = [things for things in found if things]
        return merge(found) if found else NOTHING

    def variant(self, enum: Value, name: str, file: FileInterface) -> Values:
        """The variant of an enum under a name of any namespace."""
        base = name[1:] if name[:1] in PREFIXES else name
        if name[:1] == MACRO:
            return NOTHING
        owner = self.world.file(file_of(enum[1]), file.number)
        scope = owner.definitions[index_of(enum[1])].scope
        bindings = owner.bindings[scope].get(VALUE + base, ()) if scope >= 0 else ()
        indices = [payload for tag, payload in bindings if tag == _DEFINITION]
        if not indices:
            return NOTHING
        things = self.things(owner, indices, VALUE + base)
        if enum[2]:
            return tuple(
                (*thing[:2], ((enum[1], enum[2]),)) if thing[0] in (FUNCTION, VARIABLE) else thing for thing in things
            )
        return things

    # -- names --------------------------------------------------------------------------------------------------------

    def denote_name(self, file: FileInterface, scope: int, name: str) -> Named:
        key = (scope, name)
        known = file.names.get(key)
        if known is not None:
            return known
        result = self.seen_from(file, scope, name)
        if self._taint > DEPTH_LIMIT:
            file.names[key] = result
        return result

    def seen_from(self, file: FileInterface, scope: int, name: str, skip: int = -2) -> Named:
        """What a name names, seen from a scope: block by block outwards to the module, then the preludes."""
        current = scope
        pending = False
        # A glob that brings in the name of a crate is an error at the head of a `use`: globs need not be asked there.
        crate = skip >= 0 and name[:1] != MACRO and bool(self.extern_crate(file, plain(name)))
        while current >= 0:
            outer, kind, _ = file.scopes[current]
            if kind != _CLASS:
                named = self.explicit(file, current, name, skip=skip)
                things = named.things
                if things == BOTTOMS:
                    pending = True
                elif things:
                    return named
                if file.stars and not crate:
                    things = self.globs(file, current, name, skip=skip)
                    if things == BOTTOMS:
                        pending = True
                    elif things:
                        return Named(things, "glob-import")
                if outer < 0 and current == 0 and name[:1] in (ANY, MACRO) and self.root(file.number) == file.number:
                    things = self.exported_macro(file.number, name[1:])
                    if things:
                        return Named(things, "lexical")
            current = outer
        found = self.outermost(file, scope, name)
        return Named(BOTTOMS, "") if pending and not found.things else found

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        if name[:1] == MACRO:
            things = self.textual_macro(Viewpoint(file.number, self.module_scope(file, scope)), name)
            if things:
                return Named(things, "macro-scope")
        elif name[:1] not in PREFIXES or name[:1] == ANY:
            crate = self.extern_crate(file, name[1:] if name[:1] == ANY else name)
            if crate:
                return Named(crate, "extern-prelude")
        if self._prelude_scope >= 0 and name[:1] != MACRO:
            things = self.in_module(Viewpoint(STANDARD, self._prelude_scope), name, file.number)
            if things:
                return Named(things, "prelude")
        if name[:1] == MACRO and name[1:] in STANDARD_MACROS:
            return Named(((EXTERNAL, "std", name[1:]),), "prelude")
        return NOBODY

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        word = operation[1]
        if word == "head":
            return self._head(file, operation[2], operation[3], operation[4])
        if word in ("self", "crate", "super", "root"):
            return Named(self.evaluate_special(file, operation), "qualified")
        if word == "bind":
            return self.denote(file, operation[2])
        return NOBODY

    def _head(self, file: FileInterface, scope: int, name: str, declaration: int) -> Named:
        """The first segment of a path in a `use` declaration, which does not see what that declaration brings in."""
        if self.edition_2015(file.number):
            things = self.in_module(Viewpoint(self.root(file.number), 0), name, file.number)
            things = tuple(thing for thing in things if thing[0] != BOTTOM[0])
            return Named(things, "import") if things else self.outermost(file, scope, name)
        return self.seen_from(file, scope, name, skip=declaration)

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        base = name[1:] if name[:1] in PREFIXES else name
        if self.edition_2015(file.number):
            found = self.in_module(Viewpoint(self.root(file.number), 0), name, file.number)
            if found:
                return found
        return self.extern_crate(file, base)

    def exported_macro(self, root: int, name: str) -> Values:
        """The macros of a crate that `#[macro_export]` puts at its root under a name."""
        raise NotImplementedError

    def textual_macro(self, at: Viewpoint, name: str) -> Values:
        """The macro that is in textual scope in a module: declared around it, or let out by `macro_use`."""
        raise NotImplementedError
