"""Which files differ from a revision of git. Nothing that the repository configures is run.

`git diff` would run what the repository's configuration names as filters. So git lists the content of the revision, and
what is on the disk is compared with that here: a blob's name is the hash of its header and its bytes (git hash-object).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from graph.files import read_inside
from graph.store.semantic import FileHash
from resolver.errors import ResolverError

_SECONDS = 120
_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


class RevisionError(ResolverError):
    """There is no git, no repository of it, or no such revision."""


def changed_since(root: Path, revision: str, files: Iterable[FileHash]) -> frozenset[str]:
    """Paths of those files, below a root, that are not in a revision as they are on the disk. Raises RevisionError.

    A file that git stores with other line ends counts as different.
    """
    blobs = _blobs(root, revision)
    real_root = os.fsencode(root.resolve())
    return frozenset(
        file.path
        for file in files
        if (raw := os.fsencode(file.path_on_disk)) not in blobs or not _is(real_root, raw, blobs[raw])
    )


def _is(real_root: bytes, path: bytes, blob: bytes) -> bool:
    try:
        content = read_inside(real_root, path)
    except OSError:
        return False
    kind = "sha1" if len(blob) == 40 else "sha256"
    made = hashlib.new(kind, b"blob %d\0" % len(content), usedforsecurity=False)
    made.update(content)
    return made.hexdigest().encode() == blob


def _blobs(root: Path, revision: str) -> dict[bytes, bytes]:
    """Path below the root -> hexadecimal name of its content, in a revision."""
    git = shutil.which("git")
    if git is None:
        raise RevisionError("git is not on the PATH")
    if revision.startswith("-"):
        raise RevisionError(f"{revision!r} is no revision")
    try:
        done = subprocess.run(
            [git, *_QUIET, "ls-tree", "-r", "-z", revision],
            cwd=root,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RevisionError(f"git ls-tree {revision}: {error}") from error
    if done.returncode != 0:
        said = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"])[0]
        raise RevisionError(f"git ls-tree {revision}: {said}")
    found: dict[bytes, bytes] = {}
    for line in done.stdout.split(b"\0"):
        head, _, path = line.partition(b"\t")
        if path:
            found[path] = head.split(b" ")[2]
    return found
