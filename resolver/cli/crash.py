"""The last resort: a fault of tieline itself. Its traceback goes into a file, and one line says where."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from resolver import __version__
from resolver.cli.errors import CommandError, Exit

if TYPE_CHECKING:
    from resolver.cli.session import Session

DEBUG_VARIABLE = "TIELINE_DEBUG"
_at_work: list[Session] = []
"""The command at work, last."""


def watch(session: Session) -> None:
    """From now on a fault is one of this command: its traceback goes beside the index that it is about."""
    _at_work[:] = [session]


def report(error: BaseException) -> CommandError:
    """Write the traceback to a file, show it as well where TIELINE_DEBUG is set, and give the error to tell."""
    text = "".join(traceback.format_exception(error))
    if os.environ.get(DEBUG_VARIABLE):
        sys.stderr.write(text)
    what = f"{type(error).__name__}: {' '.join(str(error).split())}"
    written = _write(text)
    message = f"this is a fault of tieline, not of your input ({what[:200]})"
    hint = f"the traceback is in {written}" if written else f"set {DEBUG_VARIABLE}=1 to see the traceback"
    return CommandError("internal", Exit.INTERNAL, message, hint, traceback=str(written) if written else None)


def _write(text: str) -> Path | None:
    name = f"tieline-error-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    head = f"tieline {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n{' '.join(sys.argv)}\n\n"
    for folder in _folders():
        path = folder / name
        try:
            path.write_text(head + text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return path
    return None


def _folders() -> list[Path]:
    """Where to write, best first: the folder of the index where there is one, then that of temporary files."""
    temporary = Path(tempfile.gettempdir())
    if not _at_work:
        return [temporary]
    try:
        folder = _at_work[-1].store.folder
        # A link of that name may have come with the repository.
        return [folder, temporary] if folder.is_dir() and not folder.is_symlink() else [temporary]
    except (CommandError, OSError):  # there is no such repository, or the current folder is gone
        return [temporary]
