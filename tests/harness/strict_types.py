"""`python -m tests.harness.strict_types`: pyright's strict check of this project.

The pyright is the one that `tieline servers install pyright` put below TIELINE_SERVERS_DIR, and its view of the
libraries is the environment that runs this module.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.harness.command_line import PROJECT

# npm makes this link in the folder that it installs into; the folder is at most two levels down (server, version).
_COMMAND = Path("node_modules/.bin/pyright")
_LEVELS = ("", "*/", "*/*/")


def find_pyright(servers: Path) -> Path | None:
    """The pyright installed below a servers folder, the most recently installed one of several, or None."""
    found = [path for level in _LEVELS for path in servers.glob(f"{level}{_COMMAND}")]
    return max(found, key=lambda path: (path.stat().st_mtime_ns, str(path)), default=None)


def main() -> int:
    """Runs the check and returns its exit code; 2 when there is no pyright to run."""
    folder = os.environ.get("TIELINE_SERVERS_DIR")
    pyright = find_pyright(Path(folder)) if folder else None
    if pyright is None:
        message = f"no pyright below TIELINE_SERVERS_DIR={folder or ''}: run `tieline servers install pyright` first\n"
        sys.stderr.write(message)
        return 2
    return subprocess.run([str(pyright), "--pythonpath", sys.executable], cwd=PROJECT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
