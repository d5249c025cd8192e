"""Names of Go: what an import path, a package-level name or a bare name means.

Sections named in comments are those of the Go Programming Language Specification.
"""

from __future__ import annotations

from typing import Final

from graph.languages.go.modules import Modules, Place
from graph.languages.go.naming import likely_name, may_be_named
from graph.languages.go.packages import Packages
from graph.languages.go.walk import PREDECLARED_FUNCTIONS, PREDECLARED_TYPES
from graph.link.answers import NOBODY, Named
from graph.link.linker import Linker
from graph.link.values import AMBIGUITY, EXTERNAL, NOTHING, PACKAGE, Values, gid
from graph.link.world import FileInterface, World

BUILTIN: Final = "builtin"
"""The package of the predeclared names, as the Go documentation has it."""


class ScopeLinker(Linker):
    """File, package and universe scope, over the files of packages and the modules that they lie in."""

    builtin_package = BUILTIN

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.modules = Modules(world)
        self.packages = Packages(world, self.modules)
        self._import_names: dict[int, dict[str, Values]] = {}

    # -- imports and packages -----------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """The package that an import names."""
        path = file.imports[index][0]
        if path == "C":
            return ((EXTERNAL, "C", ""),)
        place = self.modules.find(file.path.rpartition("/")[0], path)
        if place is Place.MISSING:
            return NOTHING
        if isinstance(place, Place):
            return ((EXTERNAL, path, ""),)
        key = self.packages.imported(place, file.number)
        return ((PACKAGE, key),) if key is not None else NOTHING

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """An exported name of a package."""
        return self.package_level(key, name, file) if name[:1].isupper() else NOTHING

    def package_level(self, key: str, name: str, file: FileInterface) -> Values:
        """The definitions of a package-level name that can be in one build with a file."""
        found = self.packages.members(key, file.number).names.get(name, ())
        return self.candidates([member for member in found if self.packages.visible(member, file.number)])

    def candidates(self, definitions: list[int]) -> Values:
        """Definitions as things named: several are variants of which each build has one."""
        things = tuple(self.thing(definition, None) for definition in definitions)
        return (*things, AMBIGUITY) if len(things) > 1 else things

    def package_targets(self, key: str) -> tuple[int, ...]:
        """One file stands for its package: doc.go, else the file named like it, else the first that is no test."""
        package = self.packages.package(key)
        ranked: list[tuple[bool, bool, bool, str, int]] = []
        for number in package.files:
            path = self.world.records[number].path
            base = path.rpartition("/")[2]
            ranked.append((self.packages.is_test(number), base != "doc.go", base != f"{package.name}.go", path, number))
        return (gid(min(ranked)[-1], 0),) if ranked else ()

    # -- bare names ---------------------------------------------------------------------------------------------------

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """File scope (imports), package scope, dot imports, universe (Declarations and scope)."""
        imported = self.import_names(file).get(name)
        if imported is not None:
            return Named(imported, "import")
        things = self.package_level(self.packages.key_of(file.number), name, file)
        if things:
            return Named(things, "package")
        outside: list[Values] = []
        for index in file.extra["dot_imports"]:
            for thing in self.imported(file, index):
                found = self.members(thing, name, file)
                if found and thing[0] == PACKAGE:
                    return Named(found, "dot-import")
                outside.append(found)
        if name in PREDECLARED_FUNCTIONS or name in PREDECLARED_TYPES:
            return Named(((EXTERNAL, BUILTIN, name),), "builtin")
        if len(outside) == 1 and name[:1].isupper():
            return Named(outside[0], "dot-import")
        return self._guessed_import(file, name)

    def import_names(self, file: FileInterface) -> dict[str, Values]:
        """The names under which imports without an alias are known: those of the package clauses over there."""
        known = self._import_names.get(file.number)
        if known is not None:
            return known
        names: dict[str, Values] = {}
        for index in file.extra["plain_imports"]:
            for thing in self.imported(file, index):
                if thing[0] == PACKAGE:
                    names[self.packages.package(thing[1]).name] = (thing,)
                elif thing[0] == EXTERNAL:
                    names.setdefault(likely_name(thing[1]), (thing,))
        self._import_names[file.number] = names
        return names

    def _guessed_import(self, file: FileInterface, name: str) -> Named:
        """A name that nothing else declares is that of an import whose package is not at hand, where only one fits."""
        found = [
            thing
            for index in file.extra["plain_imports"]
            for thing in self.imported(file, index)
            if thing[0] == EXTERNAL and may_be_named(thing[1], name)
        ]
        return Named((found[0],), "import") if len(found) == 1 else NOBODY
