"""Symbolic links, decided after everything that is there without them.

A link that leads to what the walk found anyway is recorded as its duplicate. One that leads to something inside the
root that was left out for its name alone (hidden, no language) is followed, once. Nothing outside of the root is
opened.
"""

# File names are bytes here, which pathlib does not take.
# ruff: noqa: PTH115, PTH118

import os
import stat
from typing import Final

from graph.inventory.decide import Directory
from graph.inventory.entry import InventoryEntry, Reason
from graph.inventory.paths import explain_os_error, is_within, left_out
from graph.inventory.walker import NEVER_WALKED, Link, Walker

# Reasons that belong to the target itself: a link to it does not make it less so.
_STAYS_OUT: Final = frozenset({Reason.IGNORED, Reason.EXCLUDED_BY_CONFIGURATION, Reason.VENDORED, Reason.GENERATED})


def follow_links(walker: Walker) -> None:
    """Decide on every link that the walk met, and on those that are met on the way.

    Ends, because every directory is entered once at most.
    """
    while walker.links:
        # In the order of their paths, so that it does not depend on the file system which link counts.
        links = sorted(walker.links, key=lambda link: link.parent.path + link.text)
        walker.links.clear()
        for link in links:
            _follow(walker, link)


def _follow(walker: Walker, link: Link) -> None:
    real = link.parent.real.rstrip(b"/") + b"/" + link.name
    try:
        says = os.readlink(real).decode("utf-8", "backslashreplace")
    except OSError as error:
        walker.exclude(real, _entry(link, Reason.UNREADABLE, explain_os_error(error)))
        return
    target = os.path.realpath(real)
    if not is_within(target, walker.root):
        walker.exclude(real, _entry(link, Reason.SYMLINK_OUTSIDE, says))
        return
    try:
        status = os.lstat(target)
    except OSError:
        walker.exclude(real, _entry(link, Reason.UNREADABLE, f"broken symbolic link to {says}"))
        return
    refused = _refuse(walker, link, target, status, says)
    if refused is not None:
        walker.exclude(real, refused)
    elif stat.S_ISDIR(status.st_mode):
        _follow_directory(walker, link, real, target)
    else:
        name, text = link.name, link.text
        entry = walker.decider.file(link.parent, name, text, status, target, link.shown)
        if entry.included:
            entry = entry._replace(detail=_shown(target, walker.root))
        walker.include(target, entry)


def _refuse(walker: Walker, link: Link, target: bytes, status: os.stat_result, says: str) -> InventoryEntry | None:
    """The entry of a link that is not followed."""
    if stat.S_ISLNK(status.st_mode) or is_within(link.parent.real, target):
        return _entry(link, Reason.SYMLINK_LOOP, says)
    if target in walker.walked:
        return _entry(link, Reason.SYMLINK_DUPLICATE, walker.walked[target].removesuffix("/"))
    below_root = target[len(walker.root.rstrip(b"/")) + 1 :].split(b"/")
    if not set(NEVER_WALKED).isdisjoint(below_root):
        return _entry(link, Reason.IGNORED, f"leads to {says}, which is never indexed")
    for depth in range(1, len(below_root) + 1):
        place = os.path.join(walker.root, *below_root[:depth])
        left = walker.left_out.get(place)
        if left is not None and left.reason is not None and left.reason in _STAYS_OUT:
            return _entry(link, left.reason, f"leads to {left.path}: {left.detail}")
    if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return _entry(link, Reason.SPECIAL_FILE, f"leads to {says}")
    return None


def _follow_directory(walker: Walker, link: Link, real: bytes, target: bytes) -> None:
    raw = link.parent.raw + link.name
    match = link.parent.stack.match(raw, link.name, is_directory=True)
    if match is not None and not match.rule.negated:
        reason = Reason.EXCLUDED_BY_CONFIGURATION if match.by_configuration else Reason.IGNORED
        walker.exclude(real, _entry(link, reason, str(match.rule)))
        return
    decided = walker.decider.directory(link.parent, link.name, link.text, target, (), link.shown)
    if isinstance(decided, Directory):
        walker.walk_from(decided)
    else:
        walker.exclude(real, decided)


def _entry(link: Link, reason: Reason, detail: str) -> InventoryEntry:
    return left_out(link.parent.path + link.text, link.parent.raw + link.name, reason, detail, directory=False)


def _shown(target: bytes, root: bytes) -> str:
    return target[len(root.rstrip(b"/")) + 1 :].decode("utf-8", "backslashreplace")
