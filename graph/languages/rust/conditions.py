"""`cfg` predicates as plain data: whether two of them can hold in one build.

Source of the rules: the Rust reference, "Conditional compilation".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Final, TypeAlias

Predicate: TypeAlias = tuple["str | Predicate", ...]
"""("all" | "any" | "not", operands...) or ("atom", text)."""

_TOKEN: Final = re.compile(r'\s*(?:([A-Za-z_][\w:]*)|("(?:[^"\\]|\\.)*")|([(),=!]))')
_ATOM_LIMIT: Final = 12
"""Most different atoms that are tried in every combination; beyond it nothing is contradicted."""
_SINGLE: Final = frozenset({"target_os", "target_arch", "target_pointer_width", "target_endian", "target_env", "panic"})
"""Keys that have one value in a build."""
_TRUE: Final[Predicate] = ("all",)


@cache
def parse(text: str) -> Predicate:
    """A predicate from its text; what cannot be read is an atom that may be true or false."""
    tokens = [match.group(0).strip() for match in _TOKEN.finditer(text)]
    if not tokens:
        return _TRUE
    predicate, rest = _parse(tokens, 0)
    return predicate if rest == len(tokens) else ("atom", text)


def _parse(tokens: list[str], position: int) -> tuple[Predicate, int]:
    word = tokens[position]
    position += 1
    if word in ("all", "any", "not") and position < len(tokens) and tokens[position] == "(":
        position += 1
        operands: list[Predicate] = []
        while position < len(tokens) and tokens[position] != ")":
            if tokens[position] == ",":
                position += 1
                continue
            operand, position = _parse(tokens, position)
            operands.append(operand)
        return (word, *operands), position + 1
    if position + 1 < len(tokens) and tokens[position] == "=":
        return ("atom", f"{word}={tokens[position + 1]}"), position + 2
    if position < len(tokens) and tokens[position] == "!":
        return ("atom", word + "!"), position + 1
    return ("atom", word), position


def compatible(conditions: tuple[str, ...]) -> bool:
    """Whether some build makes all the predicates true. True when there are too many atoms to try."""
    predicates = [parse(text) for text in conditions if text]
    atoms: dict[str, None] = {}
    for predicate in predicates:
        _collect(predicate, atoms)
    if len(atoms) > _ATOM_LIMIT:
        return True
    names = list(atoms)
    for values in product((True, False), repeat=len(names)):
        build = dict(zip(names, values, strict=True))
        if _possible(build) and all(_holds(predicate, build) for predicate in predicates):
            return True
    return False


def _collect(predicate: Predicate, atoms: dict[str, None]) -> None:
    if predicate[0] == "atom":
        atoms[str(predicate[1])] = None
    else:
        for operand in predicate[1:]:
            if isinstance(operand, tuple):
                _collect(operand, atoms)


def _holds(predicate: Predicate, build: Mapping[str, bool]) -> bool:
    word = predicate[0]
    if word == "atom":
        return build[str(predicate[1])]
    operands = [_holds(operand, build) for operand in predicate[1:] if isinstance(operand, tuple)]
    if word == "not":
        return not all(operands)
    return any(operands) if word == "any" else all(operands)


def _possible(build: Mapping[str, bool]) -> bool:
    """Whether a build can be: keys with one value have one, and the two families exclude each other."""
    seen: set[str] = set()
    systems: set[str] = set()
    for atom, value in build.items():
        key, _, given = atom.partition("=")
        if not value:
            continue
        if given and key in _SINGLE:
            if key in seen:
                return False
            seen.add(key)
        if key == "target_os":
            systems.add(given)
    windows = build.get("windows", build.get('target_family="windows"'))
    unix = build.get("unix", build.get('target_family="unix"'))
    if windows and unix:
        return False
    if windows and systems and '"windows"' not in systems:
        return False
    if windows is False and '"windows"' in systems:
        return False
    return not (unix and '"windows"' in systems)
