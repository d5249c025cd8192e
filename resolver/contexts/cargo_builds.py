"""Builds of a cargo workspace, and the smallest set of them in which every condition holds in at least one.

A condition is what `cfg` says around some piece of code, together: predicates of one member of the workspace.
Source of the rules: the Rust reference, "Conditional compilation"; the Cargo book, "Features".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple, TypeAlias

from graph.languages.rust.conditions import Predicate, parse
from resolver.contexts.cargo_workspaces import Workspace, active_features

VARIANT_LIMIT = 8
"""Most builds beside that of the host, for one workspace."""
_TERM_LIMIT = 64
"""Most ways to fulfil one condition that are looked at."""
_FEATURE = re.compile(r'feature="(.*)"')
_CFG = re.compile(r'[A-Za-z_]\w*(="[^"\\]*")?')

Literal: TypeAlias = tuple[str, str, bool]
"""(folder of the member for a feature, else '', atom as `parse` gives it, its value)."""


class Condition(NamedTuple):
    """Under what a piece of code is compiled: all of the predicates."""

    member: str
    """Folder of the member whose features are meant."""
    predicates: tuple[str, ...]


class Build(NamedTuple):
    """What one build of a workspace is given."""

    target: str
    features: tuple[tuple[str, str], ...] = ()
    """(folder of the member, feature), beside the default ones."""
    defaults: bool = True
    """Default features are on."""
    cfgs: tuple[str, ...] = ()
    """Further `--cfg`, as `parse` gives atoms."""
    test: bool = True
    debug_assertions: bool = True


class Cover(NamedTuple):
    """Builds for a set of conditions."""

    builds: tuple[Build, ...]
    """The host's first."""
    left: Mapping[Condition, str]
    """Conditions that hold in none -> why."""


@cache
def targets() -> Mapping[str, frozenset[str]]:
    """Target -> what its `cfg` says, each as `parse` gives atoms; in the order in which they are tried."""
    text = resources.files("configs").joinpath("rust_targets.toml").read_text("utf-8")
    return {name: frozenset(cfgs) for name, cfgs in tomllib.loads(text).items()}


def holds(condition: Condition, build: Build, features: Mapping[str, frozenset[str]]) -> bool:
    """Whether code under a condition is compiled; `features` are those that are on, by member."""
    return all(_holds(parse(text), condition.member, build, features) for text in condition.predicates)


def cover(workspace: Workspace, conditions: Iterable[Condition], host: str) -> Cover:
    """The host's build, and as few further ones as a greedy choice gives, the same for the same sources.

    What features alone can bring comes first, in builds for the host: nobody builds every feature for another target.
    """
    first = Build(host)
    builds = [first]
    waiting = _not_held(sorted(set(conditions)), first, workspace)
    left: dict[Condition, str] = {}
    for only_features in (True, False):
        tried = list(waiting)
        while tried and len(builds) <= VARIANT_LIMIT:
            build, hopeless = _next_build(tried, workspace, first, only_features)
            if build is not None:
                builds.append(build)
                tried = _not_held(tried, build, workspace)
                waiting = _not_held(waiting, build, workspace)
            tried = [condition for condition in tried if condition not in hopeless]
            if not only_features:
                left.update(dict.fromkeys(hopeless, "no build that cargo can be asked for fulfils it"))
    reason = f"more than {VARIANT_LIMIT} builds beside the host's would be needed"
    return Cover(tuple(builds), {condition: left.get(condition, reason) for condition in waiting})


def _next_build(
    waiting: Sequence[Condition], workspace: Workspace, first: Build, only_features: bool
) -> tuple[Build | None, set[Condition]]:
    """A build in which as many of the conditions hold as fit together, in their order; and those that fit in none."""
    chosen: frozenset[Literal] = frozenset()
    build: Build | None = None
    taken: list[Condition] = []
    hopeless: set[Condition] = set()
    for condition in waiting:
        found = _widened(chosen, condition, taken, workspace, first, only_features)
        if found is not None:
            chosen, build = found
            taken.append(condition)
        elif not taken:
            hopeless.add(condition)
    return build, hopeless


def _not_held(conditions: Sequence[Condition], build: Build, workspace: Workspace) -> list[Condition]:
    features = active_features(workspace, build.features, build.defaults)
    return [condition for condition in conditions if not holds(condition, build, features)]


def _widened(
    chosen: frozenset[Literal],
    condition: Condition,
    taken: Sequence[Condition],
    workspace: Workspace,
    first: Build,
    only_features: bool,
) -> tuple[frozenset[Literal], Build] | None:
    """What has been chosen with what one more condition asks for, and the build that this makes."""
    for term in _terms(("all", *map(parse, condition.predicates)), True, condition.member):
        together = chosen | term
        if len({(folder, atom) for folder, atom, _ in together}) < len(together):
            continue
        build = _realized(together, workspace, first.target)
        if build is None or (only_features and build._replace(features=(), defaults=True) != first):
            continue
        if not _not_held((*taken, condition), build, workspace):
            return together, build
    return None


def _realized(literals: frozenset[Literal], workspace: Workspace, host: str) -> Build | None:
    """The build nearest to the host's that fulfils these literals."""
    wanted: set[tuple[str, str]] = set()
    unwanted: set[tuple[str, str]] = set()
    about_target: list[tuple[str, bool]] = []
    cfgs: list[str] = []
    test = debug_assertions = True
    for folder, atom, value in sorted(literals):
        if (feature := _FEATURE.fullmatch(atom)) is not None:
            (wanted if value else unwanted).add((folder, feature[1]))
        elif atom == "test":
            test = value
        elif atom == "debug_assertions":
            debug_assertions = value
        elif _is_of_target(atom):
            about_target.append((atom, value))
        elif value and _CFG.fullmatch(atom):
            cfgs.append(atom)
        elif value:
            return None
    target = _target(about_target, host)
    if target is None:
        return None
    declared = {member.folder: member.features for member in workspace.members}
    if any(feature not in declared.get(folder, {}) for folder, feature in wanted):
        return None
    for defaults in (True, False):
        on = active_features(workspace, wanted, defaults)
        if not any(feature in on.get(folder, ()) for folder, feature in unwanted):
            by_default = active_features(workspace, (), defaults)
            needed = tuple(sorted(one for one in wanted if one[1] not in by_default.get(one[0], ())))
            return Build(target, needed, defaults, tuple(cfgs), test, debug_assertions)
    return None


def _target(about: Sequence[tuple[str, bool]], host: str) -> str | None:
    for name in (host, *targets()):
        cfgs = targets().get(name, frozenset())
        if all((atom in cfgs) == value for atom, value in about):
            return name
    return None


def _is_of_target(atom: str) -> bool:
    """Whether a target decides about an atom rather than whoever builds."""
    return atom in ("unix", "windows") or atom.startswith(("target_", "panic="))


def _terms(predicate: Predicate, value: bool, member: str) -> list[frozenset[Literal]]:
    """The ways to give a predicate a value, the shortest first."""
    word = predicate[0]
    operands = [operand for operand in predicate[1:] if isinstance(operand, tuple)]
    if word == "atom":
        atom = str(predicate[1])
        if atom in ("true", "false"):
            return [frozenset()] if (atom == "true") == value else []
        return [frozenset({(member if _FEATURE.fullmatch(atom) else "", atom, value)})]
    if word == "not":
        return _terms(("all", *operands), not value, member)
    if (word == "all") == value:
        terms: list[frozenset[Literal]] = [frozenset()]
        for operand in operands:
            terms = [one | two for one in terms for two in _terms(operand, value, member)][:_TERM_LIMIT]
        return sorted(terms, key=len)
    return sorted((term for operand in operands for term in _terms(operand, value, member)), key=len)[:_TERM_LIMIT]


def _holds(predicate: Predicate, member: str, build: Build, features: Mapping[str, frozenset[str]]) -> bool:
    word = predicate[0]
    if word == "atom":
        return _is_set(str(predicate[1]), member, build, features)
    found = [_holds(operand, member, build, features) for operand in predicate[1:] if isinstance(operand, tuple)]
    if word == "not":
        return not all(found)
    return any(found) if word == "any" else all(found)


def _is_set(atom: str, member: str, build: Build, features: Mapping[str, frozenset[str]]) -> bool:
    if (feature := _FEATURE.fullmatch(atom)) is not None:
        return feature[1] in features.get(member, ())
    if atom in ("test", "debug_assertions"):
        return build.test if atom == "test" else build.debug_assertions
    return atom == "true" or atom in build.cfgs or atom in targets().get(build.target, frozenset())
