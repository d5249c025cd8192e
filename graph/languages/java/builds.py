"""Modules of a repository as Maven and Gradle describe them: where each has its root, and which others it depends on.

Maven: pom.xml (POM reference, https://maven.apache.org/pom.html): coordinates with inheritance from `parent`,
properties, dependencies with scope. Gradle: the project paths of settings files and `project(":a:b")` dependencies,
read by simple patterns, since a build script is a program that nobody runs here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree

from graph.link.world import Manifest

_PROPERTY = re.compile(r"\$\{([^}]+)\}")
_PROPERTY_ROUNDS: Final = 8
"""How deep properties may refer to each other."""
_PARENT_ROUNDS: Final = 32
"""Longest chain of parents."""
_INCLUDE = re.compile(r"\binclude\w*\b\s*\(?\s*((?:[\"'][^\"'\n]+[\"']\s*,?\s*)+)")
_QUOTED = re.compile(r"[\"']([^\"'\n]+)[\"']")
_PROJECT_DIRECTORY = re.compile(
    r"project\s*\(\s*[\"'](:[^\"']+)[\"']\s*\)\s*\.\s*projectDir\s*=\s*(?:new\s+)?[Ff]ile\s*\(([^)\n]*)\)"
)
_PROJECT_DEPENDENCY = re.compile(
    r"^[ \t]*([A-Za-z]\w*)[ \t]*\(?[^\n]*?project\s*\(\s*(?:path\s*[:=]\s*)?[\"'](:[^\"']*)[\"']", re.MULTILINE
)
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


@dataclass
class Module:
    """One module."""

    root: str
    """Folder relative to the repository's root, '' for the root itself."""
    name: str = ""
    """`group:artifact`, where Maven builds it."""
    sources: dict[str, str] = field(default_factory=dict[str, str])
    """Source folder relative to the repository's root -> its source set, `main` or `test`, where Maven builds it."""
    dependencies: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    """(module, whether only tests see it) each."""


@dataclass
class _Pom:
    root: str
    group: str
    artifact: str
    parent: tuple[str, str, str]
    """Group and artifact of the parent, and the path of its pom."""
    properties: dict[str, str]
    dependencies: list[tuple[str, str, str]]
    """(group, artifact, scope) each, as written."""
    folders: dict[str, str]
    """Source set -> the folder that it is in, as written."""
    more_folders: list[tuple[str, str]]
    """(source set, folder) each that a plugin adds, as written."""


def modules(manifests: Sequence[Manifest]) -> list[Module]:
    """The modules that the build descriptions of a repository declare, sorted by root."""
    poms = [
        pom for manifest in manifests if _base(manifest.path) == "pom.xml" and (pom := _read_pom(manifest)) is not None
    ]
    scripts = {
        _folder(manifest.path): manifest
        for manifest in manifests
        if _base(manifest.path) in ("build.gradle", "build.gradle.kts")
    }
    settings = [
        manifest for manifest in manifests if _base(manifest.path) in ("settings.gradle", "settings.gradle.kts")
    ]
    projects = _gradle_projects(settings)
    roots = sorted({pom.root for pom in poms} | set(scripts) | set(projects.values()))
    result = [Module(root) for root in roots]
    numbers = {root: number for number, root in enumerate(roots)}
    _link_poms(poms, result, numbers)
    _link_scripts(scripts, projects, settings, result, numbers)
    return result


def _base(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""


def _join(folder: str, relative: str) -> str:
    """A path relative to a folder, with `.` and `..` worked out; '' for the root."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


# -- Maven ------------------------------------------------------------------------------------------------------------


def _read_pom(manifest: Manifest) -> _Pom | None:
    """One pom.xml; None when it cannot be read as XML."""
    if b"<!ENTITY" in manifest.data:
        return None
    try:
        project = ElementTree.fromstring(manifest.data)
    except (ElementTree.ParseError, LookupError, ValueError):
        return None
    for element in project.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    root = _folder(manifest.path)
    parent = project.find("parent")
    group = _text(project, "groupId")
    inherited = ("", "", "")
    if parent is not None:
        relative = _text(parent, "relativePath") if parent.find("relativePath") is not None else "../pom.xml"
        place = _join(root, relative) if relative else ""
        if relative and not place.endswith(".xml"):
            place = f"{place}/pom.xml" if place else "pom.xml"
        inherited = (_text(parent, "groupId"), _text(parent, "artifactId"), place)
        group = group or inherited[0]
    properties = {element.tag: (element.text or "").strip() for element in project.findall("properties/*")}
    dependencies = [
        (_text(element, "groupId"), _text(element, "artifactId"), _text(element, "scope"))
        for element in project.findall("dependencies/dependency")
    ]
    for profile in project.findall("profiles/profile/dependencies/dependency"):
        dependencies.append((_text(profile, "groupId"), _text(profile, "artifactId"), _text(profile, "scope")))
    folders = {
        sources: folder
        for sources, element in (("main", "build/sourceDirectory"), ("test", "build/testSourceDirectory"))
        if (folder := _text(project, element))
    }
    more = list(_added_folders(project))
    return _Pom(root, group, _text(project, "artifactId"), inherited, properties, dependencies, folders, more)


def _added_folders(project: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """(source set, folder) of each folder that build-helper-maven-plugin adds (goals add-source, add-test-source)."""
    for plugin in project.findall("build/plugins/plugin"):
        if _text(plugin, "artifactId") != "build-helper-maven-plugin":
            continue
        for execution in plugin.findall("executions/execution"):
            goals = {(goal.text or "").strip() for goal in execution.findall("goals/goal")}
            for goal, sources in (("add-source", "main"), ("add-test-source", "test")):
                if goal in goals:
                    for source in execution.findall("configuration/sources/source"):
                        yield sources, (source.text or "").strip()


def _text(element: ElementTree.Element, name: str) -> str:
    found = element.find(name)
    return (found.text or "").strip() if found is not None else ""


def _link_poms(poms: Sequence[_Pom], result: list[Module], numbers: dict[str, int]) -> None:
    by_path = {f"{pom.root}/pom.xml" if pom.root else "pom.xml": pom for pom in poms}
    lineages = {pom.root: _parents(pom, by_path) for pom in poms}
    by_coordinates: dict[tuple[str, str], list[int]] = {}
    for pom in poms:
        key = (_expand(pom.group, lineages[pom.root]), _expand(pom.artifact, lineages[pom.root]))
        by_coordinates.setdefault(key, []).append(numbers[pom.root])
    for pom in poms:
        module = result[numbers[pom.root]]
        own = module.dependencies
        lineage = lineages[pom.root]
        module.name = f"{_expand(pom.group, lineage)}:{_expand(pom.artifact, lineage)}"
        module.sources = _source_folders(pom, lineage)
        for declaring in lineage:
            for group, artifact, scope in declaring.dependencies:
                found = by_coordinates.get((_expand(group, lineage), _expand(artifact, lineage)), ())
                own.extend((number, scope == "test") for number in found if number != numbers[pom.root])


def _source_folders(pom: _Pom, lineage: Sequence[_Pom]) -> dict[str, str]:
    """The source folders of a module: those of the Super POM unless it or a parent says otherwise."""
    found: dict[str, str] = {}
    for sources, usual in (("main", "src/main/java"), ("test", "src/test/java")):
        written = [one.folders[sources] for one in lineage if sources in one.folders]
        more = [folder for one in lineage for added, folder in one.more_folders if added == sources]
        for folder in (*written[:1], *more) if written else (usual, *more):
            place = _join(pom.root, _expand(folder, lineage))
            if not _PROPERTY.search(place):
                found.setdefault(place, sources)
    return found


def _parents(pom: _Pom, by_path: dict[str, _Pom]) -> list[_Pom]:
    """A pom and its parents in the repository, nearest first."""
    lineage = [pom]
    for _ in range(_PARENT_ROUNDS):
        group, artifact, place = lineage[-1].parent
        above = by_path.get(place)
        if above is None or above.artifact != artifact or above in lineage:
            candidates = [other for other in by_path.values() if (other.group, other.artifact) == (group, artifact)]
            above = candidates[0] if len(candidates) == 1 else None
        if above is None or above in lineage:
            break
        lineage.append(above)
    return lineage


def _expand(text: str, lineage: Sequence[_Pom]) -> str:
    """A text with its properties put in, the nearest pom's first."""
    own = lineage[0]
    builtin = {
        "project.groupId": own.group, "pom.groupId": own.group, "groupId": own.group,
        "project.artifactId": own.artifact, "pom.artifactId": own.artifact, "artifactId": own.artifact,
        "basedir": ".", "project.basedir": ".", "pom.basedir": ".", "project.build.directory": "target",
        "project.parent.groupId": own.parent[0], "project.parent.artifactId": own.parent[1],
    }  # fmt: skip

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in builtin:
            return builtin[name]
        return next((pom.properties[name] for pom in lineage if name in pom.properties), match.group(0))

    for _ in range(_PROPERTY_ROUNDS):
        expanded = _PROPERTY.sub(value, text)
        if expanded == text:
            break
        text = expanded
    return text


# -- Gradle -----------------------------------------------------------------------------------------------------------


def _source(manifest: Manifest) -> str:
    return _COMMENT.sub("", manifest.data.decode("utf-8", "replace"))


def _gradle_projects(settings: Sequence[Manifest]) -> dict[tuple[str, str], str]:
    """(folder of the settings file, project path) -> folder of the project."""
    projects: dict[tuple[str, str], str] = {}
    for manifest in settings:
        folder = _folder(manifest.path)
        projects[folder, ":"] = folder
        text = _source(manifest)
        for match in _INCLUDE.finditer(text):
            for name in _QUOTED.findall(match.group(1)):
                path = ":" + name.strip(":")
                projects[folder, path] = _join(folder, path.strip(":").replace(":", "/"))
        for match in _PROJECT_DIRECTORY.finditer(text):
            quoted = _QUOTED.findall(match.group(2))
            if quoted:
                projects[folder, match.group(1)] = _join(folder, quoted[-1])
    return projects


def _link_scripts(
    scripts: dict[str, Manifest],
    projects: dict[tuple[str, str], str],
    settings: Sequence[Manifest],
    result: list[Module],
    numbers: dict[str, int],
) -> None:
    bases = sorted((_folder(manifest.path) for manifest in settings), key=len, reverse=True)
    for root, manifest in scripts.items():
        base = next((base for base in bases if not base or root == base or root.startswith(f"{base}/")), "")
        own = result[numbers[root]].dependencies
        for match in _PROJECT_DEPENDENCY.finditer(_source(manifest)):
            configuration, path = match.groups()
            folder = projects.get((base, path))
            if folder is not None and folder in numbers and folder != root:
                own.append((numbers[folder], configuration.lower().startswith("test")))
