"""Which directories hold no code of this repository."""

# File names are bytes here, which pathlib does not take.
# ruff: noqa: PTH118

import os
from collections.abc import Collection

from graph.inventory.ignore import Rules, is_plain_name
from graph.inventory.languages import VendoredDir


class DirectoryRules:
    """Look-up over directory rules; the first one whose signs are all there counts."""

    __slots__ = ("_by_name", "_by_pattern")

    def __init__(self, rules: tuple[VendoredDir, ...]) -> None:
        self._by_name: dict[bytes, list[VendoredDir]] = {}
        self._by_pattern: list[tuple[Rules, VendoredDir]] = []
        for rule in rules:
            name = rule.pattern.rstrip("/")
            if is_plain_name(name):
                self._by_name.setdefault(name.encode(), []).append(rule)
            else:
                self._by_pattern.append((Rules.of((name,), "directories"), rule))

    def match(self, real: bytes, path: bytes, name: bytes, siblings: Collection[bytes]) -> VendoredDir | None:
        """The rule for a directory at the real path `real`, with `siblings` beside it.

        `path` is relative to the root; `name` is its last part.
        """
        for rule in self._by_name.get(name, ()):
            if _has_signs(rule, real, siblings):
                return rule
        for rules, rule in self._by_pattern:
            if rules.match(path, name, True) is not None and _has_signs(rule, real, siblings):
                return rule
        return None


def explain(rule: VendoredDir) -> str:
    """The rule in words, e.g. `target/ beside Cargo.toml`."""
    beside = f" beside {rule.beside}" if rule.beside is not None else ""
    containing = f" containing {rule.containing}" if rule.containing is not None else ""
    return f"{rule.pattern.rstrip('/')}/{beside}{containing}"


def _has_signs(rule: VendoredDir, real: bytes, siblings: Collection[bytes]) -> bool:
    if rule.beside is not None and rule.beside.encode() not in siblings:
        return False
    return rule.containing is None or os.path.lexists(os.path.join(real, rule.containing.encode()))
