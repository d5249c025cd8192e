"""Go: one context is a module, or the modules of a go.work, in one build.

The build of this machine is always there; further ones are those in which the rest of the files are seen (`go_builds`).
What is a member follows the go command: build constraints and file names, folders that it ignores, nested modules
(Go Modules Reference; `go help packages`, `go help buildconstraint`). Files without any module are seen as GOPATH mode
sees them: below a `src` folder, or in the GOPATH of this machine, as packages of it, elsewhere folder by folder. A file
with the constraint `ignore` in package main is a program of its own: the host's build has it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from graph.languages.go.constraints import file_constraint, holds
from graph.languages.go.modules import Modules, directives
from graph.link.world import FileRecord, Manifest, World
from graph.store.numbers import definition_id
from graph.store.semantic import FileHash
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed
from resolver.contexts.go_builds import (
    Build,
    Toolchain,
    assumed_toolchain,
    covering,
    host_build,
    toolchain,
    usual_cgo,
    why_unseen,
)

UTF8 = frozenset({"utf-8", "ascii"})
"""Encodings of Go source (Go specification, Source code representation)."""
_LOOSE = "GO111MODULE=off"
"""How the variant of a context without a module ends."""
_MOST_LOOSE = 10
"""With more folders that belong to no module, none of them is looked at."""
_TOO_LOOSE = f"there is no go.mod at or above it, nor for more than {_MOST_LOOSE - 1} other folders"
_IGNORED = re.compile(r"(?:^|/)(testdata|[._][^/]*)(?=/)")
_VERSIONED = re.compile(r"^(.*?)@(v[^/]+)(?:/(.*))?$")
_BUILD_CACHE = re.compile("[0-9a-f]{64}-d")
"""The name of a file in the build cache: the only Go files there are what cgo has made."""
_ESCAPED = re.compile("!([a-z])")


class _Source(NamedTuple):
    """What decides about the builds that a file is in."""

    number: int
    path: str
    constraint: str
    standalone: bool
    """It is a program of its own."""


@dataclass
class _Place:
    """What one process of the server can look at: a module, a workspace, or files without either."""

    root: str
    """Folder relative to the repository, '' for the repository."""
    environment: Mapping[str, str]
    modules: tuple[str, ...]
    """Folders of its modules."""
    sources: list[_Source] = field(default_factory=list[_Source])
    excluded: dict[int, str] = field(default_factory=dict[int, str])
    """Files that are in no build -> why."""


def contexts(indexed: Indexed, options: ContextOptions) -> list[Context]:
    """The Go contexts of a repository. Raises ContextError for a go command that fails."""
    tools = toolchain(indexed.root) or assumed_toolchain()
    found: list[Context] = []
    for place in _places(indexed, tools):
        constraints = [source.constraint for source in place.sources if not source.standalone]
        builds = covering(constraints, tools)
        seen = {one for one in constraints for build in builds if holds(one, build.satisfied(tools))}
        found.extend([_context(place, build, seen, tools) for build in builds])
    return found


def _context(place: _Place, build: Build, seen: set[str], tools: Toolchain) -> Context:
    """One build of a place. `seen` are the constraints that hold in some build."""
    host = host_build(tools)
    members: list[int] = []
    excluded = dict(place.excluded)
    satisfied = build.satisfied(tools)
    for source in place.sources:
        if build == host if source.standalone else holds(source.constraint, satisfied):
            members.append(source.number)
        elif source.standalone:
            excluded[source.number] = "a program of its own (tag ignore)"
        elif source.constraint in seen:
            excluded[source.number] = f"build constraint: {source.constraint}"
        else:
            excluded[source.number] = why_unseen(source.constraint, tools)
    inputs: dict[str, Any] = {
        "GOOS": build.system, "GOARCH": build.architecture, "CGO_ENABLED": build.cgo, "tags": list(build.tags),
        "release": tools.release, "modules": list(place.modules),
    }  # fmt: skip
    environment = {
        **place.environment,
        "GOOS": build.system, "GOARCH": build.architecture, "CGO_ENABLED": str(int(build.cgo)),
    }  # fmt: skip
    settings: dict[str, Any] = {"env": environment}
    if build.tags:
        settings["buildFlags"] = [f"-tags={','.join(build.tags)}"]
    return Context(
        "go", place.root or ".", _variant(place, build, tools), inputs, "gopls", tuple(members), excluded,
        settings={"gopls": settings},
    )  # fmt: skip


def _variant(place: _Place, build: Build, tools: Toolchain) -> str:
    """`linux,amd64`, then the tags, then what differs from what the go command does when nothing is said."""
    cgo = () if build.cgo == usual_cgo(build.system, build.architecture, tools) else (f"CGO_ENABLED={int(build.cgo)}",)
    return ",".join((build.system, build.architecture, *build.tags, *cgo, *(() if place.modules else (_LOOSE,))))


# -- modules and their files ------------------------------------------------------------------------------------------


def _places(indexed: Indexed, tools: Toolchain) -> list[_Place]:
    """The modules, workspaces and folders without a module that have files, by root."""
    in_gopath = any(indexed.root.is_relative_to(Path(one) / "src") for one in tools.gopath)
    # A go.mod below a testdata folder is data of a test; in any other folder that is ignored above, it begins a module.
    files, manifests = indexed.files, [one for one in indexed.manifests if "testdata" not in one.path.split("/")]
    modules = Modules(
        World([FileRecord(file.number, file.path, file.language, "", False) for file in files], manifests, _unused)
    )
    ignored = {folder: _ignore_directives(folder, manifests) for folder in modules.modules}
    facts = _facts(indexed)
    places: dict[tuple[str, str], _Place] = {}
    for file in files:
        folder = file.path.rpartition("/")[0]
        module = modules.governing(folder)
        space = None if module is None else modules.workspace(module.directory, module)
        if module is None:
            gopath = _gopath(folder)
            # Without a GOPATH there are no import paths: what is seen is one folder.
            root = "" if in_gopath else folder if gopath is None else gopath
            key = ("loose", root)
            place = places.get(key) or _Place(root, _loose(indexed.root, None if in_gopath else gopath), ())
        elif space is None:
            key = ("module", module.directory)
            place = places.get(key) or _Place(module.directory, _in_module("off"), (module.directory or ".",))
        else:
            key = ("workspace", space.directory)
            work = str(indexed.root / space.directory / "go.work")
            used = tuple(sorted(one or "." for one in space.used))
            place = places.get(key) or _Place(space.directory, _in_module(work), used)
        places[key] = place
        patterns = () if module is None else ignored[module.directory]
        why = _why_left_out(file, "" if module is None else module.directory, patterns)
        if why:
            place.excluded[file.number] = why
        else:
            place.sources.append(_source(file, *facts.get(file.number, ("", ""))))
    found = sorted(places.values(), key=lambda place: (place.root, bool(place.modules)))
    alone = [place for place in found if not place.modules]
    if len(alone) > _MOST_LOOSE:
        # One process for each would be far too many: they are listed as one context that has no member.
        rest = _Place("", alone[0].environment, ())
        for place in alone:
            rest.excluded |= dict.fromkeys((source.number for source in place.sources), _TOO_LOOSE) | place.excluded
        found = [rest, *(place for place in found if place.modules)]
    return found


def _facts(indexed: Indexed) -> dict[int, tuple[str, str]]:
    """File number -> its package name and its build constraint, as they were indexed."""
    numbers = {file.number for file in indexed.files}
    rows = indexed.connection.execute(
        "SELECT f.id, f.package, d.condition FROM file f JOIN definition d ON d.id = f.id * ?", (definition_id(1, 0),)
    )
    return {number: (package, condition) for number, package, condition in rows if number in numbers}


def _source(file: FileHash, package: str, constraint: str) -> _Source:
    """A program of its own is what gopls takes for one: package main, and `//go:build ignore` as the whole line."""
    named = file_constraint(file.path, b"", False)
    alone = f"{named} && ignore" if named else "ignore"
    return _Source(file.number, file.path, constraint, package == "main" and constraint == alone)


def _why_left_out(file: FileHash, root: str, patterns: Sequence[str]) -> str:
    """Why the go command takes a file for no source of its module, whatever the build; '' when it does."""
    inside = file.path[len(root) + 1 :] if root else file.path
    part = _ignored_part(inside)
    if part is not None:
        return f"the go command ignores {part}"
    for pattern in patterns:
        at = f"{pattern}/"
        if inside.startswith(at.removeprefix("./")) if at.startswith("./") else f"/{at}" in f"/{inside}":
            return f"go.mod says to ignore {pattern}"
    if file.encoding not in UTF8:
        return f"Go source is UTF-8, this is {file.encoding}"
    return ""


def _ignored_part(path: str) -> str | None:
    """The part of a path for which the go command ignores it: `testdata`, or a name that begins with `_` or `.`."""
    match = _IGNORED.search(path)
    name = path.rpartition("/")[2]
    if match is not None:
        return match[1]
    return name if name.startswith(("_", ".")) else None


def _ignore_directives(folder: str, manifests: Sequence[Manifest]) -> tuple[str, ...]:
    """The folders that a go.mod says to ignore: below the module (`./a`), or of a name anywhere in it."""
    path = f"{folder}/go.mod" if folder else "go.mod"
    return tuple(
        directive.words[0].rstrip("/")
        for manifest in manifests
        if manifest.path == path
        for directive in directives(manifest.data)
        if directive.verb == "ignore" and directive.words
    )


def _in_module(work: str) -> dict[str, str]:
    return {"GO111MODULE": "on", "GOWORK": work}


def _gopath(folder: str) -> str | None:
    """The folder above the outermost `src` on the way to a folder; None when there is none."""
    parts = folder.split("/")
    return "/".join(parts[: parts.index("src")]) if "src" in parts else None


def _loose(root: Path, gopath: str | None) -> dict[str, str]:
    """GOPATH mode; with the repository, or a folder of it, as the GOPATH where it is laid out as one."""
    found = {"GO111MODULE": "off", "GOWORK": "off"}
    return found if gopath is None else {**found, "GOPATH": str(root / gopath)}


def _unused(number: int) -> Sequence[Any]:
    raise AssertionError(f"file {number} was loaded to find contexts, which needs paths alone")


# -- outside of the repository ----------------------------------------------------------------------------------------


def external_package(path: str, name: str) -> tuple[str, str, str]:
    """(import path, version, symbol) of a target outside of the repository, from the absolute path of its file.

    In the module cache the version stands in the path; in the standard library and in GOPATH the import path is what
    follows `src`.
    """
    folder, _, file = path.rpartition("/")
    if file == "_cgo_gotypes.go" or _BUILD_CACHE.fullmatch(file):
        return "C", "", name
    if (match := _VERSIONED.match(folder)) is not None:
        module = _in_cache(match[1])
        return f"{module}/{match[3]}" if match[3] else module, match[2], name
    parts = folder.split("/")
    sources = [position for position, part in enumerate(parts) if part == "src"]
    root = next((at for at in sources if _is_goroot("/".join(parts[:at]))), sources[-1] if sources else None)
    if root is not None:
        return "/".join(parts[root + 1 :]).removeprefix("vendor/"), "", name
    if "vendor" in parts:
        return "/".join(parts[len(parts) - parts[::-1].index("vendor") :]), "", name
    return _local_package(folder), "", name


def _in_cache(path: str) -> str:
    """The module path of a folder of the module cache, below `pkg/mod`; upper-case letters are escaped there."""
    below = path.rpartition("/pkg/mod/")[2]
    if below == path:
        # GOMODCACHE elsewhere: the module path begins with the first element that is a host name.
        parts = path.split("/")
        below = "/".join(parts[next((at for at, part in enumerate(parts) if "." in part.strip(".")), 0) :])
    return _ESCAPED.sub(lambda match: match[1].upper(), below)


@functools.lru_cache(maxsize=256)
def _is_goroot(folder: str) -> bool:
    return Path(folder, "src/builtin/builtin.go").is_file()


@functools.lru_cache(maxsize=4096)
def _local_package(folder: str) -> str:
    """The import path of a folder in a module on this machine, by its go.mod; the folder's name without one."""
    for above in (Path(folder), *Path(folder).parents):
        try:
            lines = directives((above / "go.mod").read_bytes())
        except OSError:
            continue
        for directive in lines:
            if directive.verb == "module" and directive.words:
                rest = Path(folder).relative_to(above).as_posix()
                return directive.words[0] if rest == "." else f"{directive.words[0]}/{rest}"
    return folder.rpartition("/")[2]


ECOSYSTEM = Ecosystem(
    "go",
    ("go",),
    contexts,
    external_package,
    # Wherever a type error keeps the type checker from telling what a name is.
    frozenset({"gopls"}),
)
