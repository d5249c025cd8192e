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
    code = INTERRUPTED
    try:
        _run()
    except KeyboardInterrupt:  # Ctrl-C before there is anything that could handle it
        if sys.stderr is not None:
            sys.stderr.write("tieline: interrupted\n")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            continue  # closed: there is nobody to tell
    workers = sys.modules.get("multiprocessing")
    for worker in workers.active_children() if workers is not None else ():
        worker.kill()  # one whose start was interrupted: nobody waits for it any more
    # At once: a Ctrl-C while Python takes itself down, or one that came up inside of its own work, would end the
    # process by the signal.
    os._exit(code)


def _run() -> NoReturn:
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # for the whole process
    from resolver.cli.application import application

    application.main(prog_name="tieline")
