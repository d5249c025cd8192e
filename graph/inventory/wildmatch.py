"""The parts of a git pattern that need git's own reading: bracket expressions and escapes.

Both are taken out of the pattern before it is translated, and put back as regular expressions afterwards. Source: git's
wildmatch.c (the behaviour, as `git check-ignore` shows it); POSIX.1-2017 XBD 9.3.5 for the classes.
"""

import re
import string
from typing import Final

_BACKSLASH, _BRACKET, _SLASH = b"\\[/"
_CLASSES: Final = {
    name: frozenset(members.encode())
    for name, members in {
        "alnum": string.ascii_letters + string.digits,
        "alpha": string.ascii_letters,
        "blank": " \t",
        "cntrl": "".join(map(chr, [*range(32), 127])),
        "digit": string.digits,
        "graph": string.ascii_letters + string.digits + string.punctuation,
        "lower": string.ascii_lowercase,
        "print": string.ascii_letters + string.digits + string.punctuation + " ",
        "punct": string.punctuation,
        "space": string.whitespace,
        "upper": string.ascii_uppercase,
        "xdigit": string.hexdigits,
    }.items()
}
_ONLY_SLASH: Final = frozenset((_SLASH,))
_ANY: Final = frozenset(range(1, 256))
_PLACE: Final = re.compile(rb"\x00(\d+)\x00")


def protect(pattern: bytes) -> tuple[bytes, list[bytes]] | None:
    """The pattern with places instead of bracket expressions and escaped characters, and the expression for each place.

    None when git never matches the pattern: an unfinished bracket expression or escape, an unknown class, a NUL byte.
    """
    if b"\0" in pattern:
        return None
    expressions: list[bytes] = []
    parts: list[bytes] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if char == _BACKSLASH:
            if index + 1 == len(pattern):
                return None
            members = frozenset(pattern[index + 1 : index + 2])
            index += 2
            if members == _ONLY_SLASH:
                parts.append(b"/")
                continue
        elif char == _BRACKET:
            parsed = _bracket(pattern, index)
            if parsed is None:
                return None
            members, index = parsed
            members -= _ONLY_SLASH
        elif not 0x20 < char < 0x7F:
            # White space at the end would be stripped, and some bytes above ASCII count as white space in latin-1.
            members = frozenset((char,))
            index += 1
        else:
            parts.append(pattern[index : index + 1])
            index += 1
            continue
        parts.append(b"\0%d\0" % len(expressions))
        expressions.append(_expression(members))
    return b"".join(parts), expressions


def restore(expression: bytes, expressions: list[bytes]) -> bytes:
    """The regular expression of the whole pattern, from that of the protected one."""
    return _PLACE.sub(lambda place: expressions[int(place[1])], expression)


def _bracket(pattern: bytes, start: int) -> tuple[frozenset[int], int] | None:
    """Members of the bracket expression that opens at `start`, and the index after it; None if git cannot read it."""
    index = start + 1
    negated = pattern[index : index + 1] in (b"!", b"^")
    if negated:
        index += 1
    members: set[int] = set()
    previous = 0
    first = True
    while first or pattern[index : index + 1] != b"]":
        first = False
        char = pattern[index : index + 1]
        if not char:
            return None
        if char == b"\\":
            index += 1
            if index == len(pattern):
                return None
            previous = pattern[index]
            members.add(previous)
        elif char == b"-" and previous and pattern[index + 1 : index + 2] not in (b"", b"]"):
            index += 1
            if pattern[index] == _BACKSLASH:
                index += 1
                if index == len(pattern):
                    return None
            members.update(range(previous, pattern[index] + 1))
            previous = 0
        elif pattern.startswith(b"[:", index) and (end := pattern.find(b"]", index + 2)) != -1:
            if pattern[end - 1 : end] == b":" and end - 1 > index + 1:
                named = _CLASSES.get(pattern[index + 2 : end - 1].decode("ascii", "replace"))
                if named is None:
                    return None
                members |= named
                index = end
                previous = 0
            else:
                previous = _BRACKET
                members.add(previous)
        elif pattern.startswith(b"[:", index):
            return None
        else:
            previous = char[0]
            members.add(previous)
        index += 1
    return frozenset(_ANY - members if negated else members), index + 1


def _expression(members: frozenset[int]) -> bytes:
    """A regular expression for one byte out of a set; one that never matches for the empty set."""
    if not members:
        return b"(?!)"
    return b"[" + b"".join(b"\\x%02x" % member for member in sorted(members)) + b"]"
