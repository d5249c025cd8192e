"""Reading an included file, without ever leaving the root or opening what is no file."""

import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from graph.inventory.entry import InventoryEntry, Reason
from graph.inventory.paths import explain_os_error, is_within


class Unreadable(NamedTuple):
    """A file that was there when the inventory was made and cannot be read now."""

    reason: Reason
    """UNREADABLE, SPECIAL_FILE, or SYMLINK_OUTSIDE when a link was put in its way since then."""
    detail: str
    """One line for people."""


def read_file(root: Path, entry: InventoryEntry) -> bytes | Unreadable:
    """The exact bytes of an included file, read once. `root` is the root that was walked."""
    real_root = _real(root)
    target = _resolve(real_root, entry.raw_path if entry.raw_path is not None else entry.path.encode())
    if target is None:
        return Unreadable(Reason.SYMLINK_OUTSIDE, "leads out of the root now")
    try:
        # NONBLOCK: a pipe that took the place of the file must not hang the reader.
        descriptor = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return Unreadable(Reason.UNREADABLE, explain_os_error(error))
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Unreadable(Reason.SPECIAL_FILE, "is no regular file now")
        try:
            return file.readall()
        except OSError as error:
            return Unreadable(Reason.UNREADABLE, explain_os_error(error))


@lru_cache(maxsize=8)
def _real(root: Path) -> bytes:
    return os.fsencode(root.resolve())


def _resolve(root: bytes, relative: bytes) -> bytes | None:
    """The real path of a path below a real root; None when it leads out."""
    path = root.rstrip(b"/")
    for part in relative.split(b"/"):
        path += b"/" + part
        try:
            if stat.S_ISLNK(os.lstat(path).st_mode):
                break
        except OSError:
            # Opening it fails in the same way, and says so.
            return root.rstrip(b"/") + b"/" + relative
    else:
        return path
    target = os.path.realpath(root.rstrip(b"/") + b"/" + relative)
    return target if is_within(target, root) else None
