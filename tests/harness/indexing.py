"""Small repositories in a temporary folder, indexed for a test."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from graph.index import IndexOptions, IndexReport, build_index
from graph.query import Snapshot, dump, snapshot
from graph.store import Store


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files given as path -> content below a root."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)


class Repository:
    """A folder with its index."""

    def __init__(self, folder: Path, files: Mapping[str, str | bytes]) -> None:
        """The root is `folder/root`, the index `folder/index`."""
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.folder = folder / "index"
        write_files(self.root, files)

    def index(self, *, full: bool = False, jobs: int = 1) -> IndexReport:
        """Bring the index up to date."""
        return build_index(self.root, folder=self.folder, options=IndexOptions(full=full, jobs=jobs))

    @property
    def store(self) -> Store:
        """The index as a place."""
        return Store(self.root, self.folder)

    @contextmanager
    def read(self) -> Generator[Snapshot]:
        """One generation."""
        with snapshot(self.store) as state:
            yield state

    def dump(self) -> list[str]:
        """The canonical dump of the index."""
        with self.read() as state:
            return list(dump(state))

    def dump_of_fresh(self, jobs: int = 1) -> list[str]:
        """The canonical dump of an index that is made from scratch beside it."""
        folder = self.folder.parent / "fresh"
        build_index(self.root, folder=folder, options=IndexOptions(full=True, jobs=jobs))
        with snapshot(Store(self.root, folder)) as state:
            return list(dump(state))
