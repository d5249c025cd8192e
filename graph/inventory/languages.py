"""What the inventory needs to know of the languages, as plain data given by the caller."""

import fnmatch
import re
from typing import Final, NamedTuple

from graph.inventory.entry import Reason
from graph.inventory.ignore import Rules, is_plain_name

_VERSION: Final = re.compile(r"[\d.]+$")
_SHEBANG: Final = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")


class VendoredDir(NamedTuple):
    """A directory that holds no code of this repository, and the signs by which it is told from a namesake."""

    pattern: str
    """gitignore pattern of the directory: a name at any depth, or a path such as `**/static/**/vendor`."""
    beside: str | None = None
    """Only when the directory that it is in has an entry of this name, such as the manifest of its build tool."""
    containing: str | None = None
    """Only when it contains this relative path."""
    reason: Reason = Reason.VENDORED
    """VENDORED, or GENERATED for build output."""
    exclude: bool = True
    """False to walk it and only flag what is inside: code that is imported from where it lies."""


class LanguageRow(NamedTuple):
    """How the files of one language, and the manifests of its tools, are recognised by path."""

    name: str
    """Name that the entries carry."""
    extensions: tuple[str, ...]
    """With the leading dot; the longest that fits wins, then the same in lower case."""
    filenames: tuple[str, ...] = ()
    """Whole names of source files without a telling extension."""
    shebangs: tuple[str, ...] = ()
    """Interpreters, without version: `python` also stands for `python3.12`."""
    manifests: tuple[str, ...] = ()
    """Names, or name patterns with `*`, of manifests."""
    test_path_patterns: tuple[str, ...] = ()
    """gitignore patterns, relative to the root, of test code."""
    vendored_dirs: tuple[VendoredDir | str, ...] = ()
    """Directories without code of this repository; a string is the pattern alone."""
    generated_path_patterns: tuple[str, ...] = ()
    """gitignore patterns, relative to the root, of generated code."""


class LanguageTable:
    """Look-ups over language rows. ValueError when two rows claim the same extension, file name or interpreter."""

    def __init__(self, rows: tuple[LanguageRow, ...]) -> None:
        self.rows: Final = rows
        """The rows, as given."""
        self.names: Final = frozenset(row.name for row in rows)
        """Names of all languages."""
        self.vendored_dirs: Final = tuple(
            VendoredDir(rule) if isinstance(rule, str) else rule for row in rows for rule in row.vendored_dirs
        )
        """The directory rules of all rows; they hold in the whole tree, whatever language surrounds them."""
        self.test_rules: Final = {row.name: Rules.of(row.test_path_patterns, row.name) for row in rows}
        """Which paths are test code, by language."""
        self.generated_rules: Final = {row.name: Rules.of(row.generated_path_patterns, row.name) for row in rows}
        """Which paths are generated code, by language."""
        self._extensions = _claims(rows, "extensions")
        self._has_compound = any("." in extension[1:] for extension in self._extensions)
        self._filenames = _claims(rows, "filenames")
        self._interpreters = _claims(rows, "shebangs")
        manifests = {name for row in rows for name in row.manifests}
        self._manifests = frozenset(name for name in manifests if is_plain_name(name))
        patterns = sorted(manifests - self._manifests)
        self._manifest_pattern = re.compile("|".join(map(fnmatch.translate, patterns))) if patterns else None

    def by_name(self, name: str) -> str | None:
        """Language of a file name, by whole name and then by extension."""
        language = self._filenames.get(name)
        if language is not None:
            return language
        if self._has_compound and name.count(".") > 1:
            start = name.find(".", 1)
            while start >= 0:
                language = self._by_extension(name[start:])
                if language is not None:
                    return language
                start = name.find(".", start + 1)
            return None
        dot = name.rfind(".")
        return self._by_extension(name[dot:]) if dot > 0 else None

    def by_shebang(self, head: bytes) -> str | None:
        """Language of a script from its first bytes; `env` and its options and assignments are looked through."""
        match = _SHEBANG.match(head)
        if match is None:
            return None
        interpreter = match[1].decode("utf-8", "replace").rpartition("/")[2]
        if interpreter == "env":
            words = (match[2] or b"").decode("utf-8", "replace").split()
            rest = [word for word in words if not word.startswith("-") and "=" not in word]
            if not rest:
                return None
            interpreter = rest[0].rpartition("/")[2]
        return self._interpreters.get(interpreter) or self._interpreters.get(_VERSION.sub("", interpreter))

    @property
    def has_shebangs(self) -> bool:
        """False when reading the first line of a file can tell nothing."""
        return bool(self._interpreters)

    def is_manifest(self, name: str) -> bool:
        """True for the name of a build or package manifest."""
        if name in self._manifests:
            return True
        return self._manifest_pattern is not None and self._manifest_pattern.match(name) is not None

    def _by_extension(self, extension: str) -> str | None:
        return self._extensions.get(extension) or self._extensions.get(extension.lower())


def _claims(rows: tuple[LanguageRow, ...], field: str) -> dict[str, str]:
    claims: dict[str, str] = {}
    for row in rows:
        for key in getattr(row, field):
            if claims.setdefault(key, row.name) != row.name:
                raise ValueError(
                    f"{key!r} is claimed by {claims[key]} and by {row.name}: one of them must let go of it"
                )
    return claims
