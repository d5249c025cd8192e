"""Names and paths of Rust: scopes, imports, glob imports, preludes, macros by their textual scope.

Source of the rules: the Rust reference, "Names" ("Namespaces", "Scopes", "Preludes", "Name resolution"), "Use
declarations", "Macros by example" ("Scoping, exporting, and importing"), "Visibility and privacy".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from graph.languages.rust.modules import Modules
from graph.languages.rust.names import ANY, MACRO, PREFIXES, VALUE
from graph.languages.rust.standard import CRATES, STANDARD, load
from graph.languages.rust.terms import ALIAS, EXTERN_ROOT, HELD
from graph.link.linker import DEPTH_LIMIT, NOBODY, Linker, Named
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    FILE_SHIFT,
    FUNCTION,
    MODULE,
    NOTHING,
    PACKAGE,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import BindingTag, DefinitionKind, Flag, ScopeKind, Visibility

_DEFINITION, _IMPORT = int(BindingTag.DEFINITION), int(BindingTag.IMPORT)
_CLASS, _MODULE_SCOPE = int(ScopeKind.CLASS), int(ScopeKind.MODULE)
_SPEC, _NAME, _KIND, _SCOPE, _PATH, _VISIBILITY, _CONDITION, _NUMBER = range(8)
_CONDITIONAL: Final = int(Flag.CONDITIONAL)


class Viewpoint(NamedTuple):
    """A module, as the place from which names are looked at: its file and its module scope."""

    file: int
    scope: int


class Scopes(Linker):
    """Finds what names and paths name."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.standard = load(world)
        self._modules: Modules | None = None
        self._looked_up: dict[Any, Values] = {}
        self._module_scopes: dict[tuple[int, int], int] = {}
        self._prelude_scope = self._standard_scope("prelude.v1")
        self._extern_names: dict[int, dict[str, Values]] = {}

    @property
    def modules(self) -> Modules:
        """The crates and module trees."""
        if self._modules is None:
            self._modules = Modules(self.world)
        return self._modules

    def _standard_scope(self, qualified_name: str) -> int:
        for definition in self.standard.definitions:
            if definition.qualified_name == qualified_name:
                return definition.scope
        return -1

    def remembered(self, memo: dict[Any, Values], key: Any, work: Callable[[], Values]) -> Values:
        """The answer to a question that may be asked again while it is being answered."""
        known = memo.get(key)
        if known is not None:
            return known
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return NOTHING

        def remember(result: Values) -> None:
            memo[key] = NOTHING if result == BOTTOMS else result

        return self._settle(key, BOTTOMS, work, NOTHING, remember)

    # -- modules ------------------------------------------------------------------------------------------------------

    def module_scope(self, file: FileInterface, scope: int) -> int:
        """The scope of the module in which a scope lies."""
        key = (file.number, scope)
        known = self._module_scopes.get(key)
        if known is None:
            known = scope
            while file.scopes[known][0] >= 0:
                known = file.scopes[known][0]
            self._module_scopes[key] = known
        return known

    def module_value(self, file: FileInterface, module: int) -> Value:
        """The module of a module scope."""
        return (MODULE, file.number) if module == 0 else (TYPE, gid(file.number, file.scopes[module][2]), ())

    def place(self, module: Value) -> Viewpoint | None:
        """Where a module is declared: its file and module scope; None for what is no module."""
        if module[0] == MODULE:
            return Viewpoint(module[1], 0)
        if module[0] == TYPE:
            definition = self.definition(module[1])
            if definition.kind == DefinitionKind.NAMESPACE:
                return Viewpoint(file_of(module[1]), definition.scope)
        return None

    def parent(self, at: Viewpoint) -> Viewpoint | None:
        """The module around a module; None at the root of a crate."""
        file = self.world.file(at.file, at.file)
        if at.scope != 0:
            outer = file.definitions[file.scopes[at.scope][2]].extra.get("outer", 0)
            return Viewpoint(at.file, self.module_scope(file, outer))
        place = self.modules.places.get(at.file)
        if place is None or place.parent < 0:
            return None
        above = self.world.file(place.parent, at.file)
        return Viewpoint(place.parent, self.module_scope(above, place.scope))

    def root(self, file: int) -> int:
        """The root file of the crate that a file belongs to."""
        if file == STANDARD:
            return STANDARD
        place = self.modules.places.get(file)
        return file if place is None else place.root

    def edition_2015(self, file: int) -> bool:
        """Whether paths of imports begin at the root of the crate (editions before 2018)."""
        if file == STANDARD:
            return False
        package = self.modules.owners.get(self.root(file))
        return package is not None and package.edition == "2015"

    def visible(self, visibility: int, declared: Viewpoint, viewer: Viewpoint) -> bool:
        """Whether something declared in a module can be seen from another one."""
        if visibility == Visibility.PUBLIC:
            return True
        if visibility == Visibility.PACKAGE:
            return self.root(declared.file) == self.root(viewer.file)
        current: Viewpoint | None = viewer
        for _ in range(DEPTH_LIMIT):
            if current is None or current == declared:
                break
            current = self.parent(current)
        return current == declared

    # -- one scope ----------------------------------------------------------------------------------------------------

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
            for tag, payload in bindings.get(base, ()):
                if tag != _IMPORT or file.imports[payload][_NUMBER:][:1] == [skip]:
                    continue
                if viewer is not None and not self.visible(
                    file.imports[payload][_VISIBILITY], Viewpoint(file.number, scope), viewer
                ):
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

    def globs(self, file: FileInterface, scope: int, name: str, viewer: Viewpoint | None = None) -> Values:
        """What the glob imports of one scope give for a name."""
        found: list[Values] = []
        for star_scope, index in file.stars:
            if star_scope != scope:
                continue
            details = file.imports[index]
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
            return tuple((*thing[:2], ((enum[1], enum[2]),)) if thing[0] in (FUNCTION, VARIABLE) else thing for thing in things)
        return things

    def extern_crate(self, file: FileInterface, name: str) -> Values:
        """The crate that a name stands for in the extern prelude of a file's crate; () when there is none."""
        if name in CRATES:
            return ((MODULE, STANDARD),)
        if file.number == STANDARD:
            return NOTHING
        if name in ("proc_macro", "test"):
            return ((EXTERNAL, name, ""),)
        root = self.root(file.number)
        names = self._extern_names.get(root)
        if names is None:
            names = self._extern_names[root] = self._externs(root)
        found = names.get(name, NOTHING) or self._renamed_crate(root, name, file)
        for value in found:
            if value[0] == MODULE:
                self.world.note(file.number, value[1])
        return found

    def _renamed_crate(self, root: int, name: str, asker: FileInterface) -> Values:
        """A crate that an `extern crate` at the root puts into the extern prelude (Rust reference, "Extern prelude")."""
        file = self.world.file(root, asker.number)
        for tag, payload in file.bindings[0].get(name, ()):
            if tag == _IMPORT and file.imports[payload][_KIND] == "crate" and file.imports[payload][_SPEC] not in ("self", name):
                found = self.extern_crate(file, file.imports[payload][_SPEC])
                if found:
                    return found
        return NOTHING

    def _externs(self, root: int) -> dict[str, Values]:
        package = self.modules.owners.get(root)
        if package is None:
            return {}
        found: dict[str, Values] = {}
        paths = self.world.paths
        for name, dependency in package.dependencies.items():
            inside = self.modules.by_folder.get(dependency.folder) if dependency.folder is not None else None
            library = inside.library_root if inside is not None else None
            if library is not None:
                found[name] = ((MODULE, paths[library]),)
            else:
                found[name] = ((EXTERNAL, dependency.package, ""),)
        own = package.library_root
        if own is not None and paths[own] != root:
            found.setdefault(package.library, ((MODULE, paths[own]),))
        return found

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
        while current >= 0:
            outer, kind, _ = file.scopes[current]
            if kind != _CLASS:
                named = self.explicit(file, current, name, skip=skip)
                things = named.things
                if things == BOTTOMS:
                    pending = True
                elif things:
                    return named
                if file.stars:
                    things = self.globs(file, current, name)
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

    # -- macros -------------------------------------------------------------------------------------------------------

    def exported_macro(self, root: int, name: str) -> Values:
        """The macros of a crate that `#[macro_export]` puts at its root under a name."""
        if root == STANDARD:
            return ((EXTERNAL, "std", name),) if name in STANDARD_MACROS else NOTHING
        found: list[Value] = []
        for number in self.modules.members.get(root, ()):
            file = self.world.file(number, root)
            for index in file.extra.get("macros", {}).get(name, ()):
                found.append((FUNCTION, gid(number, index), None))
        return (*found, AMBIGUITY) if len(found) > 1 else tuple(found)

    def textual_macro(self, at: Viewpoint, name: str) -> Values:
        """The `macro_rules!` macro that is in textual scope in a module: declared around it, or let out by `macro_use`."""
        current: Viewpoint | None = at
        for _ in range(DEPTH_LIMIT):
            if current is None:
                break
            file = self.world.file(current.file, at.file)
            indices = [payload for tag, payload in file.bindings[current.scope].get(name, ()) if tag == _DEFINITION]
            if indices:
                return self.things(file, indices, name)
            found = self._let_out(current, name, at.file, 0)
            if found:
                return found
            current = self.parent(current)
        root = self.root(at.file)
        if root != STANDARD:
            file = self.world.file(root, at.file)
            for index in file.extra.get("macro_crates", ()):
                for crate in self.imported(file, index):
                    if crate[0] == MODULE:
                        found = self.exported_macro(crate[1], name[1:])
                        if found:
                            return found
            exported = self.exported_macro(root, name[1:])
            if exported:
                return exported
        return NOTHING

    def _let_out(self, at: Viewpoint, name: str, asker: int, depth: int) -> Values:
        """Macros of the modules below that are declared with `#[macro_use]`."""
        if depth > 8:
            return NOTHING
        file = self.world.file(at.file, asker)
        below: list[Viewpoint] = []
        for index, _, _, scope, _, _, macro_use in file.extra.get("modules", ()):
            if macro_use and self.module_scope(file, scope) == at.scope:
                child = self.modules.children.get((at.file, index))
                if child is not None:
                    below.append(Viewpoint(child, 0))
        for definition in file.definitions:
            if definition.kind == DefinitionKind.NAMESPACE and definition.extra.get("macro_use"):
                if self.module_scope(file, definition.extra.get("outer", 0)) == at.scope:
                    below.append(Viewpoint(at.file, definition.scope))
        for child in below:
            inner = self.world.file(child.file, asker)
            indices = [payload for tag, payload in inner.bindings[child.scope].get(name, ()) if tag == _DEFINITION]
            found = self.things(inner, indices, name) if indices else self._let_out(child, name, asker, depth + 1)
            if found:
                return found
        return NOTHING

    # -- paths --------------------------------------------------------------------------------------------------------

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

    def path_word(self, file: FileInterface, operation: list[Any]) -> Values | None:
        """The modules that `self`, `super`, `crate` and a leading `::` stand for; None for another word."""
        word = operation[1]
        if word == "crate":
            return ((MODULE, self.root(file.number)),)
        if word == "self":
            return (self.module_value(file, self.module_scope(file, operation[2])),)
        if word == "root":
            return ((PACKAGE, EXTERN_ROOT),)
        if word == "super":
            found: list[Value] = []
            for module in self.evaluate(file, operation[2]):
                at = self.place(module)
                above = self.parent(at) if at is not None else None
                if above is not None:
                    found.append(self.module_value(self.world.file(above.file, file.number), above.scope))
            return tuple(found)
        return None

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        base = name[1:] if name[:1] in PREFIXES else name
        if self.edition_2015(file.number):
            found = self.in_module(Viewpoint(self.root(file.number), 0), name, file.number)
            if found:
                return found
        return self.extern_crate(file, base)

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


STANDARD_MACROS: Final = frozenset(
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint "
    "eprintln file format format_args include include_bytes include_str line matches module_path option_env panic print "
    "println stringify thread_local todo try unimplemented unreachable vec write writeln addr_of addr_of_mut pin ready "
    "concat_idents global_asm asm is_x86_feature_detected select join offset_of const_format_args "
    "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd test derive bench global_allocator test_case".split()
)
"""Macros, derives and attribute macros of the standard library (its documentation, "Macros" and "Derive Macros")."""

__all__ = ["STANDARD_MACROS", "Scopes", "Viewpoint"]
