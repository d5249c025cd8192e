"""What the manifests say, as plain data: packages with their entry points, and the tsconfig graph.

Sources of the rules: the TSConfig reference and the "Modules - Reference" chapter of the TypeScript handbook; the
"Modules: Packages" chapter of the Node.js manual; npm, yarn and pnpm on workspaces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, cast

import yaml

from graph.link.world import Manifest

_JSONC: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_EXTENDS_LIMIT: Final = 16
"""Longest chain of `extends` that is followed."""
_ASIDE: Final = frozenset(
    {
        "test",
        "tests",
        "__tests__",
        "fixture",
        "fixtures",
        "__fixtures__",
        "example",
        "examples",
        "template",
        "templates",
    }
)
_DEFAULT_EXCLUDE: Final = ("node_modules", "bower_components", "jspm_packages")


@dataclass(frozen=True)
class Package:
    """One package.json."""

    name: str
    root: str
    """Its folder, '' for the root of the repository."""
    data: Mapping[str, Any]

    def dependencies(self) -> frozenset[str]:
        """The names of all packages that it declares a dependency on."""
        found: set[str] = set()
        for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
            found.update(mapping(self.data.get(key)))
        return frozenset(found)


@dataclass(frozen=True)
class Configuration:
    """One tsconfig or jsconfig, with what it inherits through `extends`."""

    path: str
    root: str
    base_url: str | None
    """Folder, or None when it is not set."""
    paths: tuple[tuple[str, tuple[str, ...]], ...]
    """(pattern, targets), the targets as paths in the repository, which may hold one `*`."""
    root_dirs: tuple[str, ...]
    out_dir: str | None
    root_dir: str | None
    conditions: tuple[str, ...]
    files: tuple[str, ...] | None
    include: tuple[str, ...] | None
    exclude: tuple[str, ...] | None
    references: tuple[str, ...] = ()
    """Paths of the configurations that it refers to."""
    javascript: bool = False
    """Whether JavaScript files can belong to it."""
    chain: tuple[str, ...] = ()
    """Paths of the configurations of the repository that it is made of: itself, and what it extends; sorted."""

    def owns(self, path: str) -> bool:
        """Whether a file belongs to it by `files`, `include` and `exclude`."""
        if self.files is not None and path in self.files:
            return True
        include = self.include if self.include is not None else (() if self.files is not None else (under(self.root),))
        if not any(_glob(pattern).match(path) for pattern in include):
            return False
        exclude = self.exclude
        if exclude is None:
            exclude = tuple(join(self.root, name) for name in _DEFAULT_EXCLUDE)
            if self.out_dir:
                exclude = (*exclude, self.out_dir)
        return not any(_glob(pattern).match(path) for pattern in exclude)


@dataclass(frozen=True)
class Manifests:
    """Everything that the manifests of a repository say."""

    packages: Mapping[str, Package] = field(default_factory=dict[str, Package])
    """By folder."""
    members: Mapping[str, Package] = field(default_factory=dict[str, Package])
    """By package name, the packages that can be imported by it inside the repository."""
    configurations: Mapping[str, Configuration] = field(default_factory=dict[str, Configuration])
    """By path."""


def mapping(value: Any) -> dict[str, Any]:
    """A JSON object, or an empty one for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def strings(value: Any) -> tuple[str, ...]:
    """The strings of a JSON array, or one string alone."""
    if isinstance(value, str):
        return (value,)
    return tuple(part for part in cast("list[Any]", value) if isinstance(part, str)) if isinstance(value, list) else ()


def join(folder: str, relative: str) -> str:
    """A path relative to a folder, normalised. A `..` that leaves the root stays in front, so that nothing is there."""
    parts = folder.split("/") if folder and not relative.startswith("/") else []
    for part in relative.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def under(folder: str) -> str:
    """The pattern of everything below a folder."""
    return f"{folder}/**/*" if folder else "**/*"


def parse_jsonc(data: bytes) -> dict[str, Any]:
    """A JSON object that may hold comments and trailing commas; {} for what cannot be read."""
    text = data.decode("utf-8-sig", "replace")
    text = _JSONC.sub(lambda match: match.group(1) or " ", text)
    text = _TRAILING_COMMA.sub(lambda match: match.group(1) or "", text)
    try:
        return mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def folder_of(path: str) -> str:
    """The folder of a path, '' for the root."""
    return path.rpartition("/")[0]


def read_manifests(manifests: Sequence[Manifest]) -> Manifests:
    """Read all manifests of a repository; those of other languages are left alone."""
    packages: dict[str, Package] = {}
    raw: dict[str, dict[str, Any]] = {}
    workspaces: list[str] = []
    for manifest in manifests:
        name = manifest.path.rpartition("/")[2]
        folder = folder_of(manifest.path)
        if "node_modules" in folder.split("/"):
            continue
        if name == "package.json":
            data = parse_jsonc(manifest.data)
            declared = data.get("name")
            packages[folder] = Package(declared if isinstance(declared, str) else "", folder, data)
            workspaces.extend(join(folder, pattern) for pattern in _workspace_patterns(data.get("workspaces")))
        elif name == "pnpm-workspace.yaml":
            workspaces.extend(join(folder, pattern) for pattern in strings(_yaml(manifest.data).get("packages")))
        elif name.endswith(".json") and ("tsconfig" in name or name.startswith("jsconfig")):
            raw[manifest.path] = parse_jsonc(manifest.data)
    members = _members(packages, workspaces)
    configurations = {path: _configuration(path, raw, members) for path in sorted(raw)}
    return Manifests(packages, members, configurations)


def _yaml(data: bytes) -> dict[str, Any]:
    try:
        return mapping(yaml.safe_load(data))
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}


def _workspace_patterns(value: Any) -> tuple[str, ...]:
    return strings(value) or strings(mapping(value).get("packages"))


def normalised(name: str) -> str:
    """A package name as registries compare it."""
    return name.strip().lower()


def _members(packages: Mapping[str, Package], workspaces: Sequence[str]) -> dict[str, Package]:
    """Package name -> package: the members of workspaces; every package where the repository declares no workspace.

    Packages that only tests and examples hold are nobody's import then. Of several packages with one name the outermost
    counts.
    """
    patterns = [_glob(pattern.rstrip("/")) for pattern in workspaces if not pattern.startswith("!")]
    found: dict[str, tuple[int, str, Package]] = {}
    for folder, package in packages.items():
        if not package.name:
            continue
        if patterns:
            member = folder == "" or any(pattern.match(folder) for pattern in patterns)
        else:
            member = not _ASIDE.intersection(folder.split("/"))
        name = normalised(package.name)
        key = (folder.count("/"), folder, package)
        if member and (name not in found or key[:2] < found[name][:2]):
            found[name] = key
    return {name: key[2] for name, key in found.items()}


# -- tsconfig ---------------------------------------------------------------------------------------------------------


def _configuration(path: str, raw: Mapping[str, dict[str, Any]], members: Mapping[str, Package]) -> Configuration:
    settings: dict[str, Any] = {}
    chain: set[str] = set()
    _inherit(path, raw, members, settings, chain)
    folder = folder_of(path)
    base_url = settings.get("baseUrl")
    paths_root = base_url if base_url is not None else settings.get("paths_folder", folder)
    paths: list[tuple[str, tuple[str, ...]]] = []
    for pattern, targets in mapping(settings.get("paths")).items():
        paths.append((pattern, tuple(join(paths_root, target) for target in strings(targets))))
    references: list[str] = []
    for reference in cast("list[Any]", settings.get("references") or []):
        target = mapping(reference).get("path")
        if isinstance(target, str):
            where = join(folder, target)
            references.append(where if where in raw else join(where, "tsconfig.json"))
    name = path.rpartition("/")[2]
    return Configuration(
        path=path,
        root=folder,
        base_url=base_url,
        paths=tuple(paths),
        root_dirs=tuple(settings.get("rootDirs", ())),
        out_dir=settings.get("outDir"),
        root_dir=settings.get("rootDir"),
        conditions=strings(settings.get("customConditions")),
        files=settings.get("files"),
        include=settings.get("include"),
        exclude=settings.get("exclude"),
        references=tuple(references),
        javascript=bool(settings.get("allowJs") or settings.get("checkJs") or name.startswith("jsconfig")),
        chain=tuple(sorted(chain)),
    )


def _inherit(
    path: str,
    raw: Mapping[str, dict[str, Any]],
    members: Mapping[str, Package],
    settings: dict[str, Any],
    seen: set[str],
) -> None:
    """Put a configuration's settings over those that it extends; paths are relative to the file that has them."""
    if path in seen or len(seen) > _EXTENDS_LIMIT:
        return
    seen.add(path)
    data = raw[path]
    folder = folder_of(path)
    for base in strings(data.get("extends")):
        target = _extended(base, folder, raw, members)
        if target is not None:
            _inherit(target, raw, members, settings, seen)
    options = mapping(data.get("compilerOptions"))
    for key in ("baseUrl", "outDir", "rootDir", "declarationDir"):
        value = options.get(key)
        if isinstance(value, str):
            settings[key] = _placed(folder, value)
    if "paths" in options:
        settings["paths"] = options["paths"]
        settings["paths_folder"] = folder
    if isinstance(options.get("rootDirs"), list):
        settings["rootDirs"] = tuple(_placed(folder, value) for value in strings(options["rootDirs"]))
    for key in ("customConditions", "allowJs", "checkJs"):
        if key in options:
            settings[key] = options[key]
    for key in ("files", "include", "exclude"):
        if isinstance(data.get(key), list):
            settings[key] = tuple(_placed(folder, value) for value in strings(data[key]))
    # `references` is the one setting that is not inherited.
    settings["references"] = data.get("references") if isinstance(data.get("references"), list) else []


def _placed(folder: str, value: str) -> str:
    return join(folder, value.replace("${configDir}/", "").replace("${configDir}", "."))


def _extended(base: str, folder: str, raw: Mapping[str, dict[str, Any]], members: Mapping[str, Package]) -> str | None:
    if base.startswith("."):
        target = join(folder, base)
    else:
        parts = base.split("/")
        count = 2 if base.startswith("@") else 1
        package = members.get(normalised("/".join(parts[:count])))
        if package is None:
            return None
        target = join(package.root, "/".join(parts[count:]) or str(package.data.get("tsconfig") or "tsconfig.json"))
    for candidate in (target, f"{target}.json", join(target, "tsconfig.json")):
        if candidate in raw:
            return candidate
    return None


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    """A pattern of `include`, `exclude` or workspaces: `*`, `?` and `**/`; a folder stands for everything below it."""
    pattern = pattern.removeprefix("./")
    last = pattern.rpartition("/")[2]
    if pattern in ("", "."):
        return re.compile(r".*\Z", re.DOTALL)
    out: list[str] = []
    position = 0
    while position < len(pattern):
        if pattern.startswith("**/", position):
            out.append(r"(?:[^/]+/)*")
            position += 3
        elif pattern.startswith("**", position):
            out.append(r".*")
            position += 2
        else:
            character = pattern[position]
            out.append("[^/]*" if character == "*" else "[^/]" if character == "?" else re.escape(character))
            position += 1
    is_folder = "*" not in last and "." not in last
    tail = r"(?:/.*)?\Z" if is_folder or last == "**" or last == "*" else r"\Z"
    if last == "*" and not pattern.endswith("**/*"):
        tail = r"\Z"
    return re.compile("".join(out) + tail, re.DOTALL)
