"""TypeScript and JavaScript: one context is a project (a tsconfig or jsconfig), and one inferred holds the rest.

- Projects are the configurations of the usual name (`tsconfig.json`, `jsconfig.json`) and whatever these refer to. A
  configuration of another name counts only where files would be in no project otherwise, those with the most such
  files first.
- A file belongs to every project that names it (`files`, `include`). One that none names belongs to each project that
  reaches it by imports. What is left belongs to the inferred project, `tsconfig:.@inferred`, whose compiler options
  are ours. A project without files is no context.
- Packages of the repository that are not linked into `node_modules` are found all the same: the server is told what
  their names stand for, as an installation would.
- Plugins that a configuration names are never run, with or without trust: they change no definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from graph.languages.typescript.configurations import (
    Manifests,
    folder_of,
    mapping,
    parse_jsonc,
    read_manifests,
)
from graph.link.world import Manifest
from graph.store.semantic import FileHash
from lsp_clients.servers.typescript_packages import package_of
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed
from resolver.contexts.tsconfig_members import Imports, Roots, projects

SERVER: Final = "typescript-language-server"
INFERRED: Final = "inferred"
"""The variant of the context that holds the files of no project."""
INFERRED_OPTIONS: Final[Mapping[str, Any]] = {
    "allowJs": True,
    "allowImportingTsExtensions": True,
    "esModuleInterop": True,
    "experimentalDecorators": True,
    "jsx": "preserve",
    "module": "esnext",
    "moduleResolution": "bundler",
    "noEmit": True,
    "resolveJsonModule": True,
    "skipLibCheck": True,
    # What makes the compiler follow what variables without a type are assigned.
    "strict": True,
    "target": "esnext",
}
"""Compiler options of the inferred project: everything is understood that any project could contain."""
_UTF8: Final = frozenset({"utf-8", "ascii"})


def contexts(indexed: Indexed, options: ContextOptions) -> list[Context]:
    """The projects of a repository; never raises."""
    manifests = read_manifests(indexed.manifests)
    readable = [file for file in indexed.files if file.encoding in _UTF8]
    imports = Imports(indexed.connection, readable, manifests)
    members = _members(manifests, readable, imports)
    covered = {number for _, numbers in members for number in numbers}
    rest = [file for file in readable if file.number not in covered]
    modules = {specifier: str(indexed.root / path) for specifier, path in imports.of_workspace().items()}
    found = [_project(indexed, manifests, roots, numbers, modules) for roots, numbers in members]
    unreadable = {
        file.number: f"the server reads UTF-8, this is {file.encoding}"
        for file in indexed.files
        if file.encoding not in _UTF8
    }
    if rest or unreadable:
        found.append(_inferred(indexed, manifests, rest, unreadable, modules))
    return found


def external_package(path: str, name: str) -> tuple[str, str, str]:
    """(package, version, symbol) of a target outside of the repository, from the absolute path of its file."""
    package = package_of(path)
    return package.name, package.version, name


def _members(
    manifests: Manifests, files: Sequence[FileHash], imports: Imports
) -> list[tuple[Roots, frozenset[int]]]:  # fmt: skip
    """The projects that have files, with them."""
    names = {file.number: file.path for file in files}
    usual = projects(manifests.configurations)
    chosen = [Roots(one, files) for one in usual]
    left = set(names).difference(*(roots.numbers for roots in chosen))
    members: list[tuple[Roots, frozenset[int]]] = []
    for roots in chosen:
        members.append((roots, roots.numbers | _reached(roots, left, imports, names)))
    left.difference_update(*(numbers for _, numbers in members))
    others = [Roots(one, files) for one in manifests.configurations.values() if one not in usual]
    while left and others:
        best = max(others, key=lambda roots: (len(roots.numbers & left), roots.configuration.path))
        if not best.numbers & left:
            break
        others.remove(best)
        numbers = best.numbers | _reached(best, left - best.numbers, imports, names)
        members.append((best, numbers))
        left -= numbers
    members.sort(key=lambda one: one[0].configuration.path)
    return [(roots, numbers) for roots, numbers in members if numbers]


def _reached(roots: Roots, left: Iterable[int], imports: Imports, names: Mapping[int, str]) -> frozenset[int]:
    """The files that no project names and that imports of this one lead to."""
    wanted = {number for number in left if roots.can_hold(names[number])}
    return imports.reached(roots.numbers) & wanted if wanted and roots.numbers else frozenset()


def _project(
    indexed: Indexed, manifests: Manifests, roots: Roots, members: frozenset[int], modules: Mapping[str, str]
) -> Context:
    configuration = roots.configuration
    below = f"{configuration.root}/" if configuration.root else ""
    excluded = {
        file.number: roots.why_not(file.path)
        for file in indexed.files
        if file.number not in members and file.path.startswith(below) and file.encoding in _UTF8
    }
    data = {manifest.path: manifest for manifest in indexed.manifests if manifest.path in configuration.chain}
    inputs: dict[str, Any] = {
        "configurations": {path: _normalised(data[path]) for path in configuration.chain if path in data},
        "installed": _installed(indexed.root, configuration.root),
    }
    settings = {
        "config": str(indexed.root / configuration.path),
        "folder": str(indexed.root),
        "modules": modules,
        "notes": _notes(indexed.root, manifests, configuration.root),
    }
    return _context(configuration.path, "", inputs, settings, members, excluded, manifests)


def _inferred(
    indexed: Indexed,
    manifests: Manifests,
    files: Sequence[FileHash],
    unreadable: Mapping[int, str],
    modules: Mapping[str, str],
) -> Context:
    inputs: dict[str, Any] = {"options": dict(INFERRED_OPTIONS), "installed": _installed(indexed.root, "")}
    settings = {
        "files": [str(indexed.root / file.path_on_disk) for file in files],
        "options": dict(INFERRED_OPTIONS),
        "folder": str(indexed.root),
        "modules": modules,
        "notes": _notes(indexed.root, manifests, ""),
    }
    members = frozenset(file.number for file in files)
    return _context(".", INFERRED, inputs, settings, members, dict(unreadable), manifests)


def _context(
    root: str,
    variant: str,
    inputs: Mapping[str, Any],
    project: Mapping[str, Any],
    members: frozenset[int],
    excluded: Mapping[int, str],
    manifests: Manifests,
) -> Context:
    names = {package.name for package in manifests.members.values()}
    return Context(
        ecosystem="tsconfig",
        root=root,
        variant=variant,
        inputs=inputs,
        server=SERVER,
        files=tuple(sorted(members)),
        excluded=excluded,
        settings={"project": project},
        workspace_names=frozenset(names | manifests.members.keys()),
    )


def _normalised(manifest: Manifest) -> dict[str, Any]:
    """What a configuration says, without comments and without what only tools beside the compiler read."""
    known = ("compilerOptions", "extends", "files", "include", "exclude", "references")
    return {key: value for key, value in parse_jsonc(manifest.data).items() if key in known}


def _installed(root: Path, folder: str) -> list[str]:
    """The folders from this one up that have installed packages, '' for the repository."""
    return [above for above in _above(folder) if (root / above / "node_modules").is_dir()]


def _above(folder: str) -> list[str]:
    found = [folder]
    while folder:
        folder = folder_of(folder)
        found.append(folder)
    return found


def _notes(root: Path, manifests: Manifests, folder: str) -> list[str]:
    """What a user should know: a TypeScript of the repository's own that is of no use here."""
    for above in _above(folder):
        installed = root / above / "node_modules/typescript/package.json"
        package = manifests.packages.get(above)
        wanted = ""
        if installed.is_file():
            wanted = str(parse_jsonc(installed.read_bytes()).get("version", ""))
        elif package is not None:
            for key in ("dependencies", "devDependencies"):
                wanted = str(mapping(package.data.get(key)).get("typescript", "")) or wanted
        match = re.search(r"\d+", wanted)
        if match is not None:
            if int(match[0]) < 7:
                return []
            return [f"the repository uses TypeScript {wanted}, which has no tsserver: answers are those of 5.9"]
    return []


ECOSYSTEM = Ecosystem(
    "tsconfig",
    ("typescript", "javascript"),
    contexts,
    external_package,
    # For every member of a value of type `any`, and for what modules that are not installed would bring.
    frozenset({SERVER}),
)


__all__ = ["ECOSYSTEM", "INFERRED", "INFERRED_OPTIONS", "contexts", "external_package"]
