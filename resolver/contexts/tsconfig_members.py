"""Which files belong to which TypeScript project.

Sources of the rules: the TSConfig reference (`files`, `include`, `exclude`, `allowJs`), and for files of one name with
several extensions what the compiler does (`getFileNamesFromConfigSpecs`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import orjson

from graph.languages.typescript.configurations import Configuration, Manifests, normalised
from graph.languages.typescript.library import globals_
from graph.languages.typescript.modules import ModuleFinder, split_package
from graph.store.semantic import FileHash

_TYPESCRIPT: Final = (".ts", ".tsx", ".mts", ".cts")
_JAVASCRIPT: Final = (".js", ".jsx", ".mjs", ".cjs")
_PRIORITIES: Final = ((".ts", ".tsx", ".d.ts", ".js", ".jsx"), (".cts", ".d.cts", ".cjs"), (".mts", ".d.mts", ".mjs"))
"""Of files that differ in these alone, the first is taken (but a `.d.ts` does not hide what it describes)."""
_IMPORTS: Final = 5
"""Where the facts of a file have its imports, as `FileInterface` reads them."""


class Roots:
    """The files that one configuration names, and why it does not have others."""

    def __init__(self, configuration: Configuration, files: Sequence[FileHash]) -> None:
        self.configuration = configuration
        named = configuration.files or ()
        prefixes = tuple(pattern.split("*", 1)[0].rpartition("/")[0] for pattern in _patterns(configuration))
        owned = [
            file for file in files
            if file.path in named
            or (any(_is_below(file.path, prefix) for prefix in prefixes) and configuration.owns(file.path))
        ]  # fmt: skip
        taken = {file.path for file in owned if self.can_hold(file.path)}
        self._hidden = {path for path in taken if path not in named and _is_hidden(path, prefixes)}
        self._shadows = {
            path: shadow
            for path in taken - self._hidden
            if path not in named and (shadow := _shadow(path, taken - self._hidden)) is not None
        }
        self.numbers = frozenset(
            file.number
            for file in owned
            if file.path in taken and file.path not in self._hidden and file.path not in self._shadows
        )

    def can_hold(self, path: str) -> bool:
        """Whether files of this extension can belong to it."""
        return path.endswith(_TYPESCRIPT) or (self.configuration.javascript and path.endswith(_JAVASCRIPT))

    def why_not(self, path: str) -> str:
        """Why a file is not among those that it names."""
        if path in self._shadows:
            return f"the project has {self._shadows[path]} in its place"
        if path in self._hidden:
            return "patterns of `include` match no hidden and no minified files"
        if not self.can_hold(path):
            return (
                "JavaScript, and `allowJs` is off" if path.endswith(_JAVASCRIPT) else "no extension of the compiler's"
            )
        if replace(self.configuration, exclude=()).owns(path):
            return "left out by `exclude`"
        return "neither `files` nor `include` names it"


class Imports:
    """What files import, as the index has it; read when it is first asked for."""

    def __init__(self, connection: sqlite3.Connection, files: Sequence[FileHash], manifests: Manifests) -> None:
        self._connection = connection
        self._paths = {file.number: file.path for file in files}
        self._members = manifests.members
        numbers = {file.path: file.number for file in files}
        self._finder = ModuleFinder(numbers, manifests, globals_().builtin_modules)
        self._specifiers: dict[int, tuple[str, ...]] = {}

    def reached(self, roots: Iterable[int]) -> frozenset[int]:
        """The files that some files import, and those that these import, and so on; itself included."""
        seen = set(roots)
        waiting = sorted(seen)
        while waiting:
            number = waiting.pop()
            for specifier in self._of(number):
                found = self._finder.find(specifier, self._paths[number])
                if isinstance(found, int) and found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return frozenset(seen)

    def of_workspace(self) -> dict[str, str]:
        """Specifier -> path of the file, for what is imported by the names of this repository's packages."""
        found: dict[str, str] = {}
        if not self._members:
            return found
        for number, path in self._paths.items():
            for specifier in self._of(number):
                name = split_package(specifier)[0]
                if name and specifier not in found and normalised(name) in self._members:
                    target = self._finder.find(specifier, path)
                    if isinstance(target, int):
                        found[specifier] = self._paths[target]
        return dict(sorted(found.items()))

    def _of(self, number: int) -> tuple[str, ...]:
        if number not in self._specifiers:
            row = self._connection.execute("SELECT interface FROM facts WHERE file = ?", (number,)).fetchone()
            imports = orjson.loads(row[0])[_IMPORTS] if row is not None else ()
            self._specifiers[number] = tuple(dict.fromkeys(one[0] for one in imports))
        return self._specifiers[number]


def projects(configurations: Mapping[str, Configuration]) -> list[Configuration]:
    """The configurations that are a project of an editor: those of the usual name, and all that they refer to."""
    found = {path: one for path, one in configurations.items() if path.rpartition("/")[2] in USUAL}
    waiting = list(found.values())
    while waiting:
        for reference in waiting.pop().references:
            target = configurations.get(reference)
            if target is not None and target.path not in found:
                found[target.path] = target
                waiting.append(target)
    # In one folder, tsserver takes the tsconfig.
    return [
        one
        for path, one in sorted(found.items())
        if not (path.endswith("jsconfig.json") and f"{path.removesuffix('jsconfig.json')}tsconfig.json" in found)
    ]


USUAL: Final = ("tsconfig.json", "jsconfig.json")
"""Names that the compiler and editors look for by themselves."""


def _patterns(configuration: Configuration) -> tuple[str, ...]:
    if configuration.include is not None:
        return configuration.include
    return () if configuration.files is not None else (f"{configuration.root}/**/*".lstrip("/"),)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/") or path == folder


def _is_hidden(path: str, prefixes: Sequence[str]) -> bool:
    """Whether wildcards pass over a path: a part that begins with a dot, or a minified file."""
    if path.endswith(".min.js"):
        return True
    rests = [path[len(prefix) + 1 if prefix else 0 :] for prefix in prefixes if _is_below(path, prefix)]
    return all(any(part.startswith(".") for part in rest.split("/")) for rest in rests)


def _shadow(path: str, among: set[str]) -> str | None:
    """The file that the compiler takes in place of another of one name."""
    for order in _PRIORITIES:
        own = next((extension for extension in sorted(order, key=len, reverse=True) if path.endswith(extension)), None)
        if own is None:
            continue
        for extension in order[: order.index(own)]:
            other = path.removesuffix(own) + extension
            if other in among and not (extension == ".d.ts" and own in (".js", ".jsx")):
                return other
    return None
