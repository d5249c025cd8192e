"""Paths of the inventory, and the entry of what is left out without a look."""

from collections.abc import Collection

from graph.inventory.entry import InventoryEntry, Reason


def left_out(
    path: str, raw: bytes, reason: Reason, detail: str | None, directory: bool, language: str | None = None
) -> InventoryEntry:
    """The entry of something whose content and status were never looked at; `language` is what its name says."""
    return InventoryEntry(
        path,
        raw_or_none(raw, path),
        directory,
        0,
        0,
        language,
        reason,
        detail,
        False,
        reason is Reason.VENDORED,
        False,
        False,
    )


def is_within(path: bytes, directory: bytes) -> bool:
    """True for a real path that is a real directory or lies in it."""
    return path == directory or path.startswith(directory.rstrip(b"/") + b"/")


def explain_os_error(error: OSError) -> str:
    """What the operating system says, without the path."""
    return (error.strerror or str(error)).lower()


def readable_names(names: Collection[bytes]) -> list[tuple[bytes, str, str | None]]:
    """Name, readable name, and the name that it would be mistaken for; no readable name comes up twice."""
    readable: list[tuple[bytes, str, str | None]] = []
    odd: list[bytes] = []
    for name in names:
        try:
            readable.append((name, name.decode(), None))
        except UnicodeDecodeError:
            odd.append(name)
    if odd:
        taken = {text for _, text, _ in readable}
        for name in sorted(odd):
            plain = text = name.decode("utf-8", "backslashreplace")
            while text in taken:
                text += "~"
            taken.add(text)
            readable.append((name, text, plain if text != plain else None))
    return readable


def raw_or_none(raw: bytes, path: str) -> bytes | None:
    """`raw_path` of an entry."""
    return None if (path.isascii() and len(raw) == len(path)) or path.encode() == raw else raw
