"""The command line: `tieline COMMAND [options]`.

Commands read their arguments, ask `graph.query` and write the answer, as a JSON document or for people. Nothing here
decides what an answer is.
"""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and end it with the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # for the whole process
    try:
        from resolver.cli.application import application
    except KeyboardInterrupt:  # Ctrl-C before there is anything that could handle it
        sys.stderr.write("tieline: interrupted\n")
        sys.exit(130)
    application.main(prog_name="tieline")
