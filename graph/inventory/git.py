"""The little that the inventory asks of git: where the repository ends, and which ignore rules lie outside of the tree.

Nothing is asked of the git program, and nothing personal is read (no global excludes, no configuration), so that the
inventory is the same for everybody.
"""

# File names are bytes here, which pathlib does not take.
# ruff: noqa: PTH110, PTH112, PTH118, PTH120

import os
import stat
from typing import NamedTuple

MAX_IGNORE_FILE_SIZE = 1 << 20
"""Bytes; a longer ignore file is not read."""


class OuterRules(NamedTuple):
    """One ignore file that applies to a tree although it lies above it, or in its git directory."""

    data: bytes
    """Its content."""
    source: str
    """Its path for people, relative to the root."""
    prefix: bytes
    """What a path relative to the root starts with when it is relative to that file's directory."""


class Enclosing(NamedTuple):
    """The git repository that a root lies in."""

    git_dir: bytes
    """Directory with the repository's own `info`, shared by all of its worktrees."""
    ignore_files: tuple[OuterRules, ...]
    """Those that apply to the root, weakest first: `info/exclude`, then `.gitignore` from the top down."""


def enclosing_repository(root: bytes) -> Enclosing | None:
    """The repository around or at a root, given by its real path; None outside of any.

    These ignore files are the one thing that is read outside of the root. They are rules, not content.
    """
    top = root
    while (git_dir := git_directory(top)) is None:
        parent = os.path.dirname(top)
        if parent == top:
            return None
        top = parent
    prefix = b"" if top == root else root[len(top.rstrip(b"/")) + 1 :] + b"/"
    found = [
        (os.path.join(git_dir, b"info", b"exclude"), ".git/info/exclude", prefix),
        *_ignore_files_above(prefix, top),
    ]
    files = tuple(
        OuterRules(data, source, prefix)
        for path, source, prefix in found
        if (data := read_ignore_file(path)) is not None
    )
    return Enclosing(git_dir, files)


def git_directory(top: bytes) -> bytes | None:
    """The git directory of a work tree: `.git` itself, or where a worktree's or submodule's `.git` file leads."""
    dot_git = os.path.join(top, b".git")
    if os.path.isdir(dot_git):
        return dot_git if os.path.exists(os.path.join(dot_git, b"HEAD")) else None
    link = read_ignore_file(dot_git)
    if link is None or not link.startswith(b"gitdir:"):
        return None
    git_dir = os.path.join(top, link.removeprefix(b"gitdir:").strip())
    if not os.path.exists(os.path.join(git_dir, b"HEAD")):
        return None
    common = read_ignore_file(os.path.join(git_dir, b"commondir"))
    return os.path.realpath(git_dir if common is None else os.path.join(git_dir, common.strip()))


def read_ignore_file(path: bytes) -> bytes | None:
    """Content of a regular file of sensible size that is no symbolic link; None for anything else.

    git does not follow a link there either. Raises PermissionError, so that the walk can record it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError:
        raise
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_IGNORE_FILE_SIZE:
            return None
        return file.read()


def _ignore_files_above(prefix: bytes, top: bytes) -> list[tuple[bytes, str, bytes]]:
    parts = prefix.split(b"/")[:-1]
    found: list[tuple[bytes, str, bytes]] = []
    for depth in range(len(parts)):
        directory = os.path.join(top, *parts[:depth])
        source = "../" * (len(parts) - depth) + ".gitignore"
        found.append((os.path.join(directory, b".gitignore"), source, b"/".join(parts[depth:]) + b"/"))
    return found
