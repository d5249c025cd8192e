"""The standard library as a file of its own beside those of the repository, and the names that exist undeclared."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from tree_sitter import Parser

from graph.extract.sweep import grammar
from graph.languages.base import ParsedFile
from graph.languages.typescript.adapter import extract
from graph.link.values import file_of, gid, index_of
from graph.link.world import LINK_FIELDS, FileInterface, FileRecord, World

LIBRARY: Final = -1
"""The file number of `library.d.ts`: no file of the repository."""
_SYNTHETIC: Final = -2
INTERSECTION: Final = gid(_SYNTHETIC, 0)
"""Owner of (INSTANCE or TYPE, INTERSECTION, (types, ...)): all of them at once."""
SIGNATURE: Final = gid(_SYNTHETIC, 1)
"""Owner of (INSTANCE or TYPE, SIGNATURE, (result types, parameter types, ...)): a function type."""
TYPEOF: Final = gid(_SYNTHETIC, 2)
"""Owner of (TYPE, TYPEOF, (values,)): the type that those values have, where they are no instances."""
OBJECT_BIT: Final = 1 << 23
"""Set in the index of a gid that stands for an anonymous object type; the rest is the scope of its members."""
LAMBDA: Final = 40
"""(LAMBDA, file number, number): a function without a definition."""


def is_declared(owner: int) -> bool:
    """Whether an owner is a declaration or an anonymous object (of the repository or the library), not synthetic."""
    return owner >= 0 or file_of(owner) == LIBRARY


def is_named(owner: int) -> bool:
    """Whether an owner is a definition with facts of its own."""
    return (owner >= 0 or file_of(owner) == LIBRARY) and not index_of(owner) & OBJECT_BIT


@dataclass(frozen=True)
class Globals:
    """Names that exist undeclared."""

    names: dict[str, str]
    """Name -> what provides it."""
    prefixes: tuple[str, ...]
    builtin_modules: frozenset[str]

    def provider(self, name: str) -> str | None:
        """What provides a global name, or None."""
        found = self.names.get(name)
        if found is None:
            for prefix in self.prefixes:
                if name.startswith(prefix) and name[len(prefix) : len(prefix) + 1].isupper():
                    return "dom"
        return found


@cache
def globals_() -> Globals:
    """The names of `globals.toml`."""
    text = resources.files(__package__ or "").joinpath("globals.toml").read_text("utf-8")
    tables: dict[str, Any] = tomllib.loads(text)
    modules = frozenset(tables.pop("builtin-modules")["names"].split())
    names: dict[str, str] = {}
    for provider, table in tables.items():
        for name in table["names"].split():
            names.setdefault(name, provider)
    return Globals(names, tuple(tables["dom"]["prefixes"]), modules)


@cache
def complete_types() -> dict[str, frozenset[str]]:
    """Types of the library all of whose members are known -> the names of those (`builtin_members.toml`)."""
    text = resources.files(__package__ or "").joinpath("builtin_members.toml").read_text("utf-8")
    table: dict[str, str] = tomllib.loads(text)["complete"]
    found = {name: frozenset(members.split()) for name, members in table.items()}
    return {
        name: members | found["Function"] if name.endswith("Constructor") else members
        for name, members in found.items()
    }


@cache
def _library_facts() -> list[Any]:
    source = resources.files(__package__ or "").joinpath("library.d.ts").read_bytes()
    tree = Parser(grammar("typescript")).parse(source)
    facts = extract(ParsedFile("library.d.ts", source, tree, "typescript", "typescript"))
    return [
        facts.scopes, facts.bindings, facts.stars, [definition[:LINK_FIELDS] for definition in facts.definitions],
        facts.expressions, facts.imports, facts.exports, facts.star_exports, facts.all, facts.extra,
    ]  # fmt: skip


class LibraryWorld(World):
    """A world with the standard library in it. Dependencies on the library are not recorded: it never changes."""

    def __init__(self, world: World) -> None:
        super().__init__((), (), world._load)
        self.records = world.records
        self.paths = world.paths
        self.manifests = world.manifests
        self.asked = world.asked
        self._world = world
        self._library = FileInterface(FileRecord(LIBRARY, "library.d.ts", "typescript", "", False), _library_facts())

    def file(self, number: int, asker: int) -> FileInterface:
        """The interface of a file; that of the library for `LIBRARY`."""
        if number < 0:
            return self._library
        return self._world.file(number, asker if asker >= 0 else number)

    def note(self, asker: int, asked: int) -> None:
        """Record a dependency, unless it is on the library."""
        if asked >= 0 and asker >= 0:
            self._world.note(asker, asked)


@cache
def library_names() -> dict[str, tuple[int, ...]]:
    """Name -> gids of what the library declares under it."""
    bindings = _library_facts()[1][0]
    return {name: tuple(gid(LIBRARY, payload) for _, payload in found) for name, found in bindings.items()}


def library_type(name: str) -> int:
    """The gid of an interface of the library."""
    return library_names()[name][0]
