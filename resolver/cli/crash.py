"""The last resort: a fault of tieline itself. Its traceback goes into a file, and one line says where."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from resolver import __version__
from resolver.cli.errors import CommandError, Exit

DEBUG_VARIABLE = "TIELINE_DEBUG"


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
    from resolver.cli.place import enclosing_root

    folders: list[Path] = []
    if own := os.environ.get("TIELINE_INDEX_DIR"):
        folders.append(Path(own))
    try:
        folders.append(enclosing_root(Path.cwd()) / ".tieline")
    except OSError:
        pass  # the current folder is gone
    return [folder for folder in folders if folder.is_dir()] + [Path(tempfile.gettempdir())]
