"""Runs the command line as a user does: in a process of its own, on a repository in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

import orjson

PROJECT = Path(__file__).resolve().parents[2]
_SECONDS = 120


class CommandError(AssertionError):
    """A command that should have succeeded did not; the message holds all that it printed."""


def tieline(*arguments: str, allowed: frozenset[int] = frozenset({0})) -> bytes:
    """Runs `tieline ARGUMENTS` and returns its standard output. Raises CommandError on any other exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TIELINE_INDEX")}
    # What is installed comes before this checkout where the compiled modules are tested (`make test-compiled`).
    places = [place for place in (os.environ.get("TIELINE_INSTALLED"), str(PROJECT)) if place]
    # The folder of the repository under test stays off the import path, whatever packages it holds.
    environment |= {"PYTHONPATH": os.pathsep.join(places), "PYTHONSAFEPATH": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "resolver", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode not in allowed:
        printed = (done.stdout + done.stderr).decode(errors="replace")
        raise CommandError(f"tieline {' '.join(arguments)} gave exit code {done.returncode}:\n{printed}")
    return done.stdout


def index(root: Path) -> None:
    """Indexes a repository with the syntactic layer alone."""
    tieline("index", str(root), "--root", str(root))


def at(root: Path, path: str, line: int, column: int) -> object:
    """The JSON document of `tieline at`; exit code 1 (nothing stands here) prints one too."""
    return orjson.loads(
        tieline("at", f"{path}:{line}:{column}", "--json", "--root", str(root), allowed=frozenset({0, 1}))
    )
