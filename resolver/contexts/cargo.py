"""Rust: one context is a cargo workspace with features, a target and cfgs.

The host's build (`cargo:ROOT@default`: default features, the target of this machine, tests) is always there. Further
ones are chosen so that every branch of `cfg` is compiled in at least one of them. A variant is named by what it is
given beside that: `no-default-features`, `features=a,b`, `target=...`, `cfg=...`, `test=off`, `debug-assertions=off`.
Members of a further one are the files in which it compiles something else, and those that name what it compiles.
"""

from __future__ import annotations

import os
import platform
import posixpath
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import orjson

from graph.files import read_inside
from graph.languages.rust.modules import Modules
from graph.link.world import FileRecord, World
from graph.store.numbers import reference_file
from graph.store.semantic import FileHash
from resolver.contexts.cargo_builds import Build, Condition, cover, holds
from resolver.contexts.cargo_conditions import (
    Wrapped,
    conditions_of_attributes,
    conditions_of_definitions,
    wrapped_items,
    wrapping_macros,
)
from resolver.contexts.cargo_workspaces import Layout, Member, Workspace, active_features, layout
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed

_RUNS = re.compile(r"LD_|DYLD_|RUST|CARGO$|CARGO_(HOME|BUILD|TARGET|ALIAS)|PATH$|HOME$|GLIBC_|GCONV_|LOCPATH$")
"""Variables by which a process can be made to run something else."""
_CHAIN = 256
_REGISTRY = re.compile(r"/registry/src/[^/]+/([^/]+?)-(\d+\.\d+\.\d+[^/]*)/")
_CHECKOUT = re.compile(r"/git/checkouts/([^/]+)-[0-9a-f]+/([^/]+)/")
_VENDORED = re.compile(r"/vendor/([^/]+?)(?:-(\d+\.\d+\.\d+[^/]*))?/(?:src|tests|examples|benches|build\.rs)")
_LIBRARY = re.compile(r"/library/([a-z_]+)/src/")


def contexts(indexed: Indexed, options: ContextOptions) -> list[Context]:
    """The contexts of every cargo workspace of a repository."""
    sources = _Sources(indexed)
    found: list[Context] = []
    for workspace in sources.layout.workspaces:
        found.extend(_of_workspace(sources, workspace, options))
    if found:
        _leave_out(found, sources)
    return found


def external_package(path: str, name: str) -> tuple[str, str, str]:
    """(package, version, symbol) of a target outside of the repository, from the absolute path of its file."""
    for pattern in (_REGISTRY, _CHECKOUT, _LIBRARY, _VENDORED):
        if match := pattern.search(path):
            version = match[2] if match.re is not _LIBRARY and match[2] else ""
            return match[1], version, name
    folders = path.split("/")[:-1]
    if "src" in folders:
        folders = folders[: len(folders) - 1 - folders[::-1].index("src")]
    return (folders[-1] if folders else ""), "", name


class _Sources:
    """The files, with what is known about each before there are builds."""

    def __init__(self, indexed: Indexed) -> None:
        self.indexed = indexed
        self.layout: Layout = layout(indexed.manifests)
        self.files: Mapping[str, FileHash] = {file.path: file for file in indexed.files}
        self._connection = indexed.connection
        records = [FileRecord(file.number, file.path, file.language, "", False) for file in indexed.files]
        self.modules = Modules(World(records, indexed.manifests, self._interface))
        self._numbers = {file.number: file for file in indexed.files}
        self._macros: dict[str, dict[str, str]] = {}
        for file in indexed.files:
            package = self.modules.package_of(file.path)
            if package is not None and b"macro_rules" in (content := self._content(file)):
                self._macros.setdefault(package.folder, {}).update(wrapping_macros(content))
        self._wrapped: dict[int, list[Wrapped]] = {}

    def _interface(self, number: int) -> Sequence[Any]:
        row = self._connection.execute("SELECT interface FROM facts WHERE file = ?", (number,)).fetchone()
        return cast(Sequence[Any], orjson.loads(row[0]))

    def member(self, file: FileHash) -> str | None:
        """Folder of the package whose crate a file belongs to; None when no crate reaches it."""
        place = self.modules.places.get(file.number)
        package = None if place is None else self.modules.owners.get(place.root)
        if place is None or package is None:
            return None
        roots = {crate.root for crate in package.crates}
        return package.folder if self._numbers[place.root].path in roots else None

    def chain(self, file: FileHash, member: Member) -> tuple[str, ...]:
        """The predicates on the way from the root of its crate to a file, those of the crate itself among them."""
        found: list[str] = []
        number = file.number
        for _ in range(_CHAIN):
            place = self.modules.places[number]
            if place.condition:
                found.append(place.condition)
            if place.parent >= 0:
                name = posixpath.splitext(self._numbers[number].path)[0].removesuffix("/mod").rpartition("/")[2]
                around = self.wrapped(self._numbers[place.parent])
                # Of several declarations of one module one is compiled.
                ways = sorted({one.predicate for one in around if name in one.modules})
                found.extend(ways if len(ways) < 2 else [f"any({', '.join(ways)})"])
            if place.parent < 0:
                found.extend(f'feature = "{name}"' for name in member.required.get(self._numbers[number].path, ()))
                break
            number = place.parent
        return tuple(found)

    def wrapped(self, file: FileHash) -> list[Wrapped]:
        """The invocations in a file of macros of its package that put conditions before items."""
        if file.number not in self._wrapped:
            package = self.modules.package_of(file.path)
            macros = {} if package is None else self._macros.get(package.folder, {})
            self._wrapped[file.number] = wrapped_items(self._content(file), macros) if macros else []
        return self._wrapped[file.number]

    def attributes(self, file: FileHash) -> set[tuple[str, ...]]:
        """What the attributes in a file say, and the macros that stand for them."""
        return conditions_of_attributes(self._content(file)) | {(one.predicate,) for one in self.wrapped(file)}

    def definitions(self, file: FileHash) -> dict[int, tuple[str, ...]]:
        """What stands around each definition of a file, in the file itself."""
        return conditions_of_definitions(self._connection, file.number, self.wrapped(file))

    def _content(self, file: FileHash) -> bytes:
        try:
            return read_inside(os.fsencode(self.indexed.root), os.fsencode(file.path_on_disk))
        except OSError:
            # Nobody will be asked about it either.
            return b""

    def users(self, definitions: Iterable[int]) -> set[int]:
        """Files with references that may mean one of some definitions, as the syntactic layer has it."""
        found: set[int] = set()
        for definition in definitions:
            for (reference,) in self._connection.execute(
                "SELECT id FROM reference WHERE target = ?1 UNION ALL"
                " SELECT reference FROM syntactic_target WHERE definition = ?1",
                (definition,),
            ):
                found.add(reference_file(reference))
        return found


class _Part(NamedTuple):
    """One file of a workspace."""

    file: FileHash
    whole: Condition
    """Of the file as a whole."""
    pieces: frozenset[Condition]
    """Of pieces of it, each with that of the whole."""
    definitions: Mapping[int, Condition]


def _of_workspace(sources: _Sources, workspace: Workspace, options: ContextOptions) -> list[Context]:
    parts = _parts(sources, workspace)
    if not parts:
        return []
    names = _import_names(sources.layout)
    host = Build(host_target())
    if not options.trust and (danger := _danger(sources, workspace.folder)):
        reason = f"{danger}: that could run what is in the repository, which --trust allows"
        return [_context(workspace, host, (), {part.file.number: reason for part in parts}, options, names)]
    conditions = {condition for part in parts for condition in (part.whole, *part.pieces)}
    found: list[Context] = []
    by_host = active_features(workspace, host.features, host.defaults)
    first = {condition: holds(condition, host, by_host) for condition in conditions}
    for build in cover(workspace, conditions, host.target).builds:
        features = active_features(workspace, build.features, build.defaults)
        here = {condition: holds(condition, build, features) for condition in conditions}
        changed = {condition for condition in conditions if here[condition] != first[condition]}
        asked = _touched(sources, parts, changed) if build != host else None
        members: list[int] = []
        left_out: dict[int, str] = {}
        for part in parts:
            if not here[part.whole]:
                left_out[part.file.number] = f"not compiled in this build: {', '.join(part.whole.predicates)}"
            elif asked is not None and part.file.number not in asked:
                left_out[part.file.number] = "nothing that this build changes is in it or named in it"
            else:
                members.append(part.file.number)
        found.append(_context(workspace, build, tuple(members), left_out, options, names))
    return found


def _parts(sources: _Sources, workspace: Workspace) -> list[_Part]:
    """The files that the crates of a workspace reach."""
    members = {member.folder: member for member in workspace.members}
    parts: list[_Part] = []
    for file in sources.indexed.files:
        folder = sources.member(file)
        if folder is None or folder not in members:
            continue
        chain = sources.chain(file, members[folder])

        def condition(own: Iterable[str], folder: str = folder, chain: tuple[str, ...] = chain) -> Condition:
            return Condition(folder, tuple(sorted({*chain, *own})))

        definitions = {number: condition(own) for number, own in sources.definitions(file).items()}
        pieces = {*definitions.values(), *map(condition, sources.attributes(file))}
        parts.append(_Part(file, condition(()), frozenset(pieces), definitions))
    return parts


def _touched(sources: _Sources, parts: Sequence[_Part], changed: set[Condition]) -> set[int]:
    """Files in which a build differs from the host's, and those that name what is there: asking the rest again would
    give the same answers.
    """
    definitions = [number for part in parts for number, condition in part.definitions.items() if condition in changed]
    return sources.users(definitions) | {
        part.file.number for part in parts if part.whole in changed or not changed.isdisjoint(part.pieces)
    }


def _context(
    workspace: Workspace,
    build: Build,
    files: tuple[int, ...],
    excluded: Mapping[int, str],
    options: ContextOptions,
    names: frozenset[str],
) -> Context:
    features = [_feature(workspace, folder, name) for folder, name in build.features]
    cfgs = [*(("debug_assertions",) if build.debug_assertions else ()), *build.cfgs]
    cargo: dict[str, Any] = {
        "features": features, "noDefaultFeatures": not build.defaults, "target": build.target, "cfgs": cfgs,
    }  # fmt: skip
    settings: dict[str, Any] = {"cargo": cargo, "cfg": {"setTest": build.test}}
    if options.trust:
        cargo["buildScripts"] = {"enable": True}
        settings["procMacro"] = {"enable": True}
    inputs = {
        "features": features, "default_features": build.defaults, "target": build.target, "cfgs": cfgs,
        "test": build.test, "trust": options.trust,
    }  # fmt: skip
    root = workspace.folder or "."
    return Context(
        "cargo", root, variant_name(build, features), inputs, "rust-analyzer", files, excluded, settings=settings,
        workspace_names=names,
    )  # fmt: skip


def variant_name(build: Build, features: Sequence[str]) -> str:
    """What is said of a build beside that it is one of this workspace on this machine."""
    parts = [] if build.defaults else ["no-default-features"]
    if features:
        parts.append(f"features={','.join(features)}")
    if build.target != host_target():
        parts.append(f"target={build.target}")
    if build.cfgs:
        parts.append(f"cfg={','.join(build.cfgs)}".replace('"', ""))
    if not build.test:
        parts.append("test=off")
    if not build.debug_assertions:
        parts.append("debug-assertions=off")
    return ",".join(parts) or "default"


def host_target() -> str:
    """The target of this machine, as the tier 1 and 2 hosts of Rust are called; Linux on x86-64 for any other."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    machine = machine if machine in ("x86_64", "aarch64") else "x86_64"
    vendor = {"Darwin": "apple-darwin", "Windows": "pc-windows-msvc"}.get(platform.system(), "unknown-linux-gnu")
    return f"{machine}-{vendor}"


def _feature(workspace: Workspace, folder: str, name: str) -> str:
    """A feature as cargo is told it: with its package where the workspace has several."""
    if len(workspace.members) == 1:
        return name
    package = next(member.name for member in workspace.members if member.folder == folder)
    return f"{package}/{name}"


def _import_names(found: Layout) -> frozenset[str]:
    names = {member.name for workspace in found.workspaces for member in workspace.members}
    return frozenset(names | {name.replace("-", "_") for name in names})


def _leave_out(found: list[Context], sources: _Sources) -> None:
    """Say of every file that is in no workspace why, in the context whose folder is nearest."""
    known = {number for context in found for number in (*context.files, *context.excluded)}
    hosts = {context.root: context for context in reversed(found)}
    for file in sources.indexed.files:
        if file.number in known:
            continue
        folder = posixpath.dirname(file.path)
        package = sources.modules.package_of(file.path)
        if package is not None and package.folder in sources.layout.refused:
            reason = sources.layout.refused[package.folder]
        elif sources.member(file) is None and package is not None:
            reason = "no crate reaches this file by its module declarations"
        else:
            reason = "no Cargo.toml describes this file"
        while folder and folder not in hosts:
            folder = posixpath.dirname(folder)
        nearest = hosts.get(folder or ".", found[0])
        cast(dict[int, str], nearest.excluded)[file.number] = reason


def _danger(sources: _Sources, folder: str) -> str:
    """What in the repository would make cargo or the server run a program of its choice; '' for nothing.

    Wrappers and compilers of a cargo configuration are overruled when the server is started, but variables of its
    `[env]` reach rustc (the cargo book, "Configuration"). A `rust-analyzer.toml` beside a manifest comes before what
    the server is told, and can name commands (its manual, "Configuration").
    """
    top = sources.indexed.root
    root = os.fsencode(top)
    packages = {posixpath.dirname(manifest.path) for manifest in sources.indexed.manifests}
    for place in sorted({above for package in packages for above in _up(package)}):
        path = posixpath.join(place, "rust-analyzer.toml")
        if (top / path).exists() or (top / path).is_symlink():
            return f"{path} changes how the server works"
    for place in _up(folder):
        for name in ("config.toml", "config"):
            path = posixpath.join(place, ".cargo", name)
            try:
                table = tomllib.loads(read_inside(root, os.fsencode(path)).decode("utf-8", "replace"))
            except FileNotFoundError:
                continue
            except (OSError, tomllib.TOMLDecodeError):
                return f"{path} cannot be read"
            if "include" in table:
                return f"{path} includes other files"
            variables = table.get("env")
            for variable in cast(Mapping[str, object], variables) if isinstance(variables, dict) else ():
                if _RUNS.match(variable.upper()):
                    return f"{path} sets {variable}"
    return ""


def _up(folder: str) -> list[str]:
    """A folder and all above it, '' for the repository last."""
    found = [folder]
    while found[-1]:
        found.append(posixpath.dirname(found[-1]))
    return found


ECOSYSTEM = Ecosystem(
    "cargo",
    ("rust",),
    contexts,
    external_package,
    # In code that is not compiled in a build, in macros that are not expanded, for members of types it cannot tell.
    frozenset({"rust-analyzer"}),
)
