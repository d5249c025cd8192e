"""One command at work: which repository, which index, and how to answer."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from resolver.cli.errors import CommandError, Exit
from resolver.cli.place import path_in_root, root_for

if TYPE_CHECKING:
    from graph.query import Evidence, Snapshot
    from graph.store import Store


class Session:
    """What the options that every command takes amount to. Opens the index when it is first asked for."""

    def __init__(
        self, *, json: bool, quiet: bool, root: Path | None, index_dir: Path | None, require_fresh: bool = False
    ) -> None:
        self.json = json
        """One JSON document on standard output instead of text."""
        self.quiet = quiet
        """No progress and no notes."""
        self.require_fresh = require_fresh
        """An answer whose evidence has changed since is an error."""
        self.index_dir = index_dir
        """The folder of the index, where the option names one."""
        self.given_root = root
        """What `--root` says."""
        self._root: Path | None = None
        self._open = ExitStack()
        self._snapshot: Snapshot | None = None

    @property
    def root(self) -> Path:
        """The repository."""
        if self._root is None:
            self._root = root_for((), self.given_root)
        return self._root

    def locate(self, *paths: str) -> None:
        """Let the paths that were given take part in the choice of the repository. Call it before anything else."""
        self._root = root_for(paths, self.given_root)

    def use_root(self, root: Path) -> None:
        """Settle on a repository."""
        self._root = root

    def path(self, path: str) -> str:
        """A PATH argument relative to the root."""
        return path_in_root(path, self.root)

    @property
    def store(self) -> Store:
        """Where the index is."""
        from graph.store import Store

        return Store(self.root, self.index_dir)

    @property
    def snapshot(self) -> Snapshot:
        """The index, open for reading: one generation from here on. Raises StoreError when there is none to read."""
        if self._snapshot is None:
            from graph.query import snapshot

            self._snapshot = self._open.enter_context(snapshot(self.store))
        return self._snapshot

    def judge(self, evidence: Evidence) -> None:
        """Raise CommandError for an answer that rests on files which have changed, where only fresh ones will do."""
        if self.require_fresh and not evidence.fresh:
            shown = ", ".join(evidence.changed[:5])
            more = f" and {len(evidence.changed) - 5:,} more" if len(evidence.changed) > 5 else ""
            raise CommandError(
                "stale-index",
                Exit.NO_INDEX,
                f"the answer rests on files that have changed since they were indexed ({shown}{more})",
                "run `tieline index`",
                generation=evidence.generation,
                changed=list(evidence.changed),
            )

    def close(self) -> None:
        """Let go of the index."""
        self._snapshot = None
        self._open.close()
