"""Python: one context is a project root with one interpreter.

A folder with a virtual environment of its own is a root; everything else belongs to the nearest root above, in the end
to the repository. The interpreter is that of the environment, else the one the user names, else the `python3` of the
PATH. Where an import leads is the server's business, but packages of this repository come before installed ones: their
import roots are given to it, those of the context before all others.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from graph.languages.python.modules import Modules
from graph.languages.python.standard import MODULES
from graph.link.world import FileRecord, Manifest, World
from graph.store.semantic import FileHash
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed
from resolver.errors import ContextError

ENVIRONMENTS = (".venv", "venv", "env", ".env")
"""Folder names that are looked at for a virtual environment, in this order."""
UTF8 = frozenset({"utf-8", "ascii"})
"""Encodings of files that the server reads as we do."""


def contexts(indexed: Indexed, options: ContextOptions) -> list[Context]:
    """The Python contexts of a repository. Raises ContextError for an interpreter that is not there."""
    root, files, manifests = indexed.root, indexed.files, indexed.manifests
    modules = Modules(
        World([FileRecord(file.number, file.path, file.language, "", False) for file in files], manifests, _unused)
    )
    folders = _roots(root, files, manifests)
    members: dict[str, list[int]] = {folder: [] for folder in folders}
    excluded: dict[str, dict[int, str]] = {folder: {} for folder in folders}
    found_files = dict.fromkeys(folders, 0)
    for file in files:
        folder = _nearest(file.path, folders)
        if file.encoding in UTF8:
            members[folder].append(file.number)
        else:
            excluded[folder][file.number] = f"the server reads UTF-8, this is {file.encoding}"
        # Scripts without a suffix are asked about, but not found.
        found_files[folder] += file.path.endswith((".py", ".pyi"))
    import_roots = _usable(modules.import_roots(), files)
    names = modules.top_level_names()
    found: list[Context] = []
    for folder in folders:
        if not members[folder] and not excluded[folder]:
            continue
        interpreter, variant, packages = _interpreter(root, folder, options)
        paths = sorted(import_roots - {folder}, key=lambda path: (_nearest(f"{path}/", folders) != folder, path))
        read = [package.relative_to(root).as_posix() for package in packages]
        version = _environment_version(_environment(root / folder), interpreter)
        inputs: dict[str, Any] = {"import_roots": paths, "packages": read, "python": version}
        extra = [str(root / path) for path in (*paths, *read)]
        settings: dict[str, Any] = {"analysis": {"extraPaths": extra}} if extra else {}
        if interpreter is None:
            # Left to itself, the server would run whatever `python3` is.
            settings["pythonPath"] = os.devnull
        found.append(
            Context(
                "python", folder or ".", variant, inputs, "pyright", tuple(members[folder]), excluded[folder],
                found_files[folder], interpreter, {"python": settings} if settings else {}, names,
            )
        )  # fmt: skip
    return found


def external_package(path: str, name: str) -> tuple[str, str, str]:
    """(package, version, symbol) of a target outside of the repository, from the absolute path of its file.

    Stubs of the standard library and of packages that come with a server count as what they describe. What a URI that
    is no file belongs to is not known: its package is "".
    """
    if not path.startswith("/"):
        return "", "", name
    parts = path.split("/")
    folders = parts[:-1]
    if "typeshed-fallback" in folders:
        rest = parts[_last(folders, "typeshed-fallback") + 1 :]
        # `stdlib/MODULE`, or `stubs/DISTRIBUTION/MODULE`.
        return _top(rest[2:] if rest[0] == "stubs" and len(rest) > 2 else rest[1:]), "", name
    installed = max(_last(folders, "site-packages"), _last(folders, "dist-packages"))
    if installed >= 0:
        package = _top(parts[installed + 1 :])
        return package, _installed_version(Path("/".join(parts[: installed + 1])), package), name
    for position, part in enumerate(folders):
        if re.fullmatch(r"python3\.\d+t?", part):
            return _top(parts[position + 1 :]), "", name
    return _top(parts[-2:]), "", name


def _last(parts: Sequence[str], part: str) -> int:
    return max((position for position, one in enumerate(parts) if one == part), default=-1)


def _top(parts: Sequence[str]) -> str:
    top = parts[0] if parts else ""
    return re.sub(r"(-stubs|\.pyi?)$", "", top)


_versions: dict[tuple[Path, str], str] = {}


def _installed_version(folder: Path, package: str) -> str:
    """The version of the distribution of that very name in a folder of installed packages; '' when it does not say."""
    if folder.name not in ("site-packages", "dist-packages"):
        return ""
    key = (folder, package)
    if key not in _versions:
        pattern = re.compile(re.escape(package).replace("_", "[-_.]") + r"-([^-]+)\.dist-info", re.IGNORECASE)
        found = [match[1] for entry in sorted(folder.glob("*.dist-info")) if (match := pattern.fullmatch(entry.name))]
        _versions[key] = found[0] if found else ""
    return _versions[key]


def _usable(roots: Iterable[str], files: Sequence[FileHash]) -> set[str]:
    """The import roots without those that hide a module of the standard library: servers look there first."""
    hiding: set[str] = set()
    for file in files:
        folder, _, name = file.path.rpartition("/")
        if name in ("__init__.py", "__init__.pyi"):
            folder, _, name = folder.rpartition("/")
        if name.split(".")[0] in MODULES:
            hiding.add(folder)
    return set(roots) - hiding


def _roots(root: Path, files: Sequence[FileHash], manifests: Sequence[Manifest]) -> list[str]:
    """The repository and every folder above a source or a manifest that holds an environment, deepest last."""
    folders = {""}
    for path in (*(manifest.path for manifest in manifests), *(file.path for file in files)):
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    with_environment = {folder for folder in folders if folder and _environment(root / folder) is not None}
    return sorted({"", *with_environment}, key=lambda folder: (folder.count("/"), folder))


def _nearest(path: str, folders: Sequence[str]) -> str:
    best = ""
    for folder in folders:
        if folder and path.startswith(folder + "/") and len(folder) > len(best):
            best = folder
    return best


def _environment(folder: Path) -> Path | None:
    for name in ENVIRONMENTS:
        if (folder / name / "pyvenv.cfg").is_file():
            return folder / name
    return None


def _interpreter(root: Path, folder: str, options: ContextOptions) -> tuple[Path | None, str, tuple[Path, ...]]:
    """The interpreter, the variant, and folders of installed packages that are read without running anything.

    The server runs the interpreter to learn its paths. One that lies in the repository is repository content: without
    trust the folder of its packages is read instead, beside the interpreter of the PATH.
    """
    if options.python is not None:
        program = shutil.which(str(options.python))
        if program is None:
            raise ContextError(f"--python {options.python}: there is no such interpreter")
        return Path(program).absolute(), Path(program).name, ()
    environment = _environment(root / folder)
    outside = _from_path(root, options)
    if environment is None:
        return outside, outside.name if outside else "none", ()
    for place in ("bin/python", "Scripts/python.exe"):
        if options.trust and (environment / place).exists():
            return environment / place, environment.name, ()
    packages = sorted(environment.glob("lib/python3*/site-packages")) + sorted(environment.glob("Lib/site-packages"))
    return outside, environment.name, tuple(packages[-1:])


def _from_path(root: Path, options: ContextOptions) -> Path | None:
    """The first `python3` or `python` of the PATH, of those in the repository only with trust."""
    for name in ("python3", "python"):
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
            program = shutil.which(name, path=folder) if folder else None
            if program is None:
                continue
            found = Path(program).absolute()
            # Not the file that it is a link to: an interpreter takes its packages from where it is started.
            if options.trust or not Path(os.path.realpath(found.parent)).is_relative_to(root):
                return found
    return None


def _environment_version(environment: Path | None, interpreter: Path | None) -> str:
    """The version of Python in an environment, else in that of an interpreter, as its configuration says; else ''.

    Nothing is run: an environment inside the repository is repository content.
    """
    for folder in (environment, interpreter.parent.parent if interpreter is not None else None):
        configuration = None if folder is None else folder / "pyvenv.cfg"
        if configuration is not None and configuration.is_file():
            text = configuration.read_text("utf-8", "replace")
            match = re.search(r"^version(?:_info)?\s*=\s*([0-9.]+)", text, re.MULTILINE)
            return match[1] if match else ""
    return ""


def _unused(number: int) -> Sequence[Any]:
    raise AssertionError(f"file {number} was loaded to find contexts, which needs paths alone")


ECOSYSTEM = Ecosystem(
    "python",
    ("python",),
    contexts,
    external_package,
    # For every member of a value whose type it cannot tell, and in code that it takes for unreachable.
    frozenset({"pyright"}),
)
