"""Byte offsets and (line, column) are two names of the same place."""

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.source import LineIndex, OffsetError

TEXT = st.text(
    alphabet=st.one_of(st.sampled_from("\r\nab é😀\u2028\x0b\x0c"), st.characters(exclude_categories=["Cs"])),
    max_size=60,
)
CODECS = ["utf-8", "utf-16-le", "utf-16-be", "iso8859-1", "gbk", "shift_jis"]


@pytest.mark.parametrize(
    ("text", "char", "expected"),
    [
        ("abc", "c", (1, 3)),
        ("a\nbc", "c", (2, 2)),
        ("a\r\nbc", "c", (2, 2)),
        ("a\rbc", "c", (2, 2)),
        ("a\r\rc", "c", (3, 1)),
        ("a\u2028\x0b\x0c\x85c", "c", (1, 6)),
        ("é😀c", "c", (1, 3)),
        ("\ufeffc", "c", (1, 1)),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_positions(text: str, char: str, expected: tuple[int, int], codec: str) -> None:
    if codec != "utf-8" and not text.startswith("\ufeff"):
        text = "\ufeff" + text
    data = text.encode(codec)
    offset = len(text[: text.index(char)].encode(codec))
    index = LineIndex(data, codec)
    assert index.position(offset) == expected
    assert index.offset(*expected) == offset


@pytest.mark.parametrize("codec", CODECS)
@given(text=TEXT)
def test_round_trip(codec: str, text: str) -> None:
    text = text.encode(codec, "ignore").decode(codec).lstrip("\ufeff")
    data = text.encode(codec)
    index = LineIndex(data, codec)
    line, column = 1, 1
    for place in range(len(text) + 1):
        offset = len(text[:place].encode(codec))
        assert index.position(offset) == (line, column)
        assert index.offset(line, column) == offset
        if text[place : place + 1] == "\n" or (text[place : place + 1] == "\r" and text[place + 1 : place + 2] != "\n"):
            line, column = line + 1, 1
        else:
            column += 1
    assert index.line_count == line == 1 + len(re.findall(r"\r\n|\r|\n", text))


@given(text=TEXT)
def test_lines_tile_the_file(text: str) -> None:
    data = text.encode()
    index = LineIndex(data)
    ranges = [index.line_range(line) for line in range(1, index.line_count + 1)]
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    assert b"".join(data[low:high] for low, high in ranges) == data[start:]


def test_the_end_of_the_file_is_a_position() -> None:
    assert LineIndex(b"").position(0) == (1, 1)
    assert LineIndex(b"").offset(1, 1) == 0
    assert LineIndex(b"a\n").position(2) == (2, 1)
    assert LineIndex(b"a\n").offset(2, 1) == 2


def test_the_byte_order_mark_has_no_column() -> None:
    index = LineIndex(codecs.BOM_UTF8 + b"a")
    assert index.positions([0, 3, 4]) == [(1, 1), (1, 1), (1, 2)]
    assert index.offset(1, 1) == 3
    with pytest.raises(OffsetError, match="byte order mark"):
        index.position(1)


@pytest.mark.parametrize("offset", [-1, 5])
def test_offsets_outside_are_errors(offset: int) -> None:
    with pytest.raises(OffsetError, match=r"outside of 0\.\.4"):
        LineIndex(b"a\nbc").position(offset)


@pytest.mark.parametrize(
    ("text", "codec", "offset"), [("aé", "utf-8", 2), ("é", "utf-16-le", 1), ("😀", "utf-16-be", 2), ("中", "gbk", 1)]
)
def test_offsets_inside_a_character_are_errors(text: str, codec: str, offset: int) -> None:
    with pytest.raises(OffsetError, match="inside a character"):
        LineIndex(text.encode(codec), codec).position(offset)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        (0, 1, "no line 0"),
        (3, 1, "no line 3"),
        (1, 0, "no column 0"),
        (1, 4, "columns 1..3"),
        (2, 4, "columns 1..3"),
        (2, -1, "no column -1"),
    ],
)
@pytest.mark.parametrize("data", [b"ab\ncd", "éb\ncé".encode()])
def test_positions_that_do_not_exist_are_errors(data: bytes, line: int, column: int, message: str) -> None:
    with pytest.raises(OffsetError, match=re.escape(message)):
        LineIndex(data).offset(line, column)
