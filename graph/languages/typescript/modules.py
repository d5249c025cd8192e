"""From the text of an import to a file of the repository, or to the package outside of it.

Order, as the compiler has it: relative paths; `paths`, `baseUrl`, `rootDirs` of the configuration that owns the file;
`imports` of the nearest package.json; the package's own name; workspace members through their `exports`, types and main
entries; what is left is outside. A specifier that could be an alias nobody explains is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from graph.languages.typescript.configurations import (
    Configuration,
    Manifests,
    Package,
    folder_of,
    join,
    mapping,
    normalised,
    strings,
)

EXTENSIONS: Final = (".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs")
_FROM_JAVASCRIPT: Final[Mapping[str, tuple[str, ...]]] = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What an import of an output means: the source that it is made from (handbook, "File extension substitution")."""
_CONDITIONS: Final = frozenset({"types", "import", "require", "node", "module", "browser", "default", "module-sync"})
_REFERENCE_LIMIT: Final = 200


class Outside(NamedTuple):
    """A package that is not in the repository."""

    package: str
    subpath: str
    """What is imported of it, '' for its main entry."""


class ModuleFinder:
    """Finds modules for one repository. Knows paths, opens nothing."""

    def __init__(self, paths: Mapping[str, int], manifests: Manifests, builtins: frozenset[str]) -> None:
        self._paths = paths
        self._manifests = manifests
        self._builtins = builtins
        self._cache: dict[tuple[str, str], int | Outside | None] = {}
        self._owners: dict[str, Configuration | None] = {}
        self._folders: set[str] = set()
        for path in paths:
            folder = folder_of(path)
            while folder and folder not in self._folders:
                self._folders.add(folder)
                folder = folder_of(folder)
        self._by_folder: dict[str, list[Configuration]] = {}
        for configuration in manifests.configurations.values():
            name = configuration.path.rpartition("/")[2]
            if name in ("tsconfig.json", "jsconfig.json"):
                self._by_folder.setdefault(configuration.root, []).append(configuration)

    def find(self, specifier: str, importer: str) -> int | Outside | None:
        """The file number that a specifier in a file (path) means, the package outside, or None: neither is known."""
        key = (importer, specifier)
        if key not in self._cache:
            self._cache[key] = self._find(specifier, importer)
        return self._cache[key]

    def _find(self, specifier: str, importer: str) -> int | Outside | None:
        specifier = specifier.split("?", 1)[0].rsplit("!", maxsplit=1)[-1]
        if not specifier:
            return None
        folder = folder_of(importer)
        if specifier.startswith((".", "/")):
            if specifier.startswith("/"):
                return None
            found = self.probe(join(folder, specifier))
            return found if found is not None else self._root_dirs(specifier, importer)
        configuration = self.owner(importer)
        if configuration is not None:
            found = self._mapped(specifier, configuration)
            if found is not None:
                return found
            if self._is_alias(specifier, configuration) and not self._declared(split_package(specifier)[0], folder):
                return None
        if specifier.startswith("#"):
            return self._internal(specifier, folder)
        if specifier.startswith("node:"):
            return Outside("node", specifier[5:])
        name, subpath = split_package(specifier)
        if not name:
            return None
        own = self.package_of(folder)
        if own is not None and own.name and normalised(own.name) == normalised(name):
            found = self._entry(own, subpath)
            if found is not None:
                return found
        member = self._manifests.members.get(normalised(name))
        if member is not None:
            return self._entry(member, subpath)
        if name in self._builtins:
            return Outside("node", specifier)
        if not self._declared(name, folder) and self._is_path(specifier, folder, own):
            return None
        return Outside(name, subpath)

    # -- configurations -----------------------------------------------------------------------------------------------

    def owner(self, path: str) -> Configuration | None:
        """The configuration that a file belongs to: the nearest that owns it; else the nearest there is."""
        if path not in self._owners:
            self._owners[path] = self._owner(path)
        return self._owners[path]

    def _owner(self, path: str) -> Configuration | None:
        nearest: Configuration | None = None
        folder = folder_of(path)
        while True:
            for configuration in self._by_folder.get(folder, ()):
                if nearest is None:
                    nearest = configuration
                for candidate in self._graph(configuration):
                    if candidate.owns(path):
                        return candidate
            if not folder:
                return nearest
            folder = folder_of(folder)

    def _graph(self, configuration: Configuration) -> list[Configuration]:
        """A configuration and those that it refers to, each once."""
        found = {configuration.path: configuration}
        queue = [configuration]
        while queue and len(found) < _REFERENCE_LIMIT:
            for reference in queue.pop(0).references:
                target = self._manifests.configurations.get(reference)
                if target is not None and target.path not in found:
                    found[target.path] = target
                    queue.append(target)
        return list(found.values())

    def _mapped(self, specifier: str, configuration: Configuration) -> int | None:
        """By `paths` (the longest matching prefix counts), then by `baseUrl`."""
        best: tuple[int, tuple[str, ...], str] | None = None
        for pattern, targets in configuration.paths:
            matched = match_pattern(pattern, specifier)
            if matched is not None:
                length = len(pattern.partition("*")[0]) if "*" in pattern else 1 << 20
                if best is None or length > best[0]:
                    best = (length, targets, matched)
        if best is not None:
            for target in best[1]:
                path = target.replace("*", best[2], 1)
                found = self.probe(path)
                if found is None:
                    found = self._from_output(path)
                if found is not None:
                    return found
        if configuration.base_url is not None:
            return self.probe(join(configuration.base_url, specifier))
        return None

    def _is_alias(self, specifier: str, configuration: Configuration) -> bool:
        """Whether a configuration maps a specifier somewhere, even though nothing is there."""
        return any(
            pattern != "*" and match_pattern(pattern, specifier) is not None for pattern, _ in configuration.paths
        )

    def _root_dirs(self, specifier: str, importer: str) -> int | None:
        """`rootDirs`: the folders are one folder at run time."""
        configuration = self.owner(importer)
        if configuration is None or not configuration.root_dirs:
            return None
        target = join(folder_of(importer), specifier)
        for root in configuration.root_dirs:
            if target.startswith(f"{root}/") or not root:
                rest = target[len(root) + 1 :] if root else target
                for other in configuration.root_dirs:
                    found = self.probe(join(other, rest))
                    if found is not None:
                        return found
        return None

    # -- files --------------------------------------------------------------------------------------------------------

    def probe(self, path: str) -> int | None:
        """The file that a path without or with an extension means: sources before outputs, files before folders."""
        paths = self._paths
        dot = path.rfind(".", path.rfind("/") + 1)
        if dot > 0:
            extension = path[dot:]
            for source in _FROM_JAVASCRIPT.get(extension, ()):
                found = paths.get(path[:dot] + source)
                if found is not None:
                    return found
            found = paths.get(path)
            if found is not None:
                return found
        for extension in EXTENSIONS:
            found = paths.get(path + extension)
            if found is not None:
                return found
        if path in self._folders or path == "":
            return self._folder(path)
        return None

    def _folder(self, folder: str) -> int | None:
        package = self._manifests.packages.get(folder)
        if package is not None and folder:
            found = self._main(package)
            if found is not None:
                return found
        prefix = f"{folder}/index" if folder else "index"
        for extension in EXTENSIONS:
            found = self._paths.get(prefix + extension)
            if found is not None:
                return found
        return None

    def _from_output(self, path: str) -> int | None:
        """The source of a built file, where the configuration of its package says what is built from where."""
        folder = folder_of(path)
        while True:
            for configuration in self._by_folder.get(folder, ()):
                for candidate in self._graph(configuration):
                    found = self._source(candidate, path)
                    if found is not None:
                        return found
            if folder in self._manifests.packages or not folder:
                return None
            folder = folder_of(folder)

    def _source(self, configuration: Configuration, path: str) -> int | None:
        out = configuration.out_dir
        if out is None or not path.startswith(f"{out}/"):
            return None
        rest = path[len(out) + 1 :]
        for extension in (".d.ts", ".d.mts", ".d.cts"):
            if rest.endswith(extension):
                rest = rest[: -len(extension)] + extension.replace(".d.ts", ".js").replace(".d.m", ".m").replace(
                    ".d.c", ".c"
                )
                rest = rest.replace(".mts", ".mjs").replace(".cts", ".cjs")
                break
        for root in self._source_roots(configuration):
            found = self.probe(join(root, rest))
            if found is not None:
                return found
        return None

    def _source_roots(self, configuration: Configuration) -> list[str]:
        """`rootDir`, or the folder that the included files have in common."""
        if configuration.root_dir is not None:
            return [configuration.root_dir]
        roots = {pattern.split("*", 1)[0].rstrip("/") for pattern in configuration.include or ()}
        return sorted(root for root in roots if root in self._folders) or [configuration.root]

    # -- packages -----------------------------------------------------------------------------------------------------

    def package_of(self, folder: str) -> Package | None:
        """The package that a folder belongs to."""
        while True:
            package = self._manifests.packages.get(folder)
            if package is not None and (package.name or not folder):
                return package
            if not folder:
                return None
            folder = folder_of(folder)

    def _declared(self, name: str, folder: str) -> bool:
        while True:
            package = self._manifests.packages.get(folder)
            if package is not None and name in package.dependencies():
                return True
            if not folder:
                return False
            folder = folder_of(folder)

    def _is_path(self, specifier: str, folder: str, own: Package | None) -> bool:
        """Whether something in the repository lies where a bundler's alias would look."""
        first = specifier.split("/", 1)[0]
        roots = {"", "src", own.root if own is not None else "", join(own.root if own is not None else "", "src")}
        return any(
            self.probe(join(root, specifier)) is not None or join(root, first) in self._folders for root in roots
        )

    def _entry(self, package: Package, subpath: str) -> int | None:
        """The file that a package gives under a subpath ('' for the package itself)."""
        exports = package.data.get("exports")
        if exports is not None:
            found = self._exported(package, exports, f"./{subpath}" if subpath else ".")
            if found is not None or subpath:
                return found
        if subpath:
            return self._located(package, subpath)
        found = self._main(package)
        return found if found is not None else self._index(package)

    def _index(self, package: Package) -> int | None:
        return self._folder(package.root) if package.data.get("main") is None else None

    def _main(self, package: Package) -> int | None:
        for key in ("types", "typings", "source", "module", "main"):
            value = package.data.get(key)
            if isinstance(value, str):
                found = self._located(package, value)
                if found is not None:
                    return found
        return None

    def _located(self, package: Package, target: str) -> int | None:
        path = join(package.root, target)
        found = self.probe(path)
        return found if found is not None else self._from_output(path)

    def _exported(self, package: Package, exports: Any, key: str) -> int | None:
        table = mapping(exports)
        if not any(name.startswith(".") for name in table):
            table = {".": exports}
        if key in table:
            return self._target(package, table[key], "")
        best: tuple[int, Any, str] | None = None
        for pattern, target in table.items():
            matched = match_pattern(pattern, key)
            if matched is not None and "*" in pattern:
                length = len(pattern.partition("*")[0])
                if best is None or length > best[0]:
                    best = (length, target, matched)
        return self._target(package, best[1], best[2]) if best is not None else None

    def _target(self, package: Package, target: Any, matched: str, depth: int = 0) -> int | None:
        """A target of `exports`: the first one that leads to a file here; conditions of one's own making come last."""
        if depth > 8:
            return None
        if isinstance(target, str):
            return self._located(package, target.replace("*", matched))
        conditions = mapping(target)
        if conditions:
            known = [value for name, value in conditions.items() if name in _CONDITIONS]
            others = [value for name, value in conditions.items() if name not in _CONDITIONS]
            for value in (*known, *others):
                found = self._target(package, value, matched, depth + 1)
                if found is not None:
                    return found
            return None
        for value in strings(target):
            found = self._located(package, value.replace("*", matched))
            if found is not None:
                return found
        return None

    def _internal(self, specifier: str, folder: str) -> int | Outside | None:
        """`#name`, by `imports` of the nearest package.json."""
        while True:
            package = self._manifests.packages.get(folder)
            if package is not None:
                imports = mapping(package.data.get("imports"))
                if imports:
                    return self._imported(package, imports, specifier)
            if not folder:
                return None
            folder = folder_of(folder)

    def _imported(self, package: Package, imports: Mapping[str, Any], specifier: str) -> int | Outside | None:
        found = self._exported(package, {f".{key}": value for key, value in imports.items()}, f".{specifier}")
        if found is not None:
            return found
        target = imports.get(specifier)
        for value in (target, *mapping(target).values()):
            if isinstance(value, str) and not value.startswith((".", "#", "/")):
                outside = self.find(value, join(package.root, "package.json"))
                if outside is not None:
                    return outside
        return None


def split_package(specifier: str) -> tuple[str, str]:
    """(package name, subpath) of a bare specifier; ('', '') when it can name no package."""
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") else 1
    name = "/".join(parts[:count])
    if (
        len(parts) < count
        or "" in parts[:count]
        or name in ("@", "~")
        or name.startswith(("@/", "~", "$", "%", "virtual:"))
    ):
        return "", ""
    return name, "/".join(parts[count:])


def match_pattern(pattern: str, text: str) -> str | None:
    """What `*` of a pattern stands for in a text; '' for an equal text without `*`; None when it does not match."""
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) >= len(head) + len(tail) and text.startswith(head) and text.endswith(tail):
        return text[len(head) : len(text) - len(tail)]
    return None
