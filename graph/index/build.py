"""`build_index`: bring the index of a root up to date, incrementally where that is possible."""

from __future__ import annotations

import gc
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graph.index.carrying import Reconcile
from graph.index.full import DAMAGED, FullRun, default_jobs, index_fully
from graph.index.incremental import index_changes
from graph.index.progress import IndexReport, Progress, Stopwatch, silent
from graph.index.scan import scan, versions
from graph.inventory import InventorySettings
from graph.store.database import Store
from graph.store.errors import DamagedIndexError, NoIndexError, OtherVersionError, explained
from graph.store.meta import read_meta


@dataclass(frozen=True)
class IndexOptions:
    """How to index."""

    full: bool = False
    """Index everything from scratch."""
    jobs: int | None = None
    """Worker processes; None for one per core that may be used."""
    wait: float = 0.0
    """Seconds to wait for another process that is writing the index; negative: for ever."""
    settings: InventorySettings | None = None
    """What to index; None for what the repository's settings say."""
    reconcile: Reconcile | None = None
    """Works out anew, inside the transaction of a run, the verdicts of files that have semantic resolutions. Without it
    a full run keeps none of those.
    """


def build_index(
    root: Path, *, folder: Path | None = None, options: IndexOptions | None = None, progress: Progress = silent
) -> IndexReport:
    """Bring the index of a root up to date and publish a generation. `folder` is that of the index, as for `Store`.

    Raises StoreError, and InventoryError or ConfigError of the inventory. After any of them, after
    KeyboardInterrupt, and after a kill, the generation before is there unharmed.
    """
    options = options or IndexOptions()
    store = Store(root, folder)
    with store.writer(options.wait), _without_collections():
        return _build(store, options, progress)


@contextmanager
def _without_collections() -> Generator[None]:
    """A run makes millions of objects and few cycles: looking for those would take longer than the rest."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _build(store: Store, options: IndexOptions, progress: Progress) -> IndexReport:
    begun = time.perf_counter()
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    watch = Stopwatch()
    jobs = options.jobs or default_jobs()
    progress("inventory", 0, 1)
    with watch.stage("inventory") as count:
        found = scan(store.root, options.settings)
        count[0] = len(found.sources) + len(found.excluded)
    progress("inventory", 1, 1)
    generation, reason = _previous(store)
    if options.full and not reason:
        reason = "asked for"
    if not reason:
        try:
            outcome = index_changes(store, found, jobs, progress, watch, started, options.reconcile)
        except DamagedIndexError:
            reason = DAMAGED
        else:
            return IndexReport(
                outcome.generation,
                False,
                "",
                outcome.files,
                outcome.extracted,
                outcome.linked,
                outcome.removed,
                outcome.excluded,
                outcome.failed,
                time.perf_counter() - begun,
                tuple(watch.stages),
            )
    counts = index_fully(
        store, found, FullRun(generation + 1, reason, jobs, started, options.reconcile), progress, watch
    )
    return IndexReport(
        generation + 1,
        True,
        reason,
        counts.files,
        counts.files,
        counts.files,
        0,
        counts.excluded,
        counts.failed,
        time.perf_counter() - begun,
        tuple(watch.stages),
        counts.kept,
    )


def _previous(store: Store) -> tuple[int, str]:
    """The generation that is there, and why it cannot be built upon, or ''."""
    try:
        connection = store.reader()
    except NoIndexError:
        return 0, "no index yet"
    except OtherVersionError:
        return store.generation_of_other_version(), "the index has another schema"
    except DamagedIndexError:
        return 0, DAMAGED
    try:
        with explained(store.path):
            meta = read_meta(connection)
            generation = int(meta.get("generation", "0"))
    except DamagedIndexError:
        return 0, DAMAGED
    finally:
        connection.close()
    for key, value in versions().items():
        if meta.get(key) != value:
            return generation, f"{key.replace(':', ' ')} has another version"
    return generation, ""
