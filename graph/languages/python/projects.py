"""What the manifests of Python projects declare: where their packages lie, what they are called, what they depend on.

Read as data, never run: setup.py by pattern. Sources: the `[project]` table (PEP 621), and the documentation of
setuptools, poetry, hatch, pdm, uv, maturin, pytest, mypy and pyright for their tables.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from dataclasses import dataclass
from typing import Any, cast

from graph.link.world import Manifest

_PAIR = re.compile(r"['\"]([\w.]*)['\"]\s*:\s*['\"]([^'\"]*)['\"]")
_PACKAGE_DIR = re.compile(r"package_dir\s*=\s*(?:\{([^}]*)\}|dict\(([^)]*)\))")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Project:
    """One folder with manifests."""

    roots: tuple[str, ...]
    """Folders, from the root of the repository, at which its absolute imports begin."""
    packages: dict[str, str]
    """Top-level package -> its folder, where the two are not called the same."""
    name: str
    """Its distribution name, normalised (PEP 503, with `_`), or ''."""
    dependencies: frozenset[str]
    """Distribution names that it depends on, normalised."""


def projects(manifests: tuple[Manifest, ...]) -> dict[str, Project]:
    """Folder -> the project there."""
    drafts: dict[str, _Draft] = {}
    for manifest in manifests:
        folder, _, name = manifest.path.rpartition("/")
        reader = _READERS.get(name)
        if reader is None and re.fullmatch(r"requirements.*\.txt", name):
            reader = _requirements
        if reader is not None:
            draft = drafts.setdefault(folder, _Draft())
            reader(draft, manifest.data.decode("utf-8", "replace"))
    return {folder: draft.project(folder) for folder, draft in drafts.items()}


def normalised(name: str) -> str:
    """A distribution name, or a top-level package that may be one, as dependencies are compared (PEP 503, with `_`)."""
    return re.sub(r"[-_.]+", "_", name).lower()


class _Draft:
    """A project in the making."""

    def __init__(self) -> None:
        self.roots: dict[str, None] = {}
        self.packages: dict[str, str] = {}
        self.name = ""
        self.dependencies: set[str] = set()

    def root(self, value: object) -> None:
        if isinstance(value, str):
            self.roots[value] = None

    def package_dir(self, package: str, folder: str) -> None:
        """Setuptools' `package_dir`: '' maps to a root, a name to the folder of that package."""
        if not package:
            self.root(folder)
        elif folder.rstrip("/").rsplit("/", 1)[-1] == package:
            self.root(folder.rstrip("/").rpartition("/")[0])
        else:
            self.packages[package] = folder

    def requirement(self, value: object) -> None:
        found = _NAME.match(value.strip()) if isinstance(value, str) else None
        if found is not None:
            self.dependencies.add(normalised(found.group(0)))

    def project(self, folder: str) -> Project:
        places = {name: place for name, value in self.packages.items() if (place := _inside(folder, value)) is not None}
        roots = [root for value in self.roots if (root := _inside(folder, value)) is not None]
        return Project(tuple(dict.fromkeys(roots)), places, self.name, frozenset(self.dependencies))


def _inside(folder: str, value: str) -> str | None:
    """A path that a manifest in a folder gives, from the root of the repository; None when it leads out of it."""
    parts = [part for part in folder.split("/") if part]
    for part in value.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return None if value.startswith("/") else "/".join(parts)


def _pyproject(draft: _Draft, text: str) -> None:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tool = _table(table, "tool")
    project, poetry = _table(table, "project"), _table(tool, "poetry")
    draft.name = normalised(str(project.get("name") or poetry.get("name") or ""))
    for value in (*_list(project.get("dependencies")), *poetry.get("dependencies", {})):
        draft.requirement(value)
    for group in _table(project, "optional-dependencies").values():
        for value in _list(group):
            draft.requirement(value)
    for group in _table(table, "dependency-groups").values():
        for value in _list(group):
            draft.requirement(value)
    _layouts(draft, tool)
    for value in _list(_table(_table(tool, "pytest"), "ini_options").get("pythonpath")):
        draft.root(value)
    pyright = _table(tool, "pyright")
    for value in _list(pyright.get("extraPaths")):
        draft.root(value)
    for value in _list(_table(tool, "mypy").get("mypy_path")):
        draft.root(value)


def _layouts(draft: _Draft, tool: dict[str, Any]) -> None:
    """Where the build backends are told to find packages."""
    setuptools = _table(tool, "setuptools")
    for package, folder in _table(setuptools, "package-dir").items():
        draft.package_dir(package, str(folder))
    for value in _list(_table(_table(setuptools, "packages"), "find").get("where")):
        draft.root(value)
    for item in _list(_table(tool, "poetry").get("packages")):
        if isinstance(item, dict):
            draft.root(cast("dict[str, Any]", item).get("from"))
    build = _table(_table(tool, "hatch"), "build")
    for section in (build, _table(_table(build, "targets"), "wheel")):
        for value in (*_list(section.get("packages")), *_list(section.get("only-include"))):
            if isinstance(value, str) and "/" in value:
                draft.root(value.rstrip("/").rpartition("/")[0])
        for value in _list(section.get("sources")):
            draft.root(value)
    draft.root(_table(_table(tool, "pdm"), "build").get("package-dir"))
    draft.root(_table(_table(tool, "uv"), "build-backend").get("module-root"))
    draft.root(_table(tool, "maturin").get("python-source"))


def _setup_py(draft: _Draft, text: str) -> None:
    found = _PACKAGE_DIR.search(text)
    if found is not None:
        for package, folder in _PAIR.findall(found.group(1) or ""):
            draft.package_dir(package, folder)
    where = re.search(r"find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?['\"]([\w./-]+)['\"]", text)
    if where is not None:
        draft.root(where.group(1))
    name = re.search(r"\bname\s*=\s*['\"]([\w.-]+)['\"]", text)
    if name is not None:
        draft.name = draft.name or normalised(name.group(1))


def _ini(draft: _Draft, text: str) -> None:
    """setup.cfg, tox.ini and pytest.ini."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    draft.name = draft.name or normalised(parser.get("metadata", "name", fallback=""))
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        package, equals, folder = line.partition("=")
        if equals:
            draft.package_dir(package.strip(), folder.strip())
    for value in parser.get("options.packages.find", "where", fallback="").split():
        draft.root(value)
    for value in parser.get("options", "install_requires", fallback="").splitlines():
        draft.requirement(value)
    for section in ("tool:pytest", "pytest"):
        for value in parser.get(section, "pythonpath", fallback="").split():
            draft.root(value)


def _pyright(draft: _Draft, text: str) -> None:
    """pyrightconfig.json, which may hold comments."""
    found = re.search(r"\"extraPaths\"\s*:\s*\[([^\]]*)\]", text)
    for value in re.findall(r"\"([^\"]+)\"", found.group(1)) if found is not None else ():
        draft.root(value)


def _requirements(draft: _Draft, text: str) -> None:
    for line in text.splitlines():
        if not line.lstrip().startswith(("#", "-")):
            draft.requirement(line)


_READERS = {
    "pyproject.toml": _pyproject,
    "setup.py": _setup_py,
    "setup.cfg": _ini,
    "tox.ini": _ini,
    "pytest.ini": _ini,
    "pyrightconfig.json": _pyright,
}


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    """A list of a manifest; a single word stands for a list of one."""
    if isinstance(value, str):
        return [value]
    return cast("list[object]", value) if isinstance(value, list) else []
