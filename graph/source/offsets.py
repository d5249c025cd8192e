"""The map between byte offsets in a file and byte offsets in its UTF-8 form.

Only files that are not UTF-8 need one; for the rest both offsets are the same number.
"""

import codecs
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate


class OffsetError(ValueError):
    """An offset, line or column lies outside the source, or inside a character."""


class OffsetMap:
    """Character boundaries of one file, twice: in its UTF-8 form and in its own encoding.

    Both sequences ascend, have the same length, start at 0 and end at the size of the respective bytes.
    """

    __slots__ = ("_original", "_utf8")

    def __init__(self, utf8: Sequence[int], original: Sequence[int]) -> None:
        self._utf8 = utf8
        self._original = original

    def to_original(self, offset: int) -> int:
        """Offset in the file's bytes of a 0-based UTF-8 offset; OffsetError when it is no character boundary."""
        return self._original[_boundary(self._utf8, offset, 0, "UTF-8 form")]

    def to_original_many(self, offsets: Iterable[int]) -> list[int]:
        """The same for ascending offsets, in one pass."""
        return _convert_many(self._utf8, self._original, offsets, "UTF-8 form")

    def from_original(self, offset: int) -> int:
        """Offset in the UTF-8 form of a 0-based offset in the file; OffsetError when it is no character boundary."""
        return self._utf8[_boundary(self._original, offset, 0, "file")]

    def from_original_many(self, offsets: Iterable[int]) -> list[int]:
        """The same for ascending offsets, in one pass."""
        return _convert_many(self._original, self._utf8, offsets, "file")


def map_code_units(text: str, *, unit: int) -> OffsetMap:
    """Map of a text in which a character takes `unit` bytes, and those beyond U+FFFF twice as many when unit is 2.

    unit 1 is any single-byte encoding, unit 2 is UTF-16.
    """
    original: Sequence[int]
    if unit == 1:
        original = range(len(text) + 1)
    else:
        original = list(accumulate((4 if char > "\uffff" else 2 for char in text), initial=0))
    return OffsetMap(list(accumulate(map(_utf8_size, text), initial=0)), original)


def map_multibyte(data: bytes, decoder: codecs.IncrementalDecoder) -> OffsetMap:
    """Map of a stateless multi-byte encoding, found by feeding its decoder one byte after the other.

    A boundary is wherever the decoder holds nothing back. The data has been decoded as a whole before, so that
    it is known to be valid.
    """
    utf8 = [0]
    original = [0]
    written = 0
    for index in range(len(data)):
        written += len(decoder.decode(data[index : index + 1]).encode())
        if not decoder.getstate()[0] and written > utf8[-1]:
            utf8.append(written)
            original.append(index + 1)
    return OffsetMap(utf8, original)


def _utf8_size(char: str) -> int:
    if char < "\x80":
        return 1
    if char < "\u0800":
        return 2
    return 3 if char <= "\uffff" else 4


def _boundary(boundaries: Sequence[int], offset: int, low: int, where: str) -> int:
    index = bisect_left(boundaries, offset, low)
    if index == len(boundaries) or boundaries[index] != offset:
        size = boundaries[-1]
        what = "inside a character" if 0 <= offset <= size else f"outside of 0..{size}"
        raise OffsetError(f"byte offset {offset} of the {where} is {what}")
    return index


def _convert_many(source: Sequence[int], target: Sequence[int], offsets: Iterable[int], where: str) -> list[int]:
    found: list[int] = []
    index = 0
    for offset in offsets:
        index = _boundary(source, offset, index, where)
        found.append(target[index])
    return found
