"""The ignore rules that hold in one directory, strongest first."""

from typing import Final, NamedTuple

from graph.inventory.ignore import Rule, Rules

IGNORE_FILES: Final = (b".tielineignore", b".ignore", b".gitignore")
"""Names of ignore files, strongest first. A stronger one wins whatever its depth; among equals the deeper one wins."""
_GIT: Final = IGNORE_FILES.index(b".gitignore")


class IgnoreMatch(NamedTuple):
    """The rule that decides on a path."""

    rule: Rule
    """The rule."""
    by_configuration: bool
    """It stands in the settings, not in an ignore file."""
    shows: bool
    """A negated rule of the settings, of `.tielineignore` or of `.ignore`: what it matches is indexed although its name
    is hidden or that of a vendored directory. (In `.gitignore` such a rule only says what git tracks.)"""


class _Source(NamedTuple):
    rules: Rules
    strip: int
    """Bytes to drop from the front of a path relative to the root."""
    prefix: bytes
    """Bytes to put there instead."""
    by_configuration: bool
    shows: bool


class IgnoreStack:
    """Immutable; a directory without ignore files shares that of its parent."""

    __slots__ = ("_configured", "_levels", "_ordered")

    def __init__(
        self, configured: tuple[_Source, ...] = (), levels: tuple[tuple[_Source, ...], ...] = ((), (), ())
    ) -> None:
        self._configured = configured
        self._levels = levels
        self._ordered = sum(levels, configured)

    @classmethod
    def configured(cls, rules: Rules) -> "IgnoreStack":
        """The stack of the root, with the rules of the settings."""
        return cls((_Source(rules, 0, b"", by_configuration=True, shows=True),) if rules else ())

    def with_file(self, name: bytes, rules: Rules, directory: bytes, prefix: bytes = b"") -> "IgnoreStack":
        """With one more, stronger file among those of its name.

        `directory` is where it lies, relative to the root and with a trailing slash (empty for the root); for a file
        above the root, `prefix` is the way from there down to the root.
        """
        if not rules:
            return self
        level = IGNORE_FILES.index(name)
        source = _Source(rules, len(directory), prefix, by_configuration=False, shows=level != _GIT)
        levels = list(self._levels)
        levels[level] = (source, *levels[level])
        return IgnoreStack(self._configured, tuple(levels))

    def without_git(self) -> "IgnoreStack":
        """At the top of another git repository, where the rules of the one around it end."""
        return IgnoreStack(self._configured, (*self._levels[:_GIT], ()))

    def match(self, path: bytes, name: bytes, is_directory: bool) -> IgnoreMatch | None:
        """The rule that decides on a path relative to the root (no trailing slash); `name` is its last part."""
        for rules, strip, prefix, by_configuration, shows in self._ordered:
            rule = rules.match(prefix + path[strip:], name, is_directory)
            if rule is not None:
                return IgnoreMatch(rule, by_configuration, shows and rule.negated)
        return None
