"""Lines and columns of the exact bytes of a file."""

import codecs
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from graph.source.offsets import OffsetError


class Position(NamedTuple):
    """A place in a text, as people count."""

    line: int
    """1-based; LF, CRLF and a lone CR end a line, nothing else does."""
    column: int
    """1-based, in Unicode code points. A byte order mark has no column."""


class LineIndex:
    """Converts between byte offsets and positions of one file.

    `data` are the exact bytes of the file and `encoding` is `SourceText.encoding`, with which they decode. Every
    character boundary has one position and the other way round: the characters of a line terminator belong to the line
    that they end, and the end of the file is the position after the last character. The one exception is the byte order
    mark: offset 0 before it and the offset after it are both line 1, column 1, which converts back to the latter.
    """

    __slots__ = ("_ascii", "_data", "_encoding", "_is_unicode", "_starts")

    def __init__(self, data: bytes, encoding: str = "utf-8") -> None:
        self._data = data
        self._encoding = encoding
        self._ascii = data.isascii() and not encoding.startswith("utf-16")
        self._is_unicode = encoding.startswith("utf-")
        self._starts = _line_starts(data, encoding)

    @property
    def line_count(self) -> int:
        """Number of lines, at least 1; a terminator at the end of the file starts one more, empty line."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """Position of a 0-based byte offset, 0..len(data).

        Raises OffsetError outside of that range and inside a character.
        """
        if not 0 <= offset <= len(self._data):
            raise OffsetError(f"byte offset {offset} is outside of 0..{len(self._data)}")
        line = bisect_right(self._starts, offset)
        if line == 0:
            return self._before_first_line(offset)
        return Position(line, 1 + self._width(self._starts[line - 1], offset))

    def positions(self, offsets: Iterable[int]) -> list[Position]:
        """`position` of each offset, in the order given."""
        return [self.position(offset) for offset in offsets]

    def offset(self, line: int, column: int) -> int:
        """0-based byte offset of a position.

        Raises OffsetError when there is no such line, or when the line, its terminator included, has no such column.
        The last line also has the column after its last character.
        """
        start, end = self.line_range(line)
        if self._ascii:
            width = end - start
            found = start + column - 1
        else:
            text = self._data[start:end].decode(self._encoding)
            width = len(text)
            found = start + len(text[: max(column - 1, 0)].encode(self._encoding))
        last = width + 1 if line == len(self._starts) else width
        if not 1 <= column <= last:
            raise OffsetError(f"line {line} has no column {column}: it has columns 1..{last}")
        if not self._is_unicode and self._width(start, found) != column - 1:
            # Encodings in which one byte sequence stands for two code points.
            raise OffsetError(f"column {column} of line {line} is inside a character")
        return found

    def line_range(self, line: int) -> tuple[int, int]:
        """Byte range of a 1-based line, with its terminator and without a byte order mark.

        Raises OffsetError when there is no such line.
        """
        if not 1 <= line <= len(self._starts):
            raise OffsetError(f"no line {line}: the file has lines 1..{len(self._starts)}")
        end = self._starts[line] if line < len(self._starts) else len(self._data)
        return self._starts[line - 1], end

    def _before_first_line(self, offset: int) -> Position:
        if offset:
            raise OffsetError(f"byte offset {offset} is inside the byte order mark")
        return Position(1, 1)

    def _width(self, start: int, end: int) -> int:
        """Code points between two offsets of one line."""
        if self._ascii:
            return end - start
        if self._encoding == "utf-8" and end < len(self._data) and 0x80 <= self._data[end] < 0xC0:
            raise OffsetError(f"byte offset {end} is inside a character")
        try:
            return len(self._data[start:end].decode(self._encoding))
        except UnicodeDecodeError as error:
            raise OffsetError(f"byte offset {end} is inside a character") from error


def _line_starts(data: bytes, encoding: str) -> list[int]:
    if encoding.startswith("utf-16"):
        return _utf16_line_starts(data, encoding)
    # In every other encoding that is accepted, CR and LF are never part of a longer character. bytes.splitlines ends
    # lines at exactly CR, LF and CRLF (str.splitlines at many more).
    first = len(codecs.BOM_UTF8) if encoding == "utf-8" and data.startswith(codecs.BOM_UTF8) else 0
    lines = data[first:].splitlines(keepends=True) if first else data.splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=first))
    if len(starts) > 1 and not lines[-1].endswith((b"\n", b"\r")):
        starts.pop()
    return starts


def _utf16_line_starts(data: bytes, encoding: str) -> list[int]:
    starts = [2 if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else 0]
    offset = 0
    previous = ""
    for char in data.decode(encoding):
        offset += 4 if char > "\uffff" else 2
        if char == "\n" and previous == "\r":
            starts[-1] = offset
        elif char in "\r\n":
            starts.append(offset)
        previous = char
    return starts
