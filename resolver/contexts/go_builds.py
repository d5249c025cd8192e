"""The builds in which Go code is looked at: that of this machine, and as few more as show every file.

A build is a GOOS, a GOARCH, the tags that are set, and whether there is cgo. Which further ones there are follows from
the build constraints of the files. Choosing the fewest is a set cover; it is done greedily, always the same way: every
platform is tried with the tags that let in most of what is still unseen, the best one is taken, nearest to this machine
among equals, and what turns out to be covered by the others is dropped at the end.
"""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from graph.languages.go.constraints import Both, Either, Not, Tag, Term, holds, parse, tags_of
from graph.languages.go.platforms import ALSO, ARCHITECTURES, PLATFORMS, SYSTEMS, UNIX
from resolver.errors import ContextError

_GO_SECONDS = 60
_RELEASE = re.compile(r"go1\.(\d+)")
_UNKNOWN_RELEASE = 22
"""Without a toolchain: what every one in use satisfies."""
_MOST_SOLUTIONS = 64
"""How many ways to satisfy one constraint are compared."""
_MOST_FREE_TAGS = 12
"""A constraint with more tags that can be set either way is let in only where others happen to make it hold."""
_COMMON = ("linux", "darwin", "windows", "amd64", "arm64")
"""Preferred among what is equally near to this machine."""
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64", "i386": "386", "i686": "386"}
"""Architectures by what `uname -m` calls them, where Go has another name."""
_CONTEXT = (
    '{"system": "{{context.GOOS}}", "architecture": "{{context.GOARCH}}", "cgo": {{context.CgoEnabled}}, '
    '"gopath": "{{context.GOPATH}}", '
    '"tags": "{{range context.ReleaseTags}}{{.}} {{end}}{{range context.ToolTags}}{{.}} {{end}}"}'
)


@dataclass(frozen=True)
class Toolchain:
    """What the go command of this machine builds by default."""

    system: str
    architecture: str
    cgo: bool
    tags: frozenset[str]
    """Those of its releases, its experiments and its architecture's features."""
    gopath: tuple[str, ...] = ()
    """The folders of GOPATH."""

    @property
    def release(self) -> str:
        """`1.26`: which release tags there are decides which files are in a build."""
        return f"1.{max(int(match[1]) for tag in self.tags if (match := _RELEASE.fullmatch(tag)))}"


@dataclass(frozen=True)
class Build:
    """One build."""

    system: str
    architecture: str
    cgo: bool
    tags: tuple[str, ...] = ()
    """Ascending."""

    def satisfied(self, toolchain: Toolchain) -> frozenset[str]:
        """Every tag that it satisfies (`go help buildconstraint`)."""
        own = (*self.tags, "cgo") if self.cgo else self.tags
        return _given(self.system, self.architecture, toolchain) | frozenset(own)


def toolchain(root: Path) -> Toolchain | None:
    """The go command of the PATH asked for its defaults; None when there is none.

    One that lies in the repository (`root`) is repository content and is not run. Raises ContextError when it fails.
    """
    go = shutil.which("go")
    if go is None or Path(os.path.realpath(go)).is_relative_to(root) or not Path(go).is_absolute():
        return None
    return _toolchain(
        go, tuple(os.environ.get(name, "") for name in ("GOOS", "GOARCH", "CGO_ENABLED", "GOENV", "GOPATH"))
    )


@functools.lru_cache(maxsize=8)
def _toolchain(go: str, variables: tuple[str, ...]) -> Toolchain:
    """`variables` are those of the environment that decide about the answer."""
    own = {
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-buildvcs=false",
        "GOWORK": "off",
        "GO111MODULE": "off",
        "GOPROXY": "off",
    }
    try:
        with tempfile.TemporaryDirectory(prefix="tieline-go-") as folder:
            # In an empty folder: no go.mod has a say.
            done = subprocess.run(
                [go, "list", "-f", _CONTEXT, "unsafe"], cwd=folder, env={**os.environ, **own},
                capture_output=True, text=True, timeout=_GO_SECONDS, check=False,
            )  # fmt: skip
        if done.returncode != 0:
            raise ContextError(f"{go} does not say what it builds for: {done.stderr.strip()[-400:]}")
        told: dict[str, Any] = orjson.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise ContextError(f"{go} does not say what it builds for: {error}") from error
    gopath = tuple(folder for folder in str(told["gopath"]).split(os.pathsep) if folder)
    return Toolchain(told["system"], told["architecture"], told["cgo"], frozenset(told["tags"].split()), gopath)


def assumed_toolchain() -> Toolchain:
    """What a go command on this machine would build by default, where there is none."""
    machine = platform.machine().lower()
    releases = frozenset(f"go1.{number}" for number in range(1, _UNKNOWN_RELEASE + 1))
    system = "windows" if sys.platform == "win32" else sys.platform.rstrip("0123456789")
    return Toolchain(system, _MACHINES.get(machine, machine), False, releases)


def host_build(toolchain: Toolchain) -> Build:
    """The build that the go command makes when nothing is said."""
    return Build(toolchain.system, toolchain.architecture, toolchain.cgo)


def usual_cgo(system: str, architecture: str, toolchain: Toolchain) -> bool:
    """Whether the go command uses cgo for a platform when nothing is said: only for its own, with a C compiler."""
    return toolchain.cgo and (system, architecture) == (toolchain.system, toolchain.architecture)


def covering(constraints: Iterable[str], toolchain: Toolchain) -> list[Build]:
    """The host's build, and the further ones in which every constraint holds that can hold at all."""
    host = host_build(toolchain)
    unseen = {one for one in sorted(set(constraints)) if not holds(one, host.satisfied(toolchain))}
    further: list[tuple[Build, frozenset[str]]] = []
    everything = frozenset(unseen)
    while unseen:
        best = max(
            (_variant(place, sorted(unseen), toolchain) for place in _places(host, toolchain)),
            key=lambda found: (len(found[1] & unseen), -len(found[0].tags)),
        )
        build, _ = best
        seen = frozenset(one for one in everything if holds(one, build.satisfied(toolchain)))
        if not seen & unseen:
            break
        further.append((build, seen))
        unseen -= seen
    return [host, *_needed(further)]


def why_unseen(constraint: str, toolchain: Toolchain) -> str:
    """Why no build takes a file of that constraint, for one that `covering` found none for."""
    if "ignore" in tags_of(constraint):
        return "the tag ignore: no build takes it, and it is no program by itself"
    return f"no build with Go {toolchain.release} takes it: {constraint}"


# -- choosing ---------------------------------------------------------------------------------------------------------


def _needed(found: Sequence[tuple[Build, frozenset[str]]]) -> list[Build]:
    """The builds without those that see nothing that no other one sees; later ones go first."""
    kept = list(found)
    for candidate in reversed(found):
        others = frozenset[str]().union(*(seen for build, seen in kept if build != candidate[0]))
        if candidate[1] <= others:
            kept.remove(candidate)
    return [build for build, _ in kept]


def _places(host: Build, toolchain: Toolchain) -> list[Build]:
    """Every platform, nearest to the host first, as the go command builds for it; then with the other choice about cgo.

    That of the host comes with both choices first. Where there is no C compiler for a platform, gopls answers in files
    with cgo all the same, but for names of C.
    """
    platforms = sorted(
        {*PLATFORMS, (host.system, host.architecture)},
        key=lambda one: (
            (one[0] != host.system) + (one[1] != host.architecture),
            one[0] in ALSO,
            *(_COMMON.index(part) if part in _COMMON else len(_COMMON) for part in one),
            one,
        ),
    )
    usual = [Build(*one, cgo=usual_cgo(*one, toolchain)) for one in platforms]
    other = [replace(build, cgo=not build.cgo) for build in usual]
    return [usual[0], other[0], *usual[1:], *other[1:]]


def _variant(place: Build, unseen: Sequence[str], toolchain: Toolchain) -> tuple[Build, frozenset[str]]:
    """A platform with the tags that let in as many constraints as a greedy choice finds, and those constraints."""
    mentioned = frozenset[str]().union(*map(tags_of, unseen))
    chosen = _fixed(place.system, place.architecture, toolchain, mentioned) | {"cgo": place.cgo}
    fixed = frozenset(chosen)
    for constraint in unseen:
        term = parse(constraint)
        if term is not None and len(tags_of(constraint) - chosen.keys()) <= _MOST_FREE_TAGS:
            ways = islice(_satisfy(term, True, chosen), _MOST_SOLUTIONS)
            chosen = min(ways, key=lambda way: sum(way.values()), default=chosen)
    tags = tuple(sorted(tag for tag, value in chosen.items() if value and tag not in fixed))
    build = Build(place.system, place.architecture, place.cgo, tags)
    satisfied = build.satisfied(toolchain)
    return build, frozenset(one for one in unseen if holds(one, satisfied))


def _fixed(system: str, architecture: str, toolchain: Toolchain, mentioned: frozenset[str]) -> dict[str, bool]:
    """The tags of some constraints whose values a platform and the toolchain settle; every other tag can be set."""
    given = _given(system, architecture, toolchain)
    settled = SYSTEMS | ARCHITECTURES | {"unix", "gc", "gccgo", "ignore"}
    return {
        tag: tag in given for tag in mentioned if tag in settled or tag in given or _RELEASE.fullmatch(tag) is not None
    }


def _given(system: str, architecture: str, toolchain: Toolchain) -> frozenset[str]:
    """The tags that follow from a platform and the toolchain."""
    given = {system, architecture, "gc"}
    if system in ALSO:
        given.add(ALSO[system])
    if system in UNIX:
        given.add("unix")
    features = f"{toolchain.architecture}."
    own = {tag for tag in toolchain.tags if architecture == toolchain.architecture or not tag.startswith(features)}
    return frozenset(given | own)


def _satisfy(term: Term, wanted: bool, given: Mapping[str, bool]) -> Iterator[dict[str, bool]]:
    """The ways to give a term a value: each time what is given, with values of further tags."""
    match term:
        case Tag(name):
            if name not in given:
                yield {**given, name: wanted}
            elif given[name] == wanted:
                yield dict(given)
        case Not(inner):
            yield from _satisfy(inner, not wanted, given)
        case Both(left, right) | Either(left, right):
            if isinstance(term, Both) == wanted:
                for first in _satisfy(left, wanted, given):
                    yield from _satisfy(right, wanted, first)
            else:
                yield from _satisfy(left, wanted, given)
                yield from _satisfy(right, wanted, given)
