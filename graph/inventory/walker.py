"""The state of one walk: directories are entered, and everything in them gets its decision."""

import os
import stat
from collections.abc import Collection
from typing import Final, NamedTuple

from graph.inventory.decide import Decider, Directory
from graph.inventory.entry import InventoryEntry, InventoryError, Reason
from graph.inventory.git import enclosing_repository, git_directory, read_ignore_file
from graph.inventory.ignore import Rules
from graph.inventory.languages import LanguageTable
from graph.inventory.paths import explain_os_error, is_within, left_out, readable_names
from graph.inventory.settings import InventorySettings
from graph.inventory.stack import IGNORE_FILES, IgnoreStack

NEVER_WALKED: Final = (b".git", b".tieline")
"""Version control and the index itself: no part of the inventory."""


class Link(NamedTuple):
    """A symbolic link that no rule left out."""

    parent: Directory
    """The directory that it is in, with its own ignore rules in the stack."""
    name: bytes
    """Its name."""
    text: str
    """Its name, for people."""
    shown: bool
    """A rule shows it although it is hidden."""


class Walker:
    """The state of one walk."""

    def __init__(self, root: bytes, settings: InventorySettings, languages: LanguageTable) -> None:
        self.root: Final = root
        """Real path of the root."""
        self.entries: Final[list[InventoryEntry]] = []
        """What was decided so far, in any order."""
        self.links: Final[list[Link]] = []
        """Symbolic links that are still to be decided."""
        self.walked: Final[dict[bytes, str]] = {}
        """Real path of each directory that was entered and each file that was included -> its path in the inventory."""
        self.left_out: Final[dict[bytes, InventoryEntry]] = {}
        """Real path of each excluded file or directory: its entry."""
        self.decider: Final = Decider(settings, languages)
        """The rules that are not ignore rules."""
        self._settings = settings
        self._enclosing = enclosing_repository(root)

    def root_stack(self) -> IgnoreStack:
        """The rules from outside of the tree: settings, `info/exclude`, and `.gitignore` files above the root."""
        stack = IgnoreStack.configured(Rules.of(self._settings.exclude, "exclude"))
        for outer in self._enclosing.ignore_files if self._enclosing is not None else ():
            stack = stack.with_file(b".gitignore", Rules(outer.data, outer.source), b"", outer.prefix)
        return stack

    def walk_from(self, start: Directory) -> None:
        """Enter a directory and everything below it."""
        pending = [start]
        while pending:
            pending.extend(self._enter(pending.pop()))

    def exclude(self, real: bytes, entry: InventoryEntry) -> None:
        """Record what is left out."""
        self.left_out[real] = entry
        self.entries.append(entry)

    def include(self, real: bytes, entry: InventoryEntry) -> None:
        """Record the decision on a file."""
        if entry.reason is None:
            self.walked[real] = entry.path
            self.entries.append(entry)
        else:
            self.exclude(real, entry)

    def _enter(self, directory: Directory) -> list[Directory]:
        """Decide on everything in a directory; gives the sub-directories to enter."""
        real = directory.real
        if real in self.walked:
            # Only below a followed link can a directory come up again.
            detail = self.walked[real].removesuffix("/")
            self.exclude(
                real, left_out(directory.path[:-1], directory.raw[:-1], Reason.SYMLINK_DUPLICATE, detail, True)
            )
            return []
        try:
            with os.scandir(real) as found:
                children = {child.name: child for child in found}
        except OSError as error:
            if not directory.raw:
                raise InventoryError(f"{os.fsdecode(real)} cannot be read: {error.strerror}") from error
            reason = explain_os_error(error)
            self.exclude(real, left_out(directory.path[:-1], directory.raw[:-1], Reason.UNREADABLE, reason, True))
            return []
        self.walked[real] = directory.path
        directory = directory._replace(stack=self._stack_inside(directory, children))
        deeper: list[Directory] = []
        for name, text, collides_with in readable_names(children):
            if name not in NEVER_WALKED:
                self._decide(directory, children, name, text, collides_with, deeper)
        return deeper

    def _decide(
        self,
        directory: Directory,
        children: "dict[bytes, os.DirEntry[bytes]]",
        name: bytes,
        text: str,
        collides_with: str | None,
        deeper: list[Directory],
    ) -> None:
        child = children[name]
        raw = directory.raw + name
        path = directory.path + text
        is_directory = child.is_dir(follow_symlinks=False)
        match = directory.stack.match(raw, name, is_directory)
        if match is not None and not match.rule.negated:
            reason = Reason.EXCLUDED_BY_CONFIGURATION if match.by_configuration else Reason.IGNORED
            language = None if is_directory else self.decider.language_by_name(text)
            self.exclude(child.path, left_out(path, raw, reason, str(match.rule), is_directory, language))
            return
        if collides_with is not None:
            language = None if is_directory else self.decider.language_by_name(text)
            self.exclude(child.path, left_out(path, raw, Reason.PATH_COLLISION, collides_with, is_directory, language))
            return
        shown = match is not None and match.shows
        if is_directory:
            decided = self.decider.directory(directory, name, text, child.path, children, shown)
            if isinstance(decided, Directory):
                deeper.append(decided)
            else:
                self.exclude(child.path, decided)
        elif child.is_symlink():
            self.links.append(Link(directory, name, text, shown))
        else:
            self._decide_plain(directory, child, text, shown)

    def _decide_plain(self, directory: Directory, child: "os.DirEntry[bytes]", text: str, shown: bool) -> None:
        path = directory.path + text
        raw = directory.raw + child.name
        try:
            status = child.stat(follow_symlinks=False)
        except OSError as error:
            self.exclude(child.path, left_out(path, raw, Reason.UNREADABLE, explain_os_error(error), False))
            return
        if not stat.S_ISREG(status.st_mode):
            self.exclude(child.path, left_out(path, raw, Reason.SPECIAL_FILE, None, False))
        elif child.path in self.walked:
            self.entries.append(left_out(path, raw, Reason.SYMLINK_DUPLICATE, self.walked[child.path], False))
        else:
            self.include(child.path, self.decider.file(directory, child.name, text, status, child.path, shown))

    def _stack_inside(self, directory: Directory, children: Collection[bytes]) -> IgnoreStack:
        """The ignore rules that hold inside a directory."""
        stack = directory.stack
        if b".git" in children and directory.raw:
            git_dir = git_directory(directory.real)
            if git_dir is not None:
                stack = stack.without_git()
                if self._may_read(git_dir):
                    stack = self._with_rules(stack, b".gitignore", directory, git_dir + b"/info/exclude")
        for name in IGNORE_FILES:
            if name in children:
                stack = self._with_rules(stack, name, directory, directory.real.rstrip(b"/") + b"/" + name)
        return stack

    def _with_rules(self, stack: IgnoreStack, name: bytes, directory: Directory, file: bytes) -> IgnoreStack:
        try:
            data = read_ignore_file(file)
        except PermissionError:
            # The entry of the ignore file itself says that it is unreadable or hidden; there are no rules to know.
            return stack
        if data is None:
            return stack
        source = ".git/info/exclude" if file.endswith(b"/info/exclude") else name.decode()
        return stack.with_file(name, Rules(data, directory.path + source), directory.raw)

    def _may_read(self, git_dir: bytes) -> bool:
        """A nested repository may keep its git directory in the root, or in that of the repository around."""
        allowed = [self.root] if self._enclosing is None else [self.root, self._enclosing.git_dir]
        return any(is_within(git_dir, place) for place in allowed)
