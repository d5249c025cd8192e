"""Build constraints: read from a file's head and name, written in one form, and whether two can hold at once.

A constraint is kept as text in a normal form of the `//go:build` syntax (`linux && (amd64 || arm64)`); '' holds always.
Sources: `go help buildconstraint`, package go/build/constraint.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from graph.languages.go.platforms import ALSO, ARCHITECTURES, PLATFORMS, SYSTEMS, UNIX


@dataclass(frozen=True, slots=True)
class Tag:
    """Holds when the tag is set."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """Holds when the other does not."""

    term: Term


@dataclass(frozen=True, slots=True)
class Both:
    """Holds when both do."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Either:
    """Holds when one of them does."""

    left: Term
    right: Term


Term: TypeAlias = Tag | Not | Both | Either

_LINE: Final = re.compile(rb"^//(go:build|[ \t]*\+build)[ \t]+([^\r\n]*)", re.MULTILINE)
_TOKEN: Final = re.compile(r"\s*(&&|\|\||!|\(|\)|[\w.]+)")
_RELEASE: Final = re.compile(r"go1\.(\d+)")
_OLDEST_RELEASE: Final = 22
"""Every toolchain in use satisfies the tags of releases up to this one (go1.22); those of later ones are free."""
_MOST_FREE_TAGS: Final = 8
"""With more free tags than this, two constraints are taken to be compatible."""
_MOST_TOKENS: Final = 500
_FIXED: Final = {"ignore": False, "gc": True, "gccgo": False}
"""Tags that have one value in every build of a package with the standard toolchain. `ignore` marks files that are run
on their own and are no part of the package."""


def file_constraint(path: str, head: bytes, cgo: bool) -> str:
    """The constraint of a file by its name and the text before its package clause; '' when it is in every build."""
    terms: list[Term] = _named(path)
    modern: list[Term] = []
    old: list[Term] = []
    for match in _LINE.finditer(head):
        text = match[2].decode("utf-8", "replace")
        term = parse(text) if match[1] == b"go:build" else _parse_old(text)
        if term is not None:
            (modern if match[1] == b"go:build" else old).append(term)
    terms.extend(modern or old)
    if cgo:
        terms.append(Tag("cgo"))
    if not terms:
        return ""
    whole = terms[0]
    for term in terms[1:]:
        if term != whole:
            whole = Both(whole, term)
    return render(whole)


def _named(path: str) -> list[Term]:
    """What `_GOOS`, `_GOARCH` or `_GOOS_GOARCH` at the end of a file name demands; the first element never counts."""
    stem = path.rpartition("/")[2].partition(".")[0]
    parts = stem.split("_")[1:]
    if parts and parts[-1] == "test":
        parts.pop()
    if len(parts) >= 2 and parts[-2] in SYSTEMS and parts[-1] in ARCHITECTURES:
        return [Tag(parts[-2]), Tag(parts[-1])]
    if parts and (parts[-1] in SYSTEMS or parts[-1] in ARCHITECTURES):
        return [Tag(parts[-1])]
    return []


def parse(text: str) -> Term | None:
    """The term of a `//go:build` expression; None when it is not well formed."""
    text = text.partition("//")[0].strip()
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or len(tokens) > _MOST_TOKENS:
            return None
        tokens.append(match[1])
        position = match.end()
    term, rest = _either(tokens, 0)
    return term if rest == len(tokens) else None


def _either(tokens: list[str], at: int) -> tuple[Term | None, int]:
    term, at = _both(tokens, at)
    while term is not None and at < len(tokens) and tokens[at] == "||":
        right, at = _both(tokens, at + 1)
        term = Either(term, right) if right is not None else None
    return term, at


def _both(tokens: list[str], at: int) -> tuple[Term | None, int]:
    term, at = _single(tokens, at)
    while term is not None and at < len(tokens) and tokens[at] == "&&":
        right, at = _single(tokens, at + 1)
        term = Both(term, right) if right is not None else None
    return term, at


def _single(tokens: list[str], at: int) -> tuple[Term | None, int]:
    negated = False
    while at < len(tokens) and tokens[at] == "!":
        negated = not negated
        at += 1
    if at >= len(tokens):
        return None, at
    term: Term | None
    if tokens[at] == "(":
        term, at = _either(tokens, at + 1)
        if at >= len(tokens) or tokens[at] != ")":
            return None, at
    elif tokens[at] in ("&&", "||", ")"):
        return None, at
    else:
        term = Tag(tokens[at])
    return (Not(term) if negated and term is not None else term), at + 1


def _parse_old(text: str) -> Term | None:
    """The term of a `// +build` line: a space is an or, a comma is an and."""
    whole: Term | None = None
    for option in text.split()[:_MOST_TOKENS]:
        part: Term | None = None
        for word in option.split(","):
            tag = Tag(word.removeprefix("!"))
            if not tag.name or tag.name.startswith("!"):
                return None
            term: Term = tag if tag.name == word else Not(tag)
            part = term if part is None else Both(part, term)
        if part is not None:
            whole = part if whole is None else Either(whole, part)
    return whole


def render(term: Term) -> str:
    """A term as text, with no more parentheses than needed."""
    match term:
        case Tag(name):
            return name
        case Not(inner):
            return f"!({render(inner)})" if isinstance(inner, Both | Either) else f"!{render(inner)}"
        case Both(left, right):
            parts = [f"({render(part)})" if isinstance(part, Either) else render(part) for part in (left, right)]
            return " && ".join(parts)
        case Either(left, right):
            return f"{render(left)} || {render(right)}"


def tags_of(constraint: str) -> frozenset[str]:
    """The tags that a constraint speaks of."""
    tags: dict[str, None] = {}
    term = parse(constraint) if constraint else None
    if term is not None:
        _collect(term, tags)
    return frozenset(tags)


def holds(constraint: str, tags: frozenset[str]) -> bool:
    """Whether a constraint holds in a build that satisfies exactly these tags."""
    term = parse(constraint) if constraint else None
    return term is None or _value(term, dict.fromkeys(tags_of(constraint), False) | dict.fromkeys(tags, True))


@lru_cache(maxsize=4096)
def compatible(first: str, second: str) -> bool:
    """Whether two constraints can hold in one build: over all buildable platforms and all values of other tags.

    A file that no build of its package takes (`ignore`, a platform of the past) is compared by its tags alone.
    """
    if not first and not second:
        return True
    loose = not satisfiable(first)
    return _holds(first, second, loose)


@lru_cache(maxsize=4096)
def satisfiable(constraint: str) -> bool:
    """Whether some build with a current toolchain takes a file of that constraint."""
    return not constraint or _holds(constraint, "", False)


def _holds(first: str, second: str, loose: bool) -> bool:
    terms = [term for text in (first, second) if text and (term := parse(text)) is not None]
    tags: dict[str, None] = {}
    for term in terms:
        _collect(term, tags)
    free = [tag for tag in tags if _is_free(tag, loose)]
    if len(free) > _MOST_FREE_TAGS:
        return True
    bound = [tag for tag in tags if not _is_free(tag, loose)]
    for settled in _platform_values(bound, loose):
        for chosen in product((False, True), repeat=len(free)):
            values = {**settled, **dict(zip(free, chosen, strict=True))}
            if all(_value(term, values) for term in terms):
                return True
    return False


def _is_free(tag: str, loose: bool) -> bool:
    if tag in SYSTEMS or tag in ARCHITECTURES or tag == "unix":
        return False
    return loose or not (tag in _FIXED or _is_old_release(tag))


def _is_old_release(tag: str) -> bool:
    match = _RELEASE.fullmatch(tag)
    return match is not None and int(match[1]) <= _OLDEST_RELEASE


def _platform_values(tags: list[str], loose: bool) -> list[dict[str, bool]]:
    """The distinct values that the tags, none of them free, have over the platforms."""
    platforms = PLATFORMS
    if loose:
        built = {system for system, _ in PLATFORMS}
        platforms += tuple(product(sorted(SYSTEMS - built), sorted(ARCHITECTURES)))
        built = {architecture for _, architecture in PLATFORMS}
        platforms += tuple(product(sorted(SYSTEMS), sorted(ARCHITECTURES - built)))
    distinct: dict[tuple[bool, ...], None] = {}
    for system, architecture in platforms:
        distinct[
            tuple(
                _FIXED[tag]
                if tag in _FIXED
                else tag in (system, architecture)
                or ALSO.get(system) == tag
                or (tag == "unix" and system in UNIX)
                or _is_old_release(tag)
                for tag in tags
            )
        ] = None
    return [dict(zip(tags, values, strict=True)) for values in distinct]


def _collect(term: Term, tags: dict[str, None]) -> None:
    match term:
        case Tag(name):
            tags[name] = None
        case Not(inner):
            _collect(inner, tags)
        case Both(left, right) | Either(left, right):
            _collect(left, tags)
            _collect(right, tags)


def _value(term: Term, values: Mapping[str, bool]) -> bool:
    match term:
        case Tag(name):
            return values[name]
        case Not(inner):
            return not _value(inner, values)
        case Both(left, right):
            return _value(left, values) and _value(right, values)
        case Either(left, right):
            return _value(left, values) or _value(right, values)
