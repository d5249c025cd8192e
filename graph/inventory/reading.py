"""Reading an included file, without ever leaving the root or opening what is no file."""

import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from graph.files import NotRegularError, OutsideError, read_inside
from graph.inventory.entry import InventoryEntry, Reason
from graph.inventory.paths import explain_os_error


class Unreadable(NamedTuple):
    """A file that was there when the inventory was made and cannot be read now."""

    reason: Reason
    """UNREADABLE, SPECIAL_FILE, or SYMLINK_OUTSIDE when a link was put in its way since then."""
    detail: str
    """One line for people."""


def read_file(root: Path, entry: InventoryEntry) -> bytes | Unreadable:
    """The exact bytes of an included file, read once. `root` is the root that was walked."""
    try:
        return read_inside(_real(root), entry.raw_path if entry.raw_path is not None else entry.path.encode())
    except OutsideError as error:
        return Unreadable(Reason.SYMLINK_OUTSIDE, str(error))
    except NotRegularError as error:
        return Unreadable(Reason.SPECIAL_FILE, str(error))
    except OSError as error:
        return Unreadable(Reason.UNREADABLE, explain_os_error(error))


@lru_cache(maxsize=8)
def _real(root: Path) -> bytes:
    return os.fsencode(root.resolve())
