"""The ecosystems whose contexts are known. A new one is a module beside this and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from graph.link.world import Manifest
from graph.store.semantic import FileHash
from resolver.contexts import python
from resolver.contexts.context import Context, ContextOptions

Finder = Callable[[Path, Sequence[FileHash], Sequence[Manifest], ContextOptions], list[Context]]

FINDERS: dict[str, Finder] = {"python": python.contexts}
"""Language -> what finds its contexts, given the root, the files of the language and the manifests."""


EXTERNALS: dict[str, Callable[[str, str], tuple[str, str, str]]] = {"python": python.external_package}
"""Ecosystem -> (package, version, symbol) of a target outside, from the absolute path of its file and its name."""


UNSURE_SERVERS = frozenset({"pyright"})
"""Servers that answer nothing also where they do not know: pyright for every member of a value whose type it cannot
tell, and in code that it takes for unreachable. Their "nothing" denies nothing.
"""


def contexts_of(
    root: Path, files: Sequence[FileHash], manifests: Sequence[Manifest], options: ContextOptions
) -> list[Context]:
    """The contexts of a repository, by name. Raises ContextError."""
    found: list[Context] = []
    for language, finder in FINDERS.items():
        own = [file for file in files if file.language == language]
        if own:
            found.extend(finder(root, own, manifests, options))
    return sorted(found, key=lambda context: context.name)
