"""Ignore rules of one file, with git's meaning, on exact bytes.

pathspec translates each pattern to a regular expression. Around that, this module does what a walk from the root down
needs and a test of whole paths does not give: a rule is tested against the path itself and never against what the path
is in (a directory that is left out is not entered), the last rule that matches decides, and directory-only rules match
directories only. Matching is on bytes, as in git: `?` is one byte and any name can be matched.

One accident of git is not repeated: after a literal beginning, as in `a**/b`, it takes two stars for any number of
folders, where its manual says that they are ordinary ones. They are here.

Source: https://git-scm.com/docs/gitignore, "Pattern format"; bracket expressions as in git's wildmatch.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from pathspec.patterns.gitignore.base import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from graph.inventory.wildmatch import protect, restore

_GLOB_CHARACTERS: Final = frozenset("*?[]\\!/")
_STARS: Final = re.compile(rb"(?<=/)\*{3,}(?=/|$)")
_MAX_CACHED_NAMES: Final = 20_000


class Rule(NamedTuple):
    """One rule that matched."""

    source: str
    """Where it stands: path of the ignore file, for people."""
    line: int
    """1-based line in it."""
    text: str
    """The pattern as written."""
    negated: bool
    """True when it starts with `!`: what it matches is kept."""

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.text}"


class _Pattern(NamedTuple):
    rule: Rule
    regex: re.Pattern[bytes]
    directories_only: bool


class Rules:
    """The rules of one ignore file, for paths relative to the directory of that file."""

    __slots__ = ("_any_path", "_cache", "_names", "_paths")

    def __init__(self, data: bytes, source: str) -> None:
        self._names: list[tuple[int, _Pattern]] = []
        self._paths: list[tuple[int, _Pattern]] = []
        self._cache: dict[tuple[bytes, bool], int] = {}
        expressions: list[bytes] = []
        for index, line in enumerate(_lines(data)):
            parsed = _parse(line, source, index + 1)
            if parsed is None:
                continue
            expression, anchored, pattern = parsed
            if anchored:
                self._paths.append((index, pattern))
                expressions.append(expression)
            else:
                self._names.append((index, pattern))
        self._names.reverse()
        self._paths.reverse()
        # One test says for nearly every path that no anchored rule matches it.
        self._any_path = re.compile(b"|".join(b"(?:%s)" % each for each in expressions), re.DOTALL)

    @classmethod
    def of(cls, patterns: Iterable[str], source: str) -> "Rules":
        """Rules from a list of patterns instead of a file."""
        return cls("\n".join(patterns).encode(), source)

    def __bool__(self) -> bool:
        return bool(self._names or self._paths)

    def match(self, path: bytes, name: bytes, is_directory: bool) -> Rule | None:
        """The rule that decides on a path, or None.

        `path` is relative to the directory of the ignore file, without a trailing slash; `name` is its last part.
        """
        found: Rule | None = None
        found_index = -1
        if self._names:
            key = (name, is_directory)
            position = self._cache.get(key, -2)
            if position == -2:
                position = _first(self._names, name, is_directory)
                if len(self._cache) < _MAX_CACHED_NAMES:
                    self._cache[key] = position
            if position >= 0:
                found_index, pattern = self._names[position]
                found = pattern.rule
        if self._paths and self._any_path.fullmatch(path):
            position = _first(self._paths, path, is_directory)
            if position >= 0 and self._paths[position][0] > found_index:
                return self._paths[position][1].rule
        return found


def is_plain_name(pattern: str) -> bool:
    """True when a pattern matches exactly the entries that are called so."""
    return not _GLOB_CHARACTERS.intersection(pattern)


def _first(patterns: list[tuple[int, _Pattern]], subject: bytes, is_directory: bool) -> int:
    for position, (_, pattern) in enumerate(patterns):
        if (is_directory or not pattern.directories_only) and pattern.regex.fullmatch(subject):
            return position
    return -1


def _lines(data: bytes) -> list[bytes]:
    """Lines as git splits them: at LF, one CR before it dropped; a UTF-8 BOM at the start of the file is skipped."""
    return [line.removesuffix(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]


def _parse(line: bytes, source: str, number: int) -> tuple[bytes, bool, _Pattern] | None:
    """Expression, whether it is for whole paths (else for names), and pattern; None for a line without a rule."""
    if not line or line.startswith(b"#"):
        return None
    line = _strip_spaces(line)
    negated = line.startswith(b"!")
    body = line[1:] if negated else line
    directories_only = body.endswith(b"/")
    if directories_only:
        body = body[:-1]
    if not body.strip(b"/"):
        return None
    anchored = b"/" in body
    expression = _translate(body)
    if expression is None:
        return None
    rule = Rule(source, number, line.decode("utf-8", "backslashreplace"), negated)
    return expression, anchored, _Pattern(rule, re.compile(expression, re.DOTALL), directories_only)


def _strip_spaces(line: bytes) -> bytes:
    """Without trailing spaces, except the first one that a backslash protects."""
    stripped = line.rstrip(b" ")
    backslashes = len(stripped) - len(stripped.rstrip(b"\\"))
    return stripped + b" " if backslashes % 2 and len(stripped) < len(line) else stripped


def _translate(body: bytes) -> bytes | None:
    """Regular expression for the full match of a name or a relative path; None when git never matches the pattern."""
    protected = protect(body)
    if protected is None or body.endswith(b"/") or body.startswith(b"\\/"):
        return None
    pattern, places = protected
    if b"/" in body:
        # Three stars and more are two where two would mean any number of folders.
        pattern = _STARS.sub(b"**", pattern if pattern.startswith(b"/") else b"/" + pattern)
    elif pattern.startswith((b"!", b"#")):
        pattern = b"\\" + pattern
    try:
        expression, include = GitIgnoreSpecPattern.pattern_to_regex(pattern)
    except GitIgnorePatternError:
        return None
    if expression is None or include is None:
        return None
    if expression == b".":  # everything
        return b".+"
    expression = expression.replace(b"(?P<ps_d>/)", b"/")
    if expression.endswith(b"/"):  # everything below, and not the directory itself
        expression += b".+"
    if expression.startswith(b"/"):  # everything below any directory
        expression = b".+" + expression
    return restore(expression, places)
