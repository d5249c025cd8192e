"""The index as a file: where it lies, how it is opened, and how a new one takes the place of the old.

A full index is written to a database of its own and published whole: by renaming where there was no index, and
otherwise by copying its pages into the index within one transaction of SQLite, so that readers who have the index
open see the old generation until they begin anew, and no file is ever pulled away from under a write-ahead log.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graph.store.errors import (
    DamagedIndexError,
    ForeignIndexError,
    NoIndexError,
    OtherVersionError,
    StoreError,
    explained,
)
from graph.store.lock import write_new, writer_lock
from graph.store.schema import APPLICATION_ID, FILE_INDEXES, LINK_INDEXES, SCHEMA_VERSION, TABLES, VIEWS

FOLDER_NAME = ".tieline"
FILE_NAME = "index.db"
BUILDING_NAME = "building.db"
FOLDER_VARIABLE = "TIELINE_INDEX_DIR"
PAGE_SIZE = 8192
_BUSY_TIMEOUT = 10.0
_SIDES = ("-wal", "-shm", "-journal")


class Store:
    """The index of one repository, as a place. Holds nothing open."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        """`folder` is that of the index: by default `TIELINE_INDEX_DIR`, or else `.tieline` in the root."""
        self.root = root.resolve()
        chosen = folder or (Path(os.environ[FOLDER_VARIABLE]) if os.environ.get(FOLDER_VARIABLE) else None)
        self.folder = chosen.absolute() if chosen is not None else self.root / FOLDER_NAME
        self._is_default = chosen is None
        self.path = self.folder / FILE_NAME
        self.building_path = self.folder / BUILDING_NAME

    def reader(self) -> sqlite3.Connection:
        """A read-only connection to the index, in no transaction.

        Raises NoIndexError, OtherVersionError, ForeignIndexError, DamagedIndexError.
        """
        self._require_index()
        with explained(self.path):
            try:
                connection = _connect(self.path, "mode=ro")
            except sqlite3.OperationalError:
                # A write-ahead log cannot be opened where its files cannot be made; nobody writes there either.
                if os.access(self.folder, os.W_OK):
                    raise
                connection = _connect(self.path, "immutable=1")
            try:
                check(connection, self.path)
                connection.execute("PRAGMA cache_size=-32768")
                connection.execute("PRAGMA query_only=1")
            except BaseException:
                connection.close()
                raise
        return connection

    def generation_of_other_version(self) -> int:
        """The generation of an index whose schema is not this one's, as far as it can be told; 0 else."""
        try:
            with closing(_connect(self.path, "mode=ro")) as connection:
                row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
                return int(row[0])
        except (sqlite3.Error, TypeError, ValueError):
            return 0

    @contextmanager
    def writer(self, timeout: float) -> Generator[None]:
        """Hold the lock of the one writer, in a folder that is there; `timeout` as in `writer_lock`."""
        self.prepare_folder()
        with writer_lock(self.folder, timeout):
            yield

    def prepare_folder(self) -> None:
        """Make the folder of the index, and have git ignore it."""
        self._refuse_link()
        with explained(self.path):
            self.folder.mkdir(parents=True, exist_ok=True)
            ignore = self.folder / ".gitignore"
            if ignore.is_symlink() or not ignore.exists():
                write_new(ignore, b"*\n")

    def open_for_change(self) -> sqlite3.Connection:
        """A connection that may write the index in place, in no transaction. The caller holds the lock. Raises as
        `reader`.
        """
        self._require_index()
        with explained(self.path):
            connection = _connect(self.path, "mode=rw")
            try:
                check(connection, self.path)
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute("PRAGMA temp_store=MEMORY")
                connection.execute("PRAGMA cache_size=-65536")
            except BaseException:
                connection.close()
                raise
        return connection

    def start_building(self) -> sqlite3.Connection:
        """A new, empty database beside the index, with tables and no indexes, in a transaction. The caller holds
        the lock.
        """
        with explained(self.building_path):
            _remove(self.building_path)
            connection = _connect(self.building_path, "mode=rwc")
            try:
                for pragma in (
                    f"page_size={PAGE_SIZE}", "journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE",
                    "cache_size=-65536", "temp_store=MEMORY", f"application_id={APPLICATION_ID}",
                    f"user_version={SCHEMA_VERSION}",
                ):  # fmt: skip
                    connection.execute(f"PRAGMA {pragma}")
                connection.execute("BEGIN")
                _script(connection, TABLES)
            except BaseException:
                connection.close()
                raise
        return connection

    def abandon_building(self) -> None:
        """Remove what `start_building` made."""
        with suppress(OSError):
            _remove(self.building_path)

    def publish(self, connection: sqlite3.Connection, *, keep: bool = True) -> None:
        """Make the database of `start_building`, with its rows and its indexes, the index. Closes the connection.

        `keep` says that the index that is there, if any, is sound, so that those who read it may go on.

        Raises ForeignIndexError when something that is no index is in its place, and leaves that alone.
        """
        with explained(self.path):
            connection.execute("COMMIT")
            connection.close()
            if self._replaceable() and keep:
                self._copy_in()
            else:
                _sync(self.building_path)
                with closing(_connect(self.building_path, "mode=rw")) as built:
                    built.execute("PRAGMA journal_mode=WAL")
                for side in _SIDES:
                    Path(f"{self.path}{side}").unlink(missing_ok=True)
                self.building_path.replace(self.path)
            _sync(self.folder)

    def _refuse_link(self) -> None:
        """Raises ForeignIndexError where the default folder leads out of the root: a repository may bring links."""
        if self._is_default and self.folder.is_symlink() and not self.folder.resolve().is_relative_to(self.root):
            raise ForeignIndexError(
                f"{self.folder} is a symbolic link that leaves the repository: remove it, or name the folder that is"
                " meant with --index-dir"
            )

    def _require_index(self) -> None:
        """Raises NoIndexError, and ForeignIndexError for what is no file of this folder: a link may lead anywhere."""
        self._refuse_link()
        if not os.path.lexists(self.path):
            raise NoIndexError(f"no index in {self.folder}: run `tieline index`")
        if self.path.is_symlink() or not self.path.is_file():
            raise ForeignIndexError(f"{self.path} is no regular file: move it away, or choose another --index-dir")

    def _replaceable(self) -> bool:
        """Whether there is an index that SQLite can write into. Raises ForeignIndexError for what is no index."""
        try:
            self._require_index()
            with closing(_connect(self.path, "mode=rw")) as connection:
                check(connection, self.path)
                return connection.execute("PRAGMA page_size").fetchone()[0] == PAGE_SIZE
        except NoIndexError:
            return False
        except ForeignIndexError:
            raise
        except OtherVersionError:
            return True
        except (StoreError, sqlite3.DatabaseError):
            return False

    def _copy_in(self) -> None:
        with (
            closing(_connect(self.building_path, "mode=ro")) as built,
            closing(_connect(self.path, "mode=rw")) as current,
        ):
            current.execute("PRAGMA synchronous=NORMAL")
            built.backup(current)
            current.execute("PRAGMA journal_mode=WAL")
            # Whoever still reads the generation before keeps the log; it is not waited for.
            current.execute("PRAGMA busy_timeout=0")
            current.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _remove(self.building_path)


def add_file_indexes(connection: sqlite3.Connection) -> None:
    """Add the indexes on files, texts and definitions to a database of `start_building` once those rows are in."""
    _script(connection, FILE_INDEXES)


def add_link_indexes(connection: sqlite3.Connection) -> None:
    """Add the other indexes, and the views, once all rows are in."""
    _script(connection, LINK_INDEXES)
    _script(connection, VIEWS)


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Whether a connection leads to an index of this version. Raises the error that says otherwise."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise _not_a_database(path) from error
        raise
    if application != APPLICATION_ID:
        if path.stat().st_size == 0:
            raise DamagedIndexError(f"{path} is empty: run `tieline index --full` to write it again")
        raise ForeignIndexError(f"{path} is not an index of tieline: move it away, or choose another --index-dir")
    if version != SCHEMA_VERSION:
        raise OtherVersionError(
            f"{path} has schema {version}, this version of tieline needs {SCHEMA_VERSION}: run `tieline index`"
        )


def _not_a_database(path: Path) -> StoreError:
    """A file without SQLite's header: a stranger's, unless the mark of an index is still where it belongs (offset
    68).
    """
    with path.open("rb") as file:
        head = file.read(72)
    if head[68:72] == APPLICATION_ID.to_bytes(4, "big") or not head.strip(b"\0"):
        return DamagedIndexError(f"{path} is damaged: run `tieline index --full` to write it again")
    return ForeignIndexError(f"{path} is not an index of tieline: move it away, or choose another --index-dir")


def _connect(path: Path, parameters: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{parameters}", uri=True, isolation_level=None, timeout=_BUSY_TIMEOUT, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        connection.close()
        raise
    except sqlite3.DatabaseError:
        pass  # `check` tells what it is
    return connection


def _script(connection: sqlite3.Connection, script: str) -> None:
    """Run statements one by one; `executescript` would commit first."""
    for statement in script.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    for side in _SIDES:
        Path(f"{path}{side}").unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
