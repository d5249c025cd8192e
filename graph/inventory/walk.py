"""The walk over a repository: one decision for every file, by path and stat alone.

Order of the rules, the first that decides wins: settings (`exclude`), ignore files, vendored directories, hidden names,
settings (`include`), language, settings (`languages`, `generated`), size. A directory that is left out is one entry and
is not entered; `.git` and the index's own `.tieline` are not even that. Symbolic links come last.
"""

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Final

from graph.inventory.decide import Directory
from graph.inventory.entry import InventoryEntry, InventoryError
from graph.inventory.languages import LanguageTable
from graph.inventory.links import follow_links
from graph.inventory.settings import ConfigError, InventorySettings
from graph.inventory.walker import Walker

_BY_PATH: Final = attrgetter("path")


def walk(root: Path, settings: InventorySettings, languages: LanguageTable) -> Iterator[InventoryEntry]:
    """The inventory of a repository, sorted by `path`.

    Nothing outside of the root is read, except the ignore files of the git repository that it lies in. Files that might
    be scripts are opened for their first line; no other file is. Raises InventoryError when there is nothing to walk,
    and ConfigError when the settings name a language that the table does not have.
    """
    real_root = _check_root(root)
    unknown = sorted(set(settings.languages or ()) - languages.names)
    if unknown:
        known = ", ".join(sorted(languages.names))
        raise ConfigError(f"languages: unknown language {unknown[0]!r}: known are {known}")
    walker = Walker(real_root, settings, languages)
    walker.walk_from(Directory(real_root, b"", "", walker.root_stack()))
    follow_links(walker)
    walker.entries.sort(key=_BY_PATH)
    return iter(walker.entries)


def _check_root(root: Path) -> bytes:
    if not root.exists():
        raise InventoryError(f"{root} does not exist: give the folder of a repository")
    if not root.is_dir():
        raise InventoryError(f"{root} is not a folder: give the folder of a repository, not a file in it")
    return os.fsencode(root.resolve())
