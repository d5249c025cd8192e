"""The decision on one file or directory that no ignore rule left out."""

import os
from collections.abc import Collection
from typing import Final, NamedTuple

from graph.inventory.directories import DirectoryRules, explain
from graph.inventory.entry import InventoryEntry, Reason
from graph.inventory.ignore import Rules
from graph.inventory.languages import LanguageTable
from graph.inventory.paths import left_out, raw_or_none
from graph.inventory.settings import InventorySettings
from graph.inventory.stack import IgnoreStack

_MAX_PROBED_SIZE: Final = 8192


class Directory(NamedTuple):
    """A directory to walk. Relative paths are empty for the root, else they end with `/`."""

    real: bytes
    """Where it is, without any symbolic link on the way."""
    raw: bytes
    """Its path in the inventory, as the file system has it."""
    path: str
    """Its path in the inventory, for people."""
    stack: IgnoreStack
    """The ignore rules of its parent; its own are added when it is entered."""
    test: frozenset[str] = frozenset()
    """Languages whose test code this is."""
    generated: frozenset[str] = frozenset()
    """Languages whose generated code this is."""
    vendored: bool = False
    """It lies in vendored code."""


class Decider:
    """The rules of one inventory that are not ignore rules: settings and languages, prepared for look-up."""

    def __init__(self, settings: InventorySettings, languages: LanguageTable) -> None:
        self._settings = settings
        self._languages = languages
        self._directory_rules = DirectoryRules(languages.vendored_dirs)
        self._include = Rules.of(settings.include, "include")
        self._wanted = languages.names if settings.languages is None else frozenset(settings.languages)

    def file(
        self, directory: Directory, name: bytes, text: str, status: os.stat_result, real: bytes, shown: bool
    ) -> InventoryEntry:
        """The entry of a regular file that no rule for its path left out. `directory` is the one that it is in."""
        languages = self._languages
        language = languages.by_name(text)
        manifest = languages.is_manifest(text)
        raw = directory.raw + name
        if language is None and not manifest and languages.has_shebangs and _may_be_script(name, status):
            language = self._by_first_line(real)
        reason: Reason | None = None
        detail: str | None = None
        test = generated = False
        if language is not None:
            test = _is_flagged(languages.test_rules[language], language in directory.test, raw, name)
            generated = _is_flagged(languages.generated_rules[language], language in directory.generated, raw, name)
        if not (shown or self._settings.hidden or manifest) and name.startswith(b"."):
            reason = Reason.HIDDEN
        elif self._include and not manifest and not self._is_included(raw):
            reason, detail = Reason.EXCLUDED_BY_CONFIGURATION, "include: no pattern matches"
        elif language is None and not manifest:
            reason = Reason.NO_LANGUAGE
        elif not manifest and language not in self._wanted:
            reason, detail = Reason.EXCLUDED_BY_CONFIGURATION, f"languages: {language} is not listed"
        elif generated and not self._settings.generated:
            reason, detail = Reason.EXCLUDED_BY_CONFIGURATION, "generated: off"
        elif status.st_size > self._settings.max_file_size:
            reason = Reason.TOO_LARGE
            detail = f"{status.st_size} bytes, max_file_size is {self._settings.max_file_size}"
        elif not os.access(real, os.R_OK):
            reason, detail = Reason.UNREADABLE, "permission denied"
        return InventoryEntry(
            directory.path + text,
            raw_or_none(raw, directory.path + text),
            False,
            status.st_size,
            status.st_mtime_ns,
            language,
            reason,
            detail,
            generated,
            directory.vendored,
            test,
            manifest,
        )

    def language_by_name(self, text: str) -> str | None:
        """The language that a file is in by its name alone."""
        return self._languages.by_name(text)

    def directory(
        self, parent: Directory, name: bytes, text: str, real: bytes, siblings: Collection[bytes], shown: bool
    ) -> Directory | InventoryEntry:
        """A directory that no ignore rule left out, ready to be entered, or the entry that says why it is not."""
        path = parent.path + text
        raw = parent.raw + name
        vendored = parent.vendored
        rule = None if shown else self._directory_rules.match(real, raw, name, siblings)
        if rule is not None:
            if rule.exclude and not self._settings.vendored:
                return left_out(path, raw, rule.reason, explain(rule), directory=True)
            vendored = vendored or rule.reason is Reason.VENDORED
        elif name.startswith(b".") and not shown and not self._settings.hidden:
            return left_out(path, raw, Reason.HIDDEN, None, directory=True)
        test = _inherit(parent.test, self._languages.test_rules, raw, name)
        generated = _inherit(parent.generated, self._languages.generated_rules, raw, name)
        return Directory(real, raw + b"/", path + "/", parent.stack, test, generated, vendored)

    def _is_included(self, raw: bytes) -> bool:
        """A pattern of `include` matches the path or a directory that it is in."""
        end = len(raw)
        is_directory = False
        while end > 0:
            path = raw[:end]
            rule = self._include.match(path, path[path.rfind(b"/") + 1 :], is_directory)
            if rule is not None:
                return not rule.negated
            end = raw.rfind(b"/", 0, end)
            is_directory = True
        return False

    def _by_first_line(self, real: bytes) -> str | None:
        try:
            descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            # Nothing is known of its content, and its name says nothing: it stays without a language.
            return None
        try:
            return self._languages.by_shebang(os.read(descriptor, 128))
        finally:
            os.close(descriptor)


def _may_be_script(name: bytes, status: os.stat_result) -> bool:
    return (
        b"." not in name
        and bool(status.st_size)
        and (status.st_mode & 0o111 != 0 or status.st_size <= _MAX_PROBED_SIZE)
    )


def _is_flagged(rules: Rules, inherited: bool, path: bytes, name: bytes) -> bool:
    rule = rules.match(path, name, False)
    return inherited if rule is None else not rule.negated


def _inherit(inherited: frozenset[str], rules: dict[str, Rules], path: bytes, name: bytes) -> frozenset[str]:
    """Languages whose patterns hold in a directory: those of its parent, as its own rules change them."""
    for language, each in rules.items():
        rule = each.match(path, name, True)
        if rule is not None:
            inherited = inherited - {language} if rule.negated else inherited | {language}
    return inherited
