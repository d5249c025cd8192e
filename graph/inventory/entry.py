"""What the inventory says about one path."""

from enum import StrEnum
from typing import NamedTuple


class InventoryError(Exception):
    """The inventory cannot be made at all. The message is one line that says what to do."""


class Reason(StrEnum):
    """Why a path is not indexed. The values are stable: they are stored, printed and documented."""

    IGNORED = "ignored"
    """A rule of an ignore file; the detail is `file:line: pattern`."""
    EXCLUDED_BY_CONFIGURATION = "excluded-by-configuration"
    """`include`, `exclude`, `languages` or `generated` of the settings; the detail says which."""
    HIDDEN = "hidden"
    """The name starts with a dot."""
    VENDORED = "vendored"
    """A directory of code that others wrote; the detail is the rule."""
    GENERATED = "generated"
    """A directory of build output, or generated code while the settings leave it out."""
    MINIFIED = "minified"
    """Code for machines to download: the detail gives the mean length of its lines in bytes."""
    BINARY = "binary"
    """The content is not text."""
    TOO_LARGE = "too-large"
    """Larger than `max_file_size`."""
    UNSUPPORTED_ENCODING = "unsupported-encoding"
    """The text cannot be decoded: given by whoever reads the file, with the reason of `graph.source.Undecodable`."""
    NO_LANGUAGE = "no-language"
    """No language claims this name."""
    UNREADABLE = "unreadable"
    """The operating system refuses; the detail is its message."""
    SPECIAL_FILE = "special-file"
    """A pipe, a socket or a device: never opened."""
    SYMLINK_OUTSIDE = "symlink-outside"
    """A symbolic link that leaves the root; the detail is what the link says."""
    SYMLINK_LOOP = "symlink-loop"
    """A symbolic link to itself or to a directory that it is in; the detail is what the link says."""
    SYMLINK_DUPLICATE = "symlink-duplicate"
    """The same file or directory is reached by another path, which is the detail."""
    PATH_COLLISION = "path-collision"
    """A name that is not UTF-8 reads like the name of its neighbour, which is the detail."""


class InventoryEntry(NamedTuple):
    """The decision on one file, or on one whole directory that is not walked. `path` is unique in an inventory."""

    path: str
    """Relative to the root, with `/`; parts that are not UTF-8 are written with backslash escapes."""
    raw_path: bytes | None
    """The path as the file system has it, when `path` is not just that in UTF-8."""
    is_directory: bool
    """True for a directory that was left out as a whole."""
    size: int
    """Bytes at the time of the walk; 0 for directories and for links that are not followed."""
    mtime_ns: int
    """Modification time in nanoseconds since the epoch; 0 where size is."""
    language: str | None
    """Name of the language row; None when no language claims the file. Of one that an ignore rule leaves out, what its
    name says."""
    reason: Reason | None
    """Why it is excluded; None means included."""
    detail: str | None
    """One line for people: which rule, which file, which error. For an included link, the path that it leads to."""
    generated: bool
    """The path is that of generated code (content can say so too: see `inspect`)."""
    vendored: bool
    """Inside a directory of code that others wrote."""
    test: bool
    """The path is that of test code."""
    manifest: bool
    """A build or package manifest; with a language only when it is source code as well."""

    @property
    def included(self) -> bool:
        """True when the file is to be read: as source if it has a language, as a manifest if it is one."""
        return self.reason is None
