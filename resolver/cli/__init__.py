"""The command line: `tieline COMMAND [options]`.

Commands read their arguments, ask `graph.query` and write the answer, as a JSON document or for people. Nothing here
decides what an answer is.
"""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and end it with the exit code."""
    try:
        from resolver.cli.application import application
    except KeyboardInterrupt:  # Ctrl-C before there is anything that could handle it
        sys.stderr.write("tieline: interrupted\n")
        sys.exit(130)
    application.main(prog_name="tieline")
