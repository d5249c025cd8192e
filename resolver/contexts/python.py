"""Python: one context is a project root with one interpreter.

A folder with a virtual environment of its own is a root; everything else belongs to the nearest root above, in the end
to the repository. The interpreter is that of the environment, else the one the user names, else the `python3` of the
PATH. Where an import leads is the server's business, but packages of this repository come before installed ones: their
import roots are given to it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph.languages.python.modules import Modules
from graph.link.world import FileRecord, Manifest, World
from graph.store.semantic import FileHash
from resolver.contexts.context import Context, ContextOptions
from resolver.errors import ContextError

ENVIRONMENTS = (".venv", "venv", "env", ".env")
"""Folder names that are looked at for a virtual environment, in this order."""
UTF8 = frozenset({"utf-8", "utf-8-sig", "ascii"})
"""Encodings of files that the server reads as we do."""


def contexts(
    root: Path, files: Sequence[FileHash], manifests: Sequence[Manifest], options: ContextOptions
) -> list[Context]:
    """The Python contexts of a repository. Raises ContextError for an interpreter that is not there."""
    modules = Modules(
        World([FileRecord(file.number, file.path, file.language, "", False) for file in files], manifests, _unused)
    )
    folders = _roots(root, files, manifests)
    members: dict[str, list[int]] = {folder: [] for folder in folders}
    excluded: dict[str, dict[int, str]] = {folder: {} for folder in folders}
    import_roots: dict[str, set[str]] = {folder: set() for folder in folders}
    for file in files:
        folder = _nearest(file.path, folders)
        import_roots[folder].add(modules.root_of(file.path))
        if file.encoding in UTF8:
            members[folder].append(file.number)
        else:
            excluded[folder][file.number] = f"the server reads UTF-8, this is {file.encoding}"
    names = modules.top_level_names()
    found: list[Context] = []
    for folder in folders:
        if not members[folder]:
            continue
        interpreter, variant, packages = _interpreter(root, folder, options)
        paths = sorted(import_roots[folder] - {folder})
        read = [package.relative_to(root).as_posix() for package in packages]
        inputs: dict[str, Any] = {"import_roots": paths, "packages": read, "python": _version(interpreter)}
        extra = [str(root / path) for path in (*paths, *read)]
        settings = {"python": {"analysis": {"extraPaths": extra}}} if extra else {}
        found.append(
            Context(
                "python", folder or ".", variant, inputs, "pyright", tuple(members[folder]), excluded[folder],
                interpreter, settings, names,
            )
        )  # fmt: skip
    return found


def external_package(path: str, name: str) -> tuple[str, str, str]:
    """(package, version, symbol) of a target outside of the repository, from the absolute path of its file.

    Stubs of the standard library and of packages that come with a server count as what they describe.
    """
    parts = path.split("/")
    for marker in ("stdlib", "site-packages", "dist-packages", "stubs"):
        if marker in parts[:-1]:
            position = len(parts) - 1 - parts[::-1].index(marker)
            rest = parts[position + 1 :]
            if marker == "stubs" and len(rest) > 1:
                rest = rest[1:]
            return _top(rest), _installed_version(Path("/".join(parts[: position + 1])), _top(rest)), name
    for position, part in enumerate(parts[:-1]):
        if re.fullmatch(r"python3\.\d+", part):
            return _top(parts[position + 1 :]), "", name
    return _top(parts[-2:]), "", name


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


def _roots(root: Path, files: Sequence[FileHash], manifests: Sequence[Manifest]) -> list[str]:
    """The repository and every folder in it that holds a manifest or sources and an environment, deepest last."""
    folders = {""}
    for path in [manifest.path for manifest in manifests]:
        folders.add(path.rsplit("/", 1)[0] if "/" in path else "")
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
    environment = _environment(root / folder if folder else root)
    program = shutil.which("python3") or shutil.which("python")
    outside = Path(program).absolute() if program else None
    if environment is None:
        return outside, outside.name if outside else "none", ()
    for place in ("bin/python", "Scripts/python.exe"):
        if options.trust and (environment / place).exists():
            return environment / place, environment.name, ()
    packages = sorted(environment.glob("lib/python3*/site-packages")) + sorted(environment.glob("Lib/site-packages"))
    return outside, environment.name, tuple(packages[-1:])


def _version(interpreter: Path | None) -> str:
    """The version of an interpreter, from the configuration of its environment; '' when that does not say.

    Nothing is run: an environment inside the repository is repository content.
    """
    if interpreter is None:
        return ""
    configuration = interpreter.parent.parent / "pyvenv.cfg"
    if configuration.is_file():
        text = configuration.read_text("utf-8", "replace")
        match = re.search(r"^version(?:_info)?\s*=\s*([0-9.]+)", text, re.MULTILINE)
        return match[1] if match else ""
    return ""


def _unused(number: int) -> Sequence[Any]:
    raise AssertionError(f"file {number} was loaded to find contexts, which needs paths alone")
