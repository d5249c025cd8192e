"""The declarations of the standard library that linking brings along, read like any other file."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, Final

from tree_sitter import Parser

from graph.extract.sweep import grammar
from graph.languages.base import ParsedFile
from graph.languages.facts import interface
from graph.languages.rust.adapter import extract
from graph.link.world import FileInterface, FileRecord, World

STANDARD: Final = -1
"""The file number of the declarations."""
CRATES: Final = frozenset({"std", "core", "alloc"})
_PATH: Final = "standard.rs"


@cache
def _facts() -> list[Any]:
    source = resources.files(__package__).joinpath(_PATH).read_bytes()
    tree = Parser(grammar("rust")).parse(source)
    return interface(extract(ParsedFile(_PATH, source, tree, "rust", "rust")))


def load(world: World) -> FileInterface:
    """Put the declarations into a world, and give them."""
    return world.adopt(FileRecord(STANDARD, _PATH, "rust", "", False), _facts())
