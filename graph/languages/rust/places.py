"""Modules of Rust as places: which is around which, which crate they belong to, what can be seen from where.

Source of the rules: the Rust reference, "Modules", "Visibility and privacy", "Paths" ("Path qualifiers").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from graph.languages.rust.modules import Modules
from graph.languages.rust.standard import CRATES, STANDARD, load
from graph.languages.rust.terms import EXTERN_ROOT
from graph.link.circles import DEPTH_LIMIT, NO_TAINT
from graph.link.linker import Linker
from graph.link.values import BOTTOMS, EXTERNAL, MODULE, NOTHING, PACKAGE, TYPE, Value, Values, file_of, gid
from graph.link.world import FileInterface, World
from graph.model import BindingTag, DefinitionKind, Visibility

_DEFINITION, _IMPORT = int(BindingTag.DEFINITION), int(BindingTag.IMPORT)
_SPEC, _NAME, _KIND, _SCOPE, _PATH, _VISIBILITY, _CONDITION, _NUMBER = range(8)


class Viewpoint(NamedTuple):
    """A module, as the place from which names are looked at: its file and its module scope."""

    file: int
    scope: int


class Places(Linker):
    """Finds modules, and what is visible from them."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.standard = load(world)
        self._modules: Modules | None = None
        self._looked_up: dict[Any, Values] = {}
        self._module_scopes: dict[tuple[int, int], int] = {}
        self._prelude_scope = self._standard_scope("prelude.v1")
        self._extern_names: dict[int, dict[str, Values]] = {}
        self._reached: dict[int, set[int]] = {}
        self._exported: dict[int, dict[str, Values]] = {}

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

    def kept(self, memo: dict[Any, Any], key: Any, work: Callable[[], Any]) -> Any:
        """The answer to a question that cannot ask itself, worked out once; not kept while it leans on an open one."""
        known = memo.get(key)
        if known is not None:
            return known
        outer = self._taint
        self._taint = NO_TAINT
        result = work()
        if self._taint == NO_TAINT:
            memo[key] = result
            self._taint = outer
        else:
            self._taint = min(outer, self._taint)
        return result

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

    # -- crates -------------------------------------------------------------------------------------------------------

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
        """A crate that an `extern crate` at the root puts into the extern prelude (reference, "Extern prelude")."""
        file = self.world.file(root, asker.number)
        for tag, payload in file.bindings[0].get(name, ()):
            if (
                tag == _IMPORT
                and file.imports[payload][_KIND] == "crate"
                and file.imports[payload][_SPEC] not in ("self", name)
            ):
                found = self.extern_crate(file, file.imports[payload][_SPEC])
                if found:
                    return found
        return NOTHING

    def reaches(self, asker: int, file: int) -> bool:
        """Whether the crate of a file depends on that of another one, directly or not, or is of the same package."""
        if file == STANDARD or asker == STANDARD:
            return True
        own, other = self.root(asker), self.root(file)
        if own == other:
            return True
        reached = self._reached.get(own)
        if reached is None:
            owners = self.modules.owners
            reached = {root for root, owner in owners.items() if owner is not None and owner is owners.get(own)} | {own}
            pending = [own]
            while pending:
                for values in self._externs(pending.pop()).values():
                    for value in values:
                        if value[0] == MODULE and value[1] not in reached:
                            reached.add(value[1])
                            pending.append(value[1])
            self._reached[own] = reached
        return other in reached

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
