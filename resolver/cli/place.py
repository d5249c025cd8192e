"""Which repository is meant, and which place in it: roots, PATH arguments, and PATH:LINE[:COLUMN]."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from resolver.cli.errors import usage
from resolver.cli.text import utf8_text

_INDEX = ".tieline/index.db"
_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?", re.DOTALL)


class Place(NamedTuple):
    """A place as it is written on the command line."""

    path: str
    line: int
    """1-based."""
    column: int | None
    """1-based, in code points; None for the whole line."""


def enclosing_root(start: Path) -> Path:
    """The nearest folder from `start` upwards that holds an index, else the nearest that holds `.git`, else `start`."""
    start = start.resolve()
    return _nearest(start, _INDEX) or _nearest(start, ".git") or start


def given_root(root: Path) -> Path:
    """The folder of `--root`. Raises CommandError when it is none."""
    return _folder(root, "--root")


def root_to_index(path: Path | None, root: Path | None) -> Path:
    """The repository that `index [PATH] --root DIR` is about. A PATH that is given is the repository itself."""
    if path is None:
        return given_root(root) if root is not None else enclosing_root(Path.cwd())
    folder = _folder(path, "PATH")
    if root is not None and given_root(root) != folder:
        raise usage(
            f"PATH {path} and --root {root} are two different folders",
            "an index is of one whole repository, so give one of the two",
        )
    return folder


def root_for(paths: tuple[str, ...], root: Path | None) -> Path:
    """The repository: `--root`, else the one around the first path that exists, else the one around this folder.

    Where no index marks the one around the path, that around this folder is meant as long as it contains the path.
    """
    if root is not None:
        return given_root(root)
    here = enclosing_root(Path.cwd())
    for path in paths:
        if path and _exists(Path(path)):
            whole = Path(path).absolute()
            folder = (whole if whole.is_dir() else whole.parent).resolve()
            return _nearest(folder, _INDEX) or (here if _inside(folder, here) else enclosing_root(folder))
    return here


def path_in_root(path: str, root: Path) -> str:
    """A PATH argument relative to the root, with `/`; the root itself is `.`.

    It may be absolute, relative to the current folder, or relative to the root, in that order. What does not exist (any
    more) is taken relative to the current folder where that lies in the root, and to the root else. Raises CommandError
    for a path outside of the root.
    """
    if not path:
        raise usage("an empty path", "give the path of a file in the repository")
    given = Path(path)
    if given.is_absolute():
        candidates = [given]
    else:
        here = Path.cwd()
        candidates = [here / given, root / given]
        if not _inside(here.resolve(), root):
            candidates.reverse()
    existing = [candidate for candidate in candidates if _exists(candidate)]
    inside = [found for candidate in existing or candidates if (found := _relative(candidate, root)) is not None]
    if not inside:
        raise usage(f"{path} is outside of the repository {root}", "name another with --root", code="outside-root")
    return inside[0]


def parse_place(text: str) -> Place | None:
    """`PATH:LINE` or `PATH:LINE:COLUMN` in its parts; None when the text is no such thing."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    column = match["column"]
    return Place(match["path"], int(match["line"]), None if column is None else int(column))


def required_place(text: str) -> Place:
    """As `parse_place`. Raises CommandError for a text that is none, or counts from 0."""
    place = parse_place(text)
    if place is None:
        raise usage(f"{text!r} is not PATH:LINE or PATH:LINE:COLUMN", "for example src/app.py:12:8")
    if place.line < 1 or place.column == 0:
        raise usage(f"{text!r}: lines and columns count from 1")
    return place


def _nearest(start: Path, marker: str) -> Path | None:
    return next((folder for folder in (start, *start.parents) if (folder / marker).exists()), None)


def _folder(path: Path, name: str) -> Path:
    if not _exists(path):
        raise usage(f"{name} {path}: there is no such folder", code="no-such-path")
    if not path.is_dir():
        raise usage(f"{name} {path} is a file", "give the folder of a repository", code="not-a-folder")
    return path.resolve()


def _relative(path: Path, root: Path) -> str | None:
    # First by name alone, so that a link keeps the name by which the inventory knows it; then by where it leads.
    for candidate in (Path(os.path.normpath(path)), path.resolve()):
        for base in (Path(os.path.normpath(root)), root.resolve()):
            if _inside(candidate, base):
                return utf8_text(candidate.relative_to(base).as_posix())
    return None


def _inside(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError as error:
        raise usage(f"{str(path)!r} is no path ({error})") from error
