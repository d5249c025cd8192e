"""What the content of a file says about it: binary, minified, generated. Language-neutral."""

import codecs
import re
from itertools import pairwise
from typing import Final, NamedTuple

from graph.inventory.entry import Reason

_BINARY_WINDOW: Final = 8000
_HEADER_WINDOW: Final = 4096
_BOMS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

_MIN_MINIFIED_SIZE: Final = 1024
_LONG_LINE: Final = 500
_MAX_ORDINARY_LINES: Final = 50
_MAX_SPACE_SHARE: Final = 0.08
_MIN_PUNCTUATION_SHARE: Final = 0.12
_NOT_PUNCTUATION: Final = bytes(set(range(256)) - set(b"(){}[];:,.=!&|?+-*/<>"))

# One line of a leading comment, and what in it says that no person wrote the file.
_COMMENT: Final = re.compile(rb"[ \t]*(?:#|//|/\*|\*|<!--|--|;|%|@)")
_BY_MACHINE: Final = rb"(?:automatically|auto|machine)[- ]?generated"
_DO_NOT: Final = rb"\bdo not (?:edit|modify|change|touch)"
_MARKERS: Final = re.compile(
    rb"@generated\b|<auto-?generated\b"
    rb"|\b(?:file|code|class|source|module|content)\b[^.]{0,40}\b(?:is|was|has been) " + _BY_MACHINE + rb"\b"
    rb"|^\W*" + _BY_MACHINE + rb"(?: (?:by|from|with|using|via|on|at|file|code)\b|\W*$|[.!;:,])"
    rb"|^\W*generated from \S+ by \S"
    rb"|\bthis is (?:an? )?(?:(?:automatically|auto|machine)[- ]?)?generated (?:file|code|class)\b"
    rb"|\bgenerated\b.*" + _DO_NOT + rb"|" + _DO_NOT + rb".*\bgenerated\b",
    re.IGNORECASE,
)


class ContentDecision(NamedTuple):
    """What the content of a file decides."""

    reason: Reason | None
    """BINARY or MINIFIED; None means that the content speaks for including it."""
    detail: str | None
    """One line for people; for a generated file, the line that says so."""
    generated: bool
    """A leading comment says that the file was generated."""


def inspect(data: bytes) -> ContentDecision:
    """Decide by the exact bytes of a file. Costs a few scans for single bytes on ordinary source.

    Binary is a NUL byte among the first 8000 bytes (git's rule), unless a UTF-16 byte order mark starts the file.
    """
    for bom, codec in _BOMS:
        if data.startswith(bom):
            data = data.decode(codec, "replace").encode()
            break
    else:
        place = data.find(b"\0", 0, _BINARY_WINDOW)
        if place >= 0:
            return ContentDecision(Reason.BINARY, f"NUL byte at offset {place}", False)
    marker = _generated_marker(data)
    mean = _minified_mean(data)
    if mean is not None:
        return ContentDecision(Reason.MINIFIED, f"{mean} bytes in a line on average", marker is not None)
    return ContentDecision(None, marker, marker is not None)


def _generated_marker(data: bytes) -> str | None:
    """The line of the leading comment that says that the file is generated."""
    head = data[:_HEADER_WINDOW].removeprefix(codecs.BOM_UTF8)
    lowered = head.lower()
    if b"generated" not in lowered:
        return None
    comment: list[bytes] = []
    in_block = False
    for line in head.splitlines():
        if line.strip() and not in_block and not _COMMENT.match(line):
            break
        comment.append(line)
        opened, closed = line.rfind(b"/*"), line.rfind(b"*/")
        in_block = opened > closed or (in_block and closed < 0)
    for line in comment:
        if _MARKERS.search(line):
            return _shown(line)
    # A sentence may go over two lines.
    for first, second in pairwise(comment):
        if _MARKERS.search(first.rstrip() + b" " + second.lstrip(b" \t#/*;%-")):
            return _shown(first)
    return None


def _shown(line: bytes) -> str:
    return line.strip()[:120].decode("utf-8", "replace")


def _minified_mean(data: bytes) -> int | None:
    """Mean length of a line of minified code; None for everything else.

    Minified is code (rich in punctuation, poor in spaces) that stands nearly all in very long lines. A hand-written
    file with a long literal in it has ordinary lines too, and stays.
    """
    if len(data) < _MIN_MINIFIED_SIZE:
        return None
    mean = len(data) // (data.count(b"\n") + data.count(b"\r") + 1)
    if mean < _LONG_LINE // 5:
        return None
    lines = data.splitlines()
    long_lines = [line for line in lines if len(line) > _LONG_LINE]
    size = sum(map(len, long_lines))
    ordinary = sum(1 for line in lines if 0 < len(line) <= _LONG_LINE)
    if ordinary > _MAX_ORDINARY_LINES or size * 5 < len(data) * 4:
        return None
    spaces = sum(line.count(b" ") for line in long_lines)
    punctuation = sum(len(line.translate(None, _NOT_PUNCTUATION)) for line in long_lines)
    if spaces > size * _MAX_SPACE_SHARE or punctuation < size * _MIN_PUNCTUATION_SHARE:
        return None
    return mean
