"""What can go wrong with the index as a file. Every message is one line that says what to do.

Each error has `exit_code`, the one with which the command line ends: 2 for a place that cannot be used, 4 where
there is no index to answer from, 5 where a run could not finish.
"""

from __future__ import annotations

import errno
import sqlite3
import zlib
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar


class StoreError(Exception):
    """The index cannot be read or written. `str()` is one line for people."""

    exit_code: ClassVar[int] = 5


class NoIndexError(StoreError):
    """There is no index yet."""

    exit_code = 4


class OtherVersionError(StoreError):
    """The index was written by another version of the schema."""

    exit_code = 4


class DamagedIndexError(StoreError):
    """The index file cannot be read as a database, or its content contradicts itself."""

    exit_code = 4


class ForeignIndexError(StoreError):
    """There is a file where the index would be, and it is not an index."""

    exit_code = 2


class UnwritableIndexError(StoreError):
    """The folder of the index cannot be written."""

    exit_code = 2


class DiskFullError(StoreError):
    """There is no room left where the index lies."""


class BusyIndexError(StoreError):
    """Another process is writing the index; the message names it."""


@contextmanager
def explained(path: Path) -> Generator[None]:
    """Turn what SQLite and the operating system say about the index at `path` into a `StoreError`."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # a fault of this program, not of the file
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except (ValueError, TypeError, LookupError, AttributeError, zlib.error) as error:
        if _is_damaged(path):
            raise DamagedIndexError(f"{path} is damaged: run `tieline index --full` to write it again") from error
        raise
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO):
            raise
        raise explain(error, path) from error


def _is_damaged(path: Path) -> bool:
    """Whether an index that led to an error contradicts itself. Reads all of it, which nobody waits for but after a
    fault.
    """
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
            return not sound or not (row is not None and str(row[0]).isdecimal())
    except sqlite3.OperationalError:
        return False  # it cannot be opened, or is in use: that says nothing
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return True


def explain(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    """The `StoreError` for an error of SQLite or of the operating system."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return DiskFullError(
                f"no space left for the index in {path.parent}: free some, or choose another --index-dir"
            )
        if error.errno == errno.EIO:
            return DamagedIndexError(
                f"{path} cannot be read ({error.strerror}): check the disk, then `tieline index --full`"
            )
        return UnwritableIndexError(
            f"{path.parent} cannot be written ({error.strerror}): give another folder with --index-dir or"
            f" TIELINE_INDEX_DIR"
        )
    text = str(error)
    if "full" in text:
        return DiskFullError(f"no space left for the index in {path.parent}: free some, or choose another --index-dir")
    if "readonly" in text or "read-only" in text:
        return UnwritableIndexError(
            f"{path} cannot be written ({text}): give another folder with --index-dir or TIELINE_INDEX_DIR"
        )
    if "locked" in text or "busy" in text:
        return BusyIndexError(f"{path} is in use by another process ({text}): try again when it is done")
    if "unable to open" in text and path.exists():
        return UnwritableIndexError(f"{path} cannot be opened: check its permissions, or choose another --index-dir")
    if "unable to open" in text:
        return NoIndexError(f"{path} cannot be opened: run `tieline index`")
    if isinstance(error, sqlite3.DatabaseError):
        return DamagedIndexError(f"{path} is damaged ({text}): run `tieline index --full` to write it again")
    return StoreError(f"{path}: {text}")
