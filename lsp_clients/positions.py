"""The one place where LSP positions and byte offsets are converted into each other.

An LSP position (LSP 3.17, Position) is a 0-based line and a 0-based character that counts code units of the encoding
which client and server negotiated. A byte offset is 0-based into the exact bytes of the file. Lines end with CR LF,
LF or CR and nothing else (LSP 3.17, Text Documents).
"""

import re
from bisect import bisect_right
from typing import Literal, NamedTuple

from lsp_clients.errors import PositionError

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
BOM = b"\xef\xbb\xbf"

# The codec, and the bytes of one code unit.
_CODEC: dict[Encoding, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
_LINE_END = re.compile(rb"\r\n|\n|\r")


class Position(NamedTuple):
    """A place in a text as LSP says it."""

    line: int
    """0-based line."""
    character: int
    """0-based count of code units in the line."""


def encoding_of(name: object) -> Encoding:
    """The encoding that an `initialize` answer names; UTF-16 when it names none (LSP 3.17, PositionEncodingKind).

    Raises PositionError for any other value.
    """
    if name is None:
        return "utf-16"
    if name not in ENCODINGS:
        raise PositionError(f"unknown position encoding {name!r}")
    return name


class LineTable:
    """The lines of one file, for conversions in one encoding.

    `counts_bom` says whether the server takes a byte order mark at the start for a character of the first line.
    A file that is not UTF-8 converts wherever the lines asked about are.
    """

    def __init__(self, content: bytes, encoding: Encoding, *, counts_bom: bool = True) -> None:
        self.content = content
        self.encoding: Encoding = encoding
        self._first = 0 if counts_bom or not content.startswith(BOM) else len(BOM)
        self._plain = encoding == "utf-8" or content.isascii()
        self._starts = [self._first]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(content, self._first):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(content))

    def position(self, offset: int) -> Position:
        """The position of a byte offset.

        Raises PositionError when it lies outside the file, inside a line ending, or inside a code point.
        """
        line = bisect_right(self._starts, offset) - 1
        if line < 0 or offset > self._ends[line]:
            raise PositionError(f"byte {offset} is not a place in a text of {len(self.content)} bytes")
        start = self._starts[line]
        self._check_boundary(offset)
        if self._plain:
            return Position(line, offset - start)
        codec, unit = _CODEC[self.encoding]
        return Position(line, len(self._text(start, offset, line).encode(codec)) // unit)

    def offset(self, line: int, character: int) -> int:
        """The byte offset of a position.

        Raises PositionError when there is no such line, when the character is past the end of the line, or when it
        is in the middle of a code point. (LSP lets a client move the second kind back to the end of the line; an
        answer that needs it is not about these bytes.)
        """
        if not 0 <= line < len(self._starts) or character < 0:
            raise PositionError(f"no line {line}, character {character} in a text of {len(self._starts)} lines")
        start, end = self._starts[line], self._ends[line]
        if self._plain:
            offset = start + character
            if offset > end:
                raise PositionError(f"line {line} has no character {character}")
            self._check_boundary(offset)
            return offset
        codec, unit = _CODEC[self.encoding]
        units = self._text(start, end, line).encode(codec)
        if character * unit > len(units):
            raise PositionError(f"line {line} has no character {character}")
        try:
            return start + len(units[: character * unit].decode(codec).encode())
        except UnicodeDecodeError as error:
            raise PositionError(f"line {line}, character {character} is inside a code point") from error

    def _check_boundary(self, offset: int) -> None:
        # A continuation byte of UTF-8 is 10xxxxxx (RFC 3629, section 3).
        if offset < len(self.content) and self.content[offset] & 0xC0 == 0x80:
            raise PositionError(f"byte {offset} is inside a code point")

    def _text(self, start: int, end: int, line: int) -> str:
        try:
            return self.content[start:end].decode()
        except UnicodeDecodeError as error:
            raise PositionError(f"line {line} is not UTF-8") from error
