"""What a language is to the rest of the graph: data for the inventory, a function for extraction, a class for
linking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Tree

from graph.link.linker import Linker
from graph.link.world import World
from graph.model import FileFacts


class ParsedFile(NamedTuple):
    """One file, parsed."""

    path: str
    """Relative to the root, with `/`."""
    source: bytes
    """The UTF-8 text that was parsed; the tree's offsets are offsets into it."""
    tree: Tree
    language: str
    grammar: str


@dataclass(frozen=True)
class Language:
    """One language."""

    name: str
    """The word that output uses."""
    family: str
    """Languages of one family are linked together (JavaScript and TypeScript)."""
    grammars: Mapping[str, str]
    """File name extension (with the dot) -> grammar of the language pack. '' is for files known by name or shebang."""
    extract: Callable[[ParsedFile], FileFacts]
    """Pure: the same file gives the same facts, whatever the machine. Never raises on any input."""
    linker: Callable[[World], Linker]
    """Makes the linker of the family for a world; the same one for every language of a family."""
    version: str
    """Changes whenever extraction or linking changes what it gives: an index of another version is rebuilt."""
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    """Interpreter names, without version (`python`)."""
    manifests: tuple[str, ...] = ()
    """File name patterns of build and package descriptions that the linker reads."""
    test_paths: tuple[str, ...] = ()
    """gitwildmatch patterns of test files."""
    vendored_folders: tuple[str, ...] = ()
    """Folder names that hold other people's code."""
    generated_paths: tuple[str, ...] = ()
    """gitwildmatch patterns of generated files."""
    keywords: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further data that only this language's folder reads."""
    pep263: bool = False
    """Whether an encoding declaration in the first two lines counts."""
    cr_ends_lines: bool = True
    """Whether a carriage return by itself ends a line, as it does in most languages. Grammars do not know that."""
