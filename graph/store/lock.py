"""The lock of the one writer. The system releases it when its holder dies; a note beside it says who holds it."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

from graph.store.errors import BusyIndexError, explained

LOCK_NAME = "writer.lock"
HOLDER_NAME = "writer.json"


@contextmanager
def writer_lock(folder: Path, timeout: float) -> Generator[None]:
    """Hold the lock of an index folder, waiting at most `timeout` seconds (0: do not wait; negative: for ever).

    Raises BusyIndexError, which names the holder, when somebody else keeps it, and UnwritableIndexError or
    DiskFullError.
    """
    from filelock import FileLock, Timeout  # slow to load, and readers do not need it

    lock = FileLock(folder / LOCK_NAME)
    holder = folder / HOLDER_NAME
    with explained(folder / LOCK_NAME):
        try:
            lock.acquire(timeout=timeout, poll_interval=0.05)
        except Timeout:
            raise BusyIndexError(
                f"{folder} is being written by {_holder(holder)}: wait for it, or give --wait SECONDS"
            ) from None
    try:
        with explained(holder):
            write_new(holder, orjson.dumps({"pid": os.getpid(), "command": _command()}))
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        lock.release()


def write_new(path: Path, content: bytes) -> None:
    """Write a file that takes the place of whatever has its name. A link is replaced, not followed: a repository may
    bring one along that leads anywhere.
    """
    path.unlink(missing_ok=True)
    with path.open("xb") as file:
        file.write(content)


def _command() -> str:
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200]


def _holder(note: Path) -> str:
    try:
        content = orjson.loads(note.read_bytes())
        return f"process {content['pid']} ({content['command']})"
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return "another process"
