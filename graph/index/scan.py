"""The inventory as the pipeline needs it: source files, manifests, what is left out, and the versions of the
languages.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import xxhash

from graph.inventory import (
    InventoryEntry,
    InventorySettings,
    LanguageRow,
    LanguageTable,
    Reason,
    Unreadable,
    load_settings,
    read_file,
    walk,
)
from graph.languages.registry import families, languages
from graph.link.world import Manifest
from graph.store.schema import SCHEMA_VERSION


class Scan(NamedTuple):
    """What lies under a root."""

    root: Path
    sources: list[InventoryEntry]
    """Included files of some language, sorted by path."""
    manifests: list[InventoryEntry]
    """Included manifests, sorted by path; some of them are sources too."""
    excluded: list[InventoryEntry]
    """What is left out by path, sorted by path."""


def scan(root: Path, settings: InventorySettings | None = None) -> Scan:
    """Walk a root. Raises `InventoryError` and `ConfigError` of the inventory."""
    if settings is None:
        settings = load_settings(root).inventory
    sources: list[InventoryEntry] = []
    manifests: list[InventoryEntry] = []
    excluded: list[InventoryEntry] = []
    for entry in walk(root, settings, language_table()):
        if entry.reason is not None:
            excluded.append(entry)
            continue
        if entry.language is not None:
            sources.append(entry)
        if entry.manifest:
            manifests.append(entry)
    return Scan(root, sources, manifests, excluded)


def unreadable(found: Scan) -> list[tuple[str, str]]:
    """(path, reason) of the files and folders that the system refuses to open."""
    return [
        (entry.path, f"unreadable: {entry.detail}") for entry in found.excluded if entry.reason is Reason.UNREADABLE
    ]


@cache
def language_table() -> LanguageTable:
    """The languages as the inventory knows them."""
    return LanguageTable(
        tuple(
            LanguageRow(
                language.name,
                tuple(extension for extension in language.grammars if extension),
                language.filenames,
                language.shebangs,
                language.manifests,
                language.test_paths,
                language.vendored_folders,
                language.generated_paths,
            )
            for language in languages()
        )
    )


class ManifestRow(NamedTuple):
    """A manifest with its content."""

    path: str
    hash: bytes
    data: bytes


def read_manifests(root: Path, entries: Sequence[InventoryEntry]) -> list[ManifestRow]:
    """The manifests that can be read."""
    rows: list[ManifestRow] = []
    for entry in entries:
        data = read_file(root, entry)
        if not isinstance(data, Unreadable):
            rows.append(ManifestRow(entry.path, xxhash.xxh3_64_digest(data), data))
    return rows


def family_manifests(family: str, rows: Sequence[ManifestRow]) -> list[Manifest]:
    """The manifests that the linker of a family reads."""
    patterns = {pattern for language in families()[family] for pattern in language.manifests}
    return [
        Manifest(row.path, row.data)
        for row in rows
        if any(fnmatch.fnmatchcase(row.path.rsplit("/", 1)[-1], pattern) for pattern in patterns)
    ]


def family_of() -> dict[str, str]:
    """Language -> family."""
    return {language.name: language.family for language in languages()}


@cache
def versions() -> dict[str, str]:
    """Everything on which the rows of an index depend beside the files: an index made with others is rebuilt."""
    grammars = f"{version('tree-sitter')}/{version('tree-sitter-language-pack')}"
    made = {f"language:{language.name}": f"{language.version} {grammars}" for language in languages()}
    made["schema"] = str(SCHEMA_VERSION)
    return made
