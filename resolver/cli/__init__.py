"""The command line: `tieline COMMAND [options]`.

Commands read their arguments, ask `graph.query` and write the answer, as a JSON document or for people. Nothing here
decides what an answer is.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
"""As in `typing`, which takes longer to load than a Ctrl-C to come."""
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells report it."""


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and end it with the exit code."""
    try:
        _run()
    except KeyboardInterrupt:  # Ctrl-C before there is anything that could handle it
        if sys.stderr is not None:
            sys.stderr.write("tieline: interrupted\n")
        code = INTERRUPTED
    except SystemExit as ended:
        if ended.code != INTERRUPTED:
            raise
        code = INTERRUPTED
    # At once: Python would end itself by the signal where the interruption came up inside of some of its own work.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            continue  # closed: there is nobody to tell
    os._exit(code)


def _run() -> NoReturn:
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # for the whole process
    from resolver.cli.application import application

    application.main(prog_name="tieline")
