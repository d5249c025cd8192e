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
STANDARD_MACROS: Final = frozenset(
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne "
    "env eprint eprintln file format format_args include include_bytes include_str line matches module_path "
    "option_env panic print println stringify thread_local todo try unimplemented unreachable vec write writeln "
    "addr_of addr_of_mut pin ready concat_idents global_asm asm is_x86_feature_detected select join offset_of "
    "const_format_args Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd test derive bench "
    "global_allocator test_case".split()
)
"""Macros, derives and attribute macros of the standard library (its documentation, "Macros" and "Derive Macros")."""


@cache
def _facts() -> list[Any]:
    source = resources.files("graph.languages.rust").joinpath(_PATH).read_bytes()
    tree = Parser(grammar("rust")).parse(source)
    return interface(extract(ParsedFile(_PATH, source, tree, "rust", "rust")))


def load(world: World) -> FileInterface:
    """Put the declarations into a world, and give them."""
    return world.adopt(FileRecord(STANDARD, _PATH, "rust", "", False), _facts())
